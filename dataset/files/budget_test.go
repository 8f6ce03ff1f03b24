package files

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"image"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"

	"lapsvm/dataset"
)

// tooMuch reads a file in 1 MB and wants an error that names what is large.
func tooMuch(t *testing.T, name, data, large string) {
	t.Helper()
	_, err := Read(strings.NewReader(data), name, Options{Memory: 1 << 20})
	var wrong *dataset.Error
	if !errors.As(err, &wrong) || wrong.File != name || !strings.Contains(err.Error(), "more than the 1 MB of memory") || !strings.Contains(err.Error(), large) {
		t.Errorf("%s: %v, want %q", name, err, large)
	}
}

// What is large in a file before a row of it is complete is counted too.
func TestMemoryBeforeTheFirstRow(t *testing.T) {
	const n = 1 << 20
	tooMuch(t, "line.csv", gzipped(t, strings.Repeat("1", 2*n)), "line 1")
	tooMuch(t, "fields.csv", gzipped(t, strings.Repeat(",", n/8)), "the 131073 fields of line 1")
	tooMuch(t, "names.tsv", gzipped(t, strings.Repeat("a\t", 5000)+"\n"), "the names of 5001 columns")
	tooMuch(t, "quoted.csv", gzipped(t, `"`+strings.Repeat("a\n", n)), "the fields from line 1 on")
	tooMuch(t, "vector.jsonl", gzipped(t, `{"vector":[`+strings.Repeat("0,", n/14)+"0]}"), "the numbers of the vectors")
	tooMuch(t, "row.svm", gzipped(t, "1 "+strings.Repeat("1:1 ", n/20)), "the entries of the rows")
	tooMuch(t, "far.svm", "1 1000000:1\n", "a row of 1000000 columns")
	var keys, labels strings.Builder
	labels.WriteString("x,label\n")
	for i := range 5000 {
		fmt.Fprintf(&keys, `,"k%d":0`, i)
		fmt.Fprintf(&labels, "1,c%d\n", i)
	}
	tooMuch(t, "keys.json", `[{"a":1`+keys.String()+"}]", "the different keys")
	tooMuch(t, "labels.csv", labels.String(), "the different labels")
	head := "{'descr': '|u1', 'fortran_order': False, 'shape': (1000, 1000), }"
	tooMuch(t, "claim.npy", npyMagic+"\x01\x00"+string([]byte{byte(len(head)), 0})+head, "about 1.91 MB with 1000000 values")
}

// Reading ends where it is to end in a file of hardly anything but blank lines too.
func TestBlankLinesAreChecked(t *testing.T) {
	stop, blank := errors.New("stop"), strings.Repeat("\n", 2<<20)
	for form, data := range map[string]string{CSV: "x,y\n" + blank + "1,2\n", TSV: "x\ty\n" + blank + "1\t2\n", JSON: "[" + blank + `{"x":1}]`, JSONL: blank + `{"x":1}`, SVM: blank + "1 1:1\n"} {
		calls := 0
		_, err := Read(strings.NewReader(data), "f", Options{Format: form, Check: func(int) error {
			if calls++; calls > 5 {
				return stop
			}
			return nil
		}})
		if !errors.Is(err, stop) {
			t.Errorf("%s: %v after %d calls", form, err, calls)
		}
	}
}

// The history that compressed data ask for is counted.
func TestMemoryOfZstd(t *testing.T) {
	var b bytes.Buffer
	w, err := zstd.NewWriter(&b, zstd.WithWindowSize(8<<20))
	if err != nil {
		t.Fatal(err)
	}
	row := []byte("1,2,a\n")
	for range 4 << 20 / len(row) {
		w.Write(row)
	}
	w.Close()
	tooMuch(t, "a.csv.zst", b.String(), "what the zstd data keep of themselves")
}

// Fields of an Arrow schema may share a name: what many of them take is counted before
// they are made.
func TestMemoryOfSharedNames(t *testing.T) {
	const fields, length = 1000, 1 << 16
	f := flatWriter{data: make([]byte, 4)}
	header := f.table(0, flatField{2, arrowVersion}, flatField{1, arrowSchema}, offset, flatField{8, 0})[2]
	places := f.offsets(f.table(header, flatField{}, offset)[1], fields)
	f.pad(8)
	at := len(f.data)
	column := arrowColumn{}.describe(&f, places[0], strings.Repeat("x", length))
	f.offsets(column, 0)
	table := places[0] + int(binary.LittleEndian.Uint32(f.data[places[0]:]))
	if table < at {
		t.Fatal("the table is not where it was written")
	}
	for _, place := range places {
		binary.LittleEndian.PutUint32(f.data[place:], uint32(table-place))
	}
	f.pad(8)
	file := binary.LittleEndian.AppendUint32([]byte("\xff\xff\xff\xff"), uint32(len(f.data)))
	tooMuch(t, "a.arrows", string(append(file, f.data...)), "the description of the columns")
}

// pngHeader returns the beginning of a PNG file.
func pngHeader(width, height uint32) []byte {
	chunk := binary.BigEndian.AppendUint32([]byte("IHDR"), width)
	chunk = append(binary.BigEndian.AppendUint32(chunk, height), 8, 6, 0, 0, 0)
	file := append([]byte("\x89PNG\r\n\x1a\n\x00\x00\x00\x0d"), chunk...)
	return binary.BigEndian.AppendUint32(file, crc32.ChecksumIEEE(chunk))
}

// An image is refused by its header where it is too large to be decoded.
func TestMemoryOfAnImage(t *testing.T) {
	path := folder(t, map[string][]byte{"a/1.png": pngHeader(10000, 9900)})
	_, err := ReadFile(path, Options{Memory: 100 << 20})
	if err == nil || !strings.Contains(err.Error(), "the image of 10000×9900 dots needs about 378 MB of memory to be decoded, but 100 MB are left") {
		t.Error(err)
	}
	path = folder(t, map[string][]byte{"a/1.png": []byte("\x89PNG\r\n\x1a\n"), "a/2.png": pngHeader(10000, 9900)})
	if _, err = ReadFile(path, Options{Memory: 100 << 20}); !errors.Is(err, dataset.ErrMemory) || !strings.Contains(err.Error(), "2.png") {
		t.Error(err) // an image that is damaged may be left out, but not one that more memory reads
	}
}

// A text beyond the memory is told as such; spans of cells beyond all numbers are those of a sheet that is too wide.
func TestLongestOfSheets(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.db")
	db, err := sql.Open("sqlite", path)
	if err == nil {
		defer db.Close()
		_, err = db.Exec("CREATE TABLE t (x, label); INSERT INTO t VALUES (zeroblob(3000000), 'a'), (1, 'b')")
	}
	if err != nil {
		t.Fatal(err)
	}
	if _, err := ReadFile(path, Options{Memory: 4 << 20}); !errors.Is(err, dataset.ErrMemory) || !strings.Contains(err.Error(), "a text or blob is longer than 1 MB") {
		t.Error(err)
	}
	const cell = `<table:table-cell office:value-type="string" table:number-columns-repeated="`
	book := archived(t, map[string]string{"mimetype": "", "content.xml": `<x xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"><table:table table:name="a"><table:table-row>` + cell + `1"><text:p>1</text:p></table:table-cell>` + cell + `1` + strings.Repeat("0", 30) + `"><text:p>1</text:p></table:table-cell></table:table-row></table:table></x>`})
	if _, err := Read(bytes.NewReader(book), "f", Options{Format: ODS}); err == nil || !strings.Contains(err.Error(), "a sheet has 16384 columns at most") {
		t.Error(err)
	}
}

// Images are decoded at once as far as there is room, and all of them in the end.
// The room of an image is given back, also of one that cannot be decoded.
func TestImageRoom(t *testing.T) {
	room := NewImageRoom(1 << 20)
	dir := folder(t, map[string][]byte{"good.png": encoded(t, greys([]byte{0, 51})), "cut.png": encoded(t, greys([]byte{0, 51}))[:45]})
	for name, good := range map[string]bool{"good.png": true, "cut.png": false} {
		if err := room.Decode(t.Context(), filepath.Join(dir, name), func(image.Image) {}); (err == nil) != good || room.left != room.all {
			t.Errorf("%s: error %v, and room for %d bytes of %d", name, err, room.left, room.all)
		}
	}
	r := newImageRoom(&dataset.Origin{Memory: dataset.NewMemory(100)}, 100)
	var inside, most atomic.Int64
	var all sync.WaitGroup
	for range 50 {
		all.Go(func() {
			if err := r.enter(t.Context(), 40, "", image.Config{Width: 1, Height: 1}); err != nil {
				t.Error(err)
				return
			}
			now := inside.Add(1)
			for at := most.Load(); now > at && !most.CompareAndSwap(at, now); at = most.Load() {
			}
			inside.Add(-1)
			r.leave(40)
		})
	}
	all.Wait()
	if most.Load() > 2 || r.left != 100 {
		t.Errorf("%d images of 40 bytes at once in 100; %d bytes are left", most.Load(), r.left)
	}
	// Who waits in vain gives up with its context, and takes nothing.
	if err := r.enter(t.Context(), 90, "", image.Config{}); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(time.Millisecond, cancel)
	if err := r.enter(ctx, 40, "", image.Config{}); !errors.Is(err, context.Canceled) || r.left != 10 {
		t.Errorf("%v; %d bytes are left", err, r.left)
	}
}

// Tables of many columns are read with as many names given as they have.
func TestManyNames(t *testing.T) {
	const width = 20_000
	var names []string
	var columns []dataset.Series
	for j := range width {
		names = append(names, fmt.Sprintf("f%d", j))
		columns = append(columns, dataset.Series{Name: names[j], Numbers: []float64{float64(j), 1}})
	}
	slices.Reverse(names)
	for _, form := range []string{Arrow, JSONL, CSV} {
		var b bytes.Buffer
		if err := WriteSeries(&b, form, columns); err != nil {
			t.Fatal(err)
		}
		d, err := Read(&b, "f", Options{Format: form, Columns: names, Encoding: new(dataset.Encoding)})
		if err != nil || !slices.Equal(d.Features, names) || d.Points.DenseRow(0)[0] != width-1 {
			t.Errorf("%s: %v", form, err)
		}
	}
}

// A file that is not whole when the context is done leaves the old one as it was.
func TestWriteUntilDone(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	d := dataset.TwoMoons(100, 0.1, 1)
	for _, f := range Formats() {
		if !f.CanWrite() {
			continue
		}
		dir := t.TempDir()
		path := filepath.Join(dir, "images."+f.Name)
		if err := os.WriteFile(path, []byte("old"), 0o600); err != nil {
			t.Fatal(err)
		}
		err := WriteFile(ctx, path, d, WriteOptions{Format: f.Name})
		if f.CanWriteSeries() && err != nil {
			err = WriteSeriesFile(ctx, path, f.Name, []dataset.Series{{Name: "x", Numbers: []float64{1}}})
		}
		entries, _ := os.ReadDir(dir)
		old, _ := os.ReadFile(path)
		if !errors.Is(err, context.Canceled) || string(old) != "old" || len(entries) != 1 {
			t.Errorf("%s: %v, %q, %d files", f.Name, err, old, len(entries))
		}
	}
}

// Rows of several dimensions in a MAT-file are flattened in the order of NumPy.
func TestMATOfThreeDimensions(t *testing.T) {
	o := binary.LittleEndian
	var values []byte
	for v := range 12 {
		values = append(values, byte(v))
	}
	data := matFile(o, matVariable(o, "X", 6, []int{2, 2, 3}, matElementOf(o, 2, string(values))))
	d, err := Read(strings.NewReader(data), "a.mat", Options{})
	if err != nil {
		t.Fatal(err)
	}
	for i := range 2 { // value (i, j, k) is i + 2j + 4k
		var want []float64
		for j := range 2 {
			for k := range 3 {
				want = append(want, float64(i+2*j+4*k))
			}
		}
		if row := d.Points.DenseRow(i); !slices.Equal(row, want) {
			t.Errorf("row %d is %v, want %v", i, row, want)
		}
	}
	if len(d.Notes) != 1 || !strings.Contains(d.Notes[0].Error(), "2×2×3") {
		t.Errorf("%v", d.Notes)
	}
}
