// Package atomicfile writes files. A file is there whole, or not at all.
package atomicfile

import (
	"bufio"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"syscall"

	"lapsvm/internal/system/fault"
	"lapsvm/internal/system/unfinished"
)

// File is a file to be written and the function that writes its content.
type File struct {
	Path  string
	Write func(w io.Writer) error
}

// Write writes one file; see [WriteAll].
func Write(path string, write func(w io.Writer) error) error { return WriteAll(File{path, write}) }

// WriteAll writes files that belong together. The content of each goes to a temporary file in its
// folder, which is synced. Once all are complete they are renamed into place, in order. On an error
// before that the temporary files are removed, and the files are as they were. A file that another
// program has open is replaced too; on Windows that is an error after two seconds.
//
// Symbolic links are followed, also to a file that is not there yet. An existing file keeps its
// permissions, owner and group. It is an error if the file is read-only, or its owner cannot be
// kept. A device or a pipe is written to directly, and so is a file that is open but has no name
// any more, such as /dev/fd/3.
//
// A program that is killed leaves its temporary files behind; one that ends while it writes removes
// them ([unfinished.RemoveAll]). Writing the same file removes those
// that have not been touched for an hour.
func WriteAll(files ...File) error {
	var temporaries []string
	defer func() {
		for _, path := range temporaries {
			unfinished.Remove(path)
		}
	}()
	var targets []target
	for _, file := range files {
		t, err := find(file.Path)
		if err != nil {
			return err
		}
		if t.device {
			f, err := os.OpenFile(t.path, os.O_WRONLY|os.O_TRUNC, 0)
			if err != nil {
				return failed(file.Path, err)
			}
			if err := fill(f, file); err != nil {
				return err
			}
			continue
		}
		t.removeLeftovers()
		f, err := t.temporary()
		if err != nil {
			return err
		}
		temporaries, targets = append(temporaries, f.Name()), append(targets, t)
		if err := fill(f, file); err != nil {
			return err
		}
	}
	return unfinished.Place(func() error {
		for k, t := range targets {
			if err := rename(temporaries[k], t.path); err != nil {
				return notReplaced(t.name, err)
			}
		}
		for _, t := range targets {
			if err := syncFolder(filepath.Dir(t.path)); err != nil {
				return failed(t.name, err)
			}
		}
		return nil
	})
}

// Check reports why the file called path could not be written, as far as that can be
// told beforehand: its folder is not there or takes no file, it is a folder or
// read-only. It leaves everything as it was.
func Check(path string) error {
	t, err := find(path)
	if err != nil || t.device {
		return err
	}
	f, err := t.temporary()
	if err != nil {
		return err
	}
	f.Close()
	unfinished.Remove(f.Name())
	return nil
}

// Target returns the path that a file called path has without symbolic links in its
// last part, whether it is there or not. Links in the folders before it stay.
func Target(path string) (string, error) {
	const most = 40 // links in a row
	for range most {
		info, err := os.Lstat(path)
		if err != nil || info.Mode()&fs.ModeSymlink == 0 {
			return path, nil // what else is wrong, writing says
		}
		link, err := os.Readlink(path)
		if err != nil {
			return "", err
		}
		if !filepath.IsAbs(link) { // not cleaned: a/../b is another file where a is a link
			folder, _ := filepath.Split(path)
			link = folder + link
		}
		path = link
	}
	return "", errors.New("too many symbolic links")
}

// fill writes the content of a file to f, syncs and closes it.
func fill(f *os.File, file File) error {
	defer f.Close()
	w := bufio.NewWriterSize(&piecewise{f: f}, 1<<16)
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

// piecewise writes to a file and syncs it on the way, so that no sync takes long: the last
// cannot be interrupted.
type piecewise struct {
	f      *os.File
	behind int // bytes that are not synced
}

func (p *piecewise) Write(b []byte) (int, error) {
	const most = 64 << 20
	n, err := p.f.Write(b)
	if p.behind += n; p.behind >= most && err == nil {
		p.behind = 0
		if err := p.f.Sync(); err != nil && !unsyncable(err) {
			return n, err
		}
	}
	return n, err
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

// notReplaced returns the error for a file that could not be given its name.
func notReplaced(path string, err error) error {
	if inUse(err) {
		return fault.Errorf("%s: cannot be replaced (%w): another program has it open, or its folder takes no files; end that program, or choose another name", path, err)
	}
	return failed(path, err)
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
	return fault.Errorf("%s: cannot be written (%w): check the folder, its permissions and the space left", path, err)
}
