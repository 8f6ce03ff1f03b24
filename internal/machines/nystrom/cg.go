package nystrom

import (
	"cmp"
	"context"
	"math"

	"lapsvm/internal/numbers/linalg"
	"lapsvm/internal/numbers/tall"
)

// system is a positive definite operator A with its preconditioner P.
type system interface {
	// apply computes z = P·r and az = A·z.
	apply(ctx context.Context, z, az, r []float64)
	// mul computes dst = A·x.
	mul(ctx context.Context, dst, x []float64)
	// common reports whether A is the same for all columns.
	common() bool
	plain() *operator
}

func (o *operator) plain() *operator { return o }

func (o *operator) common() bool { return true }

// outcome is what solve tells.
type outcome struct {
	iterations int
	converged  bool
}

// looksBack is over how many iterations the decrease of the error is estimated.
const looksBack = 2

// start makes b the residual of x, and returns the decrease of the squared error in the norm of A from 0 to x.
func start(ctx context.Context, a system, x, b []float64) (total scalars) {
	s := a.plain()
	total = s.dots(ctx, x, b)
	if s.dots(ctx, x, x) != (scalars{}) { // x may be orthogonal to b
		a.mul(ctx, s.az, x)
		s.addColumns(ctx, b, s.az, -1)
		for c, v := range s.dots(ctx, x, b) {
			total[c] += v
		}
	}
	return total
}

// solve solves A·x = b by conjugate gradient for the columns of a panel, starting from x with its residual r, and with
// the total of [start]. A multiplies the results of P, whose parts it knows. The products with the
// directions follow by recurrence.
//
// A step takes the squared error in the norm of A down by what it gains (Hestenes
// and Stiefel, 1952). The iteration ends when, for every column, the last two steps together gained
// less than the tolerance times a reference. Without whole the reference is the decrease of all
// steps, counted from x = 0. With whole, which is twice an objective, it is the remainder of whole
// after that decrease.
//
// Directions are made conjugate to the previous ones explicitly, because P differs slightly from
// call to call.
//
// watch is told of every quarter of an iteration, with the number of iterations still to come. That is −1 where nothing tells.
func solve(ctx context.Context, a system, x, r []float64, total scalars, whole *scalars, o Options, watch func(quarters, left int)) (outcome, error) {
	s := a.plain()
	done, left, first := 0, -1, 0.0
	s.quarter = func(quarter int) { watch(4*done+quarter, left) }
	defer func() { s.quarter = nil }()
	clear(s.d)
	clear(s.ad)
	var directions interface {
		advance(ctx context.Context, x, r []float64) (gains scalars, err error)
	} = &columnCG{operator: s}
	if a.common() && o.Tolerance >= columnTolerance {
		directions = &blockCG{operator: s}
	}
	var last [looksBack]scalars
	for k := range o.MaxIterations {
		a.apply(ctx, s.z, s.az, r)
		gains, err := directions.advance(ctx, x, r)
		if err = cmp.Or(ctx.Err(), err); err != nil {
			return outcome{k + 1, false}, err
		}
		last[k%looksBack] = gains
		small, most := k+1 >= looksBack, 0.0
		for c, gain := range gains {
			total[c] += gain
			sum := 0.0
			for _, gains := range last {
				sum += gains[c]
			}
			measure := total[c]
			if whole != nil {
				measure = math.Abs(whole[c] - total[c]) // a straight piece, prolonged, may be below 0
			}
			small = small && sum <= o.Tolerance*measure
			if sum > 0 {
				most = max(most, sum/(o.Tolerance*measure))
			}
		}
		if k+1 == looksBack {
			first = most
		}
		left = iterationsLeft(k+1-looksBack, first, most)
		done = k + 1
		watch(4*done, left)
		if small {
			return outcome{k + 1, true}, nil
		}
	}
	return outcome{o.MaxIterations, false}, ctx.Err()
}

// iterationsLeft returns how many iterations are still to come, by the ratio of gains to what is tolerated. That fell from first to now in the
// iterations done, and goes on by the same factor down to 1. It returns −1 where the ratio did not fall.
func iterationsLeft(done int, first, now float64) int {
	if done < 1 || !(now < first) {
		return -1
	}
	return int(min(math.Ceil(float64(done)*max(math.Log(now), 0)/math.Log(first/now)), 1e6))
}

// columnCG has a direction for every column, which belongs to its own A.
type columnCG struct {
	*operator
	dad scalars // dᵀAd of the directions
}

// advance makes a step of length s_c along the direction of every column, which gains s_c (r_c, d_c).
func (e *columnCG) advance(ctx context.Context, x, r []float64) (gains scalars, err error) {
	var turn, step, rd scalars
	for c, v := range e.dots(ctx, e.z, e.ad) {
		if e.dad[c] > 0 {
			turn[c] = -v / e.dad[c]
		}
	}
	e.dad, rd = e.turn(ctx, &turn, r)
	for c := range step {
		if e.dad[c] > 0 {
			step[c] = rd[c] / e.dad[c]
		}
		gains[c] = step[c] * rd[c]
	}
	e.step(ctx, x, r, &step)
	return gains, nil
}

// blockCG lets every column go along the directions of all, where A is the same for all (O'Leary, "The block conjugate gradient
// algorithm and related methods", 1980). What is hard to find for one column is hard for all, so they find it in fewer
// iterations. As columns converge, the directions become dependent but for rounding. So it is for rough columns.
type blockCG struct {
	*operator
	dad   basis   // DᵀAD of the directions, each scaled to the length 1
	scale scalars // of every direction
}

// advance makes the step (DᵀAD)⁻¹Dᵀr.
func (t *blockCG) advance(ctx context.Context, x, r []float64) (gains scalars, err error) {
	if t.dad.order != nil {
		turn, err := t.solve(ctx, t.inner(ctx, t.ad, t.z))
		if err != nil {
			return gains, err
		}
		tall.Combine(ctx, t.width, t.d, t.z, -1, t.d, turn)
		tall.Combine(ctx, t.width, t.ad, t.az, -1, t.ad, turn)
	} else {
		copy(t.d, t.z)
		copy(t.ad, t.az)
	}
	if err := t.factor(ctx, t.inner(ctx, t.d, t.ad)); err != nil {
		return gains, err
	}
	rd := t.inner(ctx, t.d, r)
	step, err := t.solve(ctx, rd)
	if err != nil {
		return gains, err
	}
	tall.Combine(ctx, t.width, x, x, 1, t.d, step)
	tall.Combine(ctx, t.width, r, r, -1, t.ad, step)
	for i := range t.width {
		for c, v := range rd.Row(i) {
			gains[c] += v * step.Row(i)[c]
		}
	}
	return gains, nil
}

// factor factors DᵀAD. Its two sides of the diagonal differ by rounding alone. A direction counts if more of it is left by the others
// than that difference.
func (t *blockCG) factor(ctx context.Context, dad linalg.Matrix) (err error) {
	noise := leastShare
	for i := range dad.Rows {
		if v := dad.Row(i)[i]; v > 0 {
			t.scale[i] = 1 / math.Sqrt(v)
		} else {
			t.scale[i] = 0
		}
	}
	for i := range dad.Rows {
		row := dad.Row(i)
		for j := range row {
			row[j] *= t.scale[i] * t.scale[j]
		}
		for j := range i {
			noise = max(noise, math.Abs(row[j]-dad.Row(j)[i]))
		}
	}
	t.dad, err = newBasis(ctx, dad, noise)
	return err
}

// solve returns (DᵀAD)⁻¹V, and overwrites nothing of V.
func (t *blockCG) solve(ctx context.Context, v linalg.Matrix) (linalg.Matrix, error) {
	scaled := linalg.New(v.Rows, v.Cols)
	t.scaleRows(scaled, v)
	half, err := t.dad.half(ctx, scaled)
	if err != nil {
		return half, err
	}
	weights, err := t.dad.weights(ctx, half)
	if err == nil {
		t.scaleRows(weights, weights)
	}
	return weights, err
}

func (t *blockCG) scaleRows(dst, v linalg.Matrix) {
	for i := range v.Rows {
		for j, value := range v.Row(i) {
			dst.Row(i)[j] = t.scale[i] * value
		}
	}
}

// inner returns XᵀY of the points of all ranks.
func (t *blockCG) inner(ctx context.Context, x, y []float64) linalg.Matrix {
	m := tall.Inner(ctx, t.width, x, y)
	_ = t.ranks.Sum(ctx, m.Data) // where it fails, ctx is done
	return m
}
