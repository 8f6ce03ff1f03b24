package selection

import (
	"math"
	"testing"

	"lapsvm/internal/machines/deformed"
)

// Of cells of equal loss the smoother is best, of the close ones the smoothest is
// recommended, and supervised machines are judged among themselves.
func TestJudge(t *testing.T) {
	type cell struct {
		loss    [2]float64 // of two labels
		wrong   [2]float64
		freedom float64
	}
	for name, c := range map[string]struct {
		grid, alone                   []cell
		best, recommended, supervised int
		gain                          float64
	}{
		"the least loss": {
			grid:  []cell{{loss: [2]float64{2, 2}, freedom: 1}, {loss: [2]float64{1, 1}, freedom: 3, wrong: [2]float64{0, 1}}, {loss: [2]float64{3, 3}, freedom: 2}},
			alone: []cell{{loss: [2]float64{5, 5}, freedom: 1}, {loss: [2]float64{4, 4}, freedom: 2, wrong: [2]float64{1, 1}}, {loss: [2]float64{6, 6}, freedom: 1}},
			best:  1, recommended: 1, supervised: 1, gain: 50,
		},
		"equal losses": {
			grid:  []cell{{loss: [2]float64{1, 1}, freedom: 3}, {loss: [2]float64{1, 1}, freedom: 1, wrong: [2]float64{1, 0}}, {loss: [2]float64{1, 1}, freedom: 2}},
			alone: []cell{{loss: [2]float64{4, 4}, freedom: 3}, {loss: [2]float64{4, 4}, freedom: 2, wrong: [2]float64{1, 1}}, {loss: [2]float64{4, 4}, freedom: 2.5}},
			best:  1, recommended: 1, supervised: 1, gain: 50,
		},
		"equal in all": {
			grid:  []cell{{loss: [2]float64{1, 1}, freedom: 2}, {loss: [2]float64{1, 1}, freedom: 2}, {loss: [2]float64{1, 1}, freedom: 2}},
			alone: []cell{{loss: [2]float64{4, 4}, freedom: 2}, {loss: [2]float64{4, 4}, freedom: 2}, {loss: [2]float64{4, 4}, freedom: 2}},
			best:  0, recommended: 0, supervised: 0,
		},
		"within a standard error": { // 0 and 1 differ by 0.5 ± 0.5, 0 and 2 by 1 ± 0
			grid:  []cell{{loss: [2]float64{1, 1}, freedom: 3}, {loss: [2]float64{1, 2}, freedom: 2}, {loss: [2]float64{2, 2}, freedom: 1}},
			alone: []cell{{loss: [2]float64{4, 4}, freedom: 1}},
			best:  0, recommended: 1, supervised: 0,
		},
	} {
		t.Run(name, func(t *testing.T) {
			var cells []deformed.Gammas
			var measured []measurement
			var freedom []float64
			for k, one := range append(append([]cell(nil), c.grid...), c.alone...) {
				g := deformed.Gammas{A: 1 + float64(k%len(c.grid)), I: 10}
				if k >= len(c.grid) {
					g.I = 0
				}
				cells = append(cells, g)
				measured = append(measured, measurement{loss: one.loss[:], wrong: one.wrong[:]})
				freedom = append(freedom, one.freedom)
			}
			var got Tuning
			got.judge(cells, measured, freedom)
			if got.Best != c.best || got.Recommended != c.recommended || len(got.Cells) != len(c.grid) {
				t.Errorf("best is %d and recommended %d of %d cells, want %d and %d", got.Best, got.Recommended, len(got.Cells), c.best, c.recommended)
			}
			if got.Supervised.GammaI != 0 || got.Supervised.GammaA != 1+float64(c.supervised) {
				t.Errorf("supervised %+v, want the machine %d", got.Supervised, c.supervised)
			}
			if !(math.Abs(got.Gain-c.gain) <= 1e-12) {
				t.Errorf("a gain of %v, want %v", got.Gain, c.gain)
			}
			if !got.Cells[got.Best].Close || !got.Cells[got.Recommended].Close {
				t.Errorf("the best and the recommended cell are close: %+v", got.Cells)
			}
			for k, cell := range got.Cells {
				if want := (c.grid[k].loss[0] + c.grid[k].loss[1]) / 2; cell.Loss != want || cell.GammaA != cells[k].A || cell.GammaI != 10 || cell.Freedom != c.grid[k].freedom {
					t.Errorf("cell %d is %+v, its loss %v", k, cell, want)
				}
			}
		})
	}
}
