package main

import (
	"bufio"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"lapsvm"
	"lapsvm/dataset"
	"lapsvm/dataset/files"
	"lapsvm/internal/atomicfile"
)

func (p *program) predict() *cobra.Command {
	var data dataFlags
	var report reportFlags
	var out string
	var scores, proba, keep bool
	var explain int
	c := &cobra.Command{
		Use:   "predict MODEL DATA [-o OUT]",
		Short: "Label points with a model",
		Long: `predict writes one row per row of DATA, in its order, as CSV, or in the format
and compression that the name of OUT tells: label, with --scores the decision
values, and with --proba the probabilities, the largest of which is that of the
label. Columns of a table are found by the names the model was trained with and
encoded as they were then; others are ignored, also a label column. Images of a
folder are brought to the size and colour of those that the model was trained
on. Columns that train was told are an --id are repeated before the label, with
--keep all columns. A result whose name one of these has is called
predicted_label, and so on.

With --explain N it writes in place of that what the decision values of the
first N rows are made of: what the labelled points of every class, the
unlabelled points and the bias add, or what each label adds where the model was
trained with --label-shares; the training points with the largest shares, and
the nearest ones; with a linear kernel what the features add; with -o as CSV,
and with --json beside the labels. Repeated columns name the rows. Training rows
count from 1, in the order and selection of the training.`,
		Example: `  lapsvm predict model.lapsvm points.csv --scores -o labels.csv
  lapsvm predict model.lapsvm points.csv --proba
  lapsvm predict model.lapsvm points.jsonl --keep -o labelled.parquet
  lapsvm predict model.lapsvm points.csv --explain 3`,
		Args: arguments("MODEL", "DATA"),
		RunE: func(c *cobra.Command, args []string) error {
			m, err := loadModel(args[0])
			if err != nil && isModel(args[1]) {
				return usagef("%s is no model, but %s is one, and comes first: lapsvm predict %s %s", args[0], args[1], quoted(args[1]), quoted(args[0]))
			}
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
			form, err := resultFormat(out)
			if err != nil {
				return err
			}
			if packed := strings.HasSuffix(out, ".gz") || strings.HasSuffix(out, ".zst"); explain > 0 && !report.json && form != files.CSV || (explain > 0 || report.json) && packed {
				return usagef("--explain is written as csv and --json as JSON, not compressed: choose another name than %s", out)
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
			if m.Image() != nil && !c.Flags().Changed("image-size") && !c.Flags().Changed("image-colour") {
				o.Image = *m.Image()
			}
			if m.Features() != nil {
				o.Columns = m.Features()
			}
			shown := p.watch(&report)
			d, err := p.readData(args[1], o)
			if err != nil {
				if m.Encoding() != nil || m.Features() != nil { // it names the columns
					return err
				}
				return fmt.Errorf("%w (the model takes %s)", err, count(m.Dim(), "feature", "features"))
			}
			p.warnUnseen(d, &report)
			if keep && d.Kept == nil {
				return usagef("--keep needs a table: %s", alternatives(formatNames(isTable)))
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
			var write func(io.Writer) error // nil for a table
			if explain > 0 {
				n := min(explain, d.Points.Len())
				result.explained = explanations{m: m, labels: result.labels[:n], kept: d.Kept}
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
			switch toFile := out != "" && out != "-"; {
			case write == nil && toFile:
				return files.WriteSeriesFile(out, form, result.series())
			case write == nil:
				shown.done()
				return files.WriteSeries(p.stdout, form, result.series())
			case toFile:
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
	c.Flags().StringVarP(&out, "output", "o", "", "file to write to: "+resultEnds()+", with .gz or .zst behind it to compress (default: standard output, as csv)")
	c.Flags().BoolVar(&scores, "scores", false, "decision values too: score, positive for the second class, or score_CLASS for every class")
	c.Flags().BoolVar(&proba, "proba", false, "probabilities too: proba_CLASS for every class")
	c.Flags().IntVar(&explain, "explain", 0, "write what the decisions for the first so many rows are made of, in place of labels; 0 for none")
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

// isModel reports whether a file is a model.
func isModel(path string) bool {
	_, err := lapsvm.Load(path)
	return err == nil
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

// series returns the columns of the result, the repeated ones first.
func (p predictions) series() []dataset.Series {
	label := dataset.Series{Name: "label", Text: make([]string, len(p.labels))}
	for i, class := range p.labels {
		label.Text[i] = labelName(p.m, class)
	}
	result := []dataset.Series{label}
	column := func(name string, rows [][]float64, c int) {
		s := dataset.Series{Name: name, Numbers: make([]float64, len(rows))}
		for i, row := range rows {
			s.Numbers[i] = row[c]
		}
		result = append(result, s)
	}
	if p.scores != nil {
		names, which := scoreNames(p.m)
		for k, name := range names {
			column(name, p.scores, which[k])
		}
	}
	if p.proba != nil {
		for c, name := range p.m.Classes() {
			column("proba_"+name, p.proba, c)
		}
	}
	if p.kept == nil {
		return result
	}
	for k := range result {
		result[k].Name = resultName(result[k].Name, p.kept)
	}
	return append(p.kept.Series(), result...)
}

// resultName is what a column of results is called beside the repeated ones.
func resultName(name string, kept *dataset.Kept) string {
	for slices.Contains(kept.Names, name) {
		name = "predicted_" + name
	}
	return name
}

// resultFormat returns the name of the format that the name of a file of results
// tells; a name without an ending, or with .txt, is one of CSV.
func resultFormat(name string) (string, error) {
	form, err := files.FormatOf(name)
	switch ending := filepath.Ext(strings.TrimSuffix(strings.TrimSuffix(name, ".gz"), ".zst")); {
	case name == "" || name == "-" || err != nil && (ending == "" || ending == ".txt"):
		return files.CSV, nil
	case err != nil:
		return "", usagef("the name %q does not tell the format of the results; end it in %s", name, resultEnds())
	case !form.CanWriteSeries():
		return "", usagef("results are written as %s, not as %s: choose another name than %s", alternatives(formatNames(files.Format.CanWriteSeries)), form.Name, name)
	}
	return form.Name, nil
}

// resultEnds lists what the name of a file of results may end in.
func resultEnds() string {
	names := formatNames(files.Format.CanWriteSeries)
	for k, name := range names {
		names[k] = "." + name
	}
	return alternatives(names)
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
