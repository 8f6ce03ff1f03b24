package train

import "slices"

// Pending is what a choice made on some of the points or labels leaves for the training on all of them to decide. The recipe of a model
// has decided it, and its Pending is empty.
type Pending struct {
	// Challenger, with the solver Landmarks, is a second machine to be trained, on the sample that stands for all points if there is
	// one. It replaces the machine of the recipe where it has less loss on held-out labels. It has the same number of neighbours.
	Challenger *Member `json:"challenger,omitempty"`
	// RaiseGammaA says that GammaA was chosen. Where the functions are lost in rounding [Fit] takes ten times as much, up to
	// four times.
	RaiseGammaA bool `json:"raise_gamma_a,omitempty"`
	// Landmarks is how many serve, where fewer than [DefaultLandmarks] do: the training takes as many, or those that it has room for.
	Landmarks int `json:"landmarks,omitempty"`
	// Fewer is how many points may serve in place of all. [Fit] begins with so many, and takes more where these decide otherwise than a
	// quarter of them.
	Fewer int `json:"fewer,omitempty"`
	// Unseen are the labels that had no part in the choice, by their places among all labels, ascending. They tell of the training
	// what to expect, and whether it goes without the unlabelled points. Of another number of labels they tell nothing.
	Unseen []int `json:"unseen,omitempty"`
	Labels int   `json:"labels,omitempty"` // all of them
	// KeepsAll says that the unlabelled points have their part whatever these labels say, as a weight or class shares of theirs were given.
	KeepsAll bool `json:"keeps_all,omitempty"`
}

// clone returns a copy that shares nothing with p.
func (p Pending) clone() Pending {
	if p.Challenger != nil {
		challenger := *p.Challenger
		p.Challenger = &challenger
	}
	p.Unseen = slices.Clone(p.Unseen)
	return p
}
