package files

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"
	"io"
	"strings"

	"github.com/klauspost/compress/zlib"

	"lapsvm/dataset"
	"lapsvm/points"
)

// MAT is the name of the format of this file.
const MAT = "mat" // MATLAB, level 5

func matFormat() Format {
	return Format{
		Name:    MAT,
		Endings: []string{"mat"},
		marks:   []string{"MATLAB 5.0"},
		parts:   "array",
		Holds:   "MAT-file of level 5 with X, dense or sparse, and y",
		Loses:   "names of columns",
		read:    readMAT,
		write: func(w *bufio.Writer, d *dataset.Dataset, _ classes) error {
			return writeMAT(w, d)
		},
		holds: func(d *dataset.Dataset) string {
			if size := matSize(d); size > maxMAT {
				return fmt.Sprintf("a variable of a mat file has at most %d bytes, but this one would have %.0f; write npz or parquet", maxMAT, size)
			}
			return ""
		},
	}
}

// A MAT-file of level 5 is a header of 128 bytes and then elements: a tag with
// the type and the size, and the data, padded to 8 bytes. A variable is an
// element of type matrix, on its own or inside a compressed one; it consists of
// elements again: flags, dimensions, name, values.
// Source: MathWorks, "MAT-File Format".

// Types of elements.
const (
	matBytes      = 2
	matInt32      = 5
	matDoubles    = 9
	matMatrix     = 14
	matCompressed = 15
	matUTF8       = 16
	matUTF16      = 17
	matUTF32      = 18
)

// Classes of variables; 6 to 15 are numbers.
const (
	matCell   = 1
	matChar   = 4
	matSparse = 5
	matDouble = 6
	matLong   = 14 // integers of 8 bytes, with sign and, the last, without
	matLast   = 15
)

const (
	damagedMAT = "the file is damaged or cut off (%v); fetch or write it again"
	resaveMAT  = "save it again in MATLAB with save('f.mat', 'X', 'y', '-v7')"
)

// readMAT reads a MAT-file of level 5 (versions 5 to 7 of MATLAB, Octave's -v6 and -v7, SciPy), of
// either byte order. The n×d points are the variable X (or x, fea, data), dense or sparse, or the one that
// FILE#NAME names. The labels, one per row, are y (or Y, gnd, labels, label, else as [dataset.NamesLabels] has it): a vector
// of numbers, a cell array of strings or a char matrix. Other variables may be anything. Rows of several dimensions are flattened as in npy files. NaN and the
// empty string mean no label. Values become float64, rounded to nearest. Reading takes twice the
// memory of the values.
func readMAT(src *source, o Options) (*dataset.Dataset, error) {
	order, err := src.matHeader()
	if err != nil {
		return nil, err
	}
	var names []string
	all := map[string]matArray{}
	for {
		v, err := src.nextVariable(order)
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		a := matArray{array: v.array()}
		wanted := isPoints(v.name)
		if src.part != "" {
			wanted = strings.EqualFold(v.name, src.part)
		}
		switch {
		case wanted && (src.part != "" || !isLabels(v.name, o)):
			a.points, a.err = v.points()
		case isLabels(v.name, o), mayBeLabels(v.name, o):
			a.labels, a.err = v.labels(o)
		}
		if err := v.skip(); err != nil {
			return nil, cmp.Or(a.err, err)
		}
		if v.name != "" { // else a subsystem of MATLAB's own
			names = append(names, v.name)
			all[v.name] = a
		}
	}
	look := func(name string) array { return all[name].array }
	c, err := src.choose(names, look, o)
	if err != nil {
		return nil, err
	}
	x, y := all[c.points], all[c.labels]
	if err := cmp.Or(x.err, y.err); err != nil {
		return nil, err
	}
	d, err := src.together(x.points, x.points.Len(), y.labels, o)
	if err != nil {
		return nil, err
	}
	npyHeader{shape: x.shape, fortran: true}.flattened(d)
	if x.long {
		doubtRounded(d)
	}
	src.noteUnread(d, names, c, func(string) bool { return false }, look)
	if o.Label != "" {
		d.Label = c.labels
	}
	return d, nil
}

// matArray is a variable with its points or labels, if its name is one of these.
type matArray struct {
	array
	points *points.Points
	labels *dataset.Labels
	err    error // why they cannot be read
}

// matHeader reads the header and returns the byte order.
func (s *source) matHeader() (binary.ByteOrder, error) {
	head := make([]byte, 128)
	n, err := io.ReadFull(s, head)
	switch {
	case err != nil && err != io.ErrUnexpectedEOF && err != io.EOF:
		return nil, err
	case bytes.HasPrefix(head, []byte("MATLAB 7.3")) || bytes.HasPrefix(head, []byte("\x89HDF")):
		return nil, s.Errorf(0, 0, "is a MAT-file of version 7.3 (HDF5), which is not read; %s", resaveMAT)
	case n >= 20 && bytes.IndexByte(head[:4], 0) >= 0:
		return nil, s.Errorf(0, 0, "is no MAT-file, or one of version 4, which is not read; %s", resaveMAT)
	case n < len(head):
		return nil, s.Damagedf(damagedMAT, "the header is too short")
	}
	var order binary.ByteOrder = binary.LittleEndian
	switch string(head[126:]) {
	case "IM":
	case "MI":
		order = binary.BigEndian
	default:
		return nil, s.Errorf(0, 0, "is no MAT-file of level 5; %s", resaveMAT)
	}
	if version := order.Uint16(head[124:]); version != 0x0100 {
		return nil, s.Errorf(0, 0, "is a MAT-file of version %#04x, which is not read; %s", version, resaveMAT)
	}
	return order, nil
}

// variable is a variable of a file, read up to its values.
type variable struct {
	in      *source           // its elements
	raw     *io.LimitedReader // what is left of it in the file
	order   binary.ByteOrder
	class   byte
	complex bool
	logical bool
	entries int // of a sparse logical matrix, once they are known
	dims    []int
	name    string
}

// nextVariable reads the beginning of the next variable. After the last the
// error is io.EOF.
func (s *source) nextVariable(order binary.ByteOrder) (*variable, error) {
	if _, err := s.Peek(1); err == io.EOF {
		return nil, io.EOF
	}
	t, err := s.matTag(order)
	if err != nil {
		return nil, err
	}
	v := &variable{order: order, raw: &io.LimitedReader{R: s, N: int64(t.size)}}
	switch {
	case t.small != nil || t.kind != matMatrix && t.kind != matCompressed:
		return nil, s.Damagedf(damagedMAT, fmt.Sprintf("an element of type %d stands where a variable should", t.kind))
	case t.kind == matCompressed:
		z, err := zlib.NewReader(v.raw)
		if err != nil {
			return nil, s.Damagedf(damagedMAT, err)
		}
		v.in = s.inner("", z, bufferSize, damagedMAT)
		inner, err := v.in.matTag(order)
		if err != nil {
			return nil, err
		}
		if inner.kind != matMatrix {
			return nil, s.Damagedf(damagedMAT, "a compressed element is no variable")
		}
	default:
		v.in = s.inner("", v.raw, t.size, damagedMAT)
	}
	return v, v.begin()
}

// begin reads the flags, the dimensions and the name.
func (v *variable) begin() error {
	flags, err := v.in.matSmall(v.order, 8)
	if err != nil {
		return err
	}
	dims, err := v.in.matSmall(v.order, 1<<10)
	if err != nil {
		return err
	}
	name, err := v.in.matSmall(v.order, 1<<12)
	if err != nil {
		return err
	}
	if len(flags) != 8 || len(dims)%4 != 0 || len(dims) < 8 {
		return v.in.Damagedf(damagedMAT, "a variable begins in a wrong way")
	}
	word := v.order.Uint32(flags)
	v.class, v.complex, v.logical = byte(word), word&0x0800 != 0, word&0x0200 != 0
	for ; len(dims) > 0; dims = dims[4:] {
		v.dims = append(v.dims, int(v.order.Uint32(dims)))
	}
	v.name = string(name)
	v.in.Part = "the variable " + v.name
	if v.logical && v.order.Uint32(flags[4:]) > 0 { // has values that are not zero, as none but a sparse matrix says
		if next, err := v.in.Peek(4); err == nil && v.order.Uint32(next) == matInt32 {
			v.class = matSparse // Octave gives sparse logical matrices the class of bytes
		}
	}
	return nil
}

// skip leaves out what was not read.
func (v *variable) skip() error {
	_, err := io.Copy(io.Discard, v.raw)
	if err == nil && v.raw.N > 0 {
		err = v.in.Damagedf(damagedMAT, "it ends inside the variable")
	}
	return err
}

// end checks that a variable is over, and with it its checksum.
func (v *variable) end() error {
	n, err := io.Copy(io.Discard, v.in)
	if err == nil && n > 7 {
		err = v.in.Damagedf(damagedMAT, "it is longer than its values")
	}
	return err
}

// tag begins an element.
type tag struct {
	kind  int
	size  int
	small []byte // the data of a small element, which are in the tag
}

func (s *source) matTag(order binary.ByteOrder) (tag, error) {
	var b [8]byte
	if _, err := io.ReadFull(s, b[:]); err != nil {
		return tag{}, ended(err, s.Damagedf(damagedMAT, "it ends inside a variable"))
	}
	kind, size := order.Uint32(b[:4]), order.Uint32(b[4:])
	if kind>>16 == 0 {
		return tag{kind: int(kind), size: int(size)}, nil
	}
	if kind>>16 > 4 {
		return tag{}, s.Damagedf(damagedMAT, "an element has an impossible size")
	}
	return tag{kind: int(kind & 0xffff), size: int(kind >> 16), small: b[4 : 4+kind>>16]}, nil
}

// matSmall reads an element of at most limit bytes.
func (s *source) matSmall(order binary.ByteOrder, limit int) ([]byte, error) {
	t, err := s.matTag(order)
	if err != nil || t.small != nil {
		return t.small, err
	}
	if t.size > limit {
		return nil, s.Damagedf(damagedMAT, "an element has an impossible size")
	}
	data := make([]byte, t.size)
	if _, err := io.ReadFull(s, data); err != nil {
		return nil, ended(err, s.Damagedf(damagedMAT, "it ends inside a variable"))
	}
	return data, s.pad(t.size)
}

// pad leaves out what fills the data of an element up to 8 bytes; at the end of
// the file it may be missing.
func (s *source) pad(size int) error {
	_, err := s.Discard((8 - size%8) % 8)
	return ended(err, nil)
}
