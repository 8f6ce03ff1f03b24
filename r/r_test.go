// Package r_test builds the R package with the program as it is, and checks it.
package r_test

import (
	"bytes"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// R's own check builds the package, runs its examples and tests, and compares its pages with its functions. The size of the
// program is its one note.
func TestPackage(t *testing.T) {
	if testing.Short() {
		t.Skip("takes half a minute")
	}
	for _, tool := range []string{"R", "make"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skip("there is no " + tool + " here (Debian packages r-base-core and make)")
		}
	}
	// A result is kept for as long as the files that the test opens are the same.
	err := filepath.WalkDir(".", func(path string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			_, err = os.ReadFile(path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	program := filepath.Join(folder, "lapsvm")
	run := func(name string, args ...string) (string, error) {
		c := exec.CommandContext(t.Context(), name, args...)
		c.Env = append(os.Environ(), "_R_CHECK_FORCE_SUGGESTS_=false", "LAPSVM_BINARY=") // what is only suggested may be missing
		out, err := c.CombinedOutput()
		return string(out), err
	}
	if out, err := run("go", "build", "-ldflags=-s -w", "-o", program, "../cmd/lapsvm"); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if out, err := run("make", "-C", "..", "r-package", "PROGRAM="+program, "DIST="+folder); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	archives, err := filepath.Glob(filepath.Join(folder, "lapsvm_*.tar.gz"))
	if err != nil || len(archives) != 1 {
		t.Fatal(err, archives)
	}
	out, err := run("R", "CMD", "check", "--no-manual", "-o", folder, archives[0])
	if err != nil || strings.Contains(out, " WARNING") || !strings.Contains(out, "\nStatus: ") {
		failures, _ := filepath.Glob(filepath.Join(folder, "lapsvm.Rcheck", "tests", "*.fail"))
		for _, path := range failures {
			text, _ := os.ReadFile(path)
			out += "\n" + path + "\n" + string(text)
		}
		t.Errorf("%v\n%s", err, out)
	}
	t.Logf("%s", out)

	script := filepath.Join(folder, "manual.R")
	if err := os.WriteFile(script, manual(t), 0o600); err != nil {
		t.Fatal(err)
	}
	c := exec.CommandContext(t.Context(), "Rscript", script)
	c.Dir = folder
	c.Env = append(os.Environ(), "R_LIBS="+filepath.Join(folder, "lapsvm.Rcheck"), "LAPSVM_BINARY=")
	if out, err := c.CombinedOutput(); err != nil {
		t.Errorf("docs/manual/r.md: %v\n%s", err, out)
	}
}

// The packages for R and Python have one version.
func TestVersion(t *testing.T) {
	description, err := os.ReadFile("DESCRIPTION")
	if err != nil {
		t.Fatal(err)
	}
	python, err := os.ReadFile("../python/lapsvm/__init__.py")
	if err != nil {
		t.Fatal(err)
	}
	version := regexp.MustCompile(`(?m)^__version__ = "(.*)"$`).FindSubmatch(python)
	if version == nil || !bytes.Contains(description, []byte("\nVersion: "+string(version[1])+"\n")) {
		t.Errorf("DESCRIPTION has another version than python/lapsvm/__init__.py, %q", version)
	}
}

// manual returns the examples of the manual's page.
func manual(t *testing.T) []byte {
	t.Helper()
	page, err := os.ReadFile("../docs/manual/r.md")
	if err != nil {
		t.Fatal(err)
	}
	var script []byte
	for k, block := range bytes.Split(page, []byte("```")) {
		if code, found := bytes.CutPrefix(block, []byte("r\n")); found && k%2 == 1 {
			script = append(script, code...)
		}
	}
	if len(script) == 0 {
		t.Fatal("docs/manual/r.md has no examples")
	}
	return script
}
