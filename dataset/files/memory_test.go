package files

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"

	"lapsvm/dataset"
	"lapsvm/internal/testing/detector"
	"lapsvm/points"
)

// gzipped packs text.
func gzipped(t *testing.T, text string) string {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := z.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestMemory reads files that are small packed and large unpacked, in every
// format and by every way of reading a table: Memory stops them long before
// their end, and more of it lets them pass.
func TestMemory(t *testing.T) {
	detector.Spare(t)
	const n, enough = 40_000, 64 << 20
	zeros := &dataset.Dataset{Points: points.Dense(n, 8, make([]float64, 8*n)), Y: slices.Repeat([]int{0}, n), Classes: []string{"0"}}
	files := map[string]string{}
	for _, form := range []string{CSV, TSV, NPY, NPZ, MAT, JSON, JSONL, Parquet, Arrow} {
		var b bytes.Buffer
		if err := Write(&b, zeros, WriteOptions{Format: form}); err != nil {
			t.Fatal(err)
		}
		files["a."+form] = gzipped(t, b.String())
	}
	repeat := func(head, row string) string { return gzipped(t, head+strings.Repeat(row, n)) }
	files["sparse.svm"] = repeat("", "1 1:1 2:1 9:1 90:1 900:1\n")
	files["dense.svm"] = repeat("", "1 1:1 10:1\n")
	files["vectors.jsonl"] = repeat("", `{"vector":[0,0,0,0,0,0,0,0]}`+"\n")
	files["categories.csv"] = repeat("kind,label\n", "a,1\nb,1\nc,1\nd,2\n")
	files["text.csv"] = repeat("text,label\n", "the same words in every row of it,1\nother words in every other row,2\n")
	files["names.csv"] = repeat("id,v,label\n", "a long name of a row,1.5,k\nanother,2,k\n")
	for name, data := range files {
		o := Options{Memory: 1 << 20}
		if name == "names.csv" {
			o.ID = []string{"id"}
		}
		read := func(o Options) error {
			_, err := Read(strings.NewReader(data), name, o)
			return err
		}
		var wrong *dataset.Error
		if err := read(o); !errors.As(err, &wrong) || !strings.Contains(wrong.Msg.Error(), "more than the 1 MB of memory") {
			t.Errorf("%s in 1 MB: %v", name, err)
		}
		if o.Memory = enough; read(o) != nil {
			t.Errorf("%s in 64 MB: %v", name, read(o))
		}
	}
	images := map[string][]byte{}
	for i := range 20 {
		images[string(rune('a'+i))+"/1.png"] = encoded(t, greys([]byte{0, 51}))
	}
	if _, err := ReadFile(folder(t, images), Options{Memory: 1 << 20, Image: dataset.Image{Width: 64, Height: 64}}); err == nil || !strings.Contains(err.Error(), "of memory that may be used") {
		t.Errorf("images: %v", err)
	}
}

// A key that the first object lacks takes no more memory than one that it has. For such a key the
// file is read again. The memory of the first reading is given back before.
func TestMemoryOfObjectsReadAgain(t *testing.T) {
	const n = 8000
	needs := func(first bool) int64 {
		var b strings.Builder
		for i := range n {
			more := ""
			if i == 0 && first || i == n-1 && !first {
				more = `,"c":1`
			}
			fmt.Fprintf(&b, `{"a":%d,"b":%d%s,"label":"%c"}`+"\n", i%7, i%5, more, 'x'+i%2)
		}
		path := writeText(t, filepath.Join(t.TempDir(), "a.jsonl"), b.String())
		fails, passes := int64(1<<16), int64(1<<22)
		for 20*(passes-fails) > passes {
			middle := (fails + passes) / 2
			if _, err := ReadFile(path, Options{Memory: middle}); err != nil {
				fails = middle
			} else {
				passes = middle
			}
		}
		return passes
	}
	if once, again := needs(true), needs(false); !(float64(again) <= 1.2*float64(once)) {
		t.Errorf("%d bytes, and %d where the key comes last", once, again)
	}
}

// Room is made for as many values as the rows so far let expect. More rows than
// that, or fewer, come out whole all the same.
func TestRoomForValues(t *testing.T) {
	detector.Spare(t)
	long, short := "0.12345678901234567,-0.98765432109876543,a\n", "1,2,b\n"
	for name, parts := range map[string][2]string{"more": {long, short}, "fewer": {short, long}} {
		var b strings.Builder
		b.WriteString("x,y,label\n")
		const bytes = 12 << 20 // several times what is read before it is expected
		for b.Len() < bytes/2 {
			b.WriteString(parts[0])
		}
		for b.Len() < bytes {
			b.WriteString(parts[1])
		}
		path := filepath.Join(t.TempDir(), "points.csv")
		if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
			t.Fatal(err)
		}
		d, err := ReadFile(path, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if rows := strings.Count(b.String(), "\n") - 1; d.Points.Len() != rows {
			t.Fatalf("%s: %d rows, want %d", name, d.Points.Len(), rows)
		}
		want := map[string][2]float64{"a": {0.12345678901234567, -0.98765432109876543}, "b": {1, 2}}
		for i, y := range d.Y {
			if row := d.Points.DenseRow(i); [2]float64(row) != want[d.Classes[y]] {
				t.Fatalf("%s: row %d is %v, labelled %s", name, i+1, row, d.Classes[y])
			}
		}
	}
}
