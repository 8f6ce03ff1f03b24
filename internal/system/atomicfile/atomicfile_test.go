package atomicfile

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"
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

// A file that is open but has no name any more is written to as it is, from its start.
func TestWriteToAFileWithoutAName(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("its path is one of Linux")
	}
	f, err := os.CreateTemp(t.TempDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteString("something longer"); err != nil {
		t.Fatal(err)
	}
	os.Remove(f.Name())
	path := fmt.Sprintf("/proc/self/fd/%d", f.Fd())
	for _, err := range []error{Check(path), Write(path, content("text"))} {
		if err != nil {
			t.Error(err)
		}
	}
	if got, err := os.ReadFile(path); string(got) != "text" {
		t.Errorf("the file has %q, %v", got, err)
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

// A link to a file that is not there yet stays a link.
func TestWriteThroughADanglingLink(t *testing.T) {
	folder := t.TempDir()
	if err := os.Mkdir(filepath.Join(folder, "inner"), 0o777); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(folder, "link")
	if err := os.Symlink(filepath.Join("inner", "absent"), link); err != nil {
		t.Skip(err)
	}
	if err := Check(link); err != nil {
		t.Error(err)
	}
	if err := Write(link, content("text")); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Error("the link is gone")
	}
	if got, err := os.ReadFile(filepath.Join(folder, "inner", "absent")); string(got) != "text" {
		t.Errorf("the target has %q, %v", got, err)
	}
	round := filepath.Join(folder, "round")
	if err := os.Symlink("round", round); err != nil {
		t.Fatal(err)
	}
	if err := Write(round, content("text")); err == nil {
		t.Error("a link to itself was written")
	}
}

// Permissions are kept, also those that new files do not get, and a file without the
// permission to write is refused.
func TestWriteKeepsPermissions(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	for _, mode := range []os.FileMode{0o666, 0o600, 0o755, 0o444} {
		if err := os.WriteFile(path, []byte("old"), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
		err := Write(path, content("new"))
		if refused := err != nil && strings.Contains(err.Error(), "is read-only"); refused != (mode == 0o444) {
			t.Errorf("mode %v: %v", mode, err)
		}
		if early := Check(path); (early == nil) != (err == nil) {
			t.Errorf("mode %v: Check says %v, Write %v", mode, early, err)
		}
		if info, err := os.Stat(path); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != mode {
			t.Errorf("the mode is %v, not %v", info.Mode(), mode)
		}
	}
	if got, _ := os.ReadFile(path); string(got) != "old" {
		t.Errorf("the read-only file has %q", got)
	}
}

// What a program that was killed has left of a file is removed, when it is old; the
// leftovers of other files and of others' making stay.
func TestWriteRemovesLeftovers(t *testing.T) {
	folder := t.TempDir()
	old := time.Now().Add(-2 * time.Hour)
	stays := map[string]bool{
		".model.0123456789abcdef.tmp":  false,
		".model.0123456789abcdee.tmp":  true, // young
		".model2.0123456789abcdef.tmp": true, // of another file
		".model.0123456789abcdefg.tmp": true, // no name of ours
		".model.tmp":                   true,
	}
	for name := range stays {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, nil, 0o666); err != nil {
			t.Fatal(err)
		}
		if name == ".model.0123456789abcdee.tmp" {
			continue
		}
		if err := os.Chtimes(path, old, old); err != nil {
			t.Fatal(err)
		}
	}
	if err := Write(filepath.Join(folder, "model"), content("text")); err != nil {
		t.Fatal(err)
	}
	for name, want := range stays {
		if _, err := os.Stat(filepath.Join(folder, name)); (err == nil) != want {
			t.Errorf("%s is there: %v, want %v", name, err == nil, want)
		}
	}
}

// Names may be as long as the file system takes them.
func TestWriteLongNames(t *testing.T) {
	folder := t.TempDir()
	for _, name := range []string{strings.Repeat("x", 255), strings.Repeat("é", 127)} {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, nil, 0o666); err != nil {
			t.Skip(err)
		}
		for _, err := range []error{Check(path), Write(path, content("text")), os.Remove(path), Write(path, content("text"))} {
			if err != nil {
				t.Error(err)
			}
		}
	}
	if err := Check(filepath.Join(folder, strings.Repeat("x", 256))); err == nil {
		t.Error("a name that is too long passes")
	}
}

// Check finds what Write would, and leaves nothing behind.
func TestCheck(t *testing.T) {
	folder := t.TempDir()
	for path, want := range map[string]string{
		folder:                                  "is a folder",
		filepath.Join(folder, "absent", "file"): "no folder",
		filepath.Join(folder, "file"):           "",
		os.DevNull:                              "",
	} {
		if err := Check(path); (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", path, err, want)
		}
	}
	if entries, _ := os.ReadDir(folder); len(entries) != 0 {
		t.Errorf("%d files left behind", len(entries))
	}
}

// A file that is open for reading is replaced, and its reader keeps what it had; Windows
// does not do that, and says so, with the old file in its place and nothing beside it.
func TestWriteOverAnOpenFile(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "file")
	if err := Write(path, content("old")); err != nil {
		t.Fatal(err)
	}
	reader, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	err = Write(path, content("new"))
	want := "new"
	if runtime.GOOS == "windows" {
		want = "old"
		if err == nil || !strings.Contains(err.Error(), "another program has it open") {
			t.Errorf("%v", err)
		}
	} else if err != nil {
		t.Error(err)
	}
	if text, err := io.ReadAll(reader); err != nil || string(text) != "old" {
		t.Errorf("the reader has %q, %v", text, err)
	}
	if text, err := os.ReadFile(path); err != nil || string(text) != want {
		t.Errorf("the file has %q, %v, want %q", text, err, want)
	}
	if entries, _ := os.ReadDir(folder); len(entries) != 1 {
		t.Errorf("%d files are there, want 1", len(entries))
	}
	reader.Close()
	if err := Write(path, content("newer")); err != nil {
		t.Error(err)
	}
}
