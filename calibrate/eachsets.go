package calibrate

import (
	"cmp"
	"fmt"
	"slices"

	"lapsvm/internal/system/fault"
)

// Thresholds returns h_c and n_c for every class, by which a point with the probabilities p is told
//
//	to have the class   where p_c ≥ h_c and 1 − p_c < n_c
//	to lack the class   where p_c < h_c and 1 − p_c ≥ n_c
//
// and nothing of the class else. A point with the class is told to lack it with the probability 1 − level at most, such as 0.1. So is
// a point without the class told to have it. Where l held-out rows have the class, h_c is the ⌊(1 − level)(l + 1)⌋-th smallest
// of their p_c. It is 0 where that rank is 0, as too few rows have the class for anything to be told to lack it. For the rows that lack
// the class n_c is the same of 1 − p_c.
//
// This is a cross-conformal predictor for each class alone (binary relevance), conditional on the answer. It promises nothing of all
// classes of a point together. Thresholds fails where [Each.CheckLevel] does. (Papadopoulos, "A Cross-Conformal Predictor for Multi-label
// Classification", AIAI 2014; Vovk, Gammerman and Shafer, "Algorithmic Learning in a Random World", 2005.)
func (e *Each) Thresholds(level float64) (has, lacks []float64, err error) {
	if err := e.CheckLevel(level); err != nil {
		return nil, nil, err
	}
	limit := func(own []float64) float64 {
		if rank := outside(len(own), level); rank > 0 {
			return own[rank-1]
		}
		return 0
	}
	for class := range e.Has {
		has, lacks = append(has, limit(e.Has[class])), append(lacks, limit(e.Lacks[class]))
	}
	return has, lacks, nil
}

// CheckLevel reports a level that no set has. It is not between 0 and 1, or takes more held-out rows than any class has with one answer.
func (e *Each) CheckLevel(level float64) error {
	if e.Has == nil {
		return fault.Errorf("nothing is kept of held-out rows, by which sets of classes could be made: train anew")
	}
	most := 0
	for class := range e.Has {
		most = max(most, len(e.Has[class]), len(e.Lacks[class]))
	}
	if err := isLevel(level); err != nil {
		return err
	}
	switch {
	case most == 0:
		return fault.FewLabels.Errorf("no row was held out, by which sets of classes could be made: label more rows, and train anew")
	case most < LeastLabels(level):
		return fault.FewLabels.Errorf("a set of level %v takes %d held-out rows that have, or lack, a class, and no class has more than %d: ask for at most %.2g, or label more points", level, LeastLabels(level), most, mostLevel(most))
	}
	return nil
}

// Sets returns the outer and the inner set for every row of probabilities: the classes that the point may have, the most probable first, and
// those of these that it is told to have. Its other classes are those that it is told to lack. Sets fails
// where [Each.Thresholds] does, and panics for a row of another length. (The names are those of Cauchois, Gupta and Duchi,
// "Knowing what You Know", JMLR 22, 2021.)
func (e *Each) Sets(probabilities [][]float64, level float64) (outer, inner [][]int, err error) {
	has, lacks, err := e.Thresholds(level)
	if err != nil {
		return nil, nil, err
	}
	outer, inner = make([][]int, len(probabilities)), make([][]int, len(probabilities))
	for i, row := range probabilities {
		if len(row) != len(has) {
			panic(fmt.Sprintf("calibrate: %d probabilities of %d classes", len(row), len(has)))
		}
		outer[i], inner[i] = []int{}, []int{}
		for class, p := range row {
			may, mayNot := p >= has[class], 1-p >= lacks[class]
			if may || !mayNot {
				outer[i] = append(outer[i], class)
			}
			if may && !mayNot {
				inner[i] = append(inner[i], class)
			}
		}
		for _, set := range [][]int{outer[i], inner[i]} {
			slices.SortStableFunc(set, func(a, b int) int { return cmp.Compare(row[b], row[a]) })
		}
	}
	return outer, inner, nil
}

// validateOwn reports probabilities that FitEach does not return.
func (e *Each) validateOwn(classes int) error {
	if e.Has == nil && e.Lacks == nil {
		return nil
	}
	if len(e.Has) != classes || len(e.Lacks) != classes {
		return fmt.Errorf("probabilities of rows that have %d classes and lack %d, of %d", len(e.Has), len(e.Lacks), classes)
	}
	for class := range e.Has {
		if n := len(e.Has[class]) + len(e.Lacks[class]); n > e.HeldOut {
			return fmt.Errorf("%d probabilities of a class, of %d held-out rows", n, e.HeldOut)
		}
	}
	return validProbabilities(slices.Concat(e.Has, e.Lacks))
}
