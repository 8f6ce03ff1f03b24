package describe

import (
	"math"
	"slices"

	"lapsvm/internal/numbers/vec"
	"lapsvm/points"
)

// ShortestSide is the fewest pixels of a side of pictures that have descriptions.
const ShortestSide = 8

// What makes columns pixels of pictures.
const (
	longestFound = 256     // pixels of a side
	lengthened   = 2       // the longer side over the shorter one, at most
	fewestFound  = 10      // pictures
	valuesFound  = 1 << 22 // most values that are read, of ten pictures or more
	lagsFound    = 31      // lags compared with that of the pixel below
	alike        = 0.15    // by how much more pixels next to each other correlate than pixels apart
)

// FindShape finds the shape of the pictures that the rows of a table are, and reports whether they are
// pictures. In pictures w pixels wide a pixel is most like the one beside it and the one below. So the
// correlation of columns j and j + t, in the mean over j,
//
//	r(t) = Σⱼ cov(j, j + t) / Σⱼ sⱼ sⱼ₊ₜ,   of rows less their means
//
// is larger at t = w than at other lags from w/2 to 3w/2. With the median m of these, r(1) − m and r(w) − m are
// at least 0.15, and so is r(1). Where r(3) is larger than r(2) and 0.15, pixels have three colours, and 3 and 3w stand for 1 and w. Sides
// are from 8 to 256 pixels long, the longer one at most twice the other. Fewer than 10 rows have no shape.
//
// Time: O(rows × columns) for each of 35 lags of every shape that so many columns can have. Of the first
// rows at most four million values are read, or ten rows.
func FindShape(p *points.Points) (Shape, bool) { return findShape(p, false) }

// WholeLines returns how many columns pictures have that are the rows of a table without its last columns.
// These columns are whole lines of pixels, by the rule of [FindShape]. It returns the columns there are if the rows are no pictures.
func WholeLines(p *points.Points) int {
	if s, found := findShape(p, true); found {
		return s.Inputs()
	}
	return p.Dim()
}

// findShape is FindShape for pictures that have all columns, or may lack some of the last line.
func findShape(p *points.Points, lacking bool) (Shape, bool) {
	var possible []Shape
	for _, colours := range [...]int{1, 3} {
		for w := ShortestSide; w <= longestFound; w++ {
			line := w * colours
			s := Shape{Width: w, Height: (p.Dim() + line - 1) / line, Colours: colours}
			if (lacking || s.Inputs() == p.Dim()) && s.Height >= ShortestSide && s.Height <= longestFound && max(w, s.Height) <= lengthened*min(w, s.Height) {
				possible = append(possible, s)
			}
		}
	}
	if len(possible) == 0 || p.Len() < fewestFound {
		return Shape{}, false
	}
	columns := centred(p, min(p.Len(), max(fewestFound, valuesFound/p.Dim())))
	known := map[int]float64{}
	correlation := func(lag int) float64 {
		if _, is := known[lag]; !is {
			known[lag] = columns.correlation(lag)
		}
		return known[lag]
	}
	var best Shape
	most := alike
	coloured := correlation(3) > max(alike, correlation(2))
	if !coloured && correlation(1) < alike { // as in most tables: no lag needs be looked at
		return Shape{}, false
	}
	for _, s := range possible {
		if coloured != (s.Colours == 3) {
			continue
		}
		below := s.Width * s.Colours
		var apart []float64
		for _, lag := range lagsAround(below) {
			apart = append(apart, correlation(lag))
		}
		slices.Sort(apart)
		peak := min(correlation(below), correlation(s.Colours)) - apart[len(apart)/2]
		if correlation(below) > apart[len(apart)-1] && peak >= most {
			best, most = s, peak
		}
	}
	return best, best.Width > 0
}

// lagsAround returns lags from half of a lag to one and a half without the lag itself: the two next to it, and
// others at equal distances.
func lagsAround(lag int) []int {
	lags := []int{lag - 1, lag + 1}
	for k := range lagsFound {
		other := lag/2 + k*lag/(lagsFound-1)
		if other < lag-1 || other > lag+1 {
			lags = append(lags, other)
		}
	}
	return lags
}

// centredColumns are rows of a table, each row and each column with the mean 0, and the norms of the columns.
type centredColumns struct {
	rows  [][]float64
	norms []float64
}

// centred reads the first n rows of a table.
func centred(p *points.Points, n int) centredColumns {
	c := centredColumns{make([][]float64, n), make([]float64, p.Dim())}
	means := make([]float64, p.Dim())
	for i := range c.rows {
		c.rows[i] = make([]float64, p.Dim())
		x := c.rows[i]
		p.CopyRow(x, i)
		brightness := 0.0
		for _, v := range x {
			brightness += v / float64(len(x))
		}
		for j := range x {
			x[j] -= brightness
			means[j] += x[j] / float64(n)
		}
	}
	for _, x := range c.rows {
		for j := range x {
			x[j] -= means[j]
			c.norms[j] += x[j] * x[j]
		}
	}
	for j, v := range c.norms {
		c.norms[j] = math.Sqrt(v)
	}
	return c
}

// correlation returns that of columns with those a lag after them, 0 where all of these are constant.
func (c centredColumns) correlation(lag int) float64 {
	var sum, most float64
	for _, x := range c.rows {
		sum += vec.Dot(x[:len(x)-lag], x[lag:])
	}
	if most = vec.Dot(c.norms[:len(c.norms)-lag], c.norms[lag:]); !(most > 0) {
		return 0
	}
	return sum / most
}
