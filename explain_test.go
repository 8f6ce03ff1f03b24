package lapsvm_test

import (
	"bytes"
	"errors"
	"math"
	"slices"
	"testing"

	"lapsvm"
	"lapsvm/dataset"
	"lapsvm/gram"
	"lapsvm/kernel"
	"lapsvm/modelfile"
	"lapsvm/points"
)

// checkExplanations checks that the parts of explanations add up to the
// decision values that the model gives, and name training points that are where
// they are said to be.
func checkExplanations(t *testing.T, m *lapsvm.Model, d *dataset.Dataset, tolerance float64) []lapsvm.Explanation {
	t.Helper()
	everything := lapsvm.ExplainOptions{Shares: d.Points.Len(), Nearest: d.Points.Len()}
	all, err := m.Explain(t.Context(), d.Points, everything)
	if err != nil {
		t.Fatal(err)
	}
	scores, err := m.Scores(t.Context(), d.Points)
	if err != nil {
		t.Fatal(err)
	}
	predicted := m.Decide(scores)
	for i, e := range all {
		if want := max(predicted[i], 0); e.Class != want {
			t.Fatalf("point %d: class %d, want %d", i, e.Class, want)
		}
		if want := scores[i][e.Class]; math.Abs(e.Value-want) > tolerance*(1+math.Abs(want)) {
			t.Errorf("point %d: value %v, the model says %v", i, e.Value, want)
		}
		scale := math.Abs(e.Bias)
		labelled, unlabelled := make([]float64, len(m.Classes())), 0.0
		for _, s := range e.Shares {
			scale += math.Abs(s.Value)
			if s.Class == dataset.Unlabelled {
				unlabelled += s.Value
			} else {
				labelled[s.Class] += s.Value
			}
			class := dataset.Unlabelled
			if y := d.Y[s.Row]; y != dataset.Unlabelled {
				class = slices.Index(m.Classes(), d.Classes[y])
			}
			if s.Class != class {
				t.Fatalf("row %d has the class %d, said is %d", s.Row, class, s.Class)
			}
		}
		if math.Abs(scale-e.Magnitude) > 1e-12*scale {
			t.Errorf("point %d: magnitude %v, said is %v", i, scale, e.Magnitude)
		}
		nearest := math.Inf(1)
		for k, y := range d.Y {
			if y != dataset.Unlabelled && m.Basis() == d.Points.Len() {
				nearest = min(nearest, math.Sqrt(d.Points.SquaredDistance(i, d.Points, k)))
			}
		}
		if m.Config().Standardise == string(points.AsIs) && m.Basis() == d.Points.Len() && (e.NearLabels[0].Distance != nearest || e.NearLabels[0].Class == dataset.Unlabelled) {
			t.Errorf("point %d: the nearest labelled is %+v, want distance %v", i, e.NearLabels[0], nearest)
		}
		// 2⁻⁵² of what is added, for each of a few hundred terms.
		close := func(a, b float64) bool { return math.Abs(a-b) <= 1e-13*scale }
		sum := e.Bias + unlabelled
		for c, v := range labelled {
			sum += v
			if !close(v, e.Labelled[c]) {
				t.Errorf("point %d: the labelled points of class %d add up to %v, said is %v", i, c, v, e.Labelled[c])
			}
		}
		if !close(unlabelled, e.Unlabelled) || !close(sum, e.Value) {
			t.Errorf("point %d: unlabelled %v, said is %v; together %v, said is %v", i, unlabelled, e.Unlabelled, sum, e.Value)
		}
		if !slices.IsSortedFunc(e.Shares, func(a, b lapsvm.Share) int {
			if math.Abs(a.Value) >= math.Abs(b.Value) {
				return -1
			}
			return 1
		}) {
			t.Errorf("point %d: the shares do not descend", i)
		}
		if m.Basis() == d.Points.Len() && (e.Nearest[0].Distance != 0 || e.Nearest[0].Row != i && !d.Points.EqualRows(i, e.Nearest[0].Row)) {
			t.Errorf("point %d: the nearest is %+v", i, e.Nearest[0])
		}
		for k, s := range e.Nearest[1:] {
			if s.Distance < e.Nearest[k].Distance {
				t.Errorf("point %d: the distances of the nearest descend", i)
			}
		}
	}
	return all
}

func TestExplain(t *testing.T) {
	two, _ := moons(120, 3, 1)
	many, _ := clusters(4, 25, 3)
	inside, _ := clusters(1, 30, 12)
	full, _ := moons(40, 20, 2)
	g := kernel.Gaussian{Sigma: 0.4}
	for name, c := range map[string]struct {
		t lapsvm.Trainer
		d *dataset.Dataset
	}{
		"two classes":     {lapsvm.Trainer{Kernel: g, GammaI: 1, Precision: gram.Double}, two},
		"exact":           {lapsvm.Trainer{Kernel: g, GammaI: 1, Solver: lapsvm.Deformed}, two},
		"many classes":    {lapsvm.Trainer{Kernel: kernel.Polynomial{Degree: 2, Coef0: 1}, GammaI: 1e-2, Precision: gram.Double, Standardise: points.ZScore}, many},
		"one class":       {lapsvm.Trainer{GammaI: 1e-2, OneClass: true, Precision: gram.Double}, inside},
		"supervised":      {lapsvm.Trainer{Kernel: g, Precision: gram.Double}, two},
		"all labelled":    {lapsvm.Trainer{Kernel: g, GammaI: 1e-2, Precision: gram.Double}, full},
		"given to shares": {lapsvm.Trainer{Kernel: g, GammaI: 1, Prior: lapsvm.BalancedPrior, Precision: gram.Double}, two},
	} {
		t.Run(name, func(t *testing.T) {
			m, err := c.t.Fit(t.Context(), c.d)
			if err != nil {
				t.Fatal(err)
			}
			all := checkExplanations(t, m, c.d, 1e-11)
			// A share is a coefficient times a kernel value: without the machine's
			// own arithmetic, from the file.
			var b bytes.Buffer
			if err := m.Write(&b); err != nil {
				t.Fatal(err)
			}
			file := b.Bytes()
			contents, err := modelfile.Read(bytes.NewReader(file))
			if err != nil {
				t.Fatal(err)
			}
			x, e := contents.Scaling.Apply(c.d.Points), all[7]
			machine, sign := e.Class, 1.0
			if len(contents.Classes) == 2 {
				machine, sign = 0, float64(2*e.Class-1)
			}
			for _, s := range e.Shares {
				j := slices.Index(contents.Origin.Rows, s.Row)
				var k float64
				switch f := contents.Kernel.(type) {
				case kernel.Gaussian:
					k = math.Exp(-x.SquaredDistance(7, contents.Basis, j) / (2 * f.Sigma * f.Sigma))
				case kernel.Polynomial:
					dot := 0.0
					for q, v := range x.DenseRow(7) {
						dot += v * contents.Basis.DenseRow(j)[q]
					}
					k = (dot + 1) * (dot + 1)
				}
				want := sign * contents.Coefficients[machine][j] * k
				if !(math.Abs(s.Value-want) <= 1e-9*(math.Abs(want)+1e-9)) {
					t.Errorf("row %d has the share %v, want %v", s.Row, s.Value, want)
				}
				if math.Abs(s.Distance-math.Sqrt(x.SquaredDistance(7, x, s.Row))) > 1e-12 {
					t.Errorf("row %d is %v away, want %v", s.Row, s.Distance, math.Sqrt(x.SquaredDistance(7, x, s.Row)))
				}
			}
			// The file gives the same explanation.
			loaded, err := lapsvm.Read(bytes.NewReader(file))
			if err != nil {
				t.Fatal(err)
			}
			again, err := loaded.Explain(t.Context(), c.d.Points, lapsvm.ExplainOptions{})
			if err != nil {
				t.Fatal(err)
			}
			for i := range again {
				if again[i].Value != all[i].Value || !slices.Equal(again[i].Shares, all[i].Shares[:min(5, len(all[i].Shares))]) || !slices.Equal(again[i].Nearest, all[i].Nearest[:min(3, len(all[i].Nearest))]) {
					t.Fatalf("point %d is explained in another way after reading", i)
				}
			}
		})
	}
}

// Single precision moves values by its rounding alone.
func TestExplainSinglePrecision(t *testing.T) {
	d, _ := moons(120, 3, 1)
	m, err := lapsvm.Trainer{Kernel: kernel.Gaussian{Sigma: 0.4}, GammaI: 1}.Fit(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	checkExplanations(t, m, d, 1e-4)
}

func TestExplainLinear(t *testing.T) {
	for name, machine := range map[string]int{"two classes": 2, "many classes": 4} {
		t.Run(name, func(t *testing.T) {
			d, _ := clusters(machine, 25, 3)
			m, err := lapsvm.Trainer{Kernel: kernel.Linear{}, GammaI: 1e-2, Precision: gram.Double, Standardise: points.MinMax}.Fit(t.Context(), d)
			if err != nil {
				t.Fatal(err)
			}
			all, err := m.Explain(t.Context(), d.Points, lapsvm.ExplainOptions{})
			if err != nil {
				t.Fatal(err)
			}
			scores, err := m.Scores(t.Context(), d.Points)
			if err != nil {
				t.Fatal(err)
			}
			for i, e := range all {
				sum := e.Bias
				for _, f := range e.Features {
					sum += f.Value
				}
				if want := scores[i][e.Class]; math.Abs(sum-want) > 1e-11 || math.Abs(e.Value-want) > 1e-11 || len(e.Features) == 0 || e.Shares != nil {
					t.Errorf("point %d: features add up to %v, value %v, the model says %v", i, sum, e.Value, want)
				}
			}
		})
	}
}

func TestExplainErrors(t *testing.T) {
	d, _ := moons(40, 2, 1)
	m, err := lapsvm.Trainer{Kernel: kernel.Gaussian{Sigma: 0.4}, GammaI: 1}.Fit(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.Explain(t.Context(), points.Dense(1, 3, []float64{1, 2, 3}), lapsvm.ExplainOptions{}); !errors.Is(err, lapsvm.ErrData) {
		t.Errorf("points of another dimension: error %v", err)
	}
	var b bytes.Buffer
	if err := m.Write(&b); err != nil {
		t.Fatal(err)
	}
	c, err := modelfile.Read(&b)
	if err != nil {
		t.Fatal(err)
	}
	c.Origin = nil // as older programs wrote it
	b.Reset()
	if err := modelfile.Write(&b, c); err != nil {
		t.Fatal(err)
	}
	old, err := lapsvm.Read(&b)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := old.Predict(t.Context(), d.Points); err != nil {
		t.Error(err)
	}
	if _, err := old.Explain(t.Context(), d.Points, lapsvm.ExplainOptions{}); !errors.Is(err, lapsvm.ErrData) {
		t.Errorf("a model without origin: error %v", err)
	}
}
