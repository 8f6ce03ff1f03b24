package files

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"testing"
)

// What is packed or binary is read as it is, though some of its bytes end lines in a text: small files often have
// a carriage return and no line feed.
func TestBytesAreNoLineEnds(t *testing.T) {
	found := map[string]int{}
	for k := range 200 {
		text := "x,y,label\n"
		for row := range 12 {
			text += fmt.Sprintf("%d,%d,%s\n", row*(k+3), row*row+k, []string{"a", "b"}[row%2])
		}
		want := mustRead(t, "a.csv", text, Options{})
		var archive bytes.Buffer
		w := zip.NewWriter(&archive)
		part, err := w.Create("a.csv")
		if err == nil {
			_, err = io.WriteString(part, text)
		}
		if err == nil {
			err = w.Close()
		}
		if err != nil {
			t.Fatal(err)
		}
		for kind, data := range map[string][]byte{"a.csv": archive.Bytes(), "a": archive.Bytes()} {
			if bytes.IndexByte(data, '\r') < 0 || bytes.IndexByte(data, '\n') >= 0 {
				continue
			}
			path := filepath.Join(t.TempDir(), kind)
			if err := os.WriteFile(path, data, 0o600); err != nil {
				t.Fatal(err)
			}
			found[kind]++
			if d, err := ReadFile(path, Options{}); err != nil || !reflect.DeepEqual(values(d.Points), values(want.Points)) || !reflect.DeepEqual(labels(d), labels(want)) {
				t.Fatalf("%s of %q: %v, %v", kind, text, d, err)
			}
		}
	}
	if len(found) < 2 {
		t.Errorf("files that tell: %v", found)
	}
	path := filepath.Join(t.TempDir(), "a.data")
	if err := os.WriteFile(path, []byte("\x00\x00\x08\x02\x00\x00\x00\x02\x00\x00\x00\x02\x01\r\x02\x03"), 0o600); err != nil {
		t.Fatal(err)
	}
	if d, err := ReadFile(path, Options{MayLackLabels: true}); err != nil || !reflect.DeepEqual(values(d.Points), [][]float64{{1, 13}, {2, 3}}) {
		t.Error(d, err)
	}
}
