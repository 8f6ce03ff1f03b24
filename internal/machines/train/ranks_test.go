package train

import (
	"context"
	"fmt"
	"log/slog"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"lapsvm/dataset"
	"lapsvm/internal/machines/task"
	"lapsvm/internal/numbers/objective"
	"lapsvm/internal/points/graph"
	"lapsvm/internal/ranks/comm"
	"lapsvm/kernel"
	"lapsvm/points"
)

// asShares calls do on size ranks that share d.
func asShares(t *testing.T, d *dataset.Dataset, size int, do func(ctx context.Context, s *dataset.Dataset) error) error {
	return comm.Goroutines(t.Context(), size, func(ctx context.Context, c *comm.Comm) error {
		s, err := d.Part(dataset.Part{Rank: c.Rank(), Parts: size}).Share(ctx, c)
		if err != nil {
			return err
		}
		return do(ctx, s)
	})
}

// Ranks fit what one process fits: outputs, probabilities, recipe, rows, also with
// several classes, another bias, a prior, scaling and a challenger.
func TestRanksFitWhatOneProcessFits(t *testing.T) {
	base := Recipe{Kernel: kernel.Gaussian{Sigma: 0.7}, GammaA: 1e-3, GammaI: 0.1, Graph: graph.Options{Neighbours: 6, Degree: 2}, Solver: Landmarks, Landmarks: 60,
		Tolerance: 1e-16, Precision: 64, Standardise: points.AsIs, Calibrate: true, Seed: 3}
	outside, prior, scaled, challenged, compact, tuned := base, base, base, base, base, base
	outside.Bias, outside.Loss = objective.BiasOutside, objective.Squared
	prior.Prior = BalancedPrior
	scaled.Standardise, scaled.Kernel = points.ZScore, kernel.Gaussian{Sigma: 0.5}
	challenged.Pending.Challenger = &Member{Neighbours: 6, LaplacianDegree: 3, GammaA: 1e-3, GammaI: 1, Weight: 1}
	compact.Compact = true
	tuned.Graph.Metric = graph.SelfTuning
	ordered := prior
	ordered.Kind = task.Ordered("c", "a", "b")
	for name, r := range map[string]Recipe{"plain": base, "outside": outside, "prior": prior, "scaled": scaled, "challenged": challenged, "compact": compact, "self-tuning": tuned, "ordered": ordered} {
		for _, classes := range []int{2, 3} {
			d := corners(240, classes, 24)
			want, err := Fit(t.Context(), d, r, Run{})
			if err != nil {
				t.Fatal(name, err)
			}
			for _, size := range []int{2, 3} {
				if size == 3 && name != "plain" {
					continue
				}
				err := asShares(t, d, size, func(ctx context.Context, s *dataset.Dataset) error {
					got, err := Fit(ctx, s, r, Run{})
					if err != nil || (got == nil) != (s.Ranks().Rank() > 0) {
						return fmt.Errorf("fitted %v: %w", got, err)
					}
					if got == nil {
						return nil
					}
					if !slices.Equal(got.Data.Y, d.Y) {
						return fmt.Errorf("the rows came back as others")
					}
					return sameFit(got, want)
				})
				if err != nil {
					t.Errorf("%s, %d classes, %d ranks: %v", name, classes, size, err)
				}
			}
		}
	}
}

// Few rows whose parameters are chosen are trained on by rank 0 alone, to the bits of one process. It says so, and that the others wait.
func TestFewRowsAreForOneRank(t *testing.T) {
	d := corners(240, 2, 24)
	r := Recipe{Kernel: kernel.Gaussian{Sigma: 0.7}, GammaA: 1e-3, GammaI: 0.1, Graph: graph.Options{Neighbours: 6, Degree: 2}, Solver: Landmarks, Landmarks: 60,
		Standardise: points.AsIs, Calibrate: true, Seed: 3, Baseline: Baseline{SupervisedGamma: 1e-4}}
	want, err := Fit(t.Context(), d, r, Run{})
	if err != nil {
		t.Fatal(err)
	}
	err = asShares(t, d, 2, func(ctx context.Context, s *dataset.Dataset) error {
		var said strings.Builder
		var alone []bool
		got, err := Fit(ctx, s, r, Run{Observer: Observer{Log: slog.New(slog.NewTextHandler(&said, nil)), Alone: func(now bool) { alone = append(alone, now) }}})
		switch first := s.Ranks().Rank() == 0; {
		case err != nil || (got != nil) != first:
			return fmt.Errorf("fitted %v: %w", got, err)
		case !first && alone == nil:
			return nil
		case !slices.Equal(alone, []bool{true, false}):
			return fmt.Errorf("it is told %v of being alone", alone)
		case !strings.Contains(said.String(), "240 rows are few for 2 ranks"):
			return fmt.Errorf("it says %s", said.String())
		case got.Summary.Ranks != nil:
			return fmt.Errorf("ranks trained together: %+v", got.Summary.Ranks)
		}
		for i, row := range want.Summary.Scores {
			if !slices.Equal(row, got.Summary.Scores[i]) {
				return fmt.Errorf("row %d has %v, want %v", i, got.Summary.Scores[i], row)
			}
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

// Where few of the rows take part rank 0 trains on these alone, to the bits of one process, and has all rows.
func TestFewOfTheRowsAreForOneRank(t *testing.T) {
	d := corners(240, 2, 24)
	r := Recipe{Kernel: kernel.Gaussian{Sigma: 0.7}, GammaA: 1e-3, GammaI: 0.1, Graph: graph.Options{Neighbours: 6, Degree: 2}, Solver: Landmarks, Landmarks: 60,
		Standardise: points.AsIs, Seed: 3, MostPoints: 100}
	want, err := Fit(t.Context(), d, r, Run{})
	if err != nil {
		t.Fatal(err)
	}
	err = asShares(t, d, 3, func(ctx context.Context, s *dataset.Dataset) error {
		var said strings.Builder
		rows := 0
		got, err := Fit(ctx, s, r, Run{Observer: Observer{Log: slog.New(slog.NewTextHandler(&said, nil)), Gathered: func(d *dataset.Dataset) { rows = d.Len() }}})
		switch first := s.Ranks().Rank() == 0; {
		case err != nil || (got != nil) != first:
			return fmt.Errorf("fitted %v: %w", got, err)
		case !first:
			return nil
		case !strings.Contains(said.String(), "100 of 240 rows take part, few for 3 ranks"):
			return fmt.Errorf("it says %s", said.String())
		case got.Summary.Ranks != nil || got.Summary.N != want.Summary.N || got.Recipe.MostPoints != 100 || rows != 240:
			return fmt.Errorf("%d points of %d rows, ranks %v, most points %d", got.Summary.N, rows, got.Summary.Ranks, got.Recipe.MostPoints)
		case !slices.Equal(got.Rows, want.Rows) || !reflect.DeepEqual(got.Expansion.Coefficients, want.Expansion.Coefficients):
			return fmt.Errorf("the expansion differs from that of one process")
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

func sameFit(got, want *Fitted) error {
	for i, row := range want.Summary.Scores {
		for c, v := range row {
			if !(math.Abs(got.Summary.Scores[i][c]-v) <= 1e-5*(1+math.Abs(v))) {
				return fmt.Errorf("decision value %d of row %d is %v, want %v", c, i, got.Summary.Scores[i][c], v)
			}
		}
	}
	if !slices.Equal(got.Rows, want.Rows) || !slices.Equal(got.Class, want.Class) || !slices.Equal(got.LocalRows, want.LocalRows) {
		return fmt.Errorf("the expansion is of other rows: %v, want %v", got.Rows, want.Rows)
	}
	if !(math.Abs(got.Calibration.Slope-want.Calibration.Slope) <= 1e-5*math.Abs(want.Calibration.Slope)) {
		return fmt.Errorf("slope %v, want %v", got.Calibration.Slope, want.Calibration.Slope)
	}
	if got.Recipe.Graph != want.Recipe.Graph && !(math.Abs(got.Recipe.Graph.HeatWidth-want.Recipe.Graph.HeatWidth) <= 1e-9) || got.Recipe.GammaI != want.Recipe.GammaI {
		return fmt.Errorf("recipe %v, want %v", got.Recipe.Graph, want.Recipe.Graph)
	}
	a, b := got.Summary, want.Summary
	if a.N != b.N || a.Labelled != b.Labelled || a.Unlabelled != b.Unlabelled || !(math.Abs(a.Objective-b.Objective) <= 1e-6*b.Objective) || a.TrainingError != b.TrainingError {
		return fmt.Errorf("summary %+v, want %+v", a, b)
	}
	return nil
}

// Of a compact model some rows are enough: it decides as one of all rows does, and names
// the same rows.
func TestRanksMakeACompactModelOfSomeRows(t *testing.T) {
	r := Recipe{Kernel: kernel.Gaussian{Sigma: 0.7}, GammaA: 1e-3, GammaI: 0.1, Graph: graph.Options{Neighbours: 6, Degree: 2}, Solver: Landmarks, Landmarks: 60, Compact: true, Standardise: points.AsIs, Calibrate: true}
	d := corners(400, 3, 20)
	var rows []int
	for i := 0; i < 400; i++ {
		if i%4 != 3 || d.Y[i] != dataset.Unlabelled {
			rows = append(rows, i)
		}
	}
	want, err := Fit(t.Context(), d, r, Run{})
	if err != nil {
		t.Fatal(err)
	}
	err = asShares(t, d, 2, func(ctx context.Context, s *dataset.Dataset) error {
		p, err := Begin(ctx, s, r, Run{})
		if err != nil {
			return err
		}
		defer p.Geometry.Close()
		m, err := p.minimise(ctx, nil, Run{})
		if err != nil {
			return err
		}
		held, err := p.holdOutIfAsked(ctx, m, Run{})
		if err != nil {
			return err
		}
		whole, of, err := p.gather(ctx, rows, m)
		if err != nil || whole == nil {
			return err
		}
		got, err := whole.conclude(ctx, of, held, Run{})
		if err != nil {
			return err
		}
		for k, row := range got.Rows {
			if _, is := slices.BinarySearch(rows, row); !is || got.Class[k] != d.Y[row] {
				return fmt.Errorf("basis point %d is row %d of class %d", k, row, got.Class[k])
			}
		}
		wrong := 0
		a, err := got.Predictor().Scores(ctx, d.Points)
		if err != nil {
			return err
		}
		b, err := want.Predictor().Scores(ctx, d.Points)
		if err != nil {
			return err
		}
		for i := range a {
			if want.Task.Coding().DecideScores(a[i]) != want.Task.Coding().DecideScores(b[i]) {
				wrong++
			}
		}
		if wrong > 4 {
			return fmt.Errorf("%d of 400 rows are decided otherwise than by a model of all rows", wrong)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}
