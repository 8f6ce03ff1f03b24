package atomicfile

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// A new file is there whole, or not at all, and replaces nothing.
func TestWriteNew(t *testing.T) {
	folder := t.TempDir()
	path, link := filepath.Join(folder, "file"), filepath.Join(folder, "link")
	failure := errors.New("no more")
	if err := WriteNew(path, func(w io.Writer) error { io.WriteString(w, "half"); return failure }); !errors.Is(err, failure) {
		t.Errorf("%v", err)
	}
	if err := WriteNew(path, content("first")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("absent", link); err != nil {
		t.Skip(err)
	}
	for _, there := range []string{path, link, folder} {
		if err := WriteNew(there, content("second")); !errors.Is(err, fs.ErrExist) {
			t.Errorf("%s: %v", there, err)
		}
	}
	// One that comes while the content is written stays too.
	late := filepath.Join(folder, "late")
	if err := WriteNew(late, func(io.Writer) error { return os.WriteFile(late, []byte("other"), 0o666) }); !errors.Is(err, fs.ErrExist) {
		t.Errorf("%v", err)
	}
	for name, want := range map[string]string{path: "first", late: "other"} {
		if got, err := os.ReadFile(name); err != nil || string(got) != want {
			t.Errorf("%s has %q, %v", name, got, err)
		}
	}
	if entries, _ := os.ReadDir(folder); len(entries) != 3 {
		t.Errorf("%d files are there, want 3", len(entries))
	}
}
