package lapsvm

import (
	"cmp"
	"context"
	"slices"

	"lapsvm/calibrate"
	"lapsvm/dataset"
	"lapsvm/internal/machines/drift"
	"lapsvm/internal/machines/modelfile"
	"lapsvm/internal/machines/task"
	"lapsvm/internal/machines/train"
	"lapsvm/internal/points/gram"
	"lapsvm/internal/system/fault"
	"lapsvm/kernel"
	"lapsvm/points"
)

// Model is a trained classifier, or a regression: per machine a kernel expansion
//
//	f_c(x) = Σ_j α_cj·k(basis_j, x) + b_c
//
// of the point x as it is described and scaled. A model trained on landmarks may add a correction by neighbours, see
// [Model.Local]. A Model is immutable and safe for concurrent use.
type Model struct {
	predictor   *train.Predictor
	classes     []string
	features    []string
	featureless bool // the training rows had no feature, and features are their names
	label       string
	encoding    *dataset.Encoding     // nil where the columns were the features
	image       dataset.Image         // zero where the points were no images
	origin      *modelfile.Origin     // training rows of the basis; nil with the linear kernel, and from files of older programs
	local       *modelfile.Origin     // training rows of the Local; nil without a Local
	profile     *drift.Profile        // nil in files of older programs
	attachment  *modelfile.Attachment // rows trained on that edges attach new ones to; nil without given edges, without features, and in files of older programs
	labelShares [][]float64           // [machine][label·basis point]: what each label adds to the coefficients; nil if the training kept none
	skipped     []string              // parts of the file that this program does not know
	importance  []Importance          // of the columns of a table; nil for other data, and in files of older programs
	recipe      Recipe
	training    Training
}

// newModel makes the model of a training on d. It fails when ctx is done.
func newModel(ctx context.Context, f *train.Fitted, d *dataset.Dataset) (*Model, error) {
	m := &Model{predictor: f.Predictor(), classes: slices.Clone(f.Task.Classes), features: slices.Clone(d.Features), featureless: d.Featureless, label: d.Label, encoding: d.Encoding, image: d.Image,
		labelShares: f.LabelShares, recipe: f.Recipe, training: f.Summary}
	if f.Rows != nil {
		m.origin = &modelfile.Origin{Rows: f.Rows, Class: f.Class, Answers: f.Answers}
	}
	if f.LocalRows != nil {
		m.local = &modelfile.Origin{Rows: f.LocalRows, Class: f.LocalClass, Answers: f.LocalAnswers}
	}
	m.attachment = m.newAttachment(d)
	var err error
	if m.profile, err = m.newProfile(ctx, d); err != nil {
		return nil, err
	}
	m.importance, err = m.newImportance(ctx, d)
	return m, err
}

// Classes returns the class names by class index. They are sorted as numbers where all are
// numbers, else as text, and ordered ones from the lowest. A regression has none.
func (m *Model) Classes() []string { return slices.Clone(m.classes) }

// Features returns the names of the columns that the model was trained on, or nil where they
// had none.
func (m *Model) Features() []string { return slices.Clone(m.features) }

// Label returns the name of the label column of the training data, or "" where it had none.
func (m *Model) Label() string { return m.label }

// Encoding returns the encoding of table columns as features that the model was trained with,
// or nil where the columns were the features. Set it as files.Options.Encoding to read points
// for the model. It must not be changed.
func (m *Model) Encoding() *dataset.Encoding { return m.encoding }

// Image returns the size and the colours of the images that the model was trained on, from a
// folder or an array of bytes. It is zero for other data, and for a model file of an older
// program. Set files.Options.Image to it to read images for the model.
func (m *Model) Image() dataset.Image { return m.image }

// Rows makes points for the model from rows that the program has, without a file. A row maps
// column names of the training data to values, as [dataset.FromMaps] takes them. The Points
// of the result have the bits of the same rows in a file. Columns that the model does not
// know are ignored. Values of categories that the training did not have are taken as missing, and are in Unseen of the result. A program with structs makes a map of each. Rows fails if no row has a
// column that the model needs, and if the columns of the model have no names. Cost: each call
// lays out the words and categories that the model knows, so one call with many rows is cheaper
// than many calls.
func (m *Model) Rows(rows ...map[string]any) (*dataset.Dataset, error) {
	o := dataset.TableOptions{Label: m.label, Columns: m.features, Encoding: m.encoding.ForOthers()}
	named := m.features != nil
	if m.encoding.Learnt() {
		named = m.encoding.Named
	}
	if !named {
		return nil, fault.Errorf("the columns of the model have no names, so rows cannot give their values by name: give those of each row in the order of the columns, as numbers to points.Dense or as fields to dataset.NewTable")
	}
	return dataset.FromMaps(rows, o)
}

// Dim returns the number of features of the points that the model takes.
func (m *Model) Dim() int { return m.predictor.Dim() }

// Machines returns the number of kernel expansions: one for two classes or one
// class, else one per class.
func (m *Model) Machines() int { return len(m.expansion().Bias) }

// Basis returns the number of basis points of the expansions, those of all views together.
func (m *Model) Basis() int {
	n := m.expansion().Basis.Len()
	others, _ := m.predictor.Others()
	for _, other := range others {
		n += other.Expansion().Basis.Len()
	}
	return n
}

// OneClass reports whether the model was trained on a single class.
func (m *Model) OneClass() bool { return m.recipe.Kind.Is(task.OfOneClass) }

// MultiLabel reports whether a point may have several classes at once, or none.
func (m *Model) MultiLabel() bool { return m.recipe.Kind.Is(task.OfSeveral) }

// Regression reports whether the model predicts numbers.
func (m *Model) Regression() bool { return m.recipe.Kind.Is(task.OfNumbers) }

// Kind returns what the labels of the model are.
func (m *Model) Kind() Kind { return m.recipe.Kind }

// Views returns how many machines the model is the mean of: each sees the rows by a description, a scaling or a kernel of its own. It is 1 for one
// machine. What the model says of an expansion, such as [Model.Kernel], is of the leading one.
func (m *Model) Views() int { return m.recipe.Views() }

// Kernel returns the kernel.
func (m *Model) Kernel() kernel.Kernel { return m.expansion().Kernel }

// Recipe returns all parameters that the model was trained by, none of them open. Training by
// it again, on the same data, gives the same bits. The file of an older program lacks the
// members of a mean.
func (m *Model) Recipe() Recipe { return m.recipe.Clone() }

// Training returns the summary of the training.
func (m *Model) Training() Training { return m.training }

// Predictor returns the part of the model that computes decision values and probabilities. A
// server of predictions needs no other part.
func (m *Model) Predictor() *train.Predictor { return m.predictor }

func (m *Model) expansion() gram.Expansion { return m.predictor.Expansion() }

// Scores returns the decision values [point][class]. The largest of a row belongs to the
// predicted class, but of ordered classes. Two classes have −f and f of their one machine. A one-class model has f,
// which is positive inside the class. A regression has the predicted number alone. Sparse points may have fewer columns than the model.
// Scores fails where the number of columns does not fit, for points or decision values that
// are not finite, and when ctx is done. Cost: one kernel value per point and basis point.
func (m *Model) Scores(ctx context.Context, p *points.Points) ([][]float64, error) {
	return m.predictor.Scores(ctx, p)
}

// Predict returns the class of every point, as an index into [Model.Classes]. A one-class
// model returns dataset.Unlabelled for a point outside the class. It fails for a model of several classes at once or of numbers, and where
// [Model.Scores] does, at the same cost.
func (m *Model) Predict(ctx context.Context, p *points.Points) ([]int, error) {
	if err := m.answers("Predict"); err != nil {
		return nil, err
	}
	return m.predictor.Predict(ctx, p)
}

// PredictSeveral returns the classes of every point, as ascending indices into [Model.Classes], of a model of several
// classes at once. A point has the classes whose probability is above their threshold, see [calibrate.Each], or without
// probabilities those whose decision value is positive. It fails for other models, and where [Model.Scores] does, at the same cost.
func (m *Model) PredictSeveral(ctx context.Context, p *points.Points) ([][]int, error) {
	if err := m.answers("PredictSeveral"); err != nil {
		return nil, err
	}
	scores, err := m.predictor.Scores(ctx, p)
	return m.predictor.Has(scores), err
}

// Values returns the predicted number of every point, of a regression. It fails for a model of classes,
// and where [Model.Scores] does, at the same cost.
func (m *Model) Values(ctx context.Context, p *points.Points) ([]float64, error) {
	if err := m.answers("Values"); err != nil {
		return nil, err
	}
	scores, err := m.predictor.Scores(ctx, p)
	return train.ValuesOf(scores), err
}

// Intervals returns the predicted number of every point, of a regression, with an interval that holds the
// true one with about the given probability, such as 0.9. The points are new ones: at points that the model was trained on it holds the number more often, as
// the graph knows them. See [calibrate.Intervals]. It fails where
// [Model.Values] does, and for a model that was trained without Recipe.Calibrate. Of l labels the level is at most
// l/(l + 1). Cost: that of Values, and for each of up to 100 machines
// without some of the labels a multiply-add per point and basis point.
func (m *Model) Intervals(ctx context.Context, p *points.Points, level float64) (values, low, high []float64, err error) {
	if values, err = m.Values(ctx, p); err != nil {
		return nil, nil, nil, err
	}
	if p, err = m.predictor.Describe(ctx, p); err != nil {
		return nil, nil, nil, err
	}
	low, high, err = m.predictor.IntervalsAt(ctx, p, values, level)
	return values, low, high, err
}

// Decide returns the predicted class index for each row of decision values, as [Model.Scores]
// and Training.Scores have them.
func (m *Model) Decide(scores [][]float64) []int { return m.predictor.Decide(scores) }

// Probable reports whether the model has probabilities.
func (m *Model) Probable() bool { return m.predictor.Uncertainty().Probabilities() != nil }

// Calibration returns the mapping of decision values to probabilities. It is nil for a model
// with one class or several at once, and where Recipe.Calibrate was off.
func (m *Model) Calibration() *calibrate.Calibration {
	if m.predictor.Calibration() == nil {
		return nil
	}
	c := *m.predictor.Calibration()
	return &c
}

// Sets returns the classes that every point may belong to, as indices into [Model.Classes], the most probable first.
// The set of a point holds its class with a probability of about level, such as 0.9: for the points of each class
// where that has labels enough, see [calibrate.Calibration.Thresholds]. The predicted class is one of them. Of ordered classes a set has no gap. A point
// that is far from all training points has the empty set, see [Model.ScoresFar].
// Sets fails for a level that the labels are too few for, without a calibration, for a model of several classes at once, and where
// [Model.Scores] does, at the cost of ScoresFar.
func (m *Model) Sets(ctx context.Context, p *points.Points, level float64) ([][]int, error) {
	if err := m.answers("Sets"); err != nil {
		return nil, err
	}
	if m.predictor.Calibration() == nil {
		return nil, train.OfKind(ErrParameter, fault.Lacks.Errorf("the model has no calibration: train it again with %s; one class has no sets", fault.Option{In: "Recipe", Name: "Calibrate", Value: true}))
	}
	probabilities, far, err := m.probabilitiesFar(ctx, p)
	if err != nil {
		return nil, err
	}
	return m.SetsOf(probabilities, far, level)
}

// probabilitiesFar is [Model.ScoresFar] with probabilities in place of decision values.
func (m *Model) probabilitiesFar(ctx context.Context, p *points.Points) ([][]float64, []bool, error) {
	scores, far, err := m.ScoresFar(ctx, p)
	if err == nil {
		m.predictor.ToProbabilities(scores)
	}
	return scores, far, err
}

// SetsSeveral returns the classes that every point may have, of a model of several classes at once, and the sure ones of them. Both are
// indices into [Model.Classes], the most probable first. Where a point has a class, its set holds the class with a probability of about level,
// such as 0.9. Where a point lacks a class, the sure ones are without it as often: see [calibrate.Each.Thresholds]. A
// point that is far from all training points, see [Model.ScoresFar], may have every class. SetsSeveral fails for other models, and
// where [Model.Sets] does, at the same cost.
func (m *Model) SetsSeveral(ctx context.Context, p *points.Points, level float64) (may, sure [][]int, err error) {
	if err := m.answers("SetsSeveral"); err != nil {
		return nil, nil, err
	}
	if !m.Probable() {
		return nil, nil, train.OfKind(ErrParameter, fault.Lacks.Errorf("the model has no calibration: train it again with %s", fault.Option{In: "Recipe", Name: "Calibrate", Value: true}))
	}
	probabilities, far, err := m.probabilitiesFar(ctx, p)
	if err != nil {
		return nil, nil, err
	}
	return m.SetsSeveralOf(probabilities, far, level)
}

// SetsSeveralOf is [Model.SetsSeveral] as [Model.SetsOf] is Sets.
func (m *Model) SetsSeveralOf(probabilities [][]float64, far []bool, level float64) (may, sure [][]int, err error) {
	if may, sure, err = m.predictor.Each().Sets(probabilities, level); err != nil {
		return nil, nil, train.OfKind(ErrParameter, err)
	}
	for i, is := range far {
		if !is {
			continue
		}
		may[i], sure[i] = nil, []int{}
		for class := range m.classes {
			may[i] = append(may[i], class)
		}
		slices.SortStableFunc(may[i], func(a, b int) int { return cmp.Compare(probabilities[i][b], probabilities[i][a]) })
	}
	return may, sure, nil
}

// CheckLevel reports a level that no sets of the model have, or that it has no sets at all.
func (m *Model) CheckLevel(level float64) error {
	if of := m.predictor.Uncertainty().Probabilities(); of != nil {
		return of.CheckLevel(level)
	}
	return fault.Lacks.Errorf("the model has no sets of classes: train it with probabilities")
}

// SetsOf is [Model.Sets] of points by their probabilities, [point][class], and by which are far from the training points. far may
// be nil, where none is known to be.
func (m *Model) SetsOf(probabilities [][]float64, far []bool, level float64) ([][]int, error) {
	sets, err := m.predictor.Sets(probabilities, level)
	if err != nil {
		return nil, train.OfKind(ErrParameter, err)
	}
	for i, is := range far {
		if is {
			sets[i] = nil
		}
	}
	return sets, nil
}

// Probabilities returns the probabilities of the classes, [point][class]:
//
//	p_c(x) = exp(s·f_c(x)) / Σ_k exp(s·f_k(x))
//
// with the decision values f of [Model.Scores] and the slope s of [Model.Calibration]. Each
// row sums to 1. The class that [Model.Predict] returns has the first largest entry, and of ordered classes it is the median. Of several classes at once
// each has a probability of its own, see [calibrate.Each].
// It fails where there is no calibration, and where Scores does.
func (m *Model) Probabilities(ctx context.Context, p *points.Points) ([][]float64, error) {
	return m.predictor.Probabilities(ctx, p)
}
