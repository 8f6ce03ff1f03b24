// Package atomicfile writes files. A file is there whole, or not at all.
package atomicfile

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
)

// File is a file to be written and the function that writes its content.
type File struct {
	Path  string
	Write func(w io.Writer) error
}

// Write writes one file; see [WriteAll].
func Write(path string, write func(w io.Writer) error) error { return WriteAll(File{path, write}) }

// WriteAll writes files that belong together. The content of each goes to a
// temporary file in its folder, which is synced. Once all are complete they are
// renamed into place, in order. On an error before that the temporary files are
// removed, and the files are as they were. Symbolic links are followed. An existing
// file keeps its permissions. A device or a pipe is written to directly.
func WriteAll(files ...File) error {
	var temporaries []string // not yet renamed
	defer func() {
		for _, path := range temporaries {
			os.Remove(path)
		}
	}()
	var targets []string
	for _, file := range files {
		target := file.Path
		if real, err := filepath.EvalSymlinks(target); err == nil {
			target = real
		}
		mode := fs.FileMode(0o666)
		switch info, err := os.Stat(target); {
		case err == nil && info.IsDir():
			return fmt.Errorf("%s is a folder: give the name of a file inside it", file.Path)
		case err == nil && !info.Mode().IsRegular():
			if err := writeTo(target, os.O_WRONLY, 0, file); err != nil {
				return err
			}
			continue
		case err == nil:
			mode = info.Mode().Perm()
		}
		folder, base := filepath.Split(target)
		if info, err := os.Stat(filepath.Clean(folder + ".")); err != nil || !info.IsDir() {
			return fmt.Errorf("%s: there is no folder %s: make it first", file.Path, folder)
		}
		temporary := fmt.Sprintf("%s.%s.%016x.tmp", folder, base, rand.Uint64())
		temporaries, targets = append(temporaries, temporary), append(targets, target)
		if err := writeTo(temporary, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode, file); err != nil {
			return err
		}
	}
	for _, target := range targets {
		if err := os.Rename(temporaries[0], target); err != nil {
			return failed(target, err)
		}
		temporaries = temporaries[1:]
	}
	for _, target := range targets {
		if err := syncFolder(filepath.Dir(target)); err != nil {
			return failed(target, err)
		}
	}
	return nil
}

// writeTo writes the content of a file to the file called name and syncs it.
func writeTo(name string, flags int, mode fs.FileMode, file File) error {
	f, err := os.OpenFile(name, flags, mode)
	if err != nil {
		return failed(file.Path, err)
	}
	defer f.Close()
	w := bufio.NewWriterSize(f, 1<<16)
	if err := file.Write(w); err != nil {
		return failed(file.Path, err)
	}
	if err := w.Flush(); err != nil {
		return failed(file.Path, err)
	}
	if err := f.Sync(); err != nil && !unsyncable(err) {
		return failed(file.Path, err)
	}
	if err := f.Close(); err != nil {
		return failed(file.Path, err)
	}
	return nil
}

// syncFolder makes renames in a folder durable, where the system can.
func syncFolder(folder string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	f, err := os.Open(folder)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := f.Sync(); err != nil && !unsyncable(err) {
		return err
	}
	return nil
}

// unsyncable reports whether an error says that something cannot be synced, such as
// a pipe, or a folder on some systems.
func unsyncable(err error) bool {
	return errors.Is(err, syscall.EINVAL) || errors.Is(err, errors.ErrUnsupported)
}

// failed returns the error for a file that could not be written. It names that file,
// not the temporary one.
func failed(path string, err error) error {
	var inPath *fs.PathError
	var inLink *os.LinkError
	switch {
	case errors.As(err, &inPath):
		err = inPath.Err
	case errors.As(err, &inLink):
		err = inLink.Err
	}
	return fmt.Errorf("%s: cannot be written (%w): check the folder, its permissions and the space left", path, err)
}
