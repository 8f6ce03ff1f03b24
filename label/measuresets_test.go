package label_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"lapsvm/dataset"
	"lapsvm/dataset/files"
	"lapsvm/internal/machines/train"
	"lapsvm/internal/testing/golden"
	"lapsvm/label"
)

// TestMeasureSets measures how often the sets of a labelling hold the class of a row without a label, as labels come one by one.
func TestMeasureSets(t *testing.T) {
	long(t)
	const level, draws, most = 0.9, 3, 1200
	for _, name := range []string{"emb_r8", "pendigits", "dermatology", "vowel", "waveform", "splice"} {
		d, err := files.ReadFile(golden.External(t, "data/more/"+name+".csv.gz"), files.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if n := d.Points.Len(); n > most {
			d = d.Subset(rand.New(rand.NewPCG(1, 1)).Perm(n)[:most])
		}
		d, truth := unlabelled(d)
		for _, rule := range []label.Rule{label.Auto, label.Random} {
			held, size := make(map[int]float64), make(map[int]float64)
			for draw := range uint64(draws) {
				l, err := label.Open(t.Context(), d, train.Recipe{RulesOfThumb: true}, label.Options{Seed: draw})
				if err != nil {
					t.Fatal(err)
				}
				first := rand.New(rand.NewPCG(draw, 7)).Perm(l.Len())[:10]
				y := slices.Repeat([]int{dataset.Unlabelled}, l.Len())
				for _, i := range first {
					y[i] = truth[i]
				}
				for count := len(first); ; count += 5 {
					a, err := l.Apply(t.Context(), l.Towards(y))
					if err != nil {
						t.Fatal(err)
					}
					if slices.Contains([]int{30, 60, 120}, count) {
						limits, err := a.Thresholds(level)
						if err != nil {
							t.Fatalf("%s, %d labels: %v", name, count, err)
						}
						in, classes := covered(a, limits, y, truth)
						held[count], size[count] = held[count]+in/draws, size[count]+classes/draws
					}
					if count == 120 {
						break
					}
					some, err := l.Suggest(t.Context(), rule, 5)
					if err != nil {
						t.Fatal(err)
					}
					for _, s := range some {
						y[s.Point] = truth[s.Point]
					}
				}
				l.Close()
			}
			for _, labels := range []int{30, 60, 120} {
				t.Logf("%s, labels by %s, %d: sets hold the class of %.3f, and have %.2f classes", name, rule, labels, held[labels], size[labels])
			}
		}
	}
}

// covered returns in how many sets of unlabelled points the class is, as a share, and how many classes a set has.
func covered(a *label.Answer, limits []float64, y, truth []int) (in, classes float64) {
	points := 0.0
	for i, c := range y {
		if c != dataset.Unlabelled {
			continue
		}
		points++
		for class, p := range a.Probabilities {
			if p == nil || float64(p[i]) < limits[class] {
				continue
			}
			if classes++; class == truth[i] {
				in++
			}
		}
	}
	return in / points, classes / points
}
