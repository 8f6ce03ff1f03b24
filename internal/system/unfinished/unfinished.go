// Package unfinished knows the files and folders that this process makes for a while. A process
// that ends before the work that made them removes them.
package unfinished

import (
	"os"
	"sync"
	"sync/atomic"
)

var (
	lock    sync.Mutex
	paths   = map[string]struct{}{}
	placing atomic.Int64 // calls of Place
)

// Make calls create, which makes a file or a folder. From then on it is known by its path.
func Make(create func() (path string, err error)) error {
	lock.Lock()
	defer lock.Unlock()
	path, err := create()
	if err == nil {
		paths[path] = struct{}{}
	}
	return err
}

// Folder makes a folder with a name of its own for temporary files, as [os.MkdirTemp] does.
func Folder(pattern string) (path string, err error) {
	err = Make(func() (string, error) {
		path, err = os.MkdirTemp("", pattern)
		return path, err
	})
	return path, err
}

// Remove removes a file or a folder. What has another name by now is only forgotten.
func Remove(path string) {
	lock.Lock()
	defer lock.Unlock()
	delete(paths, path)
	os.RemoveAll(path)
}

// Place calls give, which gives finished files their names. A process that ends waits for all of
// them.
func Place(give func() error) error {
	placing.Add(1)
	defer placing.Add(-1)
	lock.Lock()
	defer lock.Unlock()
	return give()
}

// Placing reports whether files are being given their names.
func Placing() bool { return placing.Load() > 0 }

// RemoveAll removes everything that is known. The process must end after it: what makes, places or
// removes a file from then on waits for ever.
func RemoveAll() {
	lock.Lock()
	for path := range paths {
		os.RemoveAll(path)
	}
}
