package selection

import (
	"math"
	"reflect"
	"slices"
	"testing"

	"lapsvm/dataset"
	"lapsvm/internal/machines/task"
	"lapsvm/internal/machines/train"
	"lapsvm/internal/numbers/objective"
	"lapsvm/internal/points/graph"
	"lapsvm/kernel"
	"lapsvm/points"
)

// few is two moons of n points of which the first labelled have a label.
func few(n, labelled int) *dataset.Dataset {
	d := dataset.TwoMoons(n, 0.07, 4)
	for i := labelled; i < n; i++ {
		d.Y[i] = dataset.Unlabelled
	}
	return d
}

// A baseline has the parameters chosen for it, or else those of the machine
// beside it. Its other settings are those asked for.
func TestBaseline(t *testing.T) {
	asked := train.Recipe{Loss: objective.Squared, Bias: objective.NoBias, Standardise: points.ZScore, Precision: 64, Seed: 3, GammaI: 7,
		Graph: graph.Options{Neighbours: 5}, Prior: train.BalancedPrior, ClassWeight: train.BalancedWeights, Calibrate: true, Solver: train.Deformed, Stop: "none"}
	whole := asked
	whole.Kernel = kernel.Laplacian{Sigma: 2}
	whole.Members = []train.Member{{Neighbours: 3, LaplacianDegree: 1, GammaA: 5, GammaI: 1, Weight: 0.4}, {Neighbours: 3, LaplacianDegree: 1, GammaA: 6, GammaI: 1, Weight: 0.6}}
	want := train.Recipe{Kernel: kernel.Laplacian{Sigma: 2}, GammaA: 6, Supervised: true, Loss: objective.Squared, Bias: objective.NoBias,
		Standardise: points.ZScore, Precision: 64, Seed: 3, ClassWeight: train.BalancedWeights}
	if got := Baseline(asked, whole); !reflect.DeepEqual(got, want) {
		t.Errorf("of what was given: %+v, want %+v", got, want)
	}
	whole.Choice = &train.Choice{GammaA: 6, Reason: "rules"}
	if got := Baseline(asked, whole); !reflect.DeepEqual(got, want) {
		t.Errorf("of rules of thumb: %+v, want %+v", got, want)
	}
	whole.Baseline = train.Baseline{SupervisedGamma: 0.5, SupervisedSigma: 3}
	want.GammaA, want.Kernel = 0.5, kernel.Laplacian{Sigma: 3}
	if got := Baseline(asked, whole); !reflect.DeepEqual(got, want) {
		t.Errorf("of what was chosen: %+v, want %+v", got, want)
	}
	whole.Kernel, want.Kernel = kernel.Linear{}, kernel.Linear{}
	whole.Baseline.SupervisedSigma = 0
	if got := Baseline(asked, whole); !reflect.DeepEqual(got, want) {
		t.Errorf("without a width: %+v, want %+v", got, want)
	}
	// A supervised choice alone gives the same machine as the baseline of a
	// semi-supervised choice.
	d := few(80, 12)
	open := train.Recipe{Kernel: kernel.Gaussian{Sigma: 0.4}}
	chosen, err := ChosenBy(t.Context(), d, open, train.Run{})
	if err != nil {
		t.Fatal(err)
	}
	open.Supervised = true
	baselines, err := ChosenBy(t.Context(), d, open, train.Run{})
	if err != nil {
		t.Fatal(err)
	}
	if svm := Baseline(train.Recipe{}, chosen); svm.GammaA != baselines.GammaA || svm.Kernel != baselines.Kernel {
		t.Errorf("baseline %+v, chosen alone %+v", svm, baselines)
	}
}

// Every repeat chooses the open settings by its own labels, without the
// validation points. The result has the recipe it trained by.
func TestEvaluationChooses(t *testing.T) {
	d := dataset.TwoMoons(80, 0.1, 3)
	splits, err := Splits(d, Plan{PerClass: 4, Validation: 10, Repeats: 2, Seed: 5})
	if err != nil {
		t.Fatal(err)
	}
	open := train.Recipe{Kernel: kernel.Gaussian{Sigma: 0.4}, Graph: graph.Options{Neighbours: 5, Degree: 1}}
	results, err := Evaluation{Recipe: open, Baseline: true}.Run(t.Context(), d, splits)
	if err != nil {
		t.Fatal(err)
	}
	made := slices.Collect(splits)
	for k, r := range results {
		data := d.Subset(made[k].Training())
		for at, i := range made[k].Training() {
			if !slices.Contains(made[k].Labelled, i) {
				data.Y[at] = dataset.Unlabelled
			}
		}
		chosen, err := ChosenBy(t.Context(), data, open, train.Run{})
		if err != nil {
			t.Fatal(err)
		}
		f, err := train.Fit(t.Context(), data, chosen, train.Run{})
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(r.Recipe, f.Recipe) || r.Recipe.Choice.HeldOut != "leave-one-out" || r.Training.Objective != f.Summary.Objective {
			t.Errorf("repeat %d trained by %+v, want %+v", k+1, r.Recipe, f.Recipe)
		}
		if !(r.Validation >= 0) || r.ValidationSize != 10 {
			t.Errorf("repeat %d: error %v on %d validation points", k+1, r.Validation, r.ValidationSize)
		}
	}
	if reflect.DeepEqual(results[0].Recipe, results[1].Recipe) {
		t.Error("both repeats made the same choice, so that the test tests little")
	}
}

// What is whole, or asks for rules, is not chosen.
func TestFill(t *testing.T) {
	d := few(60, 8)
	whole := train.Recipe{Kernel: kernel.Gaussian{Sigma: 0.4}, GammaA: 1, GammaI: 1, Graph: graph.Options{Neighbours: 5, Degree: 1}}
	members := train.Recipe{Members: []train.Member{{Neighbours: 3, LaplacianDegree: 1, GammaA: 5, GammaI: 1, Weight: 0.4}, {Neighbours: 4, LaplacianDegree: 1, GammaA: 6, GammaI: 1, Weight: 0.6}}}
	for name, r := range map[string]train.Recipe{"whole": whole, "rules": {RulesOfThumb: true}, "members without a width": members} {
		compared := 0
		_, got, err := Fill(t.Context(), d, r, train.Run{Observer: train.Observer{Compared: func(int, int) { compared++ }}})
		r.Describe = train.Undescribed
		if r.Standardise, r.StandardiseReason = points.AsIs, got.StandardiseReason; err != nil || !reflect.DeepEqual(got, r) || r.StandardiseReason == "" || compared != 0 {
			t.Errorf("%s: %+v, %v, %d machines compared", name, got, err, compared)
		}
		if f, err := train.Fit(t.Context(), d, got, train.Run{}); err != nil || f.Recipe.Open() {
			t.Errorf("%s: trained by %+v, %v", name, f, err)
		}
	}
	_, got, err := Fill(t.Context(), d, train.Recipe{}, train.Run{})
	if err != nil || got.Open() || got.Choice == nil {
		t.Errorf("open: %+v, %v", got, err)
	}
}

// A validation point of a class that the training does not know is outside of all
// its classes: every decision on it is wrong, and every positive output a loss.
func TestUnknownClass(t *testing.T) {
	for classes, c := range map[int]struct {
		outputs []float64
		loss    float64
	}{2: {[]float64{0.5}, 1.5 * 1.5}, 3: {[]float64{0.5, -2, 0}, 1.5*1.5 + 1}} {
		d := &dataset.Dataset{Points: points.Dense(3, 1, make([]float64, 3)), Y: []int{0, 1, classes - 1}, Classes: []string{"a", "b", "c"}[:classes]}
		of, err := task.Kind{}.Read(d)
		if err != nil {
			t.Fatal(err)
		}
		h := hold(of)
		other := &dataset.Dataset{Y: []int{0}, Classes: []string{"d"}}
		if h.Known, err = of.KnownOf(other); err != nil {
			t.Fatal(err)
		}
		h.count = []int{0}
		var outputs [][]float64
		for _, f := range c.outputs {
			outputs = append(outputs, []float64{f})
		}
		wrong, losses := h.wrong(outputs, h.count), h.losses(outputs, h.count)
		if !slices.Equal(wrong, []float64{1}) || len(losses) != 1 || !(math.Abs(losses[0]-c.loss) <= 1e-15) {
			t.Errorf("%d classes: wrong %v, losses %v, want %v", classes, wrong, losses, c.loss)
		}
	}
}
