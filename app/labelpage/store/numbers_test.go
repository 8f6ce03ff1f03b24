package store

import (
	"bytes"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"lapsvm/internal/machines/task"
)

func points(n int) Data { return Data{Name: "points.csv", Hashes: hashes(n)} }

// ofNumbers opens a store of numbers for 10 rows.
func ofNumbers(t *testing.T, path string) *Store {
	t.Helper()
	data := points(10)
	data.Kind = task.Numbers()
	s, err := Open(t.Context(), path, data)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// number is an event of a person who says a number of a row.
func number(person string, row int, text string) Event {
	return Event{Kind: Label, Person: person, Row: row, Class: NoClass, Name: text}
}

// numbers returns the aggregated numbers, by row.
func numbers(s *Store) string {
	all := map[int]string{}
	s.View(func(st *State) {
		for row, class := range st.Aggregated() {
			all[row] = st.ClassName(class)
		}
	})
	return fmt.Sprint(all)
}

// A number has one text, however it is written.
func TestNumber(t *testing.T) {
	for text, want := range map[string]string{"12.50": "12.5", "-3": "-3", "+7": "7", "1e3": "1000", "-0": "0", ".5": "0.5", "1e-9": "1e-09", "123456789.25": "123456789.25", "1e300": "", "": "", "cat": "", "Inf": "", "1_0": ""} {
		got, err := Number(text)
		if got != want || (err == nil) != (want != "") {
			t.Errorf("%q: %q, %v", text, got, err)
		}
	}
}

// A row has the median of what people say, and of two numbers in the middle the one that was said first. The data count alone.
func TestSettledNumbers(t *testing.T) {
	path := filepath.Join(t.TempDir(), "labels.db")
	s := ofNumbers(t, path)
	if _, err := s.Import(t.Context(), FromData, []Given{{0, "100", FromData}, {6, "2.50", FromData}}); err != nil {
		t.Fatal(err)
	}
	for _, e := range []Event{
		number("anna", 0, "3"),                                                 // before the data
		number("anna", 1, "20"), number("ben", 1, "10"), number("chi", 1, "9"), // the median
		number("ben", 2, "9"), number("anna", 2, "10"), // two: what was said first
		number("anna", 3, "10"), number("ben", 3, "9"),
		number("anna", 4, "1"), number("ben", 4, "2"), number("chi", 4, "40"), number("dan", 4, "30"),
		number("anna", 5, "1"), number("ben", 5, "2"),
		{Kind: Adjudicate, Person: "chi", Row: 5, Class: NoClass, Name: "1.75"},
		{Kind: Unsure, Person: "dan", Row: 0},
	} {
		add(t, s, e)
	}
	want := "map[0:3 1:10 2:9 3:10 4:2 5:1.75 6:2.5]"
	if got := numbers(s); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	s.View(func(st *State) {
		var rows []string
		for _, d := range st.Differences() {
			rows = append(rows, fmt.Sprintf("%d by %g", d.Row, d.Apart))
		}
		if got := strings.Join(rows, ", "); got != "0 by 97, 4 by 39, 1 by 11, 2 by 1, 3 by 1, 5 by 1" {
			t.Errorf("differences: %s", got)
		}
		for _, a := range st.Agreements() {
			if a.A == "anna" && a.B == "ben" && (a.Both != 5 || a.Agreed != 0 || a.Apart != (10+1+1+1+1)/5.) {
				t.Errorf("%+v", a)
			}
		}
		if v := st.NumberOf(st.AggregatedOf(5)); v != 1.75 {
			t.Errorf("the number of row 5 is %v", v)
		}
	})
	add(t, s, Event{Kind: Adjudicate, Person: "chi", Row: 5, Class: NoClass})
	want = strings.Replace(want, "1.75", "1", 1)
	if got := numbers(s); got != want {
		t.Errorf("%s after the adjudication was lifted, want %s", got, want)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if got := numbers(ofNumbers(t, path)); got != want { // by a replay
		t.Errorf("%s after opening again, want %s", got, want)
	}
	l, err := ReadLabels(t.Context(), path, points(10)) // which finds numbers by itself
	if err != nil || l.Class[1] != "10" || l.Class[6] != "2.5" || len(l.Differ) > 0 {
		t.Errorf("read: %+v, %v", l, err)
	}
}

// To undo a number leaves the same number of others, and every undo takes back one label. A number that is sent again counts once.
func TestUndoOfNumbers(t *testing.T) {
	s := ofNumbers(t, filepath.Join(t.TempDir(), "labels.db"))
	first := number("anna", 0, "1.5")
	first.Key = "one"
	for range 2 {
		add(t, s, first)
	}
	add(t, s, number("ben", 1, "1.50"))
	add(t, s, number("anna", 2, "7"))
	undo := func(want string) {
		t.Helper()
		u, err := s.Undo(t.Context(), "anna", newKey())
		if err != nil || u.Text != want {
			t.Errorf("undone is %q, %v, not %q", u.Text, err, want)
		}
	}
	undo("label row 3 → 7")
	undo("label row 1 → 1.5")
	if got := numbers(s); got != "map[1:1.5]" {
		t.Error(got)
	}
	if _, err := s.Undo(t.Context(), "anna", newKey()); !Conflict.Is(err) {
		t.Errorf("a third undo: %v", err)
	}
	if _, err := s.Redo(t.Context(), "anna", newKey()); err != nil || numbers(s) != "map[0:1.5 1:1.5]" {
		t.Errorf("%v, %s", err, numbers(s))
	}
	var b bytes.Buffer
	if err := s.WriteHistory(t.Context(), &b); err != nil || !strings.Contains(b.String(), "ben,label,2,row 2,0,1.5,") {
		t.Errorf("%v:\n%s", err, b.String())
	}
}

// A blind number has the number that was foretold.
func TestBlindNumbers(t *testing.T) {
	s := ofNumbers(t, filepath.Join(t.TempDir(), "labels.db"))
	e := number("anna", 3, "8")
	e.Blind, e.Predicted, e.Foretold, e.Learnt = true, NoClass, "7.25", 12
	add(t, s, e)
	s.View(func(st *State) {
		all := st.Audits()
		if len(all) != 1 || st.NumberOf(all[0].Class) != 8 || st.NumberOf(all[0].Predicted) != 7.25 || all[0].Learnt != 12 {
			t.Errorf("%+v", all)
		}
	})
}

// What is no number is refused, as are classes, and stores of the other kind.
func TestNumbersAreNoClasses(t *testing.T) {
	folder := t.TempDir()
	s := ofNumbers(t, filepath.Join(folder, "numbers.db"))
	for _, e := range []Event{number("anna", 0, "many"), number("anna", 0, "1e31"), {Kind: ClassAdd, Person: "anna", Name: "4"}, {Kind: ClassRename, Person: "anna", Class: 0, Name: "4"}, {Kind: ClassMerge, Person: "anna", Class: 0, Into: 1}} {
		e.Key = newKey()
		if _, err := s.Append(t.Context(), []Event{e}); !Invalid.Is(err) {
			t.Errorf("%+v: %v", e, err)
		}
	}
	if _, err := s.Import(t.Context(), "test", []Given{{2, "many", "anna"}}); err == nil || !strings.Contains(err.Error(), `row 3: the class "many"`) {
		t.Errorf("%v", err)
	}
	for range 2 { // the second time nothing is new
		n, err := s.Import(t.Context(), "test", []Given{{2, "4.0", "anna"}, {3, "4", "anna"}})
		if err != nil || !slices.Contains([]int{0, 2}, n) || numbers(s) != "map[2:4 3:4]" {
			t.Errorf("%d, %v, %s", n, err, numbers(s))
		}
	}
	s.Close()
	if _, err := Open(t.Context(), filepath.Join(folder, "numbers.db"), points(10)); !OtherSet.Is(err) || !strings.Contains(err.Error(), "say --regression") {
		t.Errorf("numbers as classes: %v", err)
	}
	data := points(10)
	data.Kind = task.Numbers()
	for name, takes := range map[string]bool{"cat": false, "12": true} {
		path := filepath.Join(folder, name+".db")
		of := opened(t, path, 10)
		said(t, of, "anna 0 "+name)
		of.Close()
		again, err := Open(t.Context(), path, data)
		if (err == nil) != takes || !takes && (!OtherSet.Is(err) || !strings.Contains(err.Error(), `the class "cat"`)) {
			t.Errorf("a store with the class %s: %v", name, err)
		}
		if err == nil {
			again.Close()
		}
	}
}
