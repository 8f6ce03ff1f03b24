// Package describe says what pictures are, in fewer and better numbers than their pixels.
//
// A description reads the pixels of a picture, computes many numbers of them, and brings these to
// their first principal components. Learn learns it from pictures without labels. Several
// descriptions stand side by side. Machines and graphs then see its numbers in place of the pixels.
package describe

import (
	"context"
	"slices"

	"lapsvm/points"
)

// Description is what points are described by: [OfPictures] or [OfColumns].
type Description interface {
	// List returns the parts, which stand side by side.
	List() []Part
	// Names lists the descriptions of the parts, each once.
	Names() []string
	// Inputs returns the number of columns that Apply reads, and Dim the number that it gives.
	Inputs() int
	Dim() int
	// Apply describes the rows of a table. The result is dense, of float32. The bits of a row depend on the row alone. It fails for
	// another number of columns, and once ctx is done.
	Apply(ctx context.Context, p *points.Points) (*points.Points, error)
	// Validate returns an error for a description that cannot have been learned.
	Validate() error
	// Terms returns the columns of words among the inputs p, see [OfColumns.Terms]. It is nil where there are none.
	Terms(p *points.Points) *points.Points

	of(parts Parts) Description
}

// Part is one description. A picture of D numbers v becomes the m numbers (v − Mean)·Components.
type Part struct {
	Name       string
	Filters    []float32 // nil, or those that the description learned, one after the other
	Mean       []float32 // D, of the numbers of the sample
	Components []float32 // D×m, row after row. Of pictures they give the sample the mean square norm of [Part.weigh]

	// Of a table. Latent, RareWords and WordVectors have the components of their columns, Numbers and Vectors the scaling, Factors both.
	Columns [][2]int // the part reads the columns from ≤ j < to of each pair
	Scaling *points.Scaling
}

// Dim returns the numbers of a picture that the part gives.
func (p *Part) Dim() int {
	inputs := max(len(p.Mean), runs(p.Columns).width())
	switch {
	case inputs == 0:
		return 0
	case p.Scaling != nil && len(p.Components) == 0:
		return inputs
	}
	return len(p.Components) / inputs
}

// Parts are those of a description, side by side.
type Parts []Part

// List returns the parts.
func (all Parts) List() []Part { return all }

// Names lists the descriptions of the parts, each once.
func (all Parts) Names() (names []string) {
	for k := range all {
		if !slices.Contains(names, all[k].Name) { // two texts have a part each
			names = append(names, all[k].Name)
		}
	}
	return names
}

// Dim returns the number of columns that the parts give.
func (all Parts) Dim() int {
	dim := 0
	for k := range all {
		dim += all[k].Dim()
	}
	return dim
}

// Only returns a description with some of its parts alone.
func Only(d Description, kept func(*Part) bool) Description {
	var some Parts
	all := d.List()
	for k := range all {
		if kept(&all[k]) {
			some = append(some, all[k])
		}
	}
	return d.of(some)
}

// OnlyOf returns what Apply of Only(d, kept) gives of the points that Apply of d has described. It describes nothing anew.
func OnlyOf(d Description, described *points.Points, kept func(*Part) bool) *points.Points {
	var columns runs
	at, all := 0, d.List()
	for k := range all {
		m := all[k].Dim()
		if kept(&all[k]) {
			columns.add(at, at+m)
		}
		at += m
	}
	n, width := described.Len(), columns.width()
	values, row := make([]float32, 0, n*width), make([]float64, at)
	for i := range n {
		described.CopyRow(row, i)
		for _, run := range columns {
			for _, v := range row[run[0]:run[1]] {
				values = append(values, float32(v))
			}
		}
	}
	return points.Dense32(n, width, values)
}
