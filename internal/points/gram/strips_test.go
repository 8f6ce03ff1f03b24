package gram_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"lapsvm/internal/points/gram"
	"lapsvm/kernel"
)

// Products of matrices of several bands, whose tiles are no multiple of the strips
// they are cut into, are the sums over whole rows, for one column and for many.
func TestProductsOfManyTiles(t *testing.T) {
	const width = 0.3
	for _, blocks := range []int{5, 6, 7, 9} {
		n := 192*(blocks-1) + 1 + 37*blocks%192
		rng := rand.New(rand.NewPCG(29, uint64(n)))
		rows, src := draw(rng, n, 2), draw(rng, 18, n)
		h := half(t, dense(rows), kernel.Gaussian{Sigma: width}, gram.Double, 2)
		want := zeros(len(src), n)
		for i := range n {
			for j := range n {
				d0, d1 := rows[i][0]-rows[j][0], rows[i][1]-rows[j][1]
				k := math.Exp(-(d0*d0 + d1*d1) / (2 * width * width))
				for c := range src {
					want[c][i] += k * src[c][j]
				}
			}
		}
		for _, columns := range []int{1, 5, 18} {
			got := zeros(columns, n)
			multiply(t, 2, h, got, src[:columns])
			for c := range got {
				for i := range got[c] {
					if !(math.Abs(got[c][i]-want[c][i]) <= 1e-10*float64(n)) {
						t.Fatalf("n = %d, %d columns: (%d, %d) is %v, want %v", n, columns, c, i, got[c][i], want[c][i])
					}
				}
			}
		}
		h.Close()
	}
}
