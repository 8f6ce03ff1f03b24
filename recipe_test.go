package lapsvm_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"lapsvm"
	"lapsvm/dataset"
	"lapsvm/internal/machines/solve"
	"lapsvm/internal/machines/task"
	"lapsvm/internal/numbers/objective"
	"lapsvm/internal/points/graph"
	"lapsvm/internal/testing/detector"
	"lapsvm/kernel"
	"lapsvm/points"
)

// sameBits reports whether two models have the same bits of every decision value
// at all points.
func sameBits(t *testing.T, a, b *lapsvm.Model, all ...*points.Points) bool {
	t.Helper()
	for _, p := range all {
		x, err := a.Scores(t.Context(), p)
		if err != nil {
			t.Fatal(err)
		}
		y, err := b.Scores(t.Context(), p)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.EqualFunc(x, y, slices.Equal[[]float64]) {
			return false
		}
	}
	return true
}

// fit trains by a recipe.
func fit(t *testing.T, r lapsvm.Recipe, d *dataset.Dataset) *lapsvm.Model {
	t.Helper()
	m, err := lapsvm.Trainer{Recipe: r}.Fit(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// The recipe of a model is whole: training by it again, or by what its JSON or the
// model's file has of it, gives the same bits.
func TestRecipeIsWhole(t *testing.T) {
	detector.Spare(t)
	few, _ := moons(60, 2, 4)
	large, _ := moons(2400, 4, 4)
	many, _ := clusters(4, 20, 3)
	inside, _ := clusters(1, 40, 10)
	weighted, _ := moons(60, 4, 5)
	weighted.Weights = make([]float64, 60)
	for i := range weighted.Weights {
		weighted.Weights[i] = 1 + float64(i%4)/3
	}
	g := kernel.Gaussian{Sigma: 0.4}
	for name, c := range map[string]struct {
		r lapsvm.Recipe
		d *dataset.Dataset
	}{
		"chosen":            {lapsvm.Recipe{}, few},
		"chosen, weighted":  {lapsvm.Recipe{Calibrate: true}, weighted},
		"chosen, four":      {lapsvm.Recipe{Standardise: points.ZScore}, many},
		"on a part":         {lapsvm.Recipe{Kernel: kernel.Gaussian{Sigma: 0.35}, GammaA: 1e-2, Seed: 3}, large},
		"supervised":        {lapsvm.Recipe{Supervised: true}, few},
		"supervised rule":   {lapsvm.Recipe{Supervised: true, RulesOfThumb: true}, few},
		"supervised by pcg": {lapsvm.Recipe{Supervised: true, RulesOfThumb: true, Solver: lapsvm.PCG}, few},
		"pcg":               {lapsvm.Recipe{Solver: lapsvm.PCG, Seed: 1<<64 - 1}, few},
		"steered pcg":       {lapsvm.Recipe{Kernel: g, RulesOfThumb: true, CheckEvery: 3, MaxIterations: 7, BiasWeight: 1e-3, Stop: solve.Stability}, few},
		"newton":            {lapsvm.Recipe{Solver: lapsvm.Newton, LineSearch: true}, few},
		"dual":              {lapsvm.Recipe{Solver: lapsvm.Dual}, few},
		"hinge by rule":     {lapsvm.Recipe{Loss: objective.Hinge, Tolerance: 1e-7, RulesOfThumb: true}, few},
		"squared":           {lapsvm.Recipe{Loss: objective.Squared, Bias: objective.BiasOutside}, few},
		"prior":             {lapsvm.Recipe{Prior: lapsvm.BalancedPrior, Calibrate: true}, few},
		"class prior":       {lapsvm.Recipe{Kernel: g, Prior: lapsvm.ClassPrior{"0": 0.3, "1": 0.7}, RulesOfThumb: true}, few},
		"cosine":            {lapsvm.Recipe{Graph: graph.Options{Metric: graph.Cosine}}, few},
		"self-tuning":       {lapsvm.Recipe{Graph: graph.Options{Metric: lapsvm.SelfTuning}}, few},
		"heat":              {lapsvm.Recipe{Kernel: g, Graph: graph.Options{Weights: graph.Heat, Unnormalised: true}, RulesOfThumb: true}, few},
		"heat, members":     {lapsvm.Recipe{Kernel: g, Graph: graph.Options{Weights: graph.Heat}}, few},
		"width by rule":     {lapsvm.Recipe{RulesOfThumb: true}, few},
		"Laplacian kernel":  {lapsvm.Recipe{Kernel: kernel.Laplacian{}, RulesOfThumb: true}, few},
		"polynomial":        {lapsvm.Recipe{Kernel: kernel.Polynomial{Degree: 3, Gamma: 0.3, Coef0: 1}, Bias: objective.NoBias}, few},
		"linear":            {lapsvm.Recipe{Kernel: kernel.Linear{}, Standardise: points.MinMax}, many},
		"one class":         {lapsvm.Recipe{Kind: task.OneClass()}, inside},
		"label shares":      {lapsvm.Recipe{LabelShares: true}, few},
	} {
		t.Run(name, func(t *testing.T) {
			m := fit(t, c.r, c.d)
			whole := m.Recipe()
			if whole.Open() {
				t.Errorf("%+v leaves something open", whole)
			}
			if members := len(whole.Members); name == "chosen" && (members < 2 || whole.Choice.Averaged != members) {
				t.Errorf("%d members, said are %d", members, whole.Choice.Averaged)
			}
			loaded := readBack(t, m)
			text, err := json.Marshal(whole)
			if err != nil {
				t.Fatal(err)
			}
			var read lapsvm.Recipe
			if err := json.Unmarshal(text, &read); err != nil {
				t.Fatal(err)
			}
			other := dataset.TwoMoons(50, 0.1, 77).Points
			if c.d.Points.Dim() == 3 {
				values := make([]float64, 60)
				for i := range values {
					values[i] = 12 * math.Sin(float64(i*i))
				}
				other = points.Dense(20, 3, values)
			}
			for by, r := range map[string]lapsvm.Recipe{"recipe": whole, "JSON": read, "file": loaded.Recipe()} {
				again := fit(t, r, c.d)
				if !sameBits(t, m, again, c.d.Points, other) {
					t.Errorf("trained again by the %s %+v: another model", by, r)
				}
				if !reflect.DeepEqual(m.Calibration(), again.Calibration()) || m.Training().Objective != again.Training().Objective || m.Training().Iterations != again.Training().Iterations {
					t.Errorf("trained again by the %s: %+v, first %+v", by, again.Training(), m.Training())
				}
				if !slices.EqualFunc(m.Training().Scores, again.Training().Scores, slices.Equal[[]float64]) {
					t.Errorf("trained again by the %s: other outputs on the training points", by)
				}
				written, err := json.Marshal(again.Recipe())
				if err != nil || !bytes.Equal(written, text) {
					t.Errorf("the recipe %s became %s, %v", text, written, err)
				}
			}
		})
	}
}

// byHand copies a value field by field, all of which must be exported.
func byHand(t *testing.T, v reflect.Value) reflect.Value {
	t.Helper()
	out := reflect.New(v.Type()).Elem()
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Type().Field(i); !f.IsExported() {
				t.Fatalf("%s has the field %s, which is not exported", v.Type(), f.Name)
			}
			out.Field(i).Set(byHand(t, v.Field(i)))
		}
	case reflect.Slice:
		for i := range v.Len() {
			out.Set(reflect.Append(out, byHand(t, v.Index(i))))
		}
	case reflect.Map:
		if !v.IsNil() {
			out.Set(reflect.MakeMap(v.Type()))
			for _, key := range v.MapKeys() {
				out.SetMapIndex(key, byHand(t, v.MapIndex(key)))
			}
		}
	case reflect.Interface:
		if !v.IsNil() {
			out.Set(byHand(t, v.Elem()))
		}
	case reflect.Pointer:
		if !v.IsNil() {
			out.Set(reflect.New(v.Type().Elem()))
			out.Elem().Set(byHand(t, v.Elem()))
		}
	default:
		out.Set(v)
	}
	return out
}

// A recipe is its exported fields: one that was chosen and then changed trains as
// one that is written down with the change. What was chosen before steers nothing.
func TestNoHiddenState(t *testing.T) {
	d, _ := moons(60, 3, 2)
	unseen := dataset.TwoMoons(50, 0.1, 77).Points
	for name, asked := range map[string]lapsvm.Recipe{
		"members":     {},
		"one machine": {Solver: lapsvm.PCG},
		"supervised":  {Supervised: true},
	} {
		chosen, err := lapsvm.Trainer{Recipe: asked}.Choose(t.Context(), d)
		if err != nil {
			t.Fatal(err)
		}
		if (len(chosen.Members) > 1) != (name == "members") {
			t.Fatalf("%s: %d members", name, len(chosen.Members))
		}
		unchanged := fit(t, chosen, d)
		for what, change := range map[string]func(r *lapsvm.Recipe){
			"width":       func(r *lapsvm.Recipe) { r.Kernel = kernel.Gaussian{Sigma: 3 * r.Kernel.Parameters().Sigma} },
			"loss":        func(r *lapsvm.Recipe) { r.Loss = objective.Squared },
			"bias":        func(r *lapsvm.Recipe) { r.Bias = objective.NoBias },
			"metric":      func(r *lapsvm.Recipe) { r.Graph.Metric = graph.Cosine },
			"standardise": func(r *lapsvm.Recipe) { r.Standardise = points.ZScore },
			"weights": func(r *lapsvm.Recipe) {
				if r.GammaA *= 7; len(r.Members) > 0 {
					for k := range r.Members {
						r.Members[k].GammaA *= 7
					}
				}
			},
		} {
			changed := chosen.Clone()
			change(&changed)
			got := fit(t, changed, d)

			written := byHand(t, reflect.ValueOf(chosen)).Interface().(lapsvm.Recipe)
			change(&written)
			written.Choice = nil
			if !sameBits(t, got, fit(t, written, d), d.Points, unseen) {
				t.Errorf("%s, %s: changed after it was chosen %+v is not %+v", name, what, changed, written)
			}
			var read lapsvm.Recipe
			if text, err := json.Marshal(chosen); err != nil || json.Unmarshal(text, &read) != nil {
				t.Fatal(err)
			}
			change(&read)
			read.Choice = &lapsvm.Choice{Sigma: 9, Neighbours: 3, LaplacianDegree: 4, GammaA: 5, GammaI: 6, Averaged: 7, Candidates: 8, Points: 9}
			if !sameBits(t, got, fit(t, read, d), d.Points, unseen) {
				t.Errorf("%s, %s: read from JSON, with another choice, it gives another model", name, what)
			}
			if same := sameBits(t, got, unchanged, d.Points, unseen); same != (name == "supervised" && what == "metric") {
				t.Errorf("%s, %s: the change changes nothing: %v", name, what, same)
			}
		}
	}
}

// Fit trains by what Choose chooses, and a machine is supervised only where the
// recipe says so.
func TestFitChooses(t *testing.T) {
	few, _ := moons(60, 3, 4)
	single, _ := moons(60, 1, 4)
	for name, c := range map[string]struct {
		t lapsvm.Trainer
		d *dataset.Dataset
	}{
		"members":        {lapsvm.Trainer{}, few},
		"one machine":    {lapsvm.Trainer{Recipe: lapsvm.Recipe{Solver: lapsvm.Newton}}, few},
		"one label each": {lapsvm.Trainer{}, single},
		"validated":      {lapsvm.Trainer{Run: lapsvm.Run{Validation: dataset.TwoMoons(30, 0.1, 9)}}, few},
		"by rule":        {lapsvm.Trainer{Recipe: lapsvm.Recipe{RulesOfThumb: true}}, few},
		"supervised":     {lapsvm.Trainer{Recipe: lapsvm.Recipe{Supervised: true}}, few},
	} {
		m, err := c.t.Fit(t.Context(), c.d)
		if err != nil {
			t.Fatal(name, err)
		}
		chosen, err := c.t.Choose(t.Context(), c.d)
		if err != nil {
			t.Fatal(name, err)
		}
		if !sameBits(t, m, fit(t, chosen, c.d), c.d.Points) {
			t.Errorf("%s: Fit trained another model than what Choose chose", name)
		}
		r := m.Recipe()
		if byRule := name == "by rule"; (r.Choice == nil) != byRule || !reflect.DeepEqual(r.Choice, chosen.Choice) {
			t.Errorf("%s: the choice is told as %+v, it was %+v", name, r.Choice, chosen.Choice)
		}
		if r.Supervised != (name == "supervised") || m.Training().Unlabelled == 0 != r.Supervised {
			t.Errorf("%s: supervised %v, %d unlabelled points take part", name, r.Supervised, m.Training().Unlabelled)
		}
		if r.Leading().GammaI > 0 == r.Supervised {
			t.Errorf("%s: %+v leads", name, r.Leading())
		}
		for _, one := range r.Machines() {
			if one.GammaI > 0 && r.Supervised || !(one.GammaA > 0) {
				t.Errorf("%s: the machine %+v", name, one)
			}
		}
	}
	// With rules of thumb these are the defaults.
	d, _ := moons(60, 3, 4)
	m := fit(t, lapsvm.Recipe{RulesOfThumb: true}, d)
	nb, err := graph.FindNeighbours(t.Context(), d.Points, 10, graph.Euclidean)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := m.Recipe().Leading(), (lapsvm.Member{Neighbours: 10, LaplacianDegree: 2, GammaA: 1e-4, GammaI: 1e-2, Weight: 1}); got != want {
		t.Errorf("by rule %+v, want %+v", got, want)
	}
	width, err := nb.MeanDistance(t.Context())
	if got, want := m.Kernel(), (kernel.Gaussian{Sigma: width}); err != nil || got != want {
		t.Errorf("by rule %v, want %v", got, want)
	}
}

// What a model returns is a copy.
func TestModelIsImmutable(t *testing.T) {
	d, _ := moons(60, 3, 2)
	d.Features = []string{"x", "y"}
	m := fit(t, lapsvm.Recipe{Prior: lapsvm.ClassPrior{"0": 0.5, "1": 0.5}, Calibrate: true}, d)
	before, err := json.Marshal(m.Recipe())
	if err != nil {
		t.Fatal(err)
	}
	m.Classes()[0], m.Features()[0] = "changed", "changed"
	r := m.Recipe()
	r.Prior.(lapsvm.ClassPrior)["0"], r.Members[0].GammaA, r.Choice.GammaA = 7, 7, 7
	slope := m.Calibration().Slope
	m.Calibration().Slope = -1
	if !slices.Equal(m.Classes(), []string{"0", "1"}) || !slices.Equal(m.Features(), []string{"x", "y"}) || m.Calibration().Slope != slope {
		t.Errorf("classes %v, features %v, slope %v", m.Classes(), m.Features(), m.Calibration().Slope)
	}
	if after, err := json.Marshal(m.Recipe()); err != nil || !bytes.Equal(before, after) {
		t.Errorf("the recipe was %s and is %s, %v", before, after, err)
	}
}

// A Trainer has functions beside its recipe, which JSON has no form for. It is an error in JSON, and
// nothing of it is lost without a word. Its recipe has a form.
func TestTrainerInJSON(t *testing.T) {
	trainer := lapsvm.Trainer{Recipe: lapsvm.Recipe{Seed: 3}, Run: lapsvm.Run{Memory: 1 << 30}}
	var unsupported *json.UnsupportedTypeError
	if text, err := json.Marshal([]any{trainer}); !errors.As(err, &unsupported) {
		t.Errorf("a trainer is %s, %v", text, err)
	}
	if text, err := json.Marshal(trainer.Recipe); err != nil || !bytes.Contains(text, []byte(`"seed":3`)) {
		t.Errorf("a recipe is %s, %v", text, err)
	}
}

// The documentation of Recipe lists its fields, which are in a package of the library's inside.
func TestRecipeIsDocumented(t *testing.T) {
	text, err := os.ReadFile("lapsvm.go")
	if err != nil {
		t.Fatal(err)
	}
	_, list, _ := strings.Cut(string(text), "// Recipe holds all parameters of a training")
	list, _, _ = strings.Cut(list, "Recipe = train.Recipe")
	for _, f := range reflect.VisibleFields(reflect.TypeFor[lapsvm.Recipe]()) {
		if !strings.Contains(list, "\t"+f.Name+" ") && !strings.Contains(list, ", "+f.Name+" ") && !strings.Contains(list, "\t"+f.Name+", ") {
			t.Errorf("the field %s is not in the list", f.Name)
		}
	}
}
