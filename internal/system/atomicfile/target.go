package atomicfile

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"
	"unicode/utf8"

	"lapsvm/internal/system/fault"
	"lapsvm/internal/system/unfinished"
)

// target is a file that is to be replaced, or made.
type target struct {
	name    string      // as it was given, for errors
	path    string      // without a link at its end
	device  bool        // or a pipe, or a file without a name: it is written to, not replaced
	old     fs.FileInfo // of the file that is there; nil for none
	private bool        // its owner alone may read it
}

// find finds out what a file called name is, and whether it may be replaced.
func find(name string) (target, error) {
	t := target{name: name, path: name}
	info, err := os.Stat(name)
	switch {
	case err == nil && info.IsDir():
		return t, fault.Errorf("%s is a folder: give the name of a file inside it", name)
	case err == nil && (!info.Mode().IsRegular() || nameless(info)):
		t.device = true
		return t, nil
	case err == nil:
		t.old = info
		if t.path, err = filepath.EvalSymlinks(name); err != nil {
			return t, failed(name, err)
		}
		return t, t.replaceable()
	case !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, syscall.ENOTDIR):
		return t, failed(name, err)
	}
	if t.path, err = Target(name); err != nil {
		return t, failed(name, err)
	}
	folder, _ := filepath.Split(t.path)
	if info, err := os.Stat(filepath.Clean(folder + ".")); err != nil || !info.IsDir() {
		return t, fault.Errorf("%s: there is no folder %s: make it first", name, folder)
	}
	return t, nil
}

// replaceable refuses a file that is read-only, for whomever.
func (t target) replaceable() error {
	f, err := os.OpenFile(t.path, os.O_WRONLY, 0)
	if err == nil {
		f.Close()
	}
	if t.old.Mode().Perm()&0o222 == 0 || errors.Is(err, fs.ErrPermission) {
		return fault.Errorf("%s is read-only: choose another name, or make it writable first", t.name)
	}
	if err != nil {
		return failed(t.name, err)
	}
	return nil
}

// temporary makes the file that the content is written to, with the permissions of
// the file that it is to replace.
func (t target) temporary() (*os.File, error) {
	name := fmt.Sprintf("%s%016x%s", t.prefix(), rand.Uint64(), suffix)
	mode := fs.FileMode(0o666)
	if t.private {
		mode = 0o600
	}
	var f *os.File
	if err := unfinished.Make(func() (_ string, err error) {
		f, err = os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
		return name, err
	}); err != nil {
		return nil, failed(t.name, err)
	}
	if t.old == nil {
		return f, nil
	}
	err := keepOwner(f, t.old)
	if err != nil {
		err = fault.Errorf("%s belongs to another user or group, which it would not after writing (%w): choose another name, or delete it first", t.name, err)
	} else if err = f.Chmod(t.old.Mode().Perm()); err != nil {
		err = failed(t.name, err)
	}
	if err != nil {
		f.Close()
		unfinished.Remove(name)
		return nil, err
	}
	return f, nil
}

// suffix is the end of a temporary file's name. Before it stand 16 hexadecimal
// digits.
const suffix = ".tmp"

// prefix is the path of a temporary file up to its digits. It has the target's name,
// of a long one the start: file systems take names of 255 bytes, some of 143.
func (t target) prefix() string {
	const longest = 100
	folder, base := filepath.Split(t.path)
	if len(base) > longest {
		base = base[:longest]
		for !utf8.ValidString(base) && len(base) > longest-utf8.UTFMax {
			base = base[:len(base)-1]
		}
	}
	return folder + "." + base + "."
}

// abandoned is how long a temporary file must have been untouched to count as left by a killed
// program.
const abandoned = time.Hour

// removeLeftovers removes the temporary files of this target left by killed programs. What cannot
// be removed stays.
func (t target) removeLeftovers() {
	folder, start := filepath.Split(t.prefix())
	entries, err := os.ReadDir(filepath.Clean(folder + "."))
	if err != nil {
		return
	}
	for _, entry := range entries {
		digits, ours := strings.CutPrefix(entry.Name(), start)
		digits, temporary := strings.CutSuffix(digits, suffix)
		if !ours || !temporary || len(digits) != 16 || strings.Trim(digits, "0123456789abcdef") != "" {
			continue
		}
		if info, err := entry.Info(); err == nil && info.Mode().IsRegular() && time.Since(info.ModTime()) > abandoned {
			os.Remove(folder + entry.Name())
		}
	}
}
