package atomicfile

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
)

func content(text string) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := io.WriteString(w, text)
		return err
	}
}

func TestWriteReplacesWhole(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	for _, text := range []string{"first", "second, longer", ""} {
		if err := Write(path, content(text)); err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(path)
		if err != nil || string(got) != text {
			t.Errorf("read %q, %v; wrote %q", got, err, text)
		}
	}
}

func TestWriteKeepsTheOldFileOnError(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "file")
	if err := Write(path, content("old")); err != nil {
		t.Fatal(err)
	}
	failure := errors.New("no more")
	err := Write(path, func(w io.Writer) error {
		io.WriteString(w, strings.Repeat("x", 1<<20))
		return failure
	})
	if !errors.Is(err, failure) || !strings.Contains(err.Error(), path) {
		t.Errorf("error %v, want %v with the path", err, failure)
	}
	if got, _ := os.ReadFile(path); string(got) != "old" {
		t.Errorf("the old file now has %d bytes", len(got))
	}
	entries, _ := os.ReadDir(folder)
	if len(entries) != 1 {
		t.Errorf("%d files left behind, want 1", len(entries))
	}
}

func TestWriteFollowsLinksAndKeepsModes(t *testing.T) {
	folder := t.TempDir()
	real, link := filepath.Join(folder, "real"), filepath.Join(folder, "link")
	if err := os.WriteFile(real, nil, 0o640); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(real, link); err != nil {
		t.Skip(err)
	}
	if err := Write(link, content("text")); err != nil {
		t.Fatal(err)
	}
	info, err := os.Lstat(link)
	if err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Error("the link is gone")
	}
	if info, _ := os.Stat(real); info.Mode().Perm() != 0o640 || info.Size() != 4 {
		t.Errorf("the file has mode %v and %d bytes", info.Mode(), info.Size())
	}
}

func TestWriteErrors(t *testing.T) {
	folder := t.TempDir()
	if err := Write(folder, content("")); err == nil || !strings.Contains(err.Error(), "is a folder") {
		t.Errorf("onto a folder: %v", err)
	}
	if err := Write(filepath.Join(folder, "absent", "file"), content("")); err == nil || !strings.Contains(err.Error(), "no folder") {
		t.Errorf("into an absent folder: %v", err)
	}
	if runtime.GOOS == "linux" {
		if err := Write("/dev/full", content("text")); !errors.Is(err, syscall.ENOSPC) {
			t.Errorf("onto a full device: %v", err)
		}
	}
}
