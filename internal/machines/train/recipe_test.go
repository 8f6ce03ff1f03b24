package train

import (
	"encoding/json"
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"

	"lapsvm/dataset"
	"lapsvm/internal/machines/task"
	"lapsvm/internal/numbers/objective"
	"lapsvm/internal/points/gram"
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

// pair is two members that make a mean, with the change in both.
func pair(change func(m *Member)) []Member {
	members := []Member{
		{Neighbours: 5, LaplacianDegree: 1, GammaA: 0.1, GammaI: 1, Weight: 0.25},
		{Neighbours: 3, LaplacianDegree: 2, GammaA: 1, GammaI: 2, Weight: 0.75},
	}
	if change != nil {
		change(&members[1])
	}
	return members
}

// Fields outside their range, and fields that exclude each other, are errors of the
// recipe and of every training by it.
func TestRecipeErrors(t *testing.T) {
	g := kernel.Gaussian{Sigma: 1}
	for name, c := range map[string]struct {
		r    Recipe
		want string
	}{
		"members and a weight":        {Recipe{Members: pair(nil), GammaA: 0.1}, "each member has its own"},
		"members and another weight":  {Recipe{Members: pair(nil), GammaI: 0.1}, "each member has its own"},
		"members and neighbours":      {Recipe{Members: pair(nil), Graph: graph.Options{Neighbours: 5}}, "each member has its own"},
		"members and a degree":        {Recipe{Members: pair(nil), Graph: graph.Options{Degree: 5}}, "each member has its own"},
		"supervised members":          {Recipe{Members: pair(nil), Supervised: true}, "each member has its own"},
		"a member and a weight":       {Recipe{Members: pair(func(m *Member) { m.Weight = 1 })[1:], GammaA: 0.1}, "each member has its own"},
		"members by pcg":              {Recipe{Members: pair(nil), Solver: PCG}, "Members and Solver pcg exclude each other: a mean of machines is made by deformed, landmarks"},
		"members by newton":           {Recipe{Members: pair(nil), Solver: Newton}, "Members and Solver newton exclude each other"},
		"landmarks for pcg":           {Recipe{Gram: gram.FormLandmarks, Solver: PCG}, "Gram landmarks and Solver pcg exclude each other"},
		"fewer than no landmarks":     {Recipe{Landmarks: -3}, "-3 landmarks"},
		"weights below 1":             {Recipe{Members: pair(func(m *Member) { m.Weight = 0.7 })}, "must sum to 1"},
		"weights above 1":             {Recipe{Members: pair(func(m *Member) { m.Weight = 1 })}, "must sum to 1"},
		"no weight":                   {Recipe{Members: pair(func(m *Member) { m.Weight = 0 })}, "member 2"},
		"weight NaN":                  {Recipe{Members: pair(func(m *Member) { m.Weight = math.NaN() })}, "member 2"},
		"member without γA":           {Recipe{Members: pair(func(m *Member) { m.GammaA = 0 })}, "member 2"},
		"member of negative γI":       {Recipe{Members: pair(func(m *Member) { m.GammaI = -1 })}, "member 2"},
		"member without neighbours":   {Recipe{Members: pair(func(m *Member) { m.Neighbours = 0 })}, "member 2"},
		"member of a negative degree": {Recipe{Members: pair(func(m *Member) { m.LaplacianDegree = -1 })}, "member 2"},
		"supervised with γI":          {Recipe{Supervised: true, GammaI: 1}, "gamma-i is 1: leave one of them out"},
		"negative γA":                 {Recipe{GammaA: -1}, "gamma-a"},
		"negative γI":                 {Recipe{GammaI: -1}, "gamma-i"},
		"γA NaN":                      {Recipe{GammaA: math.NaN()}, "gamma-a"},
		"solver":                      {Recipe{Solver: "magic"}, "unknown solver"},
		"bias":                        {Recipe{Bias: 7}, "unknown bias"},
		"description":                 {Recipe{Describe: "hog,magic"}, "unknown description \"magic\""},
		"description twice":           {Recipe{Describe: "hog,hog"}, "given twice"},
		"description of a column":     {Recipe{Describe: "numbers:a"}, "unknown description \"numbers:a\""},
		"description of all and one":  {Recipe{Describe: "latent:a,latent"}, "given twice"},
		"precision":                   {Recipe{Precision: 16}, "unknown precision 16"},
		"hinge by newton":             {Recipe{Loss: objective.Hinge, Solver: Newton}, "choose the loss from"},
		"dual of another loss":        {Recipe{Loss: objective.Squared, Solver: Dual}, "choose the loss from"},
		"dual of one class":           {Recipe{Solver: Dual, Kind: task.OneClass()}, "no one-class"},
		"kernel":                      {Recipe{Kernel: kernel.Gaussian{Sigma: -1}}, "sigma > 0"},
	} {
		t.Run(name, func(t *testing.T) {
			if c.r.Kernel == nil {
				c.r.Kernel = g
			}
			if _, err := c.r.WithDefaults(); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want %q", err, c.want)
			}
			d := few(40, 6)
			if _, err := Fit(t.Context(), d, c.r, Run{}); !errors.Is(err, ErrParameter) {
				t.Errorf("training: %v", err)
			}
			if _, err := PlanFit(t.Context(), d, c.r, Run{}); !errors.Is(err, ErrParameter) {
				t.Errorf("plan: %v", err)
			}
		})
	}
	if _, err := (Recipe{Members: pair(nil)}).WithDefaults(); err != nil {
		t.Errorf("two members: %v", err)
	}
}

func TestRecipeDefaults(t *testing.T) {
	for name, c := range map[string]struct{ r, want Recipe }{
		"nothing": {Recipe{}, Recipe{Kernel: kernel.Gaussian{}, Loss: objective.SquaredHinge, Standardise: points.AsIs, Solver: Auto, Precision: 32}},
		"dual": {Recipe{Solver: Dual}, Recipe{Kernel: kernel.Gaussian{}, Loss: objective.Hinge, Bias: objective.BiasOutside, Standardise: points.AsIs,
			Solver: Dual, Precision: 64}},
		"hinge": {Recipe{Loss: objective.Hinge, Bias: objective.NoBias}, Recipe{Kernel: kernel.Gaussian{}, Loss: objective.Hinge, Bias: objective.NoBias,
			Standardise: points.AsIs, Solver: Dual, Precision: 64}},
		"exact": {Recipe{Solver: Deformed, Precision: 32}, Recipe{Kernel: kernel.Gaussian{}, Loss: objective.SquaredHinge, Standardise: points.AsIs, Solver: Deformed, Precision: 64}},
		"members": {Recipe{Members: pair(nil)}, Recipe{Members: pair(nil), Kernel: kernel.Gaussian{}, Loss: objective.SquaredHinge, Standardise: points.AsIs,
			Solver: Deformed, Precision: 64}},
	} {
		c.want.Describe = Undescribed
		if got, err := c.r.WithDefaults(); err != nil || !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %+v, %v, want %+v", name, got, err, c.want)
		}
	}
	by := Recipe{}.ByRule()
	if by.GammaA != DefaultGammaA || by.GammaI != DefaultGammaI {
		t.Errorf("by rule %+v", by)
	}
	if by := (Recipe{Supervised: true}).ByRule(); by.GammaA != DefaultGammaA || by.GammaI != 0 {
		t.Errorf("supervised by rule %+v", by)
	}
	if by := (Recipe{Members: pair(nil)}).ByRule(); by.GammaA != 0 || by.GammaI != 0 {
		t.Errorf("members by rule %+v", by)
	}
	if by := (Recipe{GammaA: 3, GammaI: 4}).ByRule(); by.GammaA != 3 || by.GammaI != 4 {
		t.Errorf("given, by rule %+v", by)
	}
}

func TestRecipeOpen(t *testing.T) {
	whole := Recipe{Kernel: kernel.Gaussian{Sigma: 1}, GammaA: 1, GammaI: 1, Graph: graph.Options{Neighbours: 5, Degree: 1}, Standardise: points.AsIs}
	for name, c := range map[string]struct {
		change func(r *Recipe)
		open   bool
	}{
		"whole":                 {func(*Recipe) {}, false},
		"kernel":                {func(r *Recipe) { r.Kernel = nil }, true},
		"width":                 {func(r *Recipe) { r.Kernel = kernel.Gaussian{} }, true},
		"linear":                {func(r *Recipe) { r.Kernel = kernel.Linear{} }, false},
		"γA":                    {func(r *Recipe) { r.GammaA = 0 }, true},
		"γI":                    {func(r *Recipe) { r.GammaI = 0 }, true},
		"neighbours":            {func(r *Recipe) { r.Graph.Neighbours = 0 }, true},
		"degree":                {func(r *Recipe) { r.Graph.Degree = 0 }, true},
		"scaling":               {func(r *Recipe) { r.Standardise = "" }, true},
		"supervised":            {func(r *Recipe) { r.Supervised, r.GammaI, r.Graph = true, 0, graph.Options{} }, false},
		"supervised without γA": {func(r *Recipe) { r.Supervised, r.GammaI, r.GammaA = true, 0, 0 }, true},
		"members":               {func(r *Recipe) { r.Members, r.GammaI, r.GammaA, r.Graph = pair(nil), 0, 0, graph.Options{} }, false},
	} {
		r := whole
		if c.change(&r); r.Open() != c.open {
			t.Errorf("%s: open %v", name, r.Open())
		}
	}
}

func TestLeading(t *testing.T) {
	members := pair(nil)
	if got := (Recipe{Members: members}).Leading(); got != members[1] {
		t.Errorf("%+v leads", got)
	}
	members[0].Weight, members[1].Weight = 0.5, 0.5
	if got := (Recipe{Members: members}).Leading(); got != members[0] {
		t.Errorf("of equal ones %+v leads", got)
	}
	one := Recipe{GammaA: 1, GammaI: 2, Graph: graph.Options{Neighbours: 3, Degree: 4}}
	if got, want := one.Leading(), (Member{Neighbours: 3, LaplacianDegree: 4, GammaA: 1, GammaI: 2, Weight: 1}); got != want || len(one.Machines()) != 1 {
		t.Errorf("%+v leads alone, want %+v", got, want)
	}
	one.Supervised, one.GammaI = true, 0
	if got, want := one.Leading(), (Member{GammaA: 1, Weight: 1}); got != want {
		t.Errorf("supervised %+v, want %+v", got, want)
	}
}

// JSON keeps every field that steers this kind of training.
func TestRecipeJSON(t *testing.T) {
	full := Recipe{Kind: task.Several(";"), Kernel: kernel.Polynomial{Degree: 3, Gamma: 0.1, Coef0: 1.0 / 3}, GammaA: 0.1, GammaI: 1.0 / 3, Loss: objective.Squared, Bias: objective.BiasOutside,
		Graph:    graph.Options{Neighbours: 7, Metric: graph.Cosine, Weights: graph.Distance, HeatWidth: 0.7, Unnormalised: true, Recall: 0.8, Degree: 3},
		Describe: "patches,hog", Standardise: points.ZScore, StandardiseReason: "why", Solver: Landmarks, Stop: "mixed", CheckEvery: 3, MaxIterations: 4, Tolerance: 5e-324, BiasWeight: 7, LineSearch: true,
		Prior: BalancedPrior, ClassWeight: BalancedWeights, Calibrate: true, LabelShares: true, Precision: 64, Gram: "streamed", Landmarks: 700, Compact: true, Pending: Pending{Challenger: &Member{Neighbours: 4, LaplacianDegree: 3, GammaA: 0.1, GammaI: 2}, RaiseGammaA: true, Landmarks: 200, Fewer: 100_000, Unseen: []int{1, 4}, KeepsAll: true}, RulesOfThumb: true, Seed: math.MaxUint64,
		Baseline: Baseline{SupervisedSigma: 0.2, SupervisedGamma: 1e-3, SupervisedLinear: true},
		Choice:   &Choice{GammaA: 0.3, Reason: "why", Baseline: Baseline{SupervisedSigma: 0.2, SupervisedGamma: 1e-3, SupervisedLinear: true}, Expected: &Expected{Error: 10, ErrorLow: 1.0 / 3, ErrorHigh: 30}, Verdict: Harms}}
	// Fields of numbers and words need no line here.
	for v, i := reflect.ValueOf(&full).Elem(), 0; i < v.NumField(); i++ {
		switch f := v.Field(i); {
		case !f.IsZero() || v.Type().Field(i).Name == "Supervised":
		case f.Kind() == reflect.Float64:
			f.SetFloat(1.0 / 3)
		case f.Kind() == reflect.Int:
			f.SetInt(3)
		case f.Kind() == reflect.Bool:
			f.SetBool(true)
		case f.Kind() == reflect.String:
			f.SetString("word")
		}
	}
	averaged := Recipe{Kernel: kernel.Laplacian{Sigma: 0.1}, Choice: &Choice{Labels: 9, Verdict: CannotBeTold}, Members: pair(nil), Prior: ClassPrior{"a=b": 0.25, "c,d": 0.75}, ClassWeight: ClassWeights{"a=b": 5},
		Beside: []View{{"cosine", 0.5, Recipe{Standardise: points.UnitNorm, Members: pair(nil)}}}}
	for name, r := range map[string]Recipe{"full": full, "averaged": averaged, "nothing": {}, "a baseline": {GammaA: 2, GammaI: 1, Baseline: Baseline{SupervisedGamma: 0.5}}, "supervised": {Supervised: true, GammaA: 2, Kind: task.OneClass()}} {
		text, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		got := Recipe{Seed: 5, Members: pair(nil), Supervised: true} // what is there before does not matter
		if err := json.Unmarshal(text, &got); err != nil || !reflect.DeepEqual(got, r) {
			t.Errorf("%s: %s is read as %+v, %v, want %+v", name, text, got, err, r)
		}
	}
	// Every field of full is set, so that a new one must come here too.
	for i, v := 0, reflect.ValueOf(full); i < v.NumField(); i++ {
		switch name := v.Type().Field(i).Name; {
		case name == "Supervised" || name == "Members" || name == "Beside": // in the others
		case v.Field(i).IsZero():
			t.Errorf("the field %s is not tested", name)
		}
	}
}

// Configurations of older programs are recipes.
func TestOlderRecipes(t *testing.T) {
	for text, want := range map[string]Recipe{
		`{"gamma_a":0.1,"gamma_i":0,"bias":true,"bias_in_norm":true}`:                 {GammaA: 0.1, Supervised: true},
		`{"gamma_a":0.1,"gamma_i":2,"bias":true,"bias_in_norm":false}`:                {GammaA: 0.1, GammaI: 2, Bias: objective.BiasOutside},
		`{"gamma_a":0.1,"gamma_i":2,"bias":false,"bias_in_norm":false}`:               {GammaA: 0.1, GammaI: 2, Bias: objective.NoBias},
		`{"bias":true,"bias_in_norm":true,"prior":"a=0.3,b=0.7","kernel":"linear"}`:   {Prior: ClassPrior{"a": 0.3, "b": 0.7}, Kernel: kernel.Linear{}},
		`{"bias":"outside","prior":"labelled","laplacian":"unnormalised"}`:            {Bias: objective.BiasOutside, Prior: LabelledPrior, Graph: graph.Options{Unnormalised: true}},
		`{"kernel":"poly","degree":2,"gamma":1,"coef0":0.5,"laplacian":"normalised"}`: {Kernel: kernel.Polynomial{Degree: 2, Gamma: 1, Coef0: 0.5}},
	} {
		var got Recipe
		want.Standardise, want.Describe = points.AsIs, Undescribed // what they leave out they do not do
		if err := json.Unmarshal([]byte(text), &got); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s is read as %+v, %v, want %+v", text, got, err, want)
		}
	}
	for _, text := range []string{`{"bias":"sideways"}`, `{"kernel":"magic"}`, `{"prior":"a=b"}`, `{"prior":"a=0.5,a=0.5"}`, `[]`} {
		if err := json.Unmarshal([]byte(text), new(Recipe)); err == nil {
			t.Errorf("%s is read", text)
		}
	}
}

// The text of a prior is what its flag takes. Shares may come in several calls.
func TestPriorText(t *testing.T) {
	for text, want := range map[string]Prior{"": nil, "balanced": BalancedPrior, "a=0.3,b=0.7": ClassPrior{"b": 0.7, "a": 0.3}, `"a,b=0.3","c""=0.7"`: ClassPrior{"a,b": 0.3, `c"`: 0.7}} {
		var held Prior
		p := &prior{valueOf[Prior, PriorRule]{&held}}
		if err := p.Set(text); err != nil || !reflect.DeepEqual(held, want) || p.String() != text {
			t.Errorf("%s is %v, %s, %v", text, held, p, err)
		}
	}
	for _, calls := range [][]string{{"a"}, {"a=x"}, {"0.5"}, {"=?"}, {"a=0.5,a=0.5"}, {"a=0.5", "a=0.5"}, {"balanced,a=1"}} {
		var held Prior
		p := &prior{valueOf[Prior, PriorRule]{&held}}
		var err error
		for _, text := range calls {
			err = p.Set(text)
		}
		if err == nil {
			t.Errorf("%q is the prior %v", calls, held)
		}
	}
	var held Prior
	p := &prior{valueOf[Prior, PriorRule]{&held}}
	if err := p.Set("a=0.3"); err != nil || p.Set("b=0.7") != nil || p.String() != "a=0.3,b=0.7" {
		t.Errorf("two shares, one by one, are %s", p)
	}
}

// A clone shares no slice or map.
func TestClone(t *testing.T) {
	r := Recipe{Kind: task.Ordered("low", "high"), Members: pair(nil), Prior: ClassPrior{"low": 1}, ClassWeight: ClassWeights{"low": 2}, Pending: Pending{Unseen: []int{1}}}
	c := r.Clone()
	if !reflect.DeepEqual(c, r) {
		t.Errorf("the clone of %+v is %+v", r, c)
	}
	for name, shared := range map[string][2]any{
		"order": {r.Kind.Order, c.Kind.Order}, "members": {r.Members, c.Members}, "prior": {r.Prior, c.Prior}, "weights": {r.ClassWeight, c.ClassWeight}, "unseen": {r.Pending.Unseen, c.Pending.Unseen},
	} {
		if reflect.ValueOf(shared[0]).Pointer() == reflect.ValueOf(shared[1]).Pointer() {
			t.Errorf("the %s are shared", name)
		}
	}
}
