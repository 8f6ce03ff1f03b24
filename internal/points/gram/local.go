package gram

import (
	"context"
	"fmt"
	"math"

	"lapsvm/internal/numbers/parallel"
	"lapsvm/internal/points/graph"
	"lapsvm/points"
)

// Local is what an expansion in landmarks leaves of functions, for new points: the mean
// of the residuals e of the nearest training points,
//
//	f(x) = Σ_j c_j k(x, z_j) + b + (1/k) Σ_{i ∈ N_k(x)} e_i
//
// It is immutable and safe for concurrent use.
type Local struct {
	Points     *points.Points // the training points
	Metric     graph.Metric   // of the neighbours
	Neighbours int            // k
	Residuals  [][]float32    // e, [machine][point]
	Index      *graph.Index   // finds the neighbours
}

// Validate reports parts that do not fit together, or do not fit the number of machines.
func (l *Local) Validate(machines int) error {
	if l.Neighbours < 1 || l.Neighbours > l.Points.Len() || len(l.Residuals) != machines {
		return fmt.Errorf("%d neighbours of %d points, and residuals of %d machines, not %d", l.Neighbours, l.Points.Len(), len(l.Residuals), machines)
	}
	for _, values := range l.Residuals {
		if len(values) != l.Points.Len() {
			return fmt.Errorf("%d residuals of %d points", len(values), l.Points.Len())
		}
		for _, v := range values {
			if math.IsNaN(float64(v)) || math.IsInf(float64(v), 0) {
				return fmt.Errorf("a residual is %v", v)
			}
		}
	}
	return nil
}

// add adds the means to dst[machine][point]. Unless near is nil it gets the distances to
// the nearest of the points, in the metric of the neighbours.
func (l *Local) add(ctx context.Context, dst [][]float64, x *points.Points, near *Nearest) error {
	k := l.Neighbours
	if near != nil && near.Self != nil {
		k = min(k+1, l.Index.Parts().K) // in place of the point itself
	}
	nb, err := l.Index.Nearest(ctx, x, k)
	if err != nil {
		return err
	}
	const rows = 256
	return parallel.Step(ctx, (x.Len()+rows-1)/rows, func(_, piece int) {
		for i := piece * rows; i < min((piece+1)*rows, x.Len()); i++ {
			index, distance := nb.Row(i)
			for machine, residuals := range l.Residuals {
				sum := 0.0
				for _, j := range index[:l.Neighbours] {
					sum += float64(residuals[j])
				}
				dst[machine][i] += sum / float64(l.Neighbours)
			}
			if near == nil {
				continue
			}
			near.Distance[i] = distance[0]
			if near.Self != nil && int(index[0]) == near.Self[i] && len(distance) > 1 {
				near.Distance[i] = distance[1]
			}
		}
	})
}
