package train

import (
	"context"
	"errors"
	"fmt"
	"math"

	"lapsvm/dataset"
	"lapsvm/internal/describe"
	"lapsvm/internal/points/gram"
	"lapsvm/internal/system/fault"
	"lapsvm/kernel"
	"lapsvm/points"
)

// Preprocessing is how rows of data become points of a training: described as its points were, if they
// were, and scaled as they were. Of a kernel whose values are given the points have the values with
// points of the training alone. [NewPreprocessing] and [Preprocessing.Points] take data that are described already.
type Preprocessing struct {
	Description describe.Description // that the data are described by already; nil for none
	Scaling     points.Scaling
	columns     []int // of the data, that the points have; nil means all
	width       int   // columns of the data
}

// Related reports whether the points are no features, but the values or distances with all rows of the training. A new row has
// one for each of these, and no other kernel or metric sees it.
func (f Preprocessing) Related() bool { return f.columns != nil }

// NewPreprocessing fits the scaling of a recipe to d and returns it with the given rows, nil meaning all,
// as points. It fails where the points cannot be scaled in this way. For a kernel with given values
// it fails where d lacks values between the rows, and where the values are not symmetric. Asymmetry
// within rounding is averaged away. Values that nothing can be done with are [ErrData].
func NewPreprocessing(ctx context.Context, d *dataset.Dataset, r Recipe, rows []int) (Preprocessing, *points.Points, error) {
	f := Preprocessing{Description: d.Description(), width: d.Points.Dim()}
	var err error
	if f.Scaling, err = FitScaling(ctx, d, r.Standardise, r.Seed); err != nil {
		return f, nil, err
	}
	p, err := f.take(d, r, rows)
	return f, p, OfKind(ErrData, err)
}

// take returns the given rows of d as points, and notes their columns where these stand for points.
func (f *Preprocessing) take(d *dataset.Dataset, r Recipe, rows []int) (p *points.Points, err error) {
	if kernel.OfFeatures(r.Kernel) {
		p = f.Points(d.Points, rows)
		return p, checkMagnitudes(d, p, rows)
	}
	if f.columns, err = columnsOf(d, rows); err != nil {
		return nil, err
	}
	p = f.Points(d.Points, rows)
	if r.Kernel.Kind().Statistic != points.Entries {
		if err := checkValues(p, f.columns); err != nil {
			return nil, err
		}
		return symmetric(p, f.columns, "kernel value")
	}
	if p, err = distances(p, f.columns); err != nil {
		return nil, err
	}
	return symmetric(p, f.columns, "distance")
}

// scaledRows is how many rows ranks learn a scaling from.
const scaledRows = 20000

// FitScaling is [points.FitScaling] to d, with an error that names the column. Ranks that share d
// learn the same scaling: of more than 20,000 rows they take 20,000, drawn by the seed.
func FitScaling(ctx context.Context, d *dataset.Dataset, kind points.Standardise, seed uint64) (points.Scaling, error) {
	if !d.Ranks().Alone() && kind != points.AsIs && kind != points.UnitNorm {
		var err error
		if d, err = d.Gather(ctx, gram.DrawRows(d.Len(), scaledRows, seed), true); err != nil {
			return points.Scaling{}, err
		}
	}
	s, err := points.FitScaling(ctx, kind, d.Points, d.Together()...)
	if column := (points.ColumnError{}); errors.As(err, &column) {
		err = OfKind(ErrData, fmt.Errorf("%s: %w", d.ColumnName(column.Column), column.Err))
	}
	return s, err
}

// checkMagnitudes reports a value of the points, which are the given rows of d as
// they are scaled, for which distances cannot be computed.
func checkMagnitudes(d *dataset.Dataset, p *points.Points, rows []int) error {
	const plain = 0x1p900
	high := 0.0
	for _, v := range p.Squares() {
		high = max(high, v) // NaN where one is
	}
	if high > 1/plain && high < plain {
		return nil
	}
	i, j, v := p.LargestValue()
	if v = math.Abs(v); v <= points.Largest && (v >= points.Least || v == 0) {
		return nil
	}
	where := fmt.Sprintf("row %d of %s", rowOf(rows, i)+1, d.ColumnName(j))
	if v > 1 {
		return fault.Value.Errorf("%s holds %.3g, but beyond %.3g distances leave the range of float64: mend or drop the value, rescale the column, or standardise (zscore)", where, v, points.Largest)
	}
	return fault.Value.Errorf("the largest value of all columns, %.3g in %s, is below %.3g, where the range of float64 ends: rescale the columns, or standardise (zscore)", v, where, points.Least)
}

// rowOf returns the row of the data that a point is.
func rowOf(rows []int, i int) int {
	if rows == nil {
		return i
	}
	return rows[i]
}

// columnsOf returns the columns that stand for the given rows, nil meaning all, of a
// table of kernel values.
func columnsOf(d *dataset.Dataset, rows []int) ([]int, error) {
	n, width, named := d.Points.Len(), d.Points.Dim(), d.Rows()
	switch {
	case d.Whole() && n != width:
		return nil, fault.Errorf("the kernel precomputed takes a square table, with a row and a column for every training point in the same order, but there are %d rows of %d kernel values: leave other columns out, and add the points that are missing", n, width)
	case len(named) != n:
		return nil, fmt.Errorf("columns are named for %d of %d points", len(named), n)
	case rows == nil:
		rows = dataset.Own{}.Rows(n)
	}
	columns := make([]int, len(rows))
	for k, i := range rows {
		if columns[k] = named[i]; columns[k] < 0 || columns[k] >= width {
			return nil, fmt.Errorf("column %d is named for row %d of a table of %d columns", columns[k]+1, i+1, width)
		}
	}
	return columns, nil
}

// Points returns rows of p, ascending and each once, nil meaning all, as points.
func (f Preprocessing) Points(p *points.Points, rows []int) *points.Points {
	if rows != nil && len(rows) < p.Len() {
		p = p.Subset(rows)
	}
	if f.columns == nil {
		return f.Scaling.Apply(p)
	}
	all := len(f.columns) == p.Dim() && !p.Sparse()
	for k, column := range f.columns {
		all = all && column == k
	}
	if all {
		return p
	}
	row, values := make([]float64, p.Dim()), make([]float64, 0, p.Len()*len(f.columns))
	for i := range p.Len() {
		p.CopyRow(row, i)
		for _, column := range f.columns {
			values = append(values, row[column])
		}
	}
	return points.Dense(p.Len(), len(f.columns), values)
}

// expand returns an expansion by weight vectors on the points, or by unit vectors, as one on the data.
func (f Preprocessing) expand(e gram.Expansion) gram.Expansion {
	if f.columns == nil {
		return e
	}
	if e.Basis.Sparse() {
		start, index, value := []int{0}, []int32(nil), []float64(nil)
		for j := range e.Basis.Len() {
			at, v := e.Basis.SparseRow(j)
			for k, column := range at {
				index, value = append(index, int32(f.columns[column])), append(value, v[k])
			}
			start = append(start, len(index))
		}
		e.Basis = points.CSR(f.width, start, index, value)
		return e
	}
	weights := make([]float64, e.Basis.Len()*f.width)
	scratch := e.Basis.Scratch(1)
	for c := range e.Basis.Len() {
		for k, v := range e.Basis.Row(c, scratch) {
			weights[c*f.width+f.columns[k]] += v
		}
	}
	e.Basis = points.Dense(e.Basis.Len(), f.width, weights)
	return e
}

// rounding is how far kernel values and distances may be off, as a share of the size that they are computed of: values in single precision are.
const rounding = 1e-6

// distances returns a table of distances, with 0 for those that are not 0 or negative by rounding alone, as of 1 − ⟨x, y⟩. It fails for a
// value that no distances have, and names its row and column in the data.
func distances(p *points.Points, columns []int) (*points.Points, error) {
	_, _, largest := p.LargestValue()
	off := rounding * math.Abs(largest)
	scratch, exact := p.Scratch(1), true
	for i := range p.Len() {
		for j, v := range p.Row(i, scratch) {
			switch {
			case i == j && !(math.Abs(v) <= off):
				return nil, fault.Errorf("row %d, column %d: the distance of a point to itself is %v, not 0: give distances; if large values mean likeness, they are those of a kernel, for which %s is left out", columns[i]+1, columns[j]+1, v, fault.Option{In: "Recipe", Name: "Kernel", Value: kernel.Distances{}})
			case v < -off:
				return nil, fmt.Errorf("row %d, column %d: the distance is %v: no distance is negative", columns[i]+1, columns[j]+1, v)
			}
			exact = exact && v >= 0 && (i != j || v == 0)
		}
	}
	if exact {
		return p, nil
	}
	n := p.Len()
	values := make([]float64, n*n)
	for i := range n {
		for j, v := range p.Row(i, scratch) {
			if i != j {
				values[i*n+j] = max(v, 0)
			}
		}
	}
	return points.Dense(n, n, values), nil
}

// checkValues reports a point that no kernel has, by its row and column in the data. Its value with itself is negative, or it is 0 beside a value
// that is not.
func checkValues(p *points.Points, columns []int) error {
	_, _, largest := p.LargestValue()
	off := rounding * math.Abs(largest)
	scratch := p.Scratch(1)
	for i := range p.Len() {
		row := p.Row(i, scratch)
		if v := row[i]; v < -off {
			return fault.Errorf("row %d, column %d: the kernel value of a point with itself is %v, and that of no kernel is negative: the matrix is indefinite; give other values, or distances with %s", columns[i]+1, columns[i]+1, v, fault.Option{In: "Recipe", Name: "Kernel", Value: kernel.Distances{}})
		} else if v > 0 {
			continue
		}
		for j, v := range row {
			if math.Abs(v) > off {
				return fault.Errorf("row %d, column %d: the kernel value is %v, but that of point %d with itself is %v: the matrix is indefinite; give other values, or distances with %s", columns[i]+1, columns[j]+1, v, columns[i]+1, row[i], fault.Option{In: "Recipe", Name: "Kernel", Value: kernel.Distances{}})
			}
		}
	}
	return nil
}

// symmetric returns a table of kernel values or distances, the mean of both where two mirrored ones
// differ by rounding: of the larger one, and of √(k_ii k_jj) or of the largest distance. It fails where they differ by more, and names the points by
// their columns in the data.
func symmetric(p *points.Points, columns []int, what string) (*points.Points, error) {
	n, exact, scratch := p.Len(), true, p.Scratch(1)
	_, _, largest := p.LargestValue()
	largest = math.Abs(largest)
	for i := range n {
		for j, a := range p.Row(i, scratch)[:i] {
			b := p.At(j, i)
			size := max(math.Abs(a), math.Abs(b), largest)
			if what != "distance" {
				size = max(math.Abs(a), math.Abs(b), math.Sqrt(math.Abs(p.At(i, i)))*math.Sqrt(math.Abs(p.At(j, j))))
			}
			if !(math.Abs(a-b) <= rounding*size) {
				return nil, fault.Errorf("the %ss are not symmetric: points %d and %d have %v, but points %d and %d have %v: give the whole matrix, of which row i and column j have the %[1]s of points i and j",
					what, columns[i]+1, columns[j]+1, a, columns[j]+1, columns[i]+1, b)
			}
			exact = exact && a == b
		}
	}
	if exact {
		return p, nil
	}
	values := make([]float64, n*n)
	for i := range n {
		for j, a := range p.Row(i, scratch)[:i+1] {
			mean := a/2 + p.At(j, i)/2
			values[i*n+j], values[j*n+i] = mean, mean
		}
	}
	return points.Dense(n, n, values), nil
}
