package labelpage

import (
	"context"

	"lapsvm/dataset"
	"lapsvm/internal/machines/train"
)

// Machine is the machine that learns labels, as the page needs it. One goroutine calls it at a
// time. Points are rows from 0, classes the numbers of the store.
type Machine interface {
	// Apply learns labels, and returns the outputs for all points. Classes are all names by number,
	// "" for a missing class. Of repeated changes of a point the last counts.
	Apply(ctx context.Context, classes []string, changes []Change) (*Answer, error)
	// Suggest returns the points to label next, the best first.
	Suggest(ctx context.Context, n int) ([]Suggestion, error)
	// Prepare computes in advance for labels of the given points, which may come next. It changes
	// no answer, and may be cancelled.
	Prepare(ctx context.Context, points []int) error
	// Similar returns the points nearest to one, the nearest first, without itself. Any
	// goroutine may call it at any time.
	Similar(point, n int) []int
	// Layout returns places of all points in the unit square, x and y in turn.
	Layout(ctx context.Context) ([]float32, error)
	// Audit returns given labels that look wrong, the most suspicious first.
	Audit(ctx context.Context) ([]Suspicion, error)
	// Stale reports whether labels have grown so far that another recipe may be better.
	Stale() bool
	// Replaces reports whether the machine's recipe is to take the place of that of another machine, with the
	// same labels.
	Replaces(ctx context.Context, standing Machine) (bool, error)
	// Grow takes new points: data has the present points first and the new ones after them. It
	// returns the outputs for all points at once. It fails where the columns differ, and the
	// machine then goes on as before.
	Grow(ctx context.Context, data *dataset.Dataset) (*Answer, error)
	// Rebuild returns a function that makes a machine of all present points, with the labels learnt
	// so far, by the present recipe. Any goroutine may call that function, once, while this machine
	// goes on.
	Rebuild() func(ctx context.Context) (Machine, error)
	// Explainer returns a function that makes what explains points by the labels learnt so far. Any goroutine may call that
	// function, while this machine goes on.
	Explainer() func(ctx context.Context) (Explainer, error)
	// Recipe returns the recipe of the machine, with nothing open.
	Recipe() train.Recipe
	// Close frees the machine's memory.
	Close()
}

// Change is a new or changed label of a point; −1 withdraws the label.
type Change struct{ Point, Class int }

// Answer is the outputs of a machine for all points. It is never changed.
type Answer struct {
	Decided       []int       // class of every point; nil while fewer than two classes have labels
	Probabilities [][]float32 // [class][point]; nil for a class without labels
	// Thresholds has the least probability of every class by which a point may be of it. The set of these classes holds the
	// right one with the probability setLevel. It is nil where labels are too few.
	Thresholds []float64
	HeldOut    int // labels that thresholds are made of

	Several *Several // where rows may have several classes: those of every point, in place of classes

	Values []float64 // where labels are numbers: that of every point, in place of classes; nil with fewer than two that differ
	// Interval returns the interval of a point that holds its number with the probability setLevel. It fails where labels are
	// too few.
	Interval func(point int) (low, high float64, err error)
}

// setLevel is the probability by which the set of classes that the page shows holds the right one, and the interval the number.
const setLevel = 0.9

// Suggestion is a point to label, and why.
type Suggestion struct {
	Point  int
	Reason string
	Value  float64
}

// Suspicion is a given label that looks wrong.
type Suspicion struct {
	Point, Given, Suggested int     // the class suggested; −1 where labels are numbers, and the class in doubt where rows may have several
	Has                     bool    // where rows may have several classes: the label has that class
	Number                  float64 // that machines without the label predict, where labels are numbers; where rows may have several classes the probability of the class
	Suspicion               float64 // from 0 to 1
	Ranks                   float64 // of ordered classes: how many ranks a wrong label is off
	Neighbours              []int   // points that it is held against
	Why                     string
}

// Opener makes a machine of data with labels, one for every point and −1 for none. It chooses by
// the labels what its recipe leaves open, and reports its progress to stage. It costs about a
// training.
type Opener func(ctx context.Context, data *dataset.Dataset, labels []int, classes []string, stage func(name string, share float64)) (Machine, error)

// probability returns an answer's probability of a class at a point; 0 where it gives none.
func (a *Answer) probability(class, point int) float64 {
	if a == nil || class < 0 || class >= len(a.Probabilities) || point >= len(a.Probabilities[class]) {
		return 0
	}
	return float64(a.Probabilities[class][point])
}

// mayBe reports whether the set of classes of a point has a class.
func (a *Answer) mayBe(class, point int) bool {
	p := a.probability(class, point)
	return p > 0 && class < len(a.Thresholds) && p >= a.Thresholds[class]
}

// decided returns the class of a point, −1 where there is none.
func (a *Answer) decided(point int) int {
	if a == nil || point >= len(a.Decided) { // a row may come right now
		return -1
	}
	return a.Decided[point]
}

// decides reports whether there are predictions.
func (a *Answer) decides() bool {
	return a != nil && (a.Decided != nil || a.Values != nil || a.Several != nil)
}

// value returns the number of a point; ok is false where there is none.
func (a *Answer) value(point int) (v float64, ok bool) {
	if a == nil || point >= len(a.Values) { // a row may come right now
		return 0, false
	}
	return a.Values[point], true
}

// doubt is how far an answer is from sure of a point: 1 less the probability of its
// class, or the width of its interval; 0 where there are no probabilities.
func (a *Answer) doubt(point int) float64 {
	if _, ok := a.value(point); ok {
		low, high, err := a.Interval(point)
		if err != nil {
			return 0
		}
		return high - low
	}
	if a != nil && a.Several != nil {
		return a.Several.doubt(point)
	}
	if c := a.decided(point); c >= 0 {
		if p := a.probability(c, point); p > 0 {
			return 1 - p
		}
	}
	return 0
}
