package lapsvm_test

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// forbidden begins the paths of packages that training and prediction do not
// need: formats of files, images and compression belong to dataset/files.
var forbidden = []string{
	"lapsvm/dataset/files",
	"github.com/",
	"google.golang.org/",
	"golang.org/x/image",
	"image",
	"compress/",
	"archive/",
	"encoding/csv",
	"encoding/xml",
	"net",
}

// allowed is what packages have of these all the same. Package export writes ONNX files, which are
// protocol buffers. A prior in a recipe is a line of class shares, where names with commas are quoted
// as in CSV.
var allowed = map[string][]string{"lapsvm": {"encoding/csv"}, "lapsvm/export": {"encoding/csv", "google.golang.org/protobuf/"}}

// A program that trains and predicts from points in memory links no reader of
// files. lapsvm/internal/machines/modelfile and lapsvm/export hold to the same.
func TestDependencies(t *testing.T) {
	watchSources(t)
	for _, p := range []string{"lapsvm", "lapsvm/dataset", "lapsvm/internal/machines/modelfile", "lapsvm/export"} {
		out, err := exec.Command("go", "list", "-deps", p).Output()
		if err != nil {
			t.Fatal(err)
		}
		paths := strings.Fields(string(out))
		if len(paths) < 20 {
			t.Errorf("%s: only %d packages were examined", p, len(paths))
		}
		for _, path := range paths {
			if slices.ContainsFunc(allowed[p], func(prefix string) bool { return strings.HasPrefix(path, prefix) }) {
				continue
			}
			for _, prefix := range forbidden {
				if path == prefix || strings.HasPrefix(path, prefix) && strings.HasPrefix(path[len(strings.TrimSuffix(prefix, "/")):], "/") {
					t.Errorf("%s depends on %s", p, path)
				}
			}
		}
	}
}
