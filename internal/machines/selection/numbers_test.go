package selection

import (
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"lapsvm/dataset"
	"lapsvm/internal/machines/task"
	"lapsvm/internal/machines/train"
	"lapsvm/kernel"
	"lapsvm/points"
)

// numbersData returns points with a number for the first so many.
func numbersData(n, labelled, columns int, seed uint64, of func(rng *rand.Rand) ([]float64, float64)) *dataset.Dataset {
	rng := rand.New(rand.NewPCG(seed, 43))
	d := &dataset.Dataset{}
	var x []float64
	for i := range n {
		row, y := of(rng)
		x = append(x, row...)
		if i < labelled {
			d.Y, d.Classes = append(d.Y, len(d.Classes)), append(d.Classes, strconv.FormatFloat(y, 'g', -1, 64))
		} else {
			d.Y = append(d.Y, dataset.Unlabelled)
		}
	}
	d.Points = points.Dense(n, columns, x)
	return d
}

func plane(rng *rand.Rand) ([]float64, float64) {
	x := make([]float64, 5)
	for j := range x {
		x[j] = math.Exp(1.5 * rng.NormFloat64()) // no Gaussian is as wide as the farthest
	}
	return x, x[0] - 2*x[1] + 0.5*rng.NormFloat64()
}

func sheet(rng *rand.Rand) ([]float64, float64) {
	t := 1.5 * math.Pi * (1 + 2*rng.Float64())
	return []float64{t * math.Cos(t), 21 * rng.Float64(), t * math.Sin(t)}, t
}

// A plane gets the linear kernel and no graph, a rolled sheet a graph. A kernel or a weight that is given stands.
func TestNumbersChooseKernelAndGraph(t *testing.T) {
	choose := func(d *dataset.Dataset, r train.Recipe) train.Recipe {
		t.Helper()
		r.Kind, r.Seed, r.Standardise = task.Numbers(), 1, points.AsIs
		r, err := ChosenBy(t.Context(), d, r, train.Run{})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	flat := numbersData(200, 30, 5, 1, plane)
	if r := choose(flat, train.Recipe{}); r.Kernel != (kernel.Linear{}) || !r.Supervised || !r.Choice.SupervisedLinear {
		t.Errorf("a plane has %v, supervised %v, %+v", r.Kernel, r.Supervised, r.Choice)
	}
	if r := choose(flat, train.Recipe{Supervised: true}); r.Kernel != (kernel.Linear{}) {
		t.Errorf("a plane without its unlabelled points has %v", r.Kernel)
	}
	if r := choose(flat, train.Recipe{Kernel: kernel.Gaussian{}}); r.Kernel.Kind().Linear || r.Choice.SupervisedLinear {
		t.Errorf("a plane with a Gaussian kernel has %v", r.Kernel)
	}
	if r := choose(flat, train.Recipe{GammaI: 0.01}); r.Kernel.Kind().Linear || r.Supervised || r.Choice.SupervisedGamma == 0 {
		t.Errorf("a plane with a given γI has %v, supervised %v", r.Kernel, r.Supervised)
	} else if b := Baseline(train.Recipe{Kind: task.Numbers()}, r); b.Kernel != (kernel.Linear{}) || !b.Supervised {
		t.Errorf("its baseline has %v", b.Kernel)
	}
	if r := choose(numbersData(300, 12, 3, 1, sheet), train.Recipe{}); r.Supervised || r.Kernel.Kind().Linear {
		t.Errorf("a rolled sheet has %v, supervised %v", r.Kernel, r.Supervised)
	}
}

// Numbers that have nothing to do with the points have machines near the mean of the labels.
func TestNumbersOfNoise(t *testing.T) {
	var ratio []float64
	for seed := range uint64(5) {
		d := numbersData(150, 30, 5, seed, func(rng *rand.Rand) ([]float64, float64) {
			x, _ := plane(rng)
			return x, rng.NormFloat64()
		})
		r, err := ChosenBy(t.Context(), d, train.Recipe{Kind: task.Numbers(), Seed: 1}, train.Run{})
		if err != nil {
			t.Fatal(err)
		}
		f, err := train.Fit(t.Context(), d, r, train.Run{})
		if err != nil {
			t.Fatal(err)
		}
		scores, err := f.Predictor().Scores(t.Context(), d.Points)
		if err != nil {
			t.Fatal(err)
		}
		ratio = append(ratio, size(train.ValuesOf(scores)))
	}
	slices.Sort(ratio)
	if !(ratio[2] < 0.5) {
		t.Errorf("functions of noise have the sizes %v of 1", ratio)
	}
}

// A function that is larger at other points than labels are costs more, by the criterion, and one that is smaller does not.
func TestExcess(t *testing.T) {
	if s := size([]float64{2, -2, 2}); !(math.Abs(s-2/math.Pow(3, 0.25)) <= 1e-12) {
		t.Errorf("the size is %v", s)
	}
	for _, c := range []struct {
		by          train.Criterion
		scale, want float64
	}{{train.MeanSquared, 0.5, 1}, {"", 3, 9}, {train.MeanAbsolute, 3, 3}} {
		of := &task.Task{Kind: task.Numbers(), Values: []float64{1}}
		a := &comparison{task: of, held: hold(of)}
		a.held.criterion = c.by
		if got := a.excess(&measured{scale: c.scale}); got != c.want {
			t.Errorf("size %v costs %v times as much, want %v", c.scale, got, c.want)
		}
	}
	if got := (&comparison{task: &task.Task{}}).excess(&measured{scale: 3}); got != 1 {
		t.Errorf("classes cost %v", got)
	}
}

// The whole choice is made again without each block. That is what is told. Optimism is at least that of the mean.
func TestWholeChoiceIsAsked(t *testing.T) {
	d := numbersData(200, 24, 3, 2, sheet)
	a, why, err := newComparison(t.Context(), d, train.Recipe{Kind: task.Numbers(), Seed: 1, Standardise: points.AsIs}, train.Run{}, somePoints, 0)
	if err != nil || why != "" {
		t.Fatal(err, why)
	}
	machines, baselines, err := a.compare(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	n := a.crossValidateNumbers(machines, baselines)
	if len(n.whole) != 24 || len(n.with) != 24 || len(n.without) != 24 {
		t.Fatalf("%d, %d and %d errors of 24 labels", len(n.whole), len(n.with), len(n.without))
	}
	from := 0
	for at, b := range a.held.blocks {
		to := from + len(b.labels)
		want := n.with[from:to]
		if a.nested(machines, baselines).alone(from, to) {
			want = n.without[from:to]
		}
		if !slices.Equal(n.whole[from:to], want) {
			t.Errorf("block %d has %v, want %v", at, n.whole[from:to], want)
		}
		for k, label := range b.labels { // the block's own number has no part in its prediction
			some := machines
			if slices.Equal(want, n.without[from:to]) {
				some = baselines
			}
			f := 0.0
			for _, m := range a.take(some, baselines, at) {
				f += m.weight * m.unseen[at].outputs[0][k]
			}
			if e := math.Abs(a.held.Target(0, label) - f); !(math.Abs(e-n.whole[from+k]) <= 1e-12) {
				t.Errorf("label %d: %v, want %v", label, n.whole[from+k], e)
			}
		}
		from = to
	}
	taken := a.take(machines, baselines, -1)
	left := make([]float64, 24)
	for k := range a.held.Len() {
		y := a.held.Target(0, k)
		for _, m := range taken {
			left[k] += m.weight * m.left[k]
		}
		left[k] = math.Abs(y - left[k])
	}
	if o := a.optimism(n, taken); !(o >= min(mostOptimism, mean(n.whole)/mean(left))) || o < 1 || o > mostOptimism {
		t.Errorf("optimism %v of errors %v, left out %v", o, mean(n.whole), mean(left))
	}
}

// The lower end of a regression's announced error allows for the labels that machines lacked: of ten blocks 9/10 of the mean square.
func TestLowerEndHasTheShareOfABlock(t *testing.T) {
	d := numbersData(200, 30, 3, 2, sheet)
	r, err := ChosenBy(t.Context(), d, train.Recipe{Kind: task.Numbers(), Seed: 1, Standardise: points.AsIs}, train.Run{})
	if err != nil {
		t.Fatal(err)
	}
	n := r.Choice.Numbers
	if n == nil {
		t.Fatal("nothing is announced")
	}
	// The upper end is mean + half, the lower 0.9·(mean − half), all of squares.
	mean, high := n.RMSE*n.RMSE, n.RMSEHigh*n.RMSEHigh
	if want := math.Sqrt(max(0, 0.9*(2*mean-high))); !(math.Abs(n.RMSELow-want) <= 1e-9*n.RMSEHigh) {
		t.Errorf("the error is %v to %v about %v, want from %v", n.RMSELow, n.RMSEHigh, n.RMSE, want)
	}
}

// Absolute errors weigh by the likelihood of Laplace's distribution: a mean |error| that is larger by a share costs twice what a mean
// square does.
func TestEvidenceOfAbsoluteErrors(t *testing.T) {
	of := &task.Task{Kind: task.Numbers(), Values: make([]float64, 12), Class: make([]int, 12)}
	fall := make(map[train.Criterion]float64)
	for _, by := range []train.Criterion{train.MeanSquared, train.MeanAbsolute} {
		a := &comparison{task: of, held: hold(of)}
		a.held.count, a.held.criterion = seq(12), by
		e := a.logScores([]measured{{losses: slices.Repeat([]float64{1}, 12)}, {losses: slices.Repeat([]float64{1.5}, 12)}}, -1)
		fall[by] = e[0] - e[1]
	}
	once := 8 * math.Log(22./16) // (12 + 4)/2 ln((12·1.5 + 4)/(12 + 4))
	if !(math.Abs(fall[train.MeanSquared]-once) <= 1e-12) || !(math.Abs(fall[train.MeanAbsolute]-2*once) <= 1e-12) {
		t.Errorf("half as much again costs %v", fall)
	}
}

// Optimism is the ratio of the mean errors, or of those of the largest fifth, at least 1.4 of ten labels and at most 3.
func TestOptimismOfTheLargestFifth(t *testing.T) {
	of := &task.Task{Kind: task.Numbers(), Values: make([]float64, 10), Class: make([]int, 10)}
	a := &comparison{task: of, held: hold(of)}
	a.held.count = seq(10)
	taken := []weighted{{&measured{left: slices.Repeat([]float64{1}, 10)}, 0.5}, {&measured{left: slices.Repeat([]float64{-3}, 10)}, 0.5}} // errors of 1
	for _, c := range []struct{ few, others, want float64 }{{2, 1, 2}, {0.5, 0.5, 1.4}, {9, 1, 3}, {1.5, 1.5, 1.5}} {
		whole := append([]float64{c.few}, slices.Repeat([]float64{c.others}, 8)...)
		if got := a.optimism(&nestedNumbers{whole: append(whole, c.few)}, taken); !(math.Abs(got-c.want) <= 1e-12) {
			t.Errorf("two errors of %v and eight of %v in place of 1: optimism %v, want %v", c.few, c.others, got, c.want)
		}
	}
	if got := a.optimism(nil, taken); got != 0 {
		t.Errorf("optimism %v of classes", got)
	}
	if a.held.count = seq(9); a.optimism(&nestedNumbers{whole: make([]float64, 9)}, taken) != 0 {
		t.Error("nine labels tell of optimism")
	}
}

// A linear machine of ten labels and eight columns has at most five parameters, and of many labels as many as there are columns.
func TestLinearMachinesOfFewLabels(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 10))
	const rows, columns = 200, 8
	d := &dataset.Dataset{}
	var values []float64
	for range rows {
		sum := rng.NormFloat64()
		for range columns {
			v := rng.NormFloat64()
			values, sum = append(values, v), sum+v
		}
		d.Classes = append(d.Classes, strconv.FormatFloat(sum, 'g', -1, 64))
	}
	d.Points = points.Dense(rows, columns, values)
	for labels, want := range map[int]bool{10: false, 100: true} {
		d.Y = slices.Repeat([]int{dataset.Unlabelled}, rows)
		for i := range labels {
			d.Y[i] = i
		}
		a, why, err := newComparison(t.Context(), d, train.Recipe{Kind: task.Numbers(), Standardise: points.AsIs, Seed: 1}, train.Run{}, fewPoints, 0)
		if err != nil || why != "" {
			t.Fatal(why, err)
		}
		_, baselines, err := a.compare(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		least := math.Inf(1)
		for _, m := range baselines {
			if m.kernel == ridge {
				least = min(least, m.GammaA)
			}
		}
		if (least == 1e-6) != want || math.IsInf(least, 1) {
			t.Errorf("%d labels: a linear machine with γA %v, all of its parameters: %v", labels, least, want)
		}
	}
}

// The lower end allows for the labels that the choice did not see, beside those of a block.
func TestLowerEndHasTheShareOfTheChoice(t *testing.T) {
	of := &task.Task{Kind: task.Numbers(), Values: make([]float64, 10), Class: make([]int, 10), Labelled: seq(10), Unit: task.Unit{Scale: 2}}
	a := &comparison{task: of, held: hold(of), sample: sample{unseen: 30}}
	a.held.blocks = make([]block, 5)
	ones := slices.Repeat([]float64{1}, 10)
	var choice train.Choice
	a.reportNumbers(&choice, &nestedNumbers{ones, ones, ones, false})
	if n := choice.Numbers; n == nil || n.RMSE != 2 || !(math.Abs(n.RMSELow-2*math.Sqrt(0.25*0.8)) <= 1e-12) {
		t.Errorf("%+v of a quarter of the labels", n)
	}
}
