package answer

import (
	"context"
	"encoding/csv"
	"io"
	"math"
	"slices"
	"strconv"

	"lapsvm"
	"lapsvm/dataset"
	"lapsvm/points"
)

// Shares are the output of predict --explain-shares: the predictions of the first
// rows and the parts of their decision values.
type Shares struct {
	Said     *Predictions // of these rows and maybe more
	Features []string     // of the model, nil without names
	Linear   bool         // the kernel is
	All      []lapsvm.ShareExplanation
}

// NewShares takes apart what a model says of points.
func NewShares(ctx context.Context, m *lapsvm.Model, p *points.Points, said *Predictions) (Shares, error) {
	all, err := m.ExplainShares(ctx, p, lapsvm.ShareOptions{})
	return Shares{Said: said, Features: m.Features(), Linear: m.Kernel().Kind().Linear, All: all}, err
}

// Each reports whether a row may have several classes. Then each class of a row has an explanation.
func (e Shares) Each() bool { return KindOf(e.Said.Kind).Each() }

// Label is what is predicted for a row: a label, "" outside of a single class, a list of several classes, or a number.
func (e Shares) Label(row int) string { return KindOf(e.Said.Kind).label(e.Said, row) }

// Class names the class that an explanation is of.
func (e Shares) Class(class int) string { return KindOf(e.Said.Kind).class(e.Said, class) }

// Called names what training points are labelled as in an explanation: a class, or with or without the class explained.
func (e Shares) Called(x lapsvm.ShareExplanation, label int) string {
	return KindOf(e.Said.Kind).called(e, x, label)
}

// TrainingLabel is the label of a training point in an explanation, "" where it has none.
func (e Shares) TrainingLabel(x lapsvm.ShareExplanation, s lapsvm.Share) string {
	if s.Class == dataset.Unlabelled {
		return ""
	}
	return e.Called(x, s.Class)
}

// Feature names a column as the model knows it.
func (e Shares) Feature(f lapsvm.Feature) string {
	if e.Features != nil {
		return e.Features[f.Column]
	}
	return strconv.Itoa(f.Column + 1)
}

// HasLabelShares reports whether the share of each label is known.
func (e Shares) HasLabelShares() bool { return len(e.All) > 0 && e.All[0].Labels != nil }

// ShareList is a list of training points and their shares in a decision value, NaN
// for points that have none.
type ShareList struct {
	Title, Part string
	Shares      []lapsvm.Share
}

// Lists returns the training points to show for a row. Where the share of each
// label is known, labelled points have these shares and other points have none.
func (e Shares) Lists(x lapsvm.ShareExplanation) []ShareList {
	if x.Shares == nil {
		return nil
	}
	largest := x.Shares
	if e.HasLabelShares() {
		largest = x.Labels[:min(len(x.Shares), len(x.Labels))]
	}
	return []ShareList{{"largest shares", "share", largest}, {"nearest", "nearest", e.asLabels(x, x.Nearest)}, {"nearest with a label", "nearest labelled", e.asLabels(x, x.NearLabels)}}
}

// asLabels replaces the shares of points by those of their labels, where these are
// known.
func (e Shares) asLabels(x lapsvm.ShareExplanation, shares []lapsvm.Share) []lapsvm.Share {
	if !e.HasLabelShares() {
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

// WriteCSV writes one line per part of a decision value. Of several classes the lines also name the class, and the limit above which a row has it. The sums (labelled,
// unlabelled, feature, bias), or every label and the bias, add up to the value.
// The points of share, nearest and nearest labelled are included in these sums.
// Unless text is nil it rewrites every field.
func (e Shares) WriteCSV(w io.Writer, text func(string) string) error {
	out := csv.NewWriter(w)
	line := func(fields []string) error {
		if text != nil {
			for k, field := range fields {
				fields[k] = text(field)
			}
		}
		return out.Write(fields)
	}
	header := []string{"row", "label", "value", "part", "name", "training_row", "distance", "share"}
	if e.Each() {
		header = slices.Insert(header, 2, "class", "limit")
	}
	kept := e.Said.Kept
	for k := range header {
		header[k] = Column(header[k], kept)
	}
	header = slices.Insert(header, 1, kept.Names...)
	if err := line(header); err != nil {
		return err
	}
	for _, x := range e.All {
		names, class := kept.Row(x.Point), []string(nil)
		if e.Each() {
			class = []string{e.Class(x.Class), full(x.Limit)}
		}
		write := func(part, name, row, distance, share string) {
			_ = line(slices.Concat([]string{strconv.Itoa(x.Point + 1)}, names, []string{e.Label(x.Point)}, class, []string{full(x.Value), part, name, row, distance, share}))
		}
		point := func(part string, s lapsvm.Share) {
			share := full(s.Value)
			if math.IsNaN(s.Value) {
				share = ""
			}
			write(part, e.TrainingLabel(x, s), strconv.Itoa(s.Row+1), full(s.Distance), share)
		}
		if e.HasLabelShares() {
			for _, s := range x.Labels {
				point("label", s)
			}
			write("bias", "", "", "", full(x.Rest))
		} else {
			for label, v := range x.Labelled {
				write("labelled", e.Called(x, label), "", "", full(v))
			}
			if x.Labelled != nil {
				write("unlabelled", "", "", "", full(x.Unlabelled))
			}
			for _, f := range x.Features {
				write("feature", e.Feature(f), "", "", full(f.Value))
			}
			write("bias", "", "", "", full(x.Bias))
		}
		for _, list := range e.Lists(x) {
			if list.Part == "share" && e.HasLabelShares() {
				continue // they are there already
			}
			for _, s := range list.Shares {
				point(list.Part, s)
			}
		}
	}
	out.Flush()
	return out.Error()
}

func full(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
