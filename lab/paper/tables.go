package paper

import (
	"fmt"
	"math"
	"strings"

	"lapsvm/app/report"
	"lapsvm/internal/machines/deformed"
)

// quantity is a number of a method in a table of the paper.
type quantity struct {
	name   string // as in the published tables
	header string
	get    func(t Timing) float64
	format string
}

var (
	errorsOf = []quantity{
		{"U", "U %", func(t Timing) float64 { return t.U }, "%.2f"},
		{"V", "V %", func(t Timing) float64 { return t.V }, "%.2f"},
		{"T", "T %", func(t Timing) float64 { return t.T }, "%.2f"},
	}
	workOf = []quantity{
		{"seconds", "Seconds", func(t Timing) float64 { return t.Seconds }, "%.3f"},
		{"iterations", "Iterations", func(t Timing) float64 { return t.Iterations }, "%.2f"},
		{"line-search", "Line search steps each", func(t Timing) float64 { return t.LineSearch }, "%.2f"},
	}
	stepsOf = []quantity{{"steps", "Newton steps", func(t Timing) float64 { return t.Iterations }, "%.2f"}}
)

// text writes mean and standard deviation.
func (v number) text(format string) string {
	if v.n == 0 {
		return "–"
	}
	return fmt.Sprintf(format+" ("+format+")", v.mean, v.sd)
}

// agrees reports whether two means of independent splits differ by no more
// than two standard errors.
func agrees(ours number, theirs Published, splits int) bool {
	variance := ours.sd * ours.sd / float64(ours.n)
	paper := 0.0
	if !math.IsNaN(theirs.SD) {
		paper = theirs.SD * theirs.SD / float64(splits)
	}
	// The paper rounds to two digits.
	return math.Abs(ours.mean-theirs.Mean) <= 2*math.Sqrt(variance+paper)+0.005
}

// cell writes a number next to the paper's, and counts whether they agree.
func (r *Report) cell(x *Result, ours number, table string, m Method, q quantity, judged bool) report.Cell {
	c := report.Cell{Text: ours.text(q.format)}
	theirs, ok := published(table, x.Set.PaperSet, m, q.name)
	if !ok {
		return c
	}
	c.Detail = fmt.Sprintf("paper "+q.format, theirs.Mean)
	if !math.IsNaN(theirs.SD) {
		c.Detail += fmt.Sprintf(" ("+q.format+")", theirs.SD)
	}
	if !judged || ours.n == 0 {
		return c
	}
	count := r.counted[x]
	count.compared++
	c.Mark = report.Differs
	if agrees(ours, theirs, x.Set.Draws) {
		count.agree++
		c.Mark = report.Agrees
	}
	return c
}

// header makes the first line of a table.
func header(first []string, quantities []quantity) []string {
	for _, q := range quantities {
		first = append(first, q.header)
	}
	return first
}

func (r *Report) tables() []report.Table {
	return []report.Table{r.sizes(), r.main(), r.errorTable(), r.stepTable(),
		r.workTable("times", false), r.earlyTable("early", false), r.parameters(),
		r.workTable("times-newton-parameters", true), r.earlyTable("early-newton-parameters", true), r.ratios()}
}

func name(x *Result) report.Cell { return report.Cell{Text: x.Set.Name, Head: true} }

func (r *Report) sizes() report.Table {
	t := report.Table{Name: "sizes", Title: "Data sets",
		Caption: "Points, features, and the parts of a split: labelled, unlabelled, validation and test points.",
		Header:  []string{"Set", "Classes", "Points", "Features", "L", "U", "V", "T"}}
	for _, x := range r.Results {
		row := []report.Cell{name(x)}
		s := x.explored[0].Found.Sizes
		for _, q := range []struct {
			table, name string
			ours        int
		}{{"sets", "classes", x.classes}, {"sets", "size", x.points}, {"sets", "attributes", x.features},
			{"sizes", "L", s.L}, {"sizes", "U", s.U}, {"sizes", "V", s.V}, {"sizes", "T", s.T}} {
			c := report.Cell{Text: fmt.Sprint(q.ours)}
			if theirs, ok := published(q.table, x.Set.PaperSet, "", q.name); ok && theirs.Mean != float64(q.ours) {
				c.Detail = fmt.Sprintf("paper %.0f", theirs.Mean)
			}
			row = append(row, c)
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// best returns the early stop with the fewest errors on the unlabelled points.
func (r *Result) best() Method {
	best, least := Stability, math.Inf(1)
	for _, m := range []Method{Stability, Validation, Mixed} {
		if u := r.trained(m, r.Selected[m], func(t Timing) float64 { return t.U }); u.n > 0 && u.mean < least {
			best, least = m, u.mean
		}
	}
	return best
}

func (r *Report) main() report.Table {
	t := report.Table{Name: "main", Title: "Training times, seconds",
		Caption: "LapSVM by the dual, by Newton's method, and by PCG with the most accurate of the three checks; then what the paper does not have: PCG with --stop auto, " +
			"all weights of the grid solved exactly, the Gram matrix with the graph, which these columns leave out, and the two with PCG from points to machine.",
		Header: []string{"Set", "Dual", "Newton", "PCG", "PCG, --stop auto", "Whole grid", "Gram matrix and graph", "End to end, --stop auto"},
		Note:   "Mean (standard deviation). The whole grid is factorization and all its machines, without measuring them."}
	seconds := workOf[0]
	for _, x := range r.Results {
		row := []report.Cell{name(x)}
		for _, m := range []Method{Dual, Newton} {
			row = append(row, r.cell(x, x.trained(m, x.Selected[m], seconds.get), "main", m, seconds, false))
		}
		pcg := r.cell(x, x.trained(x.best(), x.Selected[x.best()], seconds.get), "main", "pcg", seconds, false)
		row = append(row, pcg, report.Cell{Text: x.trained(Auto, x.Selected[Auto], seconds.get).text("%.3f")})
		var grid, products, whole []float64
		for _, c := range x.clocked {
			before := c.Found.Gram + c.Found.Graph
			products = append(products, before)
			for _, t := range c.Found.Trained {
				if t.Method == Auto && t.gammas() == x.Selected[Auto] {
					whole = append(whole, before+t.Seconds)
				}
			}
			if c.Found.GridSize > 0 {
				grid = append(grid, c.Found.Grid)
			}
		}
		row = append(row, meanOf(grid), meanOf(products), meanOf(whole))
		t.Rows = append(t.Rows, row)
	}
	return t
}

func meanOf(values []float64) report.Cell {
	return report.Cell{Text: newNumber(values).text("%.3f")}
}

func (r *Report) errorTable() report.Table {
	t := report.Table{Name: "errors", Title: "Errors of the classifiers",
		Caption: "Percent wrong on unlabelled, validation and test points; the weights are selected for each classifier on the validation points.",
		Header:  header([]string{"Set", "Classifier"}, errorsOf)}
	for _, x := range r.Results {
		for _, m := range []Method{SVM, RLSC, LapRLSC, Dual, Newton} {
			g, ok := x.Selected[m]
			if !ok {
				continue
			}
			row := []report.Cell{name(x), {Text: m.Title()}}
			for _, q := range errorsOf {
				row = append(row, r.cell(x, x.tried(m, g, func(c Cell) float64 { return q.get(Timing{Cell: c}) }), "errors", m, q, true))
			}
			t.Rows = append(t.Rows, row)
		}
		if _, ok := published("errors", x.Set.PaperSet, "pcg", "U"); ok {
			row := []report.Cell{name(x), {Text: "LapSVM, PCG"}}
			for _, q := range errorsOf {
				row = append(row, r.cell(x, x.trained(Stability, x.Selected[Stability], q.get), "errors", "pcg", q, true))
			}
			t.Rows = append(t.Rows, row)
		}
	}
	return t
}

func (r *Report) stepTable() report.Table {
	t := report.Table{Name: "steps", Title: "Steps of Newton's method", Caption: "Mean per machine.", Header: header([]string{"Set"}, stepsOf)}
	for _, x := range r.Results {
		if g, ok := x.Selected[Newton]; ok {
			t.Rows = append(t.Rows, []report.Cell{name(x), r.cell(x, x.trained(Newton, g, stepsOf[0].get), "steps", Newton, stepsOf[0], true)})
		}
	}
	return t
}

// weightsOf returns the weights of a method in a table: its own, or those of
// Newton's method.
func (r *Result) weightsOf(m Method, newton bool) (deformed.Gammas, bool) {
	if newton && m.early() {
		m = Newton
	}
	g, ok := r.Selected[m]
	return g, ok
}

func (r *Report) workTable(table string, newton bool) report.Table {
	t := report.Table{Name: table, Title: "Times and iterations",
		Caption: "Seconds of a training, iterations of PCG per machine, and intervals that the line search tried in each.",
		Header:  header([]string{"Set", "LapSVM"}, workOf)}
	if newton {
		t.Title += " with the weights of Newton's method"
	}
	for _, x := range r.Results {
		for _, m := range []Method{Dual, Newton, Stability, Validation, Mixed, Auto} {
			g, ok := x.weightsOf(m, newton)
			if !ok {
				continue
			}
			row := []report.Cell{name(x), {Text: m.Title()}}
			for k, q := range workOf {
				if k > 0 && !m.early() {
					row = append(row, report.Cell{Text: "–"})
					continue
				}
				row = append(row, r.cell(x, x.trained(m, g, q.get), table, m, q, k > 0))
			}
			t.Rows = append(t.Rows, row)
		}
	}
	return t
}

func (r *Report) earlyTable(table string, newton bool) report.Table {
	t := report.Table{Name: table, Title: "Errors of early stopping",
		Caption: "Percent wrong, with PCG stopped by each check, beside the exact solution. The last check is this program's, with the weights of the stability check.",
		Header:  header([]string{"Set", "LapSVM"}, errorsOf)}
	if newton {
		t.Title += " with the weights of Newton's method"
		t.Caption = "Percent wrong, with the weights that are best for the exact solution and not for the early stop."
	}
	for _, x := range r.Results {
		for _, m := range []Method{Newton, Stability, Validation, Mixed, Auto} {
			g, ok := x.weightsOf(m, newton)
			if !ok {
				continue
			}
			row := []report.Cell{name(x), {Text: m.Title()}}
			for _, q := range errorsOf {
				if m == Newton { // judged in the table of errors
					row = append(row, r.cell(x, x.tried(m, g, func(c Cell) float64 { return q.get(Timing{Cell: c}) }), table, m, q, false))
				} else {
					row = append(row, r.cell(x, x.trained(m, g, q.get), table, m, q, true))
				}
			}
			t.Rows = append(t.Rows, row)
		}
	}
	return t
}

func (r *Report) parameters() report.Table {
	t := report.Table{Name: "parameters", Title: "Selected weights",
		Caption: "Kernel and graph are the paper's; the weights are those with the fewest validation errors.",
		Header:  []string{"Set", "Classifier", "Kernel", "Neighbours", "Degree p", "γA", "γI"}}
	for _, x := range r.Results {
		for _, m := range methods() {
			g, ok := x.Selected[m]
			if !ok {
				continue
			}
			row := []report.Cell{name(x), {Text: m.Title()}, {Text: x.Set.Kernel.String()}}
			table := "parameters"
			if m.early() {
				table = "early-parameters"
			}
			weight := func(ours float64, quantity string) report.Cell {
				c := report.Cell{Text: fmt.Sprintf("%g", ours)}
				if theirs, ok := published(table, x.Set.PaperSet, m, quantity); ok && theirs.Mean != ours {
					c.Detail = fmt.Sprintf("paper %g", theirs.Mean)
				}
				return c
			}
			if m.supervised() {
				row = append(row, report.Cell{Text: "–"}, report.Cell{Text: "–"}, weight(g.A, "gamma-a"), report.Cell{Text: "–"})
			} else {
				row = append(row, report.Cell{Text: fmt.Sprint(x.Set.Graph.Neighbours)}, report.Cell{Text: fmt.Sprint(x.Set.Graph.Degree)},
					weight(g.A, "gamma-a"), weight(g.I, "gamma-i"))
			}
			t.Rows = append(t.Rows, row)
		}
	}
	return t
}

// ratios returns the speed-ups of faster methods. Unlike times, they can be
// compared between machines.
func (r *Report) ratios() report.Table {
	t := report.Table{Name: "ratios", Title: "How much faster", Caption: "Ratios of the mean times in the first table.",
		Header: []string{"Set", "Newton / PCG", "Dual / PCG", "Grid by Newton's method / grid"},
		Note:   "The last column is the number of weights in the grid times the mean time of Newton's method, over the time in which all of them are solved exactly."}
	seconds := workOf[0]
	for _, x := range r.Results {
		best := x.best()
		pcg := x.trained(best, x.Selected[best], seconds.get)
		row := []report.Cell{name(x)}
		for _, m := range []Method{Newton, Dual} {
			c := report.Cell{Text: "–"}
			if ours := x.trained(m, x.Selected[m], seconds.get); ours.n > 0 && pcg.n > 0 {
				c.Text = fmt.Sprintf("%.1f", ours.mean/pcg.mean)
			}
			slow, ok := published("main", x.Set.PaperSet, m, "seconds")
			if fast, found := published("main", x.Set.PaperSet, "pcg", "seconds"); ok && found {
				c.Detail = fmt.Sprintf("paper %.1f", slow.Mean/fast.Mean)
			}
			row = append(row, c)
		}
		grid, size := 0.0, 0
		for _, c := range x.clocked {
			if c.Found.GridSize > 0 {
				grid, size = grid+c.Found.Grid, size+c.Found.GridSize
			}
		}
		c := report.Cell{Text: "–"}
		if newton := x.trained(Newton, x.Selected[Newton], seconds.get); size > 0 && newton.n > 0 {
			c.Text = fmt.Sprintf("%.0f", newton.mean*float64(size)/grid)
		}
		t.Rows = append(t.Rows, append(row, c))
	}
	return t
}

// slug makes a file name of a set's name.
func slug(name string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z' || r >= '0' && r <= '9':
			return r
		case r >= 'A' && r <= 'Z':
			return r + 'a' - 'A'
		}
		return '-'
	}, name)
}
