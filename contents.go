package lapsvm

import (
	"encoding/json"
	"fmt"
	"io"
	"lapsvm/internal/machines/modelfile"
	"lapsvm/internal/machines/task"
	"lapsvm/internal/machines/train"
	"lapsvm/internal/points/gram"
	"lapsvm/internal/system/fault"
	"slices"
)

// Contents returns the parts of the model, as package export takes them. They are the model's
// own and must not be changed.
func (m *Model) Contents() (*modelfile.Contents, error) {
	recipe, err := json.Marshal(m.recipe)
	if err != nil {
		return nil, err
	}
	training, err := json.Marshal(m.training)
	if err != nil {
		return nil, err
	}
	c := contentsOf(m.predictor.Leading())
	c.Kind, c.Classes, c.Features, c.Featureless, c.Label, c.Encoding, c.Image = m.Kind().Name, m.classes, m.features, m.featureless, m.label, m.encoding, m.image
	c.Intervals, c.Origin, c.Profile, c.Importance = m.predictor.Intervals(), m.origin, m.profile, m.importance
	c.LabelShares, c.Local, c.Attachment, c.Recipe, c.Training = m.labelShares, m.localContents(), m.attachment, recipe, training
	others, weights := m.predictor.Others()
	for k, other := range others {
		v := contentsOf(other)
		v.Kind, v.Classes = c.Kind, c.Classes
		if v.Recipe, err = json.Marshal(m.recipe.Beside[k].Recipe); err != nil {
			return nil, err
		}
		c.Views, c.Mean, c.MeanEach = append(c.Views, modelfile.View{Weight: weights[k], Contents: v}), m.predictor.Calibration(), m.predictor.Each()
	}
	return c, nil
}

// contentsOf returns what a machine is of a model file.
func contentsOf(p *train.Predictor) *modelfile.Contents {
	e := p.Expansion()
	return &modelfile.Contents{Kernel: e.Kernel, Description: p.Description(), Scaling: p.Scaling(), Basis: e.Basis, Coefficients: e.Coefficients, Bias: e.Bias, Calibration: p.Calibration(), Each: p.Each()}
}

func fromContents(c *modelfile.Contents) (*Model, error) {
	m := &Model{classes: c.Classes, features: c.Features, featureless: c.Featureless, label: c.Label, encoding: c.Encoding, image: c.Image, origin: c.Origin, profile: c.Profile, importance: c.Importance, attachment: c.Attachment, labelShares: c.LabelShares, skipped: c.Skipped}
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
		if older.Choice != nil {
			m.recipe.Choice, m.recipe.Baseline = older.Choice, older.Choice.Baseline
		}
	}
	if !m.recipe.Kind.Is(c.Kind) {
		return nil, fmt.Errorf("the model is of %s, and its recipe of %s", c.Kind, m.recipe.Kind.Name)
	}
	if err := m.recipe.Validate(); err != nil {
		return nil, fmt.Errorf("the model's recipe is none: %w", err)
	}
	e := gram.Expansion{Kernel: c.Kernel, Basis: c.Basis, Coefficients: c.Coefficients, Bias: c.Bias}
	if c.Local != nil {
		var err error
		if e.Local, err = openLocal(c.Local, len(c.Bias)); err != nil {
			return nil, fault.Damaged.Errorf("the model file is damaged (%w): copy it again or train anew", err)
		}
		m.local = c.Local.Origin
	}
	m.predictor = predictorOf(c, e, m.recipe.Precision)
	if len(c.Views) != len(m.recipe.Beside) {
		return nil, fault.Damaged.Errorf("the model file is damaged (%d views, and %d in its recipe): copy it again or train anew", len(c.Views), len(m.recipe.Beside))
	}
	if len(c.Views) == 0 {
		return m, nil
	}
	var others []*train.Predictor
	var weights []float64
	for k, v := range c.Views {
		others = append(others, predictorOf(v.Contents, gram.Expansion{Kernel: v.Kernel, Basis: v.Basis, Coefficients: v.Coefficients, Bias: v.Bias}, m.recipe.Beside[k].Recipe.Precision))
		weights = append(weights, v.Weight)
	}
	m.predictor = m.predictor.Beside(others, weights, train.Uncertainty{Calibration: c.Mean, Intervals: c.Intervals, Each: c.MeanEach})
	return m, nil
}

// predictorOf returns the machine that is read of a model file, with its expansion.
func predictorOf(c *modelfile.Contents, e gram.Expansion, precision gram.Precision) *train.Predictor {
	return train.NewPredictor(c.Description, c.Scaling, e, precision, task.OutputCodingOf(c.Kind, len(c.Classes)), train.Uncertainty{Calibration: c.Calibration, Intervals: c.Intervals, Each: c.Each})
}

// Skipped returns the parts of the file that a later program wrote, which this program does not know. Nothing that it does needs them. A file
// that it writes is without them.
func (m *Model) Skipped() []string { return slices.Clone(m.skipped) }

// Save writes the model to the file at path. On an error the file is as it was before. The
// model that [Load] reads from it gives the same bits of every decision value. Save fails for
// a kernel that is not of package kernel.
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

// Load reads the model file at path. It fails for a file that is damaged, cut short or of a
// later version, and for one with an invalid recipe.
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

// Read reads a model from r, in the format of [Model.Save]. It fails where [Load] does.
func Read(r io.Reader) (*Model, error) {
	c, err := modelfile.Read(r)
	if err != nil {
		return nil, err
	}
	return fromContents(c)
}
