package points

import (
	"slices"
	"testing"
)

func TestRowsAsBytes(t *testing.T) {
	tables := []*Points{
		Dense(3, 2, []float64{1, 2, 3, 4, 5, -6.5}),
		Dense32(3, 2, []float32{1, 2, 3, 4, 5, -6.5}),
		DenseBytes(3, 2, []uint8{1, 2, 3, 4, 5, 255}),
		CSR(4, []int{0, 2, 2, 3}, []int32{0, 3, 1}, []float64{1, -2, 3}),
	}
	for _, p := range tables {
		q := FromRows(p, p.AppendRows(nil, []int{2, 0}), nil, p.AppendRows(nil, []int{1}))
		if q.Len() != 3 || q.Dim() != p.Dim() || q.Storage() != p.Storage() || q.Sparse() != p.Sparse() {
			t.Fatalf("%d×%d, %v from %v", q.Len(), q.Dim(), q.Storage(), p.Storage())
		}
		for k, i := range []int{2, 0, 1} {
			got, want := make([]float64, p.Dim()), make([]float64, p.Dim())
			q.CopyRow(got, k)
			if p.CopyRow(want, i); !slices.Equal(got, want) {
				t.Errorf("%v: row %d is %v, want %v", p.Storage(), i, got, want)
			}
		}
		if none := FromRows(p); none.Len() != 0 || none.Dim() != p.Dim() {
			t.Errorf("no rows: %d×%d", none.Len(), none.Dim())
		}
	}
}
