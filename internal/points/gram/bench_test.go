package gram_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"lapsvm/internal/points/gram"
	"lapsvm/kernel"
	"lapsvm/points"
)

// benchmarkPoints has MNIST's shape for threes and eights.
func benchmarkPoints() *points.Points {
	const n, d = 11900, 784
	rng := rand.New(rand.NewPCG(1, 1))
	values := make([]float64, n*d)
	for i := range values {
		values[i] = rng.Float64()
	}
	return points.Dense(n, d, values)
}

func BenchmarkBuild(b *testing.B) {
	p := benchmarkPoints()
	gaussian, laplacian := kernel.Gaussian{Sigma: 10}, kernel.Laplacian{Sigma: 200}
	for name, r := range map[string]gram.Request{
		"gram/float32":       {Kernel: gaussian, Precision: gram.Single},
		"gram/float64":       {Kernel: gaussian, Precision: gram.Double},
		"gram+neighbours":    {Kernel: gaussian, Precision: gram.Single, Neighbours: 10},
		"gram of L1/float32": {Kernel: laplacian, Precision: gram.Single},
		"gram of L1/float64": {Kernel: laplacian, Precision: gram.Double},
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				o, err := gram.Open(context.Background(), p, r)
				if err != nil {
					b.Fatal(err)
				}
				o.Close()
			}
			flops := float64(p.Len()) * float64(p.Len()) * float64(p.Dim()) * float64(b.N)
			b.ReportMetric(flops/1e9/b.Elapsed().Seconds(), "GFLOP/s")
		})
	}
}

// BenchmarkMul multiplies columns by a matrix that lies in part in the caches,
// and by one of 3.2 GB that does not.
func BenchmarkMul(b *testing.B) {
	for _, n := range []int{11900, 40000} {
		rng := rand.New(rand.NewPCG(1, 1))
		const d = 8
		values := make([]float64, n*d)
		for i := range values {
			values[i] = rng.Float64()
		}
		h, err := gram.NewHalf(context.Background(), points.Dense(n, d, values), kernel.Gaussian{Sigma: 1}, gram.Single)
		if err != nil {
			b.Fatal(err)
		}
		defer h.Close()
		src, dst := make([][]float64, 16), make([][]float64, 16)
		for c := range src {
			src[c], dst[c] = make([]float64, n), make([]float64, n)
			for i := range src[c] {
				src[c][i] = math.Sin(float64(i * (c + 1)))
			}
		}
		for _, columns := range []int{1, 4, 8, 10, 12, 16} {
			b.Run(fmt.Sprintf("n=%d/columns=%d", n, columns), func(b *testing.B) {
				for b.Loop() {
					multiply(b, 0, h, dst[:columns], src[:columns])
				}
				squares := float64(n) * float64(n) * float64(b.N) / b.Elapsed().Seconds()
				b.ReportMetric(2e-9*squares, "GB/s")
				b.ReportMetric(2e-9*squares*float64(columns), "GFLOP/s")
			})
		}
	}
}
