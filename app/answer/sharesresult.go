package answer

import (
	"lapsvm"
	"lapsvm/dataset"
)

// SharesResult is the JSON of an explanation. Rows count from 1.
type SharesResult struct {
	Row        int                `json:"row,omitempty"` // where rows have several classes and an explanation for each
	Label      string             `json:"label"`         // predicted, or the number as text
	Class      string             `json:"class"`         // whose value it is: the label's, the only one, or number
	Value      float64            `json:"value"`
	Limit      *float64           `json:"limit,omitempty"` // of several classes: the row has the class where its value is above this
	Bias       float64            `json:"bias"`
	Labelled   map[string]float64 `json:"labelled,omitempty"`
	Unlabelled *float64           `json:"unlabelled,omitempty"`
	Labels     []ShareResult      `json:"labels,omitempty"` // what each label adds, where that is known
	Rest       *float64           `json:"rest,omitempty"`   // and what is left of the value
	Shares     []ShareResult      `json:"shares,omitempty"`
	Nearest    []ShareResult      `json:"nearest,omitempty"`
	NearLabels []ShareResult      `json:"nearest_labelled,omitempty"`
	Magnitude  float64            `json:"magnitude"` // sum without signs
	Features   []FeatureResult    `json:"features,omitempty"`
}

// ShareResult is the JSON of a training point's share.
type ShareResult struct {
	Row      int     `json:"row"`
	Label    *string `json:"label"` // null without one
	Distance float64 `json:"distance"`
	Share    float64 `json:"share"`
}

// FeatureResult is the JSON of a feature's share.
type FeatureResult struct {
	Name  string  `json:"name"`
	Share float64 `json:"share"`
}

// Results returns the explanations as JSON has them, nil of none.
func (e Shares) Results() []SharesResult {
	if e.All == nil {
		return nil
	}
	shares := func(x lapsvm.ShareExplanation, list []lapsvm.Share) []ShareResult {
		var out []ShareResult
		for _, s := range list {
			r := ShareResult{Row: s.Row + 1, Distance: s.Distance, Share: s.Value}
			if s.Class != dataset.Unlabelled {
				name := e.TrainingLabel(x, s)
				r.Label = &name
			}
			out = append(out, r)
		}
		return out
	}
	out := []SharesResult{}
	for _, x := range e.All {
		r := SharesResult{Label: e.Label(x.Point), Class: e.Class(x.Class), Value: x.Value, Bias: x.Bias,
			Shares: shares(x, x.Shares), Nearest: shares(x, x.Nearest), NearLabels: shares(x, x.NearLabels), Magnitude: x.Magnitude}
		if e.Each() {
			r.Row, r.Limit = x.Point+1, &x.Limit
		}
		if x.Labelled != nil {
			r.Labelled, r.Unlabelled = make(map[string]float64), &x.Unlabelled
			for label, v := range x.Labelled {
				r.Labelled[e.Called(x, label)] = v
			}
		}
		if x.Labels != nil {
			r.Labels, r.Rest = shares(x, x.Labels), &x.Rest
		}
		for _, f := range x.Features {
			r.Features = append(r.Features, FeatureResult{e.Feature(f), f.Value})
		}
		out = append(out, r)
	}
	return out
}
