// Package paper runs the experiments of Melacci and Belkin, "Laplacian Support
// Vector Machines Trained in the Primal" (section 7 and Appendix A), and
// reports their numbers beside the paper's.
package paper

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"lapsvm/internal/machines/deformed"
	"lapsvm/internal/machines/selection"
)

// Options are the options of a run. The zero value runs all that needs no
// files.
type Options struct {
	Data     string   // folder of the data sets; "" runs the generated ones
	Out      string   // folder for the report; finished splits are kept below it
	Only     []string // names of the sets to run; default all but the variants
	Quick    bool     // 3 splits of the small sets
	Repeats  int      // number of splits; default 12, the paper's 4 folds shuffled 3 times, or 3 if Quick
	Seed     uint64
	Appendix bool              // the weights of Appendix A in place of the grid
	Progress func(p Progress)  // called before every split and at the end, if not nil
	Skipped  func(text string) // called for every set that is not there, if not nil
}

// Progress says how far a run is.
type Progress struct {
	Set           string
	Split, Splits int // of the set, from 1
	Doing         string
	Done, Total   int           // parts of the whole run
	Left          time.Duration // about; 0 at the end
}

// Result is the result on a set.
type Result struct {
	Set                       *Set
	Selected                  selected
	explored                  []kept[Explored]
	clocked                   []kept[Clocked]
	classes, points, features int
}

// repeats returns the number of splits.
func (o Options) repeats() int {
	switch {
	case o.Repeats > 0:
		return o.Repeats
	case o.Quick:
		return 3
	}
	return 12
}

// choose returns the sets to run.
func (o Options) choose() ([]*Set, error) {
	all := Sets(o.Data)
	var names []string
	for _, s := range all {
		names = append(names, s.Name)
	}
	for _, name := range o.Only {
		if !slices.ContainsFunc(names, func(n string) bool { return strings.EqualFold(n, name) }) {
			return nil, fmt.Errorf("there is no set %q; the sets are %s", name, strings.Join(names, ", "))
		}
	}
	var sets []*Set
	for i := range all {
		s := &all[i]
		asked := slices.ContainsFunc(o.Only, func(n string) bool { return strings.EqualFold(n, s.Name) })
		if len(o.Only) > 0 && !asked || len(o.Only) == 0 && (s.Variant() || o.Quick && !s.Quick) {
			continue
		}
		if file := s.missing(o.Data); file != "" {
			if o.Skipped != nil {
				o.Skipped(fmt.Sprintf("%s is skipped: there is no %s in %s; it is %s", s.Name, file, o.Data, s.Where))
			}
			continue
		}
		sets = append(sets, s)
	}
	if len(sets) == 0 {
		return nil, fmt.Errorf("none of the data sets is in %s: see docs/paper.md for their names, or run without a folder of data", o.Data)
	}
	return sets, nil
}

// Run runs the experiments and writes the report. It continues after the
// finished splits of an earlier run with the same options. When ctx is done it
// keeps the finished splits and returns the context's error.
func Run(ctx context.Context, o Options) (*Report, error) {
	sets, err := o.choose()
	if err != nil {
		return nil, err
	}
	r := &run{o: o, store: store{filepath.Join(o.Out, "splits")}, meter: newMeter(sets, o.repeats())}
	report := &Report{Options: o}
	for _, s := range sets {
		result, err := r.set(ctx, s)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", s.Name, err)
		}
		report.Results = append(report.Results, result)
	}
	r.tell(Progress{Done: r.meter.done, Total: r.meter.total()})
	return report, report.write(ctx)
}

// run is a run under way.
type run struct {
	o     Options
	store store
	meter *meter
}

func (r *run) tell(p Progress) {
	if r.o.Progress != nil {
		r.o.Progress(p)
	}
}

// set explores all splits of a set, selects the weights, and times them.
func (r *run) set(ctx context.Context, s *Set) (*Result, error) {
	src, err := s.read(s, r.o.Data)
	if err != nil {
		return nil, err
	}
	fraction := 0.25
	if src.test != nil {
		fraction = 0
	}
	n := r.o.repeats()
	splits, err := selection.Splits(src.all, selection.Plan{Labelled: s.Labelled, Validation: s.Validation, TestFraction: fraction, Repeats: n, Seed: r.o.Seed})
	if err != nil {
		return nil, err
	}
	result := &Result{Set: s, classes: src.classes, points: src.all.Points.Len(), features: src.all.Points.Dim()}
	if src.test != nil {
		result.points += src.test.Points.Len()
	}
	appendix := r.o.Appendix && s.PaperSet != ""
	w := &work{run: r, set: s, src: src, splits: slices.Collect(splits), appendix: appendix}
	if result.explored, err = each(ctx, w, exploring, func(Explored) bool { return true }, func(pr *problem, k int) (e Explored, err error) {
		e.Sizes = Sizes{len(pr.task.Labelled), len(pr.hidden), pr.validation, len(pr.outsideY) - pr.validation}
		c := gridOf(s.Grid, s.exact(k))
		if appendix {
			c = appendixOf(s.PaperSet, s.exact(k))
		}
		e.Cells, err = explore(ctx, pr, c)
		return e, err
	}); err != nil {
		return nil, err
	}
	result.choose(appendix)
	result.clocked, err = each(ctx, w, timing, func(c Clocked) bool { return maps.Equal(c.Selected, result.Selected) }, func(pr *problem, k int) (Clocked, error) {
		c, err := timed(ctx, pr, result.Selected, s.timedExactly(k), !s.Large || k < s.Draws)
		if err != nil {
			return Clocked{}, err
		}
		return *c, nil
	})
	return result, err
}

// work is the work on the splits of a set.
type work struct {
	*run
	set      *Set
	src      *source
	splits   []selection.Split
	appendix bool
}

// each does a phase of the work on every split without a valid result from an
// earlier run.
func each[T any](ctx context.Context, w *work, p phase, valid func(T) bool, do func(pr *problem, split int) (T, error)) ([]kept[T], error) {
	var all []kept[T]
	for k, split := range w.splits {
		w.tell(Progress{Set: w.set.Name, Split: k + 1, Splits: len(w.splits), Doing: p.doing(), Done: w.meter.done, Total: w.meter.total(), Left: w.meter.left()})
		one := kept[T]{Key: key{Version: version, Set: w.set.Name, Split: k, Seed: w.o.Seed, Appendix: w.appendix,
			Data: fmt.Sprintf("%d×%d", w.src.all.Points.Len(), w.src.all.Points.Dim())}}
		var before kept[T]
		if w.store.load(one.Key, p, &before) && before.Key == one.Key && valid(before.Found) {
			one = before
		} else {
			start := time.Now()
			pr, err := newProblem(ctx, w.set, w.src, split)
			if err != nil {
				return nil, err
			}
			one.Found, err = do(pr, k)
			pr.close()
			if err != nil {
				return nil, err
			}
			one.Seconds = time.Since(start).Seconds()
			if err := w.store.save(one.Key, p, one); err != nil {
				return nil, err
			}
		}
		w.meter.measured(w.set, p, one.Seconds)
		all = append(all, one)
	}
	return all, nil
}

// choose selects for every method the weights of the smallest mean error on
// the validation points, of equal ones the first: the smallest γA and then the
// smallest γI. With the weights of Appendix A there is nothing to select.
func (r *Result) choose(appendix bool) {
	r.Selected = make(selected)
	for _, m := range methods() {
		if appendix {
			if g, ok := publishedGammas(r.Set.PaperSet, m); ok && len(r.cells(m)) > 0 {
				r.Selected[m] = g
			}
			continue
		}
		best, least := deformed.Gammas{}, math.Inf(1)
		for _, cell := range r.cells(m) {
			if v := r.tried(m, cell, func(c Cell) float64 { return c.V }); v.mean < least-1e-9 {
				best, least = cell, v.mean
			}
		}
		if best.A > 0 {
			r.Selected[m] = best
		}
	}
	// Ours is the stability check's rival, with its weights.
	if g, ok := r.Selected[Stability]; ok {
		r.Selected[Auto] = g
	}
}

// cells returns the weights that a method was tried with.
func (r *Result) cells(m Method) []deformed.Gammas {
	var all []deformed.Gammas
	for _, c := range r.explored[0].Found.Cells[m] {
		all = append(all, c.gammas())
	}
	slices.SortFunc(all, func(a, b deformed.Gammas) int { return cmp.Or(cmp.Compare(a.A, b.A), cmp.Compare(a.I, b.I)) })
	return all
}

// number is a mean over splits with its standard deviation, and how many they
// are.
type number struct {
	mean, sd float64
	n        int
}

func newNumber(values []float64) number {
	if len(values) == 0 {
		return number{math.NaN(), math.NaN(), 0}
	}
	mean, sd := selection.MeanSD(values, func(v float64) float64 { return v })
	return number{mean, sd, len(values)}
}

// tried returns a number of the candidate of a method with the given weights.
func (r *Result) tried(m Method, g deformed.Gammas, get func(c Cell) float64) number {
	var values []float64
	for _, e := range r.explored {
		for _, c := range e.Found.Cells[m] {
			if c.gammas() == g {
				values = append(values, get(c))
			}
		}
	}
	return newNumber(values)
}

// trained returns a number of the timed trainings of a method with the given
// weights.
func (r *Result) trained(m Method, g deformed.Gammas, get func(t Timing) float64) number {
	var values []float64
	for _, c := range r.clocked {
		for _, t := range c.Found.Trained {
			if t.Method == m && t.gammas() == g {
				values = append(values, get(t))
			}
		}
	}
	return newNumber(values)
}
