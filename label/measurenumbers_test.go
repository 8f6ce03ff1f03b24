package label_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"lapsvm"
	"lapsvm/dataset"
	"lapsvm/dataset/files"
	"lapsvm/internal/machines/task"
	"lapsvm/internal/machines/train"
	"lapsvm/internal/testing/golden"
	"lapsvm/label"
)

// TestMeasureNumbers measures the numbers of a labelling beside those of a training by the same labels: the root mean squared error at
// points without a label, and how often intervals hold the number. Points are labelled as suggested, and parameters chosen anew.
func TestMeasureNumbers(t *testing.T) {
	long(t)
	const draws, most = 3, 1000
	ring, values := rings(400)
	ring.Y, ring.Classes = nil, nil
	for i, v := range values {
		ring.Y, ring.Classes = append(ring.Y, i), append(ring.Classes, strconv.FormatFloat(v, 'g', -1, 64))
	}
	sets := []struct {
		name string
		d    *dataset.Dataset
	}{{"sine on a circle", ring}}
	for _, of := range [][2]string{{"abalone", "whole"}, {"abalone", "shell"}, {"heart_c", "age"}} {
		d, err := files.ReadFile(golden.External(t, "data/more/"+of[0]+".csv.gz"), files.Options{Numbers: true, Label: of[1]})
		if err != nil {
			t.Fatal(err)
		}
		if n := d.Points.Len(); n > most {
			d = d.Subset(rand.New(rand.NewPCG(1, 1)).Perm(n)[:most])
		}
		sets = append(sets, struct {
			name string
			d    *dataset.Dataset
		}{of[0] + " " + of[1], d})
	}
	for _, set := range sets {
		truth, err := set.d.Numbers()
		if err != nil {
			t.Fatal(err)
		}
		for _, shown := range []bool{true, false} {
			var ours, trained, held, width [3]float64
			for draw := range uint64(draws) {
				k := 0
				labelNumbers(t, set.d, shown, []int{12, 24, 48}, draw, func(a *label.Answer, d *dataset.Dataset) {
					m, err := lapsvm.Trainer{Recipe: train.Recipe{Kind: task.Numbers()}}.Fit(t.Context(), d)
					if err != nil {
						t.Fatal(err)
					}
					values, err := m.Values(t.Context(), d.Points)
					if err != nil {
						t.Fatal(err)
					}
					ours[k] += rootMeanSquare(d, truth, a.Values) / draws
					trained[k] += rootMeanSquare(d, truth, values) / draws
					for i, v := range truth {
						if !shown || d.Y[i] != dataset.Unlabelled {
							continue
						}
						low, high, err := a.Interval(i, 0.9)
						if err != nil {
							t.Fatal(err)
						}
						n := float64(len(truth)-len(d.Labelled())) * draws
						if width[k] += (high - low) / n; low <= v && v <= high {
							held[k] += 1 / n
						}
					}
					k++
				})
			}
			for k, most := range []int{12, 24, 48} {
				t.Logf("%s, shown %v, %d labels: RMSE %.4g, of a training %.4g; intervals hold %.3f, and are %.3g wide", set.name, shown, most, ours[k], trained[k], held[k], width[k])
			}
		}
	}
}

// labelNumbers labels points as they are suggested, four at a time and from the same first four. At each of some numbers of labels it opens
// a labelling anew, whose parameters are chosen, and calls see with its answer and the data with these labels.
func labelNumbers(t *testing.T, d *dataset.Dataset, shown bool, at []int, draw uint64, see func(*label.Answer, *dataset.Dataset)) {
	t.Helper()
	data := *d
	data.Y = slices.Repeat([]int{dataset.Unlabelled}, len(d.Y))
	for _, i := range rand.New(rand.NewPCG(draw, 7)).Perm(len(d.Y))[:4] {
		data.Y[i] = d.Y[i]
	}
	open := func(thumb bool) *label.Labelling {
		t.Helper()
		now := data
		now.Y = slices.Clone(data.Y)
		l, err := label.Open(t.Context(), &now, train.Recipe{Kind: task.Numbers(), RulesOfThumb: thumb}, label.Options{Seed: draw, Shown: shown})
		if err != nil {
			t.Fatal(err)
		}
		return l
	}
	l := open(true)
	defer func() { l.Close() }()
	for count := 4; ; count += 4 {
		if slices.Contains(at, count) {
			l.Close()
			l = open(false)
			see(l.Answer(), l.Dataset())
		} else if _, err := l.Apply(t.Context(), l.Towards(data.Y)); err != nil {
			t.Fatal(err)
		}
		if count == at[len(at)-1] {
			return
		}
		some, err := l.Suggest(t.Context(), label.Auto, 4)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range some {
			data.Y[s.Point] = d.Y[s.Point]
		}
	}
}

// rootMeanSquare is that of the error of numbers at points without a label.
func rootMeanSquare(d *dataset.Dataset, truth, values []float64) float64 {
	sum, n := 0.0, 0.0
	for i, c := range d.Y {
		if c == dataset.Unlabelled {
			sum, n = sum+(values[i]-truth[i])*(values[i]-truth[i]), n+1
		}
	}
	return math.Sqrt(sum / n)
}
