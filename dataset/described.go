package dataset

import (
	"fmt"

	"lapsvm/internal/describe"
	"lapsvm/points"
)

// Described reports whether the points are made of the features that all other fields are about.
func (d *Dataset) Described() bool { return d.description != nil }

// Description returns what the points were made by, nil unless they are described.
func (d *Dataset) Description() describe.Description { return d.description }

// AsRead returns the features as they were before anything described them, nil of described rows that another rank sent.
func (d *Dataset) AsRead() *points.Points {
	if d.Described() {
		return d.undescribed
	}
	return d.Points
}

// As returns d with points that a description makes of its features.
func (d *Dataset) As(p *points.Points, by describe.Description) *Dataset {
	other := *d
	other.Points, other.undescribed, other.description = p, d.Points, by
	return &other
}

// Only returns described data with some of the parts of their description alone, or, where none is kept, as they were read.
func (d *Dataset) Only(kept func(*describe.Part) bool) *Dataset {
	some := *d
	switch by := describe.Only(d.description, kept); len(by.List()) {
	case 0:
		some.Points, some.undescribed, some.description = d.undescribed, nil, nil
	case len(d.description.List()):
		return d
	default:
		some.Points, some.description = describe.OnlyOf(d.description, d.Points, kept), by
	}
	return &some
}

// OfNumbers reports whether the points are columns of numbers, or a vector, as they were read: nothing describes them, and they are no pictures.
func (d *Dataset) OfNumbers() bool {
	return !d.Described() && d.Image.None() && !d.Featureless && d.Encoding.NumbersAlone()
}

// Untold reports whether the points are numbers of which no table tells more.
func (d *Dataset) Untold() bool { return d.OfNumbers() && d.Encoding == nil }

// Together is [Encoding.Together] of the columns of the points. Those that a description makes belong to no group.
func (d *Dataset) Together() []points.Group {
	if d.Described() {
		return nil
	}
	return d.Encoding.Together()
}

// ColumnName names a column of the points for people.
func (d *Dataset) ColumnName(j int) string {
	if !d.Described() && j < len(d.Features) && d.Features[j] != "" {
		return fmt.Sprintf("column %q", d.Features[j])
	}
	return fmt.Sprintf("column %d", j+1)
}
