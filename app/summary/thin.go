package summary

import (
	"fmt"
	"math"
	"slices"

	"lapsvm"
	"lapsvm/dataset"
)

// When evidence is thin.
const (
	fewestOpen = 20  // points without a label that decision values are compared of
	mostOpen   = 1e5 // of more, so many evenly
	alike      = 0.2 // of the range of decision values of labelled points: what nine tenths of the others have at most
	hardlyTold = 3   // odds between two widths
	otherwise  = 4   // how many times as wide the one is, so that decisions differ
)

// undecided says that nearly all decision values of points without a label are alike, "" where they differ.
func undecided(m *lapsvm.Model, d *dataset.Dataset, scores [][]float64) string {
	open := d.Unlabelled()
	if scores == nil || len(open) < fewestOpen || len(open) == len(d.Y) {
		return ""
	}
	for c := range scores[0] {
		low, high := math.Inf(1), math.Inf(-1)
		for i, y := range d.Y {
			if y != dataset.Unlabelled {
				low, high = min(low, scores[i][c]), max(high, scores[i][c])
			}
		}
		values := make([]float64, min(len(open), mostOpen))
		for k := range values {
			values[k] = scores[open[k*len(open)/len(values)]][c]
		}
		slices.Sort(values)
		span := high - low
		if !m.Regression() {
			span = max(span, 1) // targets are −1 and 1
		}
		if most := len(values) - 1; !(values[most-most/20]-values[most/20] < alike*span) {
			return ""
		}
	}
	text := "Nearly all points without a label have the same decision value: the model hardly tells them apart, and their classes may be chance."
	if m.Regression() {
		text = "Nearly all points without a label have the same number: the model hardly tells them apart."
	}
	advice := " Give labels that teach more (lapsvm suggest)"
	if c := m.Recipe().Choice; c != nil && c.OtherSigma > c.Sigma {
		advice += fmt.Sprintf(", or try --sigma %.3g", c.OtherSigma)
	}
	return text + advice + "."
}

// untoldWidth says that the labels hardly tell two widths of the kernel apart, where these decide otherwise. It is "" where they do.
func untoldWidth(c *lapsvm.Choice) string {
	if c == nil || c.SigmaOdds == 0 || c.SigmaOdds >= hardlyTold || max(c.Sigma/c.OtherSigma, c.OtherSigma/c.Sigma) < otherwise {
		return ""
	}
	return fmt.Sprintf("The labels hardly tell how wide the kernel should be: sigma %.3g was taken, and %.3g has about as much for it. Compare the predictions with --sigma %.3g, or give more labels.", c.Sigma, c.OtherSigma, c.OtherSigma)
}
