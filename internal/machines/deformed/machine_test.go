package deformed_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"lapsvm/internal/machines/deformed"
	"lapsvm/internal/numbers/objective"
	"lapsvm/internal/points/gram"
	"lapsvm/kernel"
	"lapsvm/points"
)

// random draws a reduced problem: bias 0 has none, 1 u = 1 and κ = 0, 2 any u
// and κ.
func random(rng *rand.Rand, l, bias int, loss objective.Loss, weighted, oneClass bool) *deformed.Machine {
	c := &deformed.Problem{Kernel: make([]float64, l*l)}
	x := make([][2]float64, l)
	for i := range x {
		x[i] = [2]float64{rng.NormFloat64(), rng.NormFloat64()}
	}
	scale := math.Exp(3 * rng.NormFloat64())
	for i := range l {
		for j := range l {
			d0, d1 := x[i][0]-x[j][0], x[i][1]-x[j][1]
			c.Kernel[i*l+j] = scale * math.Exp(-(d0*d0+d1*d1)/2)
		}
	}
	if bias > 0 {
		c.Bias = make([]float64, l)
		for i := range c.Bias {
			c.Bias[i] = 1
			if bias == 2 {
				c.Bias[i] += 0.3 * rng.NormFloat64()
			}
		}
	}
	if bias == 2 {
		c.Kappa = rng.Float64()
	}
	m := &deformed.Machine{Problem: c, Loss: loss, OneClass: oneClass, Targets: make([]float64, l), Tolerance: 1e-12}
	for i := range m.Targets {
		m.Targets[i] = 1
		if !oneClass && (x[i][0]+0.7*rng.NormFloat64() < 0) {
			m.Targets[i] = -1
		}
		if loss.OfResiduals() && !oneClass {
			m.Targets[i] += rng.NormFloat64()
		}
	}
	if weighted {
		m.Weights = make([]float64, l)
		for i := range m.Weights {
			m.Weights[i] = 0.2 + 2*rng.Float64()
		}
	}
	return m
}

// without is the machine with point k dropped, and f the output that a
// solution of it gives point k.
func without(m *deformed.Machine, k int) (smaller *deformed.Machine, f func(p *deformed.Solution) float64) {
	l := len(m.Targets)
	c := &deformed.Problem{Kappa: m.Problem.Kappa}
	smaller = &deformed.Machine{Problem: c, Loss: m.Loss, OneClass: m.OneClass, Tolerance: m.Tolerance}
	for i := range l {
		if i == k {
			continue
		}
		for j := range l {
			if j != k {
				c.Kernel = append(c.Kernel, m.Problem.Kernel[i*l+j])
			}
		}
		if m.Problem.Bias != nil {
			c.Bias = append(c.Bias, m.Problem.Bias[i])
		}
		smaller.Targets = append(smaller.Targets, m.Targets[i])
		if m.Weights != nil {
			smaller.Weights = append(smaller.Weights, m.Weights[i])
		}
	}
	return smaller, func(p *deformed.Solution) float64 {
		sum, at := 0.0, 0
		for i := range l {
			if i != k {
				sum += m.Problem.Kernel[k*l+i] * p.A[at]
				at++
			}
		}
		if m.Problem.Bias != nil {
			sum += p.B * m.Problem.Bias[k]
		}
		return sum
	}
}

// smooth lists the losses of Newton's method.
func smooth() []objective.Loss {
	return slices.DeleteFunc(objective.Losses(), func(l objective.Loss) bool { return !l.Smooth() })
}

// variants calls test for random machines of all kinds.
func variants(t *testing.T, test func(t *testing.T, name string, m *deformed.Machine)) {
	for seed := range uint64(600) {
		rng := rand.New(rand.NewPCG(seed, 9))
		losses := objective.Losses()
		if seed < 400 {
			losses = slices.DeleteFunc(losses, func(l objective.Loss) bool { return l.OfResiduals() && l != objective.Squared })
		}
		many := uint64(len(losses))
		loss, bias := losses[seed%many], int(seed/many%3)
		if !loss.Smooth() && bias == 2 {
			bias = 1 // the dual's bias is outside the norm
		}
		oneClass := seed%7 == 0 && bias > 0 && loss.Smooth() && loss != objective.Huber
		m := random(rng, 3+rng.IntN(12), bias, loss, seed%2 == 0, oneClass)
		test(t, fmt.Sprintf("seed %d, %s, bias %d, one class %v", seed, loss, bias, oneClass), m)
	}
}

// No point nearby is better than the solution.
func TestSolve(t *testing.T) {
	variants(t, func(t *testing.T, name string, m *deformed.Machine) {
		l := len(m.Targets)
		p := m.Solve(t.Context(), nil)
		best := m.Value(p)
		rng := rand.New(rand.NewPCG(uint64(l), 4))
		for range 40 {
			q := &deformed.Solution{A: make([]float64, l), F: make([]float64, l), B: p.B}
			step := math.Pow(10, -4*rng.Float64())
			for k := range q.A {
				q.A[k] = p.A[k] + step*rng.NormFloat64()
			}
			if m.Problem.Bias != nil {
				q.B += step * rng.NormFloat64()
			}
			for k := range q.F {
				for j, a := range q.A {
					q.F[k] += m.Problem.Kernel[k*l+j] * a
				}
				if m.Problem.Bias != nil {
					q.F[k] += q.B * m.Problem.Bias[k]
				}
			}
			if value := m.Value(q); !(value >= best-1e-9*(1+math.Abs(best))) {
				t.Errorf("%s: J = %v, but %v nearby", name, best, value)
			}
		}
	})
}

func TestLeaveOneOut(t *testing.T) {
	again := 0
	variants(t, func(t *testing.T, name string, m *deformed.Machine) {
		p := m.Solve(t.Context(), nil)
		for k, got := range m.LeaveOneOut(t.Context(), p) {
			smaller, output := without(m, k)
			q := smaller.Solve(t.Context(), nil)
			if m.Loss == objective.SquaredInsensitive && smaller.ErrorVectors(q) == 0 {
				continue // all labels are in the tube, for more than one bias
			}
			if want := output(q); !(math.Abs(got-want) <= 1e-6*(1+math.Abs(want))) {
				t.Errorf("%s: without point %d its output is %v, want %v", name, k, got, want)
			}
			// Count the cases in which another point changes sides.
			if m.Loss == objective.SquaredHinge {
				for j, y := range m.Targets {
					at := j
					if j > k {
						at--
					}
					if j != k && (y*p.F[j] < 1) != (y*q.F[at] < 1) {
						again++
						break
					}
				}
			}
		}
	})
	if again < 20 {
		t.Errorf("only %d of the cases had another point change sides", again)
	}
}

// A warm start leads to the same solution.
func TestWarmStart(t *testing.T) {
	variants(t, func(t *testing.T, name string, m *deformed.Machine) {
		p := m.Solve(t.Context(), nil)
		start := &deformed.Solution{A: append([]float64(nil), p.A...), F: append([]float64(nil), p.F...), B: p.B}
		for k := range start.F {
			start.F[k] *= 0.5
		}
		q := m.Solve(t.Context(), start)
		for k := range p.F {
			if !(math.Abs(p.F[k]-q.F[k]) <= 1e-8*(1+math.Abs(p.F[k]))) {
				t.Errorf("%s: f_%d is %v, warm %v", name, k, p.F[k], q.F[k])
			}
		}
	})
}

// A plain SVM has LIBSVM's support vectors and objective. LIBSVM's C is
// 1/(2γA) in these terms.
func TestAgainstLIBSVM(t *testing.T) {
	train, err := exec.LookPath("svm-train")
	if err != nil {
		t.Skip("svm-train is not installed (Debian package libsvm-tools)")
	}
	rng := rand.New(rand.NewPCG(6, 6))
	const n, d, sigma = 300, 6, 1.5
	values, y := make([]float64, n*d), make([]float64, n)
	var text strings.Builder
	labelled := make([]int, n)
	for i := range n {
		labelled[i] = i
		y[i] = 1 - 2*float64(i%2)
		fmt.Fprint(&text, y[i])
		for j := range d {
			values[i*d+j] = rng.NormFloat64() + 0.6*y[i]
			fmt.Fprintf(&text, " %d:%.17g", j+1, values[i*d+j])
		}
		fmt.Fprintln(&text)
	}
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "data"), []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	k, err := gram.NewHalf(t.Context(), points.Dense(n, d, values), kernel.Gaussian{Sigma: sigma}, gram.Double)
	if err != nil {
		t.Fatal(err)
	}
	defer k.Close()
	f, err := deformed.NewFactor(t.Context(), k, 0)
	if err != nil {
		t.Fatal(err)
	}
	v, err := f.Reduction(t.Context(), nil, labelled, objective.BiasOutside)
	if err != nil {
		t.Fatal(err)
	}
	for _, tolerance := range []float64{1e-3, 1e-8} {
		for _, gammaA := range []float64{0.005, 0.5, 5} {
			problem, err := v.Problem(t.Context(), deformed.Gammas{A: gammaA})
			if err != nil {
				t.Fatal(err)
			}
			m := &deformed.Machine{Problem: problem, Loss: objective.Hinge, Targets: y, Tolerance: tolerance}
			p := m.Solve(t.Context(), nil)
			model := filepath.Join(folder, "model")
			c := 1 / (2 * gammaA)
			out, err := exec.Command(train, "-t", "2", "-g", number(1/(2*sigma*sigma)), "-c", number(c), "-e", number(tolerance), "-h", "0",
				filepath.Join(folder, "data"), model).CombinedOutput()
			if err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			// LIBSVM's β is β/γA in these terms, and so is its objective.
			want := -after(t, string(out), "obj = ")
			got := dual(m, p) / gammaA
			close := 1e-3
			if tolerance < 1e-6 {
				close = 1e-6
			}
			if !(math.Abs(got/want-1) <= close) {
				t.Errorf("C = %g, tolerance %g: objective %v, LIBSVM %v", c, tolerance, got, want)
			}
			support := 0
			for _, a := range p.A {
				if a != 0 {
					support++
				}
			}
			nSV := after(t, string(out), "nSV = ")
			t.Logf("C = %g, tolerance %g: objective %.8g, LIBSVM %.8g; %d support vectors, LIBSVM %v", c, tolerance, got, want, support, nSV)
			if tolerance > 1e-6 {
				continue // which points on the margin count is then a matter of rounding
			}
			text, err := os.ReadFile(model)
			if err != nil {
				t.Fatal(err)
			}
			for _, row := range svs(string(text)) {
				if a := p.A[row.index(values, d)]; !(math.Abs(a/gammaA-row.coefficient) <= 1e-4*c) {
					t.Errorf("C = %g: coefficient %v, LIBSVM %v", c, a/gammaA, row.coefficient)
				}
			}
			if float64(support) != nSV {
				t.Errorf("C = %g: %d support vectors, LIBSVM %v", c, support, nSV)
			}
			if rho := after(t, string(text), "rho "); !(math.Abs(p.B+rho) <= 1e-5*(1+math.Abs(rho))) {
				t.Errorf("C = %g: bias %v, LIBSVM %v", c, p.B, -rho)
			}
		}
	}
}

func number(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// after reads the number that follows a text.
func after(t *testing.T, s, text string) float64 {
	t.Helper()
	_, rest, found := strings.Cut(s, text)
	if !found {
		t.Fatalf("no %q in %q", text, s)
	}
	v, err := strconv.ParseFloat(strings.FieldsFunc(rest, func(r rune) bool { return strings.ContainsRune(" ,\n", r) })[0], 64)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

type supportVector struct {
	coefficient float64
	first       string
}

// svs reads the support vectors of a LIBSVM model.
func svs(model string) []supportVector {
	_, text, _ := strings.Cut(model, "\nSV\n")
	var all []supportVector
	for line := range strings.Lines(text) {
		fields := strings.Fields(line)
		v, _ := strconv.ParseFloat(fields[0], 64)
		all = append(all, supportVector{v, strings.TrimPrefix(fields[1], "1:")})
	}
	return all
}

// index finds the point by its first coordinate, which LIBSVM writes with 17
// digits.
func (s supportVector) index(values []float64, d int) int {
	first, _ := strconv.ParseFloat(s.first, 64)
	best := 0
	for i := 0; i < len(values); i += d {
		if math.Abs(values[i]-first) < math.Abs(values[best*d]-first) {
			best = i / d
		}
	}
	return best
}
