package calibrate_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"lapsvm/calibrate"
)

// drawn makes n labels of classes whose probabilities are known, of which a share is turned,
// and the probabilities raised to a power.
func drawn(n, classes int, share, power float64, seed uint64) (p [][]float64, y []int, turned []bool) {
	r := rand.New(rand.NewPCG(seed, 1))
	for range n {
		row, sum := make([]float64, classes), 0.0
		for c := range row {
			row[c] = math.Exp(4 * r.NormFloat64())
			sum += row[c]
		}
		u, class := sum*r.Float64(), 0
		for u -= row[class]; u > 0 && class < classes-1; u -= row[class] {
			class++
		}
		wrong := r.Float64() < share
		if wrong {
			class = (class + 1 + r.IntN(classes-1)) % classes
		}
		sum = 0
		for c := range row {
			row[c] = math.Pow(row[c], power)
			sum += row[c]
		}
		for c := range row {
			row[c] /= sum
		}
		p, y, turned = append(p, row), append(y, class), append(turned, wrong)
	}
	return p, y, turned
}

// Wrong finds the share of wrong labels, also from probabilities that are too unsure. The number
// of wrong labels agrees with their probabilities of being wrong. Where no label is wrong, none
// is suspected.
func TestWrong(t *testing.T) {
	for _, classes := range []int{2, 5} {
		for _, power := range []float64{0.5, 1} {
			for _, share := range []float64{0, 0.05, 0.15} {
				p, y, turned := drawn(1000, classes, share, power, 7)
				wrong, found := calibrate.Wrong(p, y)
				count := 0.0
				for _, is := range turned {
					if is {
						count++
					}
				}
				if !(math.Abs(found-count/1000) <= 0.025) {
					t.Errorf("%d classes, power %v: the share is %.3f, of %.3f turned", classes, power, found, count/1000)
				}
				expected, right, suspected := 0.0, 0, 0
				for i, w := range wrong {
					if !(w >= 0 && w <= 1) {
						t.Fatalf("the probability is %v", w)
					}
					if w >= 0.5 {
						suspected++
						expected += w
						if turned[i] {
							right++
						}
					}
				}
				if !(math.Abs(float64(right)-expected) <= 2+3*math.Sqrt(expected)) || share == 0 && suspected > 2 {
					t.Errorf("%d classes, power %v, share %v: %d are suspected, %.1f of them by their probabilities, and %d are turned", classes, power, share, suspected, expected, right)
				}
			}
		}
	}
	for _, p := range [][][]float64{nil, {{1}}, {{0, 1}, {1, 0}}} {
		wrong, share := calibrate.Wrong(p, make([]int, len(p)))
		if len(wrong) != len(p) || math.IsNaN(share) || len(p) == 0 && share != 0 {
			t.Errorf("%v: %v, %v", p, wrong, share)
		}
	}
}
