package train

import (
	"slices"
	"testing"

	"lapsvm/dataset"
	"lapsvm/internal/points/gram"
	"lapsvm/kernel"
	"lapsvm/points"
)

// misled are points along a line that the function x of a linear kernel decides, in groups that
// are far from each other along y:
//
//   - six points at x = −1 with a lone one at x = 0.3, c times: the neighbours of the lone one
//     alone mislead;
//   - six points at x = 1, b/6 times, to which the test gives a negative value: the expansion alone
//     misleads;
//   - others at x = ±1, which both decide.
//
// x is shifted. It returns the points with b.
func misled(b, c int, shift float64) (*points.Points, []bool) {
	var values []float64
	var negative []bool
	y := 0.0
	group := func(x float64, lone, turned bool) {
		y += 10
		for k := range 6 {
			values, negative = append(values, x-shift, y+0.1*float64(k)), append(negative, turned)
		}
		if lone {
			values, negative = append(values, 0.3-shift, y+2), append(negative, false)
		}
	}
	for k := range 80 {
		group(float64(k%2*2-1), false, false)
	}
	for range c {
		group(-1, true, false)
	}
	for range b / 6 {
		group(1, false, true)
	}
	return points.Dense(len(negative), 2, values), negative
}

// Neighbours are kept where the expansion alone decides b points otherwise than the training,
// neighbours alone c, and b − c is more than one standard error √(b + c).
func TestNeighboursAreKept(t *testing.T) {
	for name, c := range map[string]struct {
		b, c    int
		shift   float64 // of x, which the bias makes up for
		compact bool
		want    bool
	}{
		"no difference":               {0, 0, 0, false, false},
		"more than an error":          {12, 7, 0, false, true},  // 5 > √19
		"less than an error":          {12, 8, 0, false, false}, // 4 < √20, though more than √12
		"one error":                   {6, 3, 0, false, false},  // 3 = √9
		"by neighbours alone":         {0, 12, 0, false, false},
		"by the expansion":            {6, 0, 0, false, true},
		"asked to be compact":         {12, 0, 0, true, false},
		"little of very many":         {30, 22, 0, false, true},  // 8 > √52
		"too little of those ":        {30, 23, 0, false, false}, // 7 < √53
		"a bias":                      {6, 0, 2, false, true},
		"a bias, asked to be compact": {0, 0, 2, true, false},
	} {
		x, negative := misled(c.b, c.c, c.shift)
		d := &dataset.Dataset{Points: x, Y: make([]int, x.Len()), Classes: []string{"a", "b"}}
		for i := range d.Y {
			if d.Y[i] = dataset.Unlabelled; i < 12 {
				d.Y[i] = i / 6
			}
		}
		r := Recipe{Kernel: kernel.Linear{}, GammaA: 1e-3, GammaI: 1, Solver: Landmarks, Landmarks: 2, Precision: gram.Double, Compact: c.compact, Standardise: points.AsIs, Seed: 1}
		for slices.Max(gram.DrawRows(x.Len(), r.Landmarks, r.Seed)) >= 80*6 { // landmarks are not asked
			r.Seed++
		}
		r.Graph.Neighbours, r.Graph.Degree = 5, 1
		p, err := Begin(t.Context(), d, r, Run{})
		if err != nil {
			t.Fatal(err)
		}
		k := p.Geometry.Landmarks()
		m := &minimum{}
		weights := p.startOnLandmarks(m, k)
		m.F[0], m.residual[0] = make([]float64, x.Len()), make([]float64, x.Len())
		for i := range m.F[0] {
			if m.F[0][i] = x.DenseRow(i)[0] + c.shift; negative[i] {
				m.F[0][i] = -0.1
			}
		}
		m.B[0] = c.shift
		for i, f := range m.F[0] {
			m.residual[0][i] = f - c.shift // the expansion is the bias alone
		}
		if m.expansion, m.basis, err = k.Expansion(t.Context(), weights, m.B); err != nil {
			t.Fatal(err)
		}
		f := &Fitted{}
		if err := p.forNewPoints(t.Context(), f, m, Run{}); err != nil {
			t.Fatal(err)
		}
		got := f.Summary.NewPoints
		if got.Sample != x.Len()-r.Landmarks {
			t.Errorf("%s: %d of %d points are asked, want all but %d landmarks", name, got.Sample, x.Len(), r.Landmarks)
		}
		percent := 100 / float64(got.Sample)
		if !c.compact && !(almost(got.Compact, float64(c.b)*percent) && almost(got.Neighbours, float64(c.c)*percent)) {
			t.Errorf("%s: %+v, want %d and %d points", name, got, c.b, c.c)
		}
		if got.Kept != c.want || (m.expansion.Local != nil) != c.want {
			t.Errorf("%s: neighbours are kept %v, want %v", name, got.Kept, c.want)
		}
		p.Geometry.Close()
	}
}

// Labelled points are asked as far as the others are too few, and landmarks never.
func TestUnlabelledPointsAreAskedFirst(t *testing.T) {
	for _, c := range []struct{ n, labelled, asked int }{{askedPoints + 200, 40, 0}, {askedPoints + 20, 80, 61}} {
		x := make([]float64, c.n)
		d := &dataset.Dataset{Y: make([]int, c.n), Classes: []string{"a", "b"}}
		for i := range d.Y {
			x[i] = 1 + float64(i)/float64(c.n)
			if d.Y[i] = dataset.Unlabelled; i < c.labelled {
				d.Y[i] = i % 2
			}
		}
		d.Points = points.Dense(c.n, 1, x)
		r := Recipe{Kernel: kernel.Linear{}, GammaA: 1, GammaI: 1, Solver: Landmarks, Landmarks: 1, Standardise: points.AsIs}
		r.Graph.Neighbours, r.Graph.Degree = 3, 1
		p, err := Begin(t.Context(), d, r, Run{})
		if err != nil {
			t.Fatal(err)
		}
		_, sample := p.drawn([]int{c.n - 1})
		asked := 0
		for _, i := range sample {
			if i < c.labelled {
				asked++
			}
		}
		if asked != c.asked || len(sample) != askedPoints || slices.Contains(sample, c.n-1) {
			t.Errorf("%d points, %d of them labelled: %d labelled ones are asked of %d", c.n, c.labelled, asked, len(sample))
		}
		p.Geometry.Close()
	}
}

func almost(a, b float64) bool { return a-b < 1e-9 && b-a < 1e-9 }
