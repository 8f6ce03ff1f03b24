package lapsvm

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"lapsvm/calibrate"
)

// Prior names the shares of the classes that predictions on the unlabelled
// training points are to have.
type Prior string

// The priors.
const (
	NoPrior       Prior = ""         // predictions have the shares they have
	BalancedPrior Prior = "balanced" // equal shares
	LabelledPrior Prior = "labelled" // the shares of the labels
)

// shares returns the share of every class that the trainer asks for, nil
// without a prior, and a text for the configuration.
func (t Trainer) shares(classes []string, y []int) (shares []float64, text string, err error) {
	if t.Prior == NoPrior && t.Shares == nil {
		return nil, "", nil
	}
	shares = make([]float64, len(classes))
	switch {
	case t.Prior != NoPrior && t.Shares != nil:
		return nil, "", fmt.Errorf("a prior is given by name and by shares: give one of them")
	case t.OneClass:
		return nil, "", fmt.Errorf("a one-class machine has no class shares: leave the prior out")
	case t.GammaI == 0:
		return nil, "", fmt.Errorf("a prior shifts the predictions on unlabelled points, which a supervised machine leaves out: give a gamma-i above 0, or no prior")
	case t.Prior == BalancedPrior:
		for c := range shares {
			shares[c] = 1 / float64(len(classes))
		}
		return shares, string(t.Prior), nil
	case t.Prior == LabelledPrior:
		for _, c := range y {
			shares[c] += 1 / float64(len(y))
		}
		return shares, string(t.Prior), nil
	case t.Shares == nil:
		return nil, "", fmt.Errorf("unknown prior %q: choose balanced or labelled, or give the share of every class", t.Prior)
	}
	sum := 0.0
	for _, name := range slices.Sorted(maps.Keys(t.Shares)) {
		if !slices.Contains(classes, name) {
			return nil, "", fmt.Errorf("the prior names %q, which is no labelled class; the classes are %s", name, strings.Join(classes, ", "))
		}
		sum += t.Shares[name]
	}
	var parts []string
	for c, name := range classes {
		share, given := t.Shares[name]
		switch {
		case !given:
			return nil, "", fmt.Errorf("the prior does not name the class %q: give the share of every class", name)
		case !(share > 0 && share <= 1):
			return nil, "", fmt.Errorf("the prior gives the class %q the share %v: shares are above 0 and at most 1; leave a class out by selecting the others", name, share)
		}
		shares[c] = share / sum
		parts = append(parts, name+"="+strconv.FormatFloat(share, 'g', -1, 64))
	}
	if math.Abs(sum-1) > sharesTolerance {
		return nil, "", fmt.Errorf("the shares of the prior sum to %v: they must sum to 1", sum)
	}
	return shares, strings.Join(parts, ","), nil
}

// sharesTolerance is how far from 1 the sum of given shares may be: three
// times ⅓, written as 0.333, is a prior.
const sharesTolerance = 0.005

// prior resolves the prior before anything is computed.
func (f *fit) prior(context.Context) error {
	var err error
	if f.shares, f.config.Prior, err = f.t.shares(f.classes, f.y); err != nil {
		return err
	}
	if f.shares != nil && f.training.Unlabelled == 0 {
		return fmt.Errorf("a prior shifts the predictions on unlabelled points, and there are none: leave the prior out")
	}
	return nil
}

// followPrior shifts the biases so that the predictions on the unlabelled
// training points have the shares asked for, in whole points by largest
// remainders. For two classes that moves the threshold to a quantile of f. The
// shift is made without an unregularised bias too.
func (f *fit) followPrior(context.Context) error {
	if f.shares == nil {
		return nil
	}
	labelled := make([]bool, len(f.rows))
	for _, i := range f.labelled {
		labelled[i] = true
	}
	var unlabelled [][]float64
	for i, row := range scores(f.solution.F, len(f.classes)) {
		if !labelled[i] {
			unlabelled = append(unlabelled, row)
		}
	}
	b, err := calibrate.Offsets(unlabelled, apportion(f.shares, len(unlabelled)))
	if err != nil {
		return err
	}
	if f.shift = b; len(b) == 2 {
		f.shift = []float64{(b[1] - b[0]) / 2} // of −f and f
	}
	f.shiftBy(f.solution.F)
	for c, v := range f.shift {
		f.solution.B[c] += v
	}
	f.t.Log.Info("prior", "shares", f.shares, "shift", f.shift)
	return nil
}

// shiftBy adds the shift of the prior to values [machine][point].
func (f *fit) shiftBy(values [][]float64) {
	for c, v := range f.shift {
		for i := range values[c] {
			values[c][i] += v
		}
	}
}

// apportion divides n in the given shares, which sum to 1: ⌊n·share⌋ each, and
// one more for the largest remainders, the first of equal ones.
func apportion(shares []float64, n int) []int {
	counts, order := make([]int, len(shares)), make([]int, len(shares))
	left := n
	for c, share := range shares {
		counts[c] = int(share*float64(n) + 1e-9)
		left -= counts[c]
		order[c] = c
	}
	remainder := func(c int) float64 { return shares[c]*float64(n) - float64(counts[c]) }
	slices.SortStableFunc(order, func(a, b int) int {
		switch d := remainder(b) - remainder(a); {
		case d > 1e-9:
			return 1
		case d < -1e-9:
			return -1
		}
		return 0
	})
	for _, c := range order[:left] {
		counts[c]++
	}
	return counts
}
