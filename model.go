package lapsvm

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"

	"lapsvm/calibrate"
	"lapsvm/dataset"
	"lapsvm/internal/machines/drift"
	"lapsvm/internal/machines/modelfile"
	"lapsvm/internal/machines/train"
	"lapsvm/internal/points/gram"
	"lapsvm/kernel"
	"lapsvm/points"
)

// Model is a trained classifier: per machine a kernel expansion
//
//	f_c(x) = Σ_j α_cj·k(basis_j, x) + b_c
//
// of the scaled point x. Where landmarks stand for many training points, neighbours may
// add to it, see [Model.Local]. It is immutable and safe for concurrent use.
type Model struct {
	predictor   *train.Predictor
	classes     []string
	features    []string
	label       string
	encoding    *dataset.Encoding // nil where columns were features
	image       *dataset.Image    // nil where the points were no images
	origin      *modelfile.Origin // nil with the linear kernel, and from files of older programs
	local       *modelfile.Origin // of the points of the expansion's Local; nil without
	profile     *drift.Profile    // nil in files of older programs
	labelShares [][]float64       // [machine][label·basis point]: what the label of each labelled basis point adds to the coefficients; nil where they were not kept
	recipe      Recipe
	training    Training
}

// newModel makes the model of a training on d. It fails when ctx is done.
func newModel(ctx context.Context, f *train.Fitted, d *dataset.Dataset) (*Model, error) {
	m := &Model{predictor: f.Predictor(), classes: slices.Clone(f.Task.Classes), features: slices.Clone(d.Features), label: d.Label, encoding: d.Encoding, image: d.Image,
		labelShares: f.LabelShares, recipe: f.Recipe, training: f.Summary}
	if f.Rows != nil {
		m.origin = &modelfile.Origin{Rows: f.Rows, Class: f.Class}
	}
	if f.LocalRows != nil {
		m.local = &modelfile.Origin{Rows: f.LocalRows, Class: f.LocalClass}
	}
	var err error
	m.profile, err = m.newProfile(ctx, d)
	return m, err
}

// Classes returns the class names in the order of the class indices: sorted
// numerically where all are numbers, else as text.
func (m *Model) Classes() []string { return slices.Clone(m.classes) }

// Features returns the names of the columns the model was trained on, or nil.
func (m *Model) Features() []string { return slices.Clone(m.features) }

// Label returns the name of the label column the model was trained on, or "".
func (m *Model) Label() string { return m.label }

// Encoding returns how the columns of the table the model was trained on became
// features, or nil where they were the features. Give it to [files.Options] to
// read points for the model. It must not be changed.
func (m *Model) Encoding() *dataset.Encoding { return m.encoding }

// Image returns what the images are that the model was trained on, of a folder or an
// array of bytes, or nil where they were other data, and in files of older programs. Give
// it to [files.Options] to read images for the model. It must not be changed.
func (m *Model) Image() *dataset.Image { return m.image }

// Dim returns the number of features of the points the model takes.
func (m *Model) Dim() int { return m.expansion().Basis.Dim() }

// Machines returns the number of kernel expansions: one for two classes or one
// class, else one per class.
func (m *Model) Machines() int { return len(m.expansion().Bias) }

// Basis returns the number of points that the expansions are made of.
func (m *Model) Basis() int { return m.expansion().Basis.Len() }

// OneClass reports whether the model only knows one class.
func (m *Model) OneClass() bool { return len(m.classes) == 1 }

// Kernel returns the kernel.
func (m *Model) Kernel() kernel.Kernel { return m.expansion().Kernel }

// Recipe returns all that the model was made by, beside the data: training by it
// again, on the same data, gives the same bits. A file of an older program tells
// no members of a mean.
func (m *Model) Recipe() Recipe { return m.recipe.Clone() }

// Training returns the summary of the training.
func (m *Model) Training() Training { return m.training }

// Predictor returns what computes decision values for this model: all that a server
// of predictions needs.
func (m *Model) Predictor() *train.Predictor { return m.predictor }

func (m *Model) expansion() gram.Expansion { return m.predictor.Expansion() }

// Scores returns the decision values [point][class]; the largest of a row
// belongs to the predicted class. Two classes have −f and f of their machine;
// a one-class model has f, positive inside the class. Sparse points may have
// fewer columns than the model. It fails where the columns do not fit, for values
// and decision values that are not finite, and when ctx is done. Cost: one kernel value per
// point and basis point.
func (m *Model) Scores(ctx context.Context, p *points.Points) ([][]float64, error) {
	return m.predictor.Scores(ctx, p)
}

// Predict returns the class index of every point, an index into
// [Model.Classes]; a one-class model returns dataset.Unlabelled for a point
// outside the class. It fails where [Model.Scores] does.
func (m *Model) Predict(ctx context.Context, p *points.Points) ([]int, error) {
	return m.predictor.Predict(ctx, p)
}

// Decide returns the class index that belongs to each row of decision values,
// as [Model.Scores] and [Training].Scores have them.
func (m *Model) Decide(scores [][]float64) []int { return m.predictor.Decide(scores) }

// Calibration returns how the model turns decision values into probabilities,
// or nil: for a model with one class, and where [Recipe].Calibrate was off.
func (m *Model) Calibration() *calibrate.Calibration {
	if m.predictor.Calibration() == nil {
		return nil
	}
	c := *m.predictor.Calibration()
	return &c
}

// Probabilities returns the probability of every class at every point,
// [point][class]: exp(s·f_c) over its sum, with the decision values f of
// [Model.Scores] and the slope s of [Model.Calibration]. Each row sums to 1, and
// its first largest entry belongs to the class that [Model.Predict] returns. It
// fails where there is no calibration, and where [Model.Scores] does.
func (m *Model) Probabilities(ctx context.Context, p *points.Points) ([][]float64, error) {
	return m.predictor.Probabilities(ctx, p)
}

// Contents returns the parts of the model, which [Model.Save] writes and package
// export takes. They are the model's own and must not be changed.
func (m *Model) Contents() (*modelfile.Contents, error) {
	recipe, err := json.Marshal(m.recipe)
	if err != nil {
		return nil, err
	}
	training, err := json.Marshal(m.training)
	if err != nil {
		return nil, err
	}
	e := m.expansion()
	return &modelfile.Contents{
		Kernel: e.Kernel, Scaling: m.predictor.Scaling(), Basis: e.Basis, Coefficients: e.Coefficients, Bias: e.Bias,
		OneClass: m.OneClass(), Classes: m.classes, Features: m.features, Label: m.label, Encoding: m.encoding, Image: m.image,
		Calibration: m.predictor.Calibration(), Origin: m.origin, Profile: m.profile, LabelShares: m.labelShares, Local: m.localContents(), Recipe: recipe, Training: training,
	}, nil
}

func fromContents(c *modelfile.Contents) (*Model, error) {
	m := &Model{classes: c.Classes, features: c.Features, label: c.Label, encoding: c.Encoding, image: c.Image, origin: c.Origin, profile: c.Profile, labelShares: c.LabelShares}
	if err := json.Unmarshal(c.Recipe, &m.recipe); err != nil {
		return nil, fmt.Errorf("the model's recipe cannot be read: %w", err)
	}
	if err := json.Unmarshal(c.Training, &m.training); err != nil {
		return nil, fmt.Errorf("the model's training summary cannot be read: %w", err)
	}
	if m.recipe.Choice == nil { // older programs keep it with the training
		var older struct{ Choice *Choice }
		if err := json.Unmarshal(c.Training, &older); err != nil {
			return nil, fmt.Errorf("the model's training summary cannot be read: %w", err)
		}
		m.recipe.Choice = older.Choice
	}
	if err := m.recipe.Validate(); err != nil {
		return nil, fmt.Errorf("the model's recipe is none: %w", err)
	}
	e := gram.Expansion{Kernel: c.Kernel, Basis: c.Basis, Coefficients: c.Coefficients, Bias: c.Bias}
	if c.Local != nil {
		var err error
		if e.Local, err = openLocal(c.Local, len(c.Bias)); err != nil {
			return nil, fmt.Errorf("the model file is damaged (%w): copy it again or train anew", err)
		}
		m.local = c.Local.Origin
	}
	m.predictor = train.NewPredictor(c.Scaling, e, m.recipe.Precision, len(c.Classes), c.Calibration)
	return m, nil
}

// Save writes the model to the file called path, which is there whole or, on
// an error, as it was before. What [Load] reads from it gives the same bits of
// every decision value. A model with a kernel of the program's own cannot be
// written.
func (m *Model) Save(path string) error {
	c, err := m.Contents()
	if err != nil {
		return err
	}
	return modelfile.WriteFile(path, c)
}

// Write writes the model to w, in the format of [Model.Save].
func (m *Model) Write(w io.Writer) error {
	c, err := m.Contents()
	if err != nil {
		return err
	}
	return modelfile.Write(w, c)
}

// Load reads the model file called path. It fails for a file that is damaged,
// cut short, or of a later version, and for a recipe that nothing can be trained by.
func Load(path string) (*Model, error) {
	c, err := modelfile.ReadFile(path)
	if err != nil {
		return nil, err
	}
	m, err := fromContents(c)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return m, nil
}

// Read reads a model in the format of [Model.Save].
func Read(r io.Reader) (*Model, error) {
	c, err := modelfile.Read(r)
	if err != nil {
		return nil, err
	}
	return fromContents(c)
}
