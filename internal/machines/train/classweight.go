package train

import (
	"encoding/csv"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"lapsvm/dataset"
	"lapsvm/internal/machines/task"
	"lapsvm/internal/system/fault"
)

// ClassWeight is the costs of errors on the classes: a [WeightRule] or [ClassWeights]. Where it is
// nil, every error costs as much.
type ClassWeight interface {
	String() string
	check() error                          // whatever the classes are
	costs(t *task.Task) ([]float64, error) // of all classes, in their order
}

// WeightRule is costs by the name of their rule.
type WeightRule string

// BalancedWeights are l/(C·l_c) on a class with l_c of the l labels of C classes, as scikit-learn has
// them.
const BalancedWeights WeightRule = "balanced"

// ClassWeights is costs by class name. Classes that it leaves out have 1.
type ClassWeights map[string]float64

// String returns the name of the rule.
func (w WeightRule) String() string { return string(w) }

// String returns the costs as in A=1,B=5.
func (w ClassWeights) String() string { return byClass(w) }

func (w WeightRule) check() error {
	if w != BalancedWeights {
		return fault.Errorf("unknown class weights %q: choose balanced, or give the weight of every class", string(w))
	}
	return nil
}

func (w ClassWeights) check() error {
	for _, name := range slices.Sorted(maps.Keys(w)) {
		if weight := w[name]; !(weight > 0) || math.IsInf(weight, 1) {
			return fault.Errorf("the weight of the class %q is %v: weights are positive; leave a class out by selecting the others", name, weight)
		}
	}
	return nil
}

// weigh returns the task with the weight of every label multiplied by the cost
// of errors on its class, or the task itself where the recipe has no costs. The
// recipe must be valid. It fails for the cost of a class that has no label.
func (r Recipe) weigh(t *task.Task) (*task.Task, error) {
	if r.ClassWeight == nil {
		return t, nil
	}
	cost, err := r.ClassWeight.costs(t)
	if err != nil {
		return nil, err
	}
	return t.Weighted(cost), nil
}

func (w WeightRule) costs(t *task.Task) ([]float64, error) {
	cost, count := make([]float64, len(t.Classes)), make([]float64, len(t.Classes))
	for _, class := range t.Class {
		count[class]++
	}
	for class := range cost {
		cost[class] = float64(len(t.Class)) / (float64(len(cost)) * count[class])
	}
	return cost, nil
}

func (w ClassWeights) costs(t *task.Task) ([]float64, error) {
	cost := make([]float64, len(t.Classes))
	for class := range cost {
		cost[class] = 1
	}
	for _, name := range slices.Sorted(maps.Keys(w)) {
		class := dataset.FindClass(t.Classes, name)
		if class < 0 {
			return nil, fmt.Errorf("there is a weight for %q, which is no labelled class; the classes are %s", name, strings.Join(t.Classes, ", "))
		}
		cost[class] = w[name]
	}
	return cost, nil
}

// byClass writes a number of every class as in A=0.3,B=0.7. Names with commas or quotes are quoted as
// in CSV.
func byClass(of map[string]float64) string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(of)) {
		parts = append(parts, name+"="+strconv.FormatFloat(of[name], 'g', -1, 64))
	}
	var line strings.Builder
	w := csv.NewWriter(&line)
	_ = w.Write(parts) // a Builder takes all
	w.Flush()
	return strings.TrimSuffix(line.String(), "\n")
}
