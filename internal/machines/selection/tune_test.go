package selection

import (
	"math/rand/v2"
	"slices"
	"testing"

	"lapsvm/dataset"
	"lapsvm/internal/machines/deformed"
	"lapsvm/internal/machines/task"
	"lapsvm/internal/machines/train"
	"lapsvm/kernel"
	"lapsvm/points"
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
	}{
		"the least loss": {
			grid:  []cell{{loss: [2]float64{2, 2}, freedom: 1}, {loss: [2]float64{1, 1}, freedom: 3, wrong: [2]float64{0, 1}}, {loss: [2]float64{3, 3}, freedom: 2}},
			alone: []cell{{loss: [2]float64{5, 5}, freedom: 1}, {loss: [2]float64{4, 4}, freedom: 2, wrong: [2]float64{1, 1}}, {loss: [2]float64{6, 6}, freedom: 1}},
			best:  1, recommended: 1, supervised: 1,
		},
		"equal losses": {
			grid:  []cell{{loss: [2]float64{1, 1}, freedom: 3}, {loss: [2]float64{1, 1}, freedom: 1, wrong: [2]float64{1, 0}}, {loss: [2]float64{1, 1}, freedom: 2}},
			alone: []cell{{loss: [2]float64{4, 4}, freedom: 3}, {loss: [2]float64{4, 4}, freedom: 2, wrong: [2]float64{1, 1}}, {loss: [2]float64{4, 4}, freedom: 2.5}},
			best:  1, recommended: 1, supervised: 1,
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
			var asked []examined
			var freedom []float64
			for k, one := range append(append([]cell(nil), c.grid...), c.alone...) {
				g := deformed.Gammas{A: 1 + float64(k%len(c.grid)), I: 10}
				if k >= len(c.grid) {
					g.I = 0
				}
				cells = append(cells, g)
				asked = append(asked, examined{losses: one.loss[:], error: 100 * mean(one.wrong[:])})
				freedom = append(freedom, one.freedom)
			}
			var got Tuning
			got.judge(cells, asked, freedom)
			if got.Best != c.best || got.Recommended != c.recommended || len(got.Cells) != len(c.grid) {
				t.Errorf("best is %d and recommended %d of %d cells, want %d and %d", got.Best, got.Recommended, len(got.Cells), c.best, c.recommended)
			}
			if got.Supervised.GammaI != 0 || got.Supervised.GammaA != 1+float64(c.supervised) {
				t.Errorf("supervised %+v, want the machine %d", got.Supervised, c.supervised)
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

// Of labels that mean nothing half are expected to be wrong, and seldom is there a verdict, though the
// cells that they choose look better than their supervised machines.
func TestTuneOfNoise(t *testing.T) {
	const draws = 12
	sum, told := 0.0, 0
	for draw := range uint64(draws) {
		rng := rand.New(rand.NewPCG(draw, 6))
		d := &dataset.Dataset{Classes: []string{"a", "b"}}
		var values []float64
		for i := range 80 {
			values = append(values, rng.NormFloat64(), rng.NormFloat64())
			class := i % 2
			if i >= 40 {
				class = dataset.Unlabelled
			}
			d.Y = append(d.Y, class)
		}
		d.Points = points.Dense(80, 2, values)
		tuned, err := Tune(t.Context(), d, train.Recipe{Kernel: kernel.Gaussian{Sigma: 1}, Standardise: points.AsIs}, Grid{}, train.Run{})
		if err != nil {
			t.Fatal(err)
		}
		if tuned.Expected == nil {
			t.Fatal("forty labels tell nothing")
		}
		if sum += tuned.Expected.Error; tuned.Verdict != train.CannotBeTold {
			told++
		}
	}
	if mean := sum / draws; !(mean > 42 && mean < 58) || told > 1 {
		t.Errorf("%v %% of labels without a meaning are expected to be wrong, and there are %d verdicts", mean, told)
	}
}

// Cells that cannot be asked do not count, and nothing is expected where there are none, or too few labels.
func TestTuneAsksNobody(t *testing.T) {
	cells := []deformed.Gammas{{A: 1, I: 1}, {A: 1}}
	d := &dataset.Dataset{Points: points.Dense(2, 1, []float64{1, 2}), Y: []int{0, 1}, Classes: []string{"a", "b"}}
	of, err := task.Kind{}.Read(d)
	if err != nil {
		t.Fatal(err)
	}
	e := examination{heldOut: hold(of)}
	e.blocks = []block{{labels: []int{0}, count: []int{1}}}
	one := func(output float64) examined {
		return examined{unseen: []heldOutEstimate{{losses: []float64{1}, outputs: [][]float64{{output}}}}}
	}
	for name, all := range map[string][]examined{"no cell": {{}, {}}, "no machine": {one(1), {}}, "no grid": {{}, one(1)}} {
		if wrong, baselines := e.again(cells, all, []float64{1, 1}); wrong != nil || baselines != nil {
			t.Errorf("%s: %v and %v", name, wrong, baselines)
		}
	}
	if wrong, baselines := e.again(cells, []examined{one(1), one(-1)}, []float64{1, 1}); !slices.Equal(wrong, []float64{1}) || !slices.Equal(baselines, []float64{0}) {
		t.Errorf("both: %v and %v", wrong, baselines)
	}
	tuned, err := Tune(t.Context(), labelledMoons(40, 8, false), train.Recipe{Kernel: kernel.Gaussian{Sigma: 0.5}}, Grid{}, train.Run{})
	if err != nil || tuned.Expected != nil || tuned.Verdict != train.CannotBeTold {
		t.Errorf("eight labels: %v, %+v, %q", err, tuned.Expected, tuned.Verdict)
	}
}
