package summary

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"lapsvm"
	"lapsvm/app/answer"
	"lapsvm/app/report"
	"lapsvm/dataset"
	"lapsvm/internal/describe"
	"lapsvm/internal/machines/selection"
	"lapsvm/internal/points/graph"
	"lapsvm/internal/system/size"
	"lapsvm/points"
)

// Training is the input of a training's page.
type Training struct {
	Source    string // what was read, such as the file's name
	Selected  bool   // rows were left out on reading, so that row numbers are not the file's
	Command   string // that repeats the training
	Data      *dataset.Dataset
	Model     *lapsvm.Model // as fitted, not read from a file
	File      string        // that the model was written to
	Checksum  string        // of that file, which lapsvm info shows too; "" where it is not known
	SVM       *lapsvm.Model // on the labelled points alone, to compare with; nil where the model is one
	Path      *Path         // of the solver; may be empty
	Times     []Time
	PeakBytes int64 // 0 where it is not known
}

// Time is how long a part took.
type Time struct {
	Part    string
	Seconds float64
}

// trainingPage is a training with the values needed for its page.
type trainingPage struct {
	Training
	of        answer.Kind
	recipe    lapsvm.Recipe
	summary   lapsvm.Training
	scores    [][]float64 // of every row
	predicted []int       // class of every row, an index into the model's
	label     []int       // the same of its label, dataset.Unlabelled without one
	open      []int       // rows without a label
	svm       []int       // what an SVM on the labels predicts for every row; nil where the model is one
	graph     *graph.Health
	findings  []Finding
	near      *points.Points // of the labelled rows, and after them of the sample, as the machine sees them
}

// Compare trains the supervised machine to compare with, where pages do. asked is the recipe that was asked for.
func (t *Training) Compare(ctx context.Context, asked lapsvm.Recipe, memory int64) (err error) {
	recipe := t.Model.Recipe()
	if recipe.Supervised || !kindOf(recipe.Kind).compares {
		return nil
	}
	beside := lapsvm.Trainer{Recipe: selection.Baseline(asked, recipe), Run: lapsvm.Run{Memory: memory}}
	if t.SVM, err = beside.Fit(ctx, t.Data); err != nil {
		return fmt.Errorf("supervised machine beside the model: %w", err)
	}
	return nil
}

// Page makes the page. It fails where predicting the points does.
func (t Training) Page(ctx context.Context) (report.Page, error) {
	f := &trainingPage{Training: t, of: answer.KindOf(t.Model.Kind()), recipe: t.Model.Recipe(), summary: t.Model.Training(), graph: t.Model.Training().Graph}
	return kindOf(f.recipe.Kind).training(f, ctx)
}

// classesPage makes the page where a row has a class.
func (f *trainingPage) classesPage(ctx context.Context) (report.Page, error) {
	if err := f.decide(ctx); err != nil {
		return report.Page{}, err
	}
	page := report.Page{Title: "Training on " + plainName(f.Source), Lead: f.lead(), Facts: f.facts()}
	var err error
	if page.Glance, err = f.lookAtClasses(ctx); err != nil {
		return report.Page{}, err
	}
	why := func() (report.Section, error) { return f.why(ctx, f.sample()) }
	err = add(&page, f.advice, f.data, f.columns, why, f.baseline, f.uncertain, f.nearest, f.decisions, f.probabilities,
		f.parameters, f.neighbours, f.solver, f.costs, f.repeat)
	return page, err
}

// decide computes the decisions of the model and those of the SVM for
// comparison.
func (f *trainingPage) decide(ctx context.Context) error {
	d := f.Data
	var err error
	if f.scores = f.summary.Scores; f.scores == nil {
		if f.scores, err = f.Model.Predictor().ScoresOf(ctx, d); err != nil {
			return err
		}
	}
	f.predicted = f.Model.Decide(f.scores)
	f.label = make([]int, len(d.Y))
	for i, y := range d.Y {
		f.label[i] = dataset.Unlabelled
		if y == dataset.Unlabelled {
			f.open = append(f.open, i)
		} else {
			f.label[i] = dataset.FindClass(f.Model.Classes(), d.Classes[y])
		}
	}
	if f.SVM != nil {
		scores, err := f.SVM.Predictor().ScoresOf(ctx, d)
		if err != nil {
			return err
		}
		f.svm = f.SVM.Decide(scores)
	}
	if err == nil {
		f.findings = Findings(ctx, f.Model, d, f.scores, name)
		f.near, err = f.Model.Predictor().PointsOf(ctx, d.Subset(slices.Concat(d.Labelled(), f.sample())))
	}
	return err
}

// differing counts the unlabelled points that the SVM gives another class.
func (f *trainingPage) differing() int {
	n := 0
	for _, i := range f.open {
		if f.svm[i] != f.predicted[i] {
			n++
		}
	}
	return n
}

// facts returns the results, and then the data and the model.
func (f *trainingPage) facts() []report.Fact {
	expected, svm := "not known", "not known"
	switch e, labels := f.expected(); {
	case e != nil:
		expected = fmt.Sprintf("%.3g %%, from %s to %s %%", e.Error, answer.Rough(e.ErrorLow), answer.Rough(e.ErrorHigh))
		if c := f.recipe.Choice; c != nil && c.Candidates > 0 {
			svm = fmt.Sprintf("%.3g %%", e.SupervisedError)
		}
	case labels > 0:
		expected = fmt.Sprintf("%s cannot tell", count(labels, "label", "labels"))
	}
	var facts []report.Fact
	if e, _ := f.expected(); e != nil && e.Ranks != nil {
		facts = append(facts, report.Fact{Name: "Expected mean distance in ranks", Value: fmt.Sprintf("%.3g, from %.2g to %.2g; of an SVM %.3g", e.Ranks.Distance, e.Ranks.DistanceLow, e.Ranks.DistanceHigh, e.Ranks.SupervisedDistance)})
	}
	facts = append(facts, report.Fact{Name: "Expected error", Value: expected}, report.Fact{Name: "Expected of an SVM", Value: svm}, report.Fact{Name: "Better than an SVM?", Value: f.better()})
	return append(facts, f.known("Labels, classes", whole(f.summary.Labelled)+", "+whole(len(f.Model.Classes())))...)
}

// known returns the facts that are no results: of the data with their labels, the time and the model.
func (f *trainingPage) known(name, labels string) []report.Fact {
	total := 0.0
	for _, t := range f.Times {
		total += t.Seconds
	}
	facts := []report.Fact{
		{Name: "Points, features", Value: whole(len(f.Data.Y)) + ", " + whole(f.summary.D)},
		{Name: name, Value: labels},
		{Name: "Time", Value: seconds(total) + " s"},
	}
	if f.Checksum != "" {
		name, text := "Model", "checksum "+f.Checksum
		if f.File != "" {
			name, text = "Model file", plainName(f.File)+", "+text
		}
		facts = append(facts, report.Fact{Name: name, Value: text})
	}
	return facts
}

// advice returns the next steps.
func (f *trainingPage) advice() (report.Section, error) {
	return report.Section{Title: "What to do next", Text: f.next()}, nil
}

// Aligned says that the model aligns pictures, "" where it does not.
func Aligned(m *lapsvm.Model) string {
	if by, ok := m.Predictor().Description().(*describe.OfPictures); !ok || !by.Aligned {
		return ""
	}
	return "pictures are aligned: what they show is moved to the middle and made upright"
}

// LeftOut names the columns of a table with text or vectors that the model was given and its description does not have, "" for none.
func LeftOut(m *lapsvm.Model) string {
	d, described := m.Predictor().Description().(*describe.OfColumns)
	e := m.Encoding()
	if !described || e == nil {
		return ""
	}
	by := d.Names()
	_, needed := d.Needed()
	var out, all []string
	for k := range e.Columns {
		c, part := &e.Columns[k], describe.Numbers
		read := slices.Contains(needed[:c.Width()], true)
		if needed = needed[c.Width():]; c.Width() == 0 {
			continue
		}
		switch {
		case c.Kind == dataset.Text && slices.Contains(by, describe.WordVectors):
			part = describe.WordVectors
		case c.Kind == dataset.Text:
			part = describe.Latent
		case c.Kind == dataset.Vector:
			part = describe.Vectors
		}
		if !slices.Contains(all, part) {
			all = append(all, part)
		}
		if !read {
			out = append(out, plainName(c.Name))
		}
	}
	if out == nil {
		return ""
	}
	return fmt.Sprintf("columns that count for nothing: %s; with --describe %s they count", strings.Join(out, ", "), strings.Join(all, ","))
}

// data describes the data and their classification.
func (f *trainingPage) data() (report.Section, error) {
	kind := "dense"
	if f.Data.Points.Sparse() {
		kind = "sparse"
	}
	text := fmt.Sprintf("From %s: %s with %s, %s. %s labelled and %s not.", name(f.Source), count(len(f.Data.Y), "row", "rows"),
		count(f.Data.Points.Dim(), "feature", "features"), kind, whole(len(f.Data.Y)-len(f.open)), whole(len(f.open)))
	described := f.recipe.Describe.Text()
	if described != "" {
		text += fmt.Sprintf(" The points are described by %s; distances below are between descriptions.", described)
		for _, more := range []string{Aligned(f.Model), LeftOut(f.Model)} {
			if more != "" {
				text += " " + strings.ToUpper(more[:1]) + more[1:] + "."
			}
		}
	}
	if f.recipe.Standardise != points.AsIs {
		text += fmt.Sprintf(" The points are scaled by %s; distances below are between scaled points.", f.recipe.Standardise)
	} else if described == "" {
		text += " The points are used as they are, without scaling."
	}
	if why := f.recipe.StandardiseReason; why != "" {
		text += fmt.Sprintf(" This was chosen: %s.", why)
	}
	text += " Rows count from 1, without a line of column names."
	if f.Selected {
		text += " Only some classes were selected: rows count among those that are left."
	}
	t := report.Table{Name: "classes", Title: "Classes", Caption: "Labels, and predictions on the unlabelled points; shares in percent.",
		Header: []string{"class", "labels", "share", "predicted", "share"}}
	if f.svm != nil {
		t.Header = append(t.Header, "by the SVM", "share")
	}
	line := func(title string, class, labels int) {
		predicted, svm := 0, 0
		for _, i := range f.open {
			if f.predicted[i] == class {
				predicted++
			}
			if f.svm != nil && f.svm[i] == class {
				svm++
			}
		}
		row := headed(title, whole(labels), share(labels, len(f.Data.Y)-len(f.open)), whole(predicted), share(predicted, len(f.open)))
		if f.svm != nil {
			row = append(row, cells(whole(svm), share(svm, len(f.open)))...)
		}
		t.Rows = append(t.Rows, row)
	}
	for c, class := range f.Model.Classes() {
		labels := 0
		for _, y := range f.label {
			if y == c {
				labels++
			}
		}
		line(plainName(class), c, labels)
	}
	if f.of.Outside() {
		line(className(f.Model, dataset.Unlabelled), dataset.Unlabelled, 0)
	}
	if prior := f.recipe.Prior; prior != nil {
		t.Note = "The biases are shifted so that the predictions follow the prior " + name(prior.String()) + "."
	}
	return report.Section{Title: "Data and classes", Text: []string{text}, Tables: []report.Table{t}}, nil
}

// columns lists what the columns of a table do to decisions.
func (f *trainingPage) columns() (report.Section, error) {
	all := f.Model.Importance()
	if all == nil {
		return report.Section{}, nil
	}
	t := report.Table{Name: "columns", Title: "Effects of columns", Caption: "Mean change of the decision value, and share of rows of another class in percent.",
		Header: []string{"column", "as usual", "effect", "another class", "direction"}}
	for _, i := range all {
		t.Rows = append(t.Rows, headed(plainName(i.Column), plainName(i.Usual), fmt.Sprintf("%.3g", i.Effect), fmt.Sprintf("%.3g", 100*i.Changed), escaped(answer.Direction(f.Model, i))))
	}
	text := "One column of each row is set to what is usual in it, and the row is decided again: the median of a number, the commonest value of a category, no word of a text, the mean of vectors."
	return report.Section{Title: "What the columns do", Text: []string{text}, Tables: []report.Table{t}}, nil
}

func (f *trainingPage) repeat() (report.Section, error) {
	if f.Command == "" {
		return report.Section{}, nil
	}
	text := "This command trains the same model from the same data; what was left to the program is written out."
	n := len(f.recipe.Machines())
	for _, v := range f.recipe.Beside {
		n += len(v.Recipe.Machines())
	}
	if n > 1 {
		text = fmt.Sprintf("This command trains the same model from the same data. It is the mean of %d machines, which no single set of parameters describes: --recipe takes all of them from the file of the model.", n)
	}
	return report.Section{Title: "To repeat it", Text: []string{text}, Code: f.Command}, nil
}

// parameters lists the chosen parameters with the reasons.
func (f *trainingPage) parameters() (report.Section, error) {
	r, choice := f.recipe, f.recipe.Choice
	t := report.Table{Name: "parameters", Title: "Parameters", Header: []string{"parameter", "value"}}
	for _, entry := range r.Entries() {
		t.Rows = append(t.Rows, headed(entry.Name, plainName(entry.Text)))
	}
	s := report.Section{Title: "Parameters"}
	switch {
	case choice == nil:
		s.Text = []string{"All parameters were given, or have their defaults; none was chosen from the data."}
	case choice.Candidates == 0:
		s.Text = []string{"Open parameters by " + choice.Reason + "."}
	default:
		s.Text = append([]string{fmt.Sprintf("Open parameters were chosen by %s.", choice.Reason)}, ChoiceVerdict(r, len(f.open))...)
		if len(f.recipe.Members) > 1 {
			s.Text = append(s.Text, fmt.Sprintf("So few labels cannot tell all of these apart: the model is the weighted mean of %d of them, and the table shows the one with the largest weight.", choice.Averaged))
		}
		if f.recipe.Views() > 1 {
			s.Text = append(s.Text, fmt.Sprintf("The table is of one of %d views of the rows, whose mean is the model: each has another description, scaling or kernel.", f.recipe.Views()))
		}
		if choice.Expected == nil {
			break
		}
		held := report.Table{Name: "choice", Title: "What the held-out labels say", Header: []string{"machine", "γA", "γI", "wrong, %"},
			Note: "Each label was predicted by machines that were chosen and trained without it."}
		if choice.GammaI > 0 {
			held.Rows = append(held.Rows, headed("chosen", number(choice.GammaA), number(choice.GammaI), percent(choice.Expected.Error)))
			held.Note = fmt.Sprintf("Each label was predicted by machines that were chosen and trained without it. The unlabelled points are taken to gain %.3g ± %.2g percent points.",
				choice.Expected.Gain, choice.Expected.GainError)
		}
		held.Rows = append(held.Rows, headed("SVM on the labels alone", number(choice.SupervisedGamma), "0", percent(choice.Expected.SupervisedError)))
		s.Tables = append(s.Tables, held)
	}
	s.Tables = append(s.Tables, t)
	return s, nil
}

// solver is how the objective fell.
func (f *trainingPage) solver() (report.Section, error) {
	_, seen := f.of.Seen(f.summary)
	s := report.Section{Title: "Solver", Text: []string{fmt.Sprintf("%s stopped after %s (mean of the machines): %s. Objective %s, %s; %s.",
		f.recipe.Solver, Iterations(f.summary.Iterations), f.summary.Status, number(f.summary.Objective), count(f.summary.ErrorVectors, "error vector", "error vectors"), seen)}}
	if n := f.summary.NewPoints; n != nil {
		s.Text = append(s.Text, fmt.Sprintf("The kernel matrix is made of %d landmarks. New points: %s.", f.recipe.Landmarks, n))
	}
	figures, err := f.Path.figures(len(f.open))
	if figures == nil {
		s.Text = append(s.Text, "There is no learning curve: this solver finds the minimum exactly in a few steps in the space of the labelled points, and has no decisions on the others in between.")
	}
	s.Figures = figures
	return s, err
}

func (f *trainingPage) costs() (report.Section, error) {
	t := report.Table{Name: "times", Title: "Time", Header: []string{"part", "seconds"}}
	total := 0.0
	for _, x := range f.Times {
		total += x.Seconds
		t.Rows = append(t.Rows, headed(x.Part, seconds(x.Seconds)))
	}
	t.Rows = append(t.Rows, headed("together", seconds(total)))
	return report.Section{Title: "Time and memory", Tables: []report.Table{t},
		Text: []string{fmt.Sprintf("Most memory in use: %s. Gram matrix: %s.", size.Text(f.PeakBytes), f.summary.Gram)}}, nil
}
