package main

import (
	"bufio"
	"encoding/csv"
	"fmt"
	"io"
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
	var scores, proba bool
	c := &cobra.Command{
		Use:   "predict MODEL DATA [-o OUT.csv]",
		Short: "Label points with a model",
		Long: `predict writes one line of CSV per row of DATA, in its order: label, with
--scores the decision values, and with --proba the probabilities, the largest of
which is that of the label. Columns of a table are found by the names the model
was trained with; its label column, if it has one, is ignored.`,
		Example: `  lapsvm predict model.lapsvm points.csv --scores -o labels.csv
  lapsvm predict model.lapsvm points.csv --proba`,
		Args: arguments("MODEL", "DATA"),
		RunE: func(c *cobra.Command, args []string) error {
			m, err := loadModel(args[0])
			if err != nil {
				return err
			}
			if proba && m.Calibration() == nil {
				return dataError{uncalibrated(args[0], m)}
			}
			o, err := data.options()
			if err != nil {
				return err
			}
			if o.Label == "" {
				o.Label = m.Label()
			}
			o.Features = m.Dim()
			if m.Features() != nil {
				o.Columns = m.Features()
			}
			d, err := p.readData(args[1], o)
			if err != nil {
				return fmt.Errorf("%w (the model takes %s)", err, count(m.Dim(), "feature", "features"))
			}
			f, err := m.Scores(c.Context(), d.Points)
			if err != nil {
				return err
			}
			result := predictions{m: m, labels: m.Decide(f)}
			if scores {
				result.scores = f
			}
			if proba {
				result.proba = probabilities(m, f)
			}
			write := result.writeCSV
			if report.json {
				write = result.writeJSON
			}
			if out != "" && out != "-" {
				return atomicfile.Write(out, write)
			}
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
	if err := out.Write(header); err != nil {
		return err
	}
	number := func(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
	record := make([]string, 0, len(header))
	for i, class := range p.labels {
		record = append(record[:0], labelName(p.m, class))
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
		Classes []string    `json:"classes"`
		Labels  []string    `json:"labels"`
		Scores  [][]float64 `json:"scores,omitempty"`
		Proba   [][]float64 `json:"proba,omitempty"`
	}{Classes: p.m.Classes(), Labels: make([]string, len(p.labels)), Scores: p.scores, Proba: p.proba}
	for i, class := range p.labels {
		result.Labels[i] = labelName(p.m, class)
	}
	return printJSON(w, result)
}
