package train

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"lapsvm/internal/machines/task"
)

// ClassWeight names the costs of errors on the classes.
type ClassWeight string

// The costs of errors.
const (
	EqualWeights    ClassWeight = ""         // every error costs as much
	BalancedWeights ClassWeight = "balanced" // l/(C·l_c) on a class with l_c of the l labels of C classes, as scikit-learn has it
)

// weigh returns the task with the weight of every label multiplied by the cost
// of errors on its class, or the task itself where the recipe has no costs. The
// recipe must be valid. It fails for the cost of a class that has no label.
func (r Recipe) weigh(t *task.Task) (*task.Task, error) {
	cost := make([]float64, len(t.Classes))
	switch {
	case r.ClassWeight == BalancedWeights:
		count := make([]float64, len(t.Classes))
		for _, class := range t.Class {
			count[class]++
		}
		for class := range cost {
			cost[class] = float64(len(t.Class)) / (float64(len(cost)) * count[class])
		}
	case r.ClassWeights != nil:
		for name := range r.ClassWeights {
			if !slices.Contains(t.Classes, name) {
				return nil, fmt.Errorf("there is a weight for %q, which is no labelled class; the classes are %s", name, strings.Join(t.Classes, ", "))
			}
		}
		for class, name := range t.Classes {
			cost[class] = 1
			if weight, given := r.ClassWeights[name]; given {
				cost[class] = weight
			}
		}
	default:
		return t, nil
	}
	return t.Weighted(cost), nil
}

// checkClassWeights reports costs that no training can have.
func (r Recipe) checkClassWeights() error {
	if r.ClassWeight != EqualWeights && r.ClassWeight != BalancedWeights {
		return fmt.Errorf("unknown class weights %q: choose balanced, or give the weight of every class", r.ClassWeight)
	}
	if r.ClassWeight != EqualWeights && r.ClassWeights != nil {
		return fmt.Errorf("the weights of the classes are given by name and one by one: give one of them")
	}
	for _, name := range slices.Sorted(maps.Keys(r.ClassWeights)) {
		if weight := r.ClassWeights[name]; !(weight > 0) || math.IsInf(weight, 1) {
			return fmt.Errorf("the weight of the class %q is %v: weights are positive; leave a class out by selecting the others", name, weight)
		}
	}
	return nil
}

// ClassWeightText returns the costs of errors in words, "" where all are equal:
// their name, or the weight of every class as in A=1,B=5.
func (r Recipe) ClassWeightText() string {
	if r.ClassWeights == nil {
		return string(r.ClassWeight)
	}
	return sharesText(r.ClassWeights)
}

// sharesText writes a number of every class as in A=0.3,B=0.7.
func sharesText(of map[string]float64) string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(of)) {
		parts = append(parts, name+"="+strconv.FormatFloat(of[name], 'g', -1, 64))
	}
	return strings.Join(parts, ",")
}
