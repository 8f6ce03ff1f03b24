package lapsvm_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// floors lists the folders of each floor, lowest floor first. A package belongs to the longest
// folder here that holds it. It imports only packages of its own floor and of lower floors.
// docs/architecture.md describes the floors.
var floors = [][]string{
	{"internal/system", "internal/ranks"},
	{"internal/numbers"},
	{"points", "kernel", "calibrate", "dataset", "internal/describe"},
	{"internal/points"},
	{"internal/machines"},
	{"", "label", "export"},
	{"app"},
	{"app/command/cli"},
	{"app/command/input"},
	{"app/command"},
	{"lab"},
	{"cmd"},
}

// testOnly are folders of packages that serve tests alone.
var testOnly = []string{"internal/testing", "internal/ranks/commtest", "python", "r"}

// within reports whether a package, by its path in the module, is a folder or below it. Only the
// root package is in the folder "".
func within(p, folder string) bool {
	return p == folder || folder != "" && strings.HasPrefix(p, folder+"/")
}

// floorOf returns the number of a package's floor, -1 for none.
func floorOf(p string) int {
	floor, longest := -1, -1
	for k, folders := range floors {
		for _, folder := range folders {
			if within(p, folder) && len(folder) > longest {
				floor, longest = k, len(folder)
			}
		}
	}
	return floor
}

// watchSources has go test see that a test depends on the sources of all packages, so that it takes
// no older result from its cache.
func watchSources(t *testing.T) {
	err := filepath.WalkDir(".", func(path string, entry fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(path, ".go") {
			_, err = os.Stat(path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestLayers(t *testing.T) {
	watchSources(t)
	const module = "lapsvm"
	own := func(path string) (p string, is bool) {
		p, is = strings.CutPrefix(path+"/", module+"/")
		return strings.TrimSuffix(p, "/"), is
	}
	forTests := func(p string) bool {
		return slices.ContainsFunc(testOnly, func(folder string) bool { return within(p, folder) })
	}
	out, err := exec.Command("go", "list", "-json=ImportPath,Imports", "./...").Output()
	if err != nil {
		t.Fatal(err)
	}
	seen := make([]int, len(floors))
	for decoder := json.NewDecoder(bytes.NewReader(out)); ; {
		var listed struct {
			ImportPath string
			Imports    []string
		}
		if err := decoder.Decode(&listed); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		p, _ := own(listed.ImportPath)
		if forTests(p) {
			continue
		}
		floor := floorOf(p)
		if floor < 0 {
			t.Errorf("%s is on no floor: move it to one, or add its folder to this test and to docs/architecture.md", listed.ImportPath)
			continue
		}
		seen[floor]++
		for _, path := range listed.Imports {
			switch imported, is := own(path); {
			case !is:
			case forTests(imported):
				t.Errorf("%s imports %s, which is for tests", listed.ImportPath, path)
			case floorOf(imported) > floor:
				t.Errorf("%s imports %s, which is on a higher floor", listed.ImportPath, path)
			}
		}
	}
	for k, packages := range seen {
		if packages == 0 {
			t.Errorf("no package was examined on the floor %q", floors[k])
		}
	}
}

// The choice of a recipe is a report: the floor of machines assigns it whole and writes into it, and reads nothing of it.
func TestNothingReadsTheChoice(t *testing.T) {
	watchSources(t)
	isChoice := func(n ast.Node) bool {
		s, is := n.(*ast.SelectorExpr)
		if !is || s.Sel.Name != "Choice" {
			return false
		}
		of, plain := s.X.(*ast.Ident)
		return !plain || of.Name != "train" // the type
	}
	err := filepath.WalkDir("internal/machines", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") || path == "internal/machines/train/choice.go" {
			return err
		}
		files := token.NewFileSet()
		file, err := parser.ParseFile(files, path, nil, 0)
		if err != nil {
			return err
		}
		assigned := make(map[ast.Node]bool)
		ast.Inspect(file, func(n ast.Node) bool {
			if a, is := n.(*ast.AssignStmt); is {
				for k, to := range a.Lhs {
					if isChoice(to) {
						assigned[to], assigned[a.Rhs[min(k, len(a.Rhs)-1)]] = true, true
					}
				}
			}
			if isChoice(n) && !assigned[n] {
				t.Errorf("%s reads the choice: have it told by Recipe.Tell, and give what is needed as an argument", files.Position(n.Pos()))
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// Files for a processor are in internal/numbers/vec alone, and the tag purego takes the
// same files as a processor without assembly. So what make purego tests with the
// tag and make arm64 on another processor speaks for all packages. Libraries of a system
// are called on amd64 and arm64 alone; the tag static leaves them out.
func TestTwins(t *testing.T) {
	watchSources(t)
	files := func(processor, tags string) map[string]string {
		t.Helper()
		list := exec.Command("go", "list", "-tags=static"+tags, "-f", "{{.ImportPath}} {{.GoFiles}} {{.SFiles}}", "./...")
		list.Env = append(os.Environ(), "GOOS=linux", "GOARCH="+processor)
		out, err := list.Output()
		if err != nil {
			t.Fatal(err)
		}
		of := make(map[string]string)
		for line := range strings.Lines(string(out)) {
			path, names, _ := strings.Cut(line, " ")
			of[path] = names
		}
		return of
	}
	purego, none := files("amd64", ",purego"), files("riscv64", "")
	for path, names := range none {
		if purego[path] != names {
			t.Errorf("%s is %s with the tag purego, %s without assembly", path, purego[path], names)
		}
	}
	for _, processor := range []string{"amd64", "arm64"} {
		for path, names := range files(processor, "") {
			if own := path == "lapsvm/internal/numbers/vec"; own == (none[path] == names) {
				t.Errorf("%s has files for %s: %v", path, processor, !own)
			}
		}
	}
}
