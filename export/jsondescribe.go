package export

import (
	"slices"

	"lapsvm/internal/describe"
)

// jsonDescription is what points are described by, before they are scaled: pictures, or the columns of a
// table with texts. Its numbers are float32 but for those of its scalings, shift and factor.
type jsonDescription struct {
	Width   int        `json:"width,omitempty"` // of pictures, with the next five
	Height  int        `json:"height,omitempty"`
	Colours int        `json:"colours,omitempty"`
	Shift   float64    `json:"shift,omitempty"`
	Factor  float64    `json:"factor,omitempty"`
	Aligned bool       `json:"aligned,omitempty"`
	Columns int        `json:"columns,omitempty"` // of a table with texts
	Parts   []jsonPart `json:"parts"`
}

type jsonPart struct {
	Name       string       `json:"name"`
	Filters    [][]float32  `json:"filters,omitempty"`
	Mean       []float32    `json:"mean,omitempty"`
	Components [][]float32  `json:"components,omitempty"` // a row for each number, or each column
	Columns    [][2]int     `json:"columns,omitempty"`
	Scaling    *jsonScaling `json:"scaling,omitempty"`
}

func newJSONDescription(d describe.Description) *jsonDescription {
	if d == nil {
		return nil
	}
	var out *jsonDescription
	switch d := d.(type) {
	case *describe.OfPictures:
		s := d.Shape
		out = &jsonDescription{Width: s.Width, Height: s.Height, Colours: s.Colours, Shift: d.Shift, Factor: d.Factor, Aligned: d.Aligned}
	case *describe.OfColumns:
		out = &jsonDescription{Columns: d.Columns}
	}
	for _, p := range d.List() {
		part := jsonPart{Name: p.Name, Mean: p.Mean, Columns: p.Columns}
		if len(p.Filters) > 0 {
			part.Filters = slices.Collect(slices.Chunk(p.Filters, len(p.Filters)/describe.FilterCount))
		}
		if len(p.Components) > 0 {
			part.Components = slices.Collect(slices.Chunk(p.Components, p.Dim()))
		}
		if p.Scaling != nil {
			part.Scaling = newJSONScaling(*p.Scaling)
		}
		out.Parts = append(out.Parts, part)
	}
	return out
}
