package labelling

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"lapsvm/app/command/input"
	"lapsvm/app/labelpage"
)

// sourceOf reads DATA as label does with further flags, and returns it with its source.
func sourceOf(t *testing.T, path string, args ...string) (*labelSource, *labelpage.Content) {
	t.Helper()
	flags, set := &input.DataFlags{Keep: true, MayLackLabels: true}, pflag.NewFlagSet("", pflag.ContinueOnError)
	flags.Register(set)
	flags.RegisterColumns(set)
	if err := set.Parse(append(args, "--image-size", "4x4")); err != nil {
		t.Fatal(err)
	}
	s := &labelSource{name: path}
	if err := s.begin(); err != nil {
		t.Fatal(err)
	}
	from, err := input.NewSource([]string{path})
	if err != nil {
		t.Fatal(err)
	}
	o, err := flags.OptionsFor(t.Context(), nil, from)
	if err != nil {
		t.Fatal(err)
	}
	d, err := from.Again(o)
	if err != nil {
		t.Fatal(err)
	}
	content, err := input.ContentOf(d, path, flags.ID)
	if err != nil {
		t.Fatal(err)
	}
	s.as(flags, content)
	return s, content
}

// file writes a file into a folder of the test's own.
func file(t *testing.T, name, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func appendTo(t *testing.T, path, text string) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString(text); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}

// A growing table is read by the columns of the first reading, whatever the new rows contain. So
// the features of old rows stay as they are. New rows that do not fit these columns are an error.
func TestLabelSourceOfTable(t *testing.T) {
	path := file(t, "a.csv", "when,kind,note,x,label\n2024-01-02,red,a long note of some words,1,yes\n2024-01-03,blue,another note of other words,2,\n2024-01-04,red,the third note,3.5,no\n2024-01-05,blue,the fourth note,,\n")
	s, first := sourceOf(t, path, "--text", "note")
	if mark, unfinished, err := s.look(); mark != s.mark || unfinished || err != nil {
		t.Fatalf("it has changed, is unfinished %v, %v", unfinished, err)
	}
	appendTo(t, path, "2025-01-05,green,nobody knows these,100,no\n2025-01-06,red,a note")
	if mark, unfinished, err := s.look(); mark == s.mark || !unfinished || err != nil {
		t.Errorf("it has not changed, or is unfinished %v, %v", unfinished, err)
	}
	if _, _, err := s.read(t.Context(), first); err == nil {
		t.Error("a line with fewer fields is read")
	}
	appendTo(t, path, ",4,\n")
	read, kept, err := s.read(t.Context(), first)
	if err != nil || kept != nil || read.Len() != 6 || read.Data.Encoding != first.Data.Encoding || read.Fields[4][1] != "green" || read.Label != 4 {
		t.Fatalf("%+v, %v, %v", read, kept, err)
	}
	own, again := make([]float64, first.Data.Points.Dim()), make([]float64, read.Data.Points.Dim())
	for i := range 4 {
		first.Data.Points.CopyRow(own, i)
		read.Data.Points.CopyRow(again, i)
		if fmt.Sprint(own) != fmt.Sprint(again) {
			t.Errorf("row %d has the features %v, and had %v", i, again, own)
		}
	}
	for name, text := range map[string]string{
		"words where numbers were": "when,kind,note,x,label\n2024-01-02,red,a,many,yes\n",
		"a column less":            "when,kind,x,label\n2024-01-02,red,1,yes\n",
	} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if read, _, err := s.read(t.Context(), first); err == nil {
			t.Errorf("%s: read as %v", name, read.Fields)
		}
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if _, _, err := s.look(); err == nil {
		t.Error("a file that is gone is looked at")
	}
}

// Growing files without column names keep their columns: numbers without a header, with labels in
// the last column or none, and LIBSVM files.
func TestLabelSourceOfNumbers(t *testing.T) {
	for name, of := range map[string]struct{ first, good, bad string }{
		"labels.csv": {"1,2,a\n3,4,\n5,6,b\n", "7,8,\n", "7,8,9,\n"},
		"bare.csv":   {"x,y\n1,2\n3,4\n5,6\n", "7,8\n", "7,8,9\n"},
		"a.svm":      {"1 1:2 3:4\n-1 2:1\n", "1 1:1 2:1\n", "1 1:1 4:1\n"},
		"a.jsonl":    {"{\"x\":1,\"y\":2}\n{\"x\":3,\"y\":4}\n", "{\"x\":5,\"y\":6}\n", "{\"x\":5,\"y\":\"six\"}\n"},
	} {
		t.Run(name, func(t *testing.T) {
			path := file(t, name, of.first)
			s, first := sourceOf(t, path)
			appendTo(t, path, of.good)
			read, _, err := s.read(t.Context(), first)
			if err != nil || read.Len() != first.Len()+1 || read.Label != first.Label || read.Data.Points.Dim() != first.Data.Points.Dim() {
				t.Fatalf("%+v, %v", read, err)
			}
			appendTo(t, path, of.bad)
			if _, _, err := s.read(t.Context(), first); err == nil {
				t.Error("other columns are read")
			}
		})
	}
}

// Of a folder only new and changed images are read.
func TestLabelSourceOfImages(t *testing.T) {
	folder := t.TempDir()
	draw := func(name string, grey uint8, side int) {
		t.Helper()
		path := filepath.Join(folder, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		m := image.NewGray(image.Rect(0, 0, side, side))
		for i := range m.Pix {
			m.Pix[i] = grey
		}
		m.SetGray(0, 0, color.Gray{Y: 255 - grey})
		f, err := os.Create(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := png.Encode(f, m); err != nil {
			t.Fatal(err)
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
	}
	draw("b.png", 10, 8)
	draw("c.png", 200, 8)
	draw("cat/d.png", 90, 8)
	s, first := sourceOf(t, folder)
	if read, kept, err := s.read(t.Context(), first); read != nil || len(kept) != 3 || err != nil {
		t.Errorf("of a folder that is as it was %v are read, %v kept, %v", read, kept, err)
	}
	draw("a.png", 60, 8)
	draw("dog/e.png", 70, 8)
	draw("c.png", 201, 9) // in place of the other
	if err := os.Remove(filepath.Join(folder, "b.png")); err != nil {
		t.Fatal(err)
	}
	read, kept, err := s.read(t.Context(), first)
	if err != nil || fmt.Sprint(kept) != "[2]" || fmt.Sprint(read.Names) != "[a.png c.png dog/e.png]" || read.Data.Classes[read.Data.Y[2]] != "dog" ||
		read.Files[1] != filepath.Join(folder, "c.png") || read.Marks[1] == first.Marks[1] {
		t.Fatalf("%+v, kept %v, %v", read, kept, err)
	}
	whole, err := os.ReadFile(filepath.Join(folder, "c.png"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "half.png"), whole[:len(whole)/2], 0o600); err != nil {
		t.Fatal(err)
	}
	if read, _, err := s.read(context.Background(), first); err != nil || slices.Contains(read.Names, "half.png") || len(read.Data.Notes) == 0 || !strings.Contains(read.Data.Notes[0].Error(), "half.png") {
		t.Errorf("half an image is read: %v", err)
	}
}

// An image that cannot be read does not stop a page that is open: it is read again once it has changed, and others may come and go.
func TestLabelSourceBesideDamagedImages(t *testing.T) {
	folder := t.TempDir()
	var good bytes.Buffer
	if err := png.Encode(&good, image.NewGray(image.Rect(0, 0, 4, 4))); err != nil {
		t.Fatal(err)
	}
	write := func(name string, content []byte) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(folder, name), content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("a.png", good.Bytes())
	write("b.png", good.Bytes())
	write("half.png", good.Bytes()[:40])
	write("phone.heic", []byte("\x00\x00\x00\x18ftypheic"))
	s, now := sourceOf(t, folder)
	if read, kept, err := s.read(t.Context(), now); read != nil || len(kept) != 2 || err != nil {
		t.Fatalf("of a folder that is as it was %v are read, %v kept, %v", read, kept, err)
	}
	if err := os.Remove(filepath.Join(folder, "a.png")); err != nil {
		t.Fatal(err)
	}
	if read, kept, err := s.read(t.Context(), now); read != nil || !slices.Equal(kept, []int{1}) || err != nil {
		t.Fatalf("without an image %v are read, %v kept, %v", read, kept, err)
	}
	write("half.png", good.Bytes())
	read, kept, err := s.read(t.Context(), now)
	if err != nil || !slices.Equal(kept, []int{1}) || !slices.Equal(read.Names, []string{"half.png"}) || len(s.left) != 1 {
		t.Fatalf("%v are read, %v kept, %v left, %v", read, kept, s.left, err)
	}
}
