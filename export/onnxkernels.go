package export

import (
	"fmt"
	"math"
	"slices"

	"lapsvm/internal/machines/modelfile"
	"lapsvm/internal/system/fault"
	"lapsvm/kernel"
	"lapsvm/points"
)

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
		return fault.Errorf("no ONNX graph is known of the kernel %v: export to json", c.Kernel)
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

// straight adds asinh((x − centre)/width) for the columns that have a width. asinh t is
// ln(t + √(t² + 1)), taken of |t| alone so that nothing cancels. Other columns stay as they
// are.
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
