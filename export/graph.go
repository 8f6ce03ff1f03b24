package export

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"lapsvm/internal/numbers/vec"
	"lapsvm/internal/points/gram"
	"lapsvm/internal/system/fault"
)

// The versions that the files need: those of ONNX 1.8 (2020).
const (
	irVersion   = 7
	operatorSet = 13

	learnedOperators   = "ai.onnx.ml" // of what others call classical machine learning
	learnedOperatorSet = 2
)

// Element types of ONNX tensors.
const (
	elementFloat  = 1
	elementInt64  = 7
	elementString = 8
	elementDouble = 11
)

// graph is an ONNX graph under construction. Its numbers are float64 but for its
// input and outputs, which have the precision, and for the descriptions of
// pictures, which are float32. It keeps the first error.
type graph struct {
	precision gram.Precision
	body      message // GraphProto
	err       error
	defined   map[string]bool
	prefixes  []string // of the names of the scopes, the inmost last
	outputs   map[string]bool
	prefix    string // of all values but inputs and outputs, where the inputs are the columns of a table
	learned   bool   // there are operators of ai.onnx.ml
}

// scope has the names of all values that are added begin with a prefix, until the function that it
// returns is called. A name without the prefix then means the value of the inmost scope that has it.
func (g *graph) scope(prefix string) (end func()) {
	if n := len(g.prefixes); n > 0 {
		prefix = g.prefixes[n-1] + prefix
	}
	g.prefixes = append(g.prefixes, prefix)
	return func() { g.prefixes = g.prefixes[:len(g.prefixes)-1] }
}

// name returns the whole name of a value.
func (g *graph) name(short string) string {
	for _, prefix := range slices.Backward(g.prefixes) {
		if g.defined[prefix+short] {
			return prefix + short
		}
	}
	return short
}

// define returns the whole name of a value to be added. Outputs have no prefix.
func (g *graph) define(short string) string {
	if n := len(g.prefixes); n > 1 || n == 1 && !g.outputs[short] {
		short = g.prefixes[n-1] + short
	}
	g.defined[short] = true
	return short
}

// element is the type of input and outputs.
func (g *graph) element() int64 {
	if g.precision == gram.Double {
		return elementDouble
	}
	return elementFloat
}

// wide names the float64 values behind an input or output.
func (g *graph) wide(name string) string {
	if g.precision == gram.Double {
		return name
	}
	return "wide_" + name
}

// cast adds out, the values of in as numbers of another type, where the two are
// not the same.
func (g *graph) cast(out, in string, element int) {
	if out != in {
		g.node(out, "Cast", []string{in}, attribute{"to", element})
	}
}

// attribute is a setting of a node: an int, a float32, []int64 or []string.
type attribute struct {
	name  string
	value any
}

// node adds an operation whose first output names the node too.
func (g *graph) node(output, operator string, inputs []string, attributes ...attribute) {
	var m message
	for _, input := range inputs {
		m.string(1, g.name(input))
	}
	output = g.define(output)
	m.string(2, output)
	if operator == "TopK" { // has a second one
		m.string(2, g.define(output+"_places"))
	}
	m.string(3, output)
	m.string(4, operator)
	if operator == "LabelEncoder" {
		m.string(7, learnedOperators)
	}
	for _, a := range attributes {
		var am message
		am.string(1, a.name)
		switch v := a.value.(type) {
		case int:
			am.int(3, int64(v))
			am.int(20, 2)
		case float32:
			am.float(2, v)
			am.int(20, 1)
		case []int64:
			for _, i := range v {
				am.int(8, i)
			}
			am.int(20, 7)
		case []string:
			for _, s := range v {
				am.string(9, s)
			}
			am.int(20, 8)
		default:
			panic(fmt.Sprintf("export: an attribute %T", v))
		}
		m.message(5, &am)
	}
	g.body.message(1, &m)
}

// tensor adds a constant of the given shape; content adds its values.
func (g *graph) tensor(name string, element int64, shape []int64, content func(m *message)) {
	var m message
	for _, n := range shape {
		m.int(1, n)
	}
	m.int(2, element)
	m.string(8, g.define(name))
	content(&m)
	g.body.message(5, &m)
}

// numbers adds a constant, row after row; without a shape a scalar.
func (g *graph) numbers(name string, shape []int64, values ...float64) {
	g.tensor(name, elementDouble, shape, func(m *message) { m.bytes(9, g.encode(nil, values)) })
}

// rows adds a matrix of n rows of length d; row writes the i-th.
func (g *graph) rows(name string, n, d int, row func(dst []float64, i int)) {
	b, values := make([]byte, 0, n*d*8), make([]float64, d)
	for i := range n {
		row(values, i)
		b = g.encode(b, values)
	}
	g.tensor(name, elementDouble, []int64{int64(n), int64(d)}, func(m *message) { m.bytes(9, b) })
}

// encode appends values. It takes down one that is not finite.
func (g *graph) encode(b []byte, values []float64) []byte {
	for _, v := range values {
		if g.err == nil && (math.IsInf(v, 0) || math.IsNaN(v)) {
			g.err = fault.Errorf("a value of the graph becomes %v: standardise the data and train anew", v)
		}
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
	}
	return b
}

// integers adds a row of integers.
func (g *graph) integers(name string, values ...int64) { g.places(name, values, len(values)) }

// places adds a constant of integers, row after row.
func (g *graph) places(name string, values []int64, shape ...int) {
	b := make([]byte, 0, 8*len(values))
	for _, v := range values {
		b = binary.LittleEndian.AppendUint64(b, uint64(v))
	}
	g.tensor(name, elementInt64, sizes(shape), func(m *message) { m.bytes(9, b) })
}

// singles adds a constant of float32, row after row; without a shape a scalar.
func (g *graph) singles(name string, values []float32, shape ...int) {
	b := make([]byte, 0, 4*len(values))
	for _, v := range values {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(v))
	}
	g.tensor(name, elementFloat, sizes(shape), func(m *message) { m.bytes(9, b) })
}

// single adds a scalar of float32.
func (g *graph) single(name string, v float32) { g.singles(name, []float32{v}) }

// transposed adds the transpose of a matrix of float32.
func (g *graph) transposed(name string, values []float32, rows, cols int) {
	t := make([]float32, len(values))
	vec.Transpose(rows, cols, values, cols, t, rows)
	g.singles(name, t, cols, rows)
}

func sizes(shape []int) []int64 {
	all := make([]int64, len(shape))
	for k, n := range shape {
		all[k] = int64(n)
	}
	return all
}

// reshape adds out, x with the given shape of each point, and returns its name.
func (g *graph) reshape(out, x string, shape ...int) string {
	g.integers(out+"_shape", append([]int64{-1}, sizes(shape)...)...)
	g.node(out, "Reshape", []string{x, out + "_shape"})
	return g.name(out)
}

func (g *graph) texts(name string, values []string) {
	g.tensor(name, elementString, []int64{int64(len(values))}, func(m *message) {
		for _, v := range values {
			m.string(6, v)
		}
	})
}

// inout declares an input (field 11) or output (12) of a shape; −1 is the
// number of points, N.
func (g *graph) inout(field int, name string, element int64, shape ...int64) {
	var dimensions, tensor, kind, value message
	for _, n := range shape {
		var dimension message
		if n < 0 {
			dimension.string(2, "N")
		} else {
			dimension.int(1, n)
		}
		dimensions.message(1, &dimension)
	}
	tensor.int(1, element)
	tensor.message(2, &dimensions)
	kind.message(1, &tensor)
	value.string(1, name)
	value.message(2, &kind)
	g.outputs[name] = field == 12
	g.body.message(field, &value)
}
