package files

import (
	"bufio"
	"bytes"
	"fmt"
	"image"
	"image/color"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"sync/atomic"
	"testing"

	"lapsvm/dataset"
)

// The rows of a folder are named by their path in it, those of files by what was given,
// and Keep adds the class.
func TestImagesAreNamed(t *testing.T) {
	grey := encoded(t, greys([]byte{0, 51}, []byte{102, 255}))
	dir := folder(t, map[string][]byte{"b/deep/2.png": grey, "a/3.png": grey, "unlabelled/0.png": grey, "loose.png": grey})
	for _, c := range []struct {
		keep bool
		want dataset.Kept
	}{
		{false, dataset.Kept{Names: []string{"file"}, Rows: [][]string{{"a/3.png"}, {"b/deep/2.png"}, {"loose.png"}, {"unlabelled/0.png"}}}},
		{true, dataset.Kept{Names: []string{"file", "label"}, Rows: [][]string{{"a/3.png", "a"}, {"b/deep/2.png", "b"}, {"loose.png", ""}, {"unlabelled/0.png", ""}}}},
	} {
		d, err := ReadFile(dir, Options{Keep: c.keep})
		if err != nil || !reflect.DeepEqual(d.Kept, c.want) {
			t.Errorf("keep %v: %+v, %v", c.keep, d, err)
		}
	}
	given := []string{filepath.Join(dir, "loose.png"), filepath.Join(dir, "a", "3.png")}
	d, err := ReadImages(given, Options{Keep: true, Image: dataset.Image{Width: 2, Height: 2}})
	if err != nil {
		t.Fatal(err)
	}
	if got := [][]string{{d.Kept.Name(0), d.Kept.Name(1)}, d.Kept.Names, labels(d)}; !reflect.DeepEqual(got, [][]string{given, {"file"}, {"", ""}}) {
		t.Errorf("%q", got)
	}
	one, err := ReadFile(given[0], Options{Image: dataset.Image{Width: 2, Height: 2}})
	if err != nil || !slices.Equal(one.Points.DenseRow(0), d.Points.DenseRow(0)) || one.Kept.Name(0) != given[0] {
		t.Errorf("one file: %+v, %v", one, err)
	}
}

// A link to a folder of images is that folder.
func TestImagesBehindALink(t *testing.T) {
	dir := folder(t, map[string][]byte{"a/3.png": encoded(t, greys([]byte{0, 51}))})
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(dir, link); err != nil {
		t.Skip(err)
	}
	if d, err := ReadFile(link, Options{}); err != nil || d.Kept.Name(0) != "a/3.png" {
		t.Errorf("%+v, %v", d, err)
	}
}

// What white is may be told: bytes of images stay whole.
func TestImagesOfBytes(t *testing.T) {
	want := []byte{0, 51, 102, 255, 7, 254}
	dir := folder(t, map[string][]byte{"1.png": encoded(t, greys(want))})
	d, err := ReadFile(dir, Options{Image: dataset.Image{Width: 6, Height: 1, White: 255}})
	if err != nil {
		t.Fatal(err)
	}
	for k, v := range d.Points.DenseRow(0) {
		if v != float64(want[k]) {
			t.Errorf("dot %d: %v, want %d", k, v, want[k])
		}
	}
}

// Arrays of bytes in rows of two dimensions, or of two and colours, are images.
func TestArraysOfBytesAreImages(t *testing.T) {
	for _, c := range []struct {
		row  []int
		want dataset.Image
	}{
		{[]int{28, 20}, dataset.Image{Width: 20, Height: 28, White: 255}},
		{[]int{4, 5, 3}, dataset.Image{Width: 5, Height: 4, Colour: true, White: 255}},
		{[]int{4, 5, 1}, dataset.Image{Width: 5, Height: 4, White: 255}},
		{[]int{4, 5, 2}, dataset.Image{}}, {[]int{4}, dataset.Image{}}, {[]int{1, 7}, dataset.Image{}}, {nil, dataset.Image{}}, {[]int{2, 3, 3, 3}, dataset.Image{}}, {[]int{2, dataset.MaxImageSide + 1}, dataset.Image{}},
	} {
		if got := bytesAsImage(c.row); got != c.want {
			t.Errorf("%v: %+v, want %+v", c.row, got, c.want)
		}
	}
	var array bytes.Buffer
	w := bufio.NewWriter(&array)
	writeNPYHeader(w, "|u1", "(1, 2, 3)")
	w.WriteString("abcdef")
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]dataset.Image{
		"\x00\x00\x08\x03\x00\x00\x00\x01\x00\x00\x00\x02\x00\x00\x00\x03abcdef": {Width: 3, Height: 2, White: 255},
		"\x00\x00\x08\x02\x00\x00\x00\x01\x00\x00\x00\x06abcdef":                 {},
		"\x00\x00\x09\x03\x00\x00\x00\x01\x00\x00\x00\x02\x00\x00\x00\x03abcdef": {}, // signed
		array.String(): {Width: 3, Height: 2, White: 255},
	} {
		name := filepath.Join(t.TempDir(), "x")
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		if d, err := ReadFile(name, Options{}); err != nil || !reflect.DeepEqual(d.Image, want) {
			t.Errorf("%q: %+v, %v", text, d, err)
		}
	}
}

// Images are read by at most so many goroutines at once.
func TestImagesTakeTheLimitOfThreads(t *testing.T) {
	var now, most atomic.Int32
	image.RegisterFormat("counted", "counted", func(io.Reader) (image.Image, error) {
		n := now.Add(1)
		for old := most.Load(); n > old && !most.CompareAndSwap(old, n); old = most.Load() {
		}
		for range 100 {
			runtime.Gosched()
		}
		now.Add(-1)
		return greys([]byte{1}), nil
	}, func(io.Reader) (image.Config, error) {
		return image.Config{ColorModel: color.GrayModel, Width: 1, Height: 1}, nil
	})
	files := map[string][]byte{}
	for k := range 60 {
		files[fmt.Sprintf("%d.png", k)] = []byte("counted")
	}
	dir := folder(t, files)
	for _, threads := range []int{1, 2} {
		most.Store(0)
		if _, err := ReadFile(dir, Options{Threads: threads}); err != nil {
			t.Fatal(err)
		}
		if n := int(most.Load()); n < 1 || n > threads {
			t.Errorf("%d threads: %d at once", threads, n)
		}
	}
}
