package export

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"

	"lapsvm/internal/machines/modelfile"
	"lapsvm/internal/points/gram"
	"lapsvm/kernel"
	"lapsvm/points"
)

// ONNX writes a model as an ONNX graph of standard operators (ai.onnx 13),
// which onnxruntime and others run. It has one input,
//
//	points         [N, d]  raw features: the model's description and standardisation are inside
//
// and the outputs
//
//	scores         [N, M]  f_c(x), M = 1 for two classes and for one, else a column per class
//	label          [N]     class names; "" outside a one-class model's class
//	probabilities  [N, C]  where the model is calibrated
//
// A regression has the one output value [N, 1]. Where a point may have several classes, M is C, and in place of label there is
//
//	labels         [N, C]  int64: 1 where a point has a class, else 0
//
// whose columns the metadata entry classes names, a JSON list.
//
// The precision is that of the input and the outputs. The graph computes in float64, so scores
// differ from the exact scores of the given points by less than 1e-11·S, mostly by less than
// 1e-14·S, with S = Σ_j |α_cj·k(b_j, x)| + |b_c|. Labels are decided before scores are rounded.
// So float32 loses accuracy in the points alone, where raw values are large beside their
// differences. [Rounding] is the measurement of that loss. With precision 0, the default, the
// graph takes float32 where the measurement changes no label, else float64. With Single ONNX
// fails where a label changes. The result has the precision taken and the measurement.
//
// The description of pictures is float32 in the graph, as in predictions: decision values differ from
// those of the program by some 1e-5 of the largest. Where the gradients of two colours are equally
// large, rounding decides which counts. The graph holds 0.4 MB for a picture of 28×28 that is described by patches. The
// description of texts is float64, of dense points.
//
// With a Gaussian or Laplacian kernel the graph moves points to the mean of the basis, and with a
// polynomial kernel it scales kernel values by the largest of the basis, so that values neither
// cancel nor overflow. N is free. The graph holds N×basis kernel values at a time. With a
// Laplacian kernel, or a Gaussian far narrower than the basis is wide, it also holds N×16,384
// differences of coordinates, or N×d if that is more.
//
// ONNX fails for a model with a Local, for more than 2 GiB, for a kernel of the program's own or a
// description that it does not know, and when ctx is done. A sparse basis becomes dense. Memory: the basis twice, as float64.
func ONNX(ctx context.Context, w io.Writer, c *modelfile.Contents, precision gram.Precision) (Rounding, error) {
	if kernel.Custom(c.Kernel) {
		return Rounding{}, errCustomKernel(c.Kernel)
	}
	if err := withoutLocal(c); err != nil {
		return Rounding{}, err
	}
	const room = 1 << 20 // for names and what else is small
	size := 8 * (float64(max(c.Basis.Len(), len(c.Bias))+2)*float64(c.Basis.Dim()) + float64(c.Basis.Len())*float64(len(c.Bias)+1))
	if c.Description != nil {
		for _, p := range c.Description.Parts {
			size += 4 * float64(len(p.Components))
		}
	}
	if size > math.MaxInt32-room {
		return Rounding{}, fmt.Errorf("the %d×%d basis does not fit into the 2 GiB of an ONNX file: prune the model, or export to json", c.Basis.Len(), c.Basis.Dim())
	}
	r, err := choose(ctx, c, precision)
	if err != nil {
		return r, err
	}
	g := graph{precision: r.Precision, defined: map[string]bool{}}
	if err := g.decide(c); err != nil {
		return r, err
	}
	if g.err != nil {
		return r, g.err
	}
	var m message
	m.int(1, irVersion)
	m.string(2, "lapsvm")
	g.body.string(2, "lapsvm")
	m.message(7, &g.body)
	var set message
	set.string(1, "") // ai.onnx
	set.int(2, operatorSet)
	m.message(8, &set)
	named := func(key string, names []string) {
		list, _ := json.Marshal(names) // of any text
		var entry message
		entry.string(1, key)
		entry.bytes(2, list)
		m.message(14, &entry)
	}
	if c.Features != nil {
		named("features", c.Features)
	}
	if c.Several {
		named("classes", c.Classes)
	}
	if err := ctx.Err(); err != nil {
		return r, err
	}
	return r, m.writeTo(w)
}

// decide adds the whole computation, from points to outputs.
func (g *graph) decide(c *modelfile.Contents) error {
	x, scores := g.wide("points"), g.wide("scores")
	if len(c.Classes) == 0 {
		scores = g.wide("value")
	}
	inputs := c.Basis.Dim()
	if c.Description != nil {
		inputs = c.Description.Inputs()
	}
	g.inout(11, "points", g.element(), -1, int64(inputs))
	if len(c.Classes) == 0 {
		g.inout(12, "value", g.element(), -1, 1)
	} else {
		g.inout(12, "scores", g.element(), -1, int64(len(c.Bias)))
	}
	g.cast(x, "points", elementDouble)
	if c.Description != nil {
		var err error
		if x, err = g.described(c.Description, x); err != nil {
			return err
		}
	}
	if err := g.scores(c, x, scores); err != nil {
		return err
	}
	if len(c.Classes) == 0 {
		g.cast("value", scores, elementFloat)
		return nil
	}
	g.cast("scores", scores, elementFloat)
	if c.Several {
		g.several(c, scores)
		return nil
	}
	g.inout(12, "label", elementString, -1)
	names := c.Classes
	if len(c.Bias) > 1 {
		g.node("index", "ArgMax", []string{scores}, attribute{"axis", 1}, attribute{"keepdims", 0})
	} else {
		if c.OneClass {
			names = []string{"", c.Classes[0]}
		}
		g.numbers("zero", nil, 0)
		g.node("positive", "Greater", []string{scores, "zero"})
		g.node("column", "Cast", []string{"positive"}, attribute{"to", elementInt64})
		g.integers("flat", -1)
		g.node("index", "Reshape", []string{"column", "flat"})
	}
	g.texts("classes", names)
	g.node("label", "Gather", []string{"classes", "index"}, attribute{"axis", 0})
	if c.Calibration == nil {
		return nil
	}
	g.inout(12, "probabilities", g.element(), -1, int64(len(c.Classes)))
	s := c.Calibration.Slope
	if len(c.Bias) > 1 {
		g.numbers("slope", nil, s)
		g.node("class_exponents", "Mul", []string{scores, "slope"})
	} else { // −f and f
		g.numbers("slope", []int64{1, 2}, -s, s)
		g.node("class_exponents", "MatMul", []string{scores, "slope"})
	}
	g.node(g.wide("probabilities"), "Softmax", []string{"class_exponents"}, attribute{"axis", 1})
	g.cast("probabilities", g.wide("probabilities"), elementFloat)
	return nil
}

// several adds the classes of points that may have any of them, and their probabilities.
func (g *graph) several(c *modelfile.Contents, scores string) {
	machines := int64(len(c.Bias))
	limits := make([]float64, machines)
	if c.Each != nil {
		limits = c.Each.Limits()
	}
	g.numbers("limits", []int64{machines}, limits...)
	g.node("above", "Greater", []string{scores, "limits"})
	g.node("labels", "Cast", []string{"above"}, attribute{"to", elementInt64})
	g.inout(12, "labels", elementInt64, -1, machines)
	if c.Each == nil {
		return
	}
	g.inout(12, "probabilities", g.element(), -1, machines)
	g.numbers("slopes", []int64{machines}, c.Each.Slope...)
	g.numbers("offsets", []int64{machines}, c.Each.Offset...)
	g.node("steep", "Mul", []string{scores, "slopes"})
	g.node("class_exponents", "Add", []string{"steep", "offsets"})
	g.node(g.wide("probabilities"), "Sigmoid", []string{"class_exponents"})
	g.cast("probabilities", g.wide("probabilities"), elementFloat)
}

// scores adds out, the kernel expansions at the points x.
func (g *graph) scores(c *modelfile.Contents, x, out string) error {
	x = g.scaled(x, c.Scaling)
	scale := 1.0
	switch k := c.Kernel.(type) {
	case kernel.Linear, kernel.Precomputed:
		g.linear(c, x, out)
		return nil
	case kernel.Gaussian:
		g.gaussian(c, k, x)
	case kernel.Laplacian:
		g.laplacian(c, k, x)
	case kernel.Polynomial:
		scale = g.polynomial(c, k, x)
	default:
		return fmt.Errorf("no ONNX graph is known of the kernel %v: export to json", c.Kernel)
	}
	g.expansion(c.Coefficients, c.Bias, scale, out)
	return nil
}

// linear multiplies x by one weight vector per machine.
func (g *graph) linear(c *modelfile.Contents, x, out string) {
	w := weights(c)
	g.rows("weights", len(w), c.Basis.Dim(), func(dst []float64, i int) { copy(dst, w[i]) })
	g.numbers("bias", []int64{int64(len(c.Bias))}, c.Bias...)
	g.node(out, "Gemm", []string{x, "weights", "bias"}, attribute{"transB", 1})
}

// weights returns the weight vector of every machine of a linear model.
func weights(c *modelfile.Contents) [][]float64 {
	w, row := make([][]float64, len(c.Bias)), make([]float64, c.Basis.Dim())
	for m := range w {
		w[m] = make([]float64, len(row))
	}
	for j := range c.Basis.Len() {
		c.Basis.CopyRow(row, j)
		for m, alpha := range c.Coefficients {
			for column, v := range row {
				w[m][column] += alpha[j] * v
			}
		}
	}
	return w
}

// gaussian adds the kernel values, of points in the unit σ√2 from the mean of the basis. The
// exponent is 2⟨x, b⟩ − ‖b‖² − ‖x‖², or where this cancels too much for float64 a sum of squared
// differences.
func (g *graph) gaussian(c *modelfile.Contents, k kernel.Gaussian, x string) {
	x, basis := g.centred(c, x, 1/(k.Sigma*math.Sqrt2))
	n, d := c.Basis.Len(), c.Basis.Dim()
	squares, largest, row := make([]float64, n), 0.0, make([]float64, d)
	for i := range squares {
		basis(row, i)
		for _, v := range row {
			squares[i] -= v * v
		}
		largest = max(largest, -squares[i])
	}
	if largest*0x1p-49 > exponentError {
		g.distances("distances", x, n, d, basis, true)
		g.node("negative_exponents", "Neg", []string{"distances"})
	} else {
		g.rows("basis", n, d, basis)
		g.numbers("basis_squares", []int64{int64(n)}, squares...)
		g.node("products", "Gemm", []string{x, "basis", "basis_squares"}, attribute{"transB", 1}, attribute{"alpha", float32(2)})
		g.node("squares", "ReduceSumSquare", []string{x}, attribute{"axes", []int64{1}}, attribute{"keepdims", 1})
		g.node("exponents", "Sub", []string{"products", "squares"})
		g.numbers("nought", nil, 0)
		g.node("negative_exponents", "Min", []string{"exponents", "nought"})
	}
	g.node("kernel", "Exp", []string{"negative_exponents"})
}

// exponentError is the largest tolerated error of the exponent of a Gaussian.
const exponentError = 1e-11

// laplacian adds the kernel values, in the unit σ and from the mean of the basis.
func (g *graph) laplacian(c *modelfile.Contents, k kernel.Laplacian, x string) {
	x, basis := g.centred(c, x, 1/k.Sigma)
	g.distances("distances", x, c.Basis.Len(), c.Basis.Dim(), basis, false)
	g.node("exponents", "Neg", []string{"distances"})
	g.node("kernel", "Exp", []string{"exponents"})
}

// polynomial adds the kernel values divided by a scale, and returns the scale. It divides the base
// γ⟨x, b⟩ + c by the largest base of a basis point with itself. By the Cauchy–Schwarz inequality
// no two basis points have a larger base.
func (g *graph) polynomial(c *modelfile.Contents, k kernel.Polynomial, x string) (scale float64) {
	gamma, top := k.Parameters().Gamma, 0.0
	for _, square := range c.Basis.Squares() {
		top = max(top, gamma*square+k.Coef0)
	}
	if top == 0 {
		top = 1
	}
	g.rows("basis", c.Basis.Len(), c.Basis.Dim(), func(dst []float64, i int) {
		c.Basis.CopyRow(dst, i)
		for j := range dst {
			dst[j] *= gamma / top
		}
	})
	g.numbers("coef0", []int64{1}, k.Coef0/top)
	g.node("base", "Gemm", []string{x, "basis", "coef0"}, attribute{"transB", 1})
	g.power("kernel", "base", k.Degree)
	return math.Pow(top, float64(k.Degree))
}

// centred moves the scaled points x and the basis to the mean of the basis, in the given unit. It
// returns the moved points and a function that writes row i of the moved basis. The model's own
// scaling comes before, in an operation of its own. A shift that joined both would be rounded to
// the size of the raw values, and would move points against their places in the training.
func (g *graph) centred(c *modelfile.Contents, x string, unit float64) (out string, basis func(dst []float64, i int)) {
	mean := c.Basis.Mean()
	basis = func(dst []float64, i int) {
		c.Basis.CopyRow(dst, i)
		for j, v := range dst {
			dst[j] = (v - mean[j]) * unit
		}
	}
	return g.affine(x, "centred", mean, slices.Repeat([]float64{unit}, len(mean))), basis
}

// differencesHeld is the largest number of differences of coordinates held at a time for a point.
const differencesHeld = 1 << 14

// distances adds out = ‖x − b‖₁ for all n basis points b, or ‖x − b‖² where squared. It takes one
// part of the basis after the other, because all differences would be N×basis×d numbers.
func (g *graph) distances(out, x string, n, d int, basis func(dst []float64, i int), squared bool) {
	g.integers("across", 1)
	g.integers("along", 2)
	g.node("apart", "Unsqueeze", []string{x, "across"}) // N×1×d
	var parts []string
	part := max(1, differencesHeld/max(1, d))
	for from := 0; from < n; from += part {
		k := len(parts)
		name := func(word string) string { return fmt.Sprintf("%s_%d", word, k) }
		g.rows(name("basis"), min(part, n-from), d, func(dst []float64, i int) { basis(dst, from+i) })
		g.node(name("differences"), "Sub", []string{"apart", name("basis")})
		if squared {
			g.node(name("sizes_of_differences"), "Mul", []string{name("differences"), name("differences")})
		} else {
			g.node(name("sizes_of_differences"), "Abs", []string{name("differences")})
		}
		g.node(name("distances"), "ReduceSum", []string{name("sizes_of_differences"), "along"}, attribute{"keepdims", 0})
		parts = append(parts, name("distances"))
	}
	g.node(out, "Concat", parts, attribute{"axis", 1})
}

// expansion adds out = kernel·(scale·α)ᵀ + b.
func (g *graph) expansion(alpha [][]float64, bias []float64, scale float64, out string) {
	g.rows("coefficients", len(alpha), len(alpha[0]), func(dst []float64, m int) {
		for j, a := range alpha[m] {
			dst[j] = a * scale
		}
	})
	g.numbers("bias", []int64{int64(len(bias))}, bias...)
	g.node(out, "Gemm", []string{"kernel", "coefficients", "bias"}, attribute{"transB", 1})
}

// scaled adds the points x as a scaling makes them, and returns their name.
func (g *graph) scaled(x string, s points.Scaling) string {
	if s.Kind == points.UnitNorm {
		x = g.unitNorm(x)
	}
	return g.affine(g.straight(x, s), "scaled", s.Shift, s.Factor)
}

// affine adds out = (x − shift)·factor where there is a shift and returns out, else x.
func (g *graph) affine(x, out string, shift, factor []float64) string {
	if shift == nil {
		return x
	}
	d := []int64{int64(len(shift))}
	g.numbers(out+"_shift", d, shift...)
	g.numbers(out+"_factor", d, factor...)
	g.node(out+"_moved", "Sub", []string{x, out + "_shift"})
	g.node(out, "Mul", []string{out + "_moved", out + "_factor"})
	return g.name(out)
}

// straight adds asinh((x − centre)/width) for the columns that have a width, and leaves
// the others as they are. asinh t is ln(t + √(t² + 1)), taken of |t| alone so that
// nothing cancels.
func (g *graph) straight(x string, s points.Scaling) string {
	if !slices.ContainsFunc(s.Width, func(w float64) bool { return w > 0 }) {
		return x
	}
	d := []int64{int64(len(s.Width))}
	plain, rate := make([]float64, len(s.Width)), make([]float64, len(s.Width))
	for j, w := range s.Width {
		if w > 0 {
			rate[j] = 1 / w
		} else {
			plain[j] = 1
		}
	}
	g.numbers("tails_plain", d, plain...)
	g.numbers("tails_one", nil, 1)
	g.numbers("tails_zero", nil, 0)
	above := g.affine(x, "tails", s.Centre, rate)
	g.node("tails_below", "Neg", []string{above})
	for _, side := range []string{above, "tails_below"} {
		g.node(side+"_part", "Max", []string{side, "tails_zero"})
		g.node(side+"_square", "Mul", []string{side + "_part", side + "_part"})
		g.node(side+"_square_one", "Add", []string{side + "_square", "tails_one"})
		g.node(side+"_root", "Sqrt", []string{side + "_square_one"})
		g.node(side+"_sum", "Add", []string{side + "_part", side + "_root"})
		g.node(side+"_log", "Log", []string{side + "_sum"})
	}
	g.node("tails_asinh", "Sub", []string{above + "_log", "tails_below_log"})
	g.node("tails_rest", "Mul", []string{x, "tails_plain"})
	g.node("straight", "Add", []string{"tails_rest", "tails_asinh"})
	return g.name("straight")
}

// unitNorm adds x/‖x‖. The largest value is divided out first, so that squares
// neither overflow nor vanish; a row of zeros stays.
func (g *graph) unitNorm(x string) string {
	g.numbers("tiny", nil, 0x1p-1022)
	g.numbers("one", nil, 1)
	g.node("sizes", "Abs", []string{x})
	g.node("size", "ReduceMax", []string{"sizes"}, attribute{"axes", []int64{1}}, attribute{"keepdims", 1})
	g.node("size_or_tiny", "Max", []string{"size", "tiny"})
	g.node("moderate", "Div", []string{x, "size_or_tiny"})
	g.node("norm_squared", "ReduceSumSquare", []string{"moderate"}, attribute{"axes", []int64{1}}, attribute{"keepdims", 1})
	g.node("norm", "Sqrt", []string{"norm_squared"})
	g.node("norm_or_one", "Max", []string{"norm", "one"}) // it is at least 1 but for zeros
	g.node("unit", "Div", []string{"moderate", "norm_or_one"})
	return g.name("unit")
}

// power adds out = x^degree by repeated squaring, degree ≥ 1.
func (g *graph) power(out, x string, degree int) {
	result := ""
	for square, bit := x, 1; ; bit *= 2 {
		if degree&bit != 0 {
			if result == "" {
				result = square
			} else {
				next := fmt.Sprintf("%s_to_%d", x, degree&(2*bit-1))
				g.node(next, "Mul", []string{result, square})
				result = next
			}
		}
		if 2*bit > degree {
			break
		}
		next := fmt.Sprintf("%s_squared_to_%d", x, 2*bit)
		g.node(next, "Mul", []string{square, square})
		square = next
	}
	g.node(out, "Identity", []string{result})
}
