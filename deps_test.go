package lapsvm_test

import (
	"os/exec"
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

// allowed is what a package has of these all the same: package export writes ONNX
// files, which are protocol buffers.
var allowed = map[string]string{"lapsvm/export": "google.golang.org/protobuf/"}

// A program that trains and predicts from points in memory links no reader of
// files. lapsvm/internal/machines/modelfile and lapsvm/export hold to the same.
func TestDependencies(t *testing.T) {
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
			if own, ok := allowed[p]; ok && strings.HasPrefix(path, own) {
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
