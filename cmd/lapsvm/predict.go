package main

import (
	"bufio"
	"encoding/csv"
	"errors"
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
	var scores bool
	c := &cobra.Command{
		Use:   "predict MODEL DATA [-o OUT.csv]",
		Short: "Label points with a model",
		Long: `predict writes one line of CSV per row of DATA, in its order: label, and with
--scores the decision values. Columns of a table are found by the names the
model was trained with; its label column, if it has one, is ignored.`,
		Example: `  lapsvm predict model.lapsvm points.csv --scores -o labels.csv`,
		Args:    arguments("MODEL", "DATA"),
		RunE: func(c *cobra.Command, args []string) error {
			m, err := loadModel(args[0])
			if err != nil {
				return err
			}
			o, err := data.options()
			if err != nil {
				return err
			}
			if o.Label == "" {
				o.Label = m.Label()
			}
			o.Features, o.Columns = m.Dim(), m.Features()
			d, err := p.readData(args[1], o)
			if err != nil {
				return fmt.Errorf("%w (the model takes %s)", err, count(m.Dim(), "feature", "features"))
			}
			f, err := m.Scores(c.Context(), d.Points)
			if err != nil {
				return err
			}
			labels := m.Decide(f)
			write := func(w io.Writer) error {
				if report.json {
					return writePredictionsJSON(w, m, labels, f, scores)
				}
				return writePredictions(w, m, labels, f, scores)
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

func writePredictions(w io.Writer, m *lapsvm.Model, labels []int, scores [][]float64, withScores bool) error {
	out := csv.NewWriter(w)
	header := []string{"label"}
	names, which := scoreNames(m)
	if withScores {
		header = append(header, names...)
	}
	if err := out.Write(header); err != nil {
		return err
	}
	record := make([]string, 0, len(header))
	for i, class := range labels {
		record = append(record[:0], labelName(m, class))
		if withScores {
			for _, c := range which {
				record = append(record, strconv.FormatFloat(scores[i][c], 'g', -1, 64))
			}
		} else if record[0] == "" {
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

func writePredictionsJSON(w io.Writer, m *lapsvm.Model, labels []int, scores [][]float64, withScores bool) error {
	if len(labels) != len(scores) {
		return errors.New("labels and scores differ in number")
	}
	result := struct {
		Classes []string    `json:"classes"`
		Labels  []string    `json:"labels"`
		Scores  [][]float64 `json:"scores,omitempty"`
	}{Classes: m.Classes(), Labels: make([]string, len(labels))}
	for i, class := range labels {
		result.Labels[i] = labelName(m, class)
	}
	if withScores {
		result.Scores = scores
	}
	return printJSON(w, result)
}
