package train

import (
	"cmp"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"lapsvm/internal/describe"
	"lapsvm/internal/machines/solve"
	"lapsvm/internal/machines/task"
	"lapsvm/internal/numbers/objective"
	"lapsvm/internal/points/graph"
	"lapsvm/internal/system/fault"
	"lapsvm/kernel"
)

// Setting is a row of the table of settings. JSON, model files and the flags of the command are made
// by the rows. To add a setting is a field of [Recipe], a row here, and the code that heeds it.
type Setting struct {
	Key     string   // in JSON
	Name    string   // in info and in reports; "" where they do not list it
	Flag    string   // of train; "" for none
	Group   string   // the heading of the help that the flag stands under
	Help    string   // of the flag
	Default string   // of the flag; "" for the empty value
	Hidden  bool     // the help leaves the flag out
	Words   []string // that the flag takes; nil for any text or number
	More    bool     // the flag takes other text too
	List    bool     // the flag takes several of the words too, separated by commas
	Auto    bool     // the empty value is left to the program, and is called auto
	// From and To bound a number that is not empty. A To of 0 is no bound.
	From, To float64
	Only     Solver // the only solver that has the setting, and so the others exclude it; "" for all

	words    func(r Recipe) string // in info and in reports; nil for the text of the flag
	excludes []exclusion
	always   bool      // JSON has it, also where it is empty
	kind     task.Name // of the labels that it says there are; "" for other settings
	at       func(d *Draft) any
}

// The headings of the help.
const (
	KernelGroup    = "Preprocessing and kernel"
	GraphGroup     = "Graph"
	ObjectiveGroup = "Objective"
	SolverGroup    = "Solver"
	ModelGroup     = "Model" // what a model file has beside the machines
)

// Groups returns the headings in their order, but for ModelGroup, which train alone has.
func Groups() []string { return []string{KernelGroup, GraphGroup, ObjectiveGroup, SolverGroup} }

// Settings returns the table of settings, in the order of their JSON.
func Settings() []Setting {
	return slices.Concat([]Setting{
		{Key: "kernel", Name: "kernel", Flag: "kernel", Group: KernelGroup, Words: kernel.Names(""), Help: formulas() + " (default " + kernel.Names("")[0] + "; linear for a table with text)",
			words: func(r Recipe) string { return r.Kernel.String() }, at: func(d *Draft) any { return &d.name }},
		{Key: "distances", Flag: "distances", Group: KernelGroup, Help: "DATA are distances d between all points, a row and a column for each: the kernel is exp(−d²/2σ²), and neighbours are by them; short for the kernel distances",
			at: func(d *Draft) any { return &d.distances }},
		{Key: "sigma", Flag: "sigma", Group: KernelGroup, Auto: true, From: math.SmallestNonzeroFloat64, To: math.MaxFloat64,
			Help: "σ of the kernel " + alternatives(kernel.Names("sigma")) + "; auto, here and elsewhere, is chosen by held-out labels and the graph",
			at:   func(d *Draft) any { return &d.parameters.Sigma }},
		{Key: "degree", Flag: "degree", Group: KernelGroup, Default: "3", Help: "D of the kernel " + alternatives(kernel.Names("degree")),
			at: func(d *Draft) any { return &d.parameters.Degree }},
		{Key: "gamma", Flag: "gamma", Group: KernelGroup, Default: "1", Help: "γ of the kernel " + alternatives(kernel.Names("gamma")),
			at: func(d *Draft) any { return &d.parameters.Gamma }},
		{Key: "coef0", Flag: "coef0", Group: KernelGroup, Help: "c of the kernel " + alternatives(kernel.Names("coef0")),
			at: func(d *Draft) any { return &d.parameters.Coef0 }},
		{Key: "gamma_a", Name: "γA (ambient)", Flag: "gamma-a", Group: ObjectiveGroup, Auto: true, From: objective.Least, To: objective.Largest, Help: "weight of the ambient norm",
			at: func(d *Draft) any { return &d.Recipe.GammaA }},
		{Key: "gamma_i", Name: "γI (intrinsic)", Flag: "gamma-i", Group: ObjectiveGroup, Auto: true, Help: "weight of the intrinsic norm; 0 is a supervised machine",
			at: func(d *Draft) any { return &intrinsic{&d.Recipe} }},
		{Key: "neighbours", Name: "neighbours", Flag: "neighbours", Group: GraphGroup, Auto: true, Help: "neighbours of every point in the graph; 0 takes the given edges alone (--edges)",
			at: func(d *Draft) any { return &neighbours{&d.Recipe.Graph} }},
		{Key: "edge_weight", Name: "weight of given edges", Flag: "edge-weight", Group: GraphGroup, Auto: true, From: math.SmallestNonzeroFloat64, To: graph.LargestEdgeWeight,
			Help:     "weight of given edges (--edges) beside those of neighbours, of which heat weights are at most 1; given ones have the mean weight 1",
			excludes: []exclusion{{"neighbours", weightOfEdgesAlone}},
			at:       func(d *Draft) any { return &d.Recipe.Graph.EdgeWeight }},
		{Key: "laplacian_degree", Name: "Laplacian power", Flag: "laplacian-degree", Group: GraphGroup, Auto: true, From: 1, To: graph.MaxDegree, Help: "power of the Laplacian",
			at: func(d *Draft) any { return &d.Recipe.Graph.Degree }},
		{Key: "mean_of", excludes: []exclusion{
			{"gamma_a", besideMembers(func(r Recipe) bool { return r.GammaA != 0 })},
			{"gamma_i", besideMembers(func(r Recipe) bool { return r.GammaI != 0 || r.Supervised })},
			{"neighbours", besideMembers(func(r Recipe) bool { return r.Graph.Neighbours != 0 })},
			{"laplacian_degree", besideMembers(func(r Recipe) bool { return r.Graph.Degree != 0 })},
			{"solver", meanWithoutSolver}},
			at: func(d *Draft) any { return &d.Recipe.Members }}, // train --json has their number as members
		{Key: "metric", Name: "metric", Flag: "metric", Group: GraphGroup, Auto: true, Words: []string{"auto", "euclidean", "cosine", "kernel", "distances", "self-tuning"},
			Help:     "distance between neighbours: euclidean, cosine, self-tuning, in units of the distance to the 7th neighbour, or of a square table kernel, that of kernel values, and distances, the values themselves; auto chooses between euclidean and self-tuning beside other parameters, and else is euclidean",
			excludes: []exclusion{{"kernel", metricOfKernel}},
			at:       func(d *Draft) any { return &d.Recipe.Graph.Metric }},
		{Key: "weights", Name: "edge weights", Flag: "weights", Group: GraphGroup, Default: "heat", Words: []string{"heat", "binary", "distance"},
			Help: "edge weights: heat, binary or distance",
			at:   func(d *Draft) any { return &d.Recipe.Graph.Weights }},
		{Key: "heat", Name: "heat width", Flag: "heat", Group: GraphGroup, Help: "width t of the heat weights exp(−d²/2t²); 0 is the mean neighbour distance",
			at: func(d *Draft) any { return &d.Recipe.Graph.HeatWidth }},
		{Key: "recall_asked", Name: "recall asked", Flag: "recall", Group: GraphGroup, Default: strconv.FormatFloat(graph.DefaultRecall, 'g', -1, 64), From: math.SmallestNonzeroFloat64, To: 1,
			Help: "share of the nearest neighbours to be found where exact search takes long; 1 is exact",
			at:   func(d *Draft) any { return &d.Recipe.Graph.Recall }}, // train --json has what was reached as recall
		{Key: "laplacian", Name: "Laplacian", Flag: "laplacian", Group: GraphGroup, Default: "normalised", Words: []string{"normalised", "unnormalised"},
			Help: "graph Laplacian: normalised or unnormalised", always: true,
			at: func(d *Draft) any { return (*laplacian)(&d.Recipe.Graph.Unnormalised) }},
		{Key: "loss", Name: "loss", Flag: "loss", Group: ObjectiveGroup, Words: lossNames(),
			Help: losses() + fmt.Sprintf(" (default %s; hinge with dual)", lossNames()[0]), excludes: []exclusion{{"solver", lossWithoutSolver}},
			at: func(d *Draft) any { return &d.Recipe.Loss }},
		{Key: "bias", Name: "bias", Flag: "bias", Group: ObjectiveGroup, Default: "on", Words: []string{"on", "outside", "off"},
			Help: "unregularised bias: on, outside (not part of the intrinsic norm) or off", always: true,
			words: biasInWords, at: func(d *Draft) any { return (*bias)(&d.Recipe.Bias) }},
		{Key: "bias_in_norm", Flag: "bias-in-norm", Group: ObjectiveGroup, Hidden: true, Default: "on", Words: []string{"on", "off"}, Help: "on, or off, which is --bias outside",
			at: func(d *Draft) any { return &d.outside }}, // of older scripts and files
	}, kindSettings(), []Setting{
		{Key: "criterion", Name: "criterion", Flag: "criterion", Group: ObjectiveGroup, Words: texts(criteria()),
			Help: "what counts: with --regression the mean " + string(MeanSquared) + " or " + string(MeanAbsolute) + " error of labels that are left out, by which machines are chosen (default " + string(MeanSquared) + "); with --multi-label " + string(MeanF1) + " or " + string(WrongAnswers) + ", by which a row has a class (default " + string(MeanF1) + ")",
			at:   func(d *Draft) any { return &d.Recipe.Criterion }},
		{Key: "describe", Name: "described by", Flag: "describe", Group: KernelGroup, Default: openDescriptions, Words: append([]string{openDescriptions, string(Undescribed)}, describe.Names()...), List: true, More: true,
			Help:     "what pictures, texts and tables are described by, in place of their values, words and columns, stored in the model: none; of pictures " + alternatives(describe.Pictures()) + "; of the columns of a table with text " + alternatives(describe.Columns()) + ", or latent:COLUMN of one text; of sparse rows without a table " + describe.Latent + describe.Others() + "; or several, separated by commas; auto chooses by held-out labels and the graph",
			excludes: []exclusion{{"kernel", describedKernel}},
			at:       func(d *Draft) any { return (*descriptions)(&d.Recipe.Describe) }},
		{Key: "standardise", Name: "preprocessing", Flag: "standardise", Group: KernelGroup, Default: "auto", Words: []string{"auto", "none", "unit-norm", "zscore", "minmax", "columns"},
			Help:     "preprocessing, stored in the model: none, unit-norm, zscore, minmax, or columns, each by what it is; auto chooses by the columns and by held-out labels",
			excludes: []exclusion{{"kernel", scaledKernel}}, always: true,
			words: scalingInWords, at: func(d *Draft) any { return (*scaling)(&d.Recipe.Standardise) }},
		{Key: "standardise_reason", at: func(d *Draft) any { return &d.Recipe.StandardiseReason }},
		{Key: "solver", Name: "solver", Flag: "solver", Group: SolverGroup, Default: "auto", Words: SolverNames(),
			Help: "auto, pcg, newton, deformed (exact for few labels, O(n³) once), dual (the original LapSVM) or landmarks (for many points: a kernel matrix made of a few)",
			at:   func(d *Draft) any { return &d.Recipe.Solver }},
		{Key: "stop", Name: "goal condition", Flag: "stop", Group: SolverGroup, Words: solve.ConditionNames(),
			Help: "goal condition of pcg: " + alternatives(solve.ConditionNames()) + "; auto stops when twice the iterations would change few decisions; stability, validation and mixed are the paper's (default auto)",
			at:   func(d *Draft) any { return &d.Recipe.Stop }},
		{Key: "check_every", Name: "checks every", Flag: "check-every", Group: SolverGroup, Help: "iterations between checks of decisions; for auto those before the first check (default ½√n, for auto at least 16)",
			at: func(d *Draft) any { return &d.Recipe.CheckEvery }},
		{Key: "max_iter", Name: "iteration limit", Flag: "max-iter", Group: SolverGroup, Help: "iteration limit (default: n or 1000 for pcg, 100 for newton)",
			at: func(d *Draft) any { return &d.Recipe.MaxIterations }},
		{Key: "tolerance", Name: "tolerance", Flag: "tolerance", Group: SolverGroup, Help: "threshold of the goal condition (default that of the condition: 0.015 for auto)",
			at: func(d *Draft) any { return &d.Recipe.Tolerance }},
		{Key: "centred", Name: "centred", at: func(d *Draft) any { return &d.Recipe.Centred }},
		{Key: "by_edges", Name: "by edges", at: func(d *Draft) any { return &d.Recipe.ByEdges }},
		{Key: "bias_weight", Name: "bias weight", at: func(d *Draft) any { return &d.Recipe.BiasWeight }},
		{Key: "line_search", Name: "exact line search", at: func(d *Draft) any { return &d.Recipe.LineSearch }},
		{Key: "prior", Name: "prior", Flag: "prior", Group: ObjectiveGroup, Words: []string{"balanced", "labelled"}, More: true,
			Help:     "class shares that predictions on the unlabelled rows follow: balanced, labelled or A=0.3,B=0.7 (default: none)",
			excludes: []exclusion{{"gamma_i", priorOfLabelled}},
			at:       func(d *Draft) any { return &prior{valueOf[Prior, PriorRule]{&d.Recipe.Prior}} }},
		{Key: "class_prior", Name: "prior", excludes: []exclusion{{"prior", nil}, {"gamma_i", priorOfLabelled}},
			at: func(d *Draft) any { return &valueOf[Prior, ClassPrior]{&d.Recipe.Prior} }},
		{Key: "class_weight", Name: "class weights", Flag: "class-weight", Group: ObjectiveGroup, Words: []string{"balanced"}, More: true,
			Help: "costs of errors by class: balanced, in inverse proportion to their numbers of labels, or a file with a line for each class, its name, a tab or comma and its weight (default: all equal)",
			at: func(d *Draft) any {
				return &classWeight{valueOf[ClassWeight, WeightRule]{&d.Recipe.ClassWeight}, &d.WeightFile}
			}},
		{Key: "class_weights", Name: "class weights", excludes: []exclusion{{"class_weight", nil}},
			at: func(d *Draft) any { return &valueOf[ClassWeight, ClassWeights]{&d.Recipe.ClassWeight} }},
		{Key: "calibrate", Flag: "proba", Group: ModelGroup, Default: "on", Words: []string{"on", "off"},
			Help: "learn probabilities for predict --proba, from machines trained without some of the labels: on or off; beyond 3,000 points this costs about as much as the training's iterations",
			at:   func(d *Draft) any { return (*onOff)(&d.Recipe.Calibrate) }},
		{Key: "views", Name: "views", Flag: "views", Group: ObjectiveGroup, To: math.MaxInt32,
			Help: "most machines that the model is the mean of: each sees the rows by a description, a scaling or a kernel of its own, and 1 is one machine (default: by what the rows are)",
			at:   func(d *Draft) any { return &d.Recipe.MostViews }},
		{Key: "beside", at: func(d *Draft) any { return &d.Recipe.Beside }},
		{Key: "label_shares", Name: "label shares", Flag: "label-shares", Group: ModelGroup, Help: "keep in the model what each label adds, for predict --explain; needs the solver deformed or dual",
			excludes: []exclusion{{"kernel", sharesOfFeatures}, {"solver", sharesWithoutSolver}},
			at:       func(d *Draft) any { return &d.Recipe.LabelShares }},
		{Key: "precision", Name: "bits of an entry", Flag: "precision", Group: SolverGroup, Default: "32", Words: []string{"32", "64"},
			Help: "bits of a stored Gram entry: 32 or 64. Sums have 64; with more than 2 classes the sums within a tile have 32", at: func(d *Draft) any { return &d.Recipe.Precision }},
		{Key: "most_points", Name: "most points", Flag: "most-points", Group: GraphGroup, To: math.MaxInt32,
			Help: "how many points take part, drawn by the seed, and all labelled ones; the rest are decided as new points (default all; of many points often a part, see the manual)",
			at:   func(d *Draft) any { return &d.Recipe.MostPoints }},
		{Key: "gram", Name: "Gram matrix", excludes: []exclusion{{"solver", formOfLandmarks}}, at: func(d *Draft) any { return &d.Recipe.Gram }},
		{Key: "landmarks", Name: "landmarks", Flag: "landmarks", Group: SolverGroup, To: math.MaxInt32, Only: Landmarks, Help: "points that the kernel matrix is made of with the solver landmarks, at most (default 500, 200 where the choice finds that these serve, or as many as fit into --memory)",
			at: func(d *Draft) any { return &d.Recipe.Landmarks }},
		{Key: "compact", Name: "compact", Flag: "compact", Group: SolverGroup, Only: Landmarks,
			Help: "with the solver landmarks: a model of landmarks alone, which keeps no other training points and can be exported; of new points it decides somewhat worse",
			at:   func(d *Draft) any { return &d.Recipe.Compact }},
		{Key: "pending", at: func(d *Draft) any { return &d.Recipe.Pending }},
		{Key: "optimism", Name: "optimism", at: func(d *Draft) any { return &d.Recipe.Optimism }},
		{Key: "rules_of_thumb", Name: "rules of thumb", at: func(d *Draft) any { return &d.Recipe.RulesOfThumb }},
		{Key: "seed", Name: "seed", Flag: "seed", Group: SolverGroup, Default: "1", Help: "seed of all random choices: the points that parameters are chosen on, and the splits of evaluate",
			at: func(d *Draft) any { return &d.Recipe.Seed }},
		{Key: "choice", at: func(d *Draft) any { return &chosen{&d.Recipe} }},
	})
}

// Text returns the setting of a draft as its flag takes it.
func (s Setting) Text(d *Draft) string {
	at := s.at(d)
	if text, is := at.(fmt.Stringer); is {
		return text.String()
	}
	v := reflect.ValueOf(at).Elem()
	switch {
	case s.Auto && v.IsZero():
		return "auto"
	case v.Kind() == reflect.Float64:
		return strconv.FormatFloat(v.Float(), 'g', -1, 64)
	}
	return fmt.Sprint(v.Interface())
}

// meant says which word was meant: one of another program, or the nearest. It returns "" where none is near.
func (s Setting) meant(text string) string {
	near, known := slices.Clone(s.Words), make(map[string]string)
	for _, names := range [][2]string{{"rbf", "gaussian"}, {"radial", "gaussian"}, {"polynomial", "poly"}, {"squared_hinge", "squared-hinge"}, {"standard", "zscore"}, {"l2", "unit-norm"}} {
		if slices.Contains(s.Words, names[1]) {
			near, known[names[0]] = append(near, names[0]), names[1]
		}
	}
	if word, is := known[strings.ToLower(text)]; is {
		return ", which is " + word + " here"
	}
	if word := fault.Nearest(text, near); word != "" {
		return ", did you mean " + cmp.Or(known[word], word)
	}
	return ""
}

// Set sets the setting of a draft to the text of a flag. Its errors say what the flag takes.
func (s Setting) Set(d *Draft, text string) error {
	at := s.at(d)
	v := reflect.ValueOf(at).Elem()
	if s.Auto && text == "auto" && v.Kind() != reflect.Struct {
		v.SetZero()
		return nil
	}
	if s.Words != nil && !s.More && !s.hasWords(text) && !(text == "" && s.Default == "") {
		return fmt.Errorf("takes %s, not %q%s", alternatives(s.Words), text, s.meant(text))
	}
	if own, is := at.(interface{ Set(string) error }); is {
		if err := own.Set(text); err != nil {
			return fmt.Errorf("%w%s", err, s.meant(text))
		}
		return nil
	}
	var number float64
	var err error
	switch v.Kind() {
	case reflect.String:
		v.SetString(text)
	case reflect.Bool:
		var b bool
		b, err = strconv.ParseBool(text)
		v.SetBool(b)
	case reflect.Float64:
		number, err = strconv.ParseFloat(text, 64)
		v.SetFloat(number)
	case reflect.Int:
		var n int
		n, err = strconv.Atoi(text)
		number = float64(n)
		v.SetInt(int64(n))
	case reflect.Uint64:
		var n uint64
		n, err = strconv.ParseUint(text, 0, 64)
		v.SetUint(n)
	default:
		panic("train: the setting " + s.Key + " has no text")
	}
	switch unset := number == 0 && !s.Auto && s.Default == ""; {
	case err != nil:
		return fmt.Errorf("takes %s, not %q", s.takes(v.Kind()), text)
	case s.To >= math.MaxInt32 && number > s.To:
		return fmt.Errorf("must be at most %.10g, not %s", s.To, text)
	case s.To != 0 && !unset && !(number >= s.From && number <= s.To):
		return fmt.Errorf("must be %s, not %v", s.bounds(), number)
	}
	return nil
}

// hasWords reports whether a text is one of the words, or of a List several.
func (s Setting) hasWords(text string) bool {
	parts := []string{text}
	if s.List {
		parts = strings.Split(text, ",")
	}
	return !slices.ContainsFunc(parts, func(part string) bool { return !slices.Contains(s.Words, part) })
}

// bounds says in words which numbers the setting may be.
func (s Setting) bounds() string {
	text := "0 or more"
	switch largest := s.To < math.MaxInt32; {
	case s.From == 1 && largest:
		text = fmt.Sprintf("from 1 to %g", s.To)
	case s.From == 1:
		text = "at least 1"
	case s.From > 0 && largest:
		text = fmt.Sprintf("positive, and at most %g", s.To)
	case s.From > 0:
		text = "positive"
	}
	if s.Auto {
		text += ", or auto"
	}
	return text
}

// formulas lists the kernels with their formulas.
func formulas() string {
	var all []string
	for _, kind := range kernel.Kinds() {
		all = append(all, kind.Name+" "+kind.Formula)
	}
	return alternatives(all)
}

// lossNames lists the losses, the default first.
func lossNames() []string {
	var all []string
	for _, loss := range objective.Losses() {
		all = append(all, string(loss))
	}
	return all
}

// losses lists the losses with what each is for.
func losses() string {
	var all []string
	for _, loss := range objective.Losses() {
		all = append(all, fmt.Sprintf("%s (%s)", loss, loss.About()))
	}
	return alternatives(all)
}

// alternatives lists words: a, b or c.
func alternatives(words []string) string {
	last := len(words) - 1
	if last < 1 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:last], ", ") + " or " + words[last]
}

// takes says what values a flag takes.
func (s Setting) takes(kind reflect.Kind) string {
	what := map[reflect.Kind]string{reflect.Bool: "true or false", reflect.Float64: "a number", reflect.Int: "a whole number", reflect.Uint64: "a whole number from 0 on"}[kind]
	if s.Auto {
		what += " or auto"
	}
	return what
}

// Type returns the type of a flag's value for help texts.
func (s Setting) Type() string {
	at := s.at(new(Draft))
	kind := reflect.TypeOf(at).Elem().Kind()
	if _, is := at.(fmt.Stringer); is {
		kind = reflect.String
	}
	what := map[reflect.Kind]string{reflect.Bool: "bool", reflect.Float64: "float", reflect.Int: "int", reflect.Uint64: "uint"}[kind]
	switch at.(type) {
	case *intrinsic:
		return "float|auto"
	case *neighbours:
		return "int|auto"
	}
	switch {
	case s.Auto && what != "":
		return what + "|auto"
	case what == "":
		return "string"
	}
	return what
}
