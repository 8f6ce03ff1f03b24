package selection

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"lapsvm/dataset"
	"lapsvm/internal/machines/task"
	"lapsvm/internal/machines/train"
	"lapsvm/internal/ranks/comm"
	"lapsvm/kernel"
	"lapsvm/points"
)

// manyLabels returns two classes of 450 labels, a fifth of them of the second class, and the classes of 450 other rows.
func manyLabels() (d *dataset.Dataset, hidden []int) {
	rng := rand.New(rand.NewPCG(4, 1))
	d = &dataset.Dataset{Classes: []string{"often", "seldom"}}
	var values []float64
	for i := range 900 {
		class := 0
		if rng.IntN(5) == 0 {
			class = 1
		}
		values = append(values, rng.NormFloat64()+1.5*float64(class), rng.NormFloat64(), rng.NormFloat64())
		if i < 450 {
			d.Y = append(d.Y, class)
		} else {
			d.Y, hidden = append(d.Y, dataset.Unlabelled), append(hidden, class)
		}
	}
	d.Points = points.Dense(900, 3, values)
	return d, hidden
}

// Of many labels those tell of the training that had no part in its choice, by machines of all points without them. Classes count by
// their shares among all labels.
func TestUnseenLabelsTell(t *testing.T) {
	d, hidden := manyLabels()
	_, r, err := Fill(t.Context(), d, train.Recipe{Standardise: points.AsIs, Calibrate: true}, train.Run{})
	if err != nil {
		t.Fatal(err)
	}
	chosen, unseen := *r.Choice, r.Pending.Unseen
	count := r.Pending.Labels - len(unseen)
	f, err := Fit(t.Context(), d, r, train.Run{})
	if err != nil {
		t.Fatal(err)
	}
	var all, asked, wrong [2]float64
	for _, y := range d.Y[:450] {
		all[y]++
	}
	for at, k := range f.Summary.HeldOut.Label {
		if class := f.Summary.HeldOut.Class[at]; slices.Contains(unseen, k) {
			if asked[class]++; (f.Summary.HeldOut.Scores[at][1] > 0) != (class == 1) {
				wrong[class]++
			}
		}
	}
	want := 100 * (all[0]*wrong[0]/asked[0] + all[1]*wrong[1]/asked[1]) / 450
	told := f.Recipe.Choice
	if count != comparisonLabels || told.Labels != 450-comparisonLabels || f.Recipe.Pending.Unseen != nil || asked[1] < all[1]/4 || !(math.Abs(told.Expected.Error-want) < 1e-9) {
		t.Errorf("%d labels tell of an error of %v, want %v; the choice saw %d, and %v of %v are asked", told.Labels, told.Expected.Error, want, count, asked, all)
	}
	if told.Expected.SupervisedError == told.Expected.Error && told.Expected.GainError == 0 {
		t.Error("the machine beside has the same errors")
	}
	errors := 0
	for i, class := range hidden {
		if (f.Summary.Scores[450+i][1] > 0) != (class == 1) {
			errors++
		}
	}
	if share := float64(errors) / float64(len(hidden)) * 100; !(told.Expected.ErrorLow <= share && share <= told.Expected.ErrorHigh) {
		t.Errorf("%v %% of the hidden labels are wrong, told is %+v", share, *told.Expected)
	}

	// Without machines that lack labels the choice stands. Its lower end says that it had fewer labels.
	r.Calibrate = false
	if f, err = Fit(t.Context(), d, r, train.Run{}); err != nil {
		t.Fatal(err)
	}
	if *f.Recipe.Choice.Expected != *chosen.Expected || f.Recipe.Choice.Labels != comparisonLabels {
		t.Errorf("%+v of %d labels without probabilities", *f.Recipe.Choice.Expected, f.Recipe.Choice.Labels)
	}
	low, _ := Expect(1, make([]float64, 20), make([]float64, 20), nil, 1, 1)
	if low.ErrorLow != 0 || !(chosen.Expected.ErrorLow < chosen.Expected.Error*comparisonLabels/450) {
		t.Errorf("the choice has an error of %v from %v on", chosen.Expected.Error, chosen.Expected.ErrorLow)
	}

	// Validation points tell of themselves.
	v := &dataset.Dataset{Classes: d.Classes, Points: d.Points.Subset([]int{450, 451, 452, 453, 454, 455, 456, 457, 458, 459, 460, 461}), Y: hidden[:12]}
	if _, r, err = Fill(t.Context(), d, train.Recipe{Standardise: points.AsIs, Calibrate: true}, train.Run{Validation: v}); err != nil {
		t.Fatal(err)
	}
	if r.Pending.Unseen != nil {
		t.Errorf("beside validation points %d labels had no part", len(r.Pending.Unseen))
	}
}

// Unseen labels say that the unlabelled points do harm. Then the model is the SVM, and the error told is the SVM's. A weight of the unlabelled
// points that was given stands.
func TestUnseenLabelsDropTheGraph(t *testing.T) {
	rng, y := rand.New(rand.NewPCG(6, 1)), make([]int, 900)
	d := &dataset.Dataset{Classes: []string{"even", "odd"}, Y: y}
	var values []float64
	for i := range y { // four stripes of a square
		a, b := rng.Float64(), rng.Float64()
		values = append(values, a, b)
		y[i] = int(4*a) % 2
		if i >= 400 {
			y[i] = dataset.Unlabelled
		}
	}
	d.Points = points.Dense(len(y), 2, values)
	r := train.Recipe{Kernel: kernel.Gaussian{Sigma: 0.01}, GammaA: 1e-4, GammaI: 10, Standardise: points.AsIs, Calibrate: true}
	r.Graph.Neighbours, r.Graph.Degree = 100, 1
	for _, c := range []struct{ several, keeps bool }{{false, false}, {false, true}, {true, false}} { // of several classes at once nothing is dropped after the choice
		keeps := c.several || c.keeps
		if r.Kind = (task.Kind{}); c.several {
			r.Kind = task.Several(";")
		}
		r.Choice = &train.Choice{Candidates: 1, Neighbours: 100, GammaI: 10}
		r.Baseline = train.Baseline{SupervisedSigma: 0.2, SupervisedGamma: 1e-4}
		r.Pending = train.Pending{Unseen: seq(400)[100:], Labels: 400, KeepsAll: c.keeps}
		f, err := Fit(t.Context(), d, r, train.Run{})
		if err != nil {
			t.Fatal(err)
		}
		told := f.Recipe.Choice
		if f.Recipe.Supervised == keeps || told.Verdict != train.Harms || told.Labels != 300 || !(told.Expected.Gain < 0) {
			t.Errorf("%+v: supervised %v, %+v, %+v", c, f.Recipe.Supervised, told, told.Expected)
		}
		if baselines := told.Expected.Error == told.Expected.SupervisedError; baselines == keeps || (told.Neighbours == 0) == keeps {
			t.Errorf("%+v: told is %+v of %d neighbours", c, told.Expected, told.Neighbours)
		}
	}
}

// Numbers without a part in the choice tell of the training likewise.
func TestUnseenNumbersTell(t *testing.T) {
	d := numbersData(700, 400, 2, 9, func(rng *rand.Rand) ([]float64, float64) {
		x := 2 * math.Pi * rng.Float64()
		return []float64{math.Cos(x), math.Sin(x)}, math.Sin(3*x) + 0.2*rng.NormFloat64()
	})
	_, r, err := Fill(t.Context(), d, train.Recipe{Standardise: points.AsIs, Calibrate: true, Kind: task.Numbers()}, train.Run{})
	if err != nil {
		t.Fatal(err)
	}
	unseen := r.Pending.Unseen
	f, err := Fit(t.Context(), d, r, train.Run{})
	if err != nil {
		t.Fatal(err)
	}
	square, count := 0.0, 0
	for k, left := range f.Summary.LeftOut {
		if slices.Contains(unseen, k) {
			e := left - f.Task.Unit.From(f.Task.Values[k])
			square, count = square+e*e, count+1
		}
	}
	want, told := math.Sqrt(square/float64(count)), f.Recipe.Choice
	if told.Labels != 400-comparisonLabels || count != told.Labels || !(math.Abs(told.Numbers.RMSE-want) < 1e-9) || !(told.Numbers.RMSE > 0.15 && told.Numbers.RMSE < 0.3) {
		t.Errorf("%d labels tell of an error of %v, want %v of %d", told.Labels, told.Numbers.RMSE, want, count)
	}
}

// supervisedOn is a training without unlabelled points on so many labels of two classes, every sixth of them wrong without it by machines of five parts.
func supervisedOn(labels int) *train.Fitted {
	of := &task.Task{Classes: []string{"a", "b"}, Class: make([]int, labels), Labelled: seq(labels)}
	held := &train.HeldOut{Class: of.Class, Label: seq(labels), Parts: 5}
	for k := range labels {
		of.Class[k] = k % 2
		f := float64(2*(k%2) - 1)
		if k%6 < 1 {
			f = -f
		}
		held.Scores = append(held.Scores, []float64{-f, f})
	}
	return &train.Fitted{Task: of, Recipe: train.Recipe{Supervised: true, Choice: &train.Choice{Labels: -1}}, Summary: train.Summary{HeldOut: held}}
}

// Labels tell where the choice counted as many, at least half as many had no part as had, and ten are told of. Their lower end has the share of a part. There
// is no verdict of a machine that goes without the unlabelled points anyway.
func TestHowManyUnseenLabelsTell(t *testing.T) {
	for _, c := range []struct {
		labels, unseen, all int
		tell                bool
	}{{42, 14, 42, true}, {42, 13, 42, false}, {42, 14, 41, false}, {42, 14, 43, false}, {12, 10, 12, true}, {12, 9, 12, false}, {42, 0, 42, false}} {
		f := supervisedOn(c.labels)
		before := f.Recipe.Choice
		got, err := estimateHeldOut(t.Context(), f, train.Pending{Unseen: seq(c.unseen), Labels: c.all}, train.Run{})
		if err != nil || before.Labels != -1 {
			t.Fatalf("%+v: %v, the choice became %+v", c, err, before)
		}
		told := got.Recipe.Choice
		if (told.Labels == c.unseen && c.unseen > 0) != c.tell || !c.tell && told.Expected != nil {
			t.Errorf("%+v: %d labels tell %+v", c, told.Labels, told.Expected)
		}
		if !c.tell {
			continue
		}
		wrong := make([]float64, c.unseen)
		for k := range wrong {
			if k%6 < 1 {
				wrong[k] = 1
			}
		}
		weights := balance(f.Task.Class[:c.unseen], []int{c.labels / 2, c.labels / 2})
		whole, _ := Expect(1, wrong, wrong, weights, 1, 1)
		if e := told.Expected; told.Verdict != "" || e.Error != whole.Error || !(math.Abs(e.ErrorLow-0.8*whole.ErrorLow) <= 1e-12) || e.ErrorHigh != whole.ErrorHigh || !(e.ErrorLow > 0) {
			t.Errorf("%+v: verdict %q, %+v, want 4/5 of the lower end of %+v", c, told.Verdict, e, whole)
		}
	}
}

// The lower end of numbers has the share of a part too, of squares.
func TestUnseenNumbersHaveTheShareOfAPart(t *testing.T) {
	of := &task.Task{Kind: task.Numbers(), Class: make([]int, 20), Values: make([]float64, 20), Labelled: seq(20), Unit: task.Unit{Scale: 2}}
	f := &train.Fitted{Task: of, Recipe: train.Recipe{Supervised: true, Kind: task.Numbers(), Choice: new(train.Choice)}, Summary: train.Summary{LeftOut: slices.Repeat([]float64{3, -3}, 10), LeftParts: 4}}
	got, err := estimateHeldOut(t.Context(), f, train.Pending{Unseen: seq(12), Labels: 20}, train.Run{})
	if err != nil {
		t.Fatal(err)
	}
	if n := got.Recipe.Choice.Numbers; n == nil || n.RMSE != 3 || !(math.Abs(n.RMSELow-3*math.Sqrt(0.75)) <= 1e-12) || n.RMSEHigh != 3 || got.Recipe.Choice.Verdict != "" {
		t.Errorf("%+v, verdict %q", n, got.Recipe.Choice.Verdict)
	}
}

// Ranks are told of no unseen labels, as rank 0 counts those of its sample.
func TestRanksForgetUnseenLabels(t *testing.T) {
	d, _ := manyLabels()
	err := comm.Goroutines(t.Context(), 2, func(ctx context.Context, c *comm.Comm) error {
		s, err := d.Part(dataset.Part{Rank: c.Rank(), Parts: 2}).Share(ctx, c)
		if err != nil {
			return err
		}
		_, r, err := Fill(ctx, s, train.Recipe{Standardise: points.AsIs}, train.Run{})
		if p := r.Pending; err == nil && (p.Unseen != nil || p.Labels != 0 || p.KeepsAll || r.Choice == nil) {
			t.Errorf("rank %d is told of %d unseen labels of %d, %+v", c.Rank(), len(p.Unseen), p.Labels, r.Choice)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
