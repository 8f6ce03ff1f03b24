package modelfile

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"unicode/utf8"

	"lapsvm/calibrate"
	"lapsvm/dataset"
	"lapsvm/internal/machines/task"
	"lapsvm/internal/system/fault"
	"lapsvm/points"
)

// validImportance reports importance that no column can have.
func validImportance(all []Importance, classes int) error {
	for _, i := range all {
		if !(i.Effect >= 0 && i.Effect <= math.MaxFloat64) || !(i.Changed >= 0 && i.Changed <= 1) {
			return fmt.Errorf("column %q has an effect of %v, and changes the class of %v of the points", i.Column, i.Effect, i.Changed)
		}
		if i.Class < 0 || i.Class >= max(classes, 1) {
			return fmt.Errorf("column %q has a curve of class %d of %d", i.Column, i.Class+1, classes)
		}
		for _, step := range i.Curve {
			if !(math.Abs(step.Decision) <= math.MaxFloat64) {
				return fmt.Errorf("column %q has a decision value of %v", i.Column, step.Decision)
			}
		}
	}
	return nil
}

// validProfile reports a profile that no model can have.
func (c *Contents) validProfile() error {
	if c.Profile == nil {
		return nil
	}
	if c.Profile.Missing != nil && (c.Encoding == nil || len(c.Profile.Missing) != len(c.Encoding.Columns)) {
		return errors.New("missing values of columns that the encoding does not have")
	}
	return c.Profile.Validate(c.inputs(), len(c.Classes))
}

// validate reports a basis that no model can have.
func (h basisHeader) validate() error {
	storage, ok := h.storage()
	switch {
	case h.Rows < 1 || h.Columns < 0 || h.Stored < 0:
		return fmt.Errorf("a basis of %d×%d points", h.Rows, h.Columns)
	case h.Sparse && h.Columns > points.MaxSparseColumns:
		return fmt.Errorf("a sparse basis of %d columns, above the %d that a model may have", h.Columns, points.MaxSparseColumns)
	case !ok || storage == points.Float64 && h.Unscaled || h.Sparse && h.Storage != "":
		return fmt.Errorf("a basis of %q, sparse: %v, unscaled: %v", h.Storage, h.Sparse, h.Unscaled)
	}
	return nil
}

// validate reports shapes that no model can have, before memory is reserved
// for them.
func (h *header) validate() error {
	if err := h.Basis.validate(); err != nil {
		return err
	}
	if err := h.Description.validate(); err != nil {
		return err
	}
	for _, part := range h.Parts {
		if part.Name == "" || part.Bytes < 0 {
			return fmt.Errorf("a part %q of %d bytes", part.Name, part.Bytes)
		}
	}
	if err := h.Views.validate(h); err != nil {
		return err
	}
	features := h.Description.inputs(h.Basis.Columns)
	switch {
	case !h.Several && h.Origin != nil && h.Origin.Answers != nil:
		return errors.New("answers for several classes of a model of one")
	case h.Several && (h.OneClass || len(h.Classes) == 0 || h.Calibration != nil) || h.Each != nil && !h.Several || h.Held != nil && h.Each == nil:
		return errors.New("several classes of a point that do not fit the rest")
	case !h.Several && h.OneClass != (len(h.Classes) == 1) || len(h.Classes) == 0 && h.Calibration != nil:
		return fmt.Errorf("%d classes", len(h.Classes))
	case h.Ordered && (h.OneClass || h.Several || len(h.Classes) < 2):
		return errors.New("ordered classes that do not fit the rest")
	case h.Machines != task.OutputCodingOf(h.kind(), len(h.Classes)).Machines():
		return fmt.Errorf("%d machines for %d classes", h.Machines, len(h.Classes))
	case h.Encoding != nil && !slices.Equal(h.Features, h.Encoding.encoding().Features()):
		return fmt.Errorf("%d features that are not those of its encoding", len(h.Features))
	case h.Intervals != nil && len(h.Classes) > 0:
		return errors.New("intervals of classes")
	case h.LabelShares && (h.Origin == nil || len(h.Origin.Labelled) > h.Basis.Rows):
		return errors.New("shares of labels that are not there")
	case h.Features != nil && len(h.Features) != features:
		return fmt.Errorf("%d feature names for %d columns", len(h.Features), features)
	}
	if err := h.Local.validate(h); err != nil {
		return err
	}
	return h.Image.validate(features)
}

// validate reports a size that is impossible for images with the given number of features.
func (h *imageHeader) validate(columns int) error {
	if h == nil {
		return nil
	}
	if min(h.Width, h.Height) < 1 || max(h.Width, h.Height) > dataset.MaxImageSide || h.image().Dim() != columns {
		return fmt.Errorf("images of %d×%d dots (colour %v) for %d columns", h.Width, h.Height, h.Colour, columns)
	}
	if !(h.White >= 0 && h.White <= math.MaxFloat64) {
		return fmt.Errorf("images whose white is %v", h.White)
	}
	return nil
}

// validCalibration reports a calibration that no model can have.
func validCalibration(c *calibrate.Calibration, classes int) error {
	switch {
	case c == nil:
		return nil
	case classes == 1:
		return errors.New("a calibration of one class")
	case c.Own != nil && len(c.Own) != classes:
		return fmt.Errorf("probabilities of the labels of %d classes, of %d", len(c.Own), classes)
	}
	return c.Validate()
}

// validate reports parts that do not fit together. It also reports values that no training makes,
// and values changed by writing and reading a file.
func (c *Contents) validate() error {
	n, d := c.Basis.Len(), c.Basis.Dim()
	if len(c.Coefficients) != len(c.Bias) {
		return fmt.Errorf("coefficients of %d machines and %d biases", len(c.Coefficients), len(c.Bias))
	}
	for _, machine := range c.Coefficients {
		if len(machine) != n {
			return fmt.Errorf("%d coefficients for %d basis points", len(machine), n)
		}
	}
	if err := validDescription(c.Description, d); err != nil {
		return err
	}
	if err := validScaling(c.Scaling, d); err != nil {
		return err
	}
	if err := validEncoding(c.Encoding); err != nil {
		return err
	}
	if err := validCalibration(c.Calibration, len(c.Classes)); err != nil {
		return err
	}
	if c.Each != nil {
		if err := c.Each.Validate(len(c.Classes)); err != nil {
			return err
		}
	}
	if c.Intervals != nil {
		if err := c.Intervals.Validate(n); err != nil {
			return err
		}
	}
	if err := c.Origin.validate(n, len(c.Classes)); err != nil {
		return err
	}
	if err := c.validProfile(); err != nil {
		return err
	}
	if err := validImportance(c.Importance, len(c.Classes)); err != nil {
		return err
	}
	if c.LabelShares != nil && len(c.LabelShares) != len(c.Bias) {
		return fmt.Errorf("shares of labels of %d machines of %d", len(c.LabelShares), len(c.Bias))
	}
	for _, machine := range c.LabelShares {
		if c.Origin == nil || len(machine) != len(c.Origin.Labelled())*n {
			return fmt.Errorf("%d shares of labels for %d basis points", len(machine), n)
		}
	}
	if err := c.Local.validate(len(c.Bias), len(c.Classes)); err != nil {
		return err
	}
	if err := c.Attachment.validate(len(c.Bias)); err != nil {
		return err
	}
	if err := c.validViews(); err != nil {
		return err
	}
	if err := c.finite(); err != nil {
		return err
	}
	for _, name := range slices.Concat(c.Classes, c.Features, c.Attachment.names(), []string{c.Label}) {
		if !utf8.ValidString(name) {
			return fault.Errorf("the name %q is not UTF-8: convert the data", name)
		}
	}
	return c.Kernel.Validate()
}

// validScaling reports a scaling that is impossible for points with the given number of columns.
func validScaling(s points.Scaling, columns int) error {
	affine, curved := 0, 0
	switch s.Kind {
	case "", points.AsIs, points.UnitNorm:
	case points.ZScore, points.MinMax:
		affine = columns
	case points.Columns:
		affine, curved = columns, columns
	default:
		return fmt.Errorf("unknown standardisation %q", s.Kind)
	}
	if len(s.Shift) != affine || len(s.Factor) != affine || len(s.Centre) != curved || len(s.Width) != curved {
		return fmt.Errorf("a scaling (%s) by %d, %d, %d and %d numbers of %d columns", s.Kind, len(s.Shift), len(s.Factor), len(s.Centre), len(s.Width), columns)
	}
	if slices.ContainsFunc(s.Width, func(w float64) bool { return !(w >= 0) }) {
		return errors.New("a scaling with a negative width")
	}
	return nil
}

// finite reports a number that is infinite or none.
func (c *Contents) finite() error {
	if i, j, found := c.Basis.FirstNotFinite(); found {
		return fmt.Errorf("column %d of basis point %d is not finite", j+1, i+1)
	}
	rows := []struct {
		name   string
		values [][]float64
	}{
		{"coefficients", c.Coefficients}, {"biases", [][]float64{c.Bias}}, {"shares of labels", c.LabelShares},
		{"shifts of the scaling", [][]float64{c.Scaling.Shift}}, {"factors of the scaling", [][]float64{c.Scaling.Factor}},
		{"centres of the scaling", [][]float64{c.Scaling.Centre}}, {"widths of the scaling", [][]float64{c.Scaling.Width}},
	}
	for _, r := range rows {
		for _, values := range r.values {
			if k := slices.IndexFunc(values, func(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) }); k >= 0 {
				return fmt.Errorf("one of the %s is %v", r.name, values[k])
			}
		}
	}
	return nil
}
