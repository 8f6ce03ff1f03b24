package objective

import "fmt"

// Weights are the weights c of labelled points. Without any, nil, all are 1.
type Weights []float64

// At returns the k-th weight.
func (w Weights) At(k int) float64 {
	if w == nil {
		return 1
	}
	return w[k]
}

// Of returns some of the weights, in the given order.
func (w Weights) Of(rows []int) Weights {
	if w == nil {
		return nil
	}
	some := make(Weights, len(rows))
	for k, i := range rows {
		some[k] = w[i]
	}
	return some
}

// Check reports weights that no problem can have.
func (w Weights) Check() error {
	for k, v := range w {
		if !(v > 0) || !InRange(v) {
			return fmt.Errorf("the weight of labelled point %d is %v: weights must be positive, between %g and %g", k+1, v, Least, Largest)
		}
	}
	return nil
}
