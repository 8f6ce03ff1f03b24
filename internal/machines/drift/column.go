package drift

import (
	"bytes"
	"cmp"
	"context"
	"math"
	"slices"

	"lapsvm/internal/ranks/comm"
	"lapsvm/points"
)

// WholeRow in place of a feature stands for the largest magnitude in a row. With more than
// [MostColumns] columns a profile keeps WholeRow alone.
const WholeRow = -1

// MostColumns is how many columns have their ranges kept.
const MostColumns = 256

// What a column must show beside more than chance.
const (
	farShare    = 0.05 // of the rows far outside of the training range, or else
	farApart    = 0.5  // distance of the distribution functions, or
	shrunkApart = 0.25 // this distance where
	shrunk      = 10   // the spread is so many times smaller
	unitFactor  = 5    // from which on a factor is told
)

// Column is the range of a column: its least value, its nine deciles, those of a
// sample of the rows, and its largest value.
type Column struct {
	Feature int         `json:"feature"` // from 0; or WholeRow
	Deciles [11]float64 `json:"deciles"`
}

// spread returns the width of the middle 80 % of the values, or of all values where the middle 80 %
// has no width.
func (c *Column) spread() float64 {
	if s := c.Deciles[9] - c.Deciles[1]; s > 0 {
		return s
	}
	return c.Deciles[10] - c.Deciles[0]
}

// Columns returns the ranges of some features of p, or of all where features is nil. For more than
// [MostColumns] features it returns the range of [WholeRow]. There is at least one row. Cost: one
// pass over p, and a sort of at most 2,000 values for each column.
func Columns(p *points.Points, features []int) []Column {
	if len(features) == 0 && features != nil {
		return nil
	}
	if features == nil {
		for j := range min(p.Dim(), MostColumns+1) {
			features = append(features, j)
		}
	}
	if len(features) > MostColumns {
		features = []int{WholeRow}
	}
	return statisticsOf(p, features, Sample(p.Len()), nil, nil).columns(features)
}

// columnStatistics is what is known of some columns of points, or of those of a rank.
type columnStatistics struct {
	sample       []float64 // values of the sampled rows, row after row
	least, most  []float64
	below, above []float64 // how many values are beyond bounds
}

// statisticsOf goes through the rows of p once: for some features, with a sample of the rows, and
// bounds of each column, nil for none.
func statisticsOf(p *points.Points, features, sample []int, low, high []float64) *columnStatistics {
	s := &columnStatistics{least: make([]float64, len(features)), most: make([]float64, len(features)), below: make([]float64, len(features)), above: make([]float64, len(features))}
	for at := range features {
		s.least[at], s.most[at] = math.Inf(1), math.Inf(-1)
	}
	i := 0
	eachRow(p, features, func(values []float64) {
		if len(sample) > 0 && sample[0] == i {
			s.sample, sample = append(s.sample, values...), sample[1:]
		}
		i++
		for at, v := range values {
			s.least[at], s.most[at] = min(s.least[at], v), max(s.most[at], v)
			if low != nil && v < low[at] {
				s.below[at]++
			}
			if high != nil && v > high[at] {
				s.above[at]++
			}
		}
	})
	return s
}

// join has ranks know what all of them have seen.
func (s *columnStatistics) join(ctx context.Context, c *comm.Comm) error {
	samples, err := c.Gather(ctx, comm.Bytes(s.sample))
	if err != nil {
		return err
	}
	s.sample = comm.Numbers[float64](bytes.Join(samples, nil))
	counts, extremes := slices.Concat(s.below, s.above), s.most
	for _, v := range s.least {
		extremes = append(extremes, -v)
	}
	if err := c.Sum(ctx, counts); err != nil {
		return err
	}
	width := len(s.below)
	s.below, s.above = counts[:width], counts[width:]
	err = c.Max(ctx, extremes)
	s.most = extremes[:width]
	for at := range s.least {
		s.least[at] = -extremes[width+at]
	}
	return err
}

// sorted returns the values of a column in the sample.
func (s *columnStatistics) sorted(column int) []float64 {
	var values []float64
	for at := column; at < len(s.sample); at += len(s.least) {
		values = append(values, s.sample[at])
	}
	slices.Sort(values)
	return values
}

// columns returns the ranges.
func (s *columnStatistics) columns(features []int) []Column {
	columns := make([]Column, len(features))
	for at := range columns {
		c, values := &columns[at], s.sorted(at)
		c.Feature = features[at]
		for k := 1; k < 10; k++ { // the least value that so many tenths are up to
			c.Deciles[k] = values[(k*len(values)+9)/10-1]
		}
		c.Deciles[0], c.Deciles[10] = s.least[at], s.most[at]
	}
	return columns
}

// eachRow calls do with the values of features in every row. They are valid during
// the call only.
func eachRow(p *points.Points, features []int, do func(values []float64)) {
	row, values := make([]float64, p.Dim()), make([]float64, len(features))
	for i := range p.Len() {
		if features[0] == WholeRow {
			values[0] = largest(p, i, row)
			do(values)
			continue
		}
		x := row
		if p.Sparse() {
			p.CopyRow(row, i)
		} else {
			x = p.Row(i, row)
		}
		for at, j := range features {
			values[at] = x[j]
		}
		do(values)
	}
}

// largest returns the largest magnitude in a row, for which it may use scratch.
func largest(p *points.Points, i int, scratch []float64) float64 {
	var stored []float64
	if p.Sparse() {
		_, stored = p.SparseRow(i)
	} else {
		stored = p.Row(i, scratch)
	}
	most := 0.0
	for _, v := range stored {
		if v = math.Abs(v); v > most {
			most = v
		}
	}
	return most
}

// ColumnReport holds a column against its range.
type ColumnReport struct {
	Column              // as in the training
	Now     [11]float64 // the same of the points
	Outside float64     // share of the points beyond the range by more than half its spread, which is from the first to the ninth decile
	Apart   float64     // least distance of the distribution functions, 0 to 1
	Moved   float64     // by how many spreads the first, fifth or ninth decile moved; infinite where there is no spread
	Factor  float64     // by which all values may have been multiplied, below 1/5 or above 5; 0 where none is seen
	Chance  float64     // bound of the probability of this by chance, for one of all columns
	Drifted bool
}

// bounds returns the features with known ranges, and for each the bounds below and above which a
// value is far.
func (p *Profile) bounds() (features []int, low, high []float64) {
	for at := range p.Columns {
		c := &p.Columns[at]
		features = append(features, c.Feature)
		low, high = append(low, c.Deciles[0]-c.spread()/2), append(high, c.Deciles[10]+c.spread()/2)
	}
	return features, low, high
}

// compareColumns holds the columns of n points against their ranges.
func (p *Profile) compareColumns(s *columnStatistics, features []int, n int) []ColumnReport {
	now := s.columns(features)
	reports := make([]ColumnReport, len(features))
	for at, c := range p.Columns {
		r := &reports[at]
		r.Column, r.Now = c, now[at].Deciles
		r.Outside = (s.below[at] + s.above[at]) / float64(n)
		r.judge(s.sorted(at), p.Points, n, int(max(s.below[at], s.above[at])), float64(len(features)))
	}
	slices.SortStableFunc(reports, func(a, b ColumnReport) int {
		switch {
		case a.Drifted == b.Drifted:
			return cmp.Compare(b.Moved, a.Moved)
		case a.Drifted:
			return -1
		}
		return 1
	})
	return reports
}

// judge fills in the report from a sorted sample of the values, and from tail, the number of n
// points that are far on one side. Chance is corrected for the number of columns.
func (r *ColumnReport) judge(values []float64, training, n, tail int, columns float64) {
	size := len(values)
	for k := 1; k < 10; k++ {
		// In the training, up to the k-th decile are k tenths or more, and below it k
		// tenths or fewer, however many values are equal to it.
		before, _ := slices.BinarySearch(values, r.Deciles[k])
		upTo, _ := slices.BinarySearchFunc(values, r.Deciles[k], func(v, limit float64) int {
			if v <= limit {
				return -1
			}
			return 1
		})
		tenths := float64(k) / 10
		r.Apart = max(r.Apart, float64(before)/float64(size)-tenths, tenths-float64(upTo)/float64(size))
	}
	spread := r.spread()
	for _, k := range []int{1, 5, 9} {
		if moved := math.Abs(r.Now[k] - r.Deciles[k]); moved > 0 {
			r.Moved = max(r.Moved, moved/spread)
		}
	}
	r.Factor = Factor(r.Deciles, r.Now)
	outside := min(1, 2*columns*exceedance(training, n, tail, 1))
	shape := min(1, columns*kolmogorovSmirnov(min(training, mostSampled), size, r.Apart))
	r.Chance = min(1, 2*min(outside, shape))
	isFar := outside < level/2 && r.Outside >= farShare
	width := r.Now[9] - r.Now[1]
	isShrunken := shape < level/2 && r.Apart >= shrunkApart && width > 0 && width*shrunk <= r.Deciles[9]-r.Deciles[1]
	r.Drifted = isFar || isShrunken || shape < level/2 && r.Apart >= farApart
}

// Factor returns by what the values of a column may have been multiplied: by about the
// same for the first and the ninth decile, and by 5 or more or 1/5 or less; else 0.
func Factor(training, now [11]float64) float64 {
	first, last := now[1]/training[1], now[9]/training[9]
	if training[1] == 0 && now[1] == 0 {
		first = last
	}
	if training[9] == 0 && now[9] == 0 {
		last = first
	}
	if !(first > 0 && last > 0) || math.IsInf(first, 0) || math.IsInf(last, 0) || max(first, last) > 2*min(first, last) {
		return 0
	}
	f := math.Sqrt(first) * math.Sqrt(last)
	if f < unitFactor && f > 1.0/unitFactor {
		return 0
	}
	return f
}
