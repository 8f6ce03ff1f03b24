package train

import (
	"encoding/json"

	"lapsvm/internal/machines/nystrom"
)

// Choice tells how the open part of a recipe was chosen. It is a report: it steers nothing, and no training, choice or measurement reads it.
type Choice struct {
	Sigma           float64      `json:"sigma,omitempty"`       // width of the best machine's kernel, where it has one; the next four are its too
	OtherSigma      float64      `json:"other_sigma,omitempty"` // width of the next best machine's kernel; 0 where one width was compared
	SigmaOdds       float64      `json:"sigma_odds,omitempty"`  // how many times as much speaks for Sigma
	Neighbours      int          `json:"neighbours,omitempty"`
	LaplacianDegree int          `json:"laplacian_degree,omitempty"`
	GammaA          float64      `json:"gamma_a"`
	GammaI          float64      `json:"gamma_i"`
	Loss            float64      `json:"loss"`            // squared hinge per held-out label, summed over the machines; of more than 6,400 points and ten classes the squared error of outputs at their best scale
	Labels          int          `json:"held_out_labels"` // how many; 0 where fewer than two classes have two
	Candidates      int          `json:"candidates"`      // machines that were compared
	Points          int          `json:"points"`          // of the comparison
	Averaged        int          `json:"averaged"`        // members whose mean is the model
	HeldOut         string       `json:"held_out"`        // how labels were held out
	Reason          string       `json:"reason"`          // in words
	Baseline                     // of the recipe
	Pace            nystrom.Pace `json:"-"` // of the best machine's columns, where it was measured on landmarks

	Expected *Expected        `json:"-"`                 // on new points; nil where the labels are too few to tell, and of a regression
	Numbers  *ExpectedNumbers `json:"-"`                 // on new points, of a regression; nil where the labels are too few to tell
	Verdict  Verdict          `json:"verdict,omitempty"` // on the unlabelled points; "" where a supervised machine was asked for
}

// Baseline is the supervised machine that a choice found best, to compare a model with. It is zero where nothing was compared.
type Baseline struct {
	SupervisedSigma float64 `json:"svm_sigma,omitempty"` // width of its kernel, where it has one
	SupervisedGamma float64 `json:"svm_gamma_a"`         // its γA
	// SupervisedLinear says that for numbers it has the linear kernel, and machines with graphs another.
	SupervisedLinear bool `json:"svm_linear,omitempty"`
}

// Tell has f write into the choice of the recipe, where there is one. Copies of the recipe keep theirs.
func (r *Recipe) Tell(f func(c *Choice)) {
	if r.Choice != nil {
		choice := *r.Choice
		f(&choice)
		r.Choice = &choice
	}
}

// chosen is the choice of a recipe and its baseline as JSON has them: in one object.
type chosen struct{ *Recipe }

func (c chosen) empty() bool { return c.Choice == nil && c.Baseline == Baseline{} }

// MarshalJSON writes both.
func (c chosen) MarshalJSON() ([]byte, error) {
	var told Choice
	if c.Choice != nil {
		told = *c.Choice
	}
	told.Baseline = c.Baseline
	return json.Marshal(told)
}

// UnmarshalJSON reads what MarshalJSON writes.
func (c chosen) UnmarshalJSON(text []byte) error {
	var told Choice
	err := json.Unmarshal(text, &told)
	if c.Baseline = told.Baseline; told != (Choice{Baseline: told.Baseline}) {
		c.Choice = &told
	}
	return err
}

// fields is a choice without the methods for JSON.
type fields Choice

// MarshalJSON writes the keys of Expected and of Numbers beside the others, none where they are nil.
func (c Choice) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		fields
		*Expected
		*ExpectedNumbers
	}{fields(c), c.Expected, c.Numbers})
}

// UnmarshalJSON reads what MarshalJSON writes.
func (c *Choice) UnmarshalJSON(text []byte) error {
	var read struct {
		fields
		*Expected
		*ExpectedNumbers
	}
	err := json.Unmarshal(text, &read)
	*c = Choice(read.fields)
	c.Expected, c.Numbers = read.Expected, read.ExpectedNumbers
	return err
}

// Expected is what to expect on new points, in percent. It is told by labels that had no part in the
// choice: the choice was made again without each block of them, or saw few of many labels, and the others tell.
type Expected struct {
	Error           float64 `json:"error"`
	ErrorLow        float64 `json:"error_low"` // the error of new points is between these with a confidence of 95 %
	ErrorHigh       float64 `json:"error_high"`
	SupervisedError float64 `json:"svm_error"` // of the supervised machine, chosen in the same way
	// Gain is by how many percent points fewer points the choice gets wrong than the supervised machine, GainError the standard error of that. A choice
	// tells it by labels. A training tells it by the points that it and the supervised machine decide otherwise.
	Gain      float64 `json:"gain"`
	GainError float64 `json:"gain_error"`

	Ranks *ExpectedRanks `json:"ranks,omitempty"` // of ordered classes, whose distances count; nil else
}

// ExpectedRanks is what to expect of the distance in ranks between the class of a new point and the class that is predicted, in the mean.
type ExpectedRanks struct {
	Distance           float64 `json:"distance"`
	DistanceLow        float64 `json:"distance_low"` // that of new points is between these with a confidence of 95 %
	DistanceHigh       float64 `json:"distance_high"`
	SupervisedDistance float64 `json:"svm_distance"` // of the supervised machine, chosen in the same way
	Gain               float64 `json:"gain"`         // by how much the choice is nearer than the supervised machine, as that of Expected
	GainError          float64 `json:"gain_error"`   // its standard error
}

// ExpectedNumbers is what to expect of the numbers of new points, in the unit of the labels. It is told as
// [Expected] is.
type ExpectedNumbers struct {
	RMSE           float64 `json:"rmse"`     // root of the mean squared error
	RMSELow        float64 `json:"rmse_low"` // that of new points is between these with a confidence of about 95 %
	RMSEHigh       float64 `json:"rmse_high"`
	SupervisedRMSE float64 `json:"svm_rmse"` // of the supervised machine, chosen in the same way
}

// Verdict is what labels tell of the unlabelled points.
type Verdict string

// The verdicts. The first two are for differences beyond chance.
const (
	Helps        Verdict = "helps"
	Harms        Verdict = "harms"
	CannotBeTold Verdict = "cannot be told"
)
