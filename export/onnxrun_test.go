package export_test

import (
	"encoding/binary"
	"fmt"
	"maps"
	"math"
	"strings"
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
	element int64 // type of the values, as ONNX numbers them
	shape   []int
	numbers []float64
	texts   []string
}

// The elements that the graphs have.
const (
	singles  = 1
	integers = 7
	texts    = 8
	booleans = 9
	doubles  = 11
)

// model is a decoded file.
type model struct {
	nodes     []fields
	constants map[string]tensor
	declared  map[string]string // type and shape of inputs and outputs
	metadata  map[string]string
	inputs    []string
	operators map[string]int64 // versions by domain
}

func decode(t *testing.T, file []byte) model {
	t.Helper()
	top := parse(t, file)
	g := parse(t, top.bytes[7][0])
	m := model{constants: map[string]tensor{}, declared: map[string]string{}, metadata: map[string]string{}, operators: map[string]int64{}}
	for _, b := range top.bytes[8] {
		set := parse(t, b)
		m.operators[set.text(1)] = set.ints[2][0]
	}
	for _, b := range top.bytes[14] {
		entry := parse(t, b)
		m.metadata[entry.text(1)] = entry.text(2)
	}
	for k, b := range append(g.bytes[11], g.bytes[12]...) {
		value := parse(t, b)
		if m.declared[value.text(1)] != "" {
			t.Fatalf("%q is declared twice", value.text(1))
		}
		if k < len(g.bytes[11]) {
			m.inputs = append(m.inputs, value.text(1))
		}
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
		x := tensor{element: f.ints[2][0]}
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
				switch x.element {
				case singles:
					x.numbers, raw = append(x.numbers, float64(math.Float32frombits(binary.LittleEndian.Uint32(raw)))), raw[4:]
				case integers:
					x.numbers, raw = append(x.numbers, float64(int64(binary.LittleEndian.Uint64(raw)))), raw[8:]
				case doubles:
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

// run evaluates the graph at points.
func (m model) run(t *testing.T, p *points.Points) results {
	t.Helper()
	rows := make([]float64, p.Len()*p.Dim())
	for i := range p.Len() {
		p.CopyRow(rows[i*p.Dim():(i+1)*p.Dim()], i)
	}
	var element int64
	if _, err := fmt.Sscanf(m.declared["points"], "%d", &element); err != nil {
		t.Fatal(err)
	}
	return m.runOn(t, map[string]tensor{"points": {element, []int{p.Len(), p.Dim()}, rows, nil}})
}

// runOn evaluates the graph as ONNX defines its operators, in float64 but for casts to float32.
func (m model) runOn(t *testing.T, inputs map[string]tensor) results {
	t.Helper()
	values := maps.Clone(m.constants)
	for name, x := range inputs {
		if _, found := values[name]; found {
			t.Fatalf("two values are called %q", name)
		}
		values[name] = x
	}
	for _, n := range m.nodes {
		o := operation{t: t, operator: n.text(4), settings: map[string][]int64{}, alpha: 1}
		domain := ""
		if len(n.bytes[7]) > 0 {
			domain = n.text(7)
		}
		if m.operators[domain] == 0 || (domain == "ai.onnx.ml") != (o.operator == "LabelEncoder") {
			t.Fatalf("%s is of the domain %q, and the file has %v", o.operator, domain, m.operators)
		}
		for _, b := range n.bytes[1] {
			x, found := values[string(b)]
			if !found {
				t.Fatalf("%s reads %s before it is there", n.text(2), b)
			}
			o.in = append(o.in, x)
		}
		for _, b := range n.bytes[5] {
			a := parse(t, b)
			switch kind := a.ints[20][0]; kind {
			case 1:
				o.alpha = float64(math.Float32frombits(uint32(a.ints[2][0])))
			case 2:
				o.settings[a.text(1)] = a.ints[3]
			case 7:
				o.settings[a.text(1)] = a.ints[8]
			case 8:
				for _, word := range a.bytes[9] {
					o.words = append(o.words, string(word))
				}
			default:
				t.Fatalf("%s has an attribute of kind %d", n.text(2), kind)
			}
		}
		if _, found := values[n.text(2)]; found {
			t.Fatalf("two values are called %s", n.text(2))
		}
		values[n.text(2)] = o.run()
	}
	for name, declared := range m.declared {
		if got := values[name]; !strings.HasPrefix(declared, fmt.Sprintf("%d[", got.element)) {
			t.Errorf("%s is declared %s and has elements %d", name, declared, got.element)
		}
	}
	scores := values["scores"].numbers
	if scores == nil {
		scores = values["value"].numbers // of a regression
	}
	return results{Label: values["label"].texts, Labels: values["labels"].numbers, Scores: scores, Probabilities: values["probabilities"].numbers}
}
