package points

import (
	"cmp"
	"context"
	"math"
	"slices"
)

// Thresholds of fitColumns.
const (
	longTails  = 6   // the kurtosis from which a column has long tails; a normal one has 3, an exponential one 9
	mostlyOne  = 0.5 // from this share of a single value on, the column is moved to the value
	vectorNorm = 8   // the mean square norm of a vector over that of all columns beside it
	normalSpan = 4   // the width is the distance of the quantiles 0.01 and 0.99 over this; in a normal column they are 4.65 standard deviations apart
)

// fitColumns learns the scaling [Columns] from p, with groups of columns that belong together. It
// fails where the width of a column is beyond float64.
func (s *Scaling) fitColumns(ctx context.Context, p *Points, together []Group) error {
	s.Centre, s.Width = make([]float64, p.d), make([]float64, p.d)
	vector, grouped := make([]bool, p.d), make([]bool, p.d)
	var deviations []float64 // of the columns of vectors; of others they follow
	for _, g := range together {
		if g.Vector && deviations == nil {
			deviations = s.centre(p)
		}
		for _, j := range g.Columns {
			vector[j], grouped[j] = g.Vector, true
		}
	}
	if deviations == nil {
		deviations = make([]float64, p.d)
	}
	widths := make([]float64, p.d)
	var some [columnsTogether][]float64
	for j := range p.d {
		if err := ctx.Err(); err != nil {
			return err
		}
		k := j % columnsTogether
		if last := min(p.d, j+columnsTogether); k == 0 && slices.Contains(vector[j:last], false) {
			p.columns(some[:last-j], j)
		}
		if vector[j] {
			continue
		}
		x := some[k]
		slices.Sort(x)
		exponent := moderate(x)
		width, deviation := s.fitColumn(j, x, !grouped[j])
		if s.Width[j] > 0 {
			s.Centre[j], s.Width[j] = math.Ldexp(s.Centre[j], exponent), math.Ldexp(s.Width[j], exponent)
		} else {
			s.Shift[j], width, deviation = math.Ldexp(s.Shift[j], exponent), math.Ldexp(width, exponent), math.Ldexp(deviation, exponent)
		}
		widths[j], deviations[j] = width, deviation
	}
	for _, g := range together {
		width := 0.0
		for _, j := range g.Columns {
			width = math.Hypot(width, widths[j]/math.Sqrt2)
		}
		for _, j := range g.Columns {
			widths[j] = width
		}
	}
	norm := 0.0 // of all columns that are of no vector
	for j, width := range widths {
		if !vector[j] && width > 0 {
			norm = math.Hypot(norm, deviations[j]/width)
		}
	}
	for _, g := range together {
		if !g.Vector {
			continue
		}
		length := 0.0
		for _, j := range g.Columns {
			length = math.Hypot(length, deviations[j])
		}
		for _, j := range g.Columns {
			widths[j] = length / cmp.Or(math.Sqrt(vectorNorm)*norm, 1)
		}
	}
	for j, width := range widths {
		if err := s.setFactor(j, width); err != nil {
			return err
		}
	}
	return nil
}

// columnsTogether is the number of columns read in one pass over a table. Their values in a row
// lie together in the cache.
const columnsTogether = 16

// columns reads the columns of a dense table from the first on.
func (p *Points) columns(x [][]float64, first int) {
	for k := range x {
		if x[k] == nil {
			x[k] = make([]float64, p.n)
		}
	}
	for i := range p.n {
		for k := range x {
			x[k][i] = p.At(i, first+k)
		}
	}
}

// fitColumn learns column j from its sorted values x, and returns the width that becomes 1, or 0
// for a constant column, and the standard deviation. Long tails are straightened where that is allowed.
func (s *Scaling) fitColumn(j int, x []float64, straightened bool) (width, deviation float64) {
	most, share := commonest(x)
	others := x
	if share >= mostlyOne {
		others = slices.DeleteFunc(slices.Clone(x), func(v float64) bool { return v == most })
	}
	s.Shift[j] = most
	if len(others) == 0 {
		return 0, 0
	}
	if straightened {
		s.Centre[j], s.Width[j] = straighten(others)
	}
	for i, v := range others {
		others[i] = s.straight(j, v)
	}
	mean, sd, _, _ := moments(others)
	if share >= mostlyOne {
		s.Shift[j] = s.straight(j, most)
		width = math.Hypot(sd, mean-s.Shift[j])
		return width, math.Sqrt(1-share) * math.Hypot(sd, math.Sqrt(share)*(mean-s.Shift[j]))
	}
	s.Shift[j] = mean
	k := len(others) / 100
	return (others[len(others)-1-k] - others[k]) / normalSpan, sd
}

// moderate divides sorted values whose fourth powers may be beyond float64 by a power
// of two, so that the largest is about 1, and returns its exponent, else 0.
func moderate(sorted []float64) (exponent int) {
	const safe = 1e60
	largest := max(-sorted[0], sorted[len(sorted)-1])
	if largest == 0 || largest <= safe && largest >= 1/safe {
		return 0
	}
	_, exponent = math.Frexp(largest)
	for i, v := range sorted {
		sorted[i] = math.Ldexp(v, -exponent)
	}
	return exponent
}

// straight returns a value of column j without its long tails.
func (s *Scaling) straight(j int, v float64) float64 {
	if s.Width == nil || s.Width[j] == 0 {
		return v
	}
	return math.Asinh((v - s.Centre[j]) / s.Width[j])
}

// commonest returns the most frequent of sorted values, the least of several, and its share.
func commonest(sorted []float64) (v, share float64) {
	run, longest := 0, 0
	for i, x := range sorted {
		if run++; i > 0 && x != sorted[i-1] {
			run = 1
		}
		if run > longest {
			v, longest = x, run
		}
	}
	return v, float64(longest) / float64(len(sorted))
}

// straighten returns the centre c and the width w for which asinh((x − c)/w) of the sorted
// values x is nearest to a normal distribution. The width is 0 where x has no long tails, or no
// candidate is nearer than x itself. Candidates for c are the median, the least and the largest
// value. Candidates for w are the median distance from c of the values that differ from c, and
// a tenth of it.
func straighten(x []float64) (centre, width float64) {
	_, _, skewness, kurtosis := moments(x)
	if !(kurtosis >= longTails) {
		return 0, 0
	}
	least := strangeness(skewness, kurtosis)
	tried, apart := make([]float64, len(x)), make([]float64, 0, len(x))
	for _, c := range []float64{x[len(x)/2], x[0], x[len(x)-1]} {
		apart = apart[:0]
		for _, v := range x {
			if v != c {
				apart = append(apart, math.Abs(v-c))
			}
		}
		slices.Sort(apart)
		for _, share := range []float64{1, 0.1} {
			w := share * apart[len(apart)/2]
			if !(w > 0) {
				continue
			}
			for i, v := range x {
				tried[i] = math.Asinh((v - c) / w)
			}
			_, _, skewness, kurtosis := moments(tried)
			if t := strangeness(skewness, kurtosis); t < least {
				centre, width, least = c, w, t
			}
		}
	}
	return centre, width
}

// strangeness measures how far skewness and kurtosis are from those of a normal distribution,
// with the weights of the test of Jarque and Bera.
func strangeness(skewness, kurtosis float64) float64 {
	return skewness*skewness + (kurtosis-3)*(kurtosis-3)/4
}

// moments returns mean, standard deviation with divisor n, skewness and kurtosis. Skewness and
// kurtosis are NaN for values that are all equal.
func moments(x []float64) (mean, sd, skewness, kurtosis float64) {
	n := float64(len(x))
	for _, v := range x {
		mean += v - x[0]
	}
	mean = x[0] + mean/n
	for _, v := range x {
		sd += (v - mean) * (v - mean) / n
	}
	sd = math.Sqrt(sd)
	for _, v := range x {
		z := (v - mean) / sd
		skewness += z * z * z / n
		kurtosis += z * z * z * z / n
	}
	return mean, sd, skewness, kurtosis
}
