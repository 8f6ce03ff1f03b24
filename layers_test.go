package lapsvm_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// layers is the order of the packages, lowest first: a package imports only
// packages of lower layers. docs/architecture.md tells why.
var layers = [][]string{
	{"comm", "dataset/internal/quote", "internal/atomicfile", "internal/hostname", "internal/huge", "internal/machine", "internal/parallel", "internal/regular", "internal/size"},
	{"comm/mpi", "dataset/internal/number", "internal/vec"},
	{"internal/linalg"},
	{"internal/tall", "points"},
	{"dataset/internal/sparse", "internal/checkpoint", "internal/tiles"},
	{"internal/neighbours"},
	{"calibrate", "dataset", "drift", "graph", "kernel", "objective"},
	{"internal/linesearch"},
	{"dataset/files", "deformed", "gram", "modelfile", "solve", "task"},
	{"functionspace", "geometry"},
	{"train"},
	{"selection"},
	{""},
	{"internal/answer", "label", "label/tasks"},
	{"label/store"},
	{"export", "internal/bench"},
	{"report"},
	{"internal/compare", "internal/paper", "internal/summary"},
	{"internal/labelpage", "internal/server"},
	{"cmd/lapsvm", "internal/release"},
}

// testOnly packages serve tests alone.
var testOnly = []string{"internal/chromium", "internal/commtest", "internal/detector", "internal/golden", "python"}

func TestLayers(t *testing.T) {
	const module = "lapsvm"
	layer := make(map[string]int)
	for k, packages := range layers {
		for _, p := range packages {
			layer[strings.TrimSuffix(module+"/"+p, "/")] = k
		}
	}
	for _, p := range testOnly {
		layer[module+"/"+p] = -1
	}
	out, err := exec.Command("go", "list", "-json=ImportPath,Imports", "./...").Output()
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for decoder := json.NewDecoder(bytes.NewReader(out)); ; {
		var p struct {
			ImportPath string
			Imports    []string
		}
		if err := decoder.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		seen++
		own, known := layer[p.ImportPath]
		if !known {
			t.Errorf("%s has no layer: give it one in this test and in docs/architecture.md", p.ImportPath)
			continue
		}
		for _, imported := range p.Imports {
			if imported != module && !strings.HasPrefix(imported, module+"/") {
				continue
			}
			switch below, known := layer[imported]; {
			case own == -1:
			case known && below == -1:
				t.Errorf("%s imports %s, which is for tests", p.ImportPath, imported)
			case known && below >= own:
				t.Errorf("%s imports %s, which is not below it", p.ImportPath, imported)
			}
		}
	}
	if seen < len(layers) {
		t.Errorf("only %d packages were examined", seen)
	}
}

// Files for a processor are in internal/vec alone, and the tag purego takes the
// same files as a processor without assembly. So what make purego tests with the
// tag and make arm64 on another processor speaks for all packages. Libraries of a system
// are called on amd64 and arm64 alone; the tag static leaves them out.
func TestTwins(t *testing.T) {
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
			if own := path == "lapsvm/internal/vec"; own == (none[path] == names) {
				t.Errorf("%s has files for %s: %v", path, processor, !own)
			}
		}
	}
}
