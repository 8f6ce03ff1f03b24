package export_test

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"

	"lapsvm/points"
)

// fields is a decoded protobuf message: integers, and bytes of strings and
// messages, by field number.
type fields struct {
	ints  map[int][]int64
	bytes map[int][][]byte
}

func parse(t *testing.T, b []byte) fields {
	t.Helper()
	f := fields{map[int][]int64{}, map[int][][]byte{}}
	// next takes what a reader of package protowire has read.
	next := func(n int) {
		t.Helper()
		if n < 0 {
			t.Fatalf("%v, %d bytes before the end", protowire.ParseError(n), len(b))
		}
		b = b[n:]
	}
	for len(b) > 0 {
		number, kind, n := protowire.ConsumeTag(b)
		next(n)
		field := int(number)
		switch kind {
		case protowire.VarintType:
			v, n := protowire.ConsumeVarint(b)
			next(n)
			f.ints[field] = append(f.ints[field], int64(v))
		case protowire.BytesType:
			v, n := protowire.ConsumeBytes(b)
			next(n)
			f.bytes[field] = append(f.bytes[field], v)
		case protowire.Fixed32Type: // the bits of a float32
			v, n := protowire.ConsumeFixed32(b)
			next(n)
			f.ints[field] = append(f.ints[field], int64(v))
		default:
			t.Fatalf("field %d has the wire type %d", field, kind)
		}
	}
	return f
}

func (f fields) text(field int) string { return string(f.bytes[field][0]) }

// tensor is a value of the graph: numbers, or texts.
type tensor struct {
	shape   []int
	numbers []float64
	texts   []string
}

// cols is the length of a row.
func (x tensor) cols() int {
	if len(x.shape) == 0 {
		return 1
	}
	return x.shape[len(x.shape)-1]
}

func (x tensor) rows() int { return len(x.numbers) / max(1, x.cols()) }

// model is a decoded file.
type model struct {
	nodes     []fields
	constants map[string]tensor
	declared  map[string]string // type and shape of inputs and outputs
	metadata  map[string]string
	operators int64
}

func decode(t *testing.T, file []byte) model {
	t.Helper()
	top := parse(t, file)
	g := parse(t, top.bytes[7][0])
	m := model{constants: map[string]tensor{}, declared: map[string]string{}, metadata: map[string]string{}}
	m.operators = parse(t, top.bytes[8][0]).ints[2][0]
	for _, b := range top.bytes[14] {
		entry := parse(t, b)
		m.metadata[entry.text(1)] = entry.text(2)
	}
	for _, b := range append(g.bytes[11], g.bytes[12]...) {
		value := parse(t, b)
		kind := parse(t, parse(t, value.bytes[2][0]).bytes[1][0])
		var shape []any
		for _, b := range parse(t, kind.bytes[2][0]).bytes[1] {
			if d := parse(t, b); len(d.bytes[2]) > 0 {
				shape = append(shape, d.text(2))
			} else {
				shape = append(shape, d.ints[1][0])
			}
		}
		m.declared[value.text(1)] = fmt.Sprintf("%d%v", kind.ints[1][0], shape)
	}
	for _, b := range g.bytes[5] {
		f := parse(t, b)
		var x tensor
		size := 1
		for _, n := range f.ints[1] {
			x.shape = append(x.shape, int(n))
			size *= int(n)
		}
		for _, text := range f.bytes[6] {
			x.texts = append(x.texts, string(text))
		}
		if len(f.bytes[9]) > 0 {
			for raw := f.bytes[9][0]; len(raw) > 0; {
				switch f.ints[2][0] {
				case 1:
					x.numbers, raw = append(x.numbers, float64(math.Float32frombits(binary.LittleEndian.Uint32(raw)))), raw[4:]
				case 7:
					x.numbers, raw = append(x.numbers, float64(int64(binary.LittleEndian.Uint64(raw)))), raw[8:]
				case 11:
					x.numbers, raw = append(x.numbers, math.Float64frombits(binary.LittleEndian.Uint64(raw))), raw[8:]
				}
			}
		}
		if len(x.numbers)+len(x.texts) != size {
			t.Fatalf("%s of the shape %v has %d values", f.text(8), x.shape, len(x.numbers)+len(x.texts))
		}
		m.constants[f.text(8)] = x
	}
	for _, b := range g.bytes[1] {
		m.nodes = append(m.nodes, parse(t, b))
	}
	return m
}

// run evaluates the graph as ONNX defines its operators, in float64.
func (m model) run(t *testing.T, p *points.Points) results {
	t.Helper()
	values := map[string]tensor{}
	for name, x := range m.constants {
		values[name] = x
	}
	in := make([]float64, p.Len()*p.Dim())
	for i := range p.Len() {
		p.CopyRow(in[i*p.Dim():(i+1)*p.Dim()], i)
	}
	values["points"] = tensor{shape: []int{p.Len(), p.Dim()}, numbers: in}
	for _, n := range m.nodes {
		var in []tensor
		for _, b := range n.bytes[1] {
			x, found := values[string(b)]
			if !found {
				t.Fatalf("%s reads %s before it is there", n.text(2), b)
			}
			in = append(in, x)
		}
		ints := map[string]int64{}
		alpha := float64(1)
		for _, b := range n.bytes[5] {
			a := parse(t, b)
			switch kind := a.ints[20][0]; kind {
			case 1:
				alpha = float64(math.Float32frombits(uint32(a.ints[2][0])))
			case 2:
				ints[a.text(1)] = a.ints[3][0]
			case 7:
				ints[a.text(1)] = a.ints[8][0]
			default:
				t.Fatalf("%s has an attribute of kind %d", n.text(2), kind)
			}
		}
		values[n.text(2)] = operate(t, n.text(4), in, ints, alpha)
	}
	return results{Label: values["label"].texts, Scores: values["scores"].numbers, Probabilities: values["probabilities"].numbers}
}

func operate(t *testing.T, operator string, in []tensor, ints map[string]int64, alpha float64) tensor {
	t.Helper()
	x := in[0]
	// by makes one value of two, whose second is the same shape, a row, a
	// column, or one number.
	by := func(f func(a, b float64) float64) tensor {
		y, out := in[1], tensor{shape: x.shape, numbers: make([]float64, len(x.numbers))}
		if len(x.shape) == 3 && x.shape[1] == 1 && len(y.shape) == 2 && y.cols() == x.cols() { // N×1×d and m×d
			out = tensor{shape: []int{x.shape[0], y.rows(), x.cols()}}
			for i := range x.rows() {
				for k, b := range y.numbers {
					out.numbers = append(out.numbers, f(x.numbers[i*x.cols()+k%x.cols()], b))
				}
			}
			return out
		}
		for k, a := range x.numbers {
			at := k
			switch {
			case len(y.numbers) == len(x.numbers):
			case len(y.numbers) == 1:
				at = 0
			case len(y.shape) == 1 && y.shape[0] == x.cols():
				at = k % x.cols()
			case len(y.shape) == 2 && y.shape[0] == x.rows() && y.shape[1] == 1:
				at = k / x.cols()
			default:
				t.Fatalf("%s of %v and %v", operator, x.shape, y.shape)
			}
			out.numbers[k] = f(a, y.numbers[at])
		}
		return out
	}
	each := func(f func(a float64) float64) tensor {
		out := tensor{shape: x.shape}
		for _, a := range x.numbers {
			out.numbers = append(out.numbers, f(a))
		}
		return out
	}
	// rows makes one value of every row.
	rows := func(f func(row []float64) float64) tensor {
		if ints["axes"] != 1 && ints["axis"] != 1 {
			t.Fatalf("%s along another axis than 1", operator)
		}
		out := tensor{shape: []int{x.rows(), 1}}
		if ints["keepdims"] == 0 {
			out.shape = out.shape[:1]
		}
		for i := range x.rows() {
			out.numbers = append(out.numbers, f(x.numbers[i*x.cols():(i+1)*x.cols()]))
		}
		return out
	}
	switch operator {
	case "Identity":
		return x
	case "Cast":
		if ints["to"] == 1 {
			return each(func(a float64) float64 { return float64(float32(a)) })
		}
		return x
	case "Abs":
		return each(math.Abs)
	case "Sqrt":
		return each(math.Sqrt)
	case "Exp":
		return each(math.Exp)
	case "Log":
		return each(math.Log)
	case "Add":
		return by(func(a, b float64) float64 { return a + b })
	case "Sub":
		return by(func(a, b float64) float64 { return a - b })
	case "Mul":
		return by(func(a, b float64) float64 { return a * b })
	case "Div":
		return by(func(a, b float64) float64 { return a / b })
	case "Min":
		return by(math.Min)
	case "Max":
		return by(math.Max)
	case "Greater":
		return by(func(a, b float64) float64 {
			if a > b {
				return 1
			}
			return 0
		})
	case "Neg":
		return each(func(a float64) float64 { return -a })
	case "Unsqueeze":
		if at := in[1].numbers; len(at) != 1 || at[0] != 1 || len(x.shape) != 2 {
			t.Fatalf("%v with axes inserted at %v", x.shape, at)
		}
		return tensor{shape: []int{x.shape[0], 1, x.shape[1]}, numbers: x.numbers}
	case "ReduceSum":
		if at := in[1].numbers; len(at) != 1 || at[0] != 2 || len(x.shape) != 3 || ints["keepdims"] != 0 {
			t.Fatalf("sums of %v along %v, kept %v", x.shape, at, ints["keepdims"])
		}
		out := tensor{shape: x.shape[:2]}
		for i := range x.rows() {
			sum := 0.0
			for _, v := range x.numbers[i*x.cols() : (i+1)*x.cols()] {
				sum += v
			}
			out.numbers = append(out.numbers, sum)
		}
		return out
	case "Concat":
		out := tensor{shape: []int{x.rows(), 0}}
		for _, part := range in {
			if ints["axis"] != 1 || part.rows() != x.rows() {
				t.Fatalf("%v beside %v along axis %d", part.shape, x.shape, ints["axis"])
			}
			out.shape[1] += part.cols()
		}
		for i := range x.rows() {
			for _, part := range in {
				out.numbers = append(out.numbers, part.numbers[i*part.cols():(i+1)*part.cols()]...)
			}
		}
		return out
	case "ReduceSumSquare":
		return rows(func(row []float64) (s float64) {
			for _, v := range row {
				s += v * v
			}
			return s
		})
	case "ReduceMax":
		return rows(func(row []float64) float64 {
			largest := math.Inf(-1)
			for _, v := range row {
				largest = max(largest, v)
			}
			return largest
		})
	case "ArgMax":
		return rows(func(row []float64) float64 {
			best := 0
			for c, v := range row {
				if v > row[best] {
					best = c
				}
			}
			return float64(best)
		})
	case "Softmax":
		out := tensor{shape: x.shape}
		for i := range x.rows() {
			row, sum := x.numbers[i*x.cols():(i+1)*x.cols()], 0.0
			largest := slices.Max(row)
			for _, v := range row {
				sum += math.Exp(v - largest)
			}
			for _, v := range row {
				out.numbers = append(out.numbers, math.Exp(v-largest)/sum)
			}
		}
		return out
	case "Reshape":
		if s := in[1].numbers; len(s) != 1 || s[0] != -1 {
			t.Fatalf("a reshape to %v", s)
		}
		return tensor{shape: []int{len(x.numbers)}, numbers: x.numbers}
	case "Gather":
		out := tensor{shape: in[1].shape}
		for _, k := range in[1].numbers {
			out.texts = append(out.texts, x.texts[int(k)])
		}
		return out
	case "MatMul", "Gemm":
		y := in[1]
		inner, cols := x.cols(), y.cols()
		at := func(k, c int) float64 { return y.numbers[k*cols+c] }
		if ints["transB"] == 1 {
			if cols != inner {
				t.Fatalf("%s of %v and the transpose of %v", operator, x.shape, y.shape)
			}
			cols = y.rows()
			at = func(k, c int) float64 { return y.numbers[c*inner+k] }
		} else if y.rows() != inner {
			t.Fatalf("%s of %v and %v", operator, x.shape, y.shape)
		}
		out := tensor{shape: []int{x.rows(), cols}}
		for i := range x.rows() {
			for c := range cols {
				s := 0.0
				for k := range inner {
					s += x.numbers[i*inner+k] * at(k, c)
				}
				s *= alpha
				if len(in) > 2 {
					s += in[2].numbers[c%len(in[2].numbers)]
				}
				out.numbers = append(out.numbers, s)
			}
		}
		return out
	}
	t.Fatalf("the graph uses the operator %s", operator)
	return tensor{}
}
