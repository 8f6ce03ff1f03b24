package files

import (
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"lapsvm/dataset"
	"lapsvm/points"
)

func TestFormatOf(t *testing.T) {
	for name, want := range map[string]string{
		"a.csv": CSV, "dir.npy/A.CSV.GZ": CSV, "a.tsv.zst": TSV, "a.svm": SVM, "a.libsvm.gz": SVM, "a.npy": NPY, "a.idx": IDX,
		"train-images-idx3-ubyte": IDX, "train-images-idx3-ubyte.gz": IDX, "t10k-images.idx3-ubyte.zst": IDX,
		"a": "", "a.gz": "", "idx": "", "a.idx3": "", "a.txt": "",
	} {
		got, err := FormatOf(name)
		if got.Name != want || (err == nil) != (want != "") {
			t.Errorf("FormatOf(%q) = %q, %v", name, got.Name, err)
		}
	}
}

// TestNPYTypes reads the same small numbers as every type, order and layout.
func TestNPYTypes(t *testing.T) {
	want := [][]float64{{0, 1}, {1, 0}, {1, 1}}
	for _, order := range []string{"<", ">", "|", "="} {
		for _, kind := range []string{"b1", "u1", "u2", "u4", "u8", "i1", "i2", "i4", "i8", "f4", "f8"} {
			for version := 1; version <= 3; version++ {
				for _, fortran := range []bool{false, true} {
					flat := []float64{0, 1, 7, 1, 0, 8, 1, 1, 9}
					if kind == "b1" {
						flat = []float64{0, 1, 1, 1, 0, 0, 1, 1, 1}
					}
					classes := []string{"7", "8", "9"}
					if kind == "b1" {
						classes = []string{"0", "1"}
					}
					if fortran {
						f := make([]float64, 9)
						for k, v := range flat {
							f[k%3*3+k/3] = v
						}
						flat = f
					}
					data := encodeNPY(order+kind, fortran, version, "(3, 3)", flat)
					d := mustRead(t, "a.npy", data, Options{})
					if !reflect.DeepEqual(values(d.Points), want) || !slices.Equal(d.Classes, classes) {
						t.Errorf("%s%s v%d fortran %v: %v %q", order, kind, version, fortran, values(d.Points), d.Classes)
					}
				}
			}
		}
	}
	negative := mustRead(t, "a.npy", encodeNPY("<i2", false, 1, "(1, 2)", []float64{-300, -1}), Options{Unlabelled: []string{"-1.0"}})
	if negative.Points.DenseRow(0)[0] != -300 || negative.Y[0] != dataset.Unlabelled {
		t.Errorf("%v %v", values(negative.Points), negative.Y)
	}
}

// Halves, as embeddings are often kept, are numbers of 32 bits.
func TestNPYHalves(t *testing.T) {
	bits := []uint16{0x3c00, 0x0001, 0x7bff, 0xc000, 0x3800, 0x7e00} // 1, 2⁻²⁴, 65504; -2, 0.5, NaN
	for descr, order := range map[string]binary.AppendByteOrder{"<f2": binary.LittleEndian, ">f2": binary.BigEndian} {
		data := []byte(encodeNPY(descr, false, 1, "(2, 3)", nil))
		for _, b := range bits {
			data = order.AppendUint16(data, b)
		}
		d := mustRead(t, "a.npy", string(data), Options{})
		if want := [][]float64{{1, 0x1p-24}, {-2, 0.5}}; !reflect.DeepEqual(values(d.Points), want) || d.Points.Storage() != points.Float32 {
			t.Errorf("%s: %v of %v, want %v", descr, values(d.Points), d.Points.Storage(), want)
		}
		if !slices.Equal(d.Classes, []string{"65504"}) || !slices.Equal(d.Y, []int{0, dataset.Unlabelled}) {
			t.Errorf("%s: classes %q, %v", descr, d.Classes, d.Y)
		}
	}
}

func TestNPYColumns(t *testing.T) {
	data := encodeNPY("<f8", true, 2, "(2, 3)", []float64{1, math.NaN(), 2, 3, 4, 5})
	first := mustRead(t, "a.npy", data, Options{Label: "1"})
	if !reflect.DeepEqual(values(first.Points), [][]float64{{2, 4}, {3, 5}}) || !slices.Equal(first.Y, []int{0, dataset.Unlabelled}) {
		t.Errorf("%v %v", values(first.Points), first.Y)
	}
	data = encodeNPY("<f8", false, 1, "(2, 2)", []float64{1, 2, 3, 4})
	for _, o := range []Options{{Features: 2}, {Columns: []string{"a", "b"}}, {Features: 2, Label: "1"}} {
		d := mustRead(t, "a.npy", data, o)
		if !reflect.DeepEqual(values(d.Points), [][]float64{{1, 2}, {3, 4}}) || d.Y[0] != dataset.Unlabelled {
			t.Errorf("%+v: %v %v", o, values(d.Points), d.Y)
		}
	}
}

func encodeNPY(descr string, fortran bool, version int, shape string, values []float64) string {
	python := map[bool]string{true: "True", false: "False"}[fortran]
	head := fmt.Sprintf("{'descr': '%s', 'fortran_order': %s, 'shape': %s, }\n", descr, python, shape)
	out := []byte("\x93NUMPY")
	out = append(out, byte(version), 0)
	if version == 1 {
		out = binary.LittleEndian.AppendUint16(out, uint16(len(head)))
	} else {
		out = binary.LittleEndian.AppendUint32(out, uint32(len(head)))
	}
	out = append(out, head...)
	for _, v := range values {
		var bits uint64
		switch descr[1:] {
		case "f4":
			bits = uint64(math.Float32bits(float32(v)))
		case "f8":
			bits = math.Float64bits(v)
		default:
			bits = uint64(int64(v))
		}
		size := int(descr[2] - '0')
		for k := range size {
			if descr[0] == '>' {
				k = size - 1 - k
			}
			out = append(out, byte(bits>>(8*k)))
		}
	}
	return string(out)
}

func TestIDXTypes(t *testing.T) {
	for kind, bytes := range map[byte]string{
		0x08: "\x03\xff", 0x09: "\x03\xff", 0x0B: "\x00\x03\xff\xff", 0x0C: "\x00\x00\x00\x03\xff\xff\xff\xff",
		0x0D: "\x40\x40\x00\x00\xbf\x80\x00\x00", 0x0E: "\x40\x08\x00\x00\x00\x00\x00\x00\xbf\xf0\x00\x00\x00\x00\x00\x00",
	} {
		second := -1.0
		if kind == 0x08 {
			second = 255
		}
		for _, shape := range []string{"\x01\x00\x00\x00\x02", "\x02\x00\x00\x00\x02\x00\x00\x00\x01", "\x04\x00\x00\x00\x01\x00\x00\x00\x01\x00\x00\x00\x02\x00\x00\x00\x01"} {
			d := mustRead(t, "a.idx", "\x00\x00"+string([]byte{kind})+shape+bytes, Options{})
			want := [][]float64{{3}, {second}}
			if shape[0] == 4 {
				want = [][]float64{{3, second}}
			}
			if !reflect.DeepEqual(values(d.Points), want) {
				t.Errorf("type %#x: %v", kind, values(d.Points))
			}
		}
	}
}

func TestIDXLabels(t *testing.T) {
	images := "\x00\x00\x08\x02\x00\x00\x00\x02\x00\x00\x00\x01\x03\x04"
	write := func(dir, name, data string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(data), 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for _, names := range [][2]string{
		{"t-images-idx3-ubyte", "t-labels-idx1-ubyte"},
		{"images.idx2-ubyte", "labels.idx1-ubyte"},
		{"my-images.idx", "my-labels.idx"},
	} {
		dir := t.TempDir()
		path := write(dir, names[0], images)
		d, err := ReadFile(path, Options{})
		if err != nil || !slices.Equal(d.Y, []int{dataset.Unlabelled, dataset.Unlabelled}) || len(d.Classes) != 0 {
			t.Errorf("without labels: %v, %v", d, err)
		}
		beside := write(dir, names[1], "\x00\x00\x08\x01\x00\x00\x00\x02\x0a\x09")
		d, err = ReadFile(path, Options{Unlabelled: []string{"10"}})
		if err != nil || !slices.Equal(d.Y, []int{dataset.Unlabelled, 0}) || !slices.Equal(d.Classes, []string{"9"}) {
			t.Errorf("with labels: %+v, %v", d, err)
		}
		_, err = ReadFile(beside, Options{})
		checkError(t, err, beside+": these are the labels of an idx dataset; give its images file, the labels are found beside it")
		write(dir, names[1], "\x00\x00\x08\x01\x00\x00\x00\x03\x0a\x09\x08")
		_, err = ReadFile(path, Options{})
		checkError(t, err, beside+": there are labels of dimensions [3] for 2 images; give the labels file of these images")
		write(dir, names[1], "\x00\x00\x0d\x01\x00\x00\x00\x02\x7f\x80\x00\x00\x00\x00\x00\x00")
		_, err = ReadFile(path, Options{})
		checkError(t, err, beside+": row 1: the label is +Inf; give a number, or NaN for no label")
		write(dir, names[1], "")
		_, err = ReadFile(path, Options{})
		checkError(t, err, beside+": the file is empty; check how it was made")
	}
}

// TestClaimedSizes: a header's claim costs no memory.
func TestClaimedSizes(t *testing.T) {
	for name, data := range map[string]string{
		"a.npy": encodeNPY("<f8", false, 1, "(1, 100000000000000)", nil),
		"b.npy": encodeNPY("<f8", true, 1, "(100000000000000, 2)", nil),
		"c.idx": "\x00\x00\x0e\x02\xff\xff\xff\xff\x0f\xff\xff\xff",
		"d.idx": "\x00\x00\x08\xff" + strings.Repeat("\x00\x00\x00\x01", 254) + "\xff\xff\xff\xff",
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if _, err := Read(strings.NewReader(data), name, Options{}); err == nil {
			t.Errorf("%s: no error", name)
		}
		runtime.ReadMemStats(&after)
		if bytes := after.TotalAlloc - before.TotalAlloc; !(bytes < 16<<20) {
			t.Errorf("%s: %d bytes allocated", name, bytes)
		}
	}
}
