// Package python_test runs the tests of the Python package with the program as it is.
package python_test

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// python returns an interpreter that has what the tests import, or skips.
func python(t *testing.T) string {
	const needs = "import numpy, pandas, pytest, scipy, sklearn"
	for _, python := range []string{"python3", "/usr/bin/python3"} {
		if exec.CommandContext(t.Context(), python, "-c", needs).Run() == nil {
			return python
		}
	}
	t.Skip("no python3 has scikit-learn, pandas and pytest (Debian packages python3-sklearn, python3-pandas, python3-pytest)")
	return ""
}

func TestPackage(t *testing.T) {
	if testing.Short() {
		t.Skip("takes half a minute")
	}
	python := python(t)
	// A result is kept for as long as the files that the test opens are the same.
	err := filepath.WalkDir(".", func(path string, entry fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(path, ".py") {
			_, err = os.ReadFile(path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.ReadFile("../docs/manual/python.md"); err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(t.TempDir(), "lapsvm")
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-o", program, "../cmd/lapsvm").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	tests := exec.CommandContext(t.Context(), python, "-m", "pytest", "-q", "-rs", "-p", "no:cacheprovider", "tests")
	tests.Env = append(os.Environ(), "LAPSVM_BINARY="+program, "PYTHONDONTWRITEBYTECODE=1")
	out, err := tests.CombinedOutput()
	if err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	t.Logf("%s", out)
}
