package label_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"lapsvm"
	"lapsvm/dataset"
	"lapsvm/internal/machines/train"
	"lapsvm/kernel"
	"lapsvm/label"
	"lapsvm/points"
)

// many is points uniform on a strip of 12 × 1, labelled a left of 4, b left of 8 and c else, but for every fifteenth, with the given ones turned.
func many(n int, turned []int) *dataset.Dataset {
	r := rand.New(rand.NewPCG(7, 43))
	d := &dataset.Dataset{Classes: []string{"a", "b", "c"}}
	var x []float64
	for i := range n {
		x = append(x, 12*r.Float64(), r.Float64())
		if slices.Contains(turned, i) {
			x[2*i] = 1 + 10*float64(i)/float64(n) // clear of the boundaries for those that are taken
		}
		d.Y = append(d.Y, int(x[2*i]/4))
		if slices.Contains(turned, i) {
			d.Y[i] = (d.Y[i] + 1) % 3
		} else if i%15 == 14 {
			d.Y[i] = dataset.Unlabelled
		}
	}
	d.Points = points.Dense(n, 2, x)
	return d
}

// More than a thousand labels that do not change are judged by machines of a training that lacks them: turned ones come first, the
// others look right, and suggestions are points at the boundaries. It is so for supervised machines too.
func TestManyFixedLabels(t *testing.T) {
	turned := []int{30, 150, 300, 560, 700, 840, 1100}
	supervised := train.Recipe{Kernel: kernel.Gaussian{Sigma: 0.5}, Standardise: points.AsIs, Supervised: true, GammaA: 1e-2}
	for name, r := range map[string]train.Recipe{"with a graph": plain(), "supervised": supervised} {
		d := many(1200, turned)
		l := opened(t, d, r, label.Options{Fixed: true})
		all, err := l.Audit(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if len(all) != l.Labelled() {
			t.Fatalf("%s: %d of %d labels are judged", name, len(all), l.Labelled())
		}
		var first []int
		for _, s := range all[:len(turned)] {
			first = append(first, s.Point)
			if right := int(d.Points.Row(s.Point, make([]float64, 2))[0] / 4); s.Suggested != right || !(s.Suspicion > 0.5) {
				t.Errorf("%s: point %d is taken for %d with the suspicion %g", name, s.Point, s.Suggested, s.Suspicion)
			}
		}
		if slices.Sort(first); !slices.Equal(first, turned) {
			t.Errorf("%s: the first are %v, want %v", name, first, turned)
		}
		if s := all[len(turned)]; !(s.Suspicion < 0.5) {
			t.Errorf("%s: the right label of point %d has the suspicion %g", name, s.Point, s.Suspicion)
		}
		some, err := l.Suggest(t.Context(), label.Auto, 3)
		if err != nil || len(some) != 3 {
			t.Fatal(some, err)
		}
		for _, s := range some {
			if x := d.Points.Row(s.Point, make([]float64, 2))[0]; d.Y[s.Point] != dataset.Unlabelled || !(min(math.Abs(x-4), math.Abs(x-8)) < 0.5) {
				t.Errorf("%s: point %d at %g is suggested: %s", name, s.Point, x, s.Reason)
			}
		}
		if some, err = l.Suggest(t.Context(), label.VOpt, 2); err != nil || len(some) != 2 || !strings.Contains(some[0].Reason, "would remove") {
			t.Error(name, some, err)
		}
	}
}

// Of more than a thousand numbers, those far from what a training without them predicts come first.
func TestManyFixedNumbers(t *testing.T) {
	r, off := rand.New(rand.NewPCG(8, 44)), []int{100, 500, 900}
	d := &dataset.Dataset{}
	var x []float64
	for i := range 1150 {
		x = append(x, 6*float64(i)/1150)
		y := 20 + 3*math.Sin(x[i]) + 0.05*r.NormFloat64()
		if slices.Contains(off, i) {
			y -= 4
		}
		d.Y, d.Classes = append(d.Y, i), append(d.Classes, strconv.FormatFloat(y, 'g', -1, 64))
	}
	d.Points = points.Dense(1150, 1, x)
	l := opened(t, d, train.Recipe{Kind: lapsvm.Numbers(), Kernel: kernel.Gaussian{Sigma: 1}, Standardise: points.AsIs, Supervised: true, GammaA: 1e-3}, label.Options{Fixed: true})
	odd, err := l.AuditNumbers(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var first []int
	for _, one := range odd[:len(off)] {
		first = append(first, one.Point)
		if want := 20 + 3*math.Sin(x[one.Point]); !(math.Abs(one.Predicted-want) < 0.2) || !(one.Suspicion > 0.9) {
			t.Errorf("point %d: %g is predicted, not %g; suspicion %g", one.Point, one.Predicted, want, one.Suspicion)
		}
	}
	if slices.Sort(first); !slices.Equal(first, off) {
		t.Errorf("the first are %v, want %v", first, off)
	}
}

// Of more than a thousand labels that list classes, those with a turned answer come first.
func TestManyFixedLists(t *testing.T) {
	r, turned := rand.New(rand.NewPCG(9, 45)), []int{200, 600}
	d := &dataset.Dataset{Classes: []string{"p", "q", "p;q"}}
	var x []float64
	for i := range 1100 {
		p, q := i%2 == 0, r.IntN(2) == 0 || i%2 == 1
		x = append(x, r.Float64(), r.Float64())
		if p {
			x[2*i] += 1.5
		}
		if q {
			x[2*i+1] += 1.5
		}
		if slices.Contains(turned, i) {
			q = !q
		}
		d.Y = append(d.Y, map[[2]bool]int{{true, false}: 0, {false, true}: 1, {true, true}: 2}[[2]bool{p, q}])
	}
	d.Points = points.Dense(1100, 2, x)
	l := opened(t, d, train.Recipe{Kind: lapsvm.Several(";"), Kernel: kernel.Gaussian{Sigma: 0.5}, Standardise: points.AsIs, Supervised: true, GammaA: 1e-2}, label.Options{Fixed: true})
	doubts, err := l.AuditSeveral(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	first := []int{doubts[0].Point, doubts[1].Point}
	if slices.Sort(first); !slices.Equal(first, turned) || doubts[0].Class != "q" || !(doubts[1].Suspicion > 0.5) {
		t.Errorf("the first are %v and %v, want the class q of %v", doubts[0], doubts[1], turned)
	}
}
