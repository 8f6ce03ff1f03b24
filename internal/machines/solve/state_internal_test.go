package solve

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"lapsvm/internal/numbers/objective"
	"lapsvm/internal/testing/golden"
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
	smooth := slices.DeleteFunc(objective.Losses(), func(l objective.Loss) bool { return !l.Smooth() })
	p.Loss = smooth[variant%len(smooth)]
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
		if p.Loss.OfResiduals() && !p.OneClass {
			targets[k] = 1.5 * rng.NormFloat64()
		}
	}
	p.Targets = [][]float64{targets}
	return p
}

// state computes all products of a point.
func stateAt(p *objective.Problem, alpha []float64, b float64) *state {
	z := &state{alpha: alpha, b: b, kAlpha: times(p.K, alpha)}
	h := make([]float64, len(alpha))
	intrinsic(p, h, z.kAlpha, b)
	z.lh = times(p.L, h)
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
		loss += p.Loss.Pieces().PieceAt(y, f).Cost(c, p.Loss.Pieces().Shortfall(y, f))
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
	for variant := range 36 {
		rng := rand.New(rand.NewPCG(7, uint64(variant)))
		n, l := 9, 5
		p := problem(rng, n, l, variant)
		if err := p.Validate(); err != nil {
			t.Fatal(err)
		}
		alpha, b := vector(rng, n), drawB(rng, p)
		z := stateAt(p, alpha, b)
		value, errors := z.value(p, 0)
		if want := naive(p, alpha, b); !(math.Abs(value-want) <= 1e-12*(1+math.Abs(want))) {
			t.Errorf("variant %d: J = %v, naively %v", variant, value, want)
		}
		count := 0
		for k, i := range p.Labelled {
			if q := p.Loss.Pieces().PieceAt(p.Targets[0][k], z.kAlpha[i]+b); !q.Flat() {
				count++
			}
		}
		if errors != count {
			t.Errorf("variant %d: %d error vectors, counted %d", variant, errors, count)
		}
		// The true gradient (∂J/∂b, K·ĝ) against central differences.
		g := make([]float64, n)
		gb := z.gradient(p, 0, g)
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
		z := stateAt(p, vector(rng, n), drawB(rng, p))
		towards := stateAt(p, vector(rng, n), drawB(rng, p))
		d := &direction{alpha: towards.alpha, b: towards.b, kAlpha: towards.kAlpha, lh: towards.lh}
		var ls line
		step, intervals := ls.minimise(p, 0, z, d)
		if intervals < 1 || p.Loss == objective.Squared && intervals != 1 {
			t.Errorf("seed %d: %d intervals", seed, intervals)
		}
		at := func(s float64) float64 {
			a := make([]float64, n)
			for i := range a {
				a[i] = z.alpha[i] + s*d.alpha[i]
			}
			return naive(p, a, z.b+s*d.b)
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
			z, to := stateAt(p, c.Alpha, c.B), stateAt(p, c.D, c.DB)
			var ls line
			got, _ := ls.minimise(p, 0, z, &direction{alpha: to.alpha, b: to.b, kAlpha: to.kAlpha, lh: to.lh})
			d := math.Abs(got-c.Exact) / math.Max(1e-12, math.Abs(c.Exact))
			worst = math.Max(worst, d)
			if !(d <= 1e-9) {
				t.Errorf("step %v, want %v", got, c.Exact)
			}
		})
	}
	t.Logf("worst relative difference %.1e", worst)
}
