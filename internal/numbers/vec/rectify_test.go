package vec

import (
	"math"
	"testing"
)

// Sums beyond a threshold have the bits of the formula on all paths.
func TestRectify(t *testing.T) {
	onPaths(t, func(t *testing.T) {
		r := newRand()
		for _, n := range lengths() {
			for _, rows := range []int{0, 1, 2, 7, 40} {
				ld := max(n+r.IntN(3), 1)
				z, _ := guarded[float32](r, rows*ld)
				above, aboveIntact := guarded[float32](r, n)
				below, belowIntact := guarded[float32](r, n)
				const threshold = 0.3
				Rectify(above, below, rows, z, ld, threshold)
				for j := range n {
					var up, down float32
					for i := range rows {
						if v := z[i*ld+j]; v > threshold {
							up += v - threshold
						} else if -v > threshold {
							down += -v - threshold
						}
					}
					if above[j] != up || below[j] != down {
						t.Fatalf("%d×%d, column %d: %g and %g in place of %g and %g", rows, n, j, above[j], below[j], up, down)
					}
				}
				if !aboveIntact() || !belowIntact() {
					t.Fatalf("%d×%d: written beyond the end", rows, n)
				}
			}
		}
		z := random[float32](r, 3*20)
		z[20+5], z[20+17] = float32(math.NaN()), float32(math.NaN())
		above, below := make([]float32, 20), make([]float32, 20)
		Rectify(above, below, 3, z, 20, 0.5)
		for j := range above {
			if hit := j == 5 || j == 17; math.IsNaN(float64(above[j])) != hit || math.IsNaN(float64(below[j])) != hit {
				t.Errorf("a NaN elsewhere: column %d has %g and %g", j, above[j], below[j])
			}
		}
	})
}
