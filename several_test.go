package lapsvm_test

import (
	"bytes"
	"errors"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"lapsvm"
	"lapsvm/dataset"
	"lapsvm/export"
	"lapsvm/internal/machines/selection"
	"lapsvm/internal/machines/solve"
	"lapsvm/internal/machines/task"
	"lapsvm/kernel"
	"lapsvm/points"
)

// topics is points with any of three classes each, which shift them along an axis of its own. The labels of most rows are hidden.
// What is known of the others is returned as answers [class][row], 0 for nothing.
func topics(n, labelled int, seed uint64) (d *dataset.Dataset, answers [][]float64) {
	rng := rand.New(rand.NewPCG(seed, 45))
	classes := []string{"art", "law", "tea"}
	answers = make([][]float64, len(classes))
	for c := range answers {
		answers[c] = make([]float64, n)
	}
	all := dataset.NewLabels(nil, false, dataset.LabelRules{Several: ";"})
	var values []float64
	for i := range n {
		x := []float64{rng.NormFloat64() / 3, rng.NormFloat64() / 3, rng.NormFloat64() / 3}
		var has, unknown []string
		for c, name := range classes {
			is := rng.IntN(2+c) == 0
			if is {
				x[c] += 2
			}
			switch {
			case i < labelled && i%5 == c:
				unknown = append(unknown, name)
				continue
			case is:
				has = append(has, name)
			}
			answers[c][i] = map[bool]float64{true: 1, false: -1}[is]
		}
		if err := all.Add([]byte(dataset.JoinSeveral(has, unknown, ";"))); err != nil {
			panic(err)
		}
		values = append(values, x...)
	}
	d = &dataset.Dataset{Points: points.Dense(n, 3, values)}
	if err := all.Finish(d); err != nil {
		panic(err)
	}
	for i := labelled; i < n; i++ {
		d.Y[i] = dataset.Unlabelled
	}
	return d, answers
}

// Every class has the machine of its own task. Rows with the class stand against rows without it, and a row of which that is
// unknown has no label there.
func TestSeveralIsATaskForEachClass(t *testing.T) {
	d, answers := topics(120, 40, 1)
	g := kernel.Gaussian{Sigma: 1}
	for _, recipe := range []lapsvm.Recipe{
		{Kernel: g, GammaA: 1e-3, GammaI: 0.1, Solver: lapsvm.PCG, Stop: solve.Objective, Tolerance: 1e-14, Precision: lapsvm.Double},
		{Kernel: g, GammaA: 1e-3, GammaI: 0.1, Solver: lapsvm.Newton},
		{Kernel: g, GammaA: 1e-3, GammaI: 0.1, Solver: lapsvm.Deformed, Loss: lapsvm.Squared},
		{Kernel: g, GammaA: 1e-3, Supervised: true, Solver: lapsvm.Deformed},
		{Kernel: g, GammaA: 1e-3, GammaI: 0.1, Solver: lapsvm.Landmarks, Landmarks: 60, Tolerance: 1e-10},
	} {
		tolerance := 1e-6
		if recipe.Solver == lapsvm.Landmarks { // whose features are float32
			tolerance = 1e-5
		}
		recipe.RulesOfThumb = true
		several := recipe
		several.Kind = task.Several(";")
		m, err := lapsvm.Trainer{Recipe: several}.Fit(t.Context(), d)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(m.Classes(), []string{"art", "law", "tea"}) || !m.MultiLabel() || m.Machines() != 3 {
			t.Fatalf("classes %v, %d machines", m.Classes(), m.Machines())
		}
		scores, err := m.Scores(t.Context(), d.Points)
		if err != nil {
			t.Fatal(err)
		}
		decided, err := m.PredictSeveral(t.Context(), d.Points)
		if err != nil {
			t.Fatal(err)
		}
		for c := range answers {
			one := &dataset.Dataset{Points: d.Points, Classes: []string{"no", "yes"}}
			for i := range d.Y {
				y := dataset.Unlabelled
				if d.Y[i] != dataset.Unlabelled && answers[c][i] != 0 {
					y = int(answers[c][i]+1) / 2
				}
				one.Y = append(one.Y, y)
			}
			alone, err := lapsvm.Trainer{Recipe: recipe}.Fit(t.Context(), one)
			if err != nil {
				t.Fatal(err)
			}
			want, err := alone.Scores(t.Context(), d.Points)
			if err != nil {
				t.Fatal(err)
			}
			if recipe.Solver == lapsvm.Landmarks { // models extend them to new points together
				scores, want = m.Training().Scores, alone.Training().Scores
			}
			for i := range want {
				if !(math.Abs(scores[i][c]-want[i][1]) <= tolerance) {
					t.Fatalf("%s, class %d, row %d: %v, alone %v", m.Recipe().Solver, c, i, scores[i][c], want[i][1])
				}
				if recipe.Solver != lapsvm.Landmarks && slices.Contains(decided[i], c) != (scores[i][c] > 0) {
					t.Fatalf("row %d with the values %v has the classes %v", i, scores[i], decided[i])
				}
			}
		}
	}
}

// Chosen parameters, thresholds and the file.
func TestSeveralChosen(t *testing.T) {
	d, answers := topics(240, 60, 2)
	m, err := lapsvm.Trainer{Recipe: lapsvm.Recipe{Kind: task.Several(";"), Calibrate: true}}.Fit(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	if c := m.Recipe().Choice; c == nil || c.Candidates == 0 {
		t.Errorf("nothing was compared: %+v", c)
	}
	var file bytes.Buffer
	if err := m.Write(&file); err != nil {
		t.Fatal(err)
	}
	read, err := lapsvm.Read(bytes.NewReader(file.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	decided, err := read.PredictSeveral(t.Context(), d.Points)
	if err != nil {
		t.Fatal(err)
	}
	probabilities, err := read.Probabilities(t.Context(), d.Points)
	if err != nil {
		t.Fatal(err)
	}
	before, _ := m.Probabilities(t.Context(), d.Points)
	wrong := 0
	for i := range decided {
		if !slices.Equal(probabilities[i], before[i]) {
			t.Fatalf("row %d: %v, from the file %v", i, before[i], probabilities[i])
		}
		for c, p := range probabilities[i] {
			has := slices.Contains(decided[i], c)
			if has != (p > m.Predictor().Each().Threshold[c]) {
				t.Errorf("row %d has the classes %v by %v", i, decided[i], probabilities[i])
			}
			if answers[c][i] != 0 && has != (answers[c][i] > 0) {
				wrong++
			}
		}
	}
	if wrong > 3*len(decided)/20 {
		t.Errorf("%d of %d answers wrong", wrong, 3*len(decided))
	}
	checkSetsSeveral(t, m, read, d, answers)
	if _, err := m.Predict(t.Context(), d.Points); !errors.Is(err, lapsvm.ErrParameter) {
		t.Errorf("one class: %v", err)
	}
	c, err := m.Contents()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := export.LIBSVM(io.Discard, c); err == nil || !strings.Contains(err.Error(), "several classes") {
		t.Errorf("LIBSVM: %v", err)
	}
	changed := 0.0
	for _, column := range m.Importance() {
		if changed += column.Changed; !(column.Effect > 0.1) {
			t.Errorf("column %s has the effect %v", column.Column, column.Effect)
		}
	}
	if len(m.Importance()) != 3 || !(changed > 0.5) { // each of three classes goes with a column
		t.Errorf("%d columns change the classes of %v of the rows", len(m.Importance()), changed)
	}
}

// checkSetsSeveral checks that sets are those of the probabilities, also of the model as its file has it, and that points far from all training
// points may have every class.
func checkSetsSeveral(t *testing.T, m, read *lapsvm.Model, d *dataset.Dataset, answers [][]float64) {
	t.Helper()
	probabilities, err := m.Probabilities(t.Context(), d.Points)
	if err != nil {
		t.Fatal(err)
	}
	may, sure, err := read.SetsSeveral(t.Context(), d.Points, 0.8)
	if err != nil {
		t.Fatal(err)
	}
	has, lacks, err := m.Predictor().Each().Thresholds(0.8)
	if err != nil {
		t.Fatal(err)
	}
	told, wrong, count := 0, 0, 0
	for i, row := range probabilities {
		for c, p := range row {
			isSure, isMay := slices.Contains(sure[i], c), slices.Contains(may[i], c)
			if isSure != (p >= has[c] && 1-p < lacks[c]) || isMay != (p >= has[c] || 1-p < lacks[c]) {
				t.Errorf("row %d: %v may be, %v are sure, by %v", i, may[i], sure[i], row)
			}
			count++
			if isSure || !isMay {
				told++
			}
			if answers[c][i] > 0 && !isMay || answers[c][i] < 0 && isSure {
				wrong++
			}
		}
	}
	if told < count/2 || wrong > count/4 {
		t.Errorf("of %d answers %d are told, and %d are wrong", count, told, wrong)
	}
	may, sure, err = m.SetsSeveral(t.Context(), points.Dense(1, 3, []float64{1000, -1000, 1000}), 0.8)
	if err != nil || len(may[0]) != 3 || len(sure[0]) != 0 {
		t.Errorf("a point far away: %v may be, %v are sure: %v", may, sure, err)
	}
	if _, _, err := m.SetsSeveral(t.Context(), d.Points, 0.999); !errors.Is(err, lapsvm.ErrParameter) {
		t.Errorf("a level beyond the labels: %v", err)
	}
	if _, err := m.Sets(t.Context(), d.Points, 0.8); !errors.Is(err, lapsvm.ErrParameter) {
		t.Errorf("sets of one class: %v", err)
	}
}

// By wrong answers a row has the classes that it has more probably than not. Other kinds of label have other criteria.
func TestCriterionOfSeveral(t *testing.T) {
	d, _ := topics(150, 40, 3)
	fit := func(by lapsvm.Criterion) *lapsvm.Model {
		t.Helper()
		m, err := lapsvm.Trainer{Recipe: lapsvm.Recipe{Kind: task.Several(";"), Kernel: kernel.Gaussian{Sigma: 1}, GammaA: 1e-3, GammaI: 0.1, Calibrate: true, Criterion: by}}.Fit(t.Context(), d)
		if err != nil {
			t.Fatal(err)
		}
		return readBack(t, m)
	}
	rows := func(m *lapsvm.Model) [][]int {
		t.Helper()
		all, err := m.PredictSeveral(t.Context(), d.Points)
		if err != nil {
			t.Fatal(err)
		}
		return all
	}
	byDefault, f1, wrong := fit(""), fit(lapsvm.MeanF1), fit(lapsvm.WrongAnswers)
	if !slices.Equal(byDefault.Predictor().Each().Threshold, f1.Predictor().Each().Threshold) {
		t.Errorf("thresholds %v by default, %v for F1", byDefault.Predictor().Each().Threshold, f1.Predictor().Each().Threshold)
	}
	probabilities, err := wrong.Probabilities(t.Context(), d.Points)
	if err != nil {
		t.Fatal(err)
	}
	for i, has := range rows(wrong) {
		for class, p := range probabilities[i] {
			if slices.Contains(has, class) != (p > 0.5) {
				t.Errorf("row %d has the class %d with the probability %v, by wrong answers: %v", i, class, p, has)
			}
		}
	}
	for _, bad := range []struct {
		kind task.Kind
		by   lapsvm.Criterion
		want string
	}{
		{task.Several(";"), lapsvm.MeanAbsolute, "is for numbers"}, {task.Numbers(), lapsvm.WrongAnswers, "is for rows of several classes"},
		{task.Kind{}, lapsvm.MeanF1, "is for rows of several classes"}, {task.Several(";"), "auc", "there are squared, absolute, f1, wrong-answers"},
	} {
		_, err := lapsvm.Trainer{Recipe: lapsvm.Recipe{Kind: bad.kind, Criterion: bad.by}}.Fit(t.Context(), d)
		if err == nil || !strings.Contains(err.Error(), bad.want) {
			t.Errorf("the criterion %q: %v, want %q", bad.by, err, bad.want)
		}
	}
}

// The explanation of a class is that of the machine for the class alone: of all its training points, and of its labels.
func TestExplainSeveral(t *testing.T) {
	d, answers := topics(120, 40, 1)
	g := kernel.Gaussian{Sigma: 1}
	for name, recipe := range map[string]lapsvm.Recipe{
		"shares of points": {Kernel: g, GammaA: 1e-3, GammaI: 0.1, Solver: lapsvm.Newton, Precision: lapsvm.Double},
		"shares of labels": {Kernel: g, GammaA: 1e-3, GammaI: 0.1, Solver: lapsvm.Deformed, Precision: lapsvm.Double, LabelShares: true},
		"supervised":       {Kernel: g, GammaA: 1e-3, Supervised: true, Solver: lapsvm.Deformed, Precision: lapsvm.Double},
		"linear":           {Kernel: kernel.Linear{}, GammaA: 1e-3, GammaI: 0.1, Solver: lapsvm.Newton, Precision: lapsvm.Double},
		"nearest points":   {Kernel: g, GammaA: 1e-3, GammaI: 0.1, Solver: lapsvm.Landmarks, Landmarks: 20},
	} {
		recipe.RulesOfThumb, recipe.Calibrate = true, true
		several := recipe
		several.Kind = task.Several(";")
		m, err := lapsvm.Trainer{Recipe: several}.Fit(t.Context(), d)
		if err != nil {
			t.Fatal(err)
		}
		o := lapsvm.ShareOptions{Shares: 1000, Nearest: 5}
		all, err := readBack(t, m).ExplainShares(t.Context(), d.Points, o)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		scores, err := m.Scores(t.Context(), d.Points)
		if err != nil {
			t.Fatal(err)
		}
		limits := m.Predictor().Limits()
		if len(all) != 3*d.Points.Len() {
			t.Fatalf("%s: %d explanations", name, len(all))
		}
		for k, e := range all {
			if e.Point != k/3 || e.Class != k%3 || e.Limit != limits[e.Class] || !(math.Abs(e.Value-scores[e.Point][e.Class]) <= 1e-5) {
				t.Fatalf("%s: explanation %d is of point %d, class %d, %v above %v; the value is %v", name, k, e.Point, e.Class, e.Value, e.Limit, scores[k/3][k%3])
			}
		}
		reasons, err := m.Explain(t.Context(), d.Points)
		if err != nil || len(reasons) != len(all) {
			t.Fatalf("%s: %d explanations by columns, %v", name, len(reasons), err)
		}
		for k, e := range reasons {
			sum := e.Usual
			for _, r := range e.Reasons {
				if sum += r.Effect; r.Class != e.Class && (r.Effect >= 0 || r.Class != dataset.Unlabelled) {
					t.Fatalf("%s: %+v speaks for class %d of %d", name, r, r.Class, e.Class)
				}
			}
			if e.Point != k/3 || e.Class != k%3 || e.Limit != limits[e.Class] || !(math.Abs(sum-scores[e.Point][e.Class]) <= 1e-5) {
				t.Fatalf("%s: %+v adds up to %v, not %v", name, e, sum, scores[e.Point][e.Class])
			}
		}
		if name == "nearest points" { // whose landmarks depend on the labels
			checkHeld(t, all, answers, d)
			continue
		}
		for c := range answers {
			one := &dataset.Dataset{Points: d.Points, Classes: []string{"no", "yes"}}
			for i := range d.Y {
				y := dataset.Unlabelled
				if d.Y[i] != dataset.Unlabelled && answers[c][i] != 0 {
					y = int(answers[c][i]+1) / 2
				}
				one.Y = append(one.Y, y)
			}
			alone, err := lapsvm.Trainer{Recipe: recipe}.Fit(t.Context(), one)
			if err != nil {
				t.Fatal(err)
			}
			want, err := alone.ExplainShares(t.Context(), d.Points, o)
			if err != nil {
				t.Fatal(err)
			}
			for i, w := range want {
				e := all[3*i+c]
				if w.Class == 0 { // no
					w.Value, w.Bias, w.Unlabelled, w.Rest = -w.Value, -w.Bias, -w.Unlabelled, -w.Rest
					for k := range w.Labelled {
						w.Labelled[k] = -w.Labelled[k]
					}
					for _, list := range [][]lapsvm.Share{w.Shares, w.Labels} {
						for k := range list {
							list[k].Value = -list[k].Value
						}
					}
				}
				near := func(a, b float64) bool { return math.Abs(a-b) <= 1e-6 }
				if !near(e.Value, w.Value) || !near(e.Bias, w.Bias) || !near(e.Unlabelled, w.Unlabelled) || len(e.Labelled) != len(w.Labelled) || (e.Labels == nil) != (w.Labels == nil) || !near(e.Rest, w.Rest) {
					t.Fatalf("%s, class %d, point %d: %+v, alone %+v", name, c, i, e, w)
				}
				for k := range w.Labelled {
					if !near(e.Labelled[k], w.Labelled[k]) {
						t.Fatalf("%s, class %d, point %d: labelled %v, alone %v", name, c, i, e.Labelled, w.Labelled)
					}
				}
				sameShares(t, e.Shares, w.Shares)
				sameShares(t, e.Labels, w.Labels)
			}
		}
	}
}

// probabilitiesOf returns those of the points of a data set.
func probabilitiesOf(t *testing.T, m *lapsvm.Model, d *dataset.Dataset) [][]float64 {
	t.Helper()
	all, err := m.Probabilities(t.Context(), d.Points)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// sameShares compares shares of training points by their rows. Points without a share may be left out.
func sameShares(t *testing.T, got, want []lapsvm.Share) {
	t.Helper()
	of := make(map[int]lapsvm.Share)
	for _, s := range got {
		of[s.Row] = s
	}
	for _, w := range want {
		s := of[w.Row]
		delete(of, w.Row)
		if !(math.Abs(s.Value-w.Value) <= 1e-6) || s.Class != w.Class && w.Value != 0 {
			t.Fatalf("the share of row %d is %+v, alone %+v", w.Row, s, w)
		}
	}
	for _, s := range of {
		if !(math.Abs(s.Value) <= 1e-6) {
			t.Fatalf("a share of %+v that alone has none", s)
		}
	}
}

// checkHeld checks that explanations name what training points are labelled.
func checkHeld(t *testing.T, all []lapsvm.ShareExplanation, answers [][]float64, d *dataset.Dataset) {
	t.Helper()
	labelled := 0
	for _, e := range all {
		for _, s := range e.Shares {
			want := dataset.Unlabelled
			if d.Y[s.Row] != dataset.Unlabelled && answers[e.Class][s.Row] != 0 {
				want = map[bool]int{true: lapsvm.Having, false: lapsvm.Lacking}[answers[e.Class][s.Row] > 0]
				labelled++
			}
			if s.Class != want {
				t.Fatalf("row %d is %d in an explanation of class %d, not %d", s.Row, s.Class, e.Class, want)
			}
		}
	}
	if labelled < len(all) {
		t.Errorf("%d labelled points in %d explanations", labelled, len(all))
	}
}

// An evaluation of labels that are complete and of others.
func TestEvaluationOfSeveral(t *testing.T) {
	d, answers := topics(150, 150, 3)
	splits, err := selection.Splits(d, selection.Plan{PerClass: 8, Seed: 1, Several: ";"})
	if err != nil {
		t.Fatal(err)
	}
	results, err := selection.Evaluation{Recipe: lapsvm.Recipe{Kind: task.Several(";"), RulesOfThumb: true}, Baseline: true, Set: 0.7}.Run(t.Context(), d, splits)
	if err != nil {
		t.Fatal(err)
	}
	r := results[0]
	if r.Several == nil || r.BaselineSeveral == nil || !(r.Several.MicroF1 > 0.6) || !(r.Several.MacroF1 > 0.6) || !(r.Several.Subset > 0.5) || !(r.Several.Ranking > 0.7) || !(r.Unlabelled < 20) {
		t.Errorf("%+v and %+v, %v %% wrong", r.Several, r.BaselineSeveral, r.Unlabelled)
	}
	var split selection.Split
	for split = range splits {
	}
	hidden := d.Subset(split.Training())
	for k, i := range split.Training() {
		if _, kept := slices.BinarySearch(split.Labelled, i); !kept {
			hidden.Y[k] = dataset.Unlabelled
		}
	}
	m, err := lapsvm.Trainer{Recipe: r.Recipe}.Fit(t.Context(), hidden)
	if err != nil {
		t.Fatal(err)
	}
	may, sure, err := m.SetsSeveralOf(probabilitiesOf(t, m, d), nil, 0.7)
	if err != nil {
		t.Fatal(err)
	}
	right, told, known, size, sures := 0.0, 0.0, 0.0, 0.0, 0.0
	counts := make([]selection.SetCounts, 3)
	for _, i := range split.Hidden {
		size, sures = size+float64(len(may[i])), sures+float64(len(sure[i]))
		for c := range answers {
			in, is := slices.Contains(may[i], c), slices.Contains(sure[i], c)
			counts[c].Class = m.Classes()[c]
			if answers[c][i] == 0 {
				continue
			}
			known++
			if !in || is {
				told++
				counts[c].Told++
			}
			if answers[c][i] > 0 {
				counts[c].Has++
			} else {
				counts[c].Lacks++
			}
			if answers[c][i] > 0 && in {
				counts[c].Held++
			}
			if answers[c][i] < 0 && !is {
				counts[c].Spared++
			}
		}
	}
	for c := range counts {
		right += float64(counts[c].Held + counts[c].Spared)
	}
	n := float64(len(split.Hidden))
	want := selection.SetsResult{Coverage: right / known, Size: size / n, Sure: sures / n, Told: told / known}
	got := r.Sets
	if !slices.Equal(r.Several.Sets, counts) || !(math.Abs(got.Coverage-want.Coverage)+math.Abs(got.Size-want.Size)+math.Abs(got.Sure-want.Sure)+math.Abs(got.Told-want.Told) <= 1e-9) {
		t.Errorf("sets %+v by class %+v, want %+v by class %+v", got, r.Several.Sets, want, counts)
	}
}

// Labels that no task can be made of.
func TestSeveralErrors(t *testing.T) {
	d, _ := topics(60, 30, 4)
	for name, c := range map[string]struct {
		change func(d *dataset.Dataset, r *lapsvm.Recipe)
		want   string
	}{
		"a class of all":  {func(d *dataset.Dataset, _ *lapsvm.Recipe) { d.Classes, d.Y = []string{"a", "a;b"}, []int{0, 1, 0, 1} }, `no labelled row lacks the class "a"`},
		"a class of none": {func(d *dataset.Dataset, _ *lapsvm.Recipe) { d.Classes, d.Y = []string{"?a", ";"}, []int{0, 1, 0, 1} }, `no labelled row has the class "a"`},
		"no class":        {func(d *dataset.Dataset, _ *lapsvm.Recipe) { d.Classes, d.Y = []string{";"}, []int{0, 0, 0, 0} }, "no labelled row has a class"},
		"a prior":         {func(_ *dataset.Dataset, r *lapsvm.Recipe) { r.Prior = lapsvm.BalancedPrior }, "prior"},
		"dual":            {func(_ *dataset.Dataset, r *lapsvm.Recipe) { r.Solver = lapsvm.Dual }, "solver"},
		"stability":       {func(_ *dataset.Dataset, r *lapsvm.Recipe) { r.Solver, r.Stop = lapsvm.PCG, solve.Stability }, "stop"},
	} {
		one, r := *d, lapsvm.Recipe{Kind: task.Several(";"), GammaA: 0.01, GammaI: 0.1}
		c.change(&one, &r)
		one.Points = one.Points.Slice(0, len(one.Y))
		if _, err := (lapsvm.Trainer{Recipe: r}).Fit(t.Context(), &one); err == nil || !strings.Contains(strings.ToLower(err.Error()), strings.ReplaceAll(c.want, "_", "")) && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", name, err, c.want)
		}
	}
}

// The errors of Tune are those of machines that were trained anew without each label that is known of every class.
func TestTuneSeveral(t *testing.T) {
	d, answers := topics(90, 25, 3)
	recipe := lapsvm.Recipe{Kind: task.Several(";"), Kernel: kernel.Gaussian{Sigma: 1}, Standardise: points.AsIs}
	recipe.Graph.Neighbours, recipe.Graph.Degree = 6, 1
	grid := lapsvm.Grid{GammaA: []float64{1e-3, 1e-1}, GammaI: []float64{1e-2}}
	tuned, err := lapsvm.Trainer{Recipe: recipe}.Tune(t.Context(), d, grid)
	if err != nil {
		t.Fatal(err)
	}
	complete := func(i int) bool {
		return !slices.ContainsFunc(answers, func(of []float64) bool { return of[i] == 0 })
	}
	alone := *d
	alone.Y = slices.Clone(d.Y)
	var labels []int
	for i, y := range d.Y {
		if y != dataset.Unlabelled && complete(i) {
			labels = append(labels, i)
		} else {
			alone.Y[i] = dataset.Unlabelled
		}
	}
	if tuned.Labels != len(labels) || len(labels) < 8 {
		t.Fatalf("%d labels are held out, not %d", tuned.Labels, len(labels))
	}
	for k, gammaA := range grid.GammaA {
		r := recipe
		r.GammaA, r.GammaI, r.Solver = gammaA, grid.GammaI[0], lapsvm.Deformed
		wrong := 0
		for _, i := range labels {
			without := alone
			without.Y = slices.Clone(alone.Y)
			without.Y[i] = dataset.Unlabelled
			m, err := lapsvm.Trainer{Recipe: r}.Fit(t.Context(), &without)
			if err != nil {
				t.Fatal(err)
			}
			scores, err := m.Scores(t.Context(), d.Points.Slice(i, i+1))
			if err != nil {
				t.Fatal(err)
			}
			for c, f := range scores[0] {
				if f > 0 != (answers[c][i] > 0) {
					wrong++
				}
			}
		}
		if want := 100 * float64(wrong) / float64(3*len(labels)); wrong == 0 || math.Abs(tuned.Cells[k].Error-want) > 1e-9 {
			t.Errorf("gamma-a %g: %g %% are wrong, want %g", gammaA, tuned.Cells[k].Error, want)
		}
	}
	validated := lapsvm.Trainer{Recipe: recipe}
	validated.Validation = d
	if _, err := validated.Tune(t.Context(), d, grid); !errors.Is(err, lapsvm.ErrParameter) {
		t.Errorf("validation points: %v", err)
	}
}
