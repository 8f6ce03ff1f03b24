package selection_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"
	"time"

	"lapsvm/dataset"
	"lapsvm/internal/machines/selection"
	"lapsvm/internal/machines/train"
	"lapsvm/points"
)

// blocks is a block model: rows in equal classes, with so many edges on average at a row to rows of its class and to others, and ten columns of N(0, 1), of which
// one for each class is shifted. Five labels of each class are known.
type blocks struct {
	classes                int
	within, between, shift float64
}

// drawn returns n rows, and the classes of all.
func (b blocks) drawn(n int, seed uint64) (*dataset.Dataset, []int) {
	const columns, labels = 10, 5
	rng := rand.New(rand.NewPCG(seed, 42))
	values, truth := make([]float64, n*columns), make([]int, n)
	d := &dataset.Dataset{Y: make([]int, n)}
	for i := range n {
		truth[i] = i % b.classes
		if d.Y[i] = dataset.Unlabelled; i < labels*b.classes {
			d.Y[i] = truth[i]
		}
		for j := range columns {
			values[columns*i+j] = rng.NormFloat64()
		}
		values[columns*i+truth[i]] += b.shift
	}
	var arcs []dataset.Arc
	seen := make(map[[2]int]bool)
	for _, kind := range []struct {
		same bool
		mean float64
	}{{true, b.within}, {false, b.between}} {
		for left := int(float64(n) * kind.mean / 2); left > 0; {
			i, j := rng.IntN(n), rng.IntN(n)
			if i < j && (truth[i] == truth[j]) == kind.same && !seen[[2]int{i, j}] {
				seen[[2]int{i, j}] = true
				arcs, left = append(arcs, dataset.Arc{From: i, To: j, Weight: 1}), left-1
			}
		}
	}
	d.Points = points.Dense(n, columns, values)
	d.Edges, _ = dataset.NewEdges(arcs)
	for c := range b.classes {
		d.Classes = append(d.Classes, strconv.Itoa(c))
	}
	return d, truth
}

// misled gives rows four groups that have nothing to do with their classes, and shifts a column by each: neighbours are of one group.
func misled(d *dataset.Dataset, seed uint64, shift float64) *dataset.Dataset {
	rng := rand.New(rand.NewPCG(seed, 421))
	n, dim := d.Points.Len(), d.Points.Dim()
	values := make([]float64, 0, n*dim)
	for i := range n {
		for j := range dim {
			values = append(values, d.Points.At(i, j))
		}
		values[i*dim+6+rng.IntN(4)] += shift
	}
	d.Points = points.Dense(n, dim, values)
	return d
}

// Where neighbours mislead, the edges alone are taken, and else they stand beside neighbours.
func TestMisleadingNeighbours(t *testing.T) {
	recipe := train.Recipe{Standardise: points.AsIs, Describe: train.Undescribed}
	d, truth := blocks{2, 9, 3, 0.5}.drawn(400, 61)
	share, r, _, _ := wrong(t, misled(d, 1, 6), truth, recipe)
	alone := recipe
	alone.Graph.EdgesAlone = true
	want, _, _, _ := wrong(t, d, truth, alone)
	if !r.ByEdges || !(share <= want+0.01) || !(want < 0.3) {
		t.Errorf("%.3f wrong beside misleading neighbours (edges alone %v), by the edges alone %.3f", share, r.Graph.EdgesAlone, want)
	}
	d, truth = blocks{4, 8, 3, 2}.drawn(400, 61)
	if share, r, _, _ := wrong(t, d, truth, recipe); r.Graph.EdgesAlone || !(share < 0.05) {
		t.Errorf("%.3f wrong where neighbours tell of the classes (edges alone %v)", share, r.Graph.EdgesAlone)
	}
	for seed := range uint64(3) { // one label for each class, and edges that say nothing
		d, truth = blocks{2, 8, 8, 2}.drawn(400, 61+seed)
		for i := range d.Y[2:] {
			d.Y[2+i] = dataset.Unlabelled
		}
		if share, r, _, _ := wrong(t, d, truth, recipe); r.Graph.EdgesAlone || !(share < 0.3) {
			t.Errorf("%.3f wrong where edges say nothing (edges alone %v)", share, r.Graph.EdgesAlone)
		}
	}
}

// wrong chooses what a recipe leaves open and trains. It returns the share of wrong unlabelled rows, the recipe, and the seconds of the choice and of both.
func wrong(t *testing.T, d *dataset.Dataset, truth []int, r train.Recipe) (share float64, chosen train.Recipe, choosing, all float64) {
	t.Helper()
	start := time.Now()
	var err error
	if chosen = r; !r.Pending.RaiseGammaA { // by rules of thumb nothing is open
		if chosen, err = selection.ChosenBy(t.Context(), d, r, train.Run{}); err != nil {
			t.Fatal(err)
		}
	}
	choosing = time.Since(start).Seconds()
	f, err := train.Fit(t.Context(), d, chosen, train.Run{})
	if err != nil {
		t.Fatal(err)
	}
	all = time.Since(start).Seconds()
	open := 0.0
	for i, row := range f.Summary.Scores {
		if d.Y[i] == dataset.Unlabelled {
			if open++; f.Task.Coding().DecideScores(row) != truth[i] {
				share++
			}
		}
	}
	return share / open, chosen, choosing, all
}

// TestEdgesMeasured prints the tables of many rows of decision 42, with LAPSVM_LONG; LAPSVM_ROWS says how many rows, LAPSVM_DRAWS how many draws. Where edges say much, the choice for more rows than have whole
// Gram matrices has to find that.
func TestEdgesMeasured(t *testing.T) {
	recipe := train.Recipe{Standardise: points.AsIs, Describe: train.Undescribed}
	if os.Getenv("LAPSVM_LONG") == "" {
		d, truth := blocks{4, 8, 3, 1}.drawn(3200, 1)
		share, r, _, _ := wrong(t, d, truth, recipe)
		if r.Choice.Candidates == 0 || r.Choice.Points != 3200 || r.Graph.EdgeWeight != 10 && !r.Graph.EdgesAlone || r.Solver != train.Landmarks || !(share < 0.3) {
			t.Errorf("%.3f wrong, chosen %+v with the weight %v", share, r.Choice, r.Graph.EdgeWeight)
		}
		d, truth = blocks{3, 10, 4, 1.5}.drawn(400, 51) // edges that machines have speak for 0.1
		if share, r, _, _ := wrong(t, d, truth, recipe); r.Graph.EdgeWeight != 1 && !r.Graph.EdgesAlone || !(share < 0.05) {
			t.Errorf("%.3f wrong with the weight %v", share, r.Graph.EdgeWeight)
		}
		return
	}
	rows, err := strconv.Atoi(os.Getenv("LAPSVM_ROWS"))
	if err != nil {
		rows = 2000
	}
	draws, err := strconv.ParseUint(os.Getenv("LAPSVM_DRAWS"), 10, 64)
	if err != nil {
		draws = 3
	}
	for _, b := range []blocks{{4, 8, 3, 1}, {2, 8, 8, 2}, {4, 8, 3, 2}, {3, 10, 4, 1.5}, {5, 9, 2, 2}, {2, 9, 2, 0}} {
		for seed := range draws {
			d, truth := b.drawn(rows, 10+seed)
			line := fmt.Sprintf("%v, draw %d:", b, seed)
			for _, how := range []string{"features", "edges", "both", "by rule"} {
				one, data := recipe, *d
				switch how {
				case "features":
					data.Edges = dataset.Edges{}
				case "edges":
					one.Graph.EdgesAlone = true
				case "by rule":
					one = one.ByRule()
					one.Pending.RaiseGammaA = true
				}
				share, r, choosing, all := wrong(t, &data, truth, one)
				line += fmt.Sprintf(" %s %.1f (%.1f of %.1f s, c %g);", how, 100*share, choosing, all, r.Graph.EdgeWeight)
			}
			t.Log(line)
		}
	}
}
