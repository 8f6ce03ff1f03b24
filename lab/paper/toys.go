package paper

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"math"
	"path/filepath"
	"slices"

	"lapsvm/app/report"
	"lapsvm/dataset"
	"lapsvm/dataset/files"
	"lapsvm/internal/machines/selection"
	"lapsvm/internal/machines/solve"
	"lapsvm/internal/points/gram"
	"lapsvm/points"
)

// toyFigures draws the figures of the method: the losses, the clock, and the
// course of PCG on two moons. The points are those of the folder toy where they
// are there, else generated ones.
func (r *Report) toyFigures(ctx context.Context) ([]report.Figure, error) {
	losses, err := lossFigure()
	if err != nil {
		return nil, err
	}
	figures := []report.Figure{losses}
	clock, err := r.toy(ctx, "clock", clock)
	if err != nil {
		return nil, err
	}
	defer clock.close()
	f, err := clock.clockFigure(ctx)
	if err != nil {
		return nil, err
	}
	figures = append(figures, f)
	moons, err := r.toy(ctx, "2moons", twoMoons)
	if err != nil {
		return nil, err
	}
	defer moons.close()
	more, err := moons.moonFigures(ctx)
	return append(figures, more...), err
}

// lossFigure draws the two hinge losses.
func lossFigure() (report.Figure, error) {
	hinge, squared := report.Curve{Name: "hinge (dual)"}, report.Curve{Name: "squared hinge (primal)"}
	for i := range 121 {
		m := -1 + 3*float64(i)/120
		v := math.Max(0, 1-m)
		hinge.X, hinge.Y = append(hinge.X, m), append(hinge.Y, v)
		squared.X, squared.Y = append(squared.X, m), append(squared.Y, v*v)
	}
	return figure("method-losses", "The two losses", "The loss of a labelled point, by its output times its label: the hinge of the dual, with a kink at 1, and the squared hinge of the primal.",
		1, []report.Chart{{XTitle: "y f(x)", YTitle: "loss", Curves: []report.Curve{hinge, squared}}})
}

// toy is a problem in the plane with one label per class.
type toy struct {
	*problem
	shown *dataset.Dataset // all points, two of them labelled
}

// toy makes the problem of a file of the folder toy, or of generated points.
func (r *Report) toy(ctx context.Context, name string, generate func(seed uint64) *dataset.Dataset) (*toy, error) {
	d := generate(1)
	if r.Options.Data != "" {
		s := &Set{files: []string{"toy/" + name + ".svm.gz"}}
		if s.missing(r.Options.Data) == "" {
			var err error
			if d, err = s.open(r.Options.Data, 0, files.Options{}); err != nil {
				return nil, err
			}
			if d.Points.Dim() != 2 || len(d.Classes) != 2 {
				return nil, fmt.Errorf("%s has points of %d features and %d classes, want two of each", filepath.Join(r.Options.Data, s.files[0]), d.Points.Dim(), len(d.Classes))
			}
		}
	}
	var split selection.Split
	for c := range d.Classes {
		split.Labelled = append(split.Labelled, middle(d, c))
	}
	for i := range d.Y {
		if !slices.Contains(split.Labelled, i) {
			split.Hidden = append(split.Hidden, i)
		}
	}
	set := generated()[1] // its kernel and graph
	src := &source{all: d, test: d.Subset(nil), classes: 2, class: same}
	pr, err := newProblem(ctx, &set, src, split)
	if err != nil {
		return nil, err
	}
	shown := *d
	shown.Y = make([]int, len(d.Y))
	for i := range shown.Y {
		shown.Y[i] = dataset.Unlabelled
	}
	for _, i := range split.Labelled {
		shown.Y[i] = d.Y[i]
	}
	return &toy{pr, &shown}, nil
}

// middle returns the row of a class that is nearest to its mean.
func middle(d *dataset.Dataset, class int) int {
	var rows []int
	for i, y := range d.Y {
		if y == class {
			rows = append(rows, i)
		}
	}
	mean := points.Dense(1, d.Points.Dim(), d.Points.Subset(rows).Mean())
	return slices.MinFunc(rows, func(a, b int) int {
		return cmp.Compare(d.Points.SquaredDistance(a, mean, 0), d.Points.SquaredDistance(b, mean, 0))
	})
}

// surface is a picture of the function of coefficients.
func (t *toy) surface(ctx context.Context, title string, alpha []float64) report.Surface {
	if alpha == nil {
		return report.Surface{Title: title, Data: t.shown}
	}
	return report.Surface{Title: title, Data: t.shown, F: func(p *points.Points) ([]float64, error) {
		f := make([]float64, p.Len())
		err := gram.Expansion{Kernel: t.set.Kernel, Basis: t.geometry.Points(), Coefficients: [][]float64{alpha}, Bias: []float64{0}}.Values(ctx, [][]float64{f}, p, gram.Double)
		return f, err
	}}
}

func surfaces(name, title, caption string, columns int, all []report.Surface) (report.Figure, error) {
	var b bytes.Buffer
	if err := report.DrawSurfaces(&b, "svg", columns, all); err != nil {
		return report.Figure{}, fmt.Errorf("figure %s: %w", name, err)
	}
	return report.Figure{Name: name, Title: title, Caption: caption, SVG: b.Bytes()}, nil
}

// exact returns the coefficients of the exact solution.
func (t *toy) exact(ctx context.Context, gammaA, gammaI float64) ([]float64, error) {
	k, err := t.double(ctx)
	if err != nil {
		return nil, err
	}
	defer k.Close()
	p := t.objective(k.Gram(), gammaA, gammaI)
	s, err := solve.Newton(ctx, p, solve.Options{})
	if err != nil {
		return nil, err
	}
	return s.Alpha[0], nil
}

// clockFigure shows what the unlabelled points are good for.
func (t *toy) clockFigure(ctx context.Context) (report.Figure, error) {
	const gammaA, gammaI = 1e-5, 1
	svm, err := t.exact(ctx, gammaA, 0)
	if err != nil {
		return report.Figure{}, err
	}
	lap, err := t.exact(ctx, gammaA, gammaI)
	if err != nil {
		return report.Figure{}, err
	}
	return surfaces("method-clock", "The clock", "One label for the rim and one for the hands; a supervised machine of the two labels; the semi-supervised machine of all points.", 3,
		[]report.Surface{t.surface(ctx, "Points", nil), t.surface(ctx, "SVM: two labels alone", svm), t.surface(ctx, "LapSVM: all points", lap)})
}

// moonFigures show PCG on two moons: its function after some iterations, and
// the values that stopping conditions look at.
func (t *toy) moonFigures(ctx context.Context) ([]report.Figure, error) {
	const gammaA, gammaI, limit = 0.014362, 0.7852, 60
	k, err := t.double(ctx)
	if err != nil {
		return nil, err
	}
	defer k.Close()
	shown := []int{1, 4, 8, 25}
	pictures := []report.Surface{t.surface(ctx, "Points", nil)}
	names := []string{"objective", "gradient", "preconditioned gradient", "mixed product"}
	values, wrong := make([][]float64, len(names)), []float64{}
	o := solve.Options{Stop: solve.None, MaxIterations: limit, Progress: func(s *solve.Step) {
		c := s.Columns[0]
		for i, v := range []float64{c.Objective, c.Gradient, c.Preconditioned, c.Product} {
			values[i] = append(values[i], v)
		}
		e := t.at(t.hidden, s.F)
		wrong = append(wrong, e)
		if slices.Contains(shown, s.Iteration) {
			title := fmt.Sprintf("After %d iterations: %.3g %% wrong", s.Iteration, e)
			if s.Iteration == 1 {
				title = fmt.Sprintf("After 1 iteration: %.3g %% wrong", e)
			}
			pictures = append(pictures, t.surface(ctx, title, slices.Clone(s.Alpha[0])))
		}
	}}
	if _, err := solve.PCG(ctx, t.objective(k.Gram(), gammaA, gammaI), o); err != nil {
		return nil, err
	}
	best, err := t.exact(ctx, gammaA, gammaI)
	if err != nil {
		return nil, err
	}
	pictures = append(pictures, t.surface(ctx, "Exact solution", best))
	moons, err := surfaces("method-two-moons", "Two moons", "Two labels among 200 points: the function that PCG has after some iterations, and the exact solution. The line is the boundary, blue and orange the two sides.", 2, pictures)
	if err != nil {
		return nil, err
	}
	chart := report.Chart{XTitle: "iterations", YTitle: "relative to the start", LogY: true,
		Marks: []report.Level{{Name: "no error from here on", At: float64(last(wrong, 0) + 1)}}}
	for i, name := range names {
		first := values[i][0]
		for k := range values[i] {
			values[i][k] /= first
		}
		chart.Curves = append(chart.Curves, report.Curve{Name: name, X: iterations(len(values[i])), Y: values[i]})
	}
	stops, err := figure("method-two-moons-norms", "Two moons: objective and gradients", "What other stopping conditions look at keeps falling long after the last decision has changed.", 1, []report.Chart{chart})
	return []report.Figure{moons, stops}, err
}
