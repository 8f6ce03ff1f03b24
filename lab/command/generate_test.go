package command

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lapsvm/dataset/files"
)

// Generated images have the size and labels of those they are made of, and are the same
// bytes on any number of threads, compressed or not.
func TestGenerate(t *testing.T) {
	folder := t.TempDir()
	images := filepath.Join(folder, "few-images-idx3-ubyte")
	content := append([]byte{0, 0, 8, 3, 0, 0, 0, 2, 0, 0, 0, 6, 0, 0, 0, 5}, bytes.Repeat([]byte{0, 0, 200, 200, 0}, 12)...)
	if err := os.WriteFile(images, content, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "few-labels-idx1-ubyte"), []byte{0, 0, 8, 1, 0, 0, 0, 2, 3, 7}, 0o644); err != nil {
		t.Fatal(err)
	}
	made := func(name string, more ...string) []byte {
		t.Helper()
		out := filepath.Join(folder, name)
		args := append([]string{"generate", images, out, "-n", "9000", "--quiet"}, more...)
		if code, stdout, stderr := labRun(t, args...); code != 0 {
			t.Fatalf("%s%s", stdout, stderr)
		}
		bytes, err := os.ReadFile(out)
		if err != nil {
			t.Fatal(err)
		}
		return bytes
	}
	one := made("a-images-idx3-ubyte", "--threads", "1")
	if !bytes.Equal(one, made("b-images-idx3-ubyte", "--threads", "3")) {
		t.Error("other images on three threads")
	}
	if bytes.Equal(one, made("c-images-idx3-ubyte", "--seed", "2")) {
		t.Error("the same images by another seed")
	}
	made("d-images-idx3-ubyte.gz")
	for _, name := range []string{"a-images-idx3-ubyte", "d-images-idx3-ubyte.gz"} {
		d, err := files.ReadFile(filepath.Join(folder, name), files.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if d.Points.Len() != 9000 || d.Points.Dim() != 30 || len(d.Labelled()) != 9000 || strings.Join(d.Classes, " ") != "3 7" {
			t.Errorf("%s: %d images of %d dots, %d labelled, classes %v", name, d.Points.Len(), d.Points.Dim(), len(d.Labelled()), d.Classes)
		}
	}
	table := filepath.Join(folder, "table.csv")
	if err := os.WriteFile(table, []byte("1,2,a\n3,4,b\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{images, filepath.Join(folder, "x.idx")}, {images, filepath.Join(folder, "y-images-idx3-ubyte"), "-n", "0"},
		{table, filepath.Join(folder, "z-images-idx3-ubyte")}} {
		if code, _, stderr := labRun(t, append([]string{"generate"}, args...)...); code == 0 || stderr == "" {
			t.Errorf("%v: exit %d", args, code)
		}
	}
}
