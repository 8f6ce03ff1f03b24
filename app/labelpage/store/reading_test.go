package store

import (
	"bytes"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// Labels are read while another process has the store, by the contents of rows, and nothing is
// changed. People who differ leave a row without a class.
func TestReadLabels(t *testing.T) {
	path := filepath.Join(t.TempDir(), "labels.db")
	s := opened(t, path, 10)
	add(t, s, Event{Kind: ClassAdd, Person: "anna", Name: "cat"}, Event{Kind: ClassAdd, Person: "anna", Name: "None"})
	add(t, s, Event{Kind: Label, Person: "anna", Row: 1, Class: 0}, Event{Kind: Label, Person: "anna", Row: 2, Class: 1}, Event{Kind: Label, Person: "anna", Row: 3, Class: 0})
	add(t, s, Event{Kind: Label, Person: "ben", Row: 3, Class: 1}, Event{Kind: Skip, Person: "ben", Row: 4})
	l, err := ReadLabels(t.Context(), path, Data{Name: "points.csv", Hashes: hashes(10)})
	if err != nil || !maps.Equal(l.Class, map[int]string{1: "cat", 2: "None"}) || !slices.Equal(l.Differ, []int{3}) || l.Drift.Any() {
		t.Errorf("%+v, %v", l, err)
	}
	l, err = readCopy(t.Context(), path, Data{Name: "points.csv", Hashes: hashes(10)}) // with what the log has
	if err != nil || !maps.Equal(l.Class, map[int]string{1: "cat", 2: "None"}) {
		t.Errorf("of a copy: %+v, %v", l, err)
	}
	moved := hashes(10)
	slices.Reverse(moved)
	moved[7] = Hash([]byte("another"))
	s.checkpoint(t.Context()) // which the open store else makes at any time
	for _, open := range []bool{true, false} {
		if !open {
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
		}
		before := contents(t, path)
		l, err = ReadLabels(t.Context(), path, Data{Name: "points.csv", Hashes: moved})
		if err != nil || !maps.Equal(l.Class, map[int]string{8: "cat"}) || !slices.Equal(l.Differ, []int{6}) || !slices.Equal(l.Drift.Gone, []string{"row 3"}) {
			t.Errorf("open %v: %+v, %v", open, l, err)
		}
		if !bytes.Equal(contents(t, path), before) {
			t.Errorf("open %v: the store was changed", open)
		}
	}
	if _, err := ReadLabels(t.Context(), path, Data{Name: "other.csv", Hashes: make([]string, 10)}); !OtherSet.Is(err) {
		t.Errorf("other data: %v", err)
	}
	if err := os.WriteFile(path, contents(t, path)[:5000], 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadLabels(t.Context(), path, Data{Name: "points.csv", Hashes: hashes(10)}); !Damaged.Is(err) {
		t.Errorf("a damaged store: %v", err)
	}
	if _, err := ReadLabels(t.Context(), path+".not", Data{}); err == nil {
		t.Error("a store that is not there is read")
	}
	if _, err := os.Stat(path + ".not"); err == nil {
		t.Error("a store that is not there is made")
	}
}

func contents(t *testing.T, path string) []byte {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// A store that takes more memory than it may is refused before its events are read.
func TestStoresAreBounded(t *testing.T) {
	path := filepath.Join(t.TempDir(), "labels.db")
	s := opened(t, path, 10)
	add(t, s, Event{Kind: ClassAdd, Person: "anna", Name: "cat"})
	for memory, want := range map[int64]bool{0: true, 1 << 30: true, 10_000: false} {
		_, err := ReadLabels(t.Context(), path, Data{Name: "points.csv", Hashes: hashes(10), Memory: memory})
		if (err == nil) != want || err != nil && !Invalid.Is(err) {
			t.Errorf("%d bytes: %v", memory, err)
		}
	}
}
