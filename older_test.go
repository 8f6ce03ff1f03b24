package lapsvm_test

import (
	"bytes"
	"encoding/csv"
	"errors"
	"math"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"lapsvm"
	"lapsvm/dataset"
	"lapsvm/dataset/files"
	"lapsvm/internal/machines/solve"
	"lapsvm/internal/numbers/objective"
	"lapsvm/internal/points/gram"
	"lapsvm/internal/points/graph"
	"lapsvm/kernel"
	"lapsvm/points"
)

// Model files of a program older than recipes load with the same parameters, and give the
// scores that this program gave the points in testdata/older/points.csv. The scores may differ
// by rounding, because another processor summed in another order.
func TestOlderFiles(t *testing.T) {
	d, err := files.ReadFile("testdata/older/points.csv", files.Options{})
	if err != nil {
		t.Fatal(err)
	}
	common := lapsvm.Recipe{Loss: objective.SquaredHinge, Standardise: points.AsIs, Describe: lapsvm.Undescribed, Precision: gram.Double, Gram: gram.FormHalf}
	common.Graph.Metric = graph.Euclidean
	for name, c := range map[string]struct {
		want   func(r *lapsvm.Recipe)
		choice int     // machines compared
		again  float64 // by how much the scores of a training by the recipe may differ; 0 where it is that of the best member alone
	}{
		"averaged": {func(r *lapsvm.Recipe) {
			r.Kernel, r.GammaA, r.GammaI = kernel.Gaussian{Sigma: 0.365624}, 1e-6, 100
			r.Graph.Neighbours, r.Graph.Degree, r.Graph.Weights, r.Graph.HeatWidth = 2, 1, graph.Heat, 0.20270
			r.Solver = lapsvm.Deformed
		}, 3 * (5*3*25 + 5), 0},
		"outside": {func(r *lapsvm.Recipe) {
			r.Kernel, r.GammaA, r.GammaI, r.Bias = kernel.Gaussian{Sigma: 0.7}, 0.01, 0.5, objective.BiasOutside
			r.Graph.Neighbours, r.Graph.Degree, r.Graph.Weights, r.Graph.HeatWidth = 4, 1, graph.Heat, 0.45254
			r.Solver, r.Standardise = lapsvm.Newton, points.ZScore
		}, 0, 1e-6},
		"prior": {func(r *lapsvm.Recipe) {
			r.Kernel, r.GammaA, r.GammaI = kernel.Gaussian{Sigma: 0.5}, 0.001, 1
			r.Prior = lapsvm.ClassPrior{"A": 0.3, "B": 0.7}
			r.Graph.Neighbours, r.Graph.Degree, r.Graph.Weights = 5, 2, graph.Binary
			r.Solver, r.Stop, r.CheckEvery, r.MaxIterations, r.Tolerance = lapsvm.PCG, solve.Auto, 16, 1000, 0.015
		}, 0, 1e-6},
	} {
		t.Run(name, func(t *testing.T) {
			m, err := lapsvm.Load("testdata/older/" + name + ".lapsvm")
			if err != nil {
				t.Fatal(err)
			}
			compareScores(t, m, d.Points, recorded(t, "testdata/older/"+name+".csv"), 1e-10)
			got, want := m.Recipe(), common
			c.want(&want)
			if choice := got.Choice; (choice != nil) != (c.choice > 0) || choice != nil && (choice.Candidates != c.choice || choice.Averaged < 2 || choice.GammaI != 100) {
				t.Errorf("the choice is %+v, of %d machines", choice, c.choice)
			}
			if got.Choice != nil {
				want.Baseline = lapsvm.Baseline{SupervisedSigma: got.Choice.SupervisedSigma, SupervisedGamma: 1}
			}
			got.Choice = nil
			if k := got.Kernel.Parameters().Sigma; !(math.Abs(k-want.Kernel.Parameters().Sigma) <= 5e-7) || !(math.Abs(got.Graph.HeatWidth-want.Graph.HeatWidth) <= 5e-6) {
				t.Errorf("the width %v and the heat width %v", k, got.Graph.HeatWidth)
			}
			got.Kernel, got.Graph.HeatWidth = want.Kernel, want.Graph.HeatWidth
			if !reflect.DeepEqual(got, want) {
				t.Errorf("the recipe is %+v, want %+v", got, want)
			}
			if got := m.Recipe(); got.Open() || len(got.Members) > 0 {
				t.Errorf("the recipe %+v is open or has members", got)
			}
			if c.again > 0 {
				compareScores(t, fit(t, m.Recipe(), d), d.Points, recorded(t, "testdata/older/"+name+".csv"), c.again)
			}
		})
	}
}

// A model whose index has the neighbours of every point and trees, as one of walks had, has its decision values still. It is written with cells.
func TestOlderNeighbours(t *testing.T) {
	d, err := files.ReadFile("testdata/older/points.csv", files.Options{})
	if err != nil {
		t.Fatal(err)
	}
	m, err := lapsvm.Load("testdata/older/neighbours.lapsvm")
	if err != nil {
		t.Fatal(err)
	}
	want := recorded(t, "testdata/older/neighbours.csv")
	compareScores(t, m, d.Points, want, 1e-10)
	var again bytes.Buffer
	if err := m.Write(&again); err != nil {
		t.Fatal(err)
	}
	if m, err = lapsvm.Read(&again); err != nil {
		t.Fatal(err)
	}
	compareScores(t, m, d.Points, want, 1e-10)
}

// A model of several classes from before their sets and explanations has its classes and probabilities still.
func TestOlderSeveral(t *testing.T) {
	want := recorded(t, "testdata/older/several.csv")
	d, err := files.ReadFile("testdata/older/several_points.csv", files.Options{})
	if err != nil {
		t.Fatal(err)
	}
	m, err := lapsvm.Load("testdata/older/several.lapsvm")
	if err != nil {
		t.Fatal(err)
	}
	decided, err := m.PredictSeveral(t.Context(), d.Points)
	if err != nil {
		t.Fatal(err)
	}
	probabilities := probabilitiesOf(t, m, d)
	if len(decided) != len(want) || len(want) == 0 {
		t.Fatalf("%d rows, %d recorded", len(decided), len(want))
	}
	for i, row := range want {
		var names []string
		for c, name := range m.Classes() {
			if slices.Contains(decided[i], c) {
				names = append(names, name)
			}
			if p, err := strconv.ParseFloat(row[4+c], 64); err != nil || !(math.Abs(probabilities[i][c]-p) <= 1e-10) {
				t.Errorf("row %d: %s with %v, recorded %s", i, name, probabilities[i][c], row[4+c])
			}
		}
		if text := dataset.JoinSeveral(names, nil, ";"); text != row[0] {
			t.Errorf("row %d: %s, recorded %s", i, text, row[0])
		}
	}
	if _, _, err := m.SetsSeveral(t.Context(), d.Points, 0.8); !errors.Is(err, lapsvm.ErrParameter) || !strings.Contains(err.Error(), "train anew") {
		t.Errorf("sets: %v", err)
	}
	if _, err := m.ExplainShares(t.Context(), d.Points, lapsvm.ShareOptions{}); !errors.Is(err, lapsvm.ErrData) {
		t.Errorf("explanations: %v", err)
	}
}

// A model of ordered classes has its classes, decision values and probabilities still.
func TestOlderOrdered(t *testing.T) {
	want := recorded(t, "testdata/older/ordered.csv")
	d, err := files.ReadFile("testdata/older/several_points.csv", files.Options{})
	if err != nil {
		t.Fatal(err)
	}
	m, err := lapsvm.Load("testdata/older/ordered.lapsvm")
	if err != nil {
		t.Fatal(err)
	}
	scores, err := m.Scores(t.Context(), d.Points)
	if err != nil {
		t.Fatal(err)
	}
	if classes := m.Classes(); !slices.Equal(classes, []string{"low", "middle", "high"}) || len(scores) != len(want) || len(want) == 0 {
		t.Fatalf("%q of %d rows, %d recorded", classes, len(scores), len(want))
	}
	decided, probabilities := m.Decide(scores), probabilitiesOf(t, m, d)
	for i, row := range want {
		if label := m.Classes()[decided[i]]; label != row[0] {
			t.Errorf("row %d: %s, recorded %s", i, label, row[0])
		}
		for k, v := range slices.Concat(scores[i], probabilities[i]) {
			if recorded, err := strconv.ParseFloat(row[1+k], 64); err != nil || !(math.Abs(v-recorded) <= 1e-10) {
				t.Errorf("row %d: value %d is %v, recorded %s", i, k, v, row[1+k])
			}
		}
	}
}

// recorded reads labels and scores.
func recorded(t *testing.T, name string) [][]string {
	t.Helper()
	file, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	rows, err := csv.NewReader(file).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return rows[1:]
}

// compareScores compares a model's decisions with recorded ones.
func compareScores(t *testing.T, m *lapsvm.Model, p *points.Points, want [][]string, tolerance float64) {
	t.Helper()
	scores, err := m.Scores(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	if len(scores) != len(want) || len(want) == 0 {
		t.Fatalf("%d scores, %d recorded", len(scores), len(want))
	}
	for i, class := range m.Decide(scores) {
		v, err := strconv.ParseFloat(want[i][1], 64)
		if err != nil {
			t.Fatal(err)
		}
		if !(math.Abs(scores[i][1]-v) <= tolerance*(1+math.Abs(v))) || m.Classes()[class] != want[i][0] {
			t.Errorf("row %d: %s with %v, recorded %s with %v", i, m.Classes()[class], scores[i][1], want[i][0], v)
		}
	}
}
