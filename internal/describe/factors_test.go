package describe

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"lapsvm/points"
)

// mixtures returns n rows of d columns that a few factors of unequal size make, in noise of deviation 1, and columns in the given unit.
func mixtures(n, d, factors int, unit float64, seed uint64) *points.Points {
	random := rand.New(rand.NewPCG(5, 1))
	loadings := make([]float64, factors*d)
	for k := range loadings {
		loadings[k] = float64(1+k/d) * float64(2*random.IntN(2)-1) // so that the noise is as much in every column
	}
	random = rand.New(rand.NewPCG(seed, 2))
	values := make([]float64, n*d)
	for i := range n {
		row := values[i*d : (i+1)*d]
		for k := range factors {
			size := random.NormFloat64()
			for j := range row {
				row[j] += size * loadings[k*d+j]
			}
		}
		for j := range row {
			row[j] = unit * (row[j] + random.NormFloat64() + 40)
		}
	}
	return points.Dense(n, d, values)
}

// The factors are those that made the rows, whatever the shape of the table and the unit, and have one deviation and no correlation.
func TestFactors(t *testing.T) {
	for _, c := range []struct {
		n, d, factors int
		unit          float64
	}{{200, 30, 3, 1}, {60, 40, 2, 1e-9}, {40, 300, 4, 1e12}, {400, 270, 5, 1}, {300, 12, 1, 3}} {
		p := mixtures(c.n, c.d, c.factors, c.unit, 1)
		d, err := LearnFactors(t.Context(), p, 1)
		if err != nil {
			t.Fatal(c, err)
		}
		if d.Dim() != c.factors || !slices.Equal(d.Names(), []string{Factors}) || d.Inputs() != c.d {
			t.Errorf("%+v: %d factors of %v", c, d.Dim(), d.Names())
			continue
		}
		x, err := d.Apply(t.Context(), p)
		if err != nil {
			t.Fatal(err)
		}
		m := c.factors
		mean, products := make([]float64, m), make([]float64, m*m)
		for i := range c.n {
			for a, v := range x.Row(i, nil) {
				mean[a] += v / float64(c.n)
			}
		}
		for i := range c.n {
			row := slices.Clone(x.Row(i, make([]float64, m)))
			for a := range m {
				for b := range m {
					products[a*m+b] += (row[a] - mean[a]) * (row[b] - mean[b]) / float64(c.n)
				}
			}
		}
		for a := range m {
			for b := range m {
				want, within := 0.0, 0.02
				if a == b {
					want = 1 / float64(m)
				}
				if c.n > factorRows && c.d > factorRows { // learned from a part of the rows
					within = 0.15
				}
				if got := products[a*m+b]; !(math.Abs(got-want) <= within) {
					t.Errorf("%+v: factors %d and %d have the product %.3g, want %.3g", c, a, b, got, want)
				}
			}
		}
		part := d.Parts[0] // a row by the formula
		scaled := part.Scaling.Apply(p.Subset([]int{7})).Row(0, nil)
		for f, v := range x.Row(7, nil) {
			want := 0.0
			for j, s := range scaled {
				want += s * float64(part.Components[j*m+f])
			}
			if !(math.Abs(v-want) <= 1e-6*(1+math.Abs(want))) {
				t.Errorf("%+v: factor %d of a row is %g, want %g", c, f, v, want)
			}
		}
	}
}

// Noise alone has no factors, and neither have few columns, equal rows and sparse ones.
func TestFactorsThereAreNone(t *testing.T) {
	for name, p := range map[string]*points.Points{
		"noise":       mixtures(200, 30, 0, 1, 1),
		"one sign":    oneSign(200, 30),
		"few columns": mixtures(200, FewestFactored-1, 2, 1, 1),
		"few rows":    mixtures(FewestFactored-1, 30, 2, 1, 1),
		"equal":       points.Dense(20, 12, make([]float64, 240)),
		"sparse":      Sparse(mixtures(50, 20, 2, 1, 1)),
	} {
		if d, err := LearnFactors(t.Context(), p, 1); err == nil {
			t.Errorf("%s: %d factors", name, d.Dim())
		}
	}
	d, err := LearnFactors(t.Context(), mixtures(200, 30, 3, 1, 1), 1)
	if err != nil {
		t.Fatal(err)
	}
	for name, spoil := range map[string]func(p *Part){
		"no scaling":    func(p *Part) { p.Scaling = nil },
		"no components": func(p *Part) { p.Components = nil },
		"too few":       func(p *Part) { p.Components = p.Components[1:] },
		"infinite":      func(p *Part) { p.Components[3] = float32(math.Inf(1)) },
	} {
		part := d.Parts[0]
		part.Components = slices.Clone(part.Components)
		spoil(&part)
		if spoilt := (&OfColumns{Columns: 30, Parts: []Part{part}}); spoilt.Validate() == nil {
			t.Errorf("%s: valid", name)
		}
	}
}

// oneSign returns rows whose values are 0 in most of them and positive in others, so that the columns have means when they are scaled.
func oneSign(n, d int) *points.Points {
	random := rand.New(rand.NewPCG(5, 3))
	values := make([]float64, n*d)
	for i := range values {
		values[i] = max(0, random.NormFloat64()-0.5)
	}
	return points.Dense(n, d, values)
}

// The limit is ω(β) times the median: 2.86 for as many rows as columns, and 2.17 for half as many.
func TestAboveTheNoise(t *testing.T) {
	for _, c := range []struct {
		m, d, want int
		largest    []float64
	}{{7, 7, 1, []float64{2.87, 2.85}}, {7, 7, 2, []float64{2.87, 2.87}}, {14, 7, 1, []float64{2.18, 2.16}}, {7, 14, 1, []float64{2.18, 2.16}}, {7, 7, 0, []float64{2.85, 1}}} {
		var squares []float64
		for _, s := range append(c.largest, 1, 1, 1, 0.9, 0.8) {
			squares = append(squares, s*s)
		}
		if got := above(squares, c.m, c.d); got != c.want {
			t.Errorf("%d×%d, %v: %d above the noise, want %d", c.m, c.d, c.largest, got, c.want)
		}
	}
}

// The noise is told by the median of the singular values, and the limit by the shape: 2.86 of it for a square, 1.834 for a quarter of one. What is rounding
// of the largest tells nothing of the noise.
func TestAboveTheMedian(t *testing.T) {
	singular := []float64{12, 5, 2.8, 2.8, 2.8, 1, 1, 1, 1, 0.9}
	squares := make([]float64, len(singular))
	for k, s := range singular {
		squares[k] = s * s
	}
	dependent := append(slices.Clone(squares), 1e-15, 0, 0, 0)
	for _, c := range []struct {
		squares    []float64
		m, d, want int
	}{{squares, 10, 10, 2}, {squares, 40, 10, 5}, {squares, 10, 40, 5}, {dependent, 14, 14, 2}, {make([]float64, 10), 10, 10, 0}} {
		if got := above(c.squares, c.m, c.d); got != c.want {
			t.Errorf("%d of %v are above the noise of %d×%d, want %d", got, c.squares, c.m, c.d, c.want)
		}
	}
}
