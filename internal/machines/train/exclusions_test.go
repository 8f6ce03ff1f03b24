package train

import (
	"encoding/json"
	"errors"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"lapsvm/internal/machines/solve"
	"lapsvm/internal/machines/task"
	"lapsvm/internal/numbers/objective"
	"lapsvm/internal/points/gram"
	"lapsvm/internal/points/graph"
	"lapsvm/kernel"
	"lapsvm/points"
)

// Two settings that exclude each other are an error by each way in: the fields of a recipe, the keys
// of JSON and the flags of the command, each named as it was written. Every exclusion of the table is
// here.
func TestExclusions(t *testing.T) {
	g, given := kernel.Gaussian{Sigma: 1}, kernel.Precomputed{}
	tested := make(map[string]bool)
	for pair, c := range map[string]struct {
		r             Recipe
		fields, keys  string
		flags, inFlag string // flag=text, separated by spaces; "" for settings without flags
	}{
		"mean_of gamma_a":          {Recipe{Members: pair(nil), GammaA: 0.1}, "Members and GammaA 0.1", "mean_of and gamma_a 0.1", "", ""},
		"mean_of gamma_i":          {Recipe{Members: pair(nil), GammaI: 0.1}, "Members and GammaI 0.1", "mean_of and gamma_i 0.1", "", ""},
		"mean_of neighbours":       {Recipe{Members: pair(nil), Graph: graph.Options{Neighbours: 5}}, "Members and Graph.Neighbours 5", "mean_of and neighbours 5", "", ""},
		"mean_of laplacian_degree": {Recipe{Members: pair(nil), Graph: graph.Options{Degree: 5}}, "Members and Graph.Degree 5", "mean_of and laplacian_degree 5", "", ""},
		"mean_of solver":           {Recipe{Members: pair(nil), Solver: PCG}, "Members and Solver pcg", "mean_of and solver pcg", "", ""},
		"metric kernel":            {Recipe{Graph: graph.Options{Metric: graph.Kernel}}, "Graph.Metric kernel and Kernel gaussian", "metric kernel and kernel gaussian", "kernel=gaussian sigma=1 metric=kernel", "--metric kernel and --kernel gaussian"},
		"metric self-tuning":       {Recipe{Kernel: given, Graph: graph.Options{Metric: graph.SelfTuning}}, "Graph.Metric self-tuning and Kernel precomputed", "metric self-tuning and kernel precomputed", "kernel=precomputed metric=self-tuning", "--metric self-tuning and --kernel precomputed"},
		"metric kernel again":      {Recipe{Kernel: given, Graph: graph.Options{Metric: graph.Cosine}}, "Graph.Metric cosine and Kernel precomputed", "metric cosine and kernel precomputed", "kernel=precomputed metric=cosine", "--metric cosine and --kernel precomputed"},
		"edge_weight neighbours":   {Recipe{Graph: graph.Options{EdgesAlone: true, EdgeWeight: 2}}, "Graph.EdgeWeight 2 and Graph.Neighbours 0", "edge_weight 2 and neighbours 0", "neighbours=0 edge-weight=2", "--edge-weight 2 and --neighbours 0"},
		"loss solver":              {Recipe{Loss: objective.Hinge, Solver: Newton}, "Loss hinge and Solver newton", "loss hinge and solver newton", "loss=hinge solver=newton", "--loss hinge and --solver newton"},
		"one_class solver":         {Recipe{Kind: task.OneClass(), Solver: Dual}, "Kind one class and Solver dual", "one_class and solver dual", "one-class=true solver=dual", "--one-class and --solver dual"},
		"standardise kernel":       {Recipe{Kernel: given, Standardise: points.ZScore}, "Standardise zscore and Kernel precomputed", "standardise zscore and kernel precomputed", "kernel=precomputed standardise=zscore", "--standardise zscore and --kernel precomputed"},
		"describe kernel":          {Recipe{Kernel: given, Describe: "hog"}, "Describe hog and Kernel precomputed", "describe hog and kernel precomputed", "kernel=precomputed describe=hog", "--describe hog and --kernel precomputed"},
		"one_class prior":          {Recipe{Prior: BalancedPrior, Kind: task.OneClass()}, "Kind one class and Prior balanced", "one_class and prior balanced", "prior=balanced one-class=true", "--one-class and --prior balanced"},
		"prior gamma_i":            {Recipe{Prior: LabelledPrior, Supervised: true}, "Prior labelled and Supervised", "prior labelled and gamma_i 0", "prior=labelled gamma-i=0", "--prior labelled and --gamma-i 0"},
		"one_class prior again":    {Recipe{Prior: ClassPrior{"a": 1}, Kind: task.OneClass()}, "Kind one class and Prior a=1", "one_class and prior a=1", "", ""},
		"class_prior gamma_i":      {Recipe{Prior: ClassPrior{"a": 1}, Supervised: true}, "ClassPrior a=1 and Supervised", "class_prior a=1 and gamma_i 0", "", ""},
		"label_shares kernel":      {Recipe{LabelShares: true, Kernel: kernel.Linear{}}, "LabelShares and Kernel linear", "label_shares and kernel linear", "label-shares=true kernel=linear", "--label-shares and --kernel linear"},
		"label_shares solver":      {Recipe{LabelShares: true, Solver: PCG}, "LabelShares and Solver pcg", "label_shares and solver pcg", "label-shares=true solver=pcg", "--label-shares and --solver pcg"},
		"gram solver":              {Recipe{Gram: gram.FormLandmarks, Solver: PCG}, "Gram landmarks and Solver pcg", "gram landmarks and solver pcg", "", ""},
		"landmarks solver":         {Recipe{Landmarks: 5, Solver: PCG}, "Landmarks 5 and Solver pcg", "", "landmarks=5 solver=pcg", "--landmarks 5 and --solver pcg"},
		"compact solver":           {Recipe{Compact: true, Solver: Deformed}, "Compact and Solver deformed", "", "compact=true solver=deformed", "--compact and --solver deformed"},
		"regression loss":          {Recipe{Kind: task.Numbers(), Loss: objective.HuberisedHinge}, "Kind numbers and Loss huberised-hinge", "regression and loss huberised-hinge", "regression=true loss=huberised-hinge", "--regression and --loss huberised-hinge"},
		"regression prior":         {Recipe{Kind: task.Numbers(), Prior: BalancedPrior}, "Kind numbers and Prior balanced", "regression and prior balanced", "regression=true prior=balanced", "--regression and --prior balanced"},
		"regression class_weight":  {Recipe{Kind: task.Numbers(), ClassWeight: BalancedWeights}, "Kind numbers and ClassWeight balanced", "regression and class_weight balanced", "regression=true class-weight=balanced", "--regression and --class-weight balanced"},
		"regression stop":          {Recipe{Kind: task.Numbers(), Stop: solve.Stability}, "Kind numbers and Stop stability", "regression and stop stability", "regression=true stop=stability", "--regression and --stop stability"},
		"multi_label prior":        {Recipe{Kind: task.Several(";"), Prior: BalancedPrior}, "Kind several classes ; and Prior balanced", "multi_label ; and prior balanced", "multi-label=; prior=balanced", "--multi-label ; and --prior balanced"},
		"multi_label class_weight": {Recipe{Kind: task.Several(";"), ClassWeight: BalancedWeights}, "Kind several classes ; and ClassWeight balanced", "multi_label ; and class_weight balanced", "multi-label=; class-weight=balanced", "--multi-label ; and --class-weight balanced"},
		"multi_label stop":         {Recipe{Kind: task.Several(";"), Stop: solve.Stability}, "Kind several classes ; and Stop stability", "multi_label ; and stop stability", "multi-label=; stop=stability", "--multi-label ; and --stop stability"},
		"multi_label solver":       {Recipe{Kind: task.Several(";"), Solver: Dual}, "Kind several classes ; and Solver dual", "multi_label ; and solver dual", "multi-label=; solver=dual", "--multi-label ; and --solver dual"},
	} {
		tested[strings.TrimSuffix(pair, " again")] = true
		if c.r.Kernel == nil {
			c.r.Kernel = g
		}
		var excluded *ExclusionError
		if err := c.r.Validate(); !errors.As(err, &excluded) || !strings.HasPrefix(err.Error(), c.fields+" exclude each other: ") {
			t.Errorf("%s: the fields are the error %v, want %q", pair, err, c.fields)
		}
		text, err := json.Marshal(c.r)
		if err != nil {
			t.Fatal(err)
		}
		var read Recipe
		if err := json.Unmarshal(text, &read); err != nil {
			t.Errorf("%s: %s cannot be read: %v", pair, text, err)
		}
		switch err := read.Validate(); {
		case c.keys == "": // what another solver has was nothing to an older program
			if err != nil {
				t.Errorf("%s: %s is the error %v", pair, text, err)
			}
		case !errors.As(err, &excluded) || !strings.HasPrefix(excluded.Worded(func(s Setting) string { return s.Key }).Error(), c.keys+" exclude each other: "):
			t.Errorf("%s: %s is the error %v, want %q", pair, text, err, c.keys)
		}
		if c.flags == "" {
			continue
		}
		d := NewDraft(append(Groups(), ModelGroup)...)
		for flag := range strings.SplitSeq(c.flags, " ") {
			name, value, _ := strings.Cut(flag, "=")
			at := slices.IndexFunc(Settings(), func(s Setting) bool { return s.Flag == name })
			if err := Settings()[at].Set(d, value); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := d.Written(); !errors.As(err, &excluded) || !strings.HasPrefix(excluded.Worded(func(s Setting) string { return "--" + s.Flag }).Error(), c.inFlag+" exclude each other: ") {
			t.Errorf("%s: %s is the error %v, want %q", pair, c.flags, err, c.inFlag)
		}
	}
	for text, want := range map[string]string{
		`{"prior":"balanced","class_prior":{"a":1}}`:          "class_prior and prior exclude each other",
		`{"class_weights":{"a":1},"class_weight":"balanced"}`: "class_weights and class_weight exclude each other",
	} {
		if err := json.Unmarshal([]byte(text), new(Recipe)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s is read: %v", text, err)
		}
		first, second, _ := strings.Cut(strings.TrimSuffix(want, " exclude each other"), " and ")
		tested[first+" "+second] = true
	}
	var r Recipe // of JSON that has no value for the other key
	if err := json.Unmarshal([]byte(`{"prior":"balanced","class_prior":null,"class_weight":"","class_weights":{"a":1}}`), &r); err != nil || r.Prior != BalancedPrior || r.ClassWeight == nil {
		t.Errorf("%+v: %v", r, err)
	}
	ofKind := make(map[string]bool)
	for _, s := range Settings() {
		for _, e := range s.exclusions() {
			if s.kind != "" { // which exclude by one table
				ofKind[e.key] = ofKind[e.key] || tested[s.Key+" "+e.key]
			} else if !tested[s.Key+" "+e.key] {
				t.Errorf("%s excludes %s, and no test says so: there are tests of %q", s.Key, e.key, slices.Sorted(maps.Keys(tested)))
			}
		}
	}
	for key, is := range ofKind {
		if !is {
			t.Errorf("kinds of label exclude %s, and no test says so", key)
		}
	}
}

// Labels are of one kind, in JSON and by flags.
func TestOneKindOfLabel(t *testing.T) {
	if err := json.Unmarshal([]byte(`{"regression":true,"multi_label":";"}`), new(Recipe)); err == nil || !strings.Contains(err.Error(), "exclude each other: labels are of one kind") {
		t.Errorf("two kinds are read: %v", err)
	}
	for _, kind := range []task.Kind{{}, task.OneClass(), task.Numbers(), task.Several(";"), task.Ordered(), task.Ordered("low", "a,b", "high")} {
		text, err := json.Marshal(Recipe{Kind: kind})
		var got Recipe
		if err == nil {
			err = json.Unmarshal(text, &got)
		}
		if err != nil || !reflect.DeepEqual(got.Kind, kind) {
			t.Errorf("%s: %s is read as %+v, %v", kind.Name, text, got.Kind, err)
		}
	}
	d, all := NewDraft(Groups()...), Settings()
	for key, value := range map[string]string{"ordered": "low,high", "one_class": "true"} {
		if err := all[slices.IndexFunc(all, func(s Setting) bool { return s.Key == key })].Set(d, value); err != nil {
			t.Fatal(err)
		}
	}
	var excluded *ExclusionError
	if _, err := d.Written(); !errors.As(err, &excluded) || !strings.HasPrefix(excluded.Worded(func(s Setting) string { return "--" + s.Flag }).Error(), "--one-class and --ordered low,high exclude each other: ") {
		t.Errorf("two kinds are the error %v", err)
	}
}

// A recipe for a solver has no settings of another, and keeps its own.
func TestBy(t *testing.T) {
	r := Recipe{Landmarks: 5, Compact: true, Seed: 3}
	if got := r.By(PCG); got.Landmarks != 0 || got.Compact || got.Solver != PCG || got.Seed != 3 {
		t.Errorf("%+v", got)
	}
	if got := r.By(Landmarks); got.Landmarks != 5 || !got.Compact || got.Solver != Landmarks {
		t.Errorf("%+v", got)
	}
}

// A recipe that was trained by is no error, whatever its solver left out: landmarks of a supervised
// machine, whose solver is Newton's method.
func TestTrainedRecipeExcludesNothing(t *testing.T) {
	f, err := Fit(t.Context(), few(40, 6), Recipe{Kernel: kernel.Gaussian{Sigma: 1}, Supervised: true, Landmarks: 20, Compact: true}, Run{})
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Recipe.Validate(); err != nil || f.Recipe.Solver != Newton || f.Recipe.Landmarks != 0 || f.Recipe.Compact {
		t.Errorf("%+v: %v", f.Recipe, err)
	}
}
