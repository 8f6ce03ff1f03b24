package summary

import (
	"bytes"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"

	"lapsvm"
	"lapsvm/app/report"
	"lapsvm/calibrate"
	"lapsvm/dataset"
	"lapsvm/internal/machines/selection"
	"lapsvm/internal/machines/task"
	"lapsvm/internal/points/graph"
	"lapsvm/kernel"
	"lapsvm/points"
)

// moons is two moons of which the first rows are labelled, in classes of these
// names.
func moons(n, labelled int, names ...string) *dataset.Dataset {
	d := dataset.TwoMoons(n, 0.1, 1)
	d.Classes = names
	for i := labelled; i < n; i++ {
		d.Y[i] = dataset.Unlabelled
	}
	return d
}

// blobs is three clusters in the plane.
func blobs(labelled int) *dataset.Dataset {
	d := &dataset.Dataset{Classes: []string{"a", "b", "c"}}
	var values []float64
	for i := range 90 {
		values = append(values, 3*float64(i%3)+math.Sin(float64(7*i)), math.Cos(float64(11*i)))
		y := i % 3
		if i >= labelled {
			y = dataset.Unlabelled
		}
		d.Y = append(d.Y, y)
	}
	d.Points = points.Dense(90, 2, values)
	return d
}

// trainedPage is a training with its page as text.
type trainedPage struct {
	Training
	page report.Page
	html string
}

func trained(t *testing.T, trainer lapsvm.Trainer, d *dataset.Dataset) trainedPage {
	t.Helper()
	var path Path
	trainer.Step = path.Step
	m, err := trainer.Fit(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	out := trainedPage{Training: Training{Source: "points.csv", Command: "lapsvm train 'a & b.csv'", Data: d, Model: m, Path: &path,
		Times: []Time{{"solving", 1.25}, {"reading", 0.5}}, PeakBytes: 3 << 30}}
	if err := out.Compare(t.Context(), trainer.Recipe, 0); err != nil {
		t.Fatal(err)
	}
	if out.page, err = out.Page(t.Context()); err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := out.page.WriteHTML(&b); err != nil {
		t.Fatal(err)
	}
	out.html = b.String()
	for _, bad := range []string{"NaN", "Inf", "http://", "https://", "<script"} {
		if strings.Contains(out.html, bad) {
			t.Errorf("the page has %s", bad)
		}
	}
	return out
}

// table finds a table by its name; nil where there is none.
func table(p report.Page, name string) *report.Table {
	for _, s := range p.Sections {
		for _, t := range s.Tables {
			if t.Name == name {
				return &t
			}
		}
	}
	return nil
}

func hasFigure(p report.Page, name string) bool {
	return slices.ContainsFunc(p.Sections, func(s report.Section) bool {
		return slices.ContainsFunc(s.Figures, func(f report.Figure) bool { return f.Name == name })
	})
}

func texts(row []report.Cell) []string {
	var out []string
	for _, c := range row {
		out = append(out, c.Text)
	}
	return out
}

func TestTrainingPage(t *testing.T) {
	d := moons(150, 10, "left", "right")
	trainer := lapsvm.Trainer{Recipe: lapsvm.Recipe{Kernel: kernel.Gaussian{Sigma: 0.35}, GammaA: 1e-2, GammaI: 1, Graph: graph.Options{Neighbours: 4, Degree: 1}, Calibrate: true}}
	got := trained(t, trainer, d)
	predicted, err := got.Model.Predict(t.Context(), d.Points)
	if err != nil {
		t.Fatal(err)
	}
	svm, err := lapsvm.Trainer{Recipe: lapsvm.Recipe{Kernel: kernel.Gaussian{Sigma: 0.35}, GammaA: 1e-2, Supervised: true}}.Fit(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	alone, err := svm.Predict(t.Context(), d.Points)
	if err != nil {
		t.Fatal(err)
	}
	scores, err := got.Model.Scores(t.Context(), d.Points)
	if err != nil {
		t.Fatal(err)
	}
	var labels, model, machine [2]int
	differing, uncertain := 0, 10
	moved := map[string]int{}
	for i := range d.Y {
		if d.Y[i] != dataset.Unlabelled {
			labels[d.Y[i]]++
			continue
		}
		model[predicted[i]]++
		machine[alone[i]]++
		if predicted[i] != alone[i] {
			differing++
			moved[d.Classes[alone[i]]+">"+d.Classes[predicted[i]]]++
		}
		if math.Abs(scores[i][1]) < math.Abs(scores[uncertain][1]) {
			uncertain = i
		}
	}
	if differing == 0 {
		t.Fatal("the two machines agree, so that the test tests nothing")
	}
	for c, row := range table(got.page, "classes").Rows {
		of := func(n, all int) string { return fmt.Sprintf("%.1f", 100*float64(n)/float64(all)) }
		want := []string{d.Classes[c], fmt.Sprint(labels[c]), of(labels[c], 10), fmt.Sprint(model[c]), of(model[c], 140), fmt.Sprint(machine[c]), of(machine[c], 140)}
		if !slices.Equal(texts(row), want) {
			t.Errorf("class row %q, want %q", texts(row), want)
		}
	}
	rows := table(got.page, "differing").Rows
	if len(rows) != len(moved) {
		t.Errorf("%d kinds of difference, want %d", len(rows), len(moved))
	}
	for _, row := range rows {
		if want := fmt.Sprint(moved[row[0].Text+">"+row[1].Text]); row[2].Text != want {
			t.Errorf("%q: want %s", texts(row), want)
		}
	}
	if want := fmt.Sprintf("for %d of the 140 unlabelled points", differing); !strings.Contains(got.page.Lead, want) {
		t.Errorf("the lead %q lacks %q", got.page.Lead, want)
	}
	first := table(got.page, "uncertain").Rows[0]
	proba, err := got.Model.Probabilities(t.Context(), d.Points)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{fmt.Sprint(uncertain + 1), d.Classes[predicted[uncertain]], d.Classes[1-predicted[uncertain]], number(math.Abs(scores[uncertain][1])),
		percent(100 * slices.Max(proba[uncertain])), percent(100 * slices.Min(proba[uncertain]))}
	if !slices.Equal(texts(first)[:3], want[:3]) || math.Abs(value(t, first[3].Text)-value(t, want[3])) > 1e-4 || math.Abs(value(t, first[4].Text)-value(t, want[4])) > 0.02 {
		t.Errorf("the most uncertain is %q, want %q", texts(first), want)
	}
	for _, row := range table(got.page, "nearest").Rows {
		i, j := int(value(t, row[0].Text))-1, int(value(t, row[2].Text))-1
		distance := math.Sqrt(d.Points.SquaredDistance(i, d.Points, j))
		if d.Y[i] != dataset.Unlabelled || d.Y[j] == dataset.Unlabelled || row[1].Text != d.Classes[predicted[i]] || row[3].Text != d.Classes[d.Y[j]] || row[4].Text != number(distance) ||
			(row[3].Mark == report.Differs) != (d.Y[j] != predicted[i]) {
			t.Errorf("the row %q is wrong: distance %v", texts(row), distance)
		}
		closer := 0
		for k, y := range d.Y {
			if y != dataset.Unlabelled && math.Sqrt(d.Points.SquaredDistance(i, d.Points, k)) < distance {
				closer++
			}
		}
		if closer >= nearestLabelled {
			t.Errorf("%d labelled points are nearer to row %d than row %d", closer, i+1, j+1)
		}
	}
	// The graph, made anew.
	nb, err := graph.FindNeighbours(t.Context(), d.Points, 4, graph.Euclidean)
	if err != nil {
		t.Fatal(err)
	}
	w, _, _ := graph.Connect(t.Context(), nb, "", 0)
	r, err := graph.NewHealth(t.Context(), w, d.Points, d.Y, 2)
	if err != nil {
		t.Fatal(err)
	}
	if got := table(got.page, "components"); len(got.Rows) != min(10, len(r.Components)) || got.Rows[0][1].Text != fmt.Sprint(r.Components[0].Size) {
		t.Errorf("components %v, want %v", got.Rows, r.Components)
	}
	for _, want := range []string{fmt.Sprintf("%d edges between 150 points: each has from %d to %d neighbours.", r.Edges, r.MinDegree, r.MaxDegree),
		"lapsvm train &#39;a &amp; b.csv&#39;", "3 GB", "<th scope=\"row\">together</th><td class=\"number\">1.75</td>"} {
		if !strings.Contains(got.html, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if held := got.Model.Training().HeldOut; held == nil || !strings.Contains(got.html, fmt.Sprintf("From %d held-out labels", len(held.Class))) {
		t.Errorf("held-out labels are not told: %+v", held)
	}
	if n := len(got.Path.iterations); n != int(got.Model.Training().Iterations)+1 {
		t.Errorf("a path of %d steps, %v iterations", n, got.Model.Training().Iterations)
	}
	for _, name := range []string{"objective", "changed", "degrees", "values", "held-out-reliability"} {
		if !hasFigure(got.page, name) {
			t.Errorf("there is no figure %s", name)
		}
	}
}

func value(t *testing.T, text string) float64 {
	t.Helper()
	var v float64
	if _, err := fmt.Sscan(strings.ReplaceAll(text, ",", ""), &v); err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	return v
}

// Names come from files: they neither make elements nor turn the text around
// them.
func TestNames(t *testing.T) {
	d := moons(60, 6, "<b>bold</b>", "\u202eegral\n"+strings.Repeat("x", 90))
	got := trained(t, lapsvm.Trainer{Recipe: lapsvm.Recipe{Kernel: kernel.Gaussian{Sigma: 0.35}, GammaI: 1, RulesOfThumb: true}}, d)
	for _, bad := range []string{"<b>bold", "\u202e", strings.Repeat("x", 50)} {
		if strings.Contains(got.html, bad) {
			t.Errorf("the page has %q", bad)
		}
	}
	for _, want := range []string{"&lt;b&gt;bold&lt;/b&gt;", `\u202eegral\u000axxx`, "\u2068&lt;b&gt;bold&lt;/b&gt;\u2069"} {
		if !strings.Contains(got.html, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if one, other := plainName(strings.Repeat("same ", 9)+"1"), plainName(strings.Repeat("same ", 9)+"2"); one == other || len([]rune(one)) != longestName+1 {
		t.Errorf("long names are %q and %q", one, other)
	}
	if plainName("") == "" || plainName("ערב") != "ערב" {
		t.Error("an empty name is shown as nothing, or letters are lost")
	}
}

func TestTrainingKinds(t *testing.T) {
	g := kernel.Gaussian{Sigma: 0.35}
	inside := moons(60, 0, "in")
	for i := range 20 {
		inside.Y[i] = 0
	}
	all := moons(40, 40, "a", "b")
	for name, c := range map[string]struct {
		t             lapsvm.Trainer
		d             *dataset.Dataset
		has, lacks    []string // texts
		tables, never []string
	}{
		"one class": {lapsvm.Trainer{Recipe: lapsvm.Recipe{Kernel: g, GammaI: 1e-2, Kind: task.OneClass(), Calibrate: true, RulesOfThumb: true}}, inside,
			[]string{"inside the class", ">outside<"}, []string{"Probabilities"}, []string{"classes", "uncertain", "nearest"}, []string{"held-out-reliability-table"}},
		"all labelled": {lapsvm.Trainer{Recipe: lapsvm.Recipe{Kernel: g, GammaI: 1e-2, RulesOfThumb: true}}, all,
			[]string{"All points are labelled", "trained without probabilities"}, []string{"No unlabelled point"}, []string{"classes", "components"}, []string{"uncertain", "nearest", "differing"}},
		"supervised": {lapsvm.Trainer{Recipe: lapsvm.Recipe{Kernel: g, Supervised: true, RulesOfThumb: true}}, moons(60, 6, "a", "b"),
			[]string{"This is the supervised machine"}, []string{"Neighbour graph", "by the SVM"}, []string{"classes", "uncertain"}, []string{"components", "differing"}},
		"exact": {lapsvm.Trainer{Recipe: lapsvm.Recipe{Kernel: g, GammaI: 1, Solver: lapsvm.Deformed, RulesOfThumb: true}}, moons(60, 6, "a", "b"),
			[]string{"There is no learning curve"}, []string{"Decisions changed"}, []string{"classes"}, nil},
		"many classes": {lapsvm.Trainer{Recipe: lapsvm.Recipe{Kernel: g, GammaI: 1e-2, Standardise: points.ZScore, Calibrate: true, RulesOfThumb: true}}, blobs(12),
			[]string{"lead of the decision value", "scaled by zscore"}, nil, []string{"held-out-reliability-table"}, nil},
		"one label each": {lapsvm.Trainer{Recipe: lapsvm.Recipe{Kernel: g, GammaI: 1e-2, Calibrate: true, RulesOfThumb: true}}, blobs(3),
			[]string{"No label could be held out"}, nil, nil, []string{"held-out-reliability-table"}},
	} {
		t.Run(name, func(t *testing.T) {
			got := trained(t, c.t, c.d)
			for _, want := range c.has {
				if !strings.Contains(got.html, want) {
					t.Errorf("the page lacks %q", want)
				}
			}
			for _, bad := range c.lacks {
				if strings.Contains(got.html, bad) {
					t.Errorf("the page has %q", bad)
				}
			}
			for _, name := range c.tables {
				if table(got.page, name) == nil {
					t.Errorf("there is no table %s", name)
				}
			}
			for _, name := range c.never {
				if table(got.page, name) != nil {
					t.Errorf("there is a table %s", name)
				}
			}
		})
	}
}

// The page shows the recipe chosen by Choose, and the SVM for comparison is the chosen
// one.
func TestChosenTraining(t *testing.T) {
	d := moons(80, 12, "a", "b")
	chosen, err := lapsvm.Trainer{Recipe: lapsvm.Recipe{Kernel: kernel.Gaussian{Sigma: 0.35}, Graph: graph.Options{Neighbours: 4, Degree: 1}}}.Choose(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	got := trained(t, lapsvm.Trainer{Recipe: chosen}, d)
	c := got.Model.Recipe().Choice
	if want := [][]string{{"chosen", number(c.GammaA), number(c.GammaI), percent(c.Expected.Error)}, {"SVM on the labels alone", number(c.SupervisedGamma), "0", percent(c.Expected.SupervisedError)}}; !slices.EqualFunc(table(got.page, "choice").Rows, want,
		func(row []report.Cell, want []string) bool { return slices.Equal(texts(row), want) }) {
		t.Errorf("the choice is told as %v", table(got.page, "choice").Rows)
	}
	if len(got.Model.Recipe().Members) < 2 || c.Averaged != len(got.Model.Recipe().Members) || !strings.Contains(got.html, fmt.Sprintf("the mean of %d machines, which no", c.Averaged)) {
		t.Errorf("%d machines averaged by the solver %s: not told", c.Averaged, got.Model.Recipe().Solver)
	}
	// The page has one count of held-out errors, that of the choice, and opens with it.
	if want := fmt.Sprintf("Expect %.3g %% of new points", c.Expected.Error); !strings.HasPrefix(got.page.Lead, want) || strings.Contains(got.html, "it gets") || regexp.MustCompile(`trained without them: \d`).MatchString(got.html) {
		t.Errorf("the lead %q, want %q, and no other count", got.page.Lead, want)
	}
	if facts := fmt.Sprint(got.page.Facts[:3]); !strings.Contains(facts, fmt.Sprintf("{Expected error %.3g %%, from", c.Expected.Error)) || !strings.Contains(facts, fmt.Sprintf("{Expected of an SVM %.3g %%}", c.Expected.SupervisedError)) || !strings.Contains(facts, "{Better than an SVM? ") {
		t.Errorf("the facts begin with %s", facts)
	}
	// A label of each class cannot be held out: nothing is known of the error.
	for name, c := range map[string]struct {
		recipe lapsvm.Recipe
		want   []string
	}{
		"the graph alone": {lapsvm.Recipe{}, []string{"the graph alone, as fewer than two classes have two labels", "nothing is known about the error"}},
		"rules of thumb":  {lapsvm.Recipe{Supervised: true}, []string{"rules of thumb, because fewer than two classes have two labels"}},
	} {
		two := moons(60, 2, "a", "b")
		chosen, err := lapsvm.Trainer{Recipe: c.recipe}.Choose(t.Context(), two)
		if err != nil {
			t.Fatal(err)
		}
		got := trained(t, lapsvm.Trainer{Recipe: chosen}, two)
		if table(got.page, "choice") != nil {
			t.Errorf("%s: a table of held-out labels", name)
		}
		for _, want := range c.want {
			if !strings.Contains(got.html, want) {
				t.Errorf("%s: not told that %s", name, want)
			}
		}
	}
}

// Components without a label are the first thing to look at.
func TestWarnings(t *testing.T) {
	d := blobs(2)
	got := trained(t, lapsvm.Trainer{Recipe: lapsvm.Recipe{Kernel: kernel.Gaussian{Sigma: 0.35}, GammaI: 1e-2, Graph: graph.Options{Neighbours: 2}, RulesOfThumb: true}}, d)
	n := got.Model.Training().Graph.WithoutLabel
	if n == 0 {
		t.Fatal("every component has a label, so that the test tests nothing")
	}
	if s := got.page.Sections[0]; s.Title != "What to do next" || !strings.Contains(strings.Join(s.Text, " "), fmt.Sprintf("%d points are in components of the graph without a label", n)) {
		t.Errorf("the first section is %+v", s)
	}
}

func TestEvaluationPage(t *testing.T) {
	d := blobs(90)
	splits, err := selection.Splits(d, selection.Plan{PerClass: 3, TestFraction: 0.2, Repeats: 3, Seed: 2})
	if err != nil {
		t.Fatal(err)
	}
	e := selection.Evaluation{Baseline: true, Recipe: lapsvm.Recipe{Kernel: kernel.Gaussian{Sigma: 1}, GammaI: 1e-2, Calibrate: true, RulesOfThumb: true}}
	results, err := e.Run(t.Context(), d, splits)
	if err != nil {
		t.Fatal(err)
	}
	page, err := Evaluation{Source: "<x>.csv", Command: "lapsvm evaluate x", Data: d, Results: results, Seconds: 2}.Page()
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := page.WriteHTML(&b); err != nil {
		t.Fatal(err)
	}
	if html := b.String(); strings.Contains(html, "NaN") || strings.Contains(html, "<x>") || !strings.Contains(html, "lapsvm evaluate x") {
		t.Error("the page has NaN or an element of the source's name, or lacks the command")
	}
	errors := table(page, "errors")
	if len(errors.Rows) != 5 || !slices.Equal(errors.Header, []string{"repeat", "unlabelled", "test", "SVM: unlabelled", "SVM: test", "fewer than the SVM", "iterations", "seconds"}) {
		t.Fatalf("errors %v", errors)
	}
	sum := 0.0
	for k, r := range results {
		row := texts(errors.Rows[k+2])
		if row[1] != percent(r.Unlabelled) || row[2] != percent(r.Test) || row[3] != percent(r.BaselineUnlabelled) || row[5] != percent(r.BaselineUnlabelled-r.Unlabelled) {
			t.Errorf("repeat %d is %q, measured %+v", k+1, row, r)
		}
		sum += r.Unlabelled / 3
	}
	if facts := fmt.Sprint(page.Facts[:3]); !strings.HasPrefix(facts, "[{Error "+percent(sum)+" %, standard deviation") || !strings.Contains(facts, "{Better than an SVM? ") || page.Sections[0].Title != "What to do next" {
		t.Errorf("the page opens with %s and %s", facts, page.Sections[0].Title)
	}
	if got := errors.Rows[0][1].Text; got != percent(sum) {
		t.Errorf("mean %s, want %s", got, percent(sum))
	}
	wrong, all := 0.0, 0.0
	for c, row := range table(page, "confusion").Rows {
		for k, cell := range row[1:] {
			v := value(t, cell.Text)
			all += v
			if k != c {
				wrong += v
			}
			if (cell.Mark == report.Agrees) != (k == c) {
				t.Errorf("the diagonal is not marked at %d, %d", c, k)
			}
		}
	}
	hidden := float64(results[0].Hidden)
	if math.Abs(all-hidden) > 0.5 || math.Abs(100*wrong/all-sum) > 1 {
		t.Errorf("a confusion of %v points with %v wrong; hidden are %v, %v %% wrong", all, wrong, hidden, sum)
	}
	total := 0
	for _, row := range table(page, "hidden-reliability-table").Rows {
		total += int(value(t, row[1].Text))
	}
	if total != 3*results[0].Hidden {
		t.Errorf("%d rows with probabilities, want %d", total, 3*results[0].Hidden)
	}
	if table(page, "choices") != nil || !hasFigure(page, "difference") {
		t.Error("choices that were not made, or no differences")
	}
	// One repeat, no baseline, no probabilities, and a choice.
	one := results[:1]
	one[0].BaselineConfusion, one[0].BaselineUnlabelled, one[0].BaselineTest, one[0].Reliability = nil, math.NaN(), math.NaN(), nil
	one[0].Recipe.Choice = &lapsvm.Choice{GammaA: 1e-4, GammaI: 0.01, Reason: "rules"}
	if page, err = (Evaluation{Data: d, Results: one}).Page(); err != nil {
		t.Fatal(err)
	}
	if rows := table(page, "choices").Rows; len(rows) != 1 || rows[0][4].Text != "0.0001" || table(page, "hidden-reliability-table") != nil || len(table(page, "errors").Header) != 5 {
		t.Errorf("choices %v, errors %v", rows, table(page, "errors").Header)
	}
}

// Hidden labels of one class show nothing about points outside of the class.
func TestOneClassEvaluation(t *testing.T) {
	d := &dataset.Dataset{Points: blobs(90).Points, Y: make([]int, 90), Classes: []string{"in"}}
	splits, err := selection.Splits(d, selection.Plan{Labelled: 30, Repeats: 2, Seed: 2})
	if err != nil {
		t.Fatal(err)
	}
	e := selection.Evaluation{Baseline: true, Recipe: lapsvm.Recipe{Kernel: kernel.Gaussian{Sigma: 1}, GammaI: 1e-2, Kind: task.OneClass(), Calibrate: true, RulesOfThumb: true}}
	results, err := e.Run(t.Context(), d, splits)
	if err != nil {
		t.Fatal(err)
	}
	page, err := Evaluation{Data: d, Results: results}.Page()
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(page.Lead, "help") || !strings.Contains(page.Lead, "does not measure what the machine lets in") || table(page, "class-rates") == nil || table(page, "hidden-reliability-table") != nil {
		t.Errorf("the lead is %q", page.Lead)
	}
}

func TestMerged(t *testing.T) {
	bins := []calibrate.Bin{{Low: 0, High: 0.1, Count: 2, Right: 1, Sum: 0.1}, {Low: 0.1, High: 0.2}, {Low: 0.2, High: 0.3, Count: 4, Right: 2, Sum: 1}, {Low: 0.3, High: 0.4, Count: 7, Right: 3, Sum: 2.4}, {Low: 0.4, High: 0.5, Count: 1, Sum: 0.45}}
	got := merged(bins)
	want := []calibrate.Bin{{Low: 0, High: 0.3, Count: 6, Right: 3, Sum: 1.1}, {Low: 0.3, High: 0.5, Count: 8, Right: 3, Sum: 2.85}}
	if len(got) != 2 {
		t.Fatalf("merged to %+v", got)
	}
	for k := range want {
		if math.Abs(got[k].Sum-want[k].Sum) > 1e-12 || got[k].Count != want[k].Count || got[k].Right != want[k].Right || got[k].Low != want[k].Low || got[k].High != want[k].High {
			t.Errorf("bin %d is %+v, want %+v", k, got[k], want[k])
		}
	}
	if got := merged([]calibrate.Bin{{Count: 0}, {Count: 2}}); len(got) != 1 || got[0].Count != 2 {
		t.Errorf("few rows are merged to %+v", got)
	}
}

func TestHistogram(t *testing.T) {
	values := []float64{0, 0.1, 1, 5, 10}
	e := edges(values, nil)
	c := histogram("h", e, values)
	area := 0.0
	for k := 1; k+1 < len(c.X); k += 2 {
		area += c.Y[k]
	}
	if e[0] != 0 || e[len(e)-1] != 10 || math.Abs(area-100) > 1e-9 || math.Abs(c.Y[1]-40) > 1e-9 || math.Abs(c.Y[len(c.Y)-2]-20) > 1e-9 {
		t.Errorf("edges %v, curve %+v", e, c)
	}
	if edges() != nil || edges([]float64{2, 2})[0] != 1.5 || len(histogram("", e, nil).X) != 0 {
		t.Error("no values or one")
	}
}

func TestIterations(t *testing.T) {
	for n, want := range map[float64]string{0: "0 iterations", 1: "1 iteration", 1.5: "1.5 iterations", 12: "12 iterations"} {
		if got := Iterations(n); got != want {
			t.Errorf("%g: %s, want %s", n, got, want)
		}
	}
}

// The facts of a training beside its results: times are summed, and a file stands with its checksum.
func TestKnownFacts(t *testing.T) {
	f := &trainingPage{Training: Training{Data: &dataset.Dataset{Y: make([]int, 1234)}, Times: []Time{{Seconds: 1.25}, {Seconds: 2}}, File: "m.lapsvm", Checksum: "abc"}, summary: lapsvm.Training{D: 5}}
	want := []report.Fact{{Name: "Points, features", Value: "1,234, 5"}, {Name: "Labels", Value: "7"}, {Name: "Time", Value: "3.25 s"}, {Name: "Model file", Value: "m.lapsvm, checksum abc"}}
	if got := f.known("Labels", "7"); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if f.Checksum = ""; len(f.known("Labels", "7")) != 3 {
		t.Errorf("a model without a file has %q", f.known("Labels", "7"))
	}
}
