package atomicfile

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// A private file has the permissions of its owner alone, whatever had its name before.
func TestWritePrivate(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("permissions are those of the folder")
	}
	folder := t.TempDir()
	path, other := filepath.Join(folder, "secret"), filepath.Join(folder, "other")
	if err := os.WriteFile(other, []byte("old"), 0o644); err != nil {
		t.Fatal(err)
	}
	for name, before := range map[string]func() error{
		"none":   func() error { return nil },
		"public": func() error { return os.WriteFile(path, nil, 0o644) },
		"a link": func() error { return os.Symlink(other, path) },
	} {
		if err := before(); err != nil {
			t.Fatal(err)
		}
		if err := WritePrivate(path, content("new")); err != nil {
			t.Fatal(err)
		}
		info, err := os.Lstat(path)
		if text, _ := os.ReadFile(path); err != nil || info.Mode() != 0o600 || string(text) != "new" {
			t.Errorf("in place of %s: %v with %q, %v", name, info.Mode(), text, err)
		}
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
	}
	if text, _ := os.ReadFile(other); string(text) != "old" {
		t.Errorf("what a link led to has %q", text)
	}
}
