package functionspace

import (
	"context"
	"math"
)

// system is a positive definite operator A with its preconditioner P.
type system interface {
	// apply computes z = P·r and az = A·z.
	apply(ctx context.Context, z, az, r []float64)
	// mul computes dst = A·x.
	mul(ctx context.Context, dst, x []float64)
	base() *operator
}

func (o *operator) base() *operator { return o }

// answer is what solve tells.
type answer struct {
	iterations int
	converged  bool
}

// looksBack is over how many iterations the decrease of the error is estimated.
const looksBack = 2

// start makes b the residual of x, and returns the decrease of the squared error in the norm of A from 0 to x.
func start(ctx context.Context, a system, x, b []float64) (total scalars) {
	s := a.base()
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
// In step k, of length s_k, the squared error in the norm of A falls by s_k (r_k, d_k) (Hestenes
// and Stiefel, 1952). The iteration ends when, for every column, the last two steps together took
// less than the tolerance times a reference. Without whole the reference is the decrease of all
// steps, counted from x = 0. With whole, which is twice an objective, it is the remainder of whole
// after that decrease.
//
// Every direction is made conjugate to the previous one explicitly, because P differs slightly from
// call to call.
func solve(ctx context.Context, a system, x, r []float64, total scalars, whole *scalars, o Options, watch func()) (answer, error) {
	s := a.base()
	clear(s.d)
	clear(s.ad)
	var last [looksBack]scalars
	var turn, step, dad, rd scalars
	for k := range o.MaxIterations {
		a.apply(ctx, s.z, s.az, r)
		for c, v := range s.dots(ctx, s.z, s.ad) {
			turn[c] = 0
			if dad[c] > 0 {
				turn[c] = -v / dad[c]
			}
		}
		dad, rd = s.turn(ctx, &turn, r)
		small := k+1 >= looksBack
		for c := range step {
			step[c] = 0
			if dad[c] > 0 {
				step[c] = rd[c] / dad[c]
			}
			gain := step[c] * rd[c]
			total[c] += gain
			last[k%looksBack][c] = gain
			sum := 0.0
			for _, gains := range last {
				sum += gains[c]
			}
			measure := total[c]
			if whole != nil {
				measure = math.Abs(whole[c] - total[c]) // a straight piece, prolonged, may be below 0
			}
			small = small && sum <= o.Tolerance*measure
		}
		s.advance(ctx, x, r, &step)
		if err := ctx.Err(); err != nil {
			return answer{k + 1, false}, err
		}
		watch()
		if small {
			return answer{k + 1, true}, nil
		}
	}
	return answer{o.MaxIterations, false}, ctx.Err()
}
