package store

import (
	"context"
	"fmt"
	"path/filepath"
	"testing"
)

// hashes returns the hashes of n rows with different contents.
func hashes(n int) []string {
	all := make([]string, n)
	for i := range all {
		all[i] = Hash(fmt.Appendf(nil, "row %d", i))
	}
	return all
}

func opened(t *testing.T, path string, n int) *Store {
	t.Helper()
	s, err := Open(t.Context(), path, Data{Name: "points.csv", Hashes: hashes(n)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// add appends events with keys of their own and fails the test where they are refused.
func add(t *testing.T, s *Store, events ...Event) []int64 {
	t.Helper()
	for k := range events {
		if events[k].Key == "" {
			events[k].Key = newKey()
		}
	}
	seqs, err := s.Append(context.Background(), events)
	if err != nil {
		t.Fatal(err)
	}
	return seqs
}

func aggregated(s *Store) (all map[int]int) {
	s.View(func(st *State) { all = st.Aggregated() })
	return all
}

// All annotations are there when the store is opened again.
func TestStoreIsReplayed(t *testing.T) {
	path := filepath.Join(t.TempDir(), "labels.db")
	s := opened(t, path, 20)
	add(t, s, Event{Kind: ClassAdd, Person: "anna", Name: "cat"}, Event{Kind: ClassAdd, Person: "anna", Name: "dog"})
	add(t, s, Event{Kind: Label, Person: "anna", Row: 3, Class: 1, Comment: "barks", Seconds: 1.5})
	add(t, s, Event{Kind: Label, Person: "anna", Row: 4, Class: NoClass, Name: "cat"}, Event{Kind: Unsure, Person: "anna", Row: 5})
	if u, err := s.Undo(t.Context(), "anna", "u1"); err != nil || u.Text != "unsure row 6" || len(u.Rows) != 1 {
		t.Fatalf("%+v, %v", u, err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	s = opened(t, path, 20)
	if got := aggregated(s); len(got) != 2 || got[3] != 1 || got[4] != 0 {
		t.Errorf("%v", got)
	}
	s.View(func(st *State) {
		if c := st.CommentOf(3, "anna"); c != "barks" {
			t.Errorf("comment %q", c)
		}
		if u, r := st.NextUndo("anna"), st.NextRedo("anna"); u != "label row 5 → cat" || r != "unsure row 6" {
			t.Errorf("undo %q, redo %q", u, r)
		}
	})
}
