package export_test

import (
	"math"
	"slices"
	"testing"
)

// operation is a node with its inputs.
type operation struct {
	t        *testing.T
	operator string
	in       []tensor
	settings map[string][]int64
	words    []string
	alpha    float64
}

func (o operation) fatal(format string, arguments ...any) {
	o.t.Helper()
	o.t.Fatalf(o.operator+": "+format, arguments...)
}

// setting is an attribute of one integer.
func (o operation) setting(name string, otherwise int64) int {
	if v := o.settings[name]; len(v) == 1 {
		return int(v[0])
	}
	return int(otherwise)
}

// list is an input of integers.
func (o operation) list(k int) (all []int) {
	if o.in[k].element != integers {
		o.fatal("input %d is no list of integers", k)
	}
	for _, v := range o.in[k].numbers {
		all = append(all, int(v))
	}
	return all
}

// alike fails where inputs have different elements.
func (o operation) alike(in ...tensor) {
	o.t.Helper()
	for _, x := range in {
		if x.element != in[0].element || x.element != singles && x.element != doubles {
			o.fatal("inputs of the elements %d and %d", in[0].element, x.element)
		}
	}
}

func product(shape []int) int {
	size := 1
	for _, n := range shape {
		size *= n
	}
	return size
}

// each makes one value of each.
func each(x tensor, f func(a float64) float64) tensor {
	out := tensor{element: x.element, shape: x.shape}
	for _, a := range x.numbers {
		out.numbers = append(out.numbers, f(a))
	}
	return out
}

// both makes one value of two, where sides of 1 are as long as they have to be.
func (o operation) both(x, y tensor, f func(a, b float64) float64) tensor {
	o.t.Helper()
	rank := max(len(x.shape), len(y.shape))
	side := func(x tensor, axis int) int {
		if k := axis - rank + len(x.shape); k >= 0 {
			return x.shape[k]
		}
		return 1
	}
	out := tensor{element: x.element, shape: make([]int, rank)}
	for axis := range rank {
		a, b := side(x, axis), side(y, axis)
		if out.shape[axis] = max(a, b); a != b && min(a, b) != 1 {
			o.fatal("shapes %v and %v", x.shape, y.shape)
		}
	}
	at := func(x tensor, k int) float64 {
		if len(x.numbers) == 1 {
			return x.numbers[0]
		}
		place, step := 0, 1
		for axis := rank - 1; axis >= 0; axis-- {
			if n := side(x, axis); n > 1 {
				place += k % out.shape[axis] * step
				step *= n
			}
			k /= out.shape[axis]
		}
		return x.numbers[place]
	}
	for k := range product(out.shape) {
		out.numbers = append(out.numbers, f(at(x, k), at(y, k)))
	}
	return out
}

// along makes one value of every line along an axis.
func along(x tensor, axis int, keep bool, f func(line []float64) float64) tensor {
	outer, n, inner := product(x.shape[:axis]), x.shape[axis], product(x.shape[axis+1:])
	out := tensor{element: x.element, shape: slices.Concat(x.shape[:axis], x.shape[axis+1:])}
	if keep {
		out.shape = slices.Insert(out.shape, axis, 1)
	}
	line := make([]float64, n)
	for i := range outer {
		for k := range inner {
			for j := range n {
				line[j] = x.numbers[(i*n+j)*inner+k]
			}
			out.numbers = append(out.numbers, f(line))
		}
	}
	return out
}

// matrices multiplies x and y, of which one may be many matrices.
func (o operation) matrices(x, y tensor) tensor {
	o.t.Helper()
	rows, inner, cols := x.shape[len(x.shape)-2], x.shape[len(x.shape)-1], y.shape[len(y.shape)-1]
	if y.shape[len(y.shape)-2] != inner {
		o.fatal("shapes %v and %v", x.shape, y.shape)
	}
	numbered := func(t tensor, size int) tensor { // its matrices
		out := tensor{shape: t.shape[:len(t.shape)-2]}
		for k := range len(t.numbers) / size {
			out.numbers = append(out.numbers, float64(k))
		}
		return out
	}
	first, second := numbered(x, rows*inner), numbered(y, inner*cols)
	left := o.both(first, second, func(a, _ float64) float64 { return a })
	right := o.both(first, second, func(_, b float64) float64 { return b })
	out := tensor{element: x.element, shape: append(slices.Clone(left.shape), rows, cols)}
	out.numbers = make([]float64, product(out.shape))
	for k := range left.numbers {
		a, b := x.numbers[int(left.numbers[k])*rows*inner:], y.numbers[int(right.numbers[k])*inner*cols:]
		for i := range rows {
			sums := out.numbers[(k*rows+i)*cols : (k*rows+i+1)*cols]
			for j := range inner {
				for c := range sums {
					sums[c] += a[i*inner+j] * b[j*cols+c]
				}
			}
		}
	}
	return out
}

// transposed is x with its axes in another order.
func transposed(x tensor, axes []int64) tensor {
	out := tensor{element: x.element}
	steps := make([]int, len(axes))
	for k, axis := range axes {
		out.shape = append(out.shape, x.shape[axis])
		steps[k] = product(x.shape[axis+1:])
	}
	for k := range x.numbers {
		place := 0
		for axis := len(axes) - 1; axis >= 0; axis-- {
			place += k % out.shape[axis] * steps[axis]
			k /= out.shape[axis]
		}
		out.numbers = append(out.numbers, x.numbers[place])
	}
	return out
}

// ofOne and ofTwo are the operators of one and of two values, reductions those of a line.
var (
	ofOne = map[string]func(a float64) float64{
		"Identity": func(a float64) float64 { return a }, "Neg": func(a float64) float64 { return -a }, "Relu": func(a float64) float64 { return max(0, a) },
		"Abs": math.Abs, "Sin": math.Sin, "Cos": math.Cos, "Sqrt": math.Sqrt, "Exp": math.Exp, "Log": math.Log, "Atan": math.Atan,
		"Sigmoid": func(a float64) float64 { return 1 / (1 + math.Exp(-a)) },
	}
	ofTwo = map[string]func(a, b float64) float64{
		"Add": func(a, b float64) float64 { return a + b }, "Sub": func(a, b float64) float64 { return a - b },
		"Mul": func(a, b float64) float64 { return a * b }, "Div": func(a, b float64) float64 { return a / b },
		"Min": math.Min, "Max": math.Max, "Greater": func(a, b float64) float64 { return truth(a > b) }, "Equal": func(a, b float64) float64 { return truth(a == b) },
	}
	reductions = map[string]func(line []float64) float64{
		"ReduceSum":       sum,
		"ReduceMean":      func(line []float64) float64 { return sum(line) / float64(len(line)) },
		"ReduceMax":       func(line []float64) float64 { return slices.Max(append(line, math.Inf(-1))) },
		"ReduceSumSquare": func(line []float64) float64 { return dot(line, line) },
		"ArgMax":          func(line []float64) float64 { return float64(slices.Index(line, slices.Max(line))) },
	}
)

func truth(is bool) float64 {
	if is {
		return 1
	}
	return 0
}

func sum(line []float64) (s float64) {
	for _, v := range line {
		s += v
	}
	return s
}

func dot(a, b []float64) (s float64) {
	for k, v := range a {
		s += v * b[k]
	}
	return s
}

func (o operation) run() tensor {
	o.t.Helper()
	x := o.in[0]
	if f := ofOne[o.operator]; f != nil {
		return each(x, f)
	}
	if f := ofTwo[o.operator]; f != nil {
		if o.operator != "Equal" || x.element != integers || o.in[1].element != integers {
			o.alike(x, o.in[1])
		}
		out := o.both(x, o.in[1], f)
		if o.operator == "Greater" || o.operator == "Equal" {
			out.element = booleans
		}
		return out
	}
	if f := reductions[o.operator]; f != nil {
		axis := o.setting("axes", int64(o.setting("axis", 0)))
		if len(o.in) > 1 {
			axis = o.list(1)[0]
		}
		out := along(x, axis, o.setting("keepdims", 1) == 1, f)
		if o.operator == "ArgMax" {
			out.element = integers
		}
		return out
	}
	switch o.operator {
	case "Cast":
		out := each(x, func(a float64) float64 { return a })
		if out.element = o.settings["to"][0]; out.element == singles {
			out = each(out, func(a float64) float64 { return float64(float32(a)) })
		}
		return out
	case "IsNaN":
		o.alike(x)
		out := each(x, func(a float64) float64 { return truth(math.IsNaN(a)) })
		out.element = booleans
		return out
	case "LabelEncoder":
		values := o.settings["values_int64s"]
		if x.element != texts || len(o.words) != len(values) {
			o.fatal("of elements %d, %d words to %d values", x.element, len(o.words), len(values))
		}
		out := tensor{element: integers, shape: x.shape}
		for _, word := range x.texts {
			value := o.settings["default_int64"][0]
			if k := slices.Index(o.words, word); k >= 0 {
				value = values[k]
			}
			out.numbers = append(out.numbers, float64(value))
		}
		return out
	case "Clip":
		o.alike(o.in...)
		return each(x, func(a float64) float64 { return min(max(a, o.in[1].numbers[0]), o.in[2].numbers[0]) })
	case "Where":
		o.alike(o.in[1], o.in[2])
		if x.element != booleans {
			o.fatal("of elements %d", x.element)
		}
		out := o.both(x, o.in[1], func(is, a float64) float64 {
			if is == 0 {
				return math.NaN()
			}
			return a
		})
		out.element = o.in[1].element
		return o.both(out, o.in[2], func(a, b float64) float64 {
			if math.IsNaN(a) {
				return b
			}
			return a
		})
	case "Unsqueeze":
		return tensor{element: x.element, shape: slices.Insert(slices.Clone(x.shape), o.list(1)[0], 1), numbers: x.numbers}
	case "Reshape":
		shape := o.list(1)
		if k := slices.Index(shape, -1); k >= 0 {
			shape[k] = -len(x.numbers) / product(shape)
		}
		if product(shape) != len(x.numbers) {
			o.fatal("%v to %v", x.shape, shape)
		}
		return tensor{element: x.element, shape: shape, numbers: x.numbers}
	case "Transpose":
		return transposed(x, o.settings["perm"])
	case "Slice":
		from, to, axis := o.list(1)[0], o.list(2)[0], o.list(3)[0]
		var places []float64
		for k := from; k < to; k++ {
			places = append(places, float64(k))
		}
		return gathered(x, tensor{element: integers, shape: []int{to - from}, numbers: places}, axis)
	case "Gather":
		o.list(1)
		return gathered(x, o.in[1], o.setting("axis", 0))
	case "GatherElements":
		axis, index := o.setting("axis", 0), o.in[1]
		if index.shape[axis] != 1 {
			o.fatal("of %v", index.shape)
		}
		out := tensor{element: x.element, shape: index.shape}
		inner := product(x.shape[axis+1:])
		for k, place := range o.list(1) {
			out.numbers = append(out.numbers, x.numbers[(k/inner*x.shape[axis]+place)*inner+k%inner])
		}
		return out
	case "TopK":
		axis, count, n := o.setting("axis", -1), o.list(1)[0], 0
		if n = len(x.shape) - 1; axis != n || o.setting("largest", 1) != 0 {
			o.fatal("of %v", x.shape)
		}
		out := tensor{element: x.element, shape: append(slices.Clone(x.shape[:n]), count)}
		for line := range slices.Chunk(slices.Clone(x.numbers), x.shape[n]) {
			slices.Sort(line)
			out.numbers = append(out.numbers, line[:count]...)
		}
		return out
	case "Concat":
		if x.element != integers {
			o.alike(o.in...)
		}
		axis := o.setting("axis", 0)
		out := tensor{element: x.element, shape: slices.Clone(x.shape)}
		out.shape[axis] = 0
		for _, part := range o.in {
			out.shape[axis] += part.shape[axis]
		}
		for i := range product(x.shape[:axis]) {
			for _, part := range o.in {
				n := product(part.shape[axis:])
				out.numbers = append(out.numbers, part.numbers[i*n:(i+1)*n]...)
			}
		}
		return out
	case "Softmax":
		if o.setting("axis", -1) != 1 || len(x.shape) != 2 {
			o.fatal("of %v", x.shape)
		}
		largest := along(x, 1, true, slices.Max[[]float64])
		exponentials := each(o.both(x, largest, ofTwo["Sub"]), math.Exp)
		return o.both(exponentials, along(exponentials, 1, true, sum), ofTwo["Div"])
	case "MatMul":
		o.alike(o.in...)
		return o.matrices(x, o.in[1])
	case "Gemm":
		o.alike(o.in...)
		y := o.in[1]
		if o.setting("transB", 0) == 1 {
			y = transposed(y, []int64{1, 0})
		}
		out := each(o.matrices(x, y), func(a float64) float64 { return o.alpha * a })
		if len(o.in) > 2 {
			out = o.both(out, o.in[2], ofTwo["Add"])
		}
		return out
	}
	o.fatal("an operator that the tests do not know")
	return tensor{}
}

// gathered takes the given places along an axis.
func gathered(x, places tensor, axis int) tensor {
	out := tensor{element: x.element, shape: slices.Concat(x.shape[:axis], places.shape, x.shape[axis+1:])}
	inner := product(x.shape[axis+1:])
	for i := range product(x.shape[:axis]) {
		for _, place := range places.numbers {
			from := (i*x.shape[axis] + int(place)) * inner
			if x.element == texts {
				out.texts = append(out.texts, x.texts[from:from+inner]...)
			} else {
				out.numbers = append(out.numbers, x.numbers[from:from+inner]...)
			}
		}
	}
	return out
}
