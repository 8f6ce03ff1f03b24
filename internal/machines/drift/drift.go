// Package drift tells whether points come from where the training points of a model did. A
// [Profile] is the record that a model keeps of its training points: ranges of columns, distances
// to the nearest other point, shares of the predicted classes. A [Report] holds other points
// against it.
//
// All is judged by ranks and counts, so that nothing is assumed of how values are distributed. A
// drift must be both far and more than chance explains. Points from the same source are reported at
// most once in a thousand times, for each of columns, rows, classes, missing values and new values.
package drift

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"lapsvm/internal/ranks/comm"
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

	// Without counts the same sample by decision values without each row's own contribution. The
	// predictions for unseen points lie between Classes and Without. Without is nil where rows
	// contribute nothing of their own.
	Without []int `json:"without,omitempty"`

	Missing   []int `json:"missing,omitempty"`    // missing values of the columns of a table that was encoded
	MissingOf int   `json:"missing_of,omitempty"` // rows of that table
}

// Sample returns at most 2,000 of n rows, ascending: all rows, or one drawn at random from each of
// 2,000 spans of equal length. Rows at even distances could all be of one kind, in a table whose
// rows alternate. The same n gives the same rows.
func Sample(n int) []int {
	rows := make([]int, min(n, mostSampled))
	random := rand.New(rand.NewPCG(uint64(n), 0))
	for k := range rows {
		from, to := k*n/len(rows), (k+1)*n/len(rows)
		rows[k] = from + random.IntN(to-from)
	}
	return rows
}

// Validate reports contents that are impossible for a profile of points with the given number of
// features and of predicted classes.
func (p *Profile) Validate(features, classes int) error {
	const most = 1 << 40 // rows of any table
	if p.Points < 1 || p.Points > most || p.MissingOf > most {
		return fmt.Errorf("%d training points and a table of %d rows", p.Points, p.MissingOf)
	}
	for _, c := range p.Columns {
		if c.Feature < 0 && (c.Feature != WholeRow || len(p.Columns) > 1) || c.Feature >= features {
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
	Unseen   []ShareReport  // rows with values that the training did not have, likewise
}

// Drifted reports whether anything has drifted.
func (r *Report) Drifted() bool {
	for _, c := range r.Columns {
		if c.Drifted {
			return true
		}
	}
	for _, shares := range [][]ShareReport{r.Missing, r.Unseen} {
		for _, s := range shares {
			if s.Drifted {
				return true
			}
		}
	}
	return r.Rows != nil && r.Rows.Drifted || r.Classes != nil && r.Classes.Drifted
}

// Compare compares n points with the profile. The points x come before any scaling. The [Rows]
// measure of each point is in measure, nil where it is not known; measures beyond [Rows.Limit] must
// be exact. The number of points predicted as each class is in classes.
//
// Ranks that share the n points each pass the points, measures and counts of their own. rows holds
// the numbers of these points among all n, ascending; nil means 0, 1, …. The report is the same on
// all ranks. It fails when ctx is done. Cost: one pass over x, and two sorts of at most 2,000 values
// for each column of the profile. 2,000 rows of these columns, and the far rows, are sent to all
// ranks.
func (p *Profile) Compare(ctx context.Context, c *comm.Comm, x *points.Points, rows []int, n int, measure []float64, classes []int) (*Report, error) {
	r := &Report{Points: n, Training: p.Points}
	if n == 0 {
		return r, ctx.Err()
	}
	if len(p.Columns) > 0 {
		features, low, high := p.bounds()
		s := statisticsOf(x, features, indices(Sample(n), rows), low, high)
		if err := s.join(ctx, c); err != nil {
			return nil, err
		}
		r.Columns = p.compareColumns(s, features, n)
	}
	if p.Rows != nil && (measure != nil || x.Len() == 0) {
		far, err := joinRows(ctx, c, p.Rows.farRows(measure), rows)
		if err != nil {
			return nil, err
		}
		r.Rows = p.Rows.compare(far, n)
	}
	if p.Classes != nil && classes != nil {
		other := p.Classes
		if p.Without != nil {
			other = p.Without
		}
		counts := make([]float64, len(classes))
		for k, count := range classes {
			counts[k] = float64(count)
		}
		if err := c.Sum(ctx, counts); err != nil {
			return nil, err
		}
		all := make([]int, len(classes))
		for k, count := range counts {
			all[k] = int(count)
		}
		r.Classes = compareShares(p.Classes, other, all)
	}
	return r, nil
}

// indices returns the places of wanted rows among the local rows; both are ascending.
func indices(wanted, rows []int) []int {
	if rows == nil {
		return wanted
	}
	var at []int
	for _, row := range wanted {
		if i, has := slices.BinarySearch(rows, row); has {
			at = append(at, i)
		}
	}
	return at
}

// joinRows returns the far rows of all ranks, ascending, of the own ones by their place
// among rows.
func joinRows(ctx context.Context, c *comm.Comm, far []Row, rows []int) ([]Row, error) {
	if c.Alone() {
		return far, ctx.Err()
	}
	flat := make([]float64, 0, 2*len(far))
	for _, row := range far {
		flat = append(flat, float64(rows[row.Index]), row.Value)
	}
	parts, err := c.Gather(ctx, comm.Bytes(flat))
	if err != nil {
		return nil, err
	}
	far = far[:0]
	for pair := range slices.Chunk(comm.Numbers[float64](bytes.Join(parts, nil)), 2) {
		far = append(far, Row{int(pair[0]), pair[1]})
	}
	slices.SortFunc(far, func(a, b Row) int { return a.Index - b.Index })
	return far, nil
}
