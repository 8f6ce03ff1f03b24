package atomicfile

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"lapsvm/internal/system/unfinished"
)

// WriteNew writes a file that is not there yet, as [Write] does. Where there is one, or
// a link or folder of that name, it stays as it is, and the error satisfies
// errors.Is(err, fs.ErrExist).
func WriteNew(path string, write func(w io.Writer) error) error {
	if _, err := os.Lstat(path); err == nil {
		return failed(path, fs.ErrExist) // before anything is written
	}
	t := target{name: path, path: path}
	f, err := t.temporary()
	if err != nil {
		return err
	}
	defer unfinished.Remove(f.Name())
	if err := fill(f, File{path, write}); err != nil {
		return err
	}
	return unfinished.Place(func() error {
		if err := publish(f.Name(), path); err != nil {
			return failed(path, err)
		}
		if err := syncFolder(filepath.Dir(path)); err != nil {
			return failed(path, err)
		}
		return nil
	})
}

// publish gives a complete file its name, which no file has yet. A second link to it
// replaces nothing; on file systems without such links another program could make the
// file between the look and the renaming.
func publish(temporary, path string) error {
	err := os.Link(temporary, path)
	if err == nil || errors.Is(err, fs.ErrExist) {
		return err
	}
	if _, err := os.Lstat(path); err == nil {
		return fs.ErrExist
	}
	return rename(temporary, path)
}
