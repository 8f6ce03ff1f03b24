package drift

import (
	"cmp"
	"errors"
	"math"
	"slices"
)

// Measure is what is measured of a row.
type Measure string

// The measures.
const (
	Distance Measure = "distance" // to the nearest point that the model consists of, scaled as that is
	Length   Measure = "length"   // of the row; of a model that has weight vectors in place of points
)

// What a row must show to be far.
const (
	farTimes  = 2   // so many times beyond the outermost hundredth of the training
	sureTimes = 10  // so many times beyond all of the training chance does not count
	sureShare = 0.1 // if so many of the rows are
	sureAmong = 20  // and the training had so many
)

// Rows is how a sample of the training rows measures, each against the others.
type Rows struct {
	Measure Measure `json:"measure"`
	Count   int     `json:"count"`   // rows of the sample
	Low     float64 `json:"low"`     // a hundredth is not above it
	Median  float64 `json:"median"`  // half is not above it
	High    float64 `json:"high"`    // a hundredth is not below it
	Largest float64 `json:"largest"` // none is above it
}

// rank returns the number, counted from the end, of the value that bounds a hundredth of n values.
func rank(n int) int { return 1 + n/100 }

// NewRows returns how values measure, nil where one is not finite or none is there.
func NewRows(m Measure, values []float64) *Rows {
	n := len(values)
	if n == 0 || slices.ContainsFunc(values, func(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) }) {
		return nil
	}
	sorted := slices.Sorted(slices.Values(values))
	return &Rows{m, n, sorted[rank(n)-1], sorted[(n-1)/2], sorted[n-rank(n)], sorted[n-1]}
}

func (r *Rows) validate() error {
	switch {
	case r == nil:
		return nil
	case r.Measure != Distance && r.Measure != Length:
		return errors.New("an unknown measure of rows")
	case r.Count < 1 || r.Count > mostSampled:
		return errors.New("a sample of rows that cannot be")
	case !(0 <= r.Low && r.Low <= r.Median && r.Median <= r.High && r.High <= r.Largest) || math.IsInf(r.Largest, 0):
		return errors.New("measures of rows that are not finite and ascending")
	}
	return nil
}

// RowsReport holds the rows against those of the training.
type RowsReport struct {
	Rows           // of the training
	Floor  float64 // a Length below it is far, half of Low; else there is none
	Far    int     // how many rows are far
	Index  []int   // of these, from 0, ascending
	Worst  []Row   // the farthest of these, at most ten, the worst first
	Chance float64 // probability of so many by chance
	// Drifted reports whether more rows are far than chance explains. It is also true where a tenth
	// of the rows, even of a few, measure over ten times the largest of 20 or more training rows.
	Drifted bool
}

// Row is a row and its measure.
type Row struct {
	Index int // from 0
	Value float64
}

// worstShown is how many far rows are named.
const worstShown = 10

// Limit returns the measure above which a row is far: twice High, or Largest where High is 0.
func (r *Rows) Limit() float64 {
	if r.High == 0 {
		return r.Largest
	}
	return farTimes * r.High
}

// floor returns what a row must be below to be far: half of Low of a [Length], else −∞.
func (r *Rows) floor() float64 {
	if r.Measure == Length {
		return r.Low / farTimes
	}
	return math.Inf(-1)
}

// Far reports whether a row that measures v is far.
func (r *Rows) Far(v float64) bool { return !(v <= r.Limit() && v >= r.floor()) }

// farRows returns the far rows, given the measures of all rows.
func (r *Rows) farRows(values []float64) []Row {
	var far []Row
	for i, v := range values {
		if r.Far(v) {
			far = append(far, Row{i, v})
		}
	}
	return far
}

// compare holds n rows, of which some are far, ascending, against those of the training.
func (r *Rows) compare(far []Row, n int) *RowsReport {
	o, limit := &RowsReport{Rows: *r, Floor: r.floor()}, r.Limit()
	tails := 1.0
	if r.Measure == Length {
		tails = 2
	}
	above, sure := 0, 0
	for _, row := range far {
		o.Index = append(o.Index, row.Index)
		if row.Value > limit {
			above++
		}
		if r.Largest > 0 && row.Value > sureTimes*r.Largest {
			sure++
		}
	}
	// How many times beyond its bound a row is.
	excess := func(a Row) float64 {
		if a.Value < o.Floor {
			return o.Floor / a.Value
		}
		return a.Value / limit
	}
	slices.SortStableFunc(far, func(a, b Row) int {
		return cmp.Or(cmp.Compare(excess(b), excess(a)), cmp.Compare(b.Value, a.Value))
	})
	o.Far, o.Worst = len(far), far[:min(len(far), worstShown)]
	o.Chance = min(1, tails*exceedance(r.Count, n, max(above, len(far)-above), rank(r.Count)))
	o.Drifted = r.Count >= sureAmong && float64(sure) >= sureShare*float64(n) && sure > 0 || len(far) > 0 && o.Chance < level
	return o
}
