package store

import (
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"lapsvm/internal/machines/task"
)

// ofOrdered opens a store of 10 rows, whose classes have an order, which may be none.
func ofOrdered(t *testing.T, path string, order ...string) *Store {
	t.Helper()
	data := points(10)
	data.Kind = task.Ordered(order...)
	s, err := Open(t.Context(), path, data)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func classNames(s *Store) string {
	var names []string
	s.View(func(st *State) {
		for _, c := range st.Classes() {
			names = append(names, c.Name)
		}
	})
	return strings.Join(names, " ")
}

// rated has people label row 0 by names, one each.
func rated(t *testing.T, s *Store, row int, names ...string) {
	t.Helper()
	for k, name := range names {
		add(t, s, Event{Kind: Label, Person: fmt.Sprint("p", k), Row: row, Class: NoClass, Name: name})
	}
}

// An ordered store has all classes from the beginning, by rank, and takes no others.
func TestOrderedClasses(t *testing.T) {
	path := filepath.Join(t.TempDir(), "labels.db")
	s := ofOrdered(t, path, "low", "mid", "high")
	if got := classNames(s); got != "low mid high" {
		t.Fatalf("the classes are %s", got)
	}
	for _, e := range []Event{
		{Kind: ClassAdd, Person: "anna", Name: "middling"}, {Kind: Label, Person: "anna", Class: NoClass, Name: "middling"},
		{Kind: ClassRename, Person: "anna", Class: 0, Name: "lowest"}, {Kind: ClassMerge, Person: "anna", Class: 0, Into: 1},
	} {
		e.Key = newKey()
		if _, err := s.Append(t.Context(), []Event{e}); err == nil || !strings.Contains(err.Error(), "low, mid, high") || e.Kind != ClassMerge && e.Kind != ClassRename && !strings.Contains(err.Error(), `"middling"`) {
			t.Errorf("%s: the error is %v", e.Kind, err)
		}
	}
	if _, err := s.Import(t.Context(), FromData, []Given{{Row: 2, Class: "Low", Person: FromData}}); err == nil || !strings.Contains(err.Error(), `row 3: the class "Low"`) || !strings.Contains(err.Error(), "low, mid, high") {
		t.Errorf("the error is %v", err)
	}
	if err := s.Check(Given{Row: 2, Class: "middling", Person: FromData}); err == nil || !strings.Contains(err.Error(), "low, mid, high") {
		t.Errorf("the error is %v", err)
	}
	rated(t, s, 0, "high")
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if s = ofOrdered(t, path, "low", "mid", "high"); classNames(s) != "low mid high" || s.Kind().Order[2] != "high" {
		t.Errorf("opened again the classes are %s", classNames(s))
	}
}

// Classes that are numbers have their values for an order, whenever they come.
func TestOrderedNumbers(t *testing.T) {
	s := ofOrdered(t, filepath.Join(t.TempDir(), "labels.db"))
	for _, name := range []string{"10", "2", "-1"} {
		add(t, s, Event{Kind: ClassAdd, Person: "anna", Name: name})
	}
	if got := classNames(s); got != "-1 2 10" {
		t.Errorf("the classes are %s", got)
	}
	add(t, s, Event{Kind: ClassMerge, Person: "anna", Class: 1, Into: 0}, Event{Kind: ClassRename, Person: "anna", Class: 2, Name: "11"})
	if got := classNames(s); got != "10 11" {
		t.Errorf("the classes are %s", got)
	}
	if _, err := s.Append(t.Context(), []Event{{Kind: ClassAdd, Person: "anna", Name: "many", Key: "k"}}); err == nil || !strings.Contains(err.Error(), `"many" is no number`) {
		t.Errorf("the error is %v", err)
	}
}

// Another order is refused with both, and so is a store of plain classes with another name.
func TestOrderIsRemembered(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "labels.db")
	s := ofOrdered(t, path, "low", "mid", "high")
	rated(t, s, 3, "mid")
	s.Close()
	data := points(10)
	for _, c := range []struct {
		kind task.Kind
		want string
	}{
		{task.Ordered("high", "mid", "low"), "is low, mid, high, and not high, mid, low: say --ordered low,mid,high"},
		{task.Ordered(), "is low, mid, high, and not of their numbers"},
		{task.Kind{}, "have the order low, mid, high: say --ordered low,mid,high"},
		{task.Numbers(), "have the order low, mid, high"},
	} {
		data.Kind = c.kind
		if _, err := Open(t.Context(), path, data); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: the error is %v", c.kind, err)
		}
	}
	data.Kind = task.Ordered("high", "mid", "low")
	if _, err := ReadLabels(t.Context(), path, data); err == nil || !strings.Contains(err.Error(), "low, mid, high, and not high, mid, low") {
		t.Errorf("the error is %v", err)
	}
	data.Kind = task.Kind{}
	if l, err := ReadLabels(t.Context(), path, data); err != nil || l.Class[3] != "mid" || strings.Join(l.Kind.Order, " ") != "low mid high" {
		t.Errorf("%+v, %v", l, err)
	}

	// Plain classes in the order become ordered, others do not.
	plain := filepath.Join(folder, "plain.db")
	s = opened(t, plain, 10)
	add(t, s, Event{Kind: ClassAdd, Person: "anna", Name: "high"}, Event{Kind: ClassAdd, Person: "anna", Name: "low"})
	s.Close()
	data.Kind = task.Ordered("low", "high", "top")
	s, err := Open(t.Context(), plain, data)
	if err != nil {
		t.Fatal(err)
	}
	if got := classNames(s); got != "low high top" {
		t.Errorf("the classes are %s", got)
	}
	s.Close()
	other := filepath.Join(folder, "other.db")
	s = opened(t, other, 10)
	add(t, s, Event{Kind: ClassAdd, Person: "anna", Name: "cat"})
	s.Close()
	if _, err := Open(t.Context(), other, data); !OtherSet.Is(err) || !strings.Contains(err.Error(), `the class "cat" is not in the order low, high, top`) {
		t.Errorf("the error is %v", err)
	}
}

// The median of what people say is learnt, and none where two classes are in the middle. People who differ are told by how many ranks.
func TestSettledOrdered(t *testing.T) {
	s := ofOrdered(t, filepath.Join(t.TempDir(), "labels.db"), "low", "mid", "high", "top")
	rated(t, s, 0, "low", "high", "mid")
	rated(t, s, 1, "low", "high")
	rated(t, s, 2, "top", "low", "top", "high")
	rated(t, s, 3, "mid", "mid")
	s.View(func(st *State) {
		labels := st.Labels()
		if labels[0] != "mid" || labels[1] != "" || labels[2] != "" || labels[3] != "mid" {
			t.Errorf("the labels are %v", labels)
		}
		var rows []int
		for _, d := range st.Differences() {
			rows = append(rows, d.Row, int(d.Apart))
		}
		if got := fmt.Sprint(rows); got != "[2 3 0 2 1 2]" {
			t.Errorf("rows and how far they are apart: %s", got)
		}
	})
}

// Agreement is Cohen's κ with linear weights, as scikit-learn 1.2.1 has it: cohen_kappa_score([0, 0, 1, 2, 2, 0], [0, 1, 2, 2, 0, 1], weights="linear").
func TestWeightedAgreement(t *testing.T) {
	s := ofOrdered(t, filepath.Join(t.TempDir(), "labels.db"), "low", "mid", "high")
	for row, pair := range [][2]string{{"low", "low"}, {"low", "mid"}, {"mid", "high"}, {"high", "high"}, {"high", "low"}, {"low", "mid"}} {
		rated(t, s, row, pair[0], pair[1])
	}
	s.View(func(st *State) {
		all := st.Agreements()
		if len(all) != 1 || all[0].Both != 6 || all[0].Agreed != 2 || !(math.Abs(all[0].Kappa-0.11764705882352933) <= 1e-15) || !(math.Abs(all[0].Apart-5./6) <= 1e-15) {
			t.Errorf("%+v", all)
		}
	})
}

// A class has the spelling of the order, and its own where classes are ordered by their values.
func TestSpellingOfTheOrder(t *testing.T) {
	for _, c := range []struct {
		order       []string
		label, want string
	}{{[]string{"1", "2"}, "2.0", "2"}, {[]string{"low", "high"}, "high", "high"}, {nil, "2.0", "2.0"}} {
		if got, err := (ranked{order: c.order}).spell(c.label); got != c.want || err != nil {
			t.Errorf("%s of %q is spelt %q, %v", c.label, c.order, got, err)
		}
	}
	if got, err := (ranked{order: []string{"1", "2"}}).spell("3"); err == nil {
		t.Errorf("a class outside of the order is spelt %q", got)
	}
}

// An order that no store has is damage, and is not taken for the order of other labels.
func TestDamagedOrder(t *testing.T) {
	s := ofOrdered(t, filepath.Join(t.TempDir(), "labels.db"), "low", "mid", "high")
	for _, order := range []string{`["low","high","low"]`, `["low"]`, `low,high`, `["low",""]`} {
		if _, err := s.db.ExecContext(t.Context(), "UPDATE meta SET value = ? WHERE key = ?", order, orderKey); err != nil {
			t.Fatal(err)
		}
		if is, err := s.labelsOf(t.Context()); !Damaged.Is(err) || !strings.Contains(err.Error(), "its order of classes is") {
			t.Errorf("the order %s is read as %v, %v", order, is, err)
		}
	}
}
