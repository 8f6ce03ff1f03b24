package dataset

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"lapsvm/points"
)

// labelsOf reads labels as they are written, and returns the classes, the class of each row and what was noted.
func labelsOf(t *testing.T, rules LabelRules, labels ...string) (classes []string, y []int, notes string) {
	t.Helper()
	l := NewLabels(nil, false, rules)
	for _, label := range labels {
		if err := l.Add([]byte(label)); err != nil {
			t.Fatal(err)
		}
	}
	var d Dataset
	if err := l.Finish(&d); err != nil {
		t.Fatal(err)
	}
	for _, n := range d.Notes {
		notes += n.Error() + "\n"
	}
	return d.Classes, d.Y, notes
}

// Spellings of one number are one class. It is called as most rows have it, or as the rules name it.
func TestSpellingsOfNumbers(t *testing.T) {
	for _, c := range []struct {
		rules   LabelRules
		labels  []string
		classes []string
		y       []int
		note    string
	}{
		{LabelRules{}, []string{"1", "0", "1.0", "0.0", "1", "-0", "+1", "01", "1e0"}, []string{"0", "1"}, []int{1, 0, 1, 0, 1, 0, 1, 1, 1}, `numbers of one value are one class: "1" (2) and "1.0" (1) and "+1" (1)`},
		{LabelRules{}, []string{"1.0", "0.0", "1.0"}, []string{"0.0", "1.0"}, []int{1, 0, 1}, ""},
		{LabelRules{Named: []string{"0", "1"}}, []string{"1.0", "0.0", "1.0"}, []string{"0", "1"}, []int{1, 0, 1}, ""},
		{LabelRules{Values: []string{"0", "1"}}, []string{"1.0", "00"}, []string{"0", "1"}, []int{1, 0}, ""},
		{LabelRules{}, []string{"a", "1", "A", "1.0"}, []string{"1", "A", "a"}, []int{2, 0, 1, 0}, `classes look alike: "a" (1) and "A" (1); give`},
		{LabelRules{Unlabelled: []string{"-1"}}, []string{"-1.0", "2", "2."}, []string{"2"}, []int{-1, 0, 0}, `"2" (1) and "2." (1)`},
		{LabelRules{}, []string{"12345678901234567890", "12345678901234567891"}, []string{"12345678901234567890", "12345678901234567891"}, []int{0, 1}, ""},
		{LabelRules{}, []string{"0x10", "16", "1_6"}, []string{"0x10", "16", "1_6"}, []int{0, 1, 2}, ""},
	} {
		classes, y, notes := labelsOf(t, c.rules, c.labels...)
		if !reflect.DeepEqual(classes, c.classes) || !reflect.DeepEqual(y, c.y) || !strings.Contains(notes, c.note) || c.note == "" && notes != "" {
			t.Errorf("%q: %q %v %q", c.labels, classes, y, notes)
		}
	}
}

// Names that look alike are warned of, and are one class where the rules say so.
func TestNamesThatLookAlike(t *testing.T) {
	composed, apart, hidden, blank := "caf\u00e9", "cafe\u0301", "caf\u00e9\u200b", "a\u00a0b"
	classes, _, notes := labelsOf(t, LabelRules{}, composed, apart, hidden, "a b", blank, "x")
	if len(classes) != 6 || !strings.Contains(notes, "classes look alike: ") || !strings.Contains(notes, `"cafe\u0301" (1)`) || !strings.Contains(notes, `"café\u200b" (1)`) || !strings.Contains(notes, `"a\u00a0b" (1)`) {
		t.Errorf("%q %s", classes, notes)
	}
	classes, y, notes := labelsOf(t, LabelRules{FoldCase: true}, composed, apart, apart, "A b", blank, blank)
	if !reflect.DeepEqual(y, []int{1, 1, 1, 0, 0, 0}) || len(classes) != 2 || strings.Contains(notes, "look alike") {
		t.Errorf("%q %v %s", classes, y, notes)
	}
}

// Selecting, joining and lists of classes know a number by its value.
func TestClassesByValue(t *testing.T) {
	if k := FindClass([]string{"0", "1", "1.0"}, "1.0"); k != 2 {
		t.Error(k)
	}
	if k := FindClass([]string{"0", "1"}, "01"); k != 1 {
		t.Error(k)
	}
	if k := FindClass([]string{"a", "b"}, "A"); k != -1 {
		t.Error(k)
	}
	s, err := SeveralOf([]string{"1;2", "1.0", ";", "?2.0;1"}, ";")
	if err != nil || !reflect.DeepEqual(s.Classes, []string{"1", "2"}) || s.Answers[0][1] != 1 || s.Answers[1][1] != -1 || s.Answers[1][3] == s.Answers[1][3] {
		t.Errorf("%+v, %v", s, err)
	}
	if label := WithAnswer("1.0;2", ";", "1", false); label != "2" {
		t.Error(label)
	}
}

// Classes of other data are found by their keys, and classes that were told apart stay apart. Cost: that of the classes.
func TestClassesOfOtherData(t *testing.T) {
	of := func(classes ...string) *Dataset {
		d := &Dataset{Points: points.Dense(len(classes), 1, make([]float64, len(classes))), Classes: classes}
		for k := range classes {
			d.Y = append(d.Y, k)
		}
		return d
	}
	a, b := of("0", "1"), of("0.0", "1.0", "2.0")
	joined, err := Join([]*Dataset{a, b}, []string{"a", "b"})
	if err != nil {
		t.Fatal(err)
	}
	all, err := Concat(a, b)
	if err != nil {
		t.Fatal(err)
	}
	for name, d := range map[string]*Dataset{"Join": joined, "Concat": all} {
		if !slices.Equal(d.Classes, []string{"0", "1", "2.0"}) || !slices.Equal(d.Y, []int{0, 1, 0, 1, 2}) {
			t.Errorf("%s: %q %v", name, d.Classes, d.Y)
		}
	}
	if all, err = Concat(of("1", "1.0", "a"), of("1.0", "01", "1")); err != nil || !slices.Equal(all.Classes, []string{"1", "1.0", "a"}) || !slices.Equal(all.Y, []int{0, 1, 2, 1, 0, 0}) {
		t.Errorf("of old: %q %v, %v", all.Classes, all.Y, err)
	}
	var many, more []string // labels that are numbers
	for k := range 20000 {
		many, more = append(many, fmt.Sprintf("%d.25", k+10000)), append(more, fmt.Sprintf("%d.5", k+10000))
	}
	if all, err = Concat(of(many...), of(more...)); err != nil || len(all.Classes) != 40000 {
		t.Errorf("%d classes, %v", len(all.Classes), err)
	}
}
