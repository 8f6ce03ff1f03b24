package bench

import (
	"context"
	"slices"
	"time"

	"lapsvm/internal/numbers/parallel"
	"lapsvm/internal/points/gram"
	"lapsvm/kernel"
)

// smallest is the largest divisor of the sizes.
const smallest = 32

// sized returns the plan for this machine. It makes Gram matrices in float64 on one thread,
// the slowest operation, of more and more points, until one of twice as many would take
// longer than an operation may.
func (p Plan) sized(ctx context.Context) (Plan, error) {
	if p.Each == 0 {
		return p, nil
	}
	divisor := smallest
	for ; divisor > 1; divisor /= 2 {
		table := generate(p.N/divisor, p.D, 1).Points
		start := time.Now()
		o, err := gram.Open(parallel.WithLimit(ctx, 1), table, gram.Request{Kernel: kernel.Gaussian{Sigma: 1}, Precision: gram.Double})
		if err != nil {
			return p, err
		}
		o.Close()
		if 4*time.Since(start) > p.Each {
			break
		}
	}
	p.N, p.Cholesky, p.Predict, p.Many = p.N/divisor, p.Cholesky/divisor, p.Predict/divisor, p.Many/divisor
	p.Training = slices.Clone(p.Training)
	for i := range p.Training {
		p.Training[i] /= divisor
	}
	return p, nil
}

// late reports whether an operation, with all of its runs, has taken its time.
func (p Plan) late(begin time.Time) bool {
	return p.Each > 0 && time.Since(begin) > time.Duration(p.Runs)*p.Each
}
