package gram_test

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"lapsvm/gram"
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
	for name, r := range map[string]gram.Request{
		"gram/float32":    {Precision: gram.Single},
		"gram/float64":    {Precision: gram.Double},
		"gram+neighbours": {Precision: gram.Single, Neighbours: 10},
	} {
		r.Kernel = kernel.Gaussian{Sigma: 10}
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				h, _, err := gram.Build(context.Background(), p, r)
				if err != nil {
					b.Fatal(err)
				}
				h.Close()
			}
			flops := float64(p.Len()) * float64(p.Len()) * float64(p.Dim()) * float64(b.N)
			b.ReportMetric(flops/1e9/b.Elapsed().Seconds(), "GFLOP/s")
		})
	}
}

func BenchmarkMul(b *testing.B) {
	p := benchmarkPoints()
	h, err := gram.NewHalf(context.Background(), p, kernel.Gaussian{Sigma: 10}, gram.Single, 0)
	if err != nil {
		b.Fatal(err)
	}
	defer h.Close()
	n := p.Len()
	src, dst := make([][]float64, 16), make([][]float64, 16)
	for c := range src {
		src[c], dst[c] = make([]float64, n), make([]float64, n)
		for i := range src[c] {
			src[c][i] = math.Sin(float64(i * (c + 1)))
		}
	}
	for name, columns := range map[string]int{"1": 1, "8": 8, "16": 16} {
		b.Run("columns/"+name, func(b *testing.B) {
			for b.Loop() {
				h.Mul(dst[:columns], src[:columns])
			}
			b.ReportMetric(2*float64(n)*float64(n)*float64(b.N)/1e9/b.Elapsed().Seconds(), "GB/s")
		})
	}
}
