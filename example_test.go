package lapsvm_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"slices"

	"lapsvm"
	"lapsvm/dataset"
	"lapsvm/dataset/files"
	"lapsvm/internal/ranks/comm"
	"lapsvm/kernel"
	"lapsvm/points"
)

// fewMoons is 200 points of which the first so many have labels, those of two
// classes in turn.
func fewMoons(labels int) *dataset.Dataset {
	d := dataset.TwoMoons(200, 0.05, 1)
	for i := labels; i < len(d.Y); i++ {
		d.Y[i] = dataset.Unlabelled
	}
	return d
}

// smooth is a trainer whose parameters suit them.
func smooth() lapsvm.Trainer {
	t := lapsvm.Trainer{Recipe: lapsvm.Recipe{GammaA: 1e-2, GammaI: 1, RulesOfThumb: true}}
	t.Recipe.Graph.Neighbours, t.Recipe.Graph.Degree = 6, 1
	return t
}

// From a file to a saved model, as in the README: no parameter is given, so all
// are chosen by held-out labels.
func Example() {
	folder, err := os.MkdirTemp("", "lapsvm")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(folder)
	path := filepath.Join(folder, "points.csv")
	if err := files.WriteFile(context.Background(), path, fewMoons(8), files.WriteOptions{}); err != nil {
		log.Fatal(err)
	}

	ctx := context.Background()
	d, err := files.ReadFile(path, files.Options{}) // rows without a label are unlabelled
	if err != nil {
		log.Fatal(err)
	}
	m, err := lapsvm.Trainer{}.Fit(ctx, d) // chooses parameters by held-out labels; or set them yourself
	if err != nil {
		log.Fatal(err)
	}
	classes, err := m.Predict(ctx, d.Points) // indices into m.Classes()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(m.Classes()[classes[0]], m.Training().Status)
	if err := m.Save(filepath.Join(folder, "model.lapsvm")); err != nil {
		log.Fatal(err)
	}
	// Output: 0 converged
}

// A model that was saved gives the same bits of every decision value when it is
// read again.
func ExampleModel() {
	ctx, d := context.Background(), fewMoons(8)
	trainer := smooth()
	trainer.Recipe.Calibrate = true
	m, err := trainer.Fit(ctx, d)
	if err != nil {
		log.Fatal(err)
	}
	folder, err := os.MkdirTemp("", "lapsvm")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(folder)
	file := filepath.Join(folder, "model.lapsvm")
	if err := m.Save(file); err != nil {
		log.Fatal(err)
	}
	again, err := lapsvm.Load(file)
	if err != nil {
		log.Fatal(err)
	}
	before, err := m.Scores(ctx, d.Points)
	if err != nil {
		log.Fatal(err)
	}
	after, err := again.Scores(ctx, d.Points)
	if err != nil {
		log.Fatal(err)
	}
	proba, err := again.Probabilities(ctx, d.Points)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("the same scores:", before[100][1] == after[100][1])
	fmt.Printf("%s: %v, slope learnt from %d labels\n", again.Classes()[0], proba[0][0] > 0.5, again.Calibration().HeldOut)
	// Output:
	// the same scores: true
	// 0: true, slope learnt from 8 labels
}

// Classify rows that the program has, by a model of a table. No file is needed: numbers,
// words and gaps become the features that they were in the table.
func ExampleModel_Rows() {
	ctx := context.Background()
	d, err := dataset.FromMaps([]map[string]any{
		{"weight": 4.2, "coat": "striped", "label": "cat"},
		{"weight": 31, "coat": "brown", "label": "dog"},
		{"weight": 3.9, "coat": "black", "label": "cat"},
		{"weight": 24.5, "coat": "brown", "label": "dog"},
		{"weight": 4.5, "coat": "striped"},
		{"weight": 28, "coat": "black"},
	}, dataset.TableOptions{Category: []string{"coat"}})
	if err != nil {
		log.Fatal(err)
	}
	m, err := lapsvm.Trainer{Recipe: lapsvm.Recipe{RulesOfThumb: true}}.Fit(ctx, d)
	if err != nil {
		log.Fatal(err)
	}
	rows, err := m.Rows(map[string]any{"weight": 5, "coat": "black"}, map[string]any{"weight": nil, "coat": "brown"})
	if err != nil {
		log.Fatal(err)
	}
	classes, err := m.Predict(ctx, rows.Points)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(m.Classes()[classes[0]], m.Classes()[classes[1]])
	// Output: cat dog
}

// Choose what the trainer leaves open, here the weights of the two norms, and
// see how: by hiding one label after the other.
func ExampleTrainer_Choose() {
	trainer := smooth()
	trainer.Recipe.GammaA, trainer.Recipe.GammaI, trainer.Recipe.RulesOfThumb = 0, 0, false
	recipe, err := trainer.Choose(context.Background(), fewMoons(12))
	if err != nil {
		log.Fatal(err)
	}
	c := recipe.Choice
	fmt.Printf("%d machines compared by %s; %g %% of the held-out labels wrong\n", c.Candidates, c.HeldOut, c.Expected.Error)
	fmt.Println("unlabelled points take part:", recipe.Leading().GammaI > 0)
	// Output:
	// 36 machines compared by leave-one-out; 0 % of the held-out labels wrong
	// unlabelled points take part: true
}

// What held-out labels say about a grid of weights.
func ExampleTrainer_Tune() {
	tuning, err := smooth().Tune(context.Background(), fewMoons(8), lapsvm.Grid{
		GammaA: []float64{1e-4, 1e-2},
		GammaI: []float64{1e-4, 1},
	})
	if err != nil {
		log.Fatal(err)
	}
	for _, c := range tuning.Cells {
		fmt.Printf("γA %g, γI %g: %g %% of %d labels wrong\n", c.GammaA, c.GammaI, c.Error, tuning.Labels)
	}
	best := tuning.Cells[tuning.Best]
	fmt.Printf("best: γA %g, γI %g\n", best.GammaA, best.GammaI)
	// Output:
	// γA 0.0001, γI 0.0001: 75 % of 8 labels wrong
	// γA 0.0001, γI 1: 0 % of 8 labels wrong
	// γA 0.01, γI 0.0001: 100 % of 8 labels wrong
	// γA 0.01, γI 1: 0 % of 8 labels wrong
	// best: γA 0.0001, γI 1
}

// Leave basis points out as long as no decision value at one of them changes by
// more than a hundredth of the margin.
func ExampleModel_Prune() {
	ctx := context.Background()
	trainer := smooth()
	trainer.Recipe.Kernel = kernel.Gaussian{Sigma: 0.35}
	m, err := trainer.Fit(ctx, fewMoons(8))
	if err != nil {
		log.Fatal(err)
	}
	small, change, err := m.Prune(ctx, 0.01)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("less than half of %d points: %v, changed by at most 0.01: %v\n", m.Basis(), small.Basis() < m.Basis()/2, change <= 0.01)
	// Output: less than half of 200 points: true, changed by at most 0.01: true
}

// Train on 200 points of which four are labelled, and classify new ones.
func ExampleTrainer() {
	d := dataset.TwoMoons(200, 0.05, 1)
	for i := 4; i < len(d.Y); i++ {
		d.Y[i] = dataset.Unlabelled
	}
	trainer := lapsvm.Trainer{Recipe: lapsvm.Recipe{GammaI: 1, RulesOfThumb: true}}
	trainer.Recipe.Graph.Neighbours, trainer.Recipe.Graph.Degree = 6, 1
	m, err := trainer.Fit(context.Background(), d)
	if err != nil {
		log.Fatal(err)
	}
	unseen := dataset.TwoMoons(100, 0.05, 2)
	classes, err := m.Predict(context.Background(), unseen.Points)
	if err != nil {
		log.Fatal(err)
	}
	right := 0
	for i, class := range classes {
		if class == unseen.Y[i] {
			right++
		}
	}
	fmt.Printf("%d of 100 right\n", right)
	// Output: 100 of 100 right
}

// Train on rows that a program has, of which few have a label, and say how sure the model is of a new one.
func ExampleTrainer_Fit() {
	rows := [][]float64{{0, 0.1}, {0.2, 0}, {0.4, 0.1}, {0.6, 0}, {0.8, 0.1}, {5, 5.1}, {5.2, 5}, {5.4, 5.1}, {5.6, 5}, {5.8, 5.1}}
	labels := []string{"low", "", "low", "", "", "high", "", "", "high", ""} // "" for none
	d := &dataset.Dataset{Points: points.Dense(len(rows), len(rows[0]), slices.Concat(rows...)), Classes: []string{"low", "high"}}
	for _, label := range labels {
		d.Y = append(d.Y, slices.Index(d.Classes, label)) // dataset.Unlabelled, −1, for none
	}
	ctx := context.Background()
	m, err := lapsvm.Trainer{Recipe: lapsvm.Recipe{Calibrate: true}}.Fit(ctx, d) // Calibrate adds probabilities
	if err != nil {
		log.Fatal(err)
	}
	unseen := points.Dense(1, 2, []float64{5.1, 4.9})
	classes, err := m.Predict(ctx, unseen)
	if err != nil {
		log.Fatal(err)
	}
	probabilities, err := m.Probabilities(ctx, unseen)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(m.Classes()[classes[0]], probabilities[0][classes[0]] > 0.5)
	// Output: high true
}

// Take a decision apart: what labelled and unlabelled points add to its value.
func ExampleModel_Explain() {
	d := fewMoons(4)
	trainer := lapsvm.Trainer{Recipe: lapsvm.Recipe{GammaI: 1, RulesOfThumb: true}}
	trainer.Recipe.Graph.Neighbours, trainer.Recipe.Graph.Degree = 6, 1
	m, err := trainer.Fit(context.Background(), d)
	if err != nil {
		log.Fatal(err)
	}
	all, err := m.ExplainShares(context.Background(), d.Points.Slice(0, 1), lapsvm.ShareOptions{Nearest: 2})
	if err != nil {
		log.Fatal(err)
	}
	e := all[0]
	sum := e.Bias + e.Unlabelled
	for _, share := range e.Labelled {
		sum += share
	}
	fmt.Printf("class %s; the parts add up: %v\n", m.Classes()[e.Class], sum-e.Value < 1e-12 && e.Value-sum < 1e-12)
	fmt.Printf("the nearest training points are rows %d and %d\n", e.Nearest[0].Row+1, e.Nearest[1].Row+1)
	// Output:
	// class 0; the parts add up: true
	// the nearest training points are rows 1 and 177
}

// ranks trains with those that work together, of which each reads its part of the rows; the
// first has the model.
func ranks(ctx context.Context, c *comm.Comm, path string) (*lapsvm.Model, error) {
	d, err := files.ReadFile(path, files.Options{Ranks: dataset.NewRanks(ctx, c)})
	if err != nil {
		return nil, err
	}
	if d, err = d.Share(ctx, c); err != nil {
		return nil, err
	}
	t := smooth()
	t.Recipe.Solver = lapsvm.Landmarks // the others are for one process
	return t.Fit(ctx, d)
}

// Ranks train one model together: here as goroutines, on a cluster as processes.
// There a program starts as
//
//	launch, several, err := mpi.Launched(os.Getenv)
//	transport, ctx, err := mpi.Join(ctx, launch, "", os.Getenv)
//	c, ctx := comm.New(ctx, transport)
//
// and ends by transport.Finish, or after an error by transport.Fail.
func ExampleTrainer_Fit_ranks() {
	folder, err := os.MkdirTemp("", "lapsvm")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(folder)
	path := filepath.Join(folder, "points.csv")
	if err := files.WriteFile(context.Background(), path, fewMoons(8), files.WriteOptions{}); err != nil {
		log.Fatal(err)
	}

	err = comm.Goroutines(context.Background(), 2, func(ctx context.Context, c *comm.Comm) error {
		m, err := ranks(ctx, c, path)
		if err != nil || c.Rank() > 0 {
			return err
		}
		right := 0
		all := dataset.TwoMoons(200, 0.05, 1)
		classes, err := m.Predict(ctx, all.Points)
		for i, k := range classes {
			if k == all.Y[i] {
				right++
			}
		}
		fmt.Printf("%d ranks, 95 %% of the rows right: %v\n", c.Size(), 20*right >= 19*len(all.Y))
		return err
	})
	if err != nil {
		log.Fatal(err)
	}
	// Output:
	// 2 ranks, 95 % of the rows right: true
}
