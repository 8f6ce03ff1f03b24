package main

import (
	"bufio"
	"encoding/csv"
	"fmt"
	"io"
	"slices"
	"strconv"

	"github.com/spf13/cobra"

	"lapsvm"
	"lapsvm/dataset"
	"lapsvm/internal/atomicfile"
)

func (p *program) predict() *cobra.Command {
	var data dataFlags
	var report reportFlags
	var out string
	var scores, proba, keep bool
	var explain int
	c := &cobra.Command{
		Use:   "predict MODEL DATA [-o OUT.csv]",
		Short: "Label points with a model",
		Long: `predict writes one line of CSV per row of DATA, in its order: label, with
--scores the decision values, and with --proba the probabilities, the largest of
which is that of the label. Columns of a table are found by the names the model
was trained with and encoded as they were then; others are ignored, also a label
column. Columns that train was told are an --id are repeated before the label,
with --keep all columns. A result whose name one of these has is called
predicted_label, and so on.

With --explain N it writes in place of that what the decision values of the
first N rows are made of: what the labelled points of every class, the
unlabelled points and the bias add, the training points with the largest
shares, and the nearest ones; with -o as CSV, and with --json beside the
labels. Training rows count from 1, in the order and selection of the training.`,
		Example: `  lapsvm predict model.lapsvm points.csv --scores -o labels.csv
  lapsvm predict model.lapsvm points.csv --proba
  lapsvm predict model.lapsvm points.csv --explain 3`,
		Args: arguments("MODEL", "DATA"),
		RunE: func(c *cobra.Command, args []string) error {
			m, err := loadModel(args[0])
			if err != nil {
				return err
			}
			if proba && m.Calibration() == nil {
				return dataError{uncalibrated(args[0], m)}
			}
			if explain < 0 {
				return usagef("--explain takes a number of rows, not %d", explain)
			}
			if explain > 0 && !report.json && (scores || proba) {
				return usagef("--explain writes explanations in place of --scores and --proba: add --json to have all, or leave them out")
			}
			o, err := data.options()
			if err != nil {
				return err
			}
			if o.Label == "" {
				o.Label = m.Label()
			}
			o.Features, o.Encoding, o.Keep = m.Dim(), m.Encoding(), keep
			if o.Encoding == nil {
				o.Encoding = new(dataset.Encoding) // numbers only
			}
			if m.Features() != nil {
				o.Columns = m.Features()
			}
			shown := p.watch(&report)
			d, err := p.readData(args[1], o)
			if err != nil {
				return fmt.Errorf("%w (the model takes %s)", err, count(m.Dim(), "feature", "features"))
			}
			if keep && d.Kept == nil {
				return usagef("--keep needs a csv or tsv table")
			}
			f, err := m.Scores(shown.over(c.Context(), "predicting"), d.Points)
			if err != nil {
				return err
			}
			result := predictions{m: m, labels: m.Decide(f), kept: d.Kept}
			if scores {
				result.scores = f
			}
			if proba {
				result.proba = probabilities(m, f)
			}
			shown.begin("writing")
			write := result.writeCSV
			if explain > 0 {
				n := min(explain, d.Points.Len())
				result.explained = explanations{m: m, labels: result.labels[:n]}
				if result.explained.all, err = m.Explain(c.Context(), d.Points.Slice(0, n), lapsvm.ExplainOptions{}); err != nil {
					return fmt.Errorf("%s: %w", args[0], err)
				}
				write = result.explained.writeCSV
				if out == "" || out == "-" {
					write = result.explained.writeText
				}
			}
			if report.json {
				write = result.writeJSON
			}
			if out != "" && out != "-" {
				return atomicfile.Write(out, write)
			}
			shown.done()
			b := bufio.NewWriter(p.stdout)
			if err := write(b); err != nil {
				return err
			}
			return b.Flush()
		},
	}
	c.Flags().SortFlags = false
	c.Flags().StringVarP(&out, "output", "o", "", "file to write to (default: standard output)")
	c.Flags().BoolVar(&scores, "scores", false, "decision values too: score, positive for the second class, or score_CLASS for every class")
	c.Flags().BoolVar(&proba, "proba", false, "probabilities too: proba_CLASS for every class")
	c.Flags().IntVar(&explain, "explain", 0, "write what the decisions for the first so many rows are made of, in place of labels")
	c.Flags().BoolVar(&keep, "keep", false, "repeat all columns of a table before the label")
	data.register(c.Flags())
	report.register(c)
	c.Flags().Lookup("features").Hidden = true
	c.Flags().Lookup("select").Hidden = true
	return c
}

// loadModel reads a model; what is wrong with its file is bad data.
func loadModel(path string) (*lapsvm.Model, error) {
	m, err := lapsvm.Load(path)
	if err != nil {
		return nil, dataError{err}
	}
	return m, nil
}

// labelName is the class name of a predicted index; a point outside the class
// of a one-class model has no label.
func labelName(m *lapsvm.Model, class int) string {
	if class == dataset.Unlabelled {
		return ""
	}
	return m.Classes()[class]
}

// scoreNames are the names of the score columns, and which scores they are.
func scoreNames(m *lapsvm.Model) (names []string, which []int) {
	switch len(m.Classes()) {
	case 1:
		return []string{"score"}, []int{0}
	case 2:
		return []string{"score"}, []int{1}
	}
	for c, name := range m.Classes() {
		names = append(names, "score_"+name)
		which = append(which, c)
	}
	return names, which
}

// uncalibrated says why a model has no probabilities, and what to do.
func uncalibrated(path string, m *lapsvm.Model) error {
	if m.OneClass() {
		return fmt.Errorf("%s is a one-class model, which has no probabilities: take --scores", path)
	}
	return fmt.Errorf("%s was trained without probabilities: train it again with this lapsvm and --proba on, or take --scores", path)
}

// probabilities turns decision values into probabilities.
func probabilities(m *lapsvm.Model, scores [][]float64) [][]float64 {
	calibration := m.Calibration()
	rows := make([][]float64, len(scores))
	for i, row := range scores {
		rows[i] = make([]float64, len(row))
		calibration.Probabilities(rows[i], row)
	}
	return rows
}

// predictions are what predict writes: labels, and what else was asked for.
type predictions struct {
	m             *lapsvm.Model
	labels        []int
	scores, proba [][]float64 // [row][class]; nil where not asked for
	explained     explanations
	kept          *dataset.Kept // columns to repeat; nil where there are none
}

func (p predictions) writeCSV(w io.Writer) error {
	out := csv.NewWriter(w)
	header := []string{"label"}
	names, which := scoreNames(p.m)
	if p.scores != nil {
		header = append(header, names...)
	}
	if p.proba != nil {
		for _, name := range p.m.Classes() {
			header = append(header, "proba_"+name)
		}
	}
	if p.kept != nil {
		for k, name := range header {
			for slices.Contains(p.kept.Names, name) {
				name = "predicted_" + name
			}
			header[k] = name
		}
		header = append(slices.Clone(p.kept.Names), header...)
	}
	if err := out.Write(header); err != nil {
		return err
	}
	number := func(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
	record := make([]string, 0, len(header))
	for i, class := range p.labels {
		record = record[:0]
		if p.kept != nil {
			record = append(record, p.kept.Rows[i]...)
		}
		record = append(record, labelName(p.m, class))
		if p.scores != nil {
			for _, c := range which {
				record = append(record, number(p.scores[i][c]))
			}
		}
		if p.proba != nil {
			for _, v := range p.proba[i] {
				record = append(record, number(v))
			}
		}
		if len(record) == 1 && record[0] == "" {
			// encoding/csv quotes no empty field, and a reader would skip the
			// empty line.
			out.Flush()
			if _, err := io.WriteString(w, "\"\"\n"); err != nil {
				return err
			}
			continue
		}
		if err := out.Write(record); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

func (p predictions) writeJSON(w io.Writer) error {
	result := struct {
		Classes      []string            `json:"classes"`
		Labels       []string            `json:"labels"`
		Scores       [][]float64         `json:"scores,omitempty"`
		Proba        [][]float64         `json:"proba,omitempty"`
		Explanations []explanationResult `json:"explanations,omitempty"`
		Columns      []string            `json:"columns,omitempty"` // repeated ones
		Rows         [][]string          `json:"rows,omitempty"`    // and their text
	}{Classes: p.m.Classes(), Labels: make([]string, len(p.labels)), Scores: p.scores, Proba: p.proba, Explanations: p.explained.results()}
	if p.kept != nil {
		result.Columns, result.Rows = p.kept.Names, p.kept.Rows
	}
	for i, class := range p.labels {
		result.Labels[i] = labelName(p.m, class)
	}
	return printJSON(w, result)
}
