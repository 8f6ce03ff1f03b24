package objective_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"testing"

	"lapsvm/internal/golden"
	"lapsvm/objective"
)

// matrix is a dense symmetric operator.
type matrix [][]float64

func (m matrix) Len() int { return len(m) }

func (m matrix) Mul(_ context.Context, dst, src [][]float64) error {
	for c := range src {
		for i, row := range m {
			dst[c][i] = 0
			for j, v := range row {
				dst[c][i] += v * src[c][j]
			}
		}
	}
	return nil
}

// times returns A·x.
func times(a objective.Operator, x []float64) []float64 {
	y := make([]float64, len(x))
	if err := a.Mul(context.Background(), [][]float64{y}, [][]float64{x}); err != nil {
		panic(err)
	}
	return y
}

// semidefinite returns a random symmetric positive semi-definite matrix.
func semidefinite(rng *rand.Rand, n int) matrix {
	b, m := make(matrix, n), make(matrix, n)
	for i := range b {
		b[i], m[i] = vector(rng, n), make([]float64, n)
	}
	for i := range m {
		for j := range m {
			for k := range n {
				m[i][j] += b[i][k] * b[j][k] / float64(n)
			}
		}
	}
	return m
}

func vector(rng *rand.Rand, n int) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = rng.NormFloat64()
	}
	return x
}

// problem draws a random problem of n points, l of them labelled, in a variant
// that goes through all losses, biases, weights, and one class.
func problem(rng *rand.Rand, n, l, variant int) *objective.Problem {
	p := &objective.Problem{K: semidefinite(rng, n), L: semidefinite(rng, n), Labelled: rng.Perm(n)[:l],
		GammaA: 0.1 + rng.Float64(), GammaI: rng.Float64(), Bias: objective.Bias(variant % 3)}
	if variant%2 == 1 {
		p.Loss = objective.Squared
	}
	if variant/3%2 == 1 {
		p.Weights = make([]float64, l)
		for k := range p.Weights {
			p.Weights[k] = 0.5 + rng.Float64()
		}
	}
	p.OneClass = p.Bias != objective.NoBias && variant/6%2 == 1
	targets := make([]float64, l)
	for k := range targets {
		targets[k] = 1
		if !p.OneClass && rng.IntN(2) == 0 {
			targets[k] = -1
		}
	}
	p.Targets = [][]float64{targets}
	return p
}

// state computes all products of a point.
func state(p *objective.Problem, alpha []float64, b float64) *objective.State {
	z := &objective.State{Alpha: alpha, B: b, KAlpha: times(p.K, alpha)}
	h := make([]float64, len(alpha))
	p.H(h, z.KAlpha, b)
	z.LH = times(p.L, h)
	return z
}

// naive evaluates the documented formula of J from K and L.
func naive(p *objective.Problem, alpha []float64, b float64) float64 {
	ka := times(p.K, alpha)
	var loss, ambient, intrinsic float64
	for k, i := range p.Labelled {
		y, f, c := p.Targets[0][k], ka[i]+b, 1.0
		if p.Weights != nil {
			c = p.Weights[k]
		}
		if p.Loss == objective.Squared {
			loss += c * (y - f) * (y - f)
		} else {
			e := math.Max(0, 1-y*f)
			loss += c * e * e
		}
	}
	h := append([]float64(nil), ka...)
	if p.Bias == objective.BiasInNorm {
		for i := range h {
			h[i] += b
		}
	}
	lh := times(p.L, h)
	for i := range h {
		ambient += alpha[i] * ka[i]
		intrinsic += h[i] * lh[i]
	}
	j := 0.5 * (loss + p.GammaA*ambient + p.GammaI*intrinsic)
	if p.OneClass {
		j += b / 2
	}
	return j
}

// drawB draws a bias where the problem has one.
func drawB(rng *rand.Rand, p *objective.Problem) float64 {
	if p.Bias == objective.NoBias {
		return 0
	}
	return rng.NormFloat64()
}

func TestValueAndGradient(t *testing.T) {
	for variant := range 24 {
		rng := rand.New(rand.NewPCG(7, uint64(variant)))
		n, l := 9, 5
		p := problem(rng, n, l, variant)
		if err := p.Validate(); err != nil {
			t.Fatal(err)
		}
		alpha, b := vector(rng, n), drawB(rng, p)
		z := state(p, alpha, b)
		value, errors := p.Value(0, z)
		if want := naive(p, alpha, b); !(math.Abs(value-want) <= 1e-12*(1+math.Abs(want))) {
			t.Errorf("variant %d: J = %v, naively %v", variant, value, want)
		}
		count := 0
		for k, i := range p.Labelled {
			if p.Loss == objective.Squared || p.Targets[0][k]*(z.KAlpha[i]+b) < 1 {
				count++
			}
		}
		if errors != count {
			t.Errorf("variant %d: %d error vectors, counted %d", variant, errors, count)
		}
		// The true gradient (∂J/∂b, K·ĝ) against central differences.
		g := make([]float64, n)
		gb := p.Gradient(g, 0, z)
		kg := times(p.K, g)
		const h = 1e-6
		for i := range alpha {
			a := alpha[i]
			alpha[i] = a + h
			up := naive(p, alpha, b)
			alpha[i] = a - h
			down := naive(p, alpha, b)
			alpha[i] = a
			if want := (up - down) / (2 * h); !(math.Abs(kg[i]-want) <= 1e-6*(1+math.Abs(want))) {
				t.Errorf("variant %d: ∂J/∂α_%d = %v, by differences %v", variant, i, kg[i], want)
			}
		}
		if p.Bias == objective.NoBias {
			if gb != 0 {
				t.Errorf("variant %d: gradient %v in an absent bias", variant, gb)
			}
			continue
		}
		if want := (naive(p, alpha, b+h) - naive(p, alpha, b-h)) / (2 * h); !(math.Abs(gb-want) <= 1e-6*(1+math.Abs(want))) {
			t.Errorf("variant %d: ∂J/∂b = %v, by differences %v", variant, gb, want)
		}
	}
}

// The step found is the minimum of the naively evaluated objective: no step
// nearby is better, and the derivative vanishes or the step is 0.
func TestMinimise(t *testing.T) {
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 3))
		n := 2 + rng.IntN(8)
		p := problem(rng, n, 1+rng.IntN(n), int(seed))
		z := state(p, vector(rng, n), drawB(rng, p))
		towards := state(p, vector(rng, n), drawB(rng, p))
		d := &objective.Direction{Alpha: towards.Alpha, B: towards.B, KAlpha: towards.KAlpha, LH: towards.LH}
		var ls objective.LineSearch
		step, intervals := ls.Minimise(p, 0, z, d)
		if intervals < 1 || p.Loss == objective.Squared && intervals != 1 {
			t.Errorf("seed %d: %d intervals", seed, intervals)
		}
		at := func(s float64) float64 {
			a := make([]float64, n)
			for i := range a {
				a[i] = z.Alpha[i] + s*d.Alpha[i]
			}
			return naive(p, a, z.B+s*d.B)
		}
		const h = 1e-5
		best := at(step)
		for _, other := range []float64{0, step + h, max(0, step-h), step * 2, step / 2} {
			if !(best <= at(other)+1e-12*(1+math.Abs(best))) {
				t.Errorf("seed %d: J(%v) = %v, but J(%v) = %v", seed, step, best, other, at(other))
			}
		}
	}
}

// One labelled point, outside or exactly on the margin and moving inwards.
func TestMinimiseEnteringPoints(t *testing.T) {
	for _, f := range []float64{1, 1.5} {
		p := &objective.Problem{K: matrix{{1}}, Labelled: []int{0}, Targets: [][]float64{{1}}, GammaA: 0.5, Bias: objective.NoBias}
		z := &objective.State{Alpha: []float64{f}, KAlpha: []float64{f}, LH: []float64{0}}
		d := &objective.Direction{Alpha: []float64{-1}, KAlpha: []float64{-1}, LH: []float64{0}}
		var ls objective.LineSearch
		step, _ := ls.Minimise(p, 0, z, d)
		// ½max(0, 1−f)² + ¼f² has its minimum at f = 2/3.
		if want := f - 2.0/3; !(math.Abs(step-want) <= 1e-15) {
			t.Errorf("from f = %v: step %v, want %v", f, step, want)
		}
	}
}

func TestMinimiseUphillAndFlat(t *testing.T) {
	p := &objective.Problem{K: matrix{{1}}, Labelled: []int{0}, Targets: [][]float64{{1}}, GammaA: 0.5, Bias: objective.NoBias}
	z := &objective.State{Alpha: []float64{0}, KAlpha: []float64{0}, LH: []float64{0}}
	var ls objective.LineSearch
	if step, _ := ls.Minimise(p, 0, z, &objective.Direction{Alpha: []float64{-1}, KAlpha: []float64{-1}, LH: []float64{0}}); step != 0 {
		t.Errorf("uphill: step %v, want 0", step)
	}
	// Along the bias alone J falls to 0 at f = 1 and is flat from there on.
	p.Bias = objective.BiasOutside
	if step, _ := ls.Minimise(p, 0, z, &objective.Direction{Alpha: []float64{0}, B: 0.25, KAlpha: []float64{0}, LH: []float64{0}}); step != 4 {
		t.Errorf("towards a flat part: step %v, want 4", step)
	}
}

// Sixty line searches whose exact minimum was computed independently.
func TestGoldenLineSearch(t *testing.T) {
	text, err := os.ReadFile(golden.External(t, "golden/linesearch/cases.json"))
	if err != nil {
		t.Fatal(err)
	}
	var cases []struct {
		K, L          matrix
		Y, Alpha, D   []float64
		GA, GI, B, DB float64
		Exact         float64
	}
	// "l" and "L" would be mixed up by case-insensitive matching.
	var raw []map[string]json.RawMessage
	if err := json.Unmarshal(text, &raw); err != nil {
		t.Fatal(err)
	}
	for _, r := range raw {
		delete(r, "l")
	}
	text, _ = json.Marshal(raw)
	if err := json.Unmarshal(text, &cases); err != nil {
		t.Fatal(err)
	}
	if len(cases) != 60 {
		t.Fatalf("%d cases, want 60", len(cases))
	}
	worst := 0.0
	for k, c := range cases {
		t.Run(fmt.Sprint(k), func(t *testing.T) {
			p := &objective.Problem{K: c.K, L: c.L, GammaA: c.GA, GammaI: c.GI, Bias: objective.BiasOutside, Targets: [][]float64{nil}}
			for i, y := range c.Y {
				if y != 0 {
					p.Labelled = append(p.Labelled, i)
					p.Targets[0] = append(p.Targets[0], y)
				}
			}
			z, to := state(p, c.Alpha, c.B), state(p, c.D, c.DB)
			var ls objective.LineSearch
			got, _ := ls.Minimise(p, 0, z, &objective.Direction{Alpha: to.Alpha, B: to.B, KAlpha: to.KAlpha, LH: to.LH})
			d := math.Abs(got-c.Exact) / math.Max(1e-12, math.Abs(c.Exact))
			worst = math.Max(worst, d)
			if !(d <= 1e-9) {
				t.Errorf("step %v, want %v", got, c.Exact)
			}
		})
	}
	t.Logf("worst relative difference %.1e", worst)
}

func TestValidate(t *testing.T) {
	good := func() *objective.Problem {
		return &objective.Problem{K: matrix{{1, 0}, {0, 1}}, L: matrix{{1, -1}, {-1, 1}}, Labelled: []int{0, 1},
			Targets: [][]float64{{1, -1}}, GammaA: 1, GammaI: 1}
	}
	if err := good().Validate(); err != nil {
		t.Fatal(err)
	}
	for name, spoil := range map[string]func(p *objective.Problem){
		"no labels":        func(p *objective.Problem) { p.Labelled, p.Targets[0] = nil, nil },
		"gamma-a":          func(p *objective.Problem) { p.GammaA = 0 },
		"gamma-a NaN":      func(p *objective.Problem) { p.GammaA = math.NaN() },
		"gamma-i":          func(p *objective.Problem) { p.GammaI = -1 },
		"no graph":         func(p *objective.Problem) { p.L = nil },
		"sizes":            func(p *objective.Problem) { p.L = matrix{{1}} },
		"loss":             func(p *objective.Problem) { p.Loss = "hinge" },
		"one class":        func(p *objective.Problem) { p.OneClass = true },
		"one class, bias":  func(p *objective.Problem) { p.OneClass, p.Bias = true, objective.NoBias },
		"number of weight": func(p *objective.Problem) { p.Weights = []float64{1} },
		"weight":           func(p *objective.Problem) { p.Weights = []float64{1, 0} },
		"target":           func(p *objective.Problem) { p.Targets[0][0] = 2 },
		"targets":          func(p *objective.Problem) { p.Targets[0] = p.Targets[0][:1] },
		"no columns":       func(p *objective.Problem) { p.Targets = nil },
	} {
		p := good()
		spoil(p)
		if p.Validate() == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
