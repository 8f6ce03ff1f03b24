package modelfile

import (
	"errors"
	"fmt"

	"lapsvm/internal/describe"
)

// descriptionHeader has the shapes of a description, whose numbers come last in the file: of each part the
// filters, the mean and the components, as float32.
type descriptionHeader struct {
	Version int          `json:"version"`
	Width   int          `json:"width"`
	Height  int          `json:"height"`
	Colours int          `json:"colours"`
	Shift   float64      `json:"shift"`
	Factor  float64      `json:"factor"`
	Parts   []partHeader `json:"parts"`
}

type partHeader struct {
	Name       string `json:"name"`
	Filters    int    `json:"filters"` // numbers of each
	Mean       int    `json:"mean"`
	Components int    `json:"components"`
}

const descriptionVersion = 1

// mostDescribed is how many numbers a part of a description has at most.
const mostDescribed = 1 << 28

func descriptionToHeader(d *describe.Description) *descriptionHeader {
	if d == nil {
		return nil
	}
	h := &descriptionHeader{Version: descriptionVersion, Width: d.Shape.Width, Height: d.Shape.Height, Colours: d.Shape.Colours, Shift: d.Shift, Factor: d.Factor}
	for k := range d.Parts {
		p := &d.Parts[k]
		h.Parts = append(h.Parts, partHeader{p.Name, len(p.Filters), len(p.Mean), len(p.Components)})
	}
	return h
}

// validate reports shapes that no description has, before memory is reserved for them.
func (h *descriptionHeader) validate() error {
	if h == nil {
		return nil
	}
	for _, p := range h.Parts {
		if min(p.Filters, p.Mean, p.Components) < 0 || max(p.Filters, p.Mean, p.Components) > mostDescribed {
			return fmt.Errorf("a description %s of %d, %d and %d numbers", p.Name, p.Filters, p.Mean, p.Components)
		}
	}
	return h.shape().Validate()
}

func (h *descriptionHeader) shape() describe.Shape {
	return describe.Shape{Width: h.Width, Height: h.Height, Colours: h.Colours}
}

// inputs returns how many features a described point is made of, where the basis has so many columns.
func (h *descriptionHeader) inputs(columns int) int {
	if h == nil {
		return columns
	}
	return h.shape().Inputs()
}

// description reads the numbers of a description.
func (d *decoder) description(h *descriptionHeader) *describe.Description {
	if h == nil {
		return nil
	}
	out := &describe.Description{Shape: h.shape(), Shift: h.Shift, Factor: h.Factor}
	for _, p := range h.Parts {
		part := describe.Part{Name: p.Name}
		if p.Filters > 0 {
			part.Filters = d.singles(p.Filters)
		}
		part.Mean, part.Components = d.singles(p.Mean), d.singles(p.Components)
		out.Parts = append(out.Parts, part)
	}
	return out
}

// description writes the numbers of a description.
func (e *encoder) description(d *describe.Description) {
	if d == nil {
		return
	}
	for k := range d.Parts {
		e.singles(d.Parts[k].Filters)
		e.singles(d.Parts[k].Mean)
		e.singles(d.Parts[k].Components)
	}
}

// validDescription reports a description that no model can have whose basis has so many columns.
func validDescription(d *describe.Description, columns int) error {
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
