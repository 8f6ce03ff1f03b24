package deformed

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"lapsvm/internal/numbers/linalg"
)

// BenchmarkReduce makes a band of a matrix of 1,500 points, with right sides of several
// numbers of labels.
func BenchmarkReduce(b *testing.B) {
	const n = 1500
	r := rand.New(rand.NewPCG(3, 1))
	c := linalg.New(n, n)
	for i := range c.Data {
		c.Data[i] = r.NormFloat64()
	}
	a := linalg.New(n, n)
	if err := linalg.Syrk(b.Context(), 1./n, c, 0, a); err != nil {
		b.Fatal(err)
	}
	for _, columns := range []int{20, 50, 100} {
		b.Run(fmt.Sprint(columns), func(b *testing.B) {
			for b.Loop() {
				if _, err := reduce(b.Context(), n, slices.Clone(a.Data), columns, slices.Clone(c.Data[:n*columns])); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.N)*(4./3*n*n*n+2*n*n*float64(columns))/b.Elapsed().Seconds()/1e9, "GFLOP/s")
		})
	}
}
