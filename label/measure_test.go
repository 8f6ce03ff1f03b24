package label_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"lapsvm/dataset"
	"lapsvm/dataset/files"
	"lapsvm/internal/machines/train"
	"lapsvm/internal/numbers/objective"
	"lapsvm/internal/points/graph"
	"lapsvm/internal/testing/golden"
	"lapsvm/kernel"
	"lapsvm/label"
	"lapsvm/points"
)

// measuredSet is a set that suggestions and audits are measured on, by a recipe as
// published, or by rules of thumb.
type measuredSet struct {
	name, file string
	features   int
	recipe     train.Recipe
}

// mostMeasured is how many rows of a set are drawn.
const mostMeasured = 2000

func measuredSets() []measuredSet {
	gaussian := func(sigma float64, neighbours, degree int, gammaA, gammaI float64) train.Recipe {
		return train.Recipe{Kernel: kernel.Gaussian{Sigma: sigma}, Standardise: points.AsIs, GammaA: gammaA, GammaI: gammaI, Bias: objective.NoBias,
			Graph: graph.Options{Neighbours: neighbours, Degree: degree}}
	}
	rules := train.Recipe{RulesOfThumb: true} // where nothing good is published
	return []measuredSet{
		{"mnist", "mnist/train-images-idx3-ubyte.gz", 0, ofDigits()},
		{"uspst", "uspst/uspst.svm.gz", 256, gaussian(9.4, 10, 2, 1e-4, 1)},
		{"g50c", "g50c/g50c.svm.gz", 50, gaussian(17.5, 50, 5, 0.1, 10)},
		{"coil20", "coil20/coil20.svm.gz", 1024, gaussian(0.6, 2, 1, 1e-6, 1)},
		{"pcmac", "pcmac/pcmac.svm.gz", 7511, gaussian(2.7, 50, 5, 1e-6, 1)},
		{"facemit", "facemit/train-images-idx3-ubyte.gz", 0, rules},
		{"ionosphere", "ionosphere/ionosphere.svm.gz", 34, rules},
	}
}

// read returns the set without labels, and its classes.
func (s measuredSet) read(t testing.TB) (*dataset.Dataset, []int) {
	t.Helper()
	d, err := files.ReadFile(golden.External(t, "data/"+s.file), files.Options{Features: s.features})
	if err != nil {
		t.Fatal(err)
	}
	if n := d.Points.Len(); n > mostMeasured {
		d = d.Subset(rand.New(rand.NewPCG(1, 1)).Perm(n)[:mostMeasured])
	}
	return unlabelled(d)
}

// long skips what takes minutes.
func long(t *testing.T) {
	t.Helper()
	if os.Getenv("LAPSVM_LONG") == "" {
		t.Skip("takes minutes: set LAPSVM_LONG")
	}
}

// The numbers of labels that errors are measured at. The first are drawn, and between two
// measurements labels come in batches of five up to 50, then of ten.
var measuredAt = []int{10, 15, 20, 30, 40, 50, 70, 100, 150, 200}

const measuredDraws = 10

// curve labels points by a rule, from the same first ones for every rule of a draw, and
// returns the share of wrong decisions on the points without a label, in percent.
func curve(t *testing.T, l *label.Labelling, truth []int, rule label.Rule, draw uint64) []float64 {
	t.Helper()
	ctx := context.Background()
	labels := slices.Repeat([]int{dataset.Unlabelled}, l.Len())
	order := rand.New(rand.NewPCG(draw, 7)).Perm(l.Len())
	count := 0
	take := func(i int) {
		labels[i] = truth[i]
		count++
	}
	for _, i := range order[:measuredAt[0]] {
		take(i)
	}
	var errors []float64
	for _, at := range measuredAt {
		for count < at {
			if _, err := l.Apply(ctx, l.Towards(labels)); err != nil {
				t.Fatal(err)
			}
			batch := 5
			if count >= 50 {
				batch = 10
			}
			if rule == label.Random {
				for _, i := range order[count : count+batch] {
					take(i)
				}
				continue
			}
			some, err := l.Suggest(ctx, rule, batch)
			if err != nil {
				t.Fatal(err)
			}
			for _, s := range some {
				take(s.Point)
			}
		}
		a, err := l.Apply(ctx, l.Towards(labels))
		if err != nil {
			t.Fatal(err)
		}
		wrong := 0
		for i, c := range a.Decided {
			if labels[i] == dataset.Unlabelled && c != truth[i] {
				wrong++
			}
		}
		errors = append(errors, 100*float64(wrong)/float64(l.Len()-count))
	}
	return errors
}

// labelsFor returns with how many labels a curve first falls to an error, between two
// measurements along a line; more than all where it does not.
func labelsFor(curve []float64, wanted float64) float64 {
	for k, v := range curve {
		switch {
		case v > wanted:
		case k == 0:
			return float64(measuredAt[0])
		default:
			part := (curve[k-1] - wanted) / (curve[k-1] - v)
			return float64(measuredAt[k-1]) + part*float64(measuredAt[k]-measuredAt[k-1])
		}
	}
	return float64(measuredAt[len(measuredAt)-1] + 1)
}

// Suggested labels reach the error of 100 drawn ones with fewer than drawn and than
// uncertain ones on at least five of the seven sets, in the mean of ten draws.
func TestSuggestionsSaveLabels(t *testing.T) {
	long(t)
	fewer, sets := 0, 0
	for _, s := range measuredSets() {
		t.Run(s.name, func(t *testing.T) {
			sets++
			if saves(t, s) {
				fewer++
			}
		})
	}
	if 7*fewer < 5*sets {
		t.Errorf("on %d of %d sets suggestions need fewer labels", fewer, sets)
	}
}

// saves tells the curves of a set, and reports whether suggestions need fewer labels than
// their rivals for the error of 100 drawn ones.
func saves(t *testing.T, s measuredSet) bool {
	t.Helper()
	d, truth := s.read(t)
	l, err := label.Open(t.Context(), d, s.recipe, label.Options{Exact: mostMeasured + 100})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	mean := make(map[label.Rule][]float64)
	rules := []label.Rule{label.Auto, label.VOpt, label.Uncertainty, label.Random}
	for _, rule := range rules {
		mean[rule] = make([]float64, len(measuredAt))
		for draw := range uint64(measuredDraws) {
			for k, v := range curve(t, l, truth, rule, draw+1) {
				mean[rule][k] += v / measuredDraws
			}
		}
	}
	var wanted []float64 // errors of drawn labels
	for k, at := range measuredAt {
		if at == 50 || at == 100 || at == 200 {
			wanted = append(wanted, mean[label.Random][k])
		}
	}
	for _, rule := range rules {
		line := fmt.Sprintf("%-10s %-11s", s.name, rule)
		for _, v := range mean[rule] {
			line += fmt.Sprintf(" %5.1f", v)
		}
		for _, v := range wanted {
			line += fmt.Sprintf("  %5.1f", labelsFor(mean[rule], v))
		}
		t.Log(line)
	}
	auto := labelsFor(mean[label.Auto], wanted[1])
	return auto < labelsFor(mean[label.Uncertainty], wanted[1]) && auto < labelsFor(mean[label.Random], wanted[1])
}
