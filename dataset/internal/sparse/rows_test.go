package sparse_test

import (
	"math"
	"slices"
	"testing"

	"lapsvm/dataset/internal/sparse"
	"lapsvm/points"
)

// fill makes rows of (column, value) pairs.
func fill(rows ...map[int32]float64) *sparse.Rows {
	r := new(sparse.Rows)
	for _, row := range rows {
		var columns []int32
		for j := range row {
			columns = append(columns, j)
		}
		slices.Sort(columns)
		for _, j := range columns {
			r.Add(j, row[j])
		}
		r.EndRow()
	}
	return r
}

// Zeros are not stored, but −0 is, for its bits.
func TestAdd(t *testing.T) {
	r := fill(map[int32]float64{0: 0, 1: 2, 2: math.Copysign(0, -1)}, nil, map[int32]float64{3: 5})
	if !slices.Equal(r.Ends, []int{2, 2, 3}) || !slices.Equal(r.Index, []int32{1, 2, 3}) || r.Value[0] != 2 || !math.Signbit(r.Value[1]) || r.Value[2] != 5 {
		t.Errorf("%+v", r)
	}
}

// EndRow returns the bytes of the row alone: 4 and 8 of each value, 16 of the row.
func TestRowBytes(t *testing.T) {
	var r sparse.Rows
	for _, values := range []int{3, 0, 1} {
		for j := range values {
			r.Add(int32(j), 1)
		}
		if got, want := r.EndRow(), 16+12*values; got != want || sparse.RowBytes(values) != want {
			t.Errorf("%d values: %d bytes, want %d", values, got, want)
		}
	}
}

// A table is dense where at least a tenth of its values are stored, and has the same
// values either way.
func TestPoints(t *testing.T) {
	rows := []map[int32]float64{{0: 1, 9: -2}, {}, {4: math.Copysign(0, -1)}}
	for _, c := range []struct {
		d     int
		dense bool
	}{{10, true}, {11, false}} {
		r := fill(rows...) // 3 of 3·d values
		p := r.Points(c.d)
		if p.Sparse() == c.dense || p.Len() != 3 || p.Dim() != c.d {
			t.Fatalf("d = %d: %d×%d, sparse %v", c.d, p.Len(), p.Dim(), p.Sparse())
		}
		for _, p := range []*points.Points{p, fill(rows...).CSR(c.d)} {
			got := make([]float64, c.d)
			for i, row := range rows {
				p.CopyRow(got, i)
				for j, v := range got {
					if math.Float64bits(v) != math.Float64bits(row[int32(j)]) {
						t.Errorf("d = %d: value (%d, %d) is %v", c.d, i, j, v)
					}
				}
			}
		}
	}
}

// Each gives the stored values by ascending column, and of a dense row all but +0.
func TestEach(t *testing.T) {
	negative := math.Copysign(0, -1)
	for _, p := range []*points.Points{points.Dense(2, 3, []float64{7, 0, negative, 0, 0, 0}), fill(map[int32]float64{0: 7, 2: negative}, nil).CSR(3)} {
		for i, want := range [][]int32{{0, 2}, nil} {
			var columns []int32
			sparse.Each(p, i, func(j int32, v float64) {
				columns = append(columns, j)
				if math.Float64bits(v) != math.Float64bits(map[int32]float64{0: 7, 2: negative}[j]) {
					t.Errorf("column %d holds %v", j, v)
				}
			})
			if !slices.Equal(columns, want) {
				t.Errorf("sparse %v, row %d: columns %v, want %v", p.Sparse(), i, columns, want)
			}
		}
	}
}
