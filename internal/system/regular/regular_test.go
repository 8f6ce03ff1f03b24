package regular

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

func TestOpen(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "file")
	if err := os.WriteFile(path, []byte("content"), 0o666); err != nil {
		t.Fatal(err)
	}
	f, size, err := Open(path)
	if err != nil || size != 7 {
		t.Fatalf("%d bytes, %v", size, err)
	}
	defer f.Close()
	if text, err := io.ReadAll(f); err != nil || string(text) != "content" {
		t.Errorf("%q, %v", text, err)
	}
	if _, _, err := Open(filepath.Join(folder, "none")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a file that is not there: %v", err)
	}
	refused(t, folder, "a folder")
}

// refused checks that a path is refused for what it is.
func refused(t *testing.T, path, what string) {
	t.Helper()
	f, _, err := Open(path)
	if err == nil {
		f.Close()
	}
	if want := path + " is no regular file, but " + what + ": give a file"; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}
