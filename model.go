package lapsvm

import (
	"context"
	"encoding/json"
	"fmt"
	"io"

	"lapsvm/calibrate"
	"lapsvm/dataset"
	"lapsvm/gram"
	"lapsvm/kernel"
	"lapsvm/modelfile"
	"lapsvm/points"
)

// Model is a trained classifier: per machine a kernel expansion
//
//	f_c(x) = Σ_j α_cj·k(basis_j, x) + b_c
//
// of the scaled point x. It is immutable and safe for concurrent use.
type Model struct {
	kernel       kernel.Kernel
	scaling      points.Scaling
	basis        *points.Points
	coefficients [][]float64
	bias         []float64
	oneClass     bool
	classes      []string
	features     []string
	label        string
	encoding     *dataset.Encoding      // nil where columns were features
	image        *dataset.Image         // nil where the points were no images of a folder
	calibration  *calibrate.Calibration // nil where the training made none
	origin       *modelfile.Origin      // nil with the linear kernel, and from files of older programs
	labelShares  [][]float64            // [machine][label·basis point]: what the label of each labelled basis point adds to the coefficients; nil where they were not kept
	config       Config
	training     Training
}

// Classes returns the class names in the order of the class indices: sorted
// numerically where all are numbers, else as text.
func (m *Model) Classes() []string { return m.classes }

// Features returns the names of the columns the model was trained on, or nil.
func (m *Model) Features() []string { return m.features }

// Label returns the name of the label column the model was trained on, or "".
func (m *Model) Label() string { return m.label }

// Encoding returns how the columns of the table the model was trained on became
// features, or nil where they were the features. Give it to [dataset.Options] to
// read points for the model. It must not be changed.
func (m *Model) Encoding() *dataset.Encoding { return m.encoding }

// Image returns how the images of the folder that the model was trained on became
// points, or nil where they were other data, and in files of older programs. Give
// it to [dataset.Options] to read images for the model. It must not be changed.
func (m *Model) Image() *dataset.Image { return m.image }

// Dim returns the number of features of the points the model takes.
func (m *Model) Dim() int { return m.basis.Dim() }

// Machines returns the number of kernel expansions: one for two classes or one
// class, else one per class.
func (m *Model) Machines() int { return len(m.bias) }

// Basis returns the number of points that the expansions are made of.
func (m *Model) Basis() int { return m.basis.Len() }

// OneClass reports whether the model only knows one class.
func (m *Model) OneClass() bool { return m.oneClass }

// Kernel returns the kernel.
func (m *Model) Kernel() kernel.Kernel { return m.kernel }

// Config returns the resolved configuration of the training.
func (m *Model) Config() Config { return m.config }

// Training returns the summary of the training.
func (m *Model) Training() Training { return m.training }

// values returns f of every machine at every point: [machine][point].
func (m *Model) values(ctx context.Context, p *points.Points) ([][]float64, error) {
	if p.Sparse() && p.Dim() < m.Dim() {
		p = p.Widen(m.Dim())
	}
	if p.Dim() != m.Dim() {
		return nil, ofKind(ErrData, fmt.Errorf("the points have %d features, the model was trained on %d: give the same columns in the same order", p.Dim(), m.Dim()))
	}
	if i, j, found := p.FirstNotFinite(); found {
		return nil, ofKind(ErrData, fmt.Errorf("row %d, feature %d is not a finite number: mend or drop the row", i+1, j+1))
	}
	f := make([][]float64, m.Machines())
	for c := range f {
		f[c] = make([]float64, p.Len())
	}
	err := gram.Expand(ctx, f, m.scaling.Apply(p), m.basis, m.kernel, m.coefficients, m.bias, gram.Precision(m.config.Precision))
	return f, err
}

// Scores returns the decision values [point][class]; the largest of a row
// belongs to the predicted class. Two classes have −f and f of their machine;
// a one-class model has f, positive inside the class. Sparse points may have
// fewer columns than the model. It fails where the columns do not fit, for
// values that are not finite, and when ctx is done. Cost: one kernel value per
// point and basis point.
func (m *Model) Scores(ctx context.Context, p *points.Points) ([][]float64, error) {
	f, err := m.values(ctx, p)
	if err != nil {
		return nil, err
	}
	return scores(f, len(m.classes)), nil
}

// scores turns the values [machine][point] of all machines into decision
// values [point][class].
func scores(f [][]float64, classes int) [][]float64 {
	n := len(f[0])
	all := make([]float64, n*classes)
	rows := make([][]float64, n)
	for i := range rows {
		row := all[i*classes : (i+1)*classes]
		if classes == 2 {
			row[0], row[1] = -f[0][i], f[0][i]
		} else {
			for c := range f {
				row[c] = f[c][i]
			}
		}
		rows[i] = row
	}
	return rows
}

// Predict returns the class index of every point, an index into
// [Model.Classes]; a one-class model returns dataset.Unlabelled for a point
// outside the class. It fails where [Model.Scores] does.
func (m *Model) Predict(ctx context.Context, p *points.Points) ([]int, error) {
	rows, err := m.Scores(ctx, p)
	if err != nil {
		return nil, err
	}
	return m.Decide(rows), nil
}

// Decide returns the class index that belongs to each row of decision values,
// as [Model.Scores] and [Training].Scores have them.
func (m *Model) Decide(scores [][]float64) []int {
	classes := make([]int, len(scores))
	for i, row := range scores {
		if len(row) == 2 {
			row = row[1:]
		}
		classes[i] = decide(row, m.oneClass)
	}
	return classes
}

// Calibration returns how the model turns decision values into probabilities,
// or nil: for a model with one class, and where [Trainer].Calibrate was off.
func (m *Model) Calibration() *calibrate.Calibration {
	if m.calibration == nil {
		return nil
	}
	c := *m.calibration
	return &c
}

// Probabilities returns the probability of every class at every point,
// [point][class]: exp(s·f_c) over its sum, with the decision values f of
// [Model.Scores] and the slope s of [Model.Calibration]. Each row sums to 1, and
// its first largest entry belongs to the class that [Model.Predict] returns. It
// fails where there is no calibration, and where [Model.Scores] does.
func (m *Model) Probabilities(ctx context.Context, p *points.Points) ([][]float64, error) {
	if m.calibration == nil {
		return nil, ofKind(ErrData, fmt.Errorf("the model has no calibration: train it again with Calibrate; one class has no probabilities"))
	}
	rows, err := m.Scores(ctx, p)
	if err != nil {
		return nil, err
	}
	for _, row := range rows {
		m.calibration.Probabilities(row, row)
	}
	return rows, nil
}

// Contents returns the parts of the model, which [Model.Save] writes and package
// export takes. They are the model's own and must not be changed.
func (m *Model) Contents() (*modelfile.Contents, error) {
	config, err := json.Marshal(m.config)
	if err != nil {
		return nil, err
	}
	training, err := json.Marshal(m.training)
	if err != nil {
		return nil, err
	}
	return &modelfile.Contents{
		Kernel: m.kernel, Scaling: m.scaling, Basis: m.basis, Coefficients: m.coefficients, Bias: m.bias,
		OneClass: m.oneClass, Classes: m.classes, Features: m.features, Label: m.label, Encoding: m.encoding, Image: m.image,
		Calibration: m.calibration, Origin: m.origin, LabelShares: m.labelShares, Config: config, Training: training,
	}, nil
}

func fromContents(c *modelfile.Contents) (*Model, error) {
	m := &Model{
		kernel: c.Kernel, scaling: c.Scaling, basis: c.Basis, coefficients: c.Coefficients, bias: c.Bias,
		oneClass: c.OneClass, classes: c.Classes, features: c.Features, label: c.Label, encoding: c.Encoding, image: c.Image,
		calibration: c.Calibration, origin: c.Origin, labelShares: c.LabelShares,
	}
	if err := json.Unmarshal(c.Config, &m.config); err != nil {
		return nil, fmt.Errorf("the model's configuration cannot be read: %w", err)
	}
	if err := json.Unmarshal(c.Training, &m.training); err != nil {
		return nil, fmt.Errorf("the model's training summary cannot be read: %w", err)
	}
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
// cut short, or of a later version.
func Load(path string) (*Model, error) {
	c, err := modelfile.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return fromContents(c)
}

// Read reads a model in the format of [Model.Save].
func Read(r io.Reader) (*Model, error) {
	c, err := modelfile.Read(r)
	if err != nil {
		return nil, err
	}
	return fromContents(c)
}
