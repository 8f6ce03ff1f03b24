package files

import (
	"bytes"
	"errors"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"testing"

	"lapsvm/dataset"
	"lapsvm/points"
)

// fuzzBytes reads, writes and reads again as fuzz does, from seeds that the
// writer makes; and no file makes its reader allocate wildly.
func fuzzBytes(f *testing.F, format string, seeds ...string) {
	sparse := mustReadF(f, SVM, "1 2:1.5 90:4\n2 50:7\nnan 200:-0\n")
	for _, d := range []*dataset.Dataset{
		{Points: points.Dense(3, 2, []float64{1, 2.5, -3, 4, 0, 6}), Y: []int{0, 1, dataset.Unlabelled}, Classes: []string{"a", "ü"}},
		{Points: points.Dense(2, 1, []float64{1, 2}), Y: []int{0, 1}, Classes: []string{"-1", "1"}, Features: []string{"x"}, Label: "y"},
		sparse,
	} {
		var b bytes.Buffer
		if err := Write(&b, d, WriteOptions{Format: format}); err != nil {
			f.Fatal(err)
		}
		f.Add(b.Bytes())
	}
	for _, s := range seeds {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		readInLittle(t, data, format)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		d, err := Read(bytes.NewReader(data), "f", Options{Format: format})
		runtime.ReadMemStats(&after)
		// A page of Parquet may be 64 MiB that were compressed to nothing.
		if grown := after.TotalAlloc - before.TotalAlloc; grown > 256<<20+1<<14*uint64(len(data)) {
			t.Fatalf("%d bytes allocated for a file of %d", grown, len(data))
		}
		if err != nil {
			var e *dataset.Error
			if !errors.As(err, &e) || e.File != "f" || e.Msg.Error() == "" {
				t.Fatalf("%T: %v", err, err)
			}
			return
		}
		if len(d.Y) != d.Points.Len() {
			t.Fatalf("%d labels for %d points", len(d.Y), d.Points.Len())
		}
		if d.Encoding != nil {
			again, err := Read(bytes.NewReader(data), "f", Options{Format: format, Label: d.Label, Encoding: d.Encoding})
			if err != nil {
				t.Fatalf("learnt, but not applied: %v", err)
			}
			if !reflect.DeepEqual(values(d.Points), values(again.Points)) {
				t.Fatalf("learnt %v, applied %v", values(d.Points), values(again.Points))
			}
		}
		if d.Points.Stored() > 1<<20 || d.Points.Dim() > 1<<20 {
			return // read well, but slow to write
		}
		var b bytes.Buffer
		if err := Write(&b, d, WriteOptions{Format: format}); err != nil {
			t.Fatalf("read, but not written: %v", err)
		}
		back, err := Read(&b, "f", Options{Format: format, Label: d.Label})
		if err != nil {
			t.Fatalf("written, but not read back: %v", err)
		}
		if !sameRows(d, back) {
			t.Fatalf("read %v %v %q, then %v %v %q", values(d.Points), d.Y, d.Classes, values(back.Points), back.Y, back.Classes)
		}
	})
}

// readInLittle reads a file with little memory: no file takes much more, garbage
// included.
func readInLittle(t *testing.T, data []byte, format string) {
	const allowed, most = 1 << 20, 48 << 20
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err := Read(bytes.NewReader(data), "f", Options{Format: format, Memory: allowed})
	runtime.ReadMemStats(&after)
	if grown := after.TotalAlloc - before.TotalAlloc; grown > most+64*uint64(len(data)) {
		t.Fatalf("%d bytes allocated for a file of %d with %d allowed (%v)", grown, len(data), allowed, err)
	}
	var e *dataset.Error
	if err != nil && !errors.As(err, &e) {
		t.Fatalf("%T: %v", err, err)
	}
}

func FuzzNPZ(f *testing.F) { fuzzBytes(f, NPZ) }

func FuzzMAT(f *testing.F) {
	fuzzBytes(f, MAT, packedMAT(f, "\x0e\x00\x00\x00\x38\x00\x00\x00\x06\x00\x00\x00\x08\x00\x00\x00\x09\x02\x00\x00\x00\x00\x00\x00"+
		"\x05\x00\x00\x00\x08\x00\x00\x00\x02\x00\x00\x00\x01\x00\x00\x00\x01\x00\x01\x00X\x00\x00\x00\x02\x00\x02\x00\x07\x08\x00\x00"))
}

func FuzzJSONL(f *testing.F) {
	fuzzBytes(f, JSONL, `{"vector":[1,-2.5e-3],"label":"a\u00fc\n"}`+"\n\n"+`{"label":null, "vector" : [ 0 , 1E5 ]}`, `{"b":true,"a":1,"label":01}`,
		`{"b":false,"a":-0,"label":-0.50}`+"\n"+`{"a":1,"b":2,"label":false}`, `{"vector":[1],"x":{"y":["]",{}]}}`, `{"text":"t"}`, `[{"a":1},{"a":2,"label":"x"}]`, "\n [\n{\"vector\":\n[1,2]}\n, {\"vector\":[3,4],\"label\":\"}\"}\n]\n",
		`{"a":"x","n":1.5,"b":true}`+"\n"+`{"n":null,"a":"\u05d0","label":"l"}`+"\n"+`{"b":false,"a":"x","n":2}`+"\n"+`{"a":"\u05d0"}`,
		`{"text":"ab cd","when":"2024-01-01"}`+"\n"+`{"text":"cd ef","when":"2024-01-02T03:04"}`+"\n"+`{"more":"1","text":"\ud83d\ude00 gh"}`)
}

func FuzzParquet(f *testing.F) {
	var seeds []string
	for _, names := range writtenFiles {
		for _, name := range names {
			if data, err := os.ReadFile(filepath.Join(writtenFolder, name)); err != nil {
				f.Fatal(err)
			} else if filepath.Ext(name) == ".parquet" {
				seeds = append(seeds, string(data))
			}
		}
	}
	for _, name := range []string{"duckdb-tags.parquet", "polars-tags.parquet"} {
		data, err := os.ReadFile(filepath.Join(writtenFolder, "parquet", name))
		if err != nil {
			f.Fatal(err)
		}
		seeds = append(seeds, string(data))
	}
	fuzzBytes(f, Parquet, seeds...)
}

func FuzzArrow(f *testing.F) {
	var seeds []string
	tags := filepath.Join(writtenFolder, "arrow")
	for _, name := range slices.Concat(arrowFiles, []string{filepath.Join(tags, "polars-tags.arrow"), filepath.Join(tags, "arrow-js-tags.arrow"), filepath.Join(tags, "arrow-rs-tags.arrows")}) {
		data, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		seeds = append(seeds, string(data))
	}
	fuzzBytes(f, Arrow, seeds...)
}

// FuzzImages feeds damaged images to the decoders.
func FuzzImages(f *testing.F) {
	picture := image.NewNRGBA(image.Rect(0, 0, 5, 4))
	for k := range picture.Pix {
		picture.Pix[k] = byte(37 * k)
	}
	grey := image.NewGray16(image.Rect(0, 0, 3, 2))
	grey.SetGray16(1, 1, color.Gray16{Y: 40000})
	for _, img := range []image.Image{picture, grey} {
		for _, encode := range []func(*bytes.Buffer) error{
			func(b *bytes.Buffer) error { return png.Encode(b, img) },
			func(b *bytes.Buffer) error { return jpeg.Encode(b, img, nil) },
			func(b *bytes.Buffer) error { return gif.Encode(b, img, nil) },
		} {
			var b bytes.Buffer
			if err := encode(&b); err != nil {
				f.Fatal(err)
			}
			f.Add(b.Bytes())
		}
	}
	for _, name := range []string{"table.tiff", "lzw.tiff", "fax.tiff", "lossless.webp", "lossy.webp", "lossy.alpha.webp", "webp.6.webp", "jpeg.6.jpg"} {
		data, err := os.ReadFile(filepath.Join(writtenFolder, "pictures", name))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		path := filepath.Join(t.TempDir(), "a.png")
		if err := os.WriteFile(path, data, 0o666); err != nil {
			t.Fatal(err)
		}
		features := make([]float64, 3*7*3)
		err := NewImageRoom(1<<40).Decode(t.Context(), path, func(img image.Image) { reduce(features, img, dataset.Image{Width: 7, Height: 3, Colour: true}) })
		var e *dataset.Error
		if err != nil && (!errors.As(err, &e) || e.File != path) {
			t.Fatalf("%T: %v", err, err)
		}
		for _, v := range features {
			if !(v >= 0 && v <= 1) {
				t.Fatalf("a feature of %v", v)
			}
		}
	})
}
