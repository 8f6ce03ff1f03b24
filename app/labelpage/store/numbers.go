package store

import (
	"cmp"
	"math"
	"slices"
	"strconv"

	"lapsvm/dataset"
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
	if class = s.Resolve(class); class == NoClass || !s.rules.numbers {
		return math.NaN()
	}
	return s.classes[class].number
}

// aggregateNumber is [State.aggregate] where labels are numbers.
func (s *State) aggregateNumber(r *rowState) int {
	var all []Annotation
	for name, j := range r.annotations {
		if j.Kind == Label && name != FromData {
			all = append(all, j)
		}
	}
	if len(all) == 0 {
		if j, annotated := r.annotations[FromData]; annotated {
			return s.Resolve(j.Class)
		}
		return NoClass
	}
	slices.SortFunc(all, func(a, b Annotation) int {
		return cmp.Or(cmp.Compare(s.classes[a.Class].number, s.classes[b.Class].number), cmp.Compare(a.Seq, b.Seq))
	})
	low, high := all[(len(all)-1)/2], all[len(all)/2]
	if high.Seq < low.Seq {
		low = high
	}
	return low.Class
}

// apart returns how far the numbers of opinions are apart, 0 where labels are classes.
func (s *State) apart(given []Opinion) float64 {
	if !s.rules.numbers {
		return 0
	}
	low, high := math.Inf(1), math.Inf(-1)
	for _, o := range given {
		v := s.NumberOf(o.Class)
		low, high = min(low, v), max(high, v)
	}
	return high - low
}
