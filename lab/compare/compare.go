// Package compare measures this program and the usual rivals on data sets with known
// labels. All methods have exactly the same draws of the labels that are kept. The
// methods are the default training, the SVM on the labels alone, and the classifiers
// of scikit-learn in a process of Python, where that has them.
package compare

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math"
	"slices"
	"time"

	"lapsvm/dataset"
	"lapsvm/internal/machines/selection"
	"lapsvm/internal/machines/train"
)

// Plan is the choice of measurements.
type Plan struct {
	PerClass []int         // numbers of labels kept of every class
	Repeats  int           // draws of each
	MaxRows  int           // most rows of a set; of a larger one so many are drawn
	Limit    time.Duration // most time for one method on one draw
	Methods  []string      // names of the methods; nil means all that there are
	Seed     uint64
	Run      train.Run                               // of the trainings
	Progress func(labelled, draw int, method string) // what begins; may be nil
}

// Result is the result of one method on all draws of a set with a number of labels.
// A gap is the reason for which it was not measured on all of them; error and
// seconds are then NaN.
type Result struct {
	Set      string
	PerClass int
	Labelled int // labels in all
	Method   string
	Errors   []float64 // of the draws, in percent of the hidden labels
	Error    float64   // their mean
	ErrorSE  float64   // its standard error; NaN of a single draw
	Seconds  float64   // mean time of a draw, the choice of parameters included; that of svm is made with lapsvm and counts there
	Gap      string
}

// draw is a split of the labels into those that are kept and those that are hidden
// and to be predicted.
type draw struct {
	split  selection.Split
	number int
}

// outcome is the result of a method on a draw: its error in percent, or a gap.
type outcome struct {
	method         string
	error, seconds float64
	gap            string
}

// contender has one method or more and measures them on draws of one set. It fails
// only where the context is done or this program is at fault.
type contender interface {
	methods() []string
	measure(ctx context.Context, d draw, method string) ([]outcome, error)
}

// Methods returns the names of all methods, in the order in which results have them.
func Methods() []string { return slices.Concat(ownMethods(), rivalMethods()) }

// Set measures the methods on one data set, called name, and the rivals where rivals
// is not nil. Rows without a label are left out. It returns the results so far where
// the context is done, and fails for a set on which nothing can be measured.
func (p Plan) Set(ctx context.Context, name string, d *dataset.Dataset, rivals *Rivals) ([]Result, error) {
	d, err := p.sample(d)
	if err != nil {
		return nil, err
	}
	contenders := []contender{&ours{data: d, seed: p.Seed, run: p.Run, limit: p.Limit}}
	if rivals != nil {
		measured := rivals.on(ctx, d, p.Seed, p.Limit)
		defer measured.close()
		contenders = append(contenders, measured)
	}
	var results []Result
	for _, perClass := range p.PerClass {
		labelled := perClass * len(d.Classes)
		tally := newTally(name, perClass, labelled, p.wanted(contenders))
		draws, err := selection.Splits(d, selection.Plan{PerClass: perClass, Repeats: p.Repeats, Seed: p.Seed})
		if err != nil {
			tally.miss(err.Error())
		} else if err := p.measure(ctx, contenders, draws, tally); err != nil {
			return results, err
		}
		results = append(results, tally.results()...)
	}
	return results, nil
}

// sample returns the labelled rows of a set, of at most Plan.MaxRows rows. Where
// there are more it draws rows with every class among them.
func (p Plan) sample(d *dataset.Dataset) (*dataset.Dataset, error) {
	rows := d.Labelled()
	if len(rows) == 0 {
		return nil, fmt.Errorf("no row has a label")
	}
	if len(d.Classes) < 2 {
		return nil, fmt.Errorf("all rows are of one class, %q", d.Classes[0])
	}
	if len(rows) > p.MaxRows {
		draws, err := selection.Splits(d, selection.Plan{Labelled: p.MaxRows, Seed: p.Seed})
		if err != nil {
			return nil, err
		}
		for s := range draws {
			rows = s.Labelled
		}
	}
	return d.Subset(rows), nil
}

// wanted returns the methods of the contenders that are asked for.
func (p Plan) wanted(contenders []contender) []string {
	var all []string
	for _, c := range contenders {
		all = append(all, c.methods()...)
	}
	return slices.DeleteFunc(all, func(m string) bool { return p.Methods != nil && !slices.Contains(p.Methods, m) })
}

// measure has every contender measure all draws. A method that has a gap is not
// asked again.
func (p Plan) measure(ctx context.Context, contenders []contender, draws iter.Seq[selection.Split], t *tally) error {
	number := 0
	for split := range draws {
		if len(split.Hidden) == 0 {
			t.miss("no label is hidden: keep fewer")
			return nil
		}
		number++
		for _, c := range contenders {
			done := map[string]bool{}
			for _, method := range c.methods() {
				if done[method] || !t.open(method) {
					continue
				}
				if p.Progress != nil {
					p.Progress(t.labelled, number, method)
				}
				outcomes, err := c.measure(ctx, draw{split, number}, method)
				if ctx.Err() != nil {
					return ctx.Err()
				}
				if err != nil {
					return err
				}
				for _, o := range outcomes {
					done[o.method] = true
					t.add(o)
				}
			}
		}
	}
	return nil
}

// tally gathers the outcomes of one set with one number of labels.
type tally struct {
	set                string
	perClass, labelled int
	methods            []string
	outcomes           map[string][]outcome
	gaps               map[string]string
}

func newTally(set string, perClass, labelled int, methods []string) *tally {
	return &tally{set, perClass, labelled, methods, map[string][]outcome{}, map[string]string{}}
}

// open reports whether a method is wanted and has no gap.
func (t *tally) open(method string) bool {
	return slices.Contains(t.methods, method) && t.gaps[method] == ""
}

func (t *tally) add(o outcome) {
	if t.outcomes[o.method] = append(t.outcomes[o.method], o); o.gap != "" {
		t.gaps[o.method] = o.gap
	}
}

// miss notes a gap of all methods.
func (t *tally) miss(reason string) {
	for _, m := range t.methods {
		t.gaps[m] = reason
	}
}

// results sums the outcomes up, method by method.
func (t *tally) results() []Result {
	var all []Result
	for _, method := range t.methods {
		r := Result{Set: t.set, PerClass: t.perClass, Labelled: t.labelled, Method: method, Gap: t.gaps[method],
			Error: math.NaN(), ErrorSE: math.NaN(), Seconds: math.NaN()}
		if outcomes := t.outcomes[method]; r.Gap == "" && len(outcomes) > 0 {
			for _, o := range outcomes {
				r.Errors = append(r.Errors, o.error)
			}
			var sd float64
			r.Error, sd = selection.MeanSD(r.Errors, func(v float64) float64 { return v })
			if r.Seconds, _ = selection.MeanSD(outcomes, func(o outcome) float64 { return o.seconds }); len(outcomes) > 1 {
				r.ErrorSE = sd / math.Sqrt(float64(len(outcomes)))
			}
		}
		all = append(all, r)
	}
	return all
}

// late returns the gap of a method that took longer than the limit; "" for other
// errors.
func late(err error, limit time.Duration) string {
	if errors.Is(err, context.DeadlineExceeded) {
		return fmt.Sprintf("not done within %v", limit)
	}
	return ""
}
