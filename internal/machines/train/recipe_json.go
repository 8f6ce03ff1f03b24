package train

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"lapsvm/internal/machines/solve"
	"lapsvm/internal/numbers/objective"
	"lapsvm/internal/points/gram"
	"lapsvm/internal/points/graph"
	"lapsvm/kernel"
	"lapsvm/points"
)

// recipeJSON is a recipe in JSON, by the names of the command's flags.
type recipeJSON struct {
	Kernel string `json:"kernel,omitempty"`
	kernel.Parameters
	GammaA          float64            `json:"gamma_a,omitempty"`
	GammaI          *float64           `json:"gamma_i,omitempty"` // 0 for a supervised machine
	Neighbours      int                `json:"neighbours,omitempty"`
	LaplacianDegree int                `json:"laplacian_degree,omitempty"`
	Members         []Member           `json:"mean_of,omitempty"` // train --json has their number as members
	Metric          string             `json:"metric,omitempty"`
	Weights         string             `json:"weights,omitempty"`
	Heat            float64            `json:"heat,omitempty"`
	Recall          float64            `json:"recall_asked,omitempty"` // train --json has what was reached as recall
	Laplacian       string             `json:"laplacian,omitempty"`
	Loss            string             `json:"loss,omitempty"`
	Bias            biasJSON           `json:"bias"`
	BiasInNorm      *bool              `json:"bias_in_norm,omitempty"` // of older files, beside a bias of true
	OneClass        bool               `json:"one_class,omitempty"`
	Standardise     string             `json:"standardise,omitempty"` // auto where it is open; left out, as in older files, it is none
	Reason          string             `json:"standardise_reason,omitempty"`
	Solver          string             `json:"solver,omitempty"`
	Stop            string             `json:"stop,omitempty"`
	CheckEvery      int                `json:"check_every,omitempty"`
	MaxIterations   int                `json:"max_iter,omitempty"`
	Tolerance       float64            `json:"tolerance,omitempty"`
	BiasWeight      float64            `json:"bias_weight,omitempty"`
	LineSearch      bool               `json:"line_search,omitempty"`
	Prior           string             `json:"prior,omitempty"` // older files have shares here too, A=0.3,B=0.7
	ClassPrior      map[string]float64 `json:"class_prior,omitempty"`
	ClassWeight     string             `json:"class_weight,omitempty"`
	ClassWeights    map[string]float64 `json:"class_weights,omitempty"`
	Calibrate       bool               `json:"calibrate,omitempty"`
	LabelShares     bool               `json:"label_shares,omitempty"`
	Precision       int                `json:"precision,omitempty"`
	Gram            gram.Form          `json:"gram,omitempty"`
	Landmarks       int                `json:"landmarks,omitempty"`
	Compact         bool               `json:"compact,omitempty"`
	Challenger      *Member            `json:"challenger,omitempty"`
	RulesOfThumb    bool               `json:"rules_of_thumb,omitempty"`
	Seed            uint64             `json:"seed,omitempty"`
	Choice          *Choice            `json:"choice,omitempty"`
}

// openScaling is the word for a scaling that is left open.
const openScaling points.Standardise = "auto"

// biasJSON is a bias by its name. Older files have true or false.
type biasJSON objective.Bias

func (b biasJSON) MarshalJSON() ([]byte, error) { return json.Marshal(objective.Bias(b).String()) }

func (b *biasJSON) UnmarshalJSON(text []byte) error {
	word := strings.Trim(string(text), `"`)
	switch word { // of older files
	case "true":
		word = objective.BiasInNorm.String()
	case "false":
		word = objective.NoBias.String()
	}
	bias, err := objective.ParseBias(word)
	*b = biasJSON(bias)
	return err
}

// MarshalJSON writes the recipe by the names of the command's flags. Fields that
// are open, or not of this kind of training, are left out. A kernel of the
// program's own is written by its description and cannot be read again.
func (r Recipe) MarshalJSON() ([]byte, error) {
	j := recipeJSON{
		GammaA: r.GammaA, Members: r.Members, Loss: string(r.Loss), Bias: biasJSON(r.Bias), OneClass: r.OneClass,
		Standardise: string(cmp.Or(r.Standardise, openScaling)), Reason: r.StandardiseReason, Solver: string(r.Solver), Stop: string(r.Stop), CheckEvery: r.CheckEvery,
		MaxIterations: r.MaxIterations, Tolerance: r.Tolerance, BiasWeight: r.BiasWeight, LineSearch: r.LineSearch,
		Prior: string(r.Prior), ClassPrior: r.ClassPrior, ClassWeight: string(r.ClassWeight), ClassWeights: r.ClassWeights, Calibrate: r.Calibrate, LabelShares: r.LabelShares,
		Precision: int(r.Precision), Gram: r.Gram, Landmarks: r.Landmarks, Compact: r.Compact, Challenger: r.Challenger, RulesOfThumb: r.RulesOfThumb, Seed: r.Seed, Choice: r.Choice,
	}
	if r.Kernel != nil {
		j.Kernel, j.Parameters = r.Kernel.Kind().Name, r.Kernel.Parameters()
		if kernel.Own(r.Kernel) {
			j.Kernel = r.Kernel.String()
		}
	}
	if r.GammaI > 0 || r.Supervised {
		j.GammaI = &r.GammaI
	}
	if !r.Supervised {
		j.Neighbours, j.LaplacianDegree = r.Graph.Neighbours, r.Graph.Degree
		j.Metric, j.Weights, j.Heat, j.Recall = string(r.Graph.Metric), string(r.Graph.Weights), r.Graph.HeatWidth, r.Graph.Recall
		if j.Laplacian = "normalised"; r.Graph.Unnormalised {
			j.Laplacian = "unnormalised"
		}
	}
	return json.Marshal(j)
}

// UnmarshalJSON reads what MarshalJSON writes, and the configurations in model
// files of older programs. These do not tell the members of a mean.
func (r *Recipe) UnmarshalJSON(text []byte) error {
	var j recipeJSON
	if err := json.Unmarshal(text, &j); err != nil {
		return err
	}
	if j.Laplacian != "" && j.Laplacian != "normalised" && j.Laplacian != "unnormalised" {
		return fmt.Errorf("unknown Laplacian %q: there are normalised and unnormalised", j.Laplacian)
	}
	*r = Recipe{
		GammaA: j.GammaA, Members: j.Members, Loss: objective.Loss(j.Loss), Bias: objective.Bias(j.Bias), OneClass: j.OneClass,
		Graph: graph.Options{Neighbours: j.Neighbours, Metric: graph.Metric(j.Metric), Weights: graph.Weights(j.Weights),
			HeatWidth: j.Heat, Recall: j.Recall, Unnormalised: j.Laplacian == "unnormalised", Degree: j.LaplacianDegree},
		Standardise: cmp.Or(points.Standardise(j.Standardise), points.AsIs), StandardiseReason: j.Reason, Solver: Solver(j.Solver), Stop: solve.Condition(j.Stop), CheckEvery: j.CheckEvery,
		MaxIterations: j.MaxIterations, Tolerance: j.Tolerance, BiasWeight: j.BiasWeight, LineSearch: j.LineSearch,
		Prior: Prior(j.Prior), ClassPrior: j.ClassPrior, ClassWeight: ClassWeight(j.ClassWeight), ClassWeights: j.ClassWeights, Calibrate: j.Calibrate, LabelShares: j.LabelShares,
		Precision: gram.Precision(j.Precision), Gram: j.Gram, Landmarks: j.Landmarks, Compact: j.Compact, Challenger: j.Challenger, RulesOfThumb: j.RulesOfThumb, Seed: j.Seed, Choice: j.Choice,
	}
	if r.Standardise == openScaling {
		r.Standardise = ""
	}
	if j.Kernel != "" {
		k, err := kernel.New(j.Kernel, j.Parameters)
		if err != nil {
			return err
		}
		r.Kernel = k
	}
	if j.GammaI != nil {
		r.GammaI, r.Supervised = *j.GammaI, *j.GammaI == 0
	}
	if j.BiasInNorm != nil && !*j.BiasInNorm && r.Bias == objective.BiasInNorm {
		r.Bias = objective.BiasOutside
	}
	if strings.Contains(j.Prior, "=") {
		var err error
		r.Prior = NoPrior
		r.ClassPrior, err = ParseClassPrior(strings.Split(j.Prior, ","))
		return err
	}
	return nil
}

// ParseClassPrior reads shares of classes such as A=0.3.
func ParseClassPrior(texts []string) (map[string]float64, error) {
	prior := make(map[string]float64)
	for _, text := range texts {
		at := strings.LastIndex(text, "=")
		share, err := strconv.ParseFloat(text[at+1:], 64)
		if at < 0 || err != nil {
			return nil, fmt.Errorf("a prior is balanced, labelled, or the share of every class as in A=0.3,B=0.7, not %q", text)
		}
		if _, twice := prior[text[:at]]; twice {
			return nil, fmt.Errorf("the prior gives the class %q twice", text[:at])
		}
		prior[text[:at]] = share
	}
	return prior, nil
}

// PriorText returns the prior in words, "" without one: its name, or the share of
// every class as in A=0.3,B=0.7.
func (r Recipe) PriorText() string {
	if r.ClassPrior == nil {
		return string(r.Prior)
	}
	return sharesText(r.ClassPrior)
}
