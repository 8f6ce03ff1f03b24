package lapsvm_test

import (
	"bytes"
	"cmp"
	"errors"
	"math"
	"slices"
	"testing"

	"lapsvm"
	"lapsvm/dataset"
	"lapsvm/internal/machines/modelfile"
	"lapsvm/internal/machines/task"
	"lapsvm/internal/numbers/objective"
	"lapsvm/internal/points/gram"
	"lapsvm/kernel"
	"lapsvm/points"
)

// checkExplanations checks that the parts of explanations sum to the decision values of the
// model, and that the training points they name are at the distances they give.
func checkExplanations(t *testing.T, m *lapsvm.Model, d *dataset.Dataset, tolerance float64) []lapsvm.ShareExplanation {
	t.Helper()
	everything := lapsvm.ShareOptions{Shares: d.Points.Len(), Nearest: d.Points.Len()}
	all, err := m.ExplainShares(t.Context(), d.Points, everything)
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
		if m.Recipe().Standardise == points.AsIs && m.Basis() == d.Points.Len() && (e.NearLabels[0].Distance != nearest || e.NearLabels[0].Class == dataset.Unlabelled) {
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

func TestExplainShares(t *testing.T) {
	two, _ := moons(120, 3, 1)
	many, _ := clusters(4, 25, 3)
	inside, _ := clusters(1, 30, 12)
	full, _ := moons(40, 20, 2)
	g := kernel.Gaussian{Sigma: 0.4}
	for name, c := range map[string]struct {
		t lapsvm.Trainer
		d *dataset.Dataset
	}{
		"two classes":     {lapsvm.Trainer{Recipe: lapsvm.Recipe{Kernel: g, GammaI: 1, Precision: gram.Double, RulesOfThumb: true}}, two},
		"exact":           {lapsvm.Trainer{Recipe: lapsvm.Recipe{Kernel: g, GammaI: 1, Solver: lapsvm.Deformed, RulesOfThumb: true}}, two},
		"many classes":    {lapsvm.Trainer{Recipe: lapsvm.Recipe{Kernel: kernel.Polynomial{Degree: 2, Coef0: 1}, GammaI: 1e-2, Precision: gram.Double, Standardise: points.ZScore, RulesOfThumb: true}}, many},
		"ordered classes": {lapsvm.Trainer{Recipe: lapsvm.Recipe{Kernel: kernel.Polynomial{Degree: 2, Coef0: 1}, GammaI: 1e-2, Kind: task.Ordered("c", "a", "d", "b"), Precision: gram.Double, Standardise: points.ZScore, RulesOfThumb: true}}, many},
		"Laplacian":       {lapsvm.Trainer{Recipe: lapsvm.Recipe{Kernel: kernel.Laplacian{Sigma: 0.6}, GammaI: 1, Precision: gram.Double, RulesOfThumb: true}}, two},
		"one class":       {lapsvm.Trainer{Recipe: lapsvm.Recipe{GammaI: 1e-2, Kind: task.OneClass(), Precision: gram.Double, RulesOfThumb: true}}, inside},
		"supervised":      {lapsvm.Trainer{Recipe: lapsvm.Recipe{Kernel: g, Precision: gram.Double, Supervised: true, RulesOfThumb: true}}, two},
		"all labelled":    {lapsvm.Trainer{Recipe: lapsvm.Recipe{Kernel: g, GammaI: 1e-2, Precision: gram.Double, RulesOfThumb: true}}, full},
		"given to shares": {lapsvm.Trainer{Recipe: lapsvm.Recipe{Kernel: g, GammaI: 1, Prior: lapsvm.BalancedPrior, Precision: gram.Double, RulesOfThumb: true}}, two},
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
			coefficients := contents.Coefficients[min(e.Class, len(contents.Bias)-1)]
			if contents.Kind == task.OfOrdered || len(contents.Classes) == 2 { // machines are positive above
				coefficients = make([]float64, contents.Basis.Len())
				for machine, alpha := range contents.Coefficients {
					for j, a := range alpha {
						if e.Class > machine {
							coefficients[j] += a
						} else {
							coefficients[j] -= a
						}
					}
				}
			}
			for _, s := range e.Shares {
				j := slices.Index(contents.Origin.Rows, s.Row)
				var k float64
				switch f := contents.Kernel.(type) {
				case kernel.Gaussian:
					k = math.Exp(-x.SquaredDistance(7, contents.Basis, j) / (2 * f.Sigma * f.Sigma))
				case kernel.Laplacian:
					l1 := 0.0
					for q, v := range x.DenseRow(7) {
						l1 += math.Abs(v - contents.Basis.DenseRow(j)[q])
					}
					k = math.Exp(-l1 / f.Sigma)
				case kernel.Polynomial:
					dot := 0.0
					for q, v := range x.DenseRow(7) {
						dot += v * contents.Basis.DenseRow(j)[q]
					}
					k = (dot + 1) * (dot + 1)
				}
				want := coefficients[j] * k
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
			again, err := loaded.ExplainShares(t.Context(), c.d.Points, lapsvm.ShareOptions{})
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

// The shares of the labels and the bias sum to the decision value. The shares come from one
// symmetric kernel s: label l adds a_l·s(x_i, x_l) at point i. Within the margin
// a_l = y_l − f(x_l).
func TestLabelShares(t *testing.T) {
	two, _ := moons(100, 4, 1)
	many, _ := clusters(3, 30, 3)
	g := kernel.Gaussian{Sigma: 0.4}
	chosen, err := lapsvm.Trainer{}.Choose(t.Context(), two)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		t         lapsvm.Trainer
		d         *dataset.Dataset
		symmetric bool
	}{
		"no bias":      {lapsvm.Trainer{Recipe: lapsvm.Recipe{Kernel: g, GammaA: 1e-2, GammaI: 1, Bias: objective.NoBias, RulesOfThumb: true}}, two, true},
		"bias outside": {lapsvm.Trainer{Recipe: lapsvm.Recipe{Kernel: g, GammaA: 1e-2, GammaI: 1, Bias: objective.BiasOutside, Loss: objective.Squared, RulesOfThumb: true}}, two, true},
		"bias in norm": {lapsvm.Trainer{Recipe: lapsvm.Recipe{Kernel: g, GammaA: 1e-2, GammaI: 1, Solver: lapsvm.Deformed, RulesOfThumb: true}}, two, true},
		"many classes": {lapsvm.Trainer{Recipe: lapsvm.Recipe{Kernel: kernel.Polynomial{Degree: 2, Coef0: 1}, GammaI: 1e-2, Bias: objective.NoBias, Standardise: points.ZScore, RulesOfThumb: true}}, many, true},
		"hinge":        {lapsvm.Trainer{Recipe: lapsvm.Recipe{Kernel: g, GammaI: 1, Solver: lapsvm.Dual, RulesOfThumb: true}}, two, false},
		"averaged":     {lapsvm.Trainer{Recipe: chosen}, two, false},
	} {
		t.Run(name, func(t *testing.T) {
			c.t.Recipe.LabelShares = true
			m, err := c.t.Fit(t.Context(), c.d)
			if err != nil {
				t.Fatal(err)
			}
			var file bytes.Buffer
			if err := m.Write(&file); err != nil {
				t.Fatal(err)
			}
			if m, err = lapsvm.Read(&file); err != nil {
				t.Fatal(err)
			}
			all, err := m.ExplainShares(t.Context(), c.d.Points, lapsvm.ShareOptions{})
			if err != nil {
				t.Fatal(err)
			}
			labelled := c.d.Labelled()
			if name == "averaged" && m.Recipe().Choice.Averaged < 2 {
				t.Fatal("nothing was averaged")
			}
			share := func(i, row int) float64 { // for the class or, of two, the second
				for _, s := range all[i].Labels {
					if s.Row == row && len(m.Classes()) == 2 && all[i].Class == 0 {
						return -s.Value
					} else if s.Row == row {
						return s.Value
					}
				}
				t.Fatalf("point %d: no share of row %d", i, row)
				return 0
			}
			scores, err := m.Scores(t.Context(), c.d.Points)
			if err != nil {
				t.Fatal(err)
			}
			for i, e := range all {
				if len(e.Labels) != len(labelled) || !slices.IsSortedFunc(e.Labels, func(a, b lapsvm.Share) int { return -cmp.Compare(math.Abs(a.Value), math.Abs(b.Value)) }) {
					t.Fatalf("point %d has the shares %+v", i, e.Labels)
				}
				sum := e.Rest
				for _, s := range e.Labels {
					sum += s.Value
					if y := c.d.Y[s.Row]; s.Class != y {
						t.Fatalf("row %d has the class %d, said is %d", s.Row, y, s.Class)
					}
				}
				close := func(a, b float64) bool { return math.Abs(a-b) <= 1e-7*(1+math.Abs(e.Value)) }
				if !close(sum, e.Value) {
					t.Errorf("point %d: %v, but its parts add up to %v", i, e.Value, sum)
				}
				if inNorm := m.Recipe().Bias == objective.BiasInNorm; !inNorm && !close(e.Rest, e.Bias) {
					t.Errorf("point %d: %v are left over, beside the bias %v", i, e.Rest, e.Bias)
				}
			}
			if !c.symmetric {
				return
			}
			pairs := 0
			for _, i := range labelled {
				for _, l := range labelled {
					if all[i].Class != all[l].Class && len(m.Classes()) > 2 {
						continue // of different machines
					}
					class := 1
					if len(m.Classes()) > 2 {
						class = all[i].Class
					}
					a := func(k int) float64 {
						y := -1.0
						if c.d.Y[k] == class {
							y = 1
						}
						return y - scores[k][class]
					}
					if math.Abs(a(i)) < 1e-3 || math.Abs(a(l)) < 1e-3 || share(i, l) == 0 || share(l, i) == 0 {
						continue
					}
					pairs++
					if x, y := share(i, l)/a(l), share(l, i)/a(i); !(math.Abs(x-y) <= 1e-3*(1+math.Abs(x))) {
						t.Errorf("the kernel of points %d and %d is %v, and %v the other way", i, l, x, y)
					}
				}
			}
			if pairs < 5 {
				t.Errorf("only %d pairs", pairs)
			}
		})
	}
	// Where labels have no shares of their own.
	if m, err := (lapsvm.Trainer{Recipe: lapsvm.Recipe{Kernel: g, GammaI: 1, RulesOfThumb: true}}).Fit(t.Context(), two); err != nil {
		t.Fatal(err)
	} else if all, err := m.ExplainShares(t.Context(), two.Points, lapsvm.ShareOptions{}); err != nil || all[0].Labels != nil {
		t.Errorf("without the option: %+v, error %v", all[0].Labels, err)
	}
	m, err := lapsvm.Trainer{Recipe: lapsvm.Recipe{Kernel: g, GammaI: 1, LabelShares: true, RulesOfThumb: true}}.Fit(t.Context(), two)
	if err != nil {
		t.Fatal(err)
	}
	if pruned, _, err := m.Prune(t.Context(), 0.1); err != nil || pruned == m {
		t.Fatal("nothing was pruned", err)
	} else if all, err := pruned.ExplainShares(t.Context(), two.Points, lapsvm.ShareOptions{}); err != nil || all[0].Labels != nil {
		t.Errorf("pruned: %+v, error %v", all[0].Labels, err)
	}
	for name, other := range map[string]lapsvm.Trainer{
		"pcg": {Recipe: lapsvm.Recipe{Kernel: g, GammaI: 1, Solver: lapsvm.PCG, RulesOfThumb: true}}, "newton": {Recipe: lapsvm.Recipe{Kernel: g, GammaI: 1, Solver: lapsvm.Newton, RulesOfThumb: true}}, "linear": {Recipe: lapsvm.Recipe{Kernel: kernel.Linear{}, GammaI: 1, RulesOfThumb: true}},
	} {
		other.Recipe.LabelShares = true
		if _, err := other.Fit(t.Context(), two); !errors.Is(err, lapsvm.ErrParameter) {
			t.Errorf("%s: error %v", name, err)
		}
	}
	// A supervised machine has them anyway.
	m, err = lapsvm.Trainer{Recipe: lapsvm.Recipe{Kernel: g, Precision: gram.Double, Supervised: true, RulesOfThumb: true}}.Fit(t.Context(), two)
	if err != nil {
		t.Fatal(err)
	}
	all, err := m.ExplainShares(t.Context(), two.Points, lapsvm.ShareOptions{Shares: 100})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(all[3].Labels, all[3].Shares) || all[3].Rest != all[3].Bias {
		t.Errorf("supervised: labels add %+v and %v, shares are %+v, the bias %v", all[3].Labels, all[3].Rest, all[3].Shares, all[3].Bias)
	}
}

// Single precision moves values by its rounding alone.
func TestSharesInSinglePrecision(t *testing.T) {
	d, _ := moons(120, 3, 1)
	m, err := lapsvm.Trainer{Recipe: lapsvm.Recipe{Kernel: kernel.Gaussian{Sigma: 0.4}, GammaI: 1, RulesOfThumb: true}}.Fit(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	checkExplanations(t, m, d, 1e-4)
}

func TestSharesOfFeatures(t *testing.T) {
	for name, machine := range map[string]int{"two classes": 2, "many classes": 4} {
		t.Run(name, func(t *testing.T) {
			d, _ := clusters(machine, 25, 3)
			m, err := lapsvm.Trainer{Recipe: lapsvm.Recipe{Kernel: kernel.Linear{}, GammaI: 1e-2, Precision: gram.Double, Standardise: points.MinMax, RulesOfThumb: true}}.Fit(t.Context(), d)
			if err != nil {
				t.Fatal(err)
			}
			all, err := m.ExplainShares(t.Context(), d.Points, lapsvm.ShareOptions{})
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

func TestNoShares(t *testing.T) {
	d, _ := moons(40, 2, 1)
	m, err := lapsvm.Trainer{Recipe: lapsvm.Recipe{Kernel: kernel.Gaussian{Sigma: 0.4}, GammaI: 1, RulesOfThumb: true}}.Fit(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.ExplainShares(t.Context(), points.Dense(1, 3, []float64{1, 2, 3}), lapsvm.ShareOptions{}); !errors.Is(err, lapsvm.ErrData) {
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
	if _, err := old.ExplainShares(t.Context(), d.Points, lapsvm.ShareOptions{}); !errors.Is(err, lapsvm.ErrData) {
		t.Errorf("a model without origin: error %v", err)
	}
}
