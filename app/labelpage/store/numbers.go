package store

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strconv"
	"time"

	"lapsvm/dataset"
	"lapsvm/internal/machines/task"
)

// largest bounds the numbers of a store, as it does those of a training.
const largest = 1e30

// Number returns a number as stores write it. Equal numbers have one text, such as 12.5 for 12.50. It fails for a text
// that is no number, and for one beyond 10³⁰.
func Number(text string) (string, error) {
	v, ok := dataset.LabelNumber(text)
	switch size := math.Abs(v); {
	case !ok:
		return "", errorf(Invalid, "%.60q is no number: give one such as 12.5", text)
	case size > largest:
		return "", errorf(Invalid, "the number %s is too large: numbers are at most %g", text, float64(largest))
	case v == 0:
		return "0", nil
	case size >= 1e-4 && size < 1e15:
		return strconv.FormatFloat(v, 'f', -1, 64), nil
	}
	return strconv.FormatFloat(v, 'g', -1, 64), nil
}

// NumberOf returns the number that a class is, NaN for none.
func (s *State) NumberOf(class int) float64 {
	if class = s.Resolve(class); class == NoClass || class >= len(s.classes) {
		return math.NaN()
	}
	return s.classes[class].number
}

// numbered is labels that are numbers. Each number is a class of this name.
type numbered struct{ classed }

func (numbered) word() string { return "numbers" }

func (numbered) most() int { return mostNumbers }

func (numbered) refused(path string, _ task.Kind) error {
	return errorf(OtherSet, "the labels in %s are numbers: say --regression, or give another store with --store", path)
}

func (numbered) adopt(ctx context.Context, s *Store) error {
	names, err := s.named(ctx)
	for _, name := range names {
		if _, ok := dataset.LabelNumber(name); !ok {
			return errorf(OtherSet, "%s has the class %.60q, which is no number: leave --regression out, or give another store with --store", s.path, name)
		}
	}
	return err
}

func (numbered) spell(label string) (string, error) { return Number(label) }

func (numbered) named(name string) (float64, error) {
	value, is := dataset.LabelNumber(name)
	if !is {
		return 0, errorf(Invalid, "the class %.60q is no number", name)
	}
	return value, nil
}

func (numbered) tidy(e, t *Event, has *fields) error {
	switch {
	case e.Kind == ClassAdd || e.Kind == ClassRename || e.Kind == ClassMerge:
		return errorf(Invalid, "the labels are numbers: there are no classes to add, rename or merge")
	case e.Kind == Adjudicate:
		has.name = e.Class == NoClass && e.Name != ""
	case e.Kind == Label && e.Blind:
		t.Foretold = e.Foretold
	}
	return nil
}

func (numbered) mean(s *Store, source string, e *Event) *Event {
	e.Class = s.state.meant(source, e.Name)
	return nil
}

// take adds the class of a number that no row had, as one of the data: so to undo a label leaves the number to others.
func (numbered) take(s *Store, e *Event, fresh []Event, now time.Time) (_ []Event, err error) {
	for _, number := range []struct {
		text  string
		class *int
	}{{e.Name, &e.Class}, {e.Foretold, &e.Predicted}} {
		if number.text == "" || *number.class != NoClass {
			continue
		}
		if *number.class = s.state.ClassCalled(number.text); *number.class != NoClass {
			continue
		}
		if fresh, err = s.addOfData(ClassAdd, number.text, fresh, now); err != nil {
			return nil, err
		}
		*number.class = s.state.Numbers() - 1
	}
	e.Foretold = ""
	return fresh, nil
}

// settle returns the median, and of two numbers in the middle the one that was said first.
func (numbered) settle(s *State, r *rowState) int {
	low, high := s.middle(r)
	if high.Seq < low.Seq {
		low = high
	}
	return low.Class
}

// middle returns the annotations of a row in the middle of all that people make, by the numbers of their classes. It is that of the data where
// nobody else has one.
func (s *State) middle(r *rowState) (low, high Annotation) {
	var all []Annotation
	for name, j := range r.annotations {
		if j.Kind == Label && name != FromData {
			j.Class = s.Resolve(j.Class)
			all = append(all, j)
		}
	}
	if len(all) == 0 {
		j, annotated := r.annotations[FromData]
		if j.Class = s.Resolve(j.Class); !annotated {
			j.Class = NoClass
		}
		return j, j
	}
	slices.SortFunc(all, func(a, b Annotation) int {
		return cmp.Or(cmp.Compare(s.NumberOf(a.Class), s.NumberOf(b.Class)), cmp.Compare(a.Seq, b.Seq))
	})
	return all[(len(all)-1)/2], all[len(all)/2]
}

func (numbered) apart(s *State, given []Opinion) float64 { return spread(given, s.NumberOf) }

// spread returns the largest difference of the classes of opinions by their values.
func spread(given []Opinion, value func(class int) float64) float64 {
	low, high := math.Inf(1), math.Inf(-1)
	for _, o := range given {
		v := value(o.Class)
		low, high = min(low, v), max(high, v)
	}
	return high - low
}

func (numbered) agree(s *State, t *table, a, b int) {
	t.add(a, b)
	t.apart += math.Abs(s.NumberOf(a) - s.NumberOf(b))
}
