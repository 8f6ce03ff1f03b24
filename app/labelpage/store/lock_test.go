package store

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// An open store is locked through every symbolic link, also through the one by which it was made.
// A hard link is refused; once it is gone the store opens.
func TestLockByOtherNames(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "labels.db")
	link, again, other, within := filepath.Join(folder, "link.db"), filepath.Join(folder, "again.db"), filepath.Join(folder, "other.db"), filepath.Join(t.TempDir(), "folder")
	for name, to := range map[string]string{link: "labels.db", again: link, within: folder} {
		if err := os.Symlink(to, name); err != nil {
			t.Skip(err)
		}
	}
	data := Data{Name: "points.csv", Hashes: hashes(10)}
	s, err := Open(t.Context(), again, data)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{path, link, again, filepath.Join(within, "labels.db"), filepath.Join(within, "link.db")} {
		if _, err := Open(t.Context(), name, data); !Locked.Is(err) || !strings.Contains(err.Error(), "is open in another lapsvm label") {
			t.Errorf("%s: %v", name, err)
		}
	}
	add(t, s, Event{Kind: ClassAdd, Person: "anna", Name: "cat"})
	if err := os.Link(path, other); err != nil {
		t.Skip(err)
	}
	for _, name := range []string{path, link, other} {
		if _, err := Open(t.Context(), name, data); !Failed.Is(err) || !strings.Contains(err.Error(), "2 names of the same file") {
			t.Errorf("%s: %v", name, err)
		}
	}
	add(t, s, Event{Kind: ClassAdd, Person: "anna", Name: "dog"}) // who has it open goes on
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(other); err != nil {
		t.Fatal(err)
	}
	if s, err = Open(t.Context(), path, data); err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if n := len(s.state.Classes()); n != 2 {
		t.Errorf("%d classes in place of 2", n)
	}
}
