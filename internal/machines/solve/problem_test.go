package solve_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"lapsvm/internal/machines/solve"
	"lapsvm/internal/numbers/objective"
	"lapsvm/internal/points/graph"
	"lapsvm/points"
)

// variant names one combination of all that a problem may be.
type variant struct {
	loss         objective.Loss
	bias         objective.Bias
	unnormalised bool // Laplacian
	supervised   bool // γI = 0
	weights      bool
	oneClass     bool
	columns      int
}

func (v variant) String() string {
	return fmt.Sprintf("%s, bias %d, unnormalised %v, supervised %v, weights %v, one class %v, %d columns",
		v.loss, v.bias, v.unnormalised, v.supervised, v.weights, v.oneClass, v.columns)
}

// smooth lists the losses that gradients can follow.
func smooth() []objective.Loss {
	return slices.DeleteFunc(objective.Losses(), func(l objective.Loss) bool { return !l.Smooth() })
}

// variants lists every combination that is a problem.
func variants() []variant {
	var all []variant
	for _, loss := range smooth() {
		for _, bias := range []objective.Bias{objective.BiasInNorm, objective.BiasOutside, objective.NoBias} {
			for mask := range 16 {
				for _, columns := range []int{1, 4} {
					v := variant{loss, bias, mask&1 != 0, mask&2 != 0, mask&4 != 0, mask&8 != 0, columns}
					if v.oneClass && (v.bias == objective.NoBias || loss == objective.Huber) || v.supervised && v.unnormalised {
						continue
					}
					all = append(all, v)
				}
			}
		}
	}
	return all
}

// plain is a dense operator that does not allocate. The bits of a column do not
// depend on the other columns of a product.
type plain struct {
	n int
	m []float64
}

func (o *plain) Len() int { return o.n }

func (o *plain) Row(dst []float64, i int) { copy(dst, o.m[i*o.n:(i+1)*o.n]) }

func (o *plain) Mul(_ context.Context, dst, src [][]float64) error {
	for c := range src {
		for i := range o.n {
			s := 0.0
			for j, v := range o.m[i*o.n : (i+1)*o.n] {
				s += v * src[c][j]
			}
			dst[c][i] = s
		}
	}
	return nil
}

// build draws a problem of n points in the plane, l of them labelled.
func (v variant) build(t *testing.T, rng *rand.Rand, n, l int) *objective.Problem {
	t.Helper()
	values := make([]float64, 2*n)
	for i := range values {
		values[i] = rng.NormFloat64()
	}
	x := points.Dense(n, 2, values)
	k := &plain{n, make([]float64, n*n)}
	for i := range n {
		for j := range n {
			k.m[i*n+j] = math.Exp(-x.SquaredDistance(i, x, j) / (2 * 0.7 * 0.7))
		}
	}
	p := &objective.Problem{K: k, Labelled: rng.Perm(n)[:l], GammaA: 0.02 + 0.2*rng.Float64(), Loss: v.loss, Bias: v.bias, OneClass: v.oneClass}
	if !v.supervised {
		nb, err := graph.FindNeighbours(t.Context(), x, min(5, n-1), graph.Euclidean)
		if err != nil {
			t.Fatal(err)
		}
		w, _, _ := graph.Connect(t.Context(), nb, graph.Heat, 0)
		p.L = graph.NewLaplacian(w, v.unnormalised, 1+rng.IntN(2))
		p.GammaI = 0.01 + 0.3*rng.Float64()
	}
	if v.weights {
		p.Weights = make([]float64, l)
		for k := range p.Weights {
			p.Weights[k] = 0.5 + 2*rng.Float64()
		}
	}
	for range v.columns {
		targets := make([]float64, l)
		for k := range targets {
			targets[k] = 1
			if !v.oneClass && rng.IntN(2) == 0 {
				targets[k] = -1
			}
			if v.loss.OfResiduals() && !v.oneClass {
				targets[k] *= 0.2 + math.Abs(1.5*rng.NormFloat64()) // where all are in the tube any small b will do
			}
		}
		p.Targets = append(p.Targets, targets)
	}
	return p
}

func times(a objective.Operator, x []float64) []float64 {
	y := make([]float64, len(x))
	if err := a.Mul(context.Background(), [][]float64{y}, [][]float64{x}); err != nil {
		panic(err)
	}
	return y
}

// evaluate returns J and its true gradient at (α, b), from the formulas, and
// the size of the terms that cancel in the gradient.
func evaluate(p *objective.Problem, c int, alpha []float64, b float64) (j float64, gradient []float64, gradientB, size float64) {
	n := len(alpha)
	ka := times(p.K, alpha)
	h, lh := make([]float64, n), make([]float64, n)
	for i := range h {
		if h[i] = ka[i]; p.Bias == objective.BiasInNorm {
			h[i] += b
		}
	}
	if p.L != nil && p.GammaI > 0 {
		lh = times(p.L, h)
	}
	g := make([]float64, n)
	for i := range g {
		j += 0.5 * (p.GammaA*alpha[i]*ka[i] + p.GammaI*h[i]*lh[i])
		g[i] = p.GammaA*alpha[i] + p.GammaI*lh[i]
		if p.Bias == objective.BiasInNorm {
			gradientB += p.GammaI * lh[i]
		}
	}
	for k, i := range p.Labelled {
		w, y, f := 1.0, p.Targets[c][k], ka[i]+b
		if p.Weights != nil {
			w = p.Weights[k]
		}
		q := p.Loss.Pieces().PieceAt(y, f)
		slope := w * p.Loss.Pieces().Slope(q, y, f)
		j += 0.5 * q.Cost(w, p.Loss.Pieces().Shortfall(y, f))
		g[i] += slope
		gradientB += slope
		size += math.Abs(slope)
	}
	if p.OneClass {
		j += 0.5 * b
		gradientB += 0.5
		size += 0.5
	}
	if p.Bias == objective.NoBias {
		gradientB = 0
	}
	return j, times(p.K, g), gradientB, size + 1e-3
}

func largest(x []float64) float64 {
	m := 0.0
	for _, v := range x {
		if !(math.Abs(v) <= m) {
			m = math.Abs(v)
		}
	}
	return m
}

// optimal checks by the gradient that column c of s minimises its objective. It
// also checks the values that s reports for the column.
func optimal(t *testing.T, name string, p *objective.Problem, s *solve.Solution, c int, tolerance float64) {
	t.Helper()
	j, gradient, gradientB, size := evaluate(p, c, s.Alpha[c], s.B[c])
	if !(math.Abs(s.Objective[c]-j) <= 1e-10*(math.Abs(j)+math.Abs(s.B[c]))) {
		t.Errorf("%s: column %d says J = %v, evaluated %v", name, c, s.Objective[c], j)
	}
	if !(largest(gradient) <= tolerance*size) || !(math.Abs(gradientB) <= tolerance*size) {
		t.Errorf("%s: column %d has the gradient %.1e, in b %.1e, of terms of size %.1e (%s after %d iterations)", name, c,
			largest(gradient), gradientB, size, s.Status[c], s.Iterations[c])
	}
	count := 0
	f := times(p.K, s.Alpha[c])
	for i := range f {
		if f[i] += s.B[c]; !(math.Abs(f[i]-s.F[c][i]) <= 1e-9*(1+math.Abs(f[i]))) {
			t.Errorf("%s: column %d says f_%d = %v, evaluated %v", name, c, i, s.F[c][i], f[i])
		}
	}
	for k, i := range p.Labelled {
		if q := p.Loss.Pieces().PieceAt(p.Targets[c][k], s.F[c][i]); !q.Flat() {
			count++
		}
	}
	if s.ErrorVectors[c] != count {
		t.Errorf("%s: column %d says |E| = %d, counted %d", name, c, s.ErrorVectors[c], count)
	}
	if p.Bias == objective.NoBias && s.B[c] != 0 {
		t.Errorf("%s: column %d has the bias %v", name, c, s.B[c])
	}
}

func newton(t *testing.T, p *objective.Problem, o solve.Options) *solve.Solution {
	t.Helper()
	s, err := solve.Newton(t.Context(), p, o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func pcg(t *testing.T, p *objective.Problem, o solve.Options) *solve.Solution {
	t.Helper()
	s, err := solve.PCG(t.Context(), p, o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}
