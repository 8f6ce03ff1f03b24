// Package atomicfile writes files so that they are there whole or not at all.
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
)

// Write lets write produce the content of the file called path. The content
// goes to a temporary file in the same folder, which is synced and renamed
// over path once it is complete; on any error the temporary file is removed
// and what was at path before stays as it was. A symbolic link is followed. A
// device or pipe is written to directly.
func Write(path string, write func(w io.Writer) error) (err error) {
	mode := fs.FileMode(0o666)
	if info, err := os.Stat(path); err == nil {
		switch {
		case info.IsDir():
			return fmt.Errorf("%s is a folder: name a file", path)
		case !info.Mode().IsRegular():
			return writeTo(path, os.O_WRONLY, 0, write)
		}
		mode = info.Mode().Perm()
		if real, err := filepath.EvalSymlinks(path); err == nil {
			path = real
		}
	}
	folder := filepath.Dir(path)
	if info, err := os.Stat(folder); err != nil || !info.IsDir() {
		return fmt.Errorf("cannot write %s: there is no folder %s; make it first", path, folder)
	}
	temporary := filepath.Join(folder, fmt.Sprintf(".%s.%08x.tmp", filepath.Base(path), rand.Uint32()))
	defer func() {
		if err != nil {
			os.Remove(temporary)
			err = fmt.Errorf("cannot write %s: %w", path, cause(err))
		}
	}()
	if err := writeTo(temporary, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode, write); err != nil {
		return err
	}
	if err := os.Rename(temporary, path); err != nil {
		return err
	}
	// Some systems cannot sync a folder; the content is safe all the same.
	if f, err := os.Open(folder); err == nil {
		_ = f.Sync()
		f.Close()
	}
	return nil
}

// writeTo writes and syncs one file.
func writeTo(path string, flags int, mode fs.FileMode, write func(w io.Writer) error) (err error) {
	f, err := os.OpenFile(path, flags, mode)
	if err != nil {
		return err
	}
	defer func() {
		if e := f.Close(); err == nil {
			err = e
		}
	}()
	w := bufio.NewWriterSize(f, 1<<16)
	if err := write(w); err != nil {
		return err
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if mode != 0 {
		return f.Sync()
	}
	return nil
}

// cause drops the name of the temporary file from an error of the system.
func cause(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	var link *os.LinkError
	if errors.As(err, &link) {
		return link.Err
	}
	return err
}
