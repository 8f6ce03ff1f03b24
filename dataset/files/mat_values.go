package files

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"strings"
	"unicode/utf16"

	"lapsvm/dataset"
	"lapsvm/points"
)

// matElement understands the types of numbers.
func matElement(kind int, order binary.ByteOrder) (element, bool) {
	e := element{order: order}
	switch kind {
	case 1, 3, 5, 12:
		e.kind = 'i'
	case matBytes, 4, 6, 13, matUTF8, matUTF16, matUTF32:
		e.kind = 'u'
	case 7, matDoubles:
		e.kind = 'f'
	default:
		return e, false
	}
	switch kind {
	case 1, matBytes, matUTF8:
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
	t, e, err := v.element(total)
	if err != nil {
		return nil, e, 0, err
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

// stored reads an element of total numbers as they are kept.
func (v *variable) stored(total int) (stored, error) {
	t, e, err := v.element(total)
	if err != nil {
		return stored{}, err
	}
	if t.small != nil {
		values := make([]float64, total)
		e.decode(values, t.small)
		return stored{double: values}, nil
	}
	values, err := v.in.stored(e, total)
	if err != nil {
		return values, err
	}
	return values, v.in.pad(t.size)
}

// element reads the tag of an element of numbers; total is how many there must be,
// or −1.
func (v *variable) element(total int) (tag, element, error) {
	t, err := v.in.matTag(v.order)
	if err != nil {
		return t, element{}, err
	}
	if t.kind == matDoubles && t.size/8 < v.entries && v.entries <= t.size {
		t.kind = matBytes // MATLAB has bytes of sparse logical matrices under the wrong type
	}
	e, ok := matElement(t.kind, v.order)
	switch {
	case !ok || t.size%e.size != 0:
		return t, e, v.in.Damagedf(damagedMAT, fmt.Sprintf("an element of type %d has %d bytes", t.kind, t.size))
	case total >= 0 && t.size/e.size != total:
		return t, e, v.in.Damagedf(damagedMAT, fmt.Sprintf("there are %d values for the dimensions %v", t.size/e.size, v.dims))
	}
	return t, e, nil
}

// isNumeric refuses variables that are no table of real numbers.
func (v *variable) isNumeric() error {
	switch {
	case v.class < matSparse || v.class > matLast:
		return v.in.Errorf(0, 0, "is no matrix of numbers; save numbers, or rename it if it is something else")
	case v.complex:
		return v.in.Errorf(0, 0, "has complex numbers; save real ones")
	}
	return nil
}

// array tells what the variable is like. A matrix of characters has a row for each text.
func (v *variable) array() array {
	a := array{shape: v.dims, numbers: v.isNumeric() == nil, words: v.class == matCell || v.class == matChar, long: v.class >= matLong}
	if v.class == matChar && len(v.dims) == 2 {
		a.shape = v.dims[:1]
	}
	return a
}

// shape is that of the values as NumPy has it.
func (v *variable) shape() npyHeader { return npyHeader{shape: v.dims, fortran: true} }

// points reads the points, whose further dimensions are flattened.
func (v *variable) points() (*points.Points, error) {
	if err := v.isNumeric(); err != nil {
		return nil, err
	}
	total, ok := elements(v.dims)
	if v.class == matSparse && len(v.dims) != 2 {
		return nil, v.in.Damagedf(damagedMAT, "a sparse matrix has other than two dimensions")
	}
	n, d := v.dims[0], v.dims[1]
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
		return nil, v.in.Errorf(0, 0, "is %s; save at least one row and one column", shapeText(v.dims))
	}
	values, err := v.stored(total)
	if err != nil {
		return nil, err
	}
	values.turn(v.shape(), v.shape().columns())
	return values.points(n, total/n), v.end()
}

// sparse reads the parts of a sparse matrix, stored by columns.
func (v *variable) sparse() (c compressed, err error) {
	for _, part := range []*[]float64{&c.minor, &c.start, &c.value} {
		if *part, _, _, err = v.numbers(-1); err != nil {
			return c, err
		}
		if k := len(c.start); k > 0 && v.logical {
			v.entries = int(min(c.start[k-1], math.MaxInt32))
		}
	}
	return c, nil
}

// labels reads one label for each row.
func (v *variable) labels(o Options) (*dataset.Labels, error) {
	labels := dataset.NewLabels(&v.in.Origin, false, o.rules())
	total, ok := elements(v.dims)
	if !ok {
		return nil, v.in.Damagedf(damagedMAT, fmt.Sprintf("the dimensions are %v", v.dims))
	}
	if v.class != matChar && total != max(v.dims[0], v.dims[1]) {
		return nil, v.in.Errorf(0, 0, "is of size %v; save one label for each row, such as [~, y] = max(y, [], 2) where it has a column for each class", v.dims)
	}
	switch v.class {
	case matChar:
		rows, err := v.text()
		if err != nil {
			return nil, err
		}
		for _, row := range rows {
			if err := labels.Add([]byte(strings.TrimRight(row, " \x00"))); err != nil {
				return nil, err
			}
		}
		return labels, v.end()
	case matCell:
		for i := range total {
			text, err := v.cell(i)
			if err != nil {
				return nil, err
			}
			if err := labels.Add([]byte(text)); err != nil {
				return nil, err
			}
		}
		return labels, v.end()
	case matSparse:
		return nil, v.in.Errorf(0, 0, "is sparse; save it as full(y)")
	}
	if err := v.isNumeric(); err != nil {
		return nil, v.in.Errorf(0, 0, "is no vector of real numbers, cell array of strings or char matrix; save y as one of these (strings as cellstr(y))")
	}
	values, e, _, err := v.numbers(total)
	if err != nil {
		return nil, err
	}
	if err := v.in.addNumbers(labels, e, values); err != nil {
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
		return "", v.in.Damagedf(damagedMAT, "a cell is no array")
	}
	if t.size == 0 {
		return "", nil
	}
	c := &variable{in: v.in.inner("", io.LimitReader(v.in, int64(t.size)), t.size, damagedMAT), order: v.order}
	if err := c.begin(); err != nil {
		return "", err
	}
	c.in.Part = fmt.Sprintf("%s, cell %d", v.in.Part, i+1)
	total, ok := elements(c.dims)
	switch {
	case ok && total == 0:
		_, err := io.Copy(io.Discard, c.in)
		return "", err
	case c.class != matChar || len(c.dims) != 2 || c.dims[0] != 1:
		return "", c.in.Errorf(0, 0, "is no string; save labels as numbers or as strings")
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
		return nil, v.in.Errorf(0, 0, "has %d dimensions; save one string for each row", len(v.dims))
	}
	before := v.in.Memory.Room()
	defer func() { v.in.Give(int(before - v.in.Memory.Room())) }()
	values, _, kind, err := v.numbers(-1)
	if err != nil {
		return nil, err
	}
	const character = 32 // bytes: runes, units, the text and its rows
	if err := v.in.Take(character*len(values), fmt.Sprintf("%d characters", len(values))); err != nil {
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
				return nil, v.in.Damagedf(damagedMAT, "a character has an impossible code")
			}
			units = append(units, uint16(c))
		}
	}
	total, ok := elements(v.dims)
	if ok && total > 0 && v.dims[0] == 1 { // the dimensions may count characters in place of units
		return []string{string(utf16.Decode(units))}, nil
	}
	if !ok || total != len(units) || total == 0 {
		return nil, v.in.Damagedf(damagedMAT, fmt.Sprintf("there are %d characters for the dimensions %v", len(units), v.dims))
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
