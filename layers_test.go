package lapsvm_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"strings"
	"testing"
)

// layers is the order of the packages, lowest first: a package imports only
// packages of lower layers. docs/architecture.md tells why.
var layers = [][]string{
	{"internal/atomicfile", "internal/parallel", "internal/size"},
	{"internal/vec"},
	{"internal/blas", "points"},
	{"calibrate", "dataset", "graph", "kernel", "objective"},
	{"deformed", "gram", "modelfile", "solve"},
	{""},
	{"export", "internal/bench", "selection"},
	{"report"},
	{"internal/paper", "internal/summary"},
	{"cmd/lapsvm"},
}

// testOnly packages serve tests alone.
var testOnly = []string{"internal/golden"}

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
