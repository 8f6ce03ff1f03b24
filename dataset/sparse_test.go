package dataset

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"lapsvm/dataset/internal/sparse"
	"lapsvm/internal/ranks/comm"
	"lapsvm/points"
)

// Rows of few values other than 0 are sparse, but for those that can be no counts of terms, whether they were sparse or dense, also where ranks share them.
func TestStoredByValue(t *testing.T) {
	const n, d = 30, 60
	for name, c := range map[string]struct {
		change func(row []float64, i int)
		sparse bool
	}{
		"counts":             {func([]float64, int) {}, true},
		"a full column":      {func(row []float64, _ int) { row[0] = 7 }, false},
		"full but for a row": {func(row []float64, i int) { row[0] = float64(min(i, 1)) }, true},
		"a negative value":   {func(row []float64, i int) { row[0] = -float64(i / (n - 1)) }, false},
		"minus zero":         {func(row []float64, i int) { row[0] = math.Copysign(0, -float64(i/(n-1))-0.5) }, false},
		"a tenth": {func(row []float64, i int) {
			row[(i+5)%d], row[(i+7)%d], row[(i+11)%d], row[(i+13)%d], row[(i+17)%d], row[(i+19)%d] = 1, 1, 1, 1, 1, 1
		}, false},
	} {
		var rows [][]string
		for i := range n {
			row := make([]float64, d)
			row[i%d], row[(3*i+1)%d] = float64(1+i%3), 2
			c.change(row, i)
			var fields []string
			for _, v := range row {
				fields = append(fields, fmt.Sprint(v))
			}
			rows = append(rows, append(fields, "ab"[i%2:i%2+1]))
		}
		onOneToThree(t, name, func(ctx context.Context, ranks *comm.Comm) error {
			read, err := readTogether(ctx, ranks, nil, rows)
			if err != nil {
				return err
			}
			other := *read
			other.Points = asSparse(read.Points)
			for _, from := range []*Dataset{read, &other} {
				by, err := from.StoredByValue(NewRanks(ctx, ranks), math.MaxInt64)
				if err != nil {
					return err
				}
				if by.Points.Sparse() != c.sparse {
					return fmt.Errorf("sparse: %v, of rows that were sparse: %v", by.Points.Sparse(), from.Points.Sparse())
				}
				row := make([]float64, d)
				for i := range read.Points.Len() {
					by.Points.CopyRow(row, i)
					for j, v := range read.Points.DenseRow(i) {
						if math.Float64bits(v) != math.Float64bits(row[j]) {
							return fmt.Errorf("row %d, column %d: %v, want %v", i, j, row[j], v)
						}
					}
				}
			}
			return nil
		})
	}
	for _, p := range []*points.Points{points.Dense(50, 50, make([]float64, 2500)), asSparse(points.Dense(50, 50, make([]float64, 2500)))} {
		square := &Dataset{Points: p, Y: make([]int, 50)}
		if by, err := square.StoredByValue(nil, math.MaxInt64); err != nil || by.Points.Sparse() {
			t.Errorf("a square table is sparse, error %v", err)
		}
	}
}

// asSparse returns the rows of p as a sparse table.
func asSparse(p *points.Points) *points.Points {
	var rows sparse.Rows
	for i := range p.Len() {
		sparse.Each(p, i, rows.Add)
		rows.EndRow()
	}
	return rows.CSR(p.Dim())
}

// A word that every text has leaves counts sparse. Measurements that are nearly all 0 stay sparse if they are large or there is no room, with a note.
func TestStoredByValueOfLargeRows(t *testing.T) {
	rows := func(n, d, stored int, first float64) *Dataset { // of stored values and one in the first column
		var all sparse.Rows
		for i := range n {
			all.Add(0, first)
			for k := range stored {
				all.Add(int32(1+(i+k*(d/stored))%(d-1)), 1)
			}
			slices.Sort(all.Index[len(all.Index)-stored:])
			all.EndRow()
		}
		return &Dataset{Points: all.CSR(d), Y: make([]int, n)}
	}
	for name, c := range map[string]struct {
		d      *Dataset
		room   int64
		sparse bool
		notes  int
	}{
		"a word of all texts":      {rows(300, 3000, 150, 2), math.MaxInt64, true, 0},
		"a full column":            {rows(300, 3000, 90, 2), math.MaxInt64, false, 0},
		"a column of −1":           {rows(300, 3000, 150, -1), math.MaxInt64, false, 0},
		"no room":                  {rows(300, 3000, 150, -1), 7_199_999, true, 1},
		"just room":                {rows(300, 3000, 150, -1), 7_200_000, false, 0},
		"large and nearly empty":   {rows(300, 60_000, 150, -1), math.MaxInt64, true, 0},
		"small and nearly empty":   {rows(300, 50_000, 150, -1), math.MaxInt64, false, 0},
		"large and not that empty": {rows(300, 60_000, 900, -1), math.MaxInt64, false, 0},
	} {
		by, err := c.d.StoredByValue(nil, c.room)
		if err != nil {
			t.Fatal(err)
		}
		if by.Points.Sparse() != c.sparse || len(by.Notes) != c.notes {
			t.Errorf("%s: sparse %v, notes %q", name, by.Points.Sparse(), by.Notes)
		}
	}
}
