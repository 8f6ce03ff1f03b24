package selection

import (
	"cmp"
	"math"
	"slices"

	"lapsvm/dataset"
	"lapsvm/internal/numbers/vec"
	"lapsvm/points"
)

// What columns are taken for different units by.
const (
	unitsApart  = 6    // the interval of all columns over the range of a small one
	smallColumn = 0.25 // the quantile of the ranges that is a small one
	rarePart    = 0.02 // what does not count: so many of the columns, those with the largest values, and columns of two values where one is rarer
)

// oneUnit is said of columns that nothing speaks for scaling but labels.
const oneUnit = "the columns have one unit"

// units says what the columns of d are taken for, and whether distances between rows then need a
// scaling. Columns in different units need one: otherwise a single column dominates the distances.
// Images, embeddings, principal components, indicators and scaled columns do not. It looks at no
// label. Cost: two passes over the points.
func units(d *dataset.Dataset) (different bool, why string) {
	p := d.Points
	switch {
	case d.Featureless:
		return false, "the rows have no feature"
	case p.Sparse():
		return false, "the points are sparse"
	case vectorBeside(d):
		return true, "a vector stands beside other columns"
	case !d.Image.None():
		return false, "the points are images"
	case p.Len() < 2 || p.Dim() < 2:
		return false, "there is one column"
	case ofOneLength(p):
		return false, "all rows have the same length"
	}
	columns := profiles(p)
	var numbers, indicators []profile
	for _, c := range columns {
		switch {
		case c.low == c.high:
		case !c.two:
			numbers = append(numbers, c)
		case min(c.above, 1-c.above) >= rarePart:
			indicators = append(indicators, c)
		}
	}
	switch {
	case len(numbers) == 0:
		return false, "all columns have two values"
	case alike(numbers):
		return false, "all columns have the same deviation"
	case principal(columns):
		return false, "the columns are principal components"
	case apart(numbers) >= unitsApart || beside(numbers, indicators) >= unitsApart:
		return true, "the columns differ in unit"
	}
	return false, oneUnit
}

// vectorBeside reports whether some columns, but not all, are the numbers of one vector.
func vectorBeside(d *dataset.Dataset) bool {
	return slices.ContainsFunc(d.Encoding.Together(), func(g points.Group) bool { return g.Vector && len(g.Columns) < d.Points.Dim() })
}

// profile is what is known of the values of a column.
type profile struct {
	low, high, mean, sd float64
	above               float64 // share of the values that are not the lowest
	two                 bool    // there are two values
}

func (c profile) width() float64 { return c.high - c.low }

// profiles describes the columns of dense points.
func profiles(p *points.Points) []profile {
	columns := make([]profile, p.Dim())
	scratch := p.Scratch(1)
	for j, v := range p.Row(0, scratch) {
		columns[j] = profile{low: v, high: v, two: true}
	}
	n := float64(p.Len())
	for i := range p.Len() {
		for j, v := range p.Row(i, scratch) {
			c := &columns[j]
			c.low, c.high = min(c.low, v), max(c.high, v)
			c.mean += v / n
		}
	}
	for i := range p.Len() {
		for j, v := range p.Row(i, scratch) {
			c := &columns[j]
			c.sd += (v - c.mean) * (v - c.mean) / n
			if v != c.low {
				c.above += 1 / n
				c.two = c.two && v == c.high
			}
		}
	}
	for j := range columns {
		columns[j].sd = math.Sqrt(columns[j].sd)
	}
	return columns
}

// ofOneLength reports whether all rows have the same length, as after unit-norm. The squares of their lengths then differ far less than the rows do: by at most a
// hundredth of their variance. Beside a large constant, such as a time in seconds, any rows have nearly the same length. The variance must be above the rounding of the squares.
func ofOneLength(p *points.Points) bool {
	squares := p.Squares()
	low, high := slices.Min(squares), slices.Max(squares)
	if math.IsInf(high, 1) || high-low > 1e-5*high {
		return false
	}
	mean := p.Mean()
	variance := high - vec.Dot(mean, mean)
	return high-low <= 0.01*variance && variance > 1e-10*high
}

// alike reports whether all columns have the same mean and deviation, as after a
// standardisation, but for what a part of the rows changes.
func alike(columns []profile) bool {
	low, high := math.Inf(1), 0.0
	for _, c := range columns {
		if low, high = min(low, c.sd), max(high, c.sd); !(math.Abs(c.mean) <= 0.1*c.sd) {
			return false
		}
	}
	return high <= 1.1*low
}

// principal reports whether columns have means of nearly 0 and deviations that fall
// from one to the next. Of fewer columns than directions have the order says little.
func principal(columns []profile) bool {
	rises := 0
	for j, c := range columns {
		if !(math.Abs(c.mean) <= 0.1*c.sd) {
			return false
		}
		if j > 0 && c.sd > columns[j-1].sd {
			rises++
		}
	}
	return len(columns) >= fewestDirections && 20*rises <= len(columns)
}

// apart returns the interval of the values of all columns, but for those of the
// largest values, over the range of a small column.
func apart(columns []profile) float64 {
	size := func(c profile) float64 { return max(math.Abs(c.low), math.Abs(c.high)) }
	columns = slices.SortedFunc(slices.Values(columns), func(a, b profile) int { return cmp.Compare(size(a), size(b)) })
	columns = columns[:len(columns)-int(rarePart*float64(len(columns)))]
	low, high := columns[0].low, columns[0].high
	for _, c := range columns {
		low, high = min(low, c.low), max(high, c.high)
	}
	return (high - low) / quantile(columns, smallColumn)
}

// beside returns how many times wider the numbers are than the indicators, or the
// reverse; 1 where there are none of one.
func beside(numbers, indicators []profile) float64 {
	if len(indicators) == 0 {
		return 1
	}
	ratio := quantile(numbers, 0.5) / quantile(indicators, 0.5)
	return max(ratio, 1/ratio)
}

// quantile returns that of the ranges of columns.
func quantile(columns []profile, q float64) float64 {
	widths := make([]float64, len(columns))
	for j, c := range columns {
		widths[j] = c.width()
	}
	slices.Sort(widths)
	return widths[int(q*float64(len(widths)-1))]
}
