package server

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"lapsvm/dataset"
	"lapsvm/internal/system/fault"
)

// inputTensor is a tensor of a request.
type inputTensor struct {
	Name       string          `json:"name"`
	Shape      []int64         `json:"shape" doc:"the first number is that of the rows"`
	Datatype   string          `json:"datatype" enum:"BOOL,UINT8,UINT16,UINT32,UINT64,INT8,INT16,INT32,INT64,FP16,BF16,FP32,FP64,BYTES"`
	Parameters tensorSize      `json:"parameters,omitzero"`
	Data       json.RawMessage `json:"data,omitempty" doc:"the elements in row-major order, flat or nested as the shape is; absent where binary_data_size is given"`

	at     int    // bytes of the body before Data
	binary []byte // what binary_data_size announces
}

// tensorSize has what a tensor takes in the binary part of a body.
type tensorSize struct {
	Size *int64 `json:"binary_data_size,omitempty" doc:"bytes of the tensor in the binary part of the body"`
}

// sizes are the bytes of an element in binary.
func elementSize(datatype string) int {
	switch datatype {
	case "BOOL", "UINT8", "INT8":
		return 1
	case "UINT16", "INT16", "FP16", "BF16":
		return 2
	case "UINT32", "INT32", "FP32":
		return 4
	case "UINT64", "INT64", "FP64":
		return 8
	}
	return 0 // BYTES, or unknown
}

// count returns the number of elements of the shape. It fails for more than rows·width
// elements.
func (t *inputTensor) count(rows, width int) (int, error) {
	limit := math.MaxInt
	if rows <= limit/max(width, 1) {
		limit = rows * width
	}
	if len(t.Shape) == 0 {
		return 0, bad("input %q has no shape: give one such as [1, 4], rows first", t.Name)
	}
	n := 1
	for _, side := range t.Shape {
		if side < 1 {
			return 0, bad("input %q has the shape %v: every side must be 1 or more", t.Name, t.Shape)
		}
		if side > int64(limit/n) {
			return 0, problemf(413, "input %q has the shape %v, of more than %d elements: send fewer rows at a time", t.Name, t.Shape, limit)
		}
		n *= int(side)
	}
	return n, nil
}

// numbers returns the elements, which must be n, and are counted as held.
func (t *inputTensor) numbers(n int, h *reservation) ([]float64, error) {
	size := elementSize(t.Datatype)
	switch {
	case t.Datatype == "BYTES":
		return nil, badly(fault.Columns, "input %q is text (BYTES), the model takes numbers: send FP64, FP32 or integers", t.Name)
	case size == 0:
		return nil, t.unknown()
	case t.binary != nil:
		if len(t.binary) != n*size {
			return nil, t.wrongSize(n, size)
		}
		if err := h.take(8 * int64(n)); err != nil {
			return nil, err
		}
		values := make([]float64, n)
		for k := range values {
			values[k] = element(t.Datatype, t.binary[k*size:])
		}
		return values, nil
	}
	room := min(n, len(t.Data)/2+1)
	if err := h.take(8 * int64(room)); err != nil {
		return nil, err
	}
	values := make([]float64, 0, room)
	err := t.each(n, func(e token) error {
		v, err := t.number(e)
		values = append(values, v)
		return err
	})
	return values, err
}

// replaced is the most bytes that a byte of a text takes. A byte that is no UTF-8 becomes a
// character of three bytes, and what holds a growing text has up to a quarter more.
const replaced = 4

// fields returns the elements as the fields of a table, which must be n, and are counted as
// held. null, an empty text and NaN are missing values.
func (t *inputTensor) fields(n int, h *reservation) ([][]byte, error) {
	const field = 24 + 32 // bytes of a slice, and of a number's text
	size := elementSize(t.Datatype)
	room := min(n, max(len(t.Data), len(t.binary))+1)
	texts := int64(len(t.Data))
	if !utf8.Valid(t.Data) {
		texts *= replaced
	}
	if err := h.take(field*int64(room) + texts); err != nil {
		return nil, err
	}
	all := make([][]byte, 0, room)
	switch {
	case size == 0 && t.Datatype != "BYTES":
		return nil, t.unknown()
	case t.binary != nil && size > 0:
		if len(t.binary) != n*size {
			return nil, t.wrongSize(n, size)
		}
		for k := range n {
			all = append(all, fieldOf(t.Datatype, t.binary[k*size:]))
		}
		return all, nil
	case t.binary != nil:
		var err error
		if all, err = t.texts(n); err != nil {
			return nil, err
		}
	default:
		if err := t.each(n, func(e token) error {
			text, err := t.field(e)
			all = append(all, text)
			return err
		}); err != nil {
			return nil, err
		}
	}
	for k, text := range all {
		if !utf8.Valid(text) {
			return nil, bad("element %d of input %q is not UTF-8", k+1, t.Name)
		}
	}
	return all, nil
}

// texts returns the elements of BYTES in binary, which must be n.
func (t *inputTensor) texts(n int) ([][]byte, error) {
	var all [][]byte
	rest := t.binary
	for len(all) < n {
		if len(rest) < 4 || uint64(len(rest)-4) < uint64(binary.LittleEndian.Uint32(rest)) {
			return nil, bad("input %q ends within element %d of %d: an element is its length in 4 bytes, little-endian, and then its bytes", t.Name, len(all)+1, n)
		}
		end := 4 + int(binary.LittleEndian.Uint32(rest))
		all = append(all, rest[4:end])
		rest = rest[end:]
	}
	if len(rest) > 0 {
		return nil, bad("input %q has %d bytes after its %d elements: give binary_data_size and shape as the elements have them", t.Name, len(rest), n)
	}
	return all, nil
}

// column returns the elements as the fields of a column of a table, of at most so many rows. The
// numbers of vectors are a matrix, and their texts are as those of other columns.
func (t *inputTensor) column(c *dataset.Column, rows int, h *reservation) ([][]byte, error) {
	width, listed := 1, len(c.Mean) > 0 && t.Datatype != "BYTES"
	if listed {
		width = len(c.Mean)
	}
	n, err := t.count(rows, width)
	switch {
	case err != nil:
		return nil, err
	case listed && (len(t.Shape) != 2 || t.Shape[1] != int64(width)):
		return nil, bad("input %q has the shape %v, a vector has [rows, %d], or [rows] of texts (BYTES)", t.Name, t.Shape, width)
	case !listed && (len(t.Shape) > 2 || n != int(t.Shape[0])):
		return nil, bad("input %q has the shape %v, a column has [rows] or [rows, 1]", t.Name, t.Shape)
	}
	fields, err := t.fields(n, h)
	if err != nil || !listed {
		return fields, err
	}
	lists := make([][]byte, 0, n/width)
	for row := range slices.Chunk(fields, width) {
		list := slices.Concat([]byte{'['}, bytes.Join(row, []byte{','}), []byte{']'})
		if len(list) == len("[]")+width-1 {
			list = nil // all of them are missing
		}
		if err := h.take(int64(len(list))); err != nil {
			return nil, err
		}
		lists = append(lists, list)
	}
	return lists, nil
}

func (t *inputTensor) unknown() error {
	return bad("input %q has the unknown datatype %q: give FP64, FP32, BOOL, BYTES, or an integer type such as INT64 or UINT8", t.Name, t.Datatype)
}

func (t *inputTensor) wrongSize(n, size int) error {
	return bad("input %q has %d bytes, but %d elements of %s take %d: give binary_data_size and shape alike", t.Name, len(t.binary), n, t.Datatype, n*size)
}

// element is the first element of some bytes, as a number.
func element(datatype string, b []byte) float64 {
	le := binary.LittleEndian
	switch datatype {
	case "BOOL":
		if b[0] != 0 {
			return 1
		}
		return 0
	case "UINT8":
		return float64(b[0])
	case "INT8":
		return float64(int8(b[0]))
	case "UINT16":
		return float64(le.Uint16(b))
	case "INT16":
		return float64(int16(le.Uint16(b)))
	case "UINT32":
		return float64(le.Uint32(b))
	case "INT32":
		return float64(int32(le.Uint32(b)))
	case "UINT64":
		return float64(le.Uint64(b))
	case "INT64":
		return float64(int64(le.Uint64(b)))
	case "FP16":
		return half(le.Uint16(b))
	case "BF16":
		return float64(math.Float32frombits(uint32(le.Uint16(b)) << 16))
	case "FP32":
		return float64(math.Float32frombits(le.Uint32(b)))
	}
	return math.Float64frombits(le.Uint64(b))
}

// half is a number of IEEE 754 in 16 bits.
func half(bits uint16) float64 {
	sign := 1.0
	if bits>>15 != 0 {
		sign = -1
	}
	fraction := float64(bits & 0x3ff)
	switch exponent := int(bits>>10) & 0x1f; {
	case exponent == 0x1f && fraction != 0:
		return math.NaN()
	case exponent == 0x1f:
		return math.Inf(int(sign))
	case exponent == 0:
		return sign * math.Ldexp(fraction, -24)
	default:
		return sign * math.Ldexp(1024+fraction, exponent-25)
	}
}

// fieldOf is the first element of some bytes, as a field of a table, of which the same
// number is read.
func fieldOf(datatype string, b []byte) []byte {
	switch datatype {
	case "BOOL":
		return strconv.AppendBool(nil, b[0] != 0)
	case "UINT64":
		return strconv.AppendUint(nil, binary.LittleEndian.Uint64(b), 10)
	case "INT64":
		return strconv.AppendInt(nil, int64(binary.LittleEndian.Uint64(b)), 10)
	}
	v := element(datatype, b)
	if math.IsNaN(v) {
		return nil
	}
	return strconv.AppendFloat(nil, v, 'g', -1, 64)
}

// number is an element of JSON as a number of the datatype.
func (t *inputTensor) number(e token) (float64, error) {
	text := e.text
	if t.Datatype == "FP64" && e.exact { // as most are
		if v, err := e.float(64); err == nil {
			return v, nil
		}
	}
	wrong := func() (float64, error) {
		return 0, badly(fault.Value, "input %q: %s is no %s; send numbers, or another datatype", t.Name, shown(text), t.Datatype)
	}
	if t.Datatype == "BOOL" {
		switch string(text) {
		case "true", "1":
			return 1, nil
		case "false", "0":
			return 0, nil
		}
		return wrong()
	}
	if len(text) == 0 || text[0] != '-' && !isDigit(text[0]) {
		return wrong()
	}
	bits := 8 * elementSize(t.Datatype)
	switch t.Datatype {
	case "FP16", "BF16":
		return 0, bad("input %q is %s, which JSON cannot hold: send FP32 or FP64, or send binary data", t.Name, t.Datatype)
	case "FP32", "FP64":
		v, err := e.float(bits)
		if err != nil {
			return 0, badly(fault.Value, "input %q: %s is beyond the range of %s: scale the data, or drop the row", t.Name, shown(text), t.Datatype)
		}
		return v, nil
	case "INT8", "INT16", "INT32", "INT64":
		v, err := strconv.ParseInt(string(text), 10, bits)
		if err != nil {
			return wrong()
		}
		return float64(v), nil
	}
	v, err := strconv.ParseUint(string(text), 10, bits)
	if err != nil {
		return wrong()
	}
	return float64(v), nil
}

// field is an element of JSON as a field of a table.
func (t *inputTensor) field(e token) ([]byte, error) {
	text := e.text
	switch {
	case string(text) == "null":
		return nil, nil
	case t.Datatype == "BYTES":
		if len(text) == 0 || text[0] != '"' {
			return nil, bad("input %q: %s is no text, but BYTES are texts: put it into quotes, or send another datatype", t.Name, shown(text))
		}
		if words := text[1 : len(text)-1]; bytes.IndexByte(words, '\\') < 0 && utf8.Valid(words) {
			return words, nil
		}
		words, _ := jsontext.AppendUnquote(nil, text) // what is no UTF-8 is replaced
		return words, nil
	case t.Datatype == "BOOL":
		v, err := t.number(e)
		return strconv.AppendBool(nil, v != 0), err
	}
	v, err := t.number(e)
	if err == nil && t.Datatype == "FP32" {
		return strconv.AppendFloat(nil, v, 'g', -1, 64), nil
	}
	return text, err // with the digits that it has
}

// shown is a token for people, cut where it is long.
func shown(token []byte) string {
	const longest = 40
	if len(token) > longest {
		return string(bytes.ToValidUTF8(token[:longest], nil)) + "…"
	}
	return string(token)
}
