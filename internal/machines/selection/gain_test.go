package selection

import (
	"context"
	"math"
	"slices"
	"testing"

	"lapsvm/dataset"
	"lapsvm/internal/machines/task"
	"lapsvm/internal/machines/train"
	"lapsvm/kernel"
	"lapsvm/points"
)

// The gain that a training tells is the formula of [tellGain], here by every class of every point. On two moons the unlabelled points help, and it says so.
func TestGainIsTold(t *testing.T) {
	ctx := t.Context()
	d := dataset.TwoMoons(300, 0.06, 4)
	for i := 16; i < 300; i++ {
		d.Y[i] = dataset.Unlabelled
	}
	_, r, err := Fill(ctx, d, train.Recipe{Standardise: points.AsIs, Calibrate: true}, train.Run{})
	if err != nil {
		t.Fatal(err)
	}
	f, err := Fit(ctx, d, r, train.Run{})
	if err != nil {
		t.Fatal(err)
	}
	told := f.Recipe.Choice
	alone, err := fitAlone(ctx, f, train.Run{})
	if err != nil {
		t.Fatal(err)
	}
	pairs, lost := [2][][]float64{}, [2]float64{}
	for m, of := range []*train.Fitted{f, alone} {
		p := of.Predictor()
		if pairs[m], err = p.Probabilities(ctx, d.Points); err != nil {
			t.Fatal(err)
		}
		for k, scores := range of.Summary.HeldOut.Scores {
			row := [][]float64{slices.Clone(scores)}
			p.ToProbabilities(row)
			lost[m] -= math.Log(row[0][of.Summary.HeldOut.Class[k]])
		}
	}
	best := func(row []float64) int {
		if row[1] > row[0] {
			return 1
		}
		return 0
	}
	var g, v [2]float64
	open := 0.0
	for i, y := range d.Y {
		if y != dataset.Unlabelled {
			continue
		}
		open++
		c, other := best(pairs[0][i]), best(pairs[1][i])
		for m := range g {
			gain := pairs[m][i][c] - pairs[m][i][other]
			g[m] += gain
			if c != other { // 1 or −1 of two classes
				v[m] += 1 - gain*gain
			}
		}
	}
	ratio := math.Exp(0.5 * (max(1, r.Optimism)*lost[0] - lost[1]))
	w := 1 / (1 + ratio)
	gain, standardError := 100*(w*g[0]+(1-w)*g[1])/open, 100*math.Sqrt(w*v[0]+(1-w)*v[1]+w*(1-w)*(g[0]-g[1])*(g[0]-g[1]))/open
	if e := told.Expected; !(math.Abs(e.Gain-gain) < 1e-6) || !(math.Abs(e.GainError-standardError) < 1e-6) || !(gain > 0) {
		t.Errorf("the gain told is %v ± %v, want %v ± %v", e.Gain, e.GainError, gain, standardError)
	}
	want := train.CannotBeTold
	if gain > 2*standardError {
		want = train.Helps
	}
	if told.Verdict != want || want != train.Helps {
		t.Errorf("%v ± %v: %q", gain, standardError, told.Verdict)
	}
	if told.Expected.Error != r.Choice.Expected.Error || r.Choice.Verdict == train.Helps {
		t.Errorf("the choice announced %+v and %q, the training %+v", *r.Choice.Expected, r.Choice.Verdict, *told.Expected)
	}

	// A machine that goes without the unlabelled points has nothing to tell, and a training that is stopped tells nothing.
	r.Supervised, r.Members, r.GammaI = true, nil, 0
	if f, err = Fit(ctx, d, r, train.Run{}); err != nil {
		t.Fatal(err)
	}
	if *f.Recipe.Choice.Expected != *r.Choice.Expected {
		t.Errorf("a supervised machine tells %+v", *f.Recipe.Choice.Expected)
	}
	stopped, stop := context.WithCancel(ctx)
	stop()
	f.Recipe.Supervised = false
	if err := tellGain(stopped, f, train.Run{}); err == nil {
		t.Error("a gain is told after the end")
	}
}

// A class of ordered ones is wrong by the distance of its rank. The variance is that of a draw of every row.
func TestGainByRanks(t *testing.T) {
	believed := [][]float64{{0.1, 0.2, 0.7}, {0.6, 0.3, 0.1}}
	one, other := []int{2, 0}, []int{0, 1}
	for worst, want := range map[float64]struct{ gain, variance float64 }{
		1: {((0.7 - 0.1) + (0.6 - 0.3)) / 2, (0.7 + 0.1 - 0.6*0.6 + 0.6 + 0.3 - 0.3*0.3) / 4},
		2: {(2*(0.7-0.1) + (0.6 - 0.3 - 0.1)) / 2, (4*(0.7+0.1) - 1.2*1.2 + 1 - 0.2*0.2) / 4},
	} {
		gain, variance := gainBy(believed, one, other, worst)
		if !(math.Abs(gain-want.gain) < 1e-12) || !(math.Abs(variance-want.variance) < 1e-12) {
			t.Errorf("with a worst of %v the gain is %v with the variance %v, want %v", worst, gain, variance, want)
		}
	}
}

// Ordered classes are decided by the median, and so are those that a gain is of: the most probable class is another here.
func TestGainIsOfDecisions(t *testing.T) {
	ctx, kind := t.Context(), task.Ordered("low", "medium", "high")
	d := kind.Arranged(orderedLine(90))
	var rows []int
	for i := range d.Y {
		if i%8 > 0 {
			d.Y[i] = dataset.Unlabelled
			rows = append(rows, i)
		}
	}
	f, err := Fit(ctx, d, train.Recipe{Kind: kind, Kernel: kernel.Gaussian{Sigma: 0.5}, Standardise: points.AsIs, RulesOfThumb: true, Calibrate: true}.ByRule(), train.Run{})
	if err != nil {
		t.Fatal(err)
	}
	b, err := beliefOf(ctx, f, rows)
	if err != nil {
		t.Fatal(err)
	}
	want, err := f.Predictor().Predict(ctx, d.Points.Subset(rows))
	if err != nil || !slices.Equal(b.classes, want) {
		t.Errorf("classes %v, predicted %v, %v", b.classes, want, err)
	}
	other := 0
	for k, row := range b.probabilities {
		if slices.Index(row, slices.Max(row)) != want[k] {
			other++
		}
	}
	if other == 0 {
		t.Error("no median differs from the most probable class")
	}
}
