package points

import (
	"fmt"
	"math"

	"lapsvm/internal/linalg"
)

// Standardise names a way of scaling points before training. What was learnt
// from the training points is kept in a [Scaling] and applied to later ones.
type Standardise string

// The ways of scaling.
const (
	AsIs     Standardise = "none"      // x
	UnitNorm Standardise = "unit-norm" // x / ‖x‖; a row of zeros stays
	ZScore   Standardise = "zscore"    // (x_j − mean_j) / sd_j per column, sd with divisor n; a constant column becomes 0
	MinMax   Standardise = "minmax"    // (x_j − min_j) / (max_j − min_j) per column; a constant column becomes 0
)

// Columns makes columns of different units comparable:
//
//   - A column of which half the values or more are equal (two values, many zeros,
//     a median in place of missing values) is moved to that value and divided by the
//     root mean square of the others there: an indicator stays 0 and 1, however rare.
//   - Any other is moved to its mean, and divided by a quarter of the distance of its
//     quantiles 0.01 and 0.99, so that few values far out do not shrink the rest.
//   - Where the tails are long (a kurtosis of 6 or more) x becomes asinh((x − c)/w)
//     before, a logarithm far from c: of a few c and w those that leave it the nearest
//     to a normal distribution.
//
// A constant column becomes 0.
const Columns Standardise = "columns"

// Scaling is a way of scaling with what it learnt:
//
//	x_j ← (x_j − Shift[j]) · Factor[j]
//
// for ZScore and MinMax; for Columns the same of asinh((x_j − Centre[j])/Width[j])
// in place of x_j where Width[j] is not 0. AsIs and UnitNorm learn nothing. The
// zero value leaves points as they are.
type Scaling struct {
	Kind          Standardise
	Shift, Factor []float64 // d each, nil for AsIs and UnitNorm
	Centre, Width []float64 // d each, nil but for Columns
}

// FitScaling learns a scaling from p. ZScore, MinMax and Columns move the zeros of a
// sparse table and would fill it, so they are refused for sparse tables.
// Cost: two passes over p; for Columns also sorting those with long tails.
func FitScaling(kind Standardise, p *Points) (Scaling, error) {
	switch kind {
	case "", AsIs, UnitNorm:
		return Scaling{Kind: kind}, nil
	case ZScore, MinMax, Columns:
	default:
		return Scaling{}, fmt.Errorf("unknown standardisation %q: choose none, unit-norm, zscore, minmax or columns", kind)
	}
	if p.Sparse() {
		return Scaling{}, fmt.Errorf("%s moves zeros and would fill this sparse table (%d×%d); use unit-norm", kind, p.n, p.d)
	}
	if p.n == 0 {
		return Scaling{}, fmt.Errorf("%s needs at least one point", kind)
	}
	s := Scaling{Kind: kind, Shift: make([]float64, p.d), Factor: make([]float64, p.d)}
	switch kind {
	case MinMax:
		s.fitMinMax(p)
	case Columns:
		s.fitColumns(p)
	default:
		s.fitZScore(p)
	}
	return s, nil
}

func (s *Scaling) fitMinMax(p *Points) {
	high := make([]float64, p.d)
	copy(s.Shift, p.DenseRow(0))
	copy(high, p.DenseRow(0))
	for i := range p.n {
		for j, v := range p.DenseRow(i) {
			s.Shift[j] = min(s.Shift[j], v)
			high[j] = max(high[j], v)
		}
	}
	for j := range high {
		s.Factor[j] = factor(high[j] - s.Shift[j])
	}
}

func (s *Scaling) fitZScore(p *Points) {
	// Sums of differences from the first row lose nothing to an offset, and are
	// exactly zero for a constant column.
	first := p.DenseRow(0)
	for i := range p.n {
		for j, v := range p.DenseRow(i) {
			s.Shift[j] += v - first[j]
		}
	}
	for j, v := range first {
		s.Shift[j] = v + s.Shift[j]/float64(p.n)
	}
	variance := make([]float64, p.d)
	for i := range p.n {
		for j, v := range p.DenseRow(i) {
			t := v - s.Shift[j]
			variance[j] += t * t / float64(p.n)
		}
	}
	for j, v := range variance {
		s.Factor[j] = factor(math.Sqrt(v))
	}
}

// factor returns 1/width, or 0 where a column has no width to speak of.
func factor(width float64) float64 {
	if f := 1 / width; !math.IsInf(f, 0) {
		return f
	}
	return 0
}

// Apply returns the scaled points; with the zero Scaling, p itself. It panics
// when p has another number of columns than the points it was learnt from.
func (s Scaling) Apply(p *Points) *Points {
	switch s.Kind {
	case "", AsIs:
		return p
	case UnitNorm:
		return p.unitNorm()
	}
	if len(s.Factor) != p.d {
		panic(fmt.Sprintf("points: scaling of %d columns applied to %d", len(s.Factor), p.d))
	}
	out := make([]float64, p.n*p.d)
	for i := range p.n {
		row := out[i*p.d : (i+1)*p.d]
		p.CopyRow(row, i)
		for j := range row {
			row[j] = (s.straight(j, row[j]) - s.Shift[j]) * s.Factor[j]
		}
	}
	return Dense(p.n, p.d, out)
}

func (p *Points) unitNorm() *Points {
	scale := func(dst, src []float64) {
		norm := linalg.Norm(src)
		if norm == 0 {
			norm = 1
		}
		for k, v := range src {
			dst[k] = v / norm
		}
	}
	stored := p.dense
	row := func(i int) (a, b int) { return i * p.d, (i + 1) * p.d }
	if p.Sparse() {
		stored = p.value
		row = func(i int) (a, b int) { return p.start[i], p.start[i+1] }
	}
	values := make([]float64, len(stored))
	for i := range p.n {
		a, b := row(i)
		scale(values[a:b], stored[a:b])
	}
	if p.Sparse() {
		return CSR(p.d, p.start, p.index, values)
	}
	return Dense(p.n, p.d, values)
}
