package main

import (
	"context"
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"lapsvm"
	"lapsvm/dataset"
	"lapsvm/points"
)

// featuresShown is how many shares of features are printed for a row; CSV and
// JSON have all.
const featuresShown = 10

// cancelled is how many times the decision value the sum of the magnitudes must be
// for a remark.
const cancelled = 10

// explanations are what predict --explain writes: the first rows' predictions
// and what their decision values are made of.
type explanations struct {
	classes  []string // of the model
	features []string // the same, nil without names
	linear   bool     // the kernel is
	labels   []int    // predicted
	all      []lapsvm.Explanation
	kept     *dataset.Kept // columns that name the rows; nil where there are none
}

// newExplanations explains the labels that a model gives points.
func newExplanations(ctx context.Context, m *lapsvm.Model, p *points.Points, labels []int, kept *dataset.Kept) (explanations, error) {
	all, err := m.Explain(ctx, p, lapsvm.ExplainOptions{})
	return explanations{classes: m.Classes(), features: m.Features(), linear: m.Kernel().Kind().Linear, labels: labels, all: all, kept: kept}, err
}

// row names a row, by its number and its repeated columns.
func (e explanations) row(i int) string {
	var cells []string
	if e.kept != nil {
		for c, name := range e.kept.Names {
			cells = append(cells, printable(name)+" "+printable(e.kept.Rows[i][c]))
		}
	}
	if cells == nil {
		return fmt.Sprintf("row %d", i+1)
	}
	return fmt.Sprintf("row %d (%s)", i+1, strings.Join(cells, ", "))
}

// trainingLabel is the label of a training point, "" where it has none.
func (e explanations) trainingLabel(s lapsvm.Share) string { return labelName(e.classes, s.Class) }

// feature names a column as the model knows it.
func (e explanations) feature(f lapsvm.Feature) string {
	if e.features != nil {
		return e.features[f.Column]
	}
	return strconv.Itoa(f.Column + 1)
}

// labelled reports whether what each label adds is known.
func (e explanations) labelled() bool { return len(e.all) > 0 && e.all[0].Labels != nil }

// writeText writes a block for every row.
func (e explanations) writeText(w io.Writer) error {
	parts := "the shares of all training points, and the bias"
	switch {
	case e.linear:
		parts = "the shares of all features, and the bias"
	case e.labelled():
		parts = "what each label adds, and the bias with what follows from it"
	}
	fmt.Fprintf(w, "The decision value of a row's class is the sum of %s.\nWhat is positive speaks for that class.", parts)
	if len(e.classes) == 2 {
		fmt.Fprintf(w, " --scores shows the value of %s, which is minus that of %s.", printable(e.classes[1]), printable(e.classes[0]))
	}
	fmt.Fprintln(w)
	remarked := false
	for i, x := range e.all {
		label := printable(labelName(e.classes, e.labels[i]))
		if e.labels[i] == dataset.Unlabelled {
			label = "(outside)"
		}
		if _, err := fmt.Fprintf(w, "\n%s: %s, decision value %.6g\n", e.row(i), label, x.Value); err != nil {
			return err
		}
		if times := x.Magnitude / math.Abs(x.Value); times >= cancelled && x.Labels == nil {
			fmt.Fprintf(w, "  (the shares nearly cancel: without their signs they are %.3g times the value, so that single ones say little)\n", times)
			remarked = remarked || x.Features == nil
		}
		if err := printTable(w, e.sums(x)); err != nil {
			return err
		}
		for _, list := range e.lists(x) {
			rows := [][]string{{"  " + list.title + ": training row", "label", "distance", "share"}}
			for _, s := range list.shares {
				name := printable(e.trainingLabel(s))
				if s.Class == dataset.Unlabelled {
					name = "(none)"
				}
				share := signed(s.Value)
				if math.IsNaN(s.Value) {
					share = "–"
				}
				rows = append(rows, []string{"  " + strconv.Itoa(s.Row+1), name, fmt.Sprintf("%.4g", s.Distance), share})
			}
			if err := printTable(w, rows); err != nil {
				return err
			}
		}
	}
	if remarked {
		fmt.Fprintln(w, "\nA model trained with --label-shares says what each label adds, without such detours.")
	}
	return nil
}

// sums is a table of the parts of a decision value.
func (e explanations) sums(x lapsvm.Explanation) [][]string {
	rows := [][]string{{"  sum of", "share"}}
	if e.labelled() {
		byClass := make([]float64, len(e.classes))
		for _, s := range x.Labels {
			byClass[s.Class] += s.Value
		}
		for c, v := range byClass {
			rows = append(rows, []string{"  labels " + printable(e.classes[c]), signed(v)})
		}
		return append(rows, []string{"  bias", signed(x.Rest)})
	}
	for c, v := range x.Labelled {
		rows = append(rows, []string{"  points labelled " + printable(e.classes[c]), signed(v)})
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
		rows = append(rows, []string{"  feature " + printable(e.feature(f)), signed(f.Value)})
	}
	return append(rows, []string{"  bias", signed(x.Bias)})
}

// shareList is a list of training points and what they add, NaN where that is no
// part of the value.
type shareList struct {
	title, part string
	shares      []lapsvm.Share
}

// lists returns the training points to show for a row. Where it is known what each
// label adds, that is the share of a labelled point, and other points have none.
func (e explanations) lists(x lapsvm.Explanation) []shareList {
	if x.Shares == nil {
		return nil
	}
	largest := x.Shares
	if e.labelled() {
		largest = x.Labels[:min(len(x.Shares), len(x.Labels))]
	}
	return []shareList{{"largest shares", "share", largest}, {"nearest", "nearest", e.asLabels(x, x.Nearest)}, {"nearest with a label", "nearest labelled", e.asLabels(x, x.NearLabels)}}
}

// asLabels gives points the shares of their labels, where these are known.
func (e explanations) asLabels(x lapsvm.Explanation, shares []lapsvm.Share) []lapsvm.Share {
	if !e.labelled() {
		return shares
	}
	out := slices.Clone(shares)
	for k := range out {
		at := slices.IndexFunc(x.Labels, func(s lapsvm.Share) bool { return s.Row == out[k].Row })
		if out[k].Value = math.NaN(); at >= 0 {
			out[k].Value = x.Labels[at].Value
		}
	}
	return out
}

func signed(v float64) string { return fmt.Sprintf("%+.4g", v) }

// writeCSV writes one line per part of a decision value. What is a sum
// (labelled, unlabelled, feature, bias), or every label and the bias, adds up to
// the value; share, nearest and nearest labelled are single points that are in
// these already. Where it is to be safe, no field is a formula in a spreadsheet.
func (e explanations) writeCSV(w io.Writer, safe bool) error {
	out := csv.NewWriter(w)
	line := func(fields []string) error {
		if safe {
			for k, field := range fields {
				fields[k] = unformulated(field)
			}
		}
		return out.Write(fields)
	}
	header := []string{"row", "label", "value", "part", "name", "training_row", "distance", "share"}
	if e.kept != nil {
		for k := range header {
			header[k] = resultName(header[k], e.kept)
		}
		header = slices.Insert(header, 1, e.kept.Names...)
	}
	if err := line(header); err != nil {
		return err
	}
	for i, x := range e.all {
		var names []string
		if e.kept != nil {
			names = e.kept.Rows[i]
		}
		write := func(part, name, row, distance, share string) {
			_ = line(slices.Concat([]string{strconv.Itoa(i + 1)}, names, []string{labelName(e.classes, e.labels[i]), full(x.Value), part, name, row, distance, share}))
		}
		point := func(part string, s lapsvm.Share) {
			share := full(s.Value)
			if math.IsNaN(s.Value) {
				share = ""
			}
			write(part, e.trainingLabel(s), strconv.Itoa(s.Row+1), full(s.Distance), share)
		}
		if e.labelled() {
			for _, s := range x.Labels {
				point("label", s)
			}
			write("bias", "", "", "", full(x.Rest))
		} else {
			for c, v := range x.Labelled {
				write("labelled", e.classes[c], "", "", full(v))
			}
			if x.Labelled != nil {
				write("unlabelled", "", "", "", full(x.Unlabelled))
			}
			for _, f := range x.Features {
				write("feature", e.feature(f), "", "", full(f.Value))
			}
			write("bias", "", "", "", full(x.Bias))
		}
		for _, list := range e.lists(x) {
			if list.part == "share" && e.labelled() {
				continue // they are there already
			}
			for _, s := range list.shares {
				point(list.part, s)
			}
		}
	}
	out.Flush()
	return out.Error()
}

// explanationResult is the JSON of an explanation. Rows count from 1.
type explanationResult struct {
	Label      string             `json:"label"` // predicted
	Class      string             `json:"class"` // whose value it is: the label's, or the only one
	Value      float64            `json:"value"`
	Bias       float64            `json:"bias"`
	Labelled   map[string]float64 `json:"labelled,omitempty"`
	Unlabelled *float64           `json:"unlabelled,omitempty"`
	Labels     []shareResult      `json:"labels,omitempty"` // what each label adds, where that is known
	Rest       *float64           `json:"rest,omitempty"`   // and what is left of the value
	Shares     []shareResult      `json:"shares,omitempty"`
	Nearest    []shareResult      `json:"nearest,omitempty"`
	NearLabels []shareResult      `json:"nearest_labelled,omitempty"`
	Magnitude  float64            `json:"magnitude"` // sum without signs
	Features   []featureResult    `json:"features,omitempty"`
}

type shareResult struct {
	Row      int     `json:"row"`
	Label    *string `json:"label"` // null without one
	Distance float64 `json:"distance"`
	Share    float64 `json:"share"`
}

type featureResult struct {
	Name  string  `json:"name"`
	Share float64 `json:"share"`
}

func (e explanations) results() []explanationResult {
	if e.all == nil {
		return nil
	}
	shares := func(list []lapsvm.Share) []shareResult {
		var out []shareResult
		for _, s := range list {
			r := shareResult{Row: s.Row + 1, Distance: s.Distance, Share: s.Value}
			if s.Class != dataset.Unlabelled {
				name := e.trainingLabel(s)
				r.Label = &name
			}
			out = append(out, r)
		}
		return out
	}
	out := []explanationResult{}
	for i, x := range e.all {
		r := explanationResult{Label: labelName(e.classes, e.labels[i]), Class: e.classes[x.Class], Value: x.Value, Bias: x.Bias,
			Shares: shares(x.Shares), Nearest: shares(x.Nearest), NearLabels: shares(x.NearLabels), Magnitude: x.Magnitude}
		if x.Labelled != nil {
			r.Labelled, r.Unlabelled = make(map[string]float64), &x.Unlabelled
			for c, v := range x.Labelled {
				r.Labelled[e.classes[c]] = v
			}
		}
		if x.Labels != nil {
			r.Labels, r.Rest = shares(x.Labels), &x.Rest
		}
		for _, f := range x.Features {
			r.Features = append(r.Features, featureResult{e.feature(f), f.Value})
		}
		out = append(out, r)
	}
	return out
}
