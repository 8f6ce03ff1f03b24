package dataset

import (
	"context"
	"fmt"
	"math"
	"testing"

	"lapsvm/internal/ranks/comm"
	"lapsvm/points"
)

// Rows of few values other than 0 are sparse, but for those that can be no counts of terms, also where ranks share them.
func TestThinned(t *testing.T) {
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
			thin, err := read.Thinned(NewRanks(ctx, ranks))
			if err != nil {
				return err
			}
			if thin.Points.Sparse() != c.sparse {
				return fmt.Errorf("sparse: %v", thin.Points.Sparse())
			}
			row := make([]float64, d)
			for i := range read.Points.Len() {
				thin.Points.CopyRow(row, i)
				for j, v := range read.Points.DenseRow(i) {
					if !(v == row[j]) {
						return fmt.Errorf("row %d, column %d: %v, want %v", i, j, row[j], v)
					}
				}
			}
			return nil
		})
	}
	square := &Dataset{Points: points.Dense(50, 50, make([]float64, 2500)), Y: make([]int, 50)}
	if thin, err := square.Thinned(nil); err != nil || thin.Points.Sparse() {
		t.Errorf("a square table is sparse, error %v", err)
	}
}
