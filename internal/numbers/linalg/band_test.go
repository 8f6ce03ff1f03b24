package linalg

import (
	"math/rand/v2"
	"testing"
)

func TestBandSolve(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 1))
	for _, n := range []int{0, 1, 2, 7, 33, 70} {
		for _, width := range []int{0, 1, 5, 32, 90} {
			for _, cols := range []int{0, 1, 3, 33} {
				band, whole := random(r, n, width+1), New(n, n)
				for i := range n {
					band.Row(i)[width] = 3 + r.Float64() + float64(width)/4
					for j := max(0, i-width); j <= i; j++ {
						whole.Data[i*whole.Stride+j] = band.at(i, width-i+j)
					}
				}
				b := random(r, n, cols)
				x := clone(b)
				BandSolve(band, x)
				a := product(whole, whole.T())
				if d := distance(b, product(a, x)); !(d <= 1e-11) && n*cols > 0 {
					t.Errorf("n = %d, width %d, %d columns: the residual is %.1e", n, width, cols, d)
				}
			}
		}
	}
}
