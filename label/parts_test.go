package label_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"lapsvm/dataset"
	"lapsvm/label"
	"lapsvm/points"
)

// inParts are points in parts of given sizes, so far from each other that no edge joins them.
func inParts(sizes ...int) *dataset.Dataset {
	r := rand.New(rand.NewPCG(6, 6))
	d, values := &dataset.Dataset{Classes: []string{"a", "b"}}, []float64(nil)
	for part, size := range sizes {
		for range size {
			values = append(values, 1000*float64(part)+r.NormFloat64(), r.NormFloat64())
			d.Y = append(d.Y, dataset.Unlabelled)
		}
	}
	d.Points = points.Dense(len(d.Y), 2, values)
	return d
}

// A part of the graph without a label comes first if it holds a two-hundredth of the points,
// or more, and of several the largest does. A point of the pool stands for a part, on landmarks as well.
func TestPartsThatAreLargeEnough(t *testing.T) {
	for name, c := range map[string]struct {
		sizes []int
		want  []string // what the first suggestions say of their part
	}{
		"a two-hundredth":    {[]int{1393, 7}, []string{"7 points"}},
		"less":               {[]int{1394, 7}, nil},
		"the largest first":  {[]int{100, 8, 20, 12}, []string{"20 points", "12 points", "8 points"}},
		"one part, labelled": {[]int{100}, nil},
	} {
		l := opened(t, inParts(c.sizes...), plain(), label.Options{Exact: 150})
		apply(t, l, label.Change{Point: 0, Class: 0}, label.Change{Point: 1, Class: 1}) // of the first part
		some, err := l.Suggest(t.Context(), label.VOpt, 4)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, s := range some {
			if _, holds, is := strings.Cut(s.Reason, "which holds "); is {
				got = append(got, holds)
				part, from := 0, 0
				for fmt.Sprintf("%d points", c.sizes[part]) != holds {
					part, from = part+1, from+c.sizes[part]
				}
				if s.Point < from || s.Point >= from+c.sizes[part] {
					t.Errorf("%s: point %d is not of the part that begins at %d", name, s.Point, from)
				}
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: parts with %q come first, want %q", name, got, c.want)
		}
	}
}

// Without any label every large part is without one, but not where it is the whole graph.
func TestPartsWithoutAnyLabel(t *testing.T) {
	for name, c := range map[string]struct {
		sizes []int
		want  int // suggestions for a part
	}{"two": {[]int{40, 30}, 2}, "one": {[]int{70}, 0}} {
		l := opened(t, inParts(c.sizes...), plain(), label.Options{})
		some, err := l.Suggest(t.Context(), label.VOpt, 5)
		if err != nil {
			t.Fatal(err)
		}
		of := 0
		for _, s := range some {
			if strings.HasPrefix(s.Reason, "no point of its part") {
				of++
			}
		}
		if of != c.want {
			t.Errorf("%s: %d suggestions are for a part, want %d", name, of, c.want)
		}
	}
}
