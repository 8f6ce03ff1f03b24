package calibrate

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"lapsvm/internal/system/fault"
)

// Thresholds returns t_c for every class, by which the set of a point with the probabilities p is
//
//	{ c : p_c ≥ t_c or c is the most probable }
//
// and holds the class of the point with a probability of about level, such as 0.9. A class with labels enough has a
// threshold of its own, and keeps the level for its points. With l labels held out, t_c is the ⌊(1 − level)(l + 1)⌋-th
// smallest probability that machines without a label gave to it, see [Calibration.Doubt]. Classes with fewer labels share one,
// by the labels of all of them, and of the classes next in number where those are too few: see
// [Calibration.Groups]. The most probable class of a point is in its set too.
//
// l labels keep a level of at most l/(l + 1). Thresholds fails for more than that by all labels, for a level that is
// not between 0 and 1, and for a calibration without Own. (Vovk, "Cross-conformal predictors", Annals of Mathematics and
// Artificial Intelligence 2015; by class, Vovk, Gammerman and Shafer, "Algorithmic Learning in a Random World", 2005.)
func (c *Calibration) Thresholds(level float64) ([]float64, error) {
	if err := c.CheckLevel(level); err != nil {
		return nil, err
	}
	thresholds := make([]float64, len(c.Own))
	for _, group := range c.Groups(level) {
		var own []float64
		for _, class := range group {
			own = append(own, c.Own[class]...)
		}
		slices.Sort(own)
		for _, class := range group {
			thresholds[class] = own[outside(len(own), level)-1]
		}
	}
	return thresholds, nil
}

// outside returns ⌊(1 − level)(l + 1)⌋, how many ranks of l + 1 may be left out of a set.
func outside(l int, level float64) int {
	return int(math.Floor((1-level)*float64(l+1) + 1e-8)) // 0.1·10 is 1 but for rounding
}

// LeastLabels returns the least number of held-out labels that a set of the level takes, ⌈1/(1 − level)⌉ − 1.
func LeastLabels(level float64) int { return int(math.Ceil((1-1e-9)/(1-level))) - 1 }

// Groups divides the classes into those that have a threshold each and, last, those that share one, if any: each
// group in ascending order. Classes with too few labels for the level share one. While they are too few
// together, the class with the fewest labels of the others is added.
func (c *Calibration) Groups(level float64) [][]int {
	least, order := LeastLabels(level), make([]int, len(c.Own))
	for class := range order {
		order[class] = class
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(len(c.Own[b]), len(c.Own[a])) })
	alone, shared := len(order), 0
	for alone > 0 && (len(c.Own[order[alone-1]]) < least || alone < len(order) && shared < least) {
		alone--
		shared += len(c.Own[order[alone]])
	}
	var groups [][]int
	for _, class := range order[:alone] {
		groups = append(groups, []int{class})
	}
	if alone < len(order) {
		groups = append(groups, order[alone:])
	}
	for _, group := range groups {
		slices.Sort(group)
	}
	return groups
}

// mostLevel returns the largest level, in two digits, that so many held-out labels suffice for.
func mostLevel(labels int) float64 { return math.Floor(100*float64(labels)/float64(labels+1)) / 100 }

// isLevel reports a level of a set that is not between 0 and 1.
func isLevel(level float64) error {
	if !(level > 0) || !(level < 1) {
		return fmt.Errorf("a set takes a level between 0 and 1, such as 0.9, not %v", level)
	}
	return nil
}

// CheckLevel reports a level that no set has.
func (c *Calibration) CheckLevel(level float64) error {
	if err := isLevel(level); err != nil {
		return err
	}
	switch l := len(slices.Concat(c.Own...)); {
	case l == 0:
		return fault.FewLabels.Errorf("no label was held out, by which sets of classes could be made: label two rows of each class at least, and train anew")
	case l < LeastLabels(level):
		return fault.FewLabels.Errorf("a set of level %v takes %d held-out labels, of which there are %d: ask for at most %.2g, or label more points", level, LeastLabels(level), l, mostLevel(l))
	}
	return nil
}

// Sets returns the set of every row of probabilities, the most probable class first, which is always there. It fails where
// [Calibration.Thresholds] does, and panics for a row of another length. Cost: C comparisons a row.
func (c *Calibration) Sets(probabilities [][]float64, level float64) ([][]int, error) {
	thresholds, err := c.Thresholds(level)
	if err != nil {
		return nil, err
	}
	sets := make([][]int, len(probabilities))
	for i, row := range probabilities {
		if len(row) != len(thresholds) {
			panic(fmt.Sprintf("calibrate: %d probabilities of %d classes", len(row), len(thresholds)))
		}
		top := first(row)
		for class, p := range row {
			if p >= thresholds[class] || class == top {
				sets[i] = append(sets[i], class)
			}
		}
		slices.SortStableFunc(sets[i], func(a, b int) int { return cmp.Compare(row[b], row[a]) })
	}
	return sets, nil
}

// Doubt lowers Own to p^optimism. Labels that chose the machines think too well of them: others lose optimism times as much, −log p.
// An optimism of less than 1 changes nothing.
func (c *Calibration) Doubt(optimism float64) {
	if c == nil || !(optimism > 1) {
		return
	}
	for _, own := range c.Own {
		for k, p := range own {
			own[k] = math.Pow(p, optimism)
		}
	}
}

// own returns the probabilities of the labels of every class, ascending.
func (c *Calibration) own(scores [][]float64, y []int) [][]float64 {
	all := make([][]float64, len(scores[0]))
	p := make([]float64, len(scores[0]))
	for i, class := range y {
		c.Probabilities(p, scores[i])
		all[class] = append(all[class], p[class])
	}
	for _, own := range all {
		slices.Sort(own)
	}
	return all
}

// validateOwn reports probabilities that Fit does not return.
func (c *Calibration) validateOwn() error {
	if c.Own == nil {
		return nil
	}
	if l := len(slices.Concat(c.Own...)); l != c.HeldOut {
		return fmt.Errorf("%d probabilities of labels, of %d held-out points", l, c.HeldOut)
	}
	return validProbabilities(c.Own)
}

// validProbabilities reports lists of probabilities that are none, or do not ascend.
func validProbabilities(all [][]float64) error {
	for _, own := range all {
		if !slices.IsSorted(own) || slices.ContainsFunc(own, func(p float64) bool { return !(p >= 0) || p > 1 }) {
			return errors.New("probabilities of labels that are not ascending from 0 to 1")
		}
	}
	return nil
}
