package functionspace

import "context"

// system is a positive definite operator with its preconditioner. Either may use the
// memory of its operator but for r, d and q.
type system interface {
	mul(ctx context.Context, dst, x []float64)
	precondition(ctx context.Context, dst, r []float64)
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

// solve solves A·x = b for the columns of a panel by conjugate gradient, from x on, b
// being overwritten. The squared error in the norm of A falls by s_k (r_k, P r_k) in
// step k of length s_k (Hestenes and Stiefel, 1952): it ends when the last two steps
// together took less than the tolerance of what all did, from 0 on, of every column; or,
// where a whole is given, of what is left of that, twice an objective. The directions
// follow Polak and Ribière, as P is not quite the same from call to call.
func solve(ctx context.Context, a system, x, b []float64, whole *[width]float64, o Options, watch func()) (answer, error) {
	s := a.base()
	r, z, d, q := b, s.z, s.d, s.q
	total := s.dots(ctx, x, b)
	if total != [width]float64{} {
		a.mul(ctx, q, x)
		minus := [width]float64{}
		for c := range minus {
			minus[c] = -1
		}
		s.addColumns(ctx, r, q, &minus)
		for c, v := range s.dots(ctx, x, r) {
			total[c] += v
		}
	}
	a.precondition(ctx, z, r)
	copy(d, z)
	var last [looksBack][width]float64
	rz := s.dots(ctx, r, z)
	for k := range o.MaxIterations {
		a.mul(ctx, q, d)
		dq := s.dots(ctx, d, q)
		var step, back, turn [width]float64
		small := k+1 >= looksBack
		for c := range step {
			if dq[c] > 0 {
				step[c] = rz[c] / dq[c]
			}
			back[c] = -step[c]
			gain := step[c] * rz[c]
			total[c] += gain
			last[k%looksBack][c] = gain
			sum := 0.0
			for _, gains := range last {
				sum += gains[c]
			}
			measure := total[c]
			if whole != nil {
				measure = whole[c] - total[c]
			}
			small = small && sum <= o.Tolerance*measure
		}
		s.addColumns(ctx, x, d, &step)
		s.addColumns(ctx, r, q, &back)
		if err := ctx.Err(); err != nil {
			return answer{k + 1, false}, err
		}
		watch()
		if small {
			return answer{k + 1, true}, nil
		}
		a.precondition(ctx, z, r)
		zq, next := s.dots(ctx, z, q), s.dots(ctx, r, z)
		for c := range turn {
			if rz[c] > 0 {
				turn[c] = -step[c] * zq[c] / rz[c]
			}
		}
		rz = next
		s.turn(ctx, &turn)
	}
	return answer{o.MaxIterations, false}, ctx.Err()
}
