package files

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"lapsvm/dataset"
	"lapsvm/internal/testing/detector"
	"lapsvm/points"
)

// npyOf writes values in C's or Fortran's order.
func npyOf(t *testing.T, descr string, fortran bool, n, d int, values []float64) string {
	t.Helper()
	e, ok := npyElement(descr)
	if !ok {
		t.Fatal(descr)
	}
	order := map[bool]string{true: "True", false: "False"}[fortran]
	text := fmt.Sprintf("{'descr': '%s', 'fortran_order': %s, 'shape': (%d, %d), }", descr, order, n, d)
	b := append([]byte(npyMagic+"\x01\x00"), byte(len(text)), 0)
	b = append(b, text...)
	one := make([]byte, 8)
	for k := range values {
		v := values[k]
		if fortran {
			v = values[k%n*d+k/n]
		}
		bits := uint64(int64(v))
		switch {
		case e.kind == 'f' && e.size == 4:
			bits = uint64(math.Float32bits(float32(v)))
		case e.kind == 'f':
			bits = math.Float64bits(v)
		}
		if e.order.PutUint64(one, bits); e.order == binary.ByteOrder(binary.BigEndian) {
			b = append(b, one[8-e.size:]...)
		} else {
			b = append(b, one[:e.size]...)
		}
	}
	return string(b)
}

// Numbers of every type are kept in what holds them exactly and takes least, by the
// rules of [source.stored], and have their values, wherever the label's column is.
func TestStoredAsTheyCome(t *testing.T) {
	const n, d = 3, 4
	small := []float64{0, 1, 7, 1, 255, 9, 254, 0, 3, 3, 3, 1}
	with := func(v float64) []float64 { return append(slices.Clone(small[:n*d-2]), v, 1) }
	for _, c := range []struct {
		descr  string
		values []float64
		want   points.Storage
	}{
		{"|u1", small, points.Uint8}, {"|b1", small, points.Uint8}, {"|i1", []float64{-128, 1, 0, 0, 1, 1, 0, 0, 127, 1, 1, 1}, points.Float32},
		{"<u2", small, points.Float32}, {">i2", with(-32768), points.Float32}, {"<f4", with(0.1), points.Float32}, {">f4", small, points.Float32},
		{"<f8", small, points.Float64}, {">f8", with(0.1), points.Float64},
		{"<i8", small, points.Uint8}, {">u4", small, points.Uint8}, {"<i4", with(-1), points.Float32}, {"<i8", with(1 << 20), points.Float32},
		{"<i8", with(1<<24 + 1), points.Float64}, {">i4", with(-1<<24 - 1), points.Float64}, {"<u8", with(1 << 60), points.Float32},
	} {
		values := slices.Clone(c.values)
		if e, _ := npyElement(c.descr); e.kind == 'f' && e.size == 4 {
			for k, v := range values {
				values[k] = float64(float32(v))
			}
		}
		for _, fortran := range []bool{false, true} {
			for _, label := range []int{1, d} {
				data := npyOf(t, c.descr, fortran, n, d, values)
				got, err := Read(strings.NewReader(data), "a.npy", Options{Label: fmt.Sprint(label)})
				if err != nil {
					t.Fatalf("%s: %v", c.descr, err)
				}
				var want []float64
				for i := range n {
					row := slices.Clone(values[i*d : (i+1)*d])
					want = append(want, slices.Delete(row, label-1, label)...)
				}
				if p := got.Points; p.Storage() != c.want || !slices.Equal(p.Rows(0, n, nil), want) {
					t.Errorf("%s, fortran: %v, label %d: stored as %v: %v, want %v as %v", c.descr, fortran, label, p.Storage(), p.Rows(0, n, nil), want, c.want)
				}
			}
		}
	}
}

// What integers are kept in changes wherever in the file one does not fit, also
// without a limit, when room is made by and by.
func TestStoredChanges(t *testing.T) {
	detector.Spare(t)
	const n, d = 3000, 500 // more values than room is made for at first
	for _, at := range []int{0, 5, 1 << 14, 1<<20 + 3, n*d - 1} {
		for _, large := range []float64{-7, 1<<24 + 1} {
			values := make([]float64, n*d)
			for k := range values {
				values[k] = float64(k % 256)
			}
			values[at] = large
			data := npyOf(t, "<i8", false, n, d, values)
			for _, memory := range []int64{0, 1 << 30} {
				got, err := Read(strings.NewReader(data), "a.npy", Options{Features: d, Memory: memory})
				if err != nil {
					t.Fatal(err)
				}
				want := points.Float32
				if large > 0 {
					want = points.Float64
				}
				if got.Points.Storage() != want || !slices.Equal(got.Points.Rows(0, n, nil), values) {
					t.Errorf("%v at %d: stored as %v, with other values", large, at, got.Points.Storage())
				}
			}
		}
	}
}

// Columns of float32 are kept so, alone or in lists; beside another type they are
// float64.
func TestStoredColumns(t *testing.T) {
	type row struct {
		X     float32   `parquet:"x"`
		Y     float32   `parquet:"y"`
		Z     float64   `parquet:"z"`
		V     []float32 `parquet:"v,list"`
		W     []float64 `parquet:"w,list"`
		Label string    `parquet:"label"`
	}
	var rows []row
	for i := range 100 {
		x := float32(i) / 3
		rows = append(rows, row{x, x + 1, float64(i) / 3, []float32{x, -x}, []float64{float64(i) / 3}, "a"})
	}
	var b bytes.Buffer
	if err := parquet.Write(&b, rows); err != nil {
		t.Fatal(err)
	}
	check := func(name string, read func(o Options) (*dataset.Dataset, error), columns []string, want points.Storage, first []float64) {
		t.Helper()
		d, err := read(Options{Columns: columns})
		if err != nil {
			t.Fatal(err)
		}
		if d.Points.Storage() != want || first != nil && !slices.Equal(d.Points.Row(1, nil), first) {
			t.Errorf("%s, %q: stored as %v: %v, want %v as %v", name, columns, d.Points.Storage(), d.Points.Row(1, nil), first, want)
		}
	}
	third := float64(float32(1) / 3)
	read := func(o Options) (*dataset.Dataset, error) { return Read(bytes.NewReader(b.Bytes()), "a.parquet", o) }
	check(Parquet, read, []string{"y", "x"}, points.Float32, []float64{float64(float32(1)/3 + 1), third})
	check(Parquet, read, []string{"z", "x"}, points.Float64, []float64{1.0 / 3, third})
	check(Parquet, read, []string{"v"}, points.Float32, []float64{third, -third})
	check(Parquet, read, []string{"w"}, points.Float64, []float64{1.0 / 3})
	for _, name := range arrowFiles {
		read := func(o Options) (*dataset.Dataset, error) {
			o.Encoding = new(dataset.Encoding)
			return ReadFile(name, o)
		}
		check(name, read, []string{"vector"}, points.Float32, nil)
		check(name, read, []string{"f32", "f16"}, points.Float32, nil)
		check(name, read, []string{"f32", "i8"}, points.Float64, nil)
	}
}
