package modelfile

import (
	"errors"
	"fmt"
	"slices"

	"lapsvm/internal/describe"
	"lapsvm/points"
)

// descriptionHeader has the shapes of a description, whose numbers come last in the file: of each part the
// filters, the mean and the components, as float32, and the scaling, as float64.
type descriptionHeader struct {
	Version int          `json:"version"`
	Width   int          `json:"width,omitempty"` // of pictures, with the next five
	Height  int          `json:"height,omitempty"`
	Colours int          `json:"colours,omitempty"`
	Shift   float64      `json:"shift,omitempty"`
	Factor  float64      `json:"factor,omitempty"`
	Aligned bool         `json:"aligned,omitempty"`
	Columns int          `json:"columns,omitempty"` // of a table with texts
	Parts   []partHeader `json:"parts"`
}

type partHeader struct {
	Name       string   `json:"name"`
	Filters    int      `json:"filters,omitempty"` // numbers of each
	Mean       int      `json:"mean,omitempty"`
	Components int      `json:"components,omitempty"`
	Columns    [][2]int `json:"columns,omitempty"`     // from and to of each run
	Scaling    string   `json:"standardise,omitempty"` // of so many columns
	Scaled     int      `json:"scaled,omitempty"`
}

// The versions of a description. It has the lowest whose readers do not misread it.
const (
	descriptionVersion = 1
	alignedVersion     = 2 // aligned pictures
)

// mostDescribed is how many numbers a part of a description has at most.
const mostDescribed = 1 << 28

func descriptionToHeader(d describe.Description) *descriptionHeader {
	if d == nil {
		return nil
	}
	h := &descriptionHeader{Version: descriptionVersion}
	switch d := d.(type) {
	case *describe.OfPictures:
		h.Width, h.Height, h.Colours, h.Shift, h.Factor, h.Aligned = d.Shape.Width, d.Shape.Height, d.Shape.Colours, d.Shift, d.Factor, d.Aligned
		if d.Aligned {
			h.Version = alignedVersion
		}
	case *describe.OfColumns:
		h.Columns = d.Columns
	}
	for _, p := range d.List() {
		part := partHeader{Name: p.Name, Filters: len(p.Filters), Mean: len(p.Mean), Components: len(p.Components), Columns: p.Columns}
		if p.Scaling != nil {
			part.Scaling, part.Scaled = string(p.Scaling.Kind), len(p.Scaling.Shift)
		}
		h.Parts = append(h.Parts, part)
	}
	return h
}

// validate reports shapes that no description has, before memory is reserved for them.
func (h *descriptionHeader) validate() error {
	if h == nil {
		return nil
	}
	if h.Aligned != (h.Version == alignedVersion) {
		return fmt.Errorf("version %d of a description of pictures, aligned: %t", h.Version, h.Aligned)
	}
	for _, p := range h.Parts {
		if numbers := []int{p.Filters, p.Mean, p.Components, p.Scaled}; slices.Min(numbers) < 0 || slices.Max(numbers) > mostDescribed {
			return fmt.Errorf("a description %s of %d, %d and %d numbers", p.Name, p.Filters, p.Mean, p.Components)
		}
	}
	switch {
	case h.Columns == 0:
		return h.shape().Validate()
	case h.shape() != describe.Shape{} || h.Shift != 0 || h.Factor != 0 || h.Aligned:
		return errors.New("a description of pictures that has columns of texts")
	}
	return nil
}

func (h *descriptionHeader) shape() describe.Shape {
	return describe.Shape{Width: h.Width, Height: h.Height, Colours: h.Colours}
}

// inputs returns how many features a described point is made of, where the basis has so many columns.
func (h *descriptionHeader) inputs(columns int) int {
	if h == nil {
		return columns
	}
	if h.Columns != 0 {
		return h.Columns
	}
	return h.shape().Inputs()
}

// description reads the numbers of a description.
func (d *decoder) description(h *descriptionHeader) describe.Description {
	if h == nil {
		return nil
	}
	var parts describe.Parts
	for _, p := range h.Parts {
		part := describe.Part{Name: p.Name, Filters: d.some(p.Filters), Mean: d.some(p.Mean), Components: d.some(p.Components), Columns: p.Columns}
		if p.Scaling != "" {
			part.Scaling = &points.Scaling{Kind: points.Standardise(p.Scaling)}
			for _, numbers := range scalingNumbers(part.Scaling) {
				*numbers = d.floats(p.Scaled)
			}
		}
		parts = append(parts, part)
	}
	if h.Columns != 0 {
		return &describe.OfColumns{Columns: h.Columns, Parts: parts}
	}
	return &describe.OfPictures{Shape: h.shape(), Shift: h.Shift, Factor: h.Factor, Aligned: h.Aligned, Parts: parts}
}

// some is singles that are nil for none.
func (d *decoder) some(n int) []float32 {
	if n == 0 {
		return nil
	}
	return d.singles(n)
}

// scalingNumbers returns the numbers of the scaling of a part, in the order of the file.
func scalingNumbers(s *points.Scaling) []*[]float64 {
	return []*[]float64{&s.Shift, &s.Factor, &s.Centre, &s.Width}
}

// description writes the numbers of a description.
func (e *encoder) description(d describe.Description) {
	if d == nil {
		return
	}
	for _, p := range d.List() {
		e.singles(p.Filters)
		e.singles(p.Mean)
		e.singles(p.Components)
		if s := p.Scaling; s != nil {
			for _, numbers := range scalingNumbers(s) {
				e.floats(*numbers)
			}
		}
	}
}

// validDescription reports a description that no model can have whose basis has so many columns.
func validDescription(d describe.Description, columns int) error {
	if d == nil {
		return nil
	}
	if err := d.Validate(); err != nil {
		return err
	}
	if d.Dim() != columns {
		return errors.New("a description of other points than those of the basis")
	}
	return nil
}
