package files

import (
	"bytes"
	"encoding/binary"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/zlib"

	"lapsvm/dataset"
)

// matFile puts elements behind a header.
func matFile(order binary.ByteOrder, elements ...string) string {
	version := "\x00\x01IM"
	if order == binary.BigEndian {
		version = "\x01\x00MI"
	}
	return "MATLAB 5.0 MAT-file" + strings.Repeat(" ", 105) + version + strings.Join(elements, "")
}

// packedMAT is a file of one compressed element.
func packedMAT(t testing.TB, element string) string {
	var b bytes.Buffer
	z := zlib.NewWriter(&b)
	if _, err := z.Write([]byte(element)); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return matFile(binary.LittleEndian, matElementOf(binary.LittleEndian, matCompressed, b.String()))
}

// matElementOf is an element, filled up to 8 bytes.
func matElementOf(order binary.ByteOrder, kind int, data string) string {
	var head [8]byte
	order.PutUint32(head[:], uint32(kind))
	order.PutUint32(head[4:], uint32(len(data)))
	if kind == matCompressed {
		return string(head[:]) + data
	}
	return string(head[:]) + data + strings.Repeat("\x00", padded(len(data))-len(data))
}

// matVariable is a variable of any dimensions, with elements for its values.
func matVariable(order binary.ByteOrder, name string, flags uint32, dims []int, elements ...string) string {
	words := func(values ...uint32) string {
		var b []byte
		for _, v := range values {
			var word [4]byte
			order.PutUint32(word[:], v)
			b = append(b, word[:]...)
		}
		return string(b)
	}
	var sizes []uint32
	for _, n := range dims {
		sizes = append(sizes, uint32(n))
	}
	return matElementOf(order, matMatrix, matElementOf(order, 6, words(flags, 0))+matElementOf(order, 5, words(sizes...))+
		matElementOf(order, 1, name)+strings.Join(elements, ""))
}

// TestMATTypes reads 2×2 points stored as every type, in both byte orders and
// compressed, under every name.
func TestMATTypes(t *testing.T) {
	want := [][]float64{{1, 3}, {2, 4}} // by columns in the file
	for _, order := range []binary.ByteOrder{binary.LittleEndian, binary.BigEndian} {
		for kind := 1; kind <= 13; kind++ {
			e, ok := matElement(kind, order)
			if !ok {
				continue
			}
			var data []byte
			for v := 1.0; v <= 4; v++ {
				var b [8]byte
				switch {
				case kind == 7:
					order.PutUint32(b[:], []uint32{0x3f800000, 0x40000000, 0x40400000, 0x40800000}[int(v)-1])
				case kind == 9:
					order.PutUint64(b[:], []uint64{0x3ff0000000000000, 0x4000000000000000, 0x4008000000000000, 0x4010000000000000}[int(v)-1])
				case e.size == 1:
					b[0] = byte(v)
				case e.size == 2:
					order.PutUint16(b[:], uint16(v))
				case e.size == 4:
					order.PutUint32(b[:], uint32(v))
				default:
					order.PutUint64(b[:], uint64(v))
				}
				data = append(data, b[:e.size]...)
			}
			for _, name := range []string{"X", "x", "fea", "data"} {
				v := matVariable(order, name, matDouble, []int{2, 2}, matElementOf(order, kind, string(data)))
				files := []string{matFile(order, v, matVariable(order, "other", 2, []int{1, 1}))}
				if order == binary.LittleEndian {
					files = append(files, packedMAT(t, v))
				}
				for _, file := range files {
					d := mustRead(t, "a.mat", file, Options{})
					if got := values(d.Points); !slices.EqualFunc(got, want, slices.Equal) || d.Y[0] != dataset.Unlabelled {
						t.Errorf("type %d, %s, %v: %v", kind, name, order, got)
					}
				}
			}
		}
	}
}

// TestMATLabels reads labels as numbers, logicals, cells and characters.
func TestMATLabels(t *testing.T) {
	o := binary.LittleEndian
	x := matVariable(o, "X", matDouble, []int{3, 1}, matElementOf(o, 2, "\x01\x02\x03"))
	text := func(s string) string {
		if s == "" {
			return matElementOf(o, matMatrix, "")
		}
		return matVariable(o, "", matChar, []int{1, len(s)}, matElementOf(o, matUTF8, s))
	}
	for what, c := range map[string]struct {
		variable string
		want     []string
	}{
		"column":  {matVariable(o, "y", matDouble, []int{3, 1}, matElementOf(o, 1, "\xff\x01\x00")), []string{"-1", "1", "0"}},
		"row":     {matVariable(o, "gnd", 9, []int{1, 3}, matElementOf(o, 2, "\x05\x06\x05")), []string{"5", "6", "5"}},
		"NaN":     {matVariable(o, "labels", 7, []int{3, 1}, matElementOf(o, 7, "\x00\x00\xc0\x7f\x00\x00\x80\x3f\x00\x00\x80\x3f")), []string{"", "1", "1"}},
		"logical": {matVariable(o, "Y", 0x0209, []int{3, 1}, matElementOf(o, 2, "\x01\x00\x01")), []string{"1", "0", "1"}},
		"cells":   {matVariable(o, "y", matCell, []int{3, 1}, text("cat"), text(""), text("a dog ")), []string{"cat", "", "a dog"}},
		"chars":   {matVariable(o, "y", matChar, []int{3, 2}, matElementOf(o, 4, "a\x00b\x00 \x00x\x00 \x00 \x00")), []string{"ax", "b", ""}},
	} {
		for _, file := range []string{matFile(o, x, c.variable), matFile(o, c.variable, x)} {
			d := mustRead(t, "a.mat", file, Options{})
			if got := labels(d); !slices.Equal(got, c.want) {
				t.Errorf("%s: %q, want %q", what, got, c.want)
			}
		}
	}
	d := mustRead(t, "a.mat", matFile(o, x, matVariable(o, "target", 9, []int{1, 3}, matElementOf(o, 2, "\x05\x06\x05"))), Options{Label: "target", Unlabelled: []string{"6"}})
	if !slices.Equal(labels(d), []string{"5", "", "5"}) || d.Label != "target" {
		t.Errorf("%q", labels(d))
	}
}

func TestMATErrors(t *testing.T) {
	o := binary.LittleEndian
	x := matVariable(o, "X", matDouble, []int{3, 1}, matElementOf(o, 2, "\x01\x02\x03"))
	sparse := func(ir, jc, pr string, dims ...int) string {
		return matFile(o, matVariable(o, "X", matSparse, dims, matElementOf(o, 5, ir), matElementOf(o, 5, jc), matElementOf(o, 2, pr)))
	}
	const word = "\x00\x00\x00"
	for data, want := range map[string]string{
		"MATLAB 7.3 MAT-file" + strings.Repeat(" ", 200):                             `a.mat: is a MAT-file of version 7.3 (HDF5), which is not read; save it again in MATLAB with save('f.mat', 'X', 'y', '-v7')`,
		"\x89HDF\r\n\x1a\n" + strings.Repeat(" ", 200):                               `a.mat: is a MAT-file of version 7.3 (HDF5), which is not read; save it again in MATLAB with save('f.mat', 'X', 'y', '-v7')`,
		strings.Repeat("\x00\x01\x00\x00", 40):                                       `a.mat: is no MAT-file, or one of version 4, which is not read; save it again in MATLAB with save('f.mat', 'X', 'y', '-v7')`,
		strings.Repeat("text", 40):                                                   `a.mat: is no MAT-file of level 5; save it again in MATLAB with save('f.mat', 'X', 'y', '-v7')`,
		"MATLAB 5.0":                                                                 `a.mat: the file is damaged or cut off (the header is too short); fetch or write it again`,
		matFile(o):                                                                   `a.mat: no array is called X (or x, fea, data, arr_0, x_train); save the points under one of these names, or name them as in FILE#NAME (the file has none)`,
		matFile(o, matVariable(o, "A", 2, []int{1, 1})):                              `a.mat: no array is called X (or x, fea, data, arr_0, x_train); save the points under one of these names, or name them as in FILE#NAME (the file has A)`,
		matFile(o, x, strings.Replace(x, "X", "x", 1)):                               `a.mat: any of the arrays X, x may be the points; keep one of them, or name one as in FILE#X`,
		matFile(o, matVariable(o, "X", 2, []int{1, 1})):                              `a.mat: the variable X: is no matrix of numbers; save numbers, or rename it if it is something else`,
		matFile(o, matVariable(o, "X", 0x0806, []int{1, 1})):                         `a.mat: the variable X: has complex numbers; save real ones`,
		matFile(o, matVariable(o, "X", 6, []int{1, 0, 1})):                           `a.mat: the variable X: is 1×0×1; save at least one row and one column`,
		matFile(o, matVariable(o, "X", 6, []int{0, 3})):                              `a.mat: the variable X: is 0×3; save at least one row and one column`,
		matFile(o, matVariable(o, "X", 6, []int{2, 2}, matElementOf(o, 2, "abc"))):   `a.mat: the variable X: the file is damaged or cut off (there are 3 values for the dimensions [2 2]); fetch or write it again`,
		matFile(o, x, matVariable(o, "y", 9, []int{1, 2}, matElementOf(o, 2, "ab"))): `a.mat: there are 2 labels for points of 3 rows and 1 columns; give one for each row`,
		matFile(o, x, matVariable(o, "y", 9, []int{1, 1}, matElementOf(o, 2, "a"))):  `a.mat: there are 1 labels for points of 3 rows and 1 columns; points are rows: transpose the points`,
		matFile(o, x, matVariable(o, "y", 17, []int{3, 1})):                          `a.mat: the variable y: is no vector of real numbers, cell array of strings or char matrix; save y as one of these (strings as cellstr(y))`,
		matFile(o, x, matVariable(o, "y", 9, []int{3, 2})):                           `a.mat: the variable y: is of size [3 2]; save one label for each row, such as [~, y] = max(y, [], 2) where it has a column for each class`,
		matFile(o, x)[:190]:                                                          `a.mat: the variable X: the file is damaged or cut off (it ends inside a variable); fetch or write it again`,
		sparse("\x05"+word, "\x00"+word+"\x01"+word, "\x07", 3, 1):                   `a.mat: the variable X: the sparse matrix is damaged: an index lies outside of its shape; write it again`,
		sparse("\x00"+word+"\x00"+word, "\x00"+word+"\x02"+word, "\x07\x08", 3, 1):   `a.mat: the variable X: row 1 has two entries for column 1; add them up`,
		sparse("\x00"+word, "\x00"+word+"\x02"+word, "\x07", 3, 1):                   `a.mat: the variable X: the sparse matrix is damaged: there are fewer entries than its offsets say; write it again`,
		sparse("\x00"+word, "\x00"+word+"\x01"+word, "\x07", 2000000000, 1):          `a.mat: the variable X: the sparse matrix has 2000000000 rows, but only 1 entries; leave out the empty rows`,
		sparse("\x00"+word, "\x01"+word+"\x01"+word, "\x07", 3, 1):                   `a.mat: the variable X: the sparse matrix is damaged: its offsets do not fit its shape; write it again`,
	} {
		_, err := Read(strings.NewReader(data), "a.mat", Options{})
		checkError(t, err, want)
	}
}
