// Package drift tells whether points come from where the training points of a model
// did. A [Profile] is what a model keeps of its training points for that: ranges of
// columns, distances to the nearest other point, shares of the predicted classes. A
// [Report] holds other points against it.
//
// All is judged by ranks and counts, so that nothing is assumed of how values are
// distributed. Something has drifted where it is both far and more than chance: chance
// alone, when points come from the same source, says so once in a thousand times at
// most for each of columns, rows, classes and missing values.
package drift

import (
	"errors"
	"fmt"
	"math"

	"lapsvm/points"
)

// level is how often chance alone may look like a drift, for all columns together,
// and likewise for rows, for classes and for missing values.
const level = 0.001

// mostSampled is how many rows quantiles, distances and shares are taken from.
const mostSampled = 2000

// Profile is what is kept of training points. The zero value knows nothing.
type Profile struct {
	Points  int      `json:"points"`            // training points
	Columns []Column `json:"columns,omitempty"` // ranges; nil where they are not known
	Rows    *Rows    `json:"rows,omitempty"`    // nil where they are not known
	Classes []int    `json:"classes,omitempty"` // how many of a sample were predicted as each class; of a single one, inside and outside of it

	// Without is the same, of the values without what each row itself adds to its own.
	// What the machines say of points that they never saw is between the two. nil where
	// rows add nothing of their own.
	Without []int `json:"without,omitempty"`

	Missing   []int `json:"missing,omitempty"`    // missing values of the columns of a table that was encoded
	MissingOf int   `json:"missing_of,omitempty"` // rows of that table
}

// Sample returns at most 2,000 of n rows, at even distances.
func Sample(n int) []int {
	rows := make([]int, min(n, mostSampled))
	for k := range rows {
		rows[k] = k * n / len(rows)
	}
	return rows
}

// Validate reports what no profile of points of so many features, with so many
// predicted classes, can hold.
func (p *Profile) Validate(features, classes int) error {
	const most = 1 << 40 // rows of any table
	if p.Points < 1 || p.Points > most || p.MissingOf > most {
		return fmt.Errorf("%d training points and a table of %d rows", p.Points, p.MissingOf)
	}
	for _, c := range p.Columns {
		if c.Feature < WholeRow || c.Feature >= features {
			return fmt.Errorf("column %d of %d", c.Feature+1, features)
		}
		for k, v := range c.Deciles {
			if math.IsNaN(v) || math.IsInf(v, 0) || k > 0 && v < c.Deciles[k-1] {
				return fmt.Errorf("quantiles of column %d that are not finite and ascending", c.Feature+1)
			}
		}
	}
	for _, counts := range [][]int{p.Classes, p.Without} {
		if counts != nil && len(counts) != max(classes, 2) {
			return fmt.Errorf("shares of %d classes of %d", len(counts), classes)
		}
		for _, n := range counts {
			if n < 0 || n > mostSampled {
				return errors.New("predictions of a class that cannot be counted")
			}
		}
	}
	for _, n := range p.Missing {
		if n < 0 || n > p.MissingOf {
			return fmt.Errorf("%d missing values of %d", n, p.MissingOf)
		}
	}
	return p.Rows.validate()
}

// Report holds points against a profile.
type Report struct {
	Points   int            // that were examined
	Training int            // training points
	Columns  []ColumnReport // those that drifted first, then the others, each the most moved first
	Rows     *RowsReport    // nil where nothing is known
	Classes  *SharesReport  // nil where nothing is known
	Missing  []ShareReport  // of the columns of a table that was encoded, in their order; nil where nothing is known
}

// Drifted reports whether anything has drifted.
func (r *Report) Drifted() bool {
	for _, c := range r.Columns {
		if c.Drifted {
			return true
		}
	}
	for _, s := range r.Missing {
		if s.Drifted {
			return true
		}
	}
	return r.Rows != nil && r.Rows.Drifted || r.Classes != nil && r.Classes.Drifted
}

// Compare holds points against the profile: x as they were before any scaling,
// measure what [Rows] measures of each, nil where that is not known, exactly where it is beyond [Rows.Limit], and how many
// are predicted as each class. Cost: one pass over x, and a sort of at most 2,000 values
// for each column of the profile.
func (p *Profile) Compare(x *points.Points, measure []float64, classes []int) *Report {
	r := &Report{Points: x.Len(), Training: p.Points}
	if x.Len() == 0 {
		return r
	}
	r.Columns = p.compareColumns(x)
	if p.Rows != nil && measure != nil {
		r.Rows = p.Rows.compare(measure)
	}
	if p.Classes != nil && classes != nil {
		other := p.Classes
		if p.Without != nil {
			other = p.Without
		}
		r.Classes = compareShares(p.Classes, other, classes)
	}
	return r
}
