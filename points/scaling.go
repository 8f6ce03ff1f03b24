package points

import (
	"context"
	"fmt"
	"math"
	"slices"

	"lapsvm/internal/numbers/linalg"
	"lapsvm/internal/numbers/vec"
	"lapsvm/internal/system/fault"
)

// Standardise names a method of scaling points before training. A [Scaling] holds what the method
// learnt from the training points, and is applied to later points.
type Standardise string

// The methods of scaling.
const (
	AsIs     Standardise = "none"      // x
	UnitNorm Standardise = "unit-norm" // x / ‖x‖; a row of zeros stays
	ZScore   Standardise = "zscore"    // (x_j − mean_j) / sd_j per column, sd with divisor n; a constant column becomes 0
	MinMax   Standardise = "minmax"    // (x_j − min_j) / (max_j − min_j) per column; a constant column becomes 0
)

// Columns makes columns of different units comparable:
//
//   - In some columns half the values or more are equal: two values, many zeros, a median in
//     place of missing values. Such a column is moved so that this value is 0, and divided by
//     the root mean square of the other values. So an indicator stays 0 and 1, however rare.
//   - Any other column is moved to mean 0 and divided by a quarter of the distance between its
//     quantiles 0.01 and 0.99, so that a few extreme values do not shrink the rest.
//   - Where the tails are long (a kurtosis of 6 or more) x first becomes asinh((x − c)/w), which
//     is a logarithm far from c. c and w are those of a few candidates that bring the column
//     nearest to a normal distribution.
//
// A constant column becomes 0.
//
// Columns that belong together, a [Group], keep their proportions: none is straightened, and all are
// divided by one width. For the coordinates of places on a sphere this is the root of half the sum of
// their squared widths, because a place on a sphere has two dimensions. The width of a vector gives
// it eight times the mean square norm of all columns together that are of no vector, or 1 where there
// are none. So the numbers of a vector, and the columns beside it, weigh the same however many they are.
const Columns Standardise = "columns"

// Group is columns that belong together.
type Group struct {
	Columns []int
	Vector  bool // the numbers of a vector, moved to mean 0; else the coordinates of places on a sphere
}

// Scaling is a method of scaling with its parameters. For ZScore and MinMax it is
//
//	x_j ← (x_j − Shift[j]) · Factor[j]
//
// For Columns asinh((x_j − Centre[j])/Width[j]) takes the place of x_j on the right where Width[j]
// is not 0. AsIs and UnitNorm have no parameters. The zero value leaves points as they are.
type Scaling struct {
	Kind          Standardise
	Shift, Factor []float64 // d each, nil for AsIs and UnitNorm
	Centre, Width []float64 // d each, nil but for Columns
}

// FitScaling learns a scaling from p. It fails for ZScore, MinMax and Columns of a sparse table,
// because they move zeros and would fill the table. It also fails for these methods without
// points, for an unknown method, when ctx is done, and with a [ColumnError] for a column whose width is beyond
// float64. Only Columns looks at together, the groups of columns that belong together. Cost: two
// passes over p; for Columns also a sort of the columns that are of no vector.
func FitScaling(ctx context.Context, kind Standardise, p *Points, together ...Group) (Scaling, error) {
	switch kind {
	case "", AsIs, UnitNorm:
		return Scaling{Kind: kind}, nil
	case ZScore, MinMax, Columns:
	default:
		return Scaling{}, fault.Errorf("unknown standardisation %q: choose none, unit-norm, zscore, minmax or columns", kind)
	}
	if p.Sparse() {
		return Scaling{}, fault.Errorf("%s moves zeros and would fill this sparse table (%d×%d); use unit-norm", kind, p.n, p.d)
	}
	if p.n == 0 {
		return Scaling{}, fmt.Errorf("%s needs at least one point", kind)
	}
	s := Scaling{Kind: kind, Shift: make([]float64, p.d), Factor: make([]float64, p.d)}
	switch kind {
	case MinMax:
		return s, s.fitMinMax(p)
	case Columns:
		return s, s.fitColumns(ctx, p, together)
	}
	return s, s.fitZScore(p)
}

func (s *Scaling) fitMinMax(p *Points) error {
	high, scratch := make([]float64, p.d), p.Scratch(1)
	p.CopyRow(s.Shift, 0)
	p.CopyRow(high, 0)
	for i := range p.n {
		for j, v := range p.Row(i, scratch) {
			s.Shift[j] = min(s.Shift[j], v)
			high[j] = max(high[j], v)
		}
	}
	for j := range high {
		if err := s.setFactor(j, high[j]-s.Shift[j]); err != nil {
			return err
		}
	}
	return nil
}

func (s *Scaling) fitZScore(p *Points) error {
	deviation := s.centre(p)
	for j := range deviation {
		if err := s.setFactor(j, deviation[j]); err != nil {
			return err
		}
	}
	return nil
}

// centre sets the shifts to the means of the columns, and returns their standard deviations.
func (s *Scaling) centre(p *Points) (deviation []float64) {
	// Sums of differences from the first row lose nothing to an offset, and are
	// exactly zero for a constant column.
	first, scratch := make([]float64, p.d), p.Scratch(1)
	p.CopyRow(first, 0)
	for i := range p.n {
		for j, v := range p.Row(i, scratch) {
			s.Shift[j] += v - first[j]
		}
	}
	for j, v := range first {
		s.Shift[j] = v + s.Shift[j]/float64(p.n)
	}
	variance := make([]float64, p.d)
	for i := range p.n {
		for j, v := range p.Row(i, scratch) {
			t := v - s.Shift[j]
			variance[j] += t * t / float64(p.n)
		}
	}
	for j, v := range variance {
		if variance[j] = math.Sqrt(v); !(v > 1/plainSquare && v < plainSquare) {
			s.Shift[j], variance[j] = p.momentsOf(j)
		}
	}
	return variance
}

// momentsOf returns mean and standard deviation of column j of a dense table. It computes them of
// the column scaled by a power of two, because the variance itself may be beyond float64.
func (p *Points) momentsOf(j int) (mean, deviation float64) {
	low, high := math.Inf(1), math.Inf(-1)
	for i := range p.n {
		low, high = min(low, p.At(i, j)), max(high, p.At(i, j))
	}
	// The difference of halves cannot overflow, and halving is exact.
	half := 1
	if !math.IsInf(high-low, 0) {
		half = 0
	}
	width := math.Ldexp(high, -half) - math.Ldexp(low, -half)
	if width == 0 {
		return low, 0
	}
	_, exponent := math.Frexp(width)
	scaled := make([]float64, p.n) // (x − low) / 2^exponent, between 0 and 1
	for i := range scaled {
		scaled[i] = math.Ldexp(math.Ldexp(p.At(i, j), -half)-math.Ldexp(low, -half), -exponent)
		mean += scaled[i] / float64(p.n)
	}
	for _, v := range scaled {
		deviation += (v - mean) * (v - mean) / float64(p.n)
	}
	return math.Ldexp(math.Ldexp(low, -half)+math.Ldexp(mean, exponent), half), math.Ldexp(math.Sqrt(deviation), exponent+half)
}

// setFactor sets the factor of a column to 1/width, and to 0 for a width of 0. It
// fails where that leaves the range of float64.
func (s *Scaling) setFactor(j int, width float64) error {
	if width == 0 {
		return nil
	}
	s.Factor[j] = 1 / width
	if !(width >= leastWidth && width <= 1/leastWidth) {
		return ColumnError{j, fault.Errorf("its values lie %.3g apart, which %s cannot scale: multiply the column so that they lie about 1 apart", width, s.Kind)}
	}
	return nil
}

// leastWidth is the least width of a column that can be scaled; its inverse is the largest.
const leastWidth = 0x1p-1020

// ColumnError is an error in one column of a table.
type ColumnError struct {
	Column int
	Err    error
}

func (e ColumnError) Error() string { return fmt.Sprintf("column %d: %v", e.Column+1, e.Err) }

// Unwrap returns the error without the column.
func (e ColumnError) Unwrap() error { return e.Err }

// Apply returns the scaled points; with the zero Scaling, p itself. A table of bytes or float32
// keeps its storage and is scaled whenever its rows are read, with the bits of a scaled float64
// table. A table that is scaled already becomes one of float64, and so does one of float32 with
// columns of long tails. Apply panics when p has another number of columns than the points that
// the scaling was learnt from. Cost: a pass over p, and the memory of a float64 table where the
// result is one, else 8·n or 16·n bytes.
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
	if l := s.asRead(p); l != nil {
		return p.readBy(l)
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

// Undo turns the values of a scaled row, in place, into those before the scaling, up to rounding.
// A constant column gets its value back. It panics for UnitNorm, which keeps no lengths.
func (s Scaling) Undo(row []float64) {
	if s.Kind == UnitNorm {
		panic("points: Undo of unit-norm")
	}
	for j, f := range s.Factor {
		v := s.Shift[j]
		if f != 0 {
			v += row[j] / f
		}
		if s.Width != nil && s.Width[j] > 0 {
			v = s.Centre[j] + s.Width[j]*math.Sinh(v)
		}
		row[j] = v
	}
}

func (p *Points) unitNorm() *Points {
	if !p.Sparse() && p.storage != Float64 && p.scaled == nil {
		l := &asRead{Scaling: Scaling{Kind: UnitNorm}, norm: make([]float64, p.n)}
		scratch := p.Scratch(1)
		for i := range l.norm {
			l.norm[i] = length(p.Row(i, scratch))
		}
		return p.readBy(l)
	}
	if p.Sparse() {
		values := slices.Clone(p.value)
		for i := range p.n {
			row := values[p.start[i]:p.start[i+1]]
			vec.Divide(row, length(row))
		}
		return CSR(p.d, p.start, p.index, values)
	}
	values := make([]float64, p.n*p.d)
	for i := range p.n {
		row := values[i*p.d : (i+1)*p.d]
		p.CopyRow(row, i)
		vec.Divide(row, length(row))
	}
	return Dense(p.n, p.d, values)
}

// length returns ‖x‖, and 1 for 0.
func length(x []float64) float64 {
	if norm := linalg.Norm(x); norm != 0 {
		return norm
	}
	return 1
}
