package files

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"lapsvm/dataset"
	"lapsvm/internal/testing/detector"
)

// realFile returns the path of a real data file, below the folder that the
// environment variable LAPSVM_DATA names.
func realFile(t testing.TB, name string) string {
	root := os.Getenv("LAPSVM_DATA")
	if root == "" {
		t.Skip("LAPSVM_DATA is not set; it names the folder that holds data/" + name)
	}
	return filepath.Join(root, "data", filepath.FromSlash(name))
}

func TestRealData(t *testing.T) {
	detector.Spare(t)
	for _, c := range []struct {
		name          string
		features      int
		n, d, classes int
		stored        int
		first, last   string // class names
	}{
		{"coil20/coil20.svm.gz", 0, 1440, 1024, 20, 1440 * 1024, "1", "20"},
		{"coil20/coil20_u8.svm.gz", 0, 1440, 1024, 20, 1440 * 1024, "1", "20"},
		{"pcmac/pcmac.svm.gz", 7511, 1946, 7511, 2, 106221, "-1", "1"},
		{"pcmac/pcmac.svm.gz", 0, 1946, 7510, 2, 106221, "-1", "1"},
		{"g50c/g50c.svm.gz", 0, 550, 50, 2, 550 * 50, "-1", "1"},
		{"uspst/uspst.svm.gz", 0, 2007, 256, 10, 2007 * 256, "0", "9"},
		{"mnist/t10k-images-idx3-ubyte.gz", 0, 10000, 784, 10, 10000 * 784, "0", "9"},
		{"mnist/train-images-idx3-ubyte.gz", 784, 60000, 784, 10, 60000 * 784, "0", "9"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if testing.Short() && c.n > 20000 {
				t.Skip("large")
			}
			d, err := ReadFile(realFile(t, c.name), Options{Features: c.features})
			if err != nil {
				t.Fatal(err)
			}
			if d.Points.Len() != c.n || d.Points.Dim() != c.d || d.Points.Stored() != c.stored {
				t.Errorf("%d×%d with %d values", d.Points.Len(), d.Points.Dim(), d.Points.Stored())
			}
			if len(d.Classes) != c.classes || d.Classes[0] != c.first || d.Classes[c.classes-1] != c.last || len(d.Labelled()) != c.n {
				t.Errorf("classes %q, %d labelled", d.Classes, len(d.Labelled()))
			}
			if c.n == 10000 {
				s, err := d.Select("8", "3")
				if err != nil || s.Points.Len() != 1984 || s.Classes[1] != "8" {
					t.Errorf("%v %v", s.Classes, err)
				}
			}
			// In LIBSVM text and back.
			var text bytes.Buffer
			some := spread(d, 300)
			if err := Write(&text, some, WriteOptions{Format: SVM}); err != nil {
				t.Fatal(err)
			}
			back, err := Read(&text, "back", Options{Format: SVM})
			if err != nil || !equal(some, back) {
				t.Errorf("does not come back equal (%v)", err)
			}
		})
	}
}

// BenchmarkRead measures reading, from the compressed file and from memory; the
// rate is that of the unpacked bytes.
func BenchmarkRead(b *testing.B) {
	for _, c := range []struct {
		name, format string
	}{
		{"mnist/train-images-idx3-ubyte.gz", IDX},
		{"pcmac/pcmac.svm.gz", SVM},
		{"coil20/coil20.svm.gz", SVM},
		{"coil20/coil20.svm.gz", CSV},
		{"coil20/coil20.svm.gz", NPY},
		{"coil20/coil20.svm.gz", NPZ},
		{"coil20/coil20.svm.gz", MAT},
		{"coil20/coil20.svm.gz", JSONL},
		{"coil20/coil20.svm.gz", Parquet},
		{"pcmac/pcmac.svm.gz", NPZ},
		{"pcmac/pcmac.svm.gz", MAT},
	} {
		b.Run(c.format+" "+c.name, func(b *testing.B) {
			path := realFile(b, c.name)
			d, err := ReadFile(path, Options{})
			if err != nil {
				b.Fatal(err)
			}
			if c.format == IDX {
				for i := range d.Y {
					d.Y[i] = dataset.Unlabelled
				}
			}
			var plain bytes.Buffer
			if err := Write(&plain, d, WriteOptions{Format: c.format}); err != nil {
				b.Fatal(err)
			}
			run := func(name string, read func() (*dataset.Dataset, error)) {
				b.Run(name, func(b *testing.B) {
					b.SetBytes(int64(plain.Len()))
					b.ReportAllocs()
					for b.Loop() {
						if _, err := read(); err != nil {
							b.Fatal(err)
						}
					}
					b.ReportMetric(float64(d.Points.Len()*b.N)/b.Elapsed().Seconds(), "rows/s")
				})
			}
			if form, _ := FormatOf(c.name); form.Name == c.format {
				run("file", func() (*dataset.Dataset, error) { return ReadFile(path, Options{}) })
			}
			run("memory", func() (*dataset.Dataset, error) {
				return Read(bytes.NewReader(plain.Bytes()), "memory", Options{Format: c.format})
			})
		})
	}
}
