package atomicfile

import (
	"io"
	"path/filepath"

	"lapsvm/internal/system/unfinished"
)

// WritePrivate writes a file that its owner alone can read, as [Write] does. It replaces
// whatever has the name: the permissions of an old file are not kept, and a link is not followed.
// On Windows a file has the permissions of its folder.
func WritePrivate(path string, write func(w io.Writer) error) error {
	t := target{name: path, path: path, private: true}
	t.removeLeftovers()
	f, err := t.temporary()
	if err != nil {
		return err
	}
	defer unfinished.Remove(f.Name()) // which it no longer has where all went well
	if err := fill(f, File{path, write}); err != nil {
		return err
	}
	return unfinished.Place(func() error {
		if err := rename(f.Name(), path); err != nil {
			return notReplaced(path, err)
		}
		if err := syncFolder(filepath.Dir(path)); err != nil {
			return failed(path, err)
		}
		return nil
	})
}
