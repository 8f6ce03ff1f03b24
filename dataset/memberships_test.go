package dataset_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"lapsvm/dataset"
)

func TestSeveralOf(t *testing.T) {
	s, err := dataset.SeveralOf([]string{"sport; politics", ";", "politics;?law", `["law", "sport"]`, "[]", "sport;?sport"}, ";")
	if err != nil {
		t.Fatal(err)
	}
	nan := math.NaN()
	want := [][]float64{{-1, -1, nan, 1, -1, -1}, {1, -1, 1, -1, -1, -1}, {1, -1, -1, 1, -1, 1}}
	if !slices.Equal(s.Classes, []string{"law", "politics", "sport"}) {
		t.Fatalf("classes %v", s.Classes)
	}
	for c := range want {
		if !slices.EqualFunc(s.Answers[c], want[c], func(a, b float64) bool { return a == b || math.IsNaN(a) && math.IsNaN(b) }) {
			t.Errorf("%s: %v, want %v", s.Classes[c], s.Answers[c], want[c])
		}
	}
	for _, broken := range []string{"[law", `["a"]]`, `["a"]} x`, `["a"] ["b"]`, `["a"],`} {
		if _, err := dataset.SeveralOf([]string{broken}, ";"); err == nil || !strings.Contains(err.Error(), "JSON array") {
			t.Errorf("the broken array %s: %v", broken, err)
		}
	}
}

// One set of classes is one label, however it is written, and an empty cell is none.
func TestLabelsOfSeveral(t *testing.T) {
	l := dataset.NewLabels(nil, false, dataset.LabelRules{Several: ";"})
	for _, text := range []string{"sport;politics", "politics ; sport", `["politics","sport"]`, "", "?", ";", "[]", "1;2", "?law;art"} {
		if err := l.Add([]byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	var d dataset.Dataset
	if err := l.Finish(&d); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, y := range d.Y {
		name := "-"
		if y != dataset.Unlabelled {
			name = d.Classes[y]
		}
		got = append(got, name)
	}
	if want := []string{"politics;sport", "politics;sport", "politics;sport", "-", "-", ";", ";", "1;2", "art;?law"}; !slices.Equal(got, want) {
		t.Errorf("labels %q, want %q", got, want)
	}
	if err := l.Add([]byte("[1")); err == nil || !strings.Contains(err.Error(), "row 10") {
		t.Errorf("a broken array: %v", err)
	}
}

func TestWithAnswer(t *testing.T) {
	for _, one := range []struct {
		label, class string
		has          bool
		want         string
	}{
		{"sport;politics", "politics", false, "sport"},
		{"sport;?politics", "politics", true, "politics;sport"},
		{"sport;?politics", "law", true, "law;sport;?politics"},
		{"sport", "sport", false, ";"},
		{";", "sport", true, "sport"},
		{`["sport"`, "sport", false, `["sport"`},
	} {
		if got := dataset.WithAnswer(one.label, ";", one.class, one.has); got != one.want {
			t.Errorf("%s with %v for %s is %s, not %s", one.label, one.has, one.class, got, one.want)
		}
	}
}

// What a label has is known of it, though the label lists it as unknown too.
func TestListedTwice(t *testing.T) {
	for _, c := range []struct{ label, has, unknown, as string }{
		{"sport;?sport", "sport", "", "sport"},
		{"?sport;law;sport;?art", "law sport", "art", "law;sport;?art"},
		{"1.0;?1", "1.0", "", "1.0"},
		{"?art;? art", "", "art", "?art"},
	} {
		has, unknown, err := dataset.Listed(c.label, ";")
		if err != nil || !slices.Equal(has, strings.Fields(c.has)) || !slices.Equal(unknown, strings.Fields(c.unknown)) {
			t.Errorf("%q has %q, and %q is unknown, %v", c.label, has, unknown, err)
		}
		if as := dataset.JoinSeveral(has, unknown, ";"); as != c.as {
			t.Errorf("%q is %q, want %q", c.label, as, c.as)
		}
	}
}

// What joins classes is read back as these, also where a name has the separator or begins as an array.
func TestJoinSeveral(t *testing.T) {
	for _, c := range []struct {
		has, unknown []string
		want         string
	}{
		{nil, nil, ";"},
		{[]string{"a", "b"}, nil, "a;b"},
		{[]string{"a"}, []string{"b"}, "a;?b"},
		{[]string{"a;b"}, nil, `["a;b"]`},
		{[]string{"a"}, []string{"x;<y>"}, `["a","?x;<y>"]`},
		{[]string{"[a", "\""}, nil, `["[a","\""]`},
	} {
		text := dataset.JoinSeveral(c.has, c.unknown, ";")
		has, unknown, err := dataset.Listed(text, ";")
		slices.Sort(c.has)
		if err != nil || text != c.want || !slices.Equal(has, c.has) || !slices.Equal(unknown, c.unknown) {
			t.Errorf("%q, %q are %s, want %s, and again %q, %q, %v", c.has, c.unknown, text, c.want, has, unknown, err)
		}
	}
}
