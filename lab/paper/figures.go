package paper

import (
	"bytes"
	"fmt"
	"math"

	"lapsvm/app/report"
)

// figure draws charts as one figure.
func figure(name, title, caption string, columns int, charts []report.Chart) (report.Figure, error) {
	var b bytes.Buffer
	if err := report.DrawCharts(&b, columns, charts); err != nil {
		return report.Figure{}, fmt.Errorf("figure %s: %w", name, err)
	}
	return report.Figure{Name: name, Title: title, Caption: caption, SVG: b.Bytes()}, nil
}

// part is one of the sets of points that errors are counted on.
type part struct {
	name  string
	trace func(t *Trace) []float64
	cell  func(c Cell) float64
}

func parts() []part {
	return []part{
		{"labelled", func(t *Trace) []float64 { return t.L }, func(c Cell) float64 { return c.L }},
		{"unlabelled", func(t *Trace) []float64 { return t.U }, func(c Cell) float64 { return c.U }},
		{"validation", func(t *Trace) []float64 { return t.V }, func(c Cell) float64 { return c.V }},
		{"test", func(t *Trace) []float64 { return t.T }, func(c Cell) float64 { return c.T }},
	}
}

// figures returns the curves of PCG on the set: errors, and the quantities of
// other stopping conditions, as means over the traced splits.
func (r *Result) figures() ([]report.Figure, error) {
	var traces []*Trace
	var splits []int
	for k, c := range r.clocked {
		if c.Found.Trace != nil {
			traces, splits = append(traces, c.Found.Trace), append(splits, k)
		}
	}
	if len(traces) == 0 {
		return nil, nil
	}
	level := "Newton"
	exact := func(p part) float64 { return r.exactly(splits, p) }
	if _, ok := r.Selected[Newton]; !ok || math.IsNaN(exact(parts()[0])) {
		level = "after the last iteration"
		exact = func(p part) float64 {
			curve := average(traces, p.trace)
			return curve[len(curve)-1]
		}
	}
	over := "1 split"
	if len(traces) > 1 {
		over = fmt.Sprintf("%d splits", len(traces))
	}
	settled := 0
	var errors []report.Chart
	for _, p := range parts() {
		y, at := average(traces, p.trace), exact(p)
		errors = append(errors, report.Chart{Title: p.name, XTitle: "iterations", YTitle: "error %",
			Curves: []report.Curve{{Name: "PCG", X: iterations(len(y)), Y: y}}, Levels: []report.Level{{Name: level, At: at}}})
		settled = max(settled, last(y, at)+1)
	}
	first, err := figure(slug(r.Set.Name)+"-errors", r.Set.Name+": errors",
		fmt.Sprintf("Errors of PCG on the four parts after each iteration, mean of %s, with the weights of %s; the dashed line: %s.", over, r.Selected.whose(), level), 2, errors)
	if err != nil {
		return nil, err
	}
	norms := report.Chart{Title: r.Set.Name, XTitle: "iterations", YTitle: "relative to the start", LogY: true}
	if settled < len(traces[0].U) {
		norms.Marks = []report.Level{{Name: "errors as at the end", At: float64(settled)}}
	}
	for _, c := range []struct {
		name string
		get  func(t *Trace) []float64
	}{
		{"objective", func(t *Trace) []float64 { return t.Objective }},
		{"gradient", func(t *Trace) []float64 { return t.Gradient }},
		{"preconditioned gradient", func(t *Trace) []float64 { return t.Preconditioned }},
		{"mixed product", func(t *Trace) []float64 { return t.Product }},
	} {
		y := average(traces, c.get)
		norms.Curves = append(norms.Curves, report.Curve{Name: c.name, X: iterations(len(y)), Y: y})
	}
	second, err := figure(slug(r.Set.Name)+"-norms", r.Set.Name+": objective and gradients",
		fmt.Sprintf("What other stopping conditions look at, mean of %s. The dotted line is where all errors have come within half a point of the line above and stay there.", over),
		1, []report.Chart{norms})
	return []report.Figure{first, second}, err
}

// whose says which weights a trace has.
func (s selected) whose() string {
	if _, ok := s[Newton]; ok {
		return "Newton's method"
	}
	return "the stability check"
}

// exactly returns the mean error of Newton's method over some splits, NaN where
// one of them has none.
func (r *Result) exactly(splits []int, p part) float64 {
	var values []float64
	for _, k := range splits {
		for _, c := range r.explored[k].Found.Cells[Newton] {
			if c.gammas() == r.Selected[Newton] {
				values = append(values, p.cell(c))
			}
		}
	}
	if len(values) < len(splits) {
		return math.NaN()
	}
	return newNumber(values).mean
}

// average returns the mean of a curve over traces; one that ended early stays
// at its last value.
func average(traces []*Trace, get func(t *Trace) []float64) []float64 {
	length := 0
	for _, t := range traces {
		length = max(length, len(get(t)))
	}
	mean := make([]float64, length)
	for _, t := range traces {
		curve := get(t)
		for i := range mean {
			mean[i] += curve[min(i, len(curve)-1)] / float64(len(traces))
		}
	}
	return mean
}

// last returns the last iteration at which a curve is further than half a point
// from a level, −1 if it never is.
func last(curve []float64, level float64) int {
	for i := len(curve) - 1; i >= 0; i-- {
		if math.Abs(curve[i]-level) > 0.5 {
			return i
		}
	}
	return -1
}

func iterations(n int) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = float64(i)
	}
	return x
}
