package selection

import (
	"math"
	"slices"
	"strings"
	"testing"

	"lapsvm/dataset"
	"lapsvm/internal/machines/task"
	"lapsvm/internal/machines/train"
	"lapsvm/kernel"
	"lapsvm/points"
)

// uneven is a data set with classes of 41, 20 and 9 rows and 7 unlabelled ones.
func uneven() *dataset.Dataset {
	d := &dataset.Dataset{Classes: []string{"a", "b", "c"}}
	for c, count := range []int{41, 20, 9} {
		for range count {
			d.Y = append(d.Y, c)
		}
	}
	for range 7 {
		d.Y = append(d.Y, dataset.Unlabelled)
	}
	d.Points = points.Dense(len(d.Y), 1, make([]float64, len(d.Y)))
	return d
}

func TestSplits(t *testing.T) {
	d := uneven()
	for _, plan := range []Plan{
		{Labelled: 5, Seed: 1},
		{Labelled: 3, Validation: 4, TestFraction: 0.25, Repeats: 12, Seed: 2},
		{PerClass: 2, Validation: 2, TestFraction: 0.3, Repeats: 5, Seed: 3},
	} {
		asked, err := Splits(d, plan)
		if err != nil {
			t.Fatal(err)
		}
		splits := slices.Collect(asked)
		if len(splits) != max(1, plan.Repeats) {
			t.Fatalf("%d splits of %+v", len(splits), plan)
		}
		for r, s := range splits {
			all := slices.Concat(s.Labelled, s.Hidden, s.Unlabelled, s.Validation, s.Test)
			slices.Sort(all)
			for i, row := range all {
				if row != i {
					t.Fatalf("%+v, repeat %d: the parts are not a division of the rows: %v", plan, r, all)
				}
			}
			if len(all) != len(d.Y) || len(s.Unlabelled) != 7 || len(s.Validation) != plan.Validation {
				t.Fatalf("%+v, repeat %d: %d rows, %d unlabelled, %d validation", plan, r, len(all), len(s.Unlabelled), len(s.Validation))
			}
			labelled, test, validation := perClass(d, s.Labelled), perClass(d, s.Test), perClass(d, s.Validation)
			for c, count := range []int{41, 20, 9} {
				if labelled[c] == 0 || plan.PerClass > 0 && labelled[c] != plan.PerClass {
					t.Errorf("%+v, repeat %d: %d labels of class %d", plan, r, labelled[c], c)
				}
				if plan.Validation >= 3 && validation[c] == 0 {
					t.Errorf("%+v, repeat %d: class %d is missing in validation", plan, r, c)
				}
				if want := int(float64(count) * plan.TestFraction); test[c] != want {
					t.Errorf("%+v, repeat %d: %d test rows of class %d, want %d", plan, r, test[c], c, want)
				}
			}
			if !slices.IsSorted(s.Training()) || len(s.Training()) != len(s.Labelled)+len(s.Hidden)+7 {
				t.Errorf("training rows %v", s.Training())
			}
		}
		again := slices.Collect(asked)
		for r := range splits {
			if !slices.Equal(splits[r].Labelled, again[r].Labelled) || !slices.Equal(splits[r].Test, again[r].Test) {
				t.Errorf("%+v: the same seed gives another split", plan)
			}
		}
	}
	// Four repeats with a quarter each are the folds of one shuffle.
	splits, _ := Splits(d, Plan{Labelled: 3, TestFraction: 0.25, Repeats: 4, Seed: 4})
	var tested []int
	for s := range splits {
		tested = append(tested, s.Test...)
	}
	slices.Sort(tested)
	if len(tested) != 4*(10+5+2) || len(slices.Compact(tested)) != len(tested) {
		t.Errorf("the folds overlap: %v", tested)
	}
}

func perClass(d *dataset.Dataset, rows []int) []int {
	count := make([]int, len(d.Classes))
	for _, i := range rows {
		count[d.Y[i]]++
	}
	return count
}

func TestSplitsErrors(t *testing.T) {
	d := uneven()
	for _, c := range []struct {
		plan Plan
		want string
	}{
		{Plan{}, "number of labels"},
		{Plan{Labelled: 5, PerClass: 1}, "not both"},
		{Plan{Labelled: 2}, "cannot cover 3 classes"},
		{Plan{PerClass: 10}, "only 9 labelled rows"},
		{Plan{Labelled: 60, Validation: 11}, "are asked of 70"},
		{Plan{Labelled: 5, TestFraction: 1}, "test fraction"},
		{Plan{Labelled: 5, TestFraction: math.NaN()}, "test fraction"},
		{Plan{Labelled: 5, Validation: math.MaxInt}, "are asked of 70"},
		{Plan{Labelled: math.MaxInt, Validation: math.MaxInt}, "are asked of 70"},
		{Plan{PerClass: math.MaxInt}, "labelled rows outside"},
		{Plan{Labelled: 5, Validation: -1}, "must not be negative"},
	} {
		if _, err := Splits(d, c.plan); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: error %v, want %q", c.plan, err, c.want)
		}
	}
}

// Of several classes a row it is groups of rows, by their rarest class, that have too few: a row of many classes is in one of them.
func TestSplitsErrorsOfSeveral(t *testing.T) {
	d := &dataset.Dataset{Classes: []string{"a;b", "a", ";"}, Y: []int{0, 0, 0, 1, 1, 2}}
	for perClass, want := range map[int]string{
		3: `the group whose rarest class is "a" has only 2 labelled rows`,
		2: `the group without a class has only 1 labelled rows`,
	} {
		if _, err := Splits(d, Plan{PerClass: perClass, Several: ";"}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%d of a class: error %v, want %q", perClass, err, want)
		}
	}
}

// Errors are counted on the rows they belong to: where one part has wrong
// labels on purpose, that part alone has errors.
func TestRunMeasuresTheRightRows(t *testing.T) {
	d := dataset.TwoMoons(120, 0.05, 1)
	splits, err := Splits(d, Plan{PerClass: 4, Validation: 10, TestFraction: 0.2, Seed: 5})
	if err != nil {
		t.Fatal(err)
	}
	made := slices.Collect(splits)
	s := made[0]
	e := Evaluation{Recipe: train.Recipe{Kernel: kernel.Gaussian{Sigma: 0.35}, GammaI: 1, Solver: train.Newton, RulesOfThumb: true}, Baseline: true}
	run := func() Result {
		t.Helper()
		r, err := e.Run(t.Context(), d, slices.Values(made))
		if err != nil {
			t.Fatal(err)
		}
		return r[0]
	}
	flip := func(rows []int) {
		for _, i := range rows {
			d.Y[i] = 1 - d.Y[i]
		}
	}
	good := run()
	if !(good.Unlabelled < 10) || !(good.Validation < 20) || !(good.Test < 10) {
		t.Fatalf("errors %v, %v, %v", good.Unlabelled, good.Validation, good.Test)
	}
	if good.Labelled != 8 || good.ValidationSize != 10 || good.Tested != len(s.Test) || good.Hidden != len(s.Hidden) {
		t.Errorf("sizes %+v", good)
	}
	for k, rows := range [][]int{s.Hidden, s.Validation, s.Test} {
		flip(rows)
		bad := run()
		flip(rows)
		want := []float64{good.Unlabelled, good.Validation, good.Test}
		want[k] = 100 - want[k]
		for j, got := range []float64{bad.Unlabelled, bad.Validation, bad.Test} {
			if !(math.Abs(got-want[j]) <= 1e-9) {
				t.Errorf("with part %d flipped, part %d has the error %v, want %v", k, j, got, want[j])
			}
		}
		if k == 0 && !(math.Abs(bad.BaselineUnlabelled-(100-good.BaselineUnlabelled)) <= 1e-9) {
			t.Errorf("baseline error %v, want %v", bad.BaselineUnlabelled, 100-good.BaselineUnlabelled)
		}
	}
	// A supervised machine is measured on the same rows, though it leaves them
	// out of its training; and a fixed test set takes the place of the part.
	e.Recipe.GammaI, e.Recipe.Supervised = 0, true
	test := d.Subset(s.Test)
	made[0].Test = nil
	e.Test = test
	supervised := run()
	if !(math.Abs(supervised.Unlabelled-good.BaselineUnlabelled) <= 1e-9) || !(math.Abs(supervised.Test-good.BaselineTest) <= 1e-9) {
		t.Errorf("supervised %v and %v, as a baseline %v and %v", supervised.Unlabelled, supervised.Test, good.BaselineUnlabelled, good.BaselineTest)
	}
}

func TestMeanSD(t *testing.T) {
	results := []Result{{Test: 1}, {Test: 2}, {Test: 6}}
	mean, sd := MeanSD(results, func(r Result) float64 { return r.Test })
	if mean != 3 || !(math.Abs(sd-math.Sqrt(7)) <= 1e-15) {
		t.Errorf("mean %v, sd %v", mean, sd)
	}
	if _, sd := MeanSD(results[:1], func(r Result) float64 { return r.Test }); sd != 0 {
		t.Errorf("sd %v of one result", sd)
	}
}

// The confusions have the errors, by class, of the model and of the baseline;
// the bins of the probabilities are right as often as the confusion is.
func TestConfusion(t *testing.T) {
	d := dataset.TwoMoons(120, 0.15, 1)
	d.Classes = []string{"in", "out"}
	d.Y[5] = dataset.Unlabelled
	splits, err := Splits(d, Plan{PerClass: 4, TestFraction: 0.2, Seed: 5})
	if err != nil {
		t.Fatal(err)
	}
	for name, gammaI := range map[string]float64{"LapSVM": 1, "SVM": 0} {
		e := Evaluation{Recipe: train.Recipe{Kernel: kernel.Gaussian{Sigma: 0.35}, GammaI: gammaI, Supervised: gammaI == 0, Calibrate: true, RulesOfThumb: true}, Baseline: true}
		results, err := e.Run(t.Context(), d, splits)
		if err != nil {
			t.Fatal(err)
		}
		r := results[0]
		for what, c := range map[string]struct {
			confusion [][]int
			error     float64
		}{"model": {r.Confusion, r.Unlabelled}, "baseline": {r.BaselineConfusion, r.BaselineUnlabelled}} {
			var of [2]int
			for _, i := range slices.Collect(splits)[0].Hidden {
				of[d.Y[i]]++
			}
			for class, row := range c.confusion {
				if len(row) != 3 || row[2] != 0 || row[0]+row[1] != of[class] {
					t.Errorf("%s, %s: class %d has the confusion %v, and %d hidden labels", name, what, class, row, of[class])
				}
			}
			wrong := c.confusion[0][1] + c.confusion[1][0]
			if want := 100 * float64(min(of[0], of[1])) / float64(r.Hidden); math.Abs(want-r.Commonest()) > 1e-12 {
				t.Errorf("%s: hidden labels %v, always the commonest %v, want %v", name, of, r.Commonest(), want)
			}
			if want := 100 * float64(wrong) / float64(r.Hidden); wrong == 0 || math.Abs(want-c.error) > 1e-12 {
				t.Errorf("%s, %s: %d of %d wrong, error %v", name, what, wrong, r.Hidden, c.error)
			}
		}
		count, right := 0, 0
		for _, b := range r.Reliability {
			count, right = count+b.Count, right+b.Right
		}
		if count != r.Hidden || right != r.Confusion[0][0]+r.Confusion[1][1] {
			t.Errorf("%s: probabilities of %d points, %d right; confusion %v", name, count, right, r.Confusion)
		}
		if r.Training.Scores != nil || r.Training.HeldOut != nil {
			t.Errorf("%s: a result keeps what grows with the points", name)
		}
	}
}

// Points outside of the only class have a column of their own.
func TestConfusionOfOneClass(t *testing.T) {
	f, err := train.Fit(t.Context(), &dataset.Dataset{Points: points.Dense(3, 1, []float64{0, 0.1, 0.2}), Y: []int{0, 0, 0}, Classes: []string{"in"}},
		train.Recipe{Kernel: kernel.Gaussian{Sigma: 0.5}, Supervised: true, Kind: task.OneClass()}, train.Run{})
	if err != nil {
		t.Fatal(err)
	}
	m := machine{f.Predictor(), f.Task, []string{"far", "in"}}
	got := m.confusion([]int{0, dataset.Unlabelled, 0, dataset.Unlabelled}, []int{1, 1, 0, dataset.Unlabelled})
	if want := [][]int{{0, 1, 0}, {0, 1, 1}}; !slices.EqualFunc(got, want, slices.Equal[[]int]) {
		t.Errorf("confusion %v, want %v", got, want)
	}
	if e := errorOf(got); math.Abs(e-200.0/3) > 1e-12 {
		t.Errorf("error %v", e)
	}
	if v := (Result{Confusion: got}).Commonest(); math.Abs(v-100.0/3) > 1e-12 || !math.IsNaN(Result{}.Commonest()) {
		t.Errorf("always the commonest: %v", v)
	}
	if !math.IsNaN(errorOf([][]int{{0, 0}})) {
		t.Error("the error of nothing is a number")
	}
}

// A billion splits are made one by one, as far as they are asked for.
func TestSplitsAreMadeOneByOne(t *testing.T) {
	splits, err := Splits(uneven(), Plan{Labelled: 5, Repeats: 1e9})
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for range splits {
		if n++; n == 3 {
			break
		}
	}
	if n != 3 {
		t.Errorf("%d splits", n)
	}
}
