package files_test

import (
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"

	"lapsvm/dataset"
	"lapsvm/dataset/files"
)

// A file reports the bytes that were read of it, compressed or not, up to its
// size.
func TestReadProgress(t *testing.T) {
	folder := t.TempDir()
	for _, name := range []string{"p.csv", "p.csv.gz", "p.csv.zst", "p.svm", "p.npz", "p.parquet", "p.npy"} {
		path := filepath.Join(folder, name)
		if err := files.WriteFile(t.Context(), path, dataset.TwoMoons(20000, 0.1, 1), files.WriteOptions{}); err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		var last atomic.Int64
		_, err = files.ReadFile(path, files.Options{Progress: func(done, of int64) {
			if of != info.Size() || done > of {
				t.Errorf("%s: %d of %d, but the file has %d bytes", name, done, of, info.Size())
			}
			last.Store(max(last.Load(), done))
		}})
		if err != nil || last.Load() < info.Size()*9/10 {
			t.Errorf("%s: %d of %d bytes reported, %v", name, last.Load(), info.Size(), err)
		}
	}
}

// Reading several files reports the bytes read of all files, both for one table and for data sets
// that are joined.
func TestReadProgressOfSeveralFiles(t *testing.T) {
	folder := t.TempDir()
	for _, name := range []string{"p.csv", "p.csv.gz", "p.svm", "p.npz", "p.parquet"} {
		var paths []string
		size := int64(0)
		for _, prefix := range []string{"a", "b", "c"} {
			path := filepath.Join(folder, prefix+name)
			if err := files.WriteFile(t.Context(), path, dataset.TwoMoons(5000, 0.1, 1), files.WriteOptions{}); err != nil {
				t.Fatal(err)
			}
			info, err := os.Stat(path)
			if err != nil {
				t.Fatal(err)
			}
			paths, size = append(paths, path), size+info.Size()
		}
		var last atomic.Int64
		_, err := files.ReadFiles(paths, files.Options{Progress: func(done, of int64) {
			if of != size || done > of {
				t.Errorf("%s: %d of %d, but the files have %d bytes", name, done, of, size)
			}
			last.Store(max(last.Load(), done))
		}})
		if err != nil || last.Load() < size*9/10 {
			t.Errorf("%s: %d of %d bytes reported, %v", name, last.Load(), size, err)
		}
	}
}
