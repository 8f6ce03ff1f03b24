package use

import (
	"fmt"
	"io"
	"math"
	"strconv"

	"lapsvm"
	"lapsvm/app/answer"
	"lapsvm/app/command/cli"
	"lapsvm/app/command/input"
	"lapsvm/dataset"
)

// featuresShown is how many shares of features are printed for a row; CSV and
// JSON have all.
const featuresShown = 10

// cancelled is how many times the decision value the sum of the magnitudes must be
// for a remark.
const cancelled = 10

// shares are explanations by training points as text for people.
type shares struct{ answer.Shares }

// writeText writes a block for every row.
func (e shares) writeText(w io.Writer) error {
	parts := "the shares of all training points, and the bias"
	switch {
	case e.Linear:
		parts = "the shares of all features, and the bias"
	case e.HasLabelShares():
		parts = "what each label adds, and the bias with what follows from it"
	}
	names := make([]string, len(e.Said.Classes))
	for k, name := range e.Said.Classes {
		names[k] = input.Printable(name)
	}
	of := answer.KindOf(e.Said.Kind)
	fmt.Fprintln(w, of.Sums(parts, names))
	remarked := false
	for _, x := range e.All {
		if _, err := fmt.Fprintf(w, "\n%s: %s\n", rowName(e.Said, x.Point), of.Explained(x, input.Printable(e.Class(x.Class)), input.Printable(e.Label(x.Point)))); err != nil {
			return err
		}
		if times := x.Magnitude / math.Abs(x.Value); times >= cancelled && x.Labels == nil {
			fmt.Fprintf(w, "  (the shares nearly cancel: without signs they add up to %.3g times the value, so a single share says little)\n", times)
			remarked = remarked || x.Features == nil
		}
		if err := cli.PrintTable(w, e.sums(x)); err != nil {
			return err
		}
		for _, list := range e.Lists(x) {
			rows := [][]string{{"  " + list.Title + ": training row", "label", "distance", "share"}}
			for _, s := range list.Shares {
				name := input.Printable(e.TrainingLabel(x, s))
				if s.Class == dataset.Unlabelled {
					name = "(none)"
				}
				share := signed(s.Value)
				if math.IsNaN(s.Value) {
					share = "–"
				}
				rows = append(rows, []string{"  " + strconv.Itoa(s.Row+1), name, fmt.Sprintf("%.4g", s.Distance), share})
			}
			if err := cli.PrintTable(w, rows); err != nil {
				return err
			}
		}
	}
	if remarked {
		fmt.Fprintln(w, "\nA model trained with --label-shares says directly what each label adds.")
	}
	return nil
}

// sums is a table of the parts of a decision value.
func (e shares) sums(x lapsvm.ShareExplanation) [][]string {
	rows := [][]string{{"  sum of", "share"}}
	if e.HasLabelShares() {
		byLabel := make([]float64, len(x.Labelled))
		for _, s := range x.Labels {
			byLabel[s.Class] += s.Value
		}
		for label, v := range byLabel {
			rows = append(rows, []string{"  labels " + input.Printable(e.Called(x, label)), signed(v)})
		}
		return append(rows, []string{"  bias", signed(x.Rest)})
	}
	for label, v := range x.Labelled {
		rows = append(rows, []string{"  points labelled " + input.Printable(e.Called(x, label)), signed(v)})
	}
	if x.Labelled != nil {
		rows = append(rows, []string{"  unlabelled points", signed(x.Unlabelled)})
	}
	for k, f := range x.Features {
		if k == featuresShown {
			rest := 0.0
			for _, f := range x.Features[k:] {
				rest += f.Value
			}
			rows = append(rows, []string{fmt.Sprintf("  %d more features", len(x.Features)-k), signed(rest)})
			break
		}
		rows = append(rows, []string{"  feature " + input.Printable(e.Feature(f)), signed(f.Value)})
	}
	return append(rows, []string{"  bias", signed(x.Bias)})
}

func signed(v float64) string { return fmt.Sprintf("%+.4g", v) }
