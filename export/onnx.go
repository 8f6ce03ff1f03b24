package export

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"

	"lapsvm/gram"
	"lapsvm/kernel"
	"lapsvm/modelfile"
	"lapsvm/points"
)

// ONNX writes a model as an ONNX graph of standard operators (ai.onnx 13),
// which onnxruntime and others run. It has one input,
//
//	points         [N, d]  raw features: the model's standardisation is inside
//
// and the outputs
//
//	scores         [N, M]  f_c(x), M = 1 for two classes and for one, else a column per class
//	label          [N]     class names; "" outside a one-class model's class
//	probabilities  [N, C]  where the model is calibrated
//
// With precision Double, input, outputs and all between are float64: scores
// differ from the exact ones by less than 1e-14·S, S = Σ_j |α_cj·k(b_j, x)| + |b_c|.
// With Single, the default, they are float32 but for the sums over the basis,
// and scores differ by less than 4e-6·S, mostly far less. Where coefficients
// nearly cancel, as with small γA, S is thousands of times the score; so points
// very near a boundary can get another label.
//
// Points of a Gaussian or Laplacian kernel are moved to the mean of the basis and
// the values of a polynomial one are scaled to those of the basis, so that they
// neither cancel nor overflow. N is free; the graph holds N×basis kernel values at a
// time, and with a Laplacian kernel N×16,384 differences of coordinates, or N×d.
//
// It fails for Single where float32 cannot tell points apart as finely as the
// kernel does, for more than 2 GiB, for columns with long tails under the
// standardisation columns, and for a kernel of the program's own. A sparse basis
// becomes dense. Memory: twice the basis.
func ONNX(w io.Writer, c *modelfile.Contents, precision gram.Precision) error {
	if kernel.Own(c.Kernel) {
		return ownKernel(c.Kernel)
	}
	if slices.ContainsFunc(c.Scaling.Width, func(w float64) bool { return w > 0 }) {
		return fmt.Errorf("no ONNX graph is known of columns with long tails as the standardisation %s takes them: train with zscore or minmax, or export to json", c.Scaling.Kind)
	}
	g, err := newGraph(precision)
	if err != nil {
		return err
	}
	const room = 1 << 20 // for names and what else is small
	if size := float64(max(c.Basis.Len(), len(c.Bias))+2)*float64(c.Basis.Dim())*float64(g.precision/8) + 8*float64(c.Basis.Len())*float64(len(c.Bias)+1); size > math.MaxInt32-room {
		return fmt.Errorf("the %d×%d basis does not fit into the 2 GiB of an ONNX file: prune the model, or export to json", c.Basis.Len(), c.Basis.Dim())
	}
	if err := g.decide(c); err != nil {
		return err
	}
	if g.err != nil {
		return g.err
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
	if c.Features != nil {
		names, err := json.Marshal(c.Features)
		if err != nil {
			return err
		}
		var entry message
		entry.string(1, "features")
		entry.bytes(2, names)
		m.message(14, &entry)
	}
	return m.writeTo(w)
}

// decide adds the whole computation, from points to outputs.
func (g *graph) decide(c *modelfile.Contents) error {
	g.inout(11, "points", g.element(), -1, int64(c.Basis.Dim()))
	g.inout(12, "scores", g.element(), -1, int64(len(c.Bias)))
	g.inout(12, "label", elementString, -1)
	if err := g.scores(c); err != nil {
		return err
	}
	names := c.Classes
	if len(c.Bias) > 1 {
		g.node("index", "ArgMax", []string{"scores"}, attribute{"axis", 1}, attribute{"keepdims", 0})
	} else {
		if c.OneClass {
			names = []string{"", c.Classes[0]}
		}
		g.numbers("zero", nil, 0)
		g.node("positive", "Greater", []string{"scores", "zero"})
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
		g.node("class_exponents", "Mul", []string{"scores", "slope"})
	} else { // −f and f
		g.numbers("slope", []int64{1, 2}, -s, s)
		g.node("class_exponents", "MatMul", []string{"scores", "slope"})
	}
	g.node("probabilities", "Softmax", []string{"class_exponents"}, attribute{"axis", 1})
	return nil
}

// scores adds the kernel expansions.
func (g *graph) scores(c *modelfile.Contents) error {
	x := "points"
	if c.Scaling.Kind == points.UnitNorm {
		x = g.unitNorm(x)
	}
	basis := rowsOf(c.Basis)
	switch k := c.Kernel.(type) {
	case kernel.Linear, kernel.Precomputed:
		return g.linear(c, x, basis)
	case kernel.Gaussian:
		return g.gaussian(c, k, x, basis)
	case kernel.Laplacian:
		return g.laplacian(c, k, x, basis)
	case kernel.Polynomial:
		return g.polynomial(c, k, x, basis)
	}
	return fmt.Errorf("no ONNX graph is known of the kernel %v: export to json", c.Kernel)
}

// linear multiplies x by one weight vector per machine.
func (g *graph) linear(c *modelfile.Contents, x string, basis [][]float64) error {
	d, m := c.Basis.Dim(), len(c.Bias)
	x = g.affine(x, c.Scaling.Shift, c.Scaling.Factor)
	weights := make([]float64, m*d)
	for j, row := range basis {
		for i := range m {
			for column, v := range row {
				weights[i*d+column] += c.Coefficients[i][j] * v
			}
		}
	}
	g.numbers("weights", []int64{int64(m), int64(d)}, weights...)
	g.numbers("bias", []int64{int64(m)}, c.Bias...)
	g.node("scores", "Gemm", []string{x, "weights", "bias"}, attribute{"transB", 1})
	return g.resolves(c.Scaling.Shift, c.Scaling.Factor, math.Sqrt(float64(d)), 0)
}

// gaussian works in the unit σ√2 and from the mean of the basis, where the exponent
// is 2⟨x, b⟩ − ‖b‖² − ‖x‖².
func (g *graph) gaussian(c *modelfile.Contents, k kernel.Gaussian, x string, basis [][]float64) error {
	shift, factor := g.centred(c, basis, 1/(k.Sigma*math.Sqrt2))
	x = g.affine(x, shift, factor)
	squares, largest := make([]float64, len(basis)), 0.0
	for i, row := range basis {
		for _, v := range row {
			squares[i] -= v * v
		}
		largest = max(largest, -squares[i])
	}
	g.rows("basis", basis, c.Basis.Dim())
	g.numbers("basis_squares", []int64{int64(len(basis))}, squares...)
	g.node("products", "Gemm", []string{x, "basis", "basis_squares"}, attribute{"transB", 1}, attribute{"alpha", float32(2)})
	g.node("squares", "ReduceSumSquare", []string{x}, attribute{"axes", []int64{1}}, attribute{"keepdims", 1})
	g.node("exponents", "Sub", []string{"products", "squares"})
	g.numbers("nought", nil, 0)
	g.node("negative_exponents", "Min", []string{"exponents", "nought"})
	g.node("kernel", "Exp", []string{"negative_exponents"})
	g.expansion(c.Coefficients, c.Bias, 1)
	return g.resolves(shift, factor, 1, 16*largest)
}

// laplacian works in the unit σ and from the mean of the basis.
func (g *graph) laplacian(c *modelfile.Contents, k kernel.Laplacian, x string, basis [][]float64) error {
	d := c.Basis.Dim()
	shift, factor := g.centred(c, basis, 1/k.Sigma)
	x = g.affine(x, shift, factor)
	largest := 0.0
	for _, row := range basis {
		size := 0.0
		for _, v := range row {
			size += math.Abs(v)
		}
		largest = max(largest, size)
	}
	g.distances("distances", x, basis, d)
	g.node("exponents", "Neg", []string{"distances"})
	g.node("kernel", "Exp", []string{"exponents"})
	g.expansion(c.Coefficients, c.Bias, 1)
	return g.resolves(shift, factor, 1/math.Sqrt(float64(d)), 2*largest)
}

// polynomial divides its base by the largest there is in the basis, which becomes 1:
// by Cauchy and Schwarz, no two points have a larger one than one of them has with
// itself.
func (g *graph) polynomial(c *modelfile.Contents, k kernel.Polynomial, x string, basis [][]float64) error {
	d := c.Basis.Dim()
	x = g.affine(x, c.Scaling.Shift, c.Scaling.Factor)
	gamma, top := k.Parameters().Gamma, 0.0
	for _, square := range c.Basis.Squares() {
		top = max(top, gamma*square+k.Coef0)
	}
	if top == 0 {
		top = 1
	}
	for _, row := range basis {
		for j := range row {
			row[j] *= gamma / top
		}
	}
	g.rows("basis", basis, d)
	g.numbers("coef0", []int64{1}, k.Coef0/top)
	g.node("base", "Gemm", []string{x, "basis", "coef0"}, attribute{"transB", 1})
	g.power("kernel", "base", k.Degree)
	g.expansion(c.Coefficients, c.Bias, math.Pow(top, float64(k.Degree)))
	return g.resolves(c.Scaling.Shift, c.Scaling.Factor, math.Sqrt(float64(d)), 0)
}

// centred moves the basis to its mean, in the given unit, and returns what does so
// to points: (x − shift)·factor, the model's own scaling included.
func (g *graph) centred(c *modelfile.Contents, basis [][]float64, unit float64) (shift, factor []float64) {
	mean := c.Basis.Mean()
	shift, factor = make([]float64, len(mean)), make([]float64, len(mean))
	for j := range shift {
		shift[j], factor[j] = mean[j], unit
		if c.Scaling.Factor != nil {
			shift[j], factor[j] = c.Scaling.Shift[j], c.Scaling.Factor[j]*unit
			if factor[j] != 0 {
				shift[j] += mean[j] / c.Scaling.Factor[j]
			}
		}
	}
	for _, row := range basis {
		for j, v := range row {
			row[j] = g.rounded((v - mean[j]) * unit)
		}
	}
	return shift, factor
}

// differencesHeld is how many differences of coordinates a point may have at a
// time.
const differencesHeld = 1 << 14

// distances adds out = ‖x − b‖₁ of all basis points b. The differences of all of
// them would be N×basis×d numbers; they are taken of a part of the basis after the
// other.
func (g *graph) distances(out, x string, basis [][]float64, d int) {
	g.integers("across", 1)
	g.integers("along", 2)
	g.node("apart", "Unsqueeze", []string{x, "across"}) // N×1×d
	var parts []string
	for part := range slices.Chunk(basis, max(1, differencesHeld/max(1, d))) {
		k := len(parts)
		name := func(word string) string { return fmt.Sprintf("%s_%d", word, k) }
		g.rows(name("basis"), part, d)
		g.node(name("differences"), "Sub", []string{"apart", name("basis")})
		g.node(name("sizes_of_differences"), "Abs", []string{name("differences")})
		g.node(name("distances"), "ReduceSum", []string{name("sizes_of_differences"), "along"}, attribute{"keepdims", 0})
		parts = append(parts, name("distances"))
	}
	g.node(out, "Concat", parts, attribute{"axis", 1})
}

// expansion adds scores = kernel·(scale·α)ᵀ + b, summed in float64 whatever the
// precision: coefficients that nearly cancel are common, and the sums cost
// little beside the kernel.
func (g *graph) expansion(alpha [][]float64, bias []float64, scale float64) {
	scaled := make([][]float64, len(alpha))
	for c, machine := range alpha {
		scaled[c] = make([]float64, len(machine))
		for j, a := range machine {
			scaled[c][j] = a * scale
		}
	}
	outside, kernel, sums := g.precision, "kernel", "scores"
	if outside == gram.Single {
		kernel, sums = "wide_kernel", "wide_scores"
		g.node(kernel, "Cast", []string{"kernel"}, attribute{"to", elementDouble})
	}
	g.precision = gram.Double
	g.rows("coefficients", scaled, len(alpha[0]))
	g.numbers("bias", []int64{int64(len(bias))}, bias...)
	g.node(sums, "Gemm", []string{kernel, "coefficients", "bias"}, attribute{"transB", 1})
	if g.precision = outside; outside == gram.Single {
		g.node("scores", "Cast", []string{sums}, attribute{"to", elementFloat})
	}
}

// affine adds (x − shift)·factor, where there is a shift.
func (g *graph) affine(x string, shift, factor []float64) string {
	if shift == nil {
		return x
	}
	d := []int64{int64(len(shift))}
	g.numbers("shift", d, shift...)
	g.numbers("factor", d, factor...)
	g.node("moved", "Sub", []string{x, "shift"})
	g.node("scaled", "Mul", []string{"moved", "factor"})
	return "scaled"
}

// unitNorm adds x/‖x‖. The largest value is divided out first, so that squares
// neither overflow nor vanish; a row of zeros stays.
func (g *graph) unitNorm(x string) string {
	tiny := 0x1p-1022
	if g.precision == gram.Single {
		tiny = 0x1p-126
	}
	g.numbers("tiny", nil, tiny)
	g.numbers("one", nil, 1)
	g.node("sizes", "Abs", []string{x})
	g.node("size", "ReduceMax", []string{"sizes"}, attribute{"axes", []int64{1}}, attribute{"keepdims", 1})
	g.node("size_or_tiny", "Max", []string{"size", "tiny"})
	g.node("moderate", "Div", []string{x, "size_or_tiny"})
	g.node("norm_squared", "ReduceSumSquare", []string{"moderate"}, attribute{"axes", []int64{1}}, attribute{"keepdims", 1})
	g.node("norm", "Sqrt", []string{"norm_squared"})
	g.node("norm_or_one", "Max", []string{"norm", "one"}) // it is at least 1 but for zeros
	g.node("unit", "Div", []string{"moderate", "norm_or_one"})
	return "unit"
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

// The errors of float32 that are let pass: in the exponent of a Gaussian, as
// package gram allows, and of a point's place in units of the kernel's width.
const (
	exponentError = 2e-5
	placeError    = 1e-5
	single        = 0x1p-24 // half a unit in the last place of 1
)

// resolves fails where float32 is asked for and not enough: raw values that are
// far from zero compared with their width, or points far apart compared with
// the kernel's. The points are (x − shift)·factor, in which distances of width
// matter; an exponent is off by up to rounding·single.
func (g *graph) resolves(shift, factor []float64, width, rounding float64) error {
	if g.precision == gram.Double {
		return nil
	}
	place := 0.0
	for j := range shift {
		place = math.Hypot(place, single*shift[j]*factor[j])
	}
	if place > placeError*width || rounding*single > exponentError {
		return fmt.Errorf("float32 cannot tell these points apart as finely as the kernel does: take precision 64")
	}
	return nil
}

// rowsOf copies a table.
func rowsOf(p *points.Points) [][]float64 {
	rows := make([][]float64, p.Len())
	for i := range rows {
		rows[i] = make([]float64, p.Dim())
		p.CopyRow(rows[i], i)
	}
	return rows
}
