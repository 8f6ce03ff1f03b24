package label

import (
	"slices"
	"testing"
)

// leftOut returns as many left-out labels of a class, decided as another or as itself.
func leftOut(count, class, decided int) []LeftOut {
	return slices.Repeat([]LeftOut{{Class: class, Decided: decided}}, count)
}

// Two classes are alike from four labels on, where a third of their labels or more are decided as the other. The
// most confused come first.
func TestAlike(t *testing.T) {
	for name, c := range map[string]struct {
		of   [][]LeftOut
		want []Pair
	}{
		"a third":                {[][]LeftOut{leftOut(2, 0, 0), leftOut(1, 0, 1), leftOut(2, 1, 1), leftOut(1, 1, 0)}, []Pair{{0, 1, 2, 6}}},
		"less than a third":      {[][]LeftOut{leftOut(3, 0, 0), leftOut(1, 0, 1), leftOut(2, 1, 1), leftOut(1, 1, 0)}, nil},
		"four labels":            {[][]LeftOut{leftOut(2, 0, 1), leftOut(2, 1, 1)}, []Pair{{0, 1, 2, 4}}},
		"three labels":           {[][]LeftOut{leftOut(2, 0, 1), leftOut(1, 1, 0)}, nil},
		"decided as a third one": {[][]LeftOut{leftOut(5, 0, 2), leftOut(4, 1, 1), leftOut(6, 2, 2)}, []Pair{{0, 2, 5, 11}}},
		"the most confused first": {[][]LeftOut{leftOut(3, 0, 1), leftOut(3, 0, 0), leftOut(1, 1, 1), leftOut(4, 2, 1), leftOut(2, 2, 2)},
			[]Pair{{1, 2, 4, 7}, {0, 1, 3, 7}}},
	} {
		l := &Labelling{classes: []string{"a", "b", "c"}, answer: &Answer{LeftOut: slices.Concat(c.of...)}}
		if got := l.Alike(); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}
