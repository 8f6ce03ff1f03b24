package store

import (
	"path/filepath"
	"slices"
	"testing"
)

// Data change while the store is open: rows keep their places, and labels of missing contents count
// nowhere until the contents return. Another data set is refused, and then nothing changes. After
// reopening, the store finds the rows at their new places.
func TestDataChangeWhileOpen(t *testing.T) {
	path := filepath.Join(t.TempDir(), "labels.db")
	s := opened(t, path, 10)
	add(t, s, Event{Kind: ClassAdd, Person: "anna", Name: "cat"})
	for _, row := range []int{1, 3, 5} {
		add(t, s, Event{Kind: Label, Person: "anna", Row: row, Class: 0})
	}
	more := hashes(14)
	if d, err := s.Change(t.Context(), Data{Name: "points.csv", Hashes: more}); err != nil || d.Any() {
		t.Fatalf("%+v, %v", d, err)
	}
	add(t, s, Event{Kind: Label, Person: "anna", Row: 13, Class: 0})
	less := slices.Clone(more)
	less[3] = ""
	if d, err := s.Change(t.Context(), Data{Name: "points.csv", Hashes: less}); err != nil || !slices.Equal(d.Gone, []string{"row 4"}) || len(aggregated(s)) != 3 {
		t.Errorf("%+v, %v, %v", d, err, aggregated(s))
	}
	if _, err := s.Append(t.Context(), []Event{{Kind: Label, Person: "anna", Row: 3, Class: 0, Key: "k"}}); !Conflict.Is(err) {
		t.Errorf("a row that is gone gets a label: %v", err)
	}
	if _, err := s.Change(t.Context(), Data{Name: "other.csv", Hashes: make([]string, 14)}); !OtherSet.Is(err) || len(aggregated(s)) != 3 {
		t.Errorf("%v, %v", err, aggregated(s))
	}
	add(t, s, Event{Kind: Label, Person: "anna", Row: 2, Class: 0})
	if d, err := s.Change(t.Context(), Data{Name: "points.csv", Hashes: more}); err != nil || !slices.Equal(d.Back, []string{"row 4"}) || len(aggregated(s)) != 5 {
		t.Errorf("%+v, %v, %v", d, err, aggregated(s))
	}
	if d := s.Drift(); d.Any() {
		t.Errorf("on opening: %+v", d)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	slices.Reverse(more)
	s, err := Open(t.Context(), path, Data{Name: "points.csv", Hashes: more})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if got := aggregated(s); len(got) != 5 || got[0] != 0 || len(s.Drift().Gone) != 0 {
		t.Errorf("%v, %+v", got, s.Drift())
	}
}

// A store belongs to data that have half of its rows or more. The labels of these count.
func TestDataThatHaveHalfOfTheRows(t *testing.T) {
	for left, other := range map[int]bool{4: false, 2: false, 1: true, 0: true} {
		path := filepath.Join(t.TempDir(), "labels.db")
		s := opened(t, path, 10)
		add(t, s, Event{Kind: ClassAdd, Person: "anna", Name: "cat"})
		for row := range 4 {
			add(t, s, Event{Kind: Label, Person: "anna", Row: row, Class: 0})
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		now := hashes(14)
		now = append(now[:left:left], now[4:]...)
		s, err := Open(t.Context(), path, Data{Name: "points.csv", Hashes: now})
		if OtherSet.Is(err) != other || (err != nil) != other {
			t.Errorf("%d of 4 rows are left: %v", left, err)
		}
		if err == nil {
			if gone := len(s.Drift().Gone); gone != 4-left {
				t.Errorf("%d rows are gone, want %d", gone, 4-left)
			}
			s.View(func(st *State) {
				if labels := st.People()[0].Labels; labels != left {
					t.Errorf("anna has labelled %d rows, want %d", labels, left)
				}
			})
			s.Close()
		}
	}
}
