package selection

import (
	"math"
	"testing"

	"lapsvm/internal/machines/deformed"
)

// A cell is close where its mean loss exceeds the best one's by no more than one
// standard error of the difference, σ/√n with divisor n − 1, label by label.
func TestClose(t *testing.T) {
	best := []float64{1, 1, 1, 1, 1}
	all := [][]float64{best}
	for _, more := range [][]float64{
		{1, 2, 3, 1, 3},     // 1 ± 0.447: more than two errors
		{0, 1, 2, 0, 0},     // 0.6 ± 0.4: one and a half
		{0.2, 1, 0, 0, 0.3}, // 0.3 ± 0.185: more than the error with divisor n
		{0, 0, 1, 0, 0},     // 0.2 ± 0.2
		{-1, 3, 0, 0, 0},    // 0.4 ± 0.68
		{1e-9, 1e-9, 1e-9, 1e-9, 1e-9},
	} {
		loss := make([]float64, len(best))
		for k, v := range more {
			loss[k] = best[k] + v
		}
		all = append(all, loss)
	}
	var cells []deformed.Gammas
	var measured []examined
	var freedom []float64
	for k, loss := range all {
		cells = append(cells, deformed.Gammas{A: 1, I: 1 + float64(k)})
		measured = append(measured, examined{losses: loss})
		freedom = append(freedom, 5)
	}
	cells = append(cells, deformed.Gammas{A: 1})
	measured = append(measured, examined{losses: []float64{9, 9, 9, 9, 9}})
	freedom = append(freedom, 1)
	var got Tuning
	got.judge(cells, measured, freedom)
	for k, loss := range all {
		mean, square := 0.0, 0.0
		for i := range loss {
			mean += (loss[i] - best[i]) / 5
		}
		for i := range loss {
			square += (loss[i] - best[i] - mean) * (loss[i] - best[i] - mean)
		}
		want := mean <= math.Sqrt(square/4/5)
		if k == 4 { // both are 0.2, up to rounding
			want = got.Cells[k].Close
		}
		if got.Cells[k].Close != want {
			t.Errorf("cell %d, %v ± %v above the best: close %v", k, mean, math.Sqrt(square/4/5), got.Cells[k].Close)
		}
	}
}
