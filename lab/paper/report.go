package paper

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"runtime"
	"time"

	"lapsvm/app/report"
	"lapsvm/internal/numbers/vec"
	"lapsvm/internal/system/atomicfile"
)

// Report is a finished run.
type Report struct {
	Options Options
	Results []*Result
	counted map[*Result]*tally
}

// tally counts numbers that were compared with the paper's.
type tally struct{ agree, compared int }

// Summary is the outcome of a run, with the place of its report.
type Summary struct {
	Page     string       `json:"page"`
	Agree    int          `json:"agree"`    // numbers within two standard errors of the paper's
	Compared int          `json:"compared"` // numbers that the paper has too
	Seconds  float64      `json:"seconds"`  // that the splits took, in this run or before
	Sets     []SetSummary `json:"sets"`
}

// SetSummary is the part of a set in a [Summary].
type SetSummary struct {
	Name     string  `json:"name"`
	Splits   int     `json:"splits"`
	Agree    int     `json:"agree"`
	Compared int     `json:"compared"`
	Seconds  float64 `json:"seconds"`
}

// Summary sums up.
func (r *Report) Summary() Summary {
	s := Summary{Page: r.page()}
	for _, x := range r.Results {
		set := SetSummary{Name: x.Set.Name, Splits: len(x.explored)}
		for k := range x.explored {
			set.Seconds += x.explored[k].Seconds + x.clocked[k].Seconds
		}
		if c := r.counted[x]; c != nil {
			set.Agree, set.Compared = c.agree, c.compared
		}
		s.Sets = append(s.Sets, set)
		s.Agree, s.Compared, s.Seconds = s.Agree+set.Agree, s.Compared+set.Compared, s.Seconds+set.Seconds
	}
	return s
}

func (r *Report) page() string { return filepath.Join(r.Options.Out, "index.html") }

// write writes the page, its tables and its figures.
func (r *Report) write(ctx context.Context) error {
	r.counted = make(map[*Result]*tally)
	for _, x := range r.Results {
		r.counted[x] = new(tally)
	}
	tables := r.tables()
	toys, err := r.toyFigures(ctx)
	if err != nil {
		return err
	}
	var curves []report.Figure
	for _, x := range r.Results {
		figures, err := x.figures()
		if err != nil {
			return err
		}
		curves = append(curves, figures...)
	}
	page := report.Page{
		Title: "Laplacian SVMs trained in the primal: the published experiments",
		Lead: "Every number of section 7 and Appendix A of Melacci and Belkin (JMLR 12, 2011), as this program finds it, beside the paper's. " +
			"A number is marked where it is further from the paper's than two standard errors of the difference of the means.",
		Facts: r.facts(),
		Sections: []report.Section{
			{Title: "Tables", Text: r.notes(), Tables: tables},
			{Title: "Figures of the method", Figures: toys},
			{Title: "Figures of the data sets", Figures: curves},
		},
	}
	files := []atomicfile.File{{Path: r.page(), Write: page.WriteHTML}}
	for _, t := range tables {
		files = append(files, atomicfile.File{Path: filepath.Join(r.Options.Out, "table-"+t.Name+".csv"), Write: t.WriteCSV})
	}
	for _, f := range append(toys, curves...) {
		files = append(files, atomicfile.File{Path: filepath.Join(r.Options.Out, "figure-"+f.Name+".svg"), Write: func(w io.Writer) error {
			_, err := w.Write(f.SVG)
			return err
		}})
	}
	return atomicfile.WriteAll(files...)
}

func (r *Report) facts() []report.Fact {
	s := r.Summary()
	weights := "selected on the validation points: the smallest mean error over the splits, of equal ones the smallest weights"
	if r.Options.Appendix {
		weights = "those of the paper's Appendix A"
	}
	facts := []report.Fact{
		{Name: "Numbers that agree", Value: fmt.Sprintf("%d of %d", s.Agree, s.Compared)},
		{Name: "Splits of each set", Value: fmt.Sprintf("%d, four folds shuffled anew every four splits; seed %d", r.Options.repeats(), r.Options.Seed)},
		{Name: "Weights of the norms", Value: weights},
		{Name: "Machine", Value: fmt.Sprintf("%d processors, %s, kernels %s", runtime.GOMAXPROCS(0), runtime.GOARCH, vec.Path())},
		{Name: "Time", Value: (time.Duration(s.Seconds) * time.Second).String() + " for all splits"},
	}
	if s.Compared == 0 {
		facts = facts[1:]
	}
	return facts
}

// notes says how each set is settled.
func (r *Report) notes() []string {
	var notes []string
	for _, x := range r.Results {
		if x.Set.Note != "" {
			notes = append(notes, x.Set.Name+": "+x.Set.Note+".")
		}
	}
	return append(notes, "Times are those of a training with Gram matrix and Laplacian there, as the paper measures; the paper's are of another machine, "+
		"so that only ratios compare. Standard deviations are over the splits.")
}
