package dataset

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"strings"
	"unicode/utf16"

	"github.com/klauspost/compress/zlib"

	"lapsvm/points"
)

// A MAT-file of level 5 is a header of 128 bytes and then elements: a tag with
// the type and the size, and the data, padded to 8 bytes. A variable is an
// element of type matrix, on its own or inside a compressed one; it consists of
// elements again: flags, dimensions, name, values.
// Source: MathWorks, "MAT-File Format".

// Types of elements that are not numbers.
const (
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
	matLast   = 15
)

const (
	damagedMAT = "the file is damaged or cut off (%v); fetch or write it again"
	resaveMAT  = "save it again in MATLAB with save('f.mat', 'X', 'y', '-v7')"
)

// readMAT reads a MAT-file of level 5 (versions 5 to 7 of MATLAB, Octave's
// -v6 and -v7, SciPy), of either byte order: the n×d points from the variable X
// (or x, fea, data), dense or sparse, and labels, one per row, from y (or Y,
// gnd, labels, label), a vector of numbers, a cell array of strings or a char
// matrix. NaN and the empty string mean no label. Values become float64, rounded
// to nearest. It takes twice the memory of the values while it reads.
func readMAT(src *source, o Options) (*Dataset, error) {
	order, err := src.matHeader()
	if err != nil {
		return nil, err
	}
	var names []string
	dense, labelled := map[string]*points.Points{}, map[string]*labeller{}
	for {
		v, err := src.nextVariable(order)
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		switch {
		case isLabels(v.name, o):
			labelled[v.name], err = v.labels(o)
		case isPoints(v.name):
			dense[v.name], err = v.points()
		}
		if err == nil {
			err = v.skip()
		}
		if err != nil {
			return nil, err
		}
		if v.name != "" { // a subsystem of MATLAB's own
			names = append(names, v.name)
		}
	}
	c, err := src.choose(names, o)
	if err != nil {
		return nil, err
	}
	d, err := src.together(dense[c.points], labelled[c.labels], o)
	if err == nil && o.Label != "" {
		d.Label = c.labels
	}
	return d, err
}

// matHeader reads the header and returns the byte order.
func (s *source) matHeader() (binary.ByteOrder, error) {
	head := make([]byte, 128)
	n, err := io.ReadFull(s, head)
	switch {
	case err != nil && err != io.ErrUnexpectedEOF && err != io.EOF:
		return nil, err
	case bytes.HasPrefix(head, []byte("MATLAB 7.3")) || bytes.HasPrefix(head, []byte("\x89HDF")):
		return nil, s.errorf(0, 0, "is a MAT-file of version 7.3 (HDF5), which is not read; %s", resaveMAT)
	case n >= 20 && bytes.IndexByte(head[:4], 0) >= 0:
		return nil, s.errorf(0, 0, "is no MAT-file, or one of version 4, which is not read; %s", resaveMAT)
	case n < len(head):
		return nil, s.errorf(0, 0, damagedMAT, "the header is too short")
	}
	var order binary.ByteOrder = binary.LittleEndian
	switch string(head[126:]) {
	case "IM":
	case "MI":
		order = binary.BigEndian
	default:
		return nil, s.errorf(0, 0, "is no MAT-file of level 5; %s", resaveMAT)
	}
	if version := order.Uint16(head[124:]); version != 0x0100 {
		return nil, s.errorf(0, 0, "is a MAT-file of version %#04x, which is not read; %s", version, resaveMAT)
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
		return nil, s.errorf(0, 0, damagedMAT, fmt.Sprintf("an element of type %d stands where a variable should", t.kind))
	case t.kind == matCompressed:
		z, err := zlib.NewReader(v.raw)
		if err != nil {
			return nil, s.errorf(0, 0, damagedMAT, err)
		}
		v.in = s.inner("", z, bufferSize, damagedMAT)
		inner, err := v.in.matTag(order)
		if err != nil {
			return nil, err
		}
		if inner.kind != matMatrix {
			return nil, s.errorf(0, 0, damagedMAT, "a compressed element is no variable")
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
		return v.in.errorf(0, 0, damagedMAT, "a variable begins in a wrong way")
	}
	word := v.order.Uint32(flags)
	v.class, v.complex = byte(word), word&0x0800 != 0
	for ; len(dims) > 0; dims = dims[4:] {
		v.dims = append(v.dims, int(v.order.Uint32(dims)))
	}
	v.name = string(name)
	v.in.part = "the variable " + v.name
	return nil
}

// skip leaves out what was not read.
func (v *variable) skip() error {
	_, err := io.Copy(io.Discard, v.raw)
	if err == nil && v.raw.N > 0 {
		err = v.in.errorf(0, 0, damagedMAT, "it ends inside the variable")
	}
	return err
}

// end checks that a variable is over, and with it its checksum.
func (v *variable) end() error {
	n, err := io.Copy(io.Discard, v.in)
	if err == nil && n > 7 {
		err = v.in.errorf(0, 0, damagedMAT, "it is longer than its values")
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
		return tag{}, ended(err, s.errorf(0, 0, damagedMAT, "it ends inside a variable"))
	}
	kind, size := order.Uint32(b[:4]), order.Uint32(b[4:])
	if kind>>16 == 0 {
		return tag{kind: int(kind), size: int(size)}, nil
	}
	if kind>>16 > 4 {
		return tag{}, s.errorf(0, 0, damagedMAT, "an element has an impossible size")
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
		return nil, s.errorf(0, 0, damagedMAT, "an element has an impossible size")
	}
	data := make([]byte, t.size)
	if _, err := io.ReadFull(s, data); err != nil {
		return nil, ended(err, s.errorf(0, 0, damagedMAT, "it ends inside a variable"))
	}
	return data, s.pad(t.size)
}

// pad leaves out what fills the data of an element up to 8 bytes; at the end of
// the file it may be missing.
func (s *source) pad(size int) error {
	_, err := s.Discard((8 - size%8) % 8)
	return ended(err, nil)
}

// matElement understands the types of numbers.
func matElement(kind int, order binary.ByteOrder) (element, bool) {
	e := element{order: order}
	switch kind {
	case 1, 3, 5, 12:
		e.kind = 'i'
	case 2, 4, 6, 13, matUTF8, matUTF16, matUTF32:
		e.kind = 'u'
	case 7, 9:
		e.kind = 'f'
	default:
		return e, false
	}
	switch kind {
	case 1, 2, matUTF8:
		e.size = 1
	case 3, 4, matUTF16:
		e.size = 2
	case 5, 6, 7, matUTF32:
		e.size = 4
	default:
		e.size = 8
	}
	return e, true
}

// numbers reads an element of numbers; total is how many there must be, or −1.
func (v *variable) numbers(total int) ([]float64, element, int, error) {
	t, err := v.in.matTag(v.order)
	if err != nil {
		return nil, element{}, 0, err
	}
	e, ok := matElement(t.kind, v.order)
	switch {
	case !ok || t.size%e.size != 0:
		return nil, e, 0, v.in.errorf(0, 0, damagedMAT, fmt.Sprintf("an element of type %d has %d bytes", t.kind, t.size))
	case total >= 0 && t.size/e.size != total:
		return nil, e, 0, v.in.errorf(0, 0, damagedMAT, fmt.Sprintf("there are %d values for the dimensions %v", t.size/e.size, v.dims))
	}
	if t.small != nil {
		values := make([]float64, t.size/e.size)
		e.decode(values, t.small)
		return values, e, t.kind, nil
	}
	values, err := v.in.values(e, t.size/e.size)
	if err != nil {
		return nil, e, 0, err
	}
	return values, e, t.kind, v.in.pad(t.size)
}

// isNumeric refuses variables that are no table of real numbers.
func (v *variable) isNumeric() error {
	switch {
	case v.class < matSparse || v.class > matLast:
		return v.in.errorf(0, 0, "is no matrix of numbers; save numbers, or rename it if it is something else")
	case v.complex:
		return v.in.errorf(0, 0, "has complex numbers; save real ones")
	case len(v.dims) != 2:
		return v.in.errorf(0, 0, "has %d dimensions; save rows and columns, such as reshape(X, size(X, 1), [])", len(v.dims))
	}
	return nil
}

// points reads the n×d points.
func (v *variable) points() (*points.Points, error) {
	if err := v.isNumeric(); err != nil {
		return nil, err
	}
	n, d := v.dims[0], v.dims[1]
	total, ok := elements(v.dims)
	if v.class == matSparse {
		c, err := v.sparse()
		if err != nil {
			return nil, err
		}
		p, err := c.byColumns(v.in, n, d)
		if err != nil {
			return nil, err
		}
		return p, v.end()
	}
	if !ok || total == 0 {
		return nil, v.in.errorf(0, 0, "is %d×%d; save at least one row and one column", n, d)
	}
	values, _, _, err := v.numbers(total)
	if err != nil {
		return nil, err
	}
	return points.Dense(n, d, transposed(values, n, d)), v.end()
}

// sparse reads the parts of a sparse matrix, stored by columns.
func (v *variable) sparse() (c compressed, err error) {
	for _, part := range []*[]float64{&c.minor, &c.start, &c.value} {
		if *part, _, _, err = v.numbers(-1); err != nil {
			return c, err
		}
	}
	return c, nil
}

// labels reads one label for each row.
func (v *variable) labels(o Options) (*labeller, error) {
	labels := newLabeller(false, o.Unlabelled)
	total, ok := elements(v.dims)
	if !ok {
		return nil, v.in.errorf(0, 0, damagedMAT, fmt.Sprintf("the dimensions are %v", v.dims))
	}
	if v.class != matChar && total != max(v.dims[0], v.dims[1]) {
		return nil, v.in.errorf(0, 0, "is of size %v; save one label for each row, such as y(:)", v.dims)
	}
	switch v.class {
	case matChar:
		rows, err := v.text()
		if err != nil {
			return nil, err
		}
		for _, row := range rows {
			labels.add([]byte(strings.TrimRight(row, " \x00")))
		}
		return labels, v.end()
	case matCell:
		for i := range total {
			text, err := v.cell(i)
			if err != nil {
				return nil, err
			}
			labels.add([]byte(text))
		}
		return labels, v.end()
	case matSparse:
		return nil, v.in.errorf(0, 0, "is sparse; save it as full(y)")
	}
	if err := v.isNumeric(); err != nil {
		return nil, v.in.errorf(0, 0, "is no vector of real numbers, cell array of strings or char matrix; save y as one of these (strings as cellstr(y))")
	}
	values, e, _, err := v.numbers(total)
	if err != nil {
		return nil, err
	}
	if err := labels.addNumbers(v.in, e, values); err != nil {
		return nil, err
	}
	return labels, v.end()
}

// cell reads the string in cell i of a cell array.
func (v *variable) cell(i int) (string, error) {
	t, err := v.in.matTag(v.order)
	if err != nil {
		return "", err
	}
	if t.kind != matMatrix {
		return "", v.in.errorf(0, 0, damagedMAT, "a cell is no array")
	}
	if t.size == 0 {
		return "", nil
	}
	c := &variable{in: v.in.inner("", io.LimitReader(v.in, int64(t.size)), t.size, damagedMAT), order: v.order}
	if err := c.begin(); err != nil {
		return "", err
	}
	c.in.part = fmt.Sprintf("%s, cell %d", v.in.part, i+1)
	total, ok := elements(c.dims)
	switch {
	case ok && total == 0:
		_, err := io.Copy(io.Discard, c.in)
		return "", err
	case c.class != matChar || len(c.dims) != 2 || c.dims[0] != 1:
		return "", c.in.errorf(0, 0, "is no string; save labels as numbers or as strings")
	}
	rows, err := c.text()
	if err != nil {
		return "", err
	}
	return rows[0], c.end()
}

// text reads the rows of a char matrix.
func (v *variable) text() ([]string, error) {
	if len(v.dims) != 2 {
		return nil, v.in.errorf(0, 0, "has %d dimensions; save one string for each row", len(v.dims))
	}
	values, _, kind, err := v.numbers(-1)
	if err != nil {
		return nil, err
	}
	var units []uint16
	switch kind {
	case matUTF8:
		raw := make([]byte, len(values))
		for k, c := range values {
			raw[k] = byte(c)
		}
		units = utf16.Encode([]rune(string(raw)))
	case matUTF32:
		for _, c := range values {
			units = utf16.AppendRune(units, codepoint(uint32(c)))
		}
	default:
		for _, c := range values {
			if !(c >= 0 && c <= math.MaxUint16) {
				return nil, v.in.errorf(0, 0, damagedMAT, "a character has an impossible code")
			}
			units = append(units, uint16(c))
		}
	}
	total, ok := elements(v.dims)
	if ok && total > 0 && v.dims[0] == 1 { // the dimensions may count characters in place of units
		return []string{string(utf16.Decode(units))}, nil
	}
	if !ok || total != len(units) || total == 0 {
		return nil, v.in.errorf(0, 0, damagedMAT, fmt.Sprintf("there are %d characters for the dimensions %v", len(units), v.dims))
	}
	rows := make([]string, v.dims[0])
	row := make([]uint16, v.dims[1])
	for i := range rows {
		for j := range row {
			row[j] = units[j*len(rows)+i]
		}
		rows[i] = string(utf16.Decode(row))
	}
	return rows, nil
}
