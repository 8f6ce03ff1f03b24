package unfinished

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// inside names the folder that the process of TestProcessEnds works in.
const inside = "LAPSVM_TEST_UNFINISHED"

// A process that ends in the midst of its work leaves files that have their names, and no others.
func TestProcessEnds(t *testing.T) {
	folder := os.Getenv(inside)
	if folder != "" {
		end(t, folder)
	}
	folder = t.TempDir()
	c := exec.Command(os.Args[0], "-test.run", "^TestProcessEnds$")
	c.Env = append(os.Environ(), inside+"="+folder, "TMPDIR="+folder, "TMP="+folder)
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	left, err := filepath.Glob(filepath.Join(folder, "*"))
	if err != nil || len(left) != 2 || filepath.Base(left[0]) != "first" || filepath.Base(left[1]) != "second" {
		t.Errorf("left behind: %q, %v", left, err)
	}
}

// end begins files, and ends the process while some of them are given their names.
func end(t *testing.T, folder string) {
	began := func(name string) string {
		path := filepath.Join(folder, name+".tmp")
		if err := Make(func() (string, error) { return path, os.WriteFile(path, []byte(name), 0o600) }); err != nil {
			t.Fatal(err)
		}
		return path
	}
	one, two := began("first"), began("second")
	began("third")
	Remove(began("fourth"))
	if below, err := Folder("lapsvm"); err != nil || os.WriteFile(filepath.Join(below, "file"), nil, 0o600) != nil {
		t.Fatal(err)
	}
	if err := Make(func() (string, error) { return folder, errors.New("not made") }); err == nil {
		t.Fatal("no error")
	}
	halfway := make(chan struct{})
	go func() {
		_ = Place(func() error {
			err := os.Rename(one, filepath.Join(folder, "first"))
			close(halfway)
			return errors.Join(err, os.Rename(two, filepath.Join(folder, "second")))
		})
	}()
	<-halfway
	RemoveAll()
	os.Exit(0)
}
