package files

import (
	"bytes"
	"errors"
	"strconv"
	"strings"
	"testing"

	"lapsvm/dataset"
)

// fuzz reads, writes and reads: what is read once is read again to the last
// bit, and what is refused is refused with an *dataset.Error.
func fuzz(f *testing.F, format string, seeds ...string) {
	for _, s := range seeds {
		f.Add([]byte(s), uint8(0))
	}
	f.Fuzz(func(t *testing.T, data []byte, features uint8) {
		readInLittle(t, data, format)
		d, err := Read(bytes.NewReader(data), "f", Options{Format: format, Features: int(features % 8), Encoding: new(dataset.Encoding)})
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
		var b bytes.Buffer
		if err := Write(&b, d, WriteOptions{Format: format}); err != nil {
			t.Fatalf("read, but not written: %v", err)
		}
		label := d.Label
		for _, lost := range Lost(d, format) {
			if strings.HasPrefix(lost, "the name of the label column") {
				label = ""
			}
		}
		back, err := Read(&b, "f", Options{Format: format, Label: label})
		if err != nil {
			t.Fatalf("written, but not read back: %v", err)
		}
		if !equal(byValue(t, d), back) {
			t.Fatalf("read %v %v %q, then %v %v %q", values(d.Points), d.Y, d.Classes, values(back.Points), back.Y, back.Classes)
		}
	})
}

func FuzzCSV(f *testing.F) {
	fuzz(f, CSV, "x,y,label\n1,2,a\n3,4,\n", "1,2,b\r\n3.5e-2,-0,\"a\"\"\n,\"\n", "\ufeff\"x\",label\n 1 ,?\n", "1\n", "a;b\n", ",x,label\n1,2,3\n", ",,A\n0,0,\n", "# c\nx,y\n1,a\n# \"\n2,b\n")
}

func FuzzTSV(f *testing.F) {
	fuzz(f, TSV, "x\ty\tlabel\n1\t2\ta\n3\t4\t\n", "1\t2\t\"b\tc\"\n", " \"1\"\t\n")
}

func FuzzLIBSVM(f *testing.F) {
	fuzz(f, SVM, "+1 1:1 3:0.5 # c\n-1 qid:3 2:1e-3\n\n2:4\n", "\ufeff? 1:0\r\nspam\t7:-0\n", "1 300:1\n1 2:1\n", "nan 1:nan\n")
}

func FuzzNPY(f *testing.F) {
	var b bytes.Buffer
	d := mustReadF(f, CSV, "1,2,3\n4,5,\n")
	if err := Write(&b, d, WriteOptions{Format: NPY}); err != nil {
		f.Fatal(err)
	}
	head := func(text string) string { return "\x93NUMPY\x01\x00" + string([]byte{byte(len(text)), 0}) + text }
	fuzz(f, NPY, b.String(), head("{'descr': '>i2', 'fortran_order': True, 'shape': (2, 2), }")+"\x00\x01\x00\x02\x00\x03\x00\x04",
		head(`{"shape":(1,2),"fortran_order":False,"descr":"|b1"}`)+"\x00\x01", head("{'descr': '<f4', 'fortran_order': True, 'shape': (1, 2), }")+"12345678")
}

func FuzzIDX(f *testing.F) {
	fuzz(f, IDX, "\x00\x00\x08\x03\x00\x00\x00\x02\x00\x00\x00\x01\x00\x00\x00\x02abcd", "\x00\x00\x0d\x01\x00\x00\x00\x01abcd",
		"\x00\x00\x0b\x02\x00\x00\x00\x01\x00\x00\x00\x02abcd")
}

// FuzzCompressed feeds damaged compressed data to a text reader.
func FuzzCompressed(f *testing.F) {
	for _, ending := range []string{".gz", ".zst"} {
		var b bytes.Buffer
		w, err := pack(&b, ending)
		if err != nil {
			f.Fatal(err)
		}
		w.Write([]byte(strings.Repeat("1 1:2 3:4\n-1 2:0.5\n", 5)))
		w.Close()
		f.Add(b.Bytes())
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		readInLittle(t, data, SVM)
		_, err := Read(bytes.NewReader(data), "f", Options{Format: SVM})
		var e *dataset.Error
		if err != nil && !errors.As(err, &e) {
			t.Fatalf("%T: %v", err, err)
		}
	})
}

// FuzzEncoding learns the encoding of a table and applies it to the same table:
// the points are the same to the last bit, and finite.
func FuzzEncoding(f *testing.F) {
	for _, s := range []string{
		"x,colour,member,born,label\n1,red,yes,2024-02-29,a\n,blue,no,1969-12-31T23:59:59.5+02:00,\n3,red,,,b\n4,blue,TRUE,2000-01-01 12:00,b\n",
		"t,n\nthe cat sat,1\nthe dog sat,2\nthe bird sang and sat,3\n", "\ufeffа,ב\r\n\"x\r\ny\",1\r\nz,\r\n\"x\r\ny\",2\r\nz,3\r\n",
		"1,a,x\n2,b,x\n3,a,\n4,b,\n", "1,5;2\n", "inf,1\nx,2\nx,3\n", "1e308,1\n-1e308,1\nNA,1\n", ",,label\n1,a,2\n2,b,2\n",
	} {
		f.Add([]byte(s), uint8(0))
		f.Add([]byte(s), uint8(0x12))
	}
	for _, s := range []string{"lat,lon,t\n1,179,a\n,-179,b\n90,,a\n-90,360,b\n", "1,1,a\n1,1,b\n", "1e-300,-0,the cat\n-1e-300,0,a cat\n"} {
		f.Add([]byte(s), uint8(0xf0))
		f.Add([]byte(s), uint8(0xf3))
	}
	f.Fuzz(func(t *testing.T, data []byte, asked uint8) {
		o := Options{Format: CSV}
		for k, list := range []*[]string{&o.Text, &o.Category, &o.ID, &o.Ignore} {
			if asked>>(2*k)&3 != 0 {
				*list = []string{strconv.Itoa(int(asked >> (2 * k) & 3))}
			}
		}
		if asked>>4 == 0xf { // one column cannot be both
			o.ID, o.Ignore, o.Coordinates = nil, nil, []string{"1", "2"}
		}
		d, err := Read(bytes.NewReader(data), "f", o)
		if err != nil {
			var e *dataset.Error
			if !errors.As(err, &e) || e.File != "f" || e.Msg.Error() == "" {
				t.Fatalf("%T: %v", err, err)
			}
			return
		}
		if row, column, found := d.Points.FirstNotFinite(); found {
			t.Fatalf("row %d, feature %d is not finite", row, column)
		}
		if d.Encoding == nil {
			return
		}
		if err := d.Encoding.Validate(); err != nil {
			t.Fatal(err)
		}
		if len(d.Features) != d.Points.Dim() {
			t.Fatalf("%d names for %d features", len(d.Features), d.Points.Dim())
		}
		for k := range d.Encoding.Columns {
			_ = d.Encoding.Columns[k].String()
		}
		back, err := Read(bytes.NewReader(data), "f", Options{Format: CSV, Label: d.Label, Encoding: d.Encoding})
		if err != nil {
			t.Fatalf("learnt, but not applied: %v", err)
		}
		back.Y, back.Classes = d.Y, d.Classes
		if !equal(d, back) {
			t.Fatalf("learnt %v, applied %v", values(d.Points), values(back.Points))
		}
	})
}

func mustReadF(f *testing.F, format, text string) *dataset.Dataset {
	d, err := Read(strings.NewReader(text), "f", Options{Format: format})
	if err != nil {
		f.Fatal(err)
	}
	return d
}
