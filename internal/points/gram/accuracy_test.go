package gram_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"lapsvm/internal/points/gram"
	"lapsvm/kernel"
)

// Clusters many widths apart leave the distances within them as accurate as the kernel needs,
// however large the inner products. The products are float64 where float32 is not accurate enough.
func TestDistantClusters(t *testing.T) {
	const n, d = 60, 3
	for _, apart := range []float64{1, 6, 30, 200, 3000} {
		rng := rand.New(rand.NewPCG(19, uint64(apart)))
		rows := draw(rng, n, d)
		for i := range rows {
			rows[i][0] += apart * float64(i%2)
			rows[i][1] -= apart * float64(i%2)
		}
		for _, k := range []kernel.Kernel{kernel.Gaussian{Sigma: 1}, kernel.Laplacian{Sigma: 1}} {
			h := half(t, dense(rows), k, gram.Single, 2)
			row := make([]float64, n)
			for i := range n {
				h.Row(row, i)
				for j, got := range row {
					exponent := 0.0
					for c := range d {
						if _, gaussian := k.(kernel.Gaussian); gaussian {
							exponent -= (rows[i][c] - rows[j][c]) * (rows[i][c] - rows[j][c]) / 2
						} else {
							exponent -= math.Abs(rows[i][c] - rows[j][c])
						}
					}
					// 2e-5 of the exponent, and the rounding of float32.
					if want := math.Exp(exponent); exponent > -30 && !(math.Abs(got-want) <= 3e-5*want) {
						t.Fatalf("%v, clusters %v apart: K(%d, %d) is %v, want %v", k, apart, i, j, got, want)
					}
				}
			}
			h.Close()
		}
	}
}
