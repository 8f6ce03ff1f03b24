package train

// Choice tells how the open part of a recipe was chosen. It steers nothing.
type Choice struct {
	Sigma           float64 `json:"sigma,omitempty"` // width of the best machine's kernel, where it has one; the next four are its too
	Neighbours      int     `json:"neighbours,omitempty"`
	LaplacianDegree int     `json:"laplacian_degree,omitempty"`
	GammaA          float64 `json:"gamma_a"`
	GammaI          float64 `json:"gamma_i"`
	Loss            float64 `json:"loss"`      // squared hinge per held-out label, summed over the machines
	Error           float64 `json:"error"`     // percent of the held-out labels, each predicted by machines weighed without it
	ErrorLow        float64 `json:"error_low"` // the error of new points is between these with a probability of 95 %
	ErrorHigh       float64 `json:"error_high"`
	Labels          int     `json:"held_out_labels"` // how many; 0 where fewer than two classes have two
	Candidates      int     `json:"candidates"`      // machines that were compared
	Points          int     `json:"points"`          // of the comparison
	Averaged        int     `json:"averaged"`        // members whose mean is the model
	HeldOut         string  `json:"held_out"`        // how labels were held out
	Reason          string  `json:"reason"`          // in words
	SupervisedSigma float64 `json:"svm_sigma,omitempty"`
	SupervisedGamma float64 `json:"svm_gamma_a"` // the best supervised machine's γA
	SupervisedError float64 `json:"svm_error"`   // its error on the held-out labels, each by the best machine for the others
	// Gain is by how many percent points fewer held-out labels the choice gets
	// wrong than the supervised machine, GainError the standard error of that.
	Gain      float64 `json:"gain"`
	GainError float64 `json:"gain_error"`
}
