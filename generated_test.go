package lapsvm_test

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strconv"
	"testing"

	"lapsvm"
	"lapsvm/dataset"
	"lapsvm/internal/machines/task"
	"lapsvm/internal/numbers/objective"
	"lapsvm/internal/numbers/parallel"
	"lapsvm/kernel"
	"lapsvm/points"
)

// problem is a random data set with a recipe that fits it.
type problem struct {
	name   string
	data   *dataset.Dataset
	recipe lapsvm.Recipe
}

// The axes of what is generated. A new kind of label or of row is a function here.
var (
	kindsOfLabel = []func(rng *rand.Rand, p *problem, x [][]float64){labelClasses, labelOne, labelNumbers, labelSeveral, labelOrdered}
	kindsOfRow   = []func(rng *rand.Rand, p *problem, x [][]float64){denseRows, sparseRows, bytesRows, kernelRows, distanceRows, joinedRows, aloneRows}
)

// generated returns the problem of a seed. Seeds one after another have every kind of label with every kind of row.
func generated(seed uint64) *problem {
	rng := rand.New(rand.NewPCG(seed, 58))
	n, centres := 60+rng.IntN(120), 2+rng.IntN(3)
	p, x := &problem{data: new(dataset.Dataset)}, make([][]float64, n)
	for i := range x {
		x[i] = make([]float64, 4)
		for j := range x[i] {
			x[i][j] = math.Round(64*(float64((i%centres)>>j&1)+0.4*rng.NormFloat64()))/64 + 2
		}
	}
	p.recipe.Seed, p.recipe.Calibrate = 1+rng.Uint64N(9), rng.IntN(4) > 0
	rows := uint64(len(kindsOfRow))
	kindsOfLabel[seed/rows%uint64(len(kindsOfLabel))](rng, p, x)
	kindsOfRow[seed%rows](rng, p, x)
	p.choices(rng)
	p.name = fmt.Sprintf("seed %d: %d rows, %s", seed, n, p.name)
	return p
}

// choices sets some of what a recipe may have.
func (p *problem) choices(rng *rand.Rand) {
	r := &p.recipe
	switch rng.IntN(6) {
	case 0:
		r.GammaI = 0.1
	case 1:
		r.GammaA = 1e-2
	case 2:
		if !p.data.Edges.Given() {
			r.Supervised = true
		}
	case 3:
		r.RulesOfThumb = true
	}
	switch rng.IntN(5) {
	case 0:
		r.Solver = lapsvm.Deformed
	case 1:
		r.Solver, r.Landmarks = lapsvm.Landmarks, 40
		if r.Kernel != nil || r.Supervised { // given values have no landmarks
			r.Solver, r.Landmarks = "", 0
		}
	case 2:
		if !r.Kind.Is(task.OfNumbers) {
			r.Loss = lapsvm.Squared
		}
	}
	if !r.Kind.Is(task.OfSeveral) && !r.Kind.Is(task.OfNumbers) && !r.Kind.Is(task.OfOneClass) && !r.Supervised && rng.IntN(3) == 0 {
		r.Prior = lapsvm.LabelledPrior
	}
	switch rng.IntN(6) {
	case 0:
		r.Bias = objective.BiasOutside
	case 1:
		if r.Kind.Is(task.OfClasses) || r.Kind.Is(task.OfOrdered) {
			r.ClassWeight = lapsvm.BalancedWeights
		}
	case 2:
		r.LabelShares = r.Solver == lapsvm.Deformed && r.Kernel == nil
	case 3:
		if r.Kernel == nil && !r.Supervised {
			r.Graph.Metric, r.Standardise = lapsvm.SelfTuning, points.ZScore
		}
	}
	p.name += fmt.Sprintf(", γA %g, γI %g, supervised %v, by rules %v, solver %s, loss %s, prior %v, bias %v, costs %v, label shares %v, metric %q", r.GammaA, r.GammaI, r.Supervised, r.RulesOfThumb, r.Solver, r.Loss, r.Prior != nil, r.Bias, r.ClassWeight != nil, r.LabelShares, r.Graph.Metric)
}

// label gives some of the rows a label, that of text(i), and the first of them all that are needed.
func (p *problem) label(rng *rand.Rand, n int, rules dataset.LabelRules, text func(i int) string) {
	labels, share := dataset.NewLabels(nil, false, rules), []int{3, 8, 2}[rng.IntN(3)]
	for i := range n {
		add := labels.AddNone
		if i < 12 || rng.IntN(share) == 0 {
			add = func() error { return labels.Add([]byte(text(i))) }
		}
		if err := add(); err != nil {
			panic(err)
		}
	}
	if err := labels.Finish(p.data); err != nil {
		panic(err)
	}
}

func labelClasses(rng *rand.Rand, p *problem, x [][]float64) {
	classes := 2 + rng.IntN(2)
	p.name = fmt.Sprintf("%d classes", classes)
	p.label(rng, len(x), dataset.LabelRules{}, func(i int) string { return "c" + strconv.Itoa(i%classes) })
}

func labelOne(rng *rand.Rand, p *problem, x [][]float64) {
	p.name, p.recipe.Kind, p.recipe.Calibrate = "one class", task.OneClass(), false
	p.label(rng, len(x), dataset.LabelRules{}, func(int) string { return "in" })
}

func labelNumbers(rng *rand.Rand, p *problem, x [][]float64) {
	p.name, p.recipe.Kind = "numbers", task.Numbers()
	if rng.IntN(2) == 0 {
		p.recipe.Criterion = lapsvm.MeanAbsolute
	}
	p.label(rng, len(x), dataset.LabelRules{}, func(i int) string { return strconv.FormatFloat(x[i][0]+2*x[i][1], 'g', -1, 64) })
}

func labelSeveral(rng *rand.Rand, p *problem, x [][]float64) {
	p.name, p.recipe.Kind = "several classes", task.Several(";")
	p.label(rng, len(x), dataset.LabelRules{Several: ";"}, func(i int) string {
		var has []string
		for j, class := range []string{"left", "low"} {
			if x[i][j] > 2.5 || i == j {
				has = append(has, class)
			}
		}
		return dataset.JoinSeveral(has, nil, ";")
	})
}

func labelOrdered(rng *rand.Rand, p *problem, x [][]float64) {
	order := []string{"low", "middle", "high", "top"}[:2+rng.IntN(3)]
	p.name, p.recipe.Kind = fmt.Sprintf("%d ordered classes", len(order)), task.Ordered(order...)
	rank := func(i int) int { return i % len(order) }
	if rng.IntN(2) == 0 {
		order, p.recipe.Kind, p.name = []string{"-1", "9", "10", "200"}, task.Ordered(), "ordered numbers"
		rank = func(i int) int { return min(max(int(x[i][0]-1.5), 0), 3) }
	}
	p.label(rng, len(x), dataset.LabelRules{}, func(i int) string { return order[rank(i)] })
}

func denseRows(rng *rand.Rand, p *problem, x [][]float64) {
	p.name += ", dense rows"
	if p.data.Points = points.Dense(len(x), 4, slices.Concat(x...)); rng.IntN(2) == 0 {
		p.data.Points = points.Dense32(len(x), 4, singles(slices.Concat(x...)))
	}
}

func singles(x []float64) []float32 {
	s := make([]float32, len(x))
	for i, v := range x {
		s[i] = float32(v)
	}
	return s
}

func sparseRows(_ *rand.Rand, p *problem, x [][]float64) {
	p.name += ", sparse rows"
	start, index, value := []int{0}, []int32(nil), []float64(nil)
	for i, row := range x {
		for j, v := range row {
			if (i+j)%3 > 0 {
				index, value = append(index, int32(j)), append(value, v)
			}
		}
		start = append(start, len(index))
	}
	p.data.Points = points.CSR(4, start, index, value)
}

func bytesRows(_ *rand.Rand, p *problem, x [][]float64) {
	p.name += ", bytes"
	var dots []uint8
	for _, row := range x {
		for _, v := range row {
			dots = append(dots, uint8(min(max(50*v, 0), 255)))
		}
	}
	p.data.Points = points.DenseBytes(len(x), 4, dots)
}

func kernelRows(_ *rand.Rand, p *problem, x [][]float64) {
	p.name += ", kernel values"
	p.recipe.Kernel = kernel.Precomputed{}
	p.between(x, func(square float64) float64 { return math.Exp(-square) })
}

func distanceRows(_ *rand.Rand, p *problem, x [][]float64) {
	p.name += ", distances"
	p.recipe.Kernel = kernel.Distances{}
	p.between(x, math.Sqrt)
}

// between has values of squared distances for rows.
func (p *problem) between(x [][]float64, of func(square float64) float64) {
	n := len(x)
	values := make([]float64, n*n)
	for i := range x {
		for j := range x {
			square := 0.0
			for c := range x[i] {
				square += (x[i][c] - x[j][c]) * (x[i][c] - x[j][c])
			}
			values[i*n+j] = of(square)
		}
	}
	p.data.Points, p.recipe.Standardise = points.Dense(n, n, values), points.AsIs
}

func joinedRows(rng *rand.Rand, p *problem, x [][]float64) {
	denseRows(rng, p, x)
	p.name += ", edges beside them"
	p.join(rng)
}

func aloneRows(rng *rand.Rand, p *problem, x [][]float64) {
	p.name += ", edges alone"
	start, index, value := []int{0}, []int32(nil), []float64(nil)
	for i := range x {
		start, index, value = append(start, i+1), append(index, int32(i)), append(value, 1)
		p.data.Features = append(p.data.Features, fmt.Sprint("row ", i))
	}
	p.data.Points, p.data.Featureless = points.CSR(len(x), start, index, value), true
	p.recipe.Kernel, p.recipe.Standardise, p.recipe.Graph.EdgesAlone = kernel.Linear{}, points.AsIs, true
	p.join(rng)
}

// join gives every row three edges.
func (p *problem) join(rng *rand.Rand) {
	var arcs []dataset.Arc
	for i := range p.data.Points.Len() {
		for range 3 {
			arcs = append(arcs, dataset.Arc{From: i, To: (i + 1 + 4*rng.IntN(9)) % p.data.Points.Len(), Weight: 1 + float64(rng.IntN(3))})
		}
	}
	p.data.Edges, _ = dataset.NewEdges(arcs)
}

// said is the decision values of a model, and its recipe as JSON, without what took time.
func said(t *testing.T, p *problem, m *lapsvm.Model) ([][]float64, string) {
	t.Helper()
	scores, err := m.Scores(t.Context(), p.data.Points)
	if err != nil {
		t.Fatalf("%s: %v", p.name, err)
	}
	recipe, err := json.Marshal(m.Recipe())
	if err != nil {
		t.Fatal(err)
	}
	return scores, string(recipe)
}

// The same answer by another road. A training is by an open recipe, by the recipe that was chosen, by that recipe through JSON, on one thread,
// or by the recipe of the model. The model goes through its file. Nothing but the recipe steers a training.
func TestSameAnswerByAnotherRoad(t *testing.T) {
	if testing.Short() {
		t.Skip("trains some hundred machines")
	}
	trained := 0
	for seed := uint64(1); seed <= 36; seed++ {
		p := generated(seed)
		whole, err := lapsvm.Trainer{Recipe: p.recipe}.Fit(t.Context(), p.data)
		if err != nil {
			t.Errorf("%s: %v", p.name, err)
			continue
		}
		trained++
		want, recipe := said(t, p, whole)
		for i, row := range want {
			for _, v := range row {
				if math.IsNaN(v) {
					t.Fatalf("%s: row %d is NaN", p.name, i)
				}
			}
		}
		compare := func(road string, m *lapsvm.Model, err error) {
			t.Helper()
			if err != nil {
				t.Errorf("%s, %s: %v", p.name, road, err)
				return
			}
			got, by := said(t, p, m)
			if !reflect.DeepEqual(got, want) {
				t.Errorf("%s, %s: other decision values", p.name, road)
			}
			if by != recipe {
				t.Errorf("%s, %s: the recipe is\n%s\nnot\n%s", p.name, road, by, recipe)
			}
		}
		chosen, err := lapsvm.Trainer{Recipe: p.recipe}.Choose(t.Context(), p.data)
		if err != nil {
			t.Fatalf("%s: %v", p.name, err)
		}
		m, err := lapsvm.Trainer{Recipe: chosen}.Fit(t.Context(), p.data)
		compare("by the recipe chosen", m, err)
		text, err := json.Marshal(chosen)
		if err != nil {
			t.Fatal(err)
		}
		var read lapsvm.Recipe
		if err := json.Unmarshal(text, &read); err != nil {
			t.Fatalf("%s: %v", p.name, err)
		}
		m, err = lapsvm.Trainer{Recipe: read}.Fit(t.Context(), p.data)
		compare("by the recipe chosen, through JSON", m, err)
		read.Choice = nil
		m, err = lapsvm.Trainer{Recipe: read}.Fit(t.Context(), p.data)
		if err != nil {
			t.Fatalf("%s: %v", p.name, err)
		}
		if got, _ := said(t, p, m); !reflect.DeepEqual(got, want) || m.Recipe().Baseline != whole.Recipe().Baseline {
			t.Errorf("%s: another model without the report of the choice", p.name)
		}
		m, err = lapsvm.Trainer{Recipe: p.recipe}.Fit(parallel.WithLimit(t.Context(), 1), p.data)
		compare("on one thread", m, err)
		m, err = lapsvm.Trainer{Recipe: whole.Recipe()}.Fit(t.Context(), p.data)
		compare("by the recipe of the model", m, err)
		compare("read from its file", readBack(t, whole), nil)
	}
	if trained < 30 {
		t.Errorf("%d of 36 problems were trained", trained)
	}
}

// Many labels, of which the choice sees some: the others decide about the training, through JSON too.
func TestUnseenLabelsThroughJSON(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 58))
	const n = 700
	var values []float64
	d := &dataset.Dataset{Classes: []string{"even", "odd"}}
	for i := range n {
		a, b := rng.Float64(), rng.Float64()
		values, d.Y = append(values, a, b), append(d.Y, int(5*a)%2)
		if i >= 420 {
			d.Y[i] = dataset.Unlabelled
		}
	}
	d.Points = points.Dense(n, 2, values)
	trainer := lapsvm.Trainer{Recipe: lapsvm.Recipe{Calibrate: true, Standardise: points.AsIs}}
	chosen, err := trainer.Choose(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	if len(chosen.Pending.Unseen) == 0 {
		t.Fatal("all labels had a part in the choice")
	}
	text, err := json.Marshal(chosen)
	if err != nil {
		t.Fatal(err)
	}
	var read lapsvm.Recipe
	if err := json.Unmarshal(text, &read); err != nil {
		t.Fatal(err)
	}
	var all [3]*lapsvm.Model
	for k, r := range []lapsvm.Recipe{trainer.Recipe, chosen, read} {
		if all[k], err = (lapsvm.Trainer{Recipe: r}).Fit(t.Context(), d); err != nil {
			t.Fatal(err)
		}
		if len(all[k].Recipe().Pending.Unseen) > 0 {
			t.Error("the recipe of the model has something pending")
		}
		if got, want := all[k].Recipe().Choice, all[0].Recipe().Choice; got.Expected == nil || *got.Expected != *want.Expected || got.Verdict != want.Verdict || got.Labels != want.Labels {
			t.Errorf("road %d: %+v, want %+v", k, got, want)
		}
	}
}
