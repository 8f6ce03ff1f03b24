package solve_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"lapsvm/internal/machines/solve"
	"lapsvm/internal/numbers/objective"
)

// With wrong labels the huberised hinge has points on its straight piece. Newton's method, with step
// 1 and with the line search, and PCG find the minimum that accelerated gradient descent finds. The
// descent sees the formula alone.
func TestHuberisedHingeOfWrongLabels(t *testing.T) {
	straight := 0
	for seed := range uint64(24) {
		rng := rand.New(rand.NewPCG(seed, 77))
		v := variant{loss: objective.SquaredHinge, bias: objective.Bias(seed % 3), supervised: seed%2 == 0, weights: true, columns: 2}
		p := v.build(t, rng, 14, 12)
		p.GammaA, p.GammaI = 0.1*p.GammaA, 0.1*p.GammaI
		right := newton(t, p, solve.Options{})
		surest := make([]int, len(p.Targets)) // of each column, whose label becomes wrong
		for c, targets := range p.Targets {
			for k, i := range p.Labelled {
				if targets[k]*right.F[c][i] > targets[surest[c]]*right.F[c][p.Labelled[surest[c]]] {
					surest[c] = k
				}
			}
		}
		for c, k := range surest {
			p.Targets[c][k], p.Weights[k] = -p.Targets[c][k], 0.01
		}
		p.Loss = objective.HuberisedHinge
		full, searched := newton(t, p, solve.Options{}), newton(t, p, solve.Options{LineSearch: true})
		iterated := pcg(t, p, solve.Options{Stop: solve.None, MaxIterations: 3000})
		for c := range p.Targets {
			what := fmt.Sprintf("seed %d (%s), column %d", seed, v, c)
			best := byDescent(p, c)
			for name, s := range map[string]*solve.Solution{"Newton": full, "Newton with line search": searched, "PCG": iterated} {
				optimal(t, what+", "+name, p, s, c, 1e-6)
				if !(math.Abs(s.Objective[c]-best) <= 1e-7*best) {
					t.Errorf("%s: J = %v by %s, %v by descent", what, s.Objective[c], name, best)
				}
			}
			if p.Targets[c][surest[c]]*full.F[c][p.Labelled[surest[c]]] < 0 {
				straight++
			}
		}
	}
	if straight < 12 {
		t.Errorf("%d of 48 machines have a point on the straight piece: little is tested", straight)
	}
}

// byDescent returns the least J that accelerated gradient descent finds, restarted where J rises.
func byDescent(p *objective.Problem, c int) float64 {
	n := p.K.Len()
	// evaluate returns J at (α, b), and its gradient of which the part of α is that before the
	// product with K.
	evaluate := func(z []float64) (j float64, g []float64) {
		alpha, b := z[:n], z[n]
		f := times(p.K, alpha)
		h, lh := make([]float64, n), make([]float64, n)
		for i := range f {
			if h[i] = f[i]; p.Bias == objective.BiasInNorm {
				h[i] += b
			}
		}
		if p.L != nil {
			lh = times(p.L, h)
		}
		g = make([]float64, n+1)
		for i := range f {
			j += (p.GammaA*alpha[i]*f[i] + p.GammaI*h[i]*lh[i]) / 2
			g[i] = p.GammaA*alpha[i] + p.GammaI*lh[i]
			if p.Bias == objective.BiasInNorm {
				g[n] += p.GammaI * lh[i]
			}
		}
		for k, i := range p.Labelled {
			w, y := p.Weights[k]/2, p.Targets[c][k]
			slope := 0.0
			switch m := y * (f[i] + b); {
			case m < 0:
				j += w * (1 - 2*m)
				slope = -2 * w * y
			case m < 1:
				j += w * (1 - m) * (1 - m)
				slope = -2 * w * y * (1 - m)
			}
			g[i] += slope
			g[n] += slope
		}
		if p.Bias == objective.NoBias {
			g[n] = 0
		}
		return j, g
	}
	z, at := make([]float64, n+1), make([]float64, n+1)
	last, momentum := math.Inf(1), 1.0
	const step = 0.004 // below 1 over the curvature
	for range 30000 {
		_, g := evaluate(at)
		next := make([]float64, n+1)
		for i := range next {
			next[i] = at[i] - step*g[i]
		}
		j, _ := evaluate(next)
		if j > last {
			momentum = 1
		}
		grown := (1 + math.Sqrt(1+4*momentum*momentum)) / 2
		for i := range at {
			at[i] = next[i] + (momentum-1)/grown*(next[i]-z[i])
		}
		z, last, momentum = next, j, grown
	}
	return last
}
