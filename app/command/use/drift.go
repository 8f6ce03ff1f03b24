package use

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"lapsvm"
	"lapsvm/app/command/cli"
	"lapsvm/app/command/input"
	"lapsvm/dataset"
	"lapsvm/internal/machines/drift"
	"lapsvm/internal/system/atomicfile"
)

// Limits of the drift shown on standard error.
const (
	driftColumnsShown = 4
	driftSharesShown  = 3
)

// warnDrift writes to standard error, in a paragraph, how the data differ from the
// training data. It says nothing with --quiet.
func warnDrift(p *cli.Program, m *lapsvm.Model, r *drift.Report, output *cli.OutputFlags, written bool) {
	if r == nil || !r.Drifted() {
		return
	}
	parts := driftWords(m, r)
	if !written {
		parts = append(parts, "--drift FILE.json writes all of it, and FILE.html draws it")
	}
	p.Warnings(output).Warn("the data are unlike those that the model was trained on: " + strings.Join(parts, "; "))
}

// writeDrift writes the differences between the data and the training data, where
// requested.
func writeDrift(p *cli.Program, path string, names []string, m *lapsvm.Model, d *dataset.Dataset, report *drift.Report, r *predictRequest) error {
	if r.drift == "" {
		return nil
	}
	if report == nil {
		warnUnknownDrift(p, path, &r.output)
	}
	return atomicfile.Write(r.drift, func(w io.Writer) error {
		if isPage(r.drift) {
			return writeDriftPage(w, input.SourceName(names[0]), m, d, report)
		}
		return cli.PrintJSON(w, newDriftResult(m, d, report))
	})
}

// driftWords says what has drifted, nil for nothing.
func driftWords(m *lapsvm.Model, r *drift.Report) []string {
	return slices.Concat(driftedColumns(m, r), driftedMissing(m, r), driftedUnseen(m, r), driftedRows(r), driftedClasses(m, r))
}

// warnUnknownDrift warns that a model has no record of its training data to compare
// data with.
func warnUnknownDrift(p *cli.Program, path string, output *cli.OutputFlags) {
	p.Warnings(output).Warn(fmt.Sprintf("nothing is known about drift: the model %s is of an older program; train it again with this lapsvm", path))
}

// columnName returns the name of a feature.
func columnName(m *lapsvm.Model, feature int) string {
	switch names := m.Features(); {
	case feature == drift.WholeRow:
		return "the largest value of a row"
	case names != nil:
		return input.Printable(names[feature])
	}
	return fmt.Sprintf("column %d", feature+1)
}

// valueText writes a value of a feature as its column has it: dates as such.
func valueText(m *lapsvm.Model, feature int, v float64) string {
	text := ""
	if c := m.Column(feature); c != nil {
		text = c.Text(v)
	}
	return cmp.Or(text, shortNumber(v, 4))
}

// shortNumber writes a number with the given number of digits, without an exponent
// for numbers of common size.
func shortNumber(v float64, digits int) string {
	text := strconv.FormatFloat(v, 'g', digits, 64)
	if a := math.Abs(v); a >= 1e-3 && a < 1e9 {
		short, _ := strconv.ParseFloat(text, 64)
		return strconv.FormatFloat(short, 'f', -1, 64)
	}
	return text
}

func driftedColumns(m *lapsvm.Model, r *drift.Report) []string {
	var parts []string
	for k, c := range r.Columns {
		if !c.Drifted {
			break // the others did not either
		}
		if k == driftColumnsShown {
			more := 0
			for _, c := range r.Columns[k:] {
				if c.Drifted {
					more++
				}
			}
			return append(parts, cli.Count(more, "more column", "more columns"))
		}
		text := func(v float64) string { return valueText(m, c.Feature, v) }
		part := fmt.Sprintf("%s is mostly %s to %s, in the training %s to %s", columnName(m, c.Feature), text(c.Now[1]), text(c.Now[9]), text(c.Deciles[1]), text(c.Deciles[9]))
		if f := c.Factor; f > 0 {
			part += fmt.Sprintf(" (%s: another unit?)", timesText(f))
		}
		parts = append(parts, part)
	}
	return parts
}

// timesText words a factor far from 1, as the power of ten that it nearly is or else
// in two digits.
func timesText(f float64) string {
	word := "larger"
	if f < 1 {
		f, word = 1/f, "smaller"
	}
	if ten := math.Pow(10, math.Round(math.Log10(f))); math.Abs(math.Log(f/ten)) < 0.25 {
		return fmt.Sprintf("about %g times %s", ten, word)
	}
	return fmt.Sprintf("about %s times %s", shortNumber(f, 2), word)
}

func driftedRows(r *drift.Report) []string {
	if r.Rows == nil || !r.Rows.Drifted {
		return nil
	}
	worst := r.Rows.Worst[0]
	of := fmt.Sprintf("%d of %s", r.Rows.Far, cli.Count(r.Points, "row", "rows"))
	if r.Rows.Measure == drift.Length {
		return []string{fmt.Sprintf("%s %s much longer or shorter than those of the training, row %d most (length %s, there mostly %s to %s)",
			of, is(r.Rows.Far), worst.Index+1, shortNumber(worst.Value, 4), shortNumber(r.Rows.Low, 4), shortNumber(r.Rows.High, 4))}
	}
	return []string{fmt.Sprintf("%s %s far from all training points, row %d most (distance %s, there at most %s)", of, is(r.Rows.Far), worst.Index+1, shortNumber(worst.Value, 4), shortNumber(r.Rows.Largest, 4))}
}

func is(n int) string {
	if n == 1 {
		return "is"
	}
	return "are"
}

// shareText compares a share, in percent, with that of the training.
func shareText(s drift.ShareReport) string {
	return fmt.Sprintf("%.3g %%, in the training %.3g %%", 100*float64(s.Count)/float64(s.Total), 100*float64(s.Training)/float64(s.TrainingTotal))
}

// movedShares returns which of shares have drifted, the farthest first.
func movedShares(shares []drift.ShareReport) []int {
	var moved []int
	for k, s := range shares {
		if s.Drifted {
			moved = append(moved, k)
		}
	}
	slices.SortStableFunc(moved, func(a, b int) int { return cmp.Compare(shares[b].Apart(), shares[a].Apart()) })
	return moved[:min(len(moved), driftSharesShown)]
}

func driftedClasses(m *lapsvm.Model, r *drift.Report) []string {
	if r.Classes == nil || !r.Classes.Drifted {
		return nil
	}
	var parts []string
	for _, c := range movedShares(r.Classes.Classes) {
		parts = append(parts, input.Printable(predictedName(m, c))+" is predicted for "+shareText(r.Classes.Classes[c]))
	}
	return parts
}

// predictedName returns the name of a class; with one class the second name is
// "outside".
func predictedName(m *lapsvm.Model, class int) string {
	if classes := m.Classes(); class < len(classes) {
		return classes[class]
	}
	return "outside"
}

func driftedMissing(m *lapsvm.Model, r *drift.Report) []string {
	var parts []string
	for _, k := range movedShares(r.Missing) {
		parts = append(parts, input.Printable(m.Encoding().Columns[k].Name)+" is missing in "+shareText(r.Missing[k]))
	}
	return parts
}

func driftedUnseen(m *lapsvm.Model, r *drift.Report) []string {
	var parts []string
	for _, k := range movedShares(r.Unseen) {
		s := r.Unseen[k]
		parts = append(parts, fmt.Sprintf("%s has values that the training did not have in %.3g %%", input.Printable(m.Encoding().Columns[k].Name), 100*float64(s.Count)/float64(s.Total)))
	}
	return parts
}

// driftResult is the JSON of a drift. Numbers that are not finite are null.
type driftResult struct {
	Known        bool                `json:"known"` // false: all else is empty
	Drift        bool                `json:"drift"`
	Rows         int                 `json:"rows"`
	TrainingRows int                 `json:"training_rows"`
	Columns      []driftColumn       `json:"columns"` // those that drifted first, each the most moved first
	Distances    *driftRows          `json:"distances"`
	Classes      *driftClasses       `json:"classes"`
	Missing      []driftMissingShare `json:"missing"`
	Unseen       []driftUnseen       `json:"unseen"`
}

type driftColumn struct {
	Name            string             `json:"name"`
	Column          int                `json:"column"` // from 1; 0 for the largest value of a row
	Drift           bool               `json:"drift"`
	Outside         cli.JSONNumber     `json:"outside"`
	Apart           cli.JSONNumber     `json:"apart"`
	Moved           cli.JSONNumber     `json:"moved"`
	Factor          cli.JSONNumber     `json:"factor"` // 0 where none is seen
	Chance          cli.JSONNumber     `json:"chance"`
	Deciles         [11]cli.JSONNumber `json:"deciles"`
	TrainingDeciles [11]cli.JSONNumber `json:"training_deciles"`
}

type driftRows struct {
	Measure  drift.Measure  `json:"measure"`
	Drift    bool           `json:"drift"`
	Far      int            `json:"far"`
	Limit    cli.JSONNumber `json:"limit"`
	Chance   cli.JSONNumber `json:"chance"`
	Worst    []driftRow     `json:"worst"`
	Training struct {
		Low     cli.JSONNumber `json:"low"`
		Median  cli.JSONNumber `json:"median"`
		High    cli.JSONNumber `json:"high"`
		Largest cli.JSONNumber `json:"largest"`
	} `json:"training"`
}

type driftRow struct {
	Row   int            `json:"row"` // from 1
	Value cli.JSONNumber `json:"value"`
}

type driftClasses struct {
	Drift  bool              `json:"drift"`
	Moved  cli.JSONNumber    `json:"moved"`
	Shares []driftClassShare `json:"shares"`
}

type driftClassShare struct {
	Class string `json:"class"`
	driftShare
}

type driftMissingShare struct {
	Column string `json:"column"`
	driftShare
}

type driftShare struct {
	Drift      bool           `json:"drift"`
	Count      int            `json:"count"`
	Of         int            `json:"of"`
	Training   int            `json:"training"`
	TrainingOf int            `json:"training_of"`
	Chance     cli.JSONNumber `json:"chance"`
}

type driftUnseen struct {
	Column string `json:"column"`
	Rows   int    `json:"rows"`
	Value  string `json:"value"` // the first
	Drift  bool   `json:"drift"`
}

// newDriftResult makes the JSON of a report; r is nil where nothing is known.
func newDriftResult(m *lapsvm.Model, d *dataset.Dataset, r *drift.Report) driftResult {
	result := driftResult{Rows: d.OfAll(), Columns: []driftColumn{}, Missing: []driftMissingShare{}, Unseen: []driftUnseen{}}
	for _, u := range d.Unseen {
		result.Unseen = append(result.Unseen, driftUnseen{u.Column, u.Rows, u.Value, newValuesDrift(m, r, u.Column)})
	}
	if r == nil {
		return result
	}
	result.Known, result.Drift, result.TrainingRows = true, r.Drifted(), r.Training
	for _, c := range r.Columns {
		result.Columns = append(result.Columns, newDriftColumn(m, c))
	}
	result.Distances = newDriftRows(r.Rows)
	if c := r.Classes; c != nil {
		result.Classes = &driftClasses{Drift: c.Drifted, Moved: cli.JSONNumber(c.Moved)}
		for k, s := range c.Classes {
			result.Classes.Shares = append(result.Classes.Shares, driftClassShare{predictedName(m, k), newDriftShare(s)})
		}
	}
	for k, s := range r.Missing {
		if c := &m.Encoding().Columns[k]; c.Width() > 0 {
			result.Missing = append(result.Missing, driftMissingShare{c.Name, newDriftShare(s)})
		}
	}
	return result
}

// newValuesDrift reports whether new values of a column are a drift; r is nil where nothing is known.
func newValuesDrift(m *lapsvm.Model, r *drift.Report, column string) bool {
	if r == nil {
		return false
	}
	for k, s := range r.Unseen {
		if s.Drifted && m.Encoding().Columns[k].Name == column {
			return true
		}
	}
	return false
}

func newDriftColumn(m *lapsvm.Model, c drift.ColumnReport) driftColumn {
	result := driftColumn{Name: columnName(m, c.Feature), Column: c.Feature + 1, Drift: c.Drifted, Outside: cli.JSONNumber(c.Outside), Apart: cli.JSONNumber(c.Apart),
		Moved: cli.JSONNumber(c.Moved), Factor: cli.JSONNumber(c.Factor), Chance: cli.JSONNumber(c.Chance)}
	for k := range c.Now {
		result.Deciles[k], result.TrainingDeciles[k] = cli.JSONNumber(c.Now[k]), cli.JSONNumber(c.Deciles[k])
	}
	return result
}

func newDriftRows(r *drift.RowsReport) *driftRows {
	if r == nil {
		return nil
	}
	result := &driftRows{Measure: r.Measure, Drift: r.Drifted, Far: r.Far, Limit: cli.JSONNumber(r.Limit()), Chance: cli.JSONNumber(r.Chance), Worst: []driftRow{}}
	t := &result.Training
	t.Low, t.Median, t.High, t.Largest = cli.JSONNumber(r.Low), cli.JSONNumber(r.Median), cli.JSONNumber(r.High), cli.JSONNumber(r.Largest)
	for _, w := range r.Worst {
		result.Worst = append(result.Worst, driftRow{w.Index + 1, cli.JSONNumber(w.Value)})
	}
	return result
}

func newDriftShare(s drift.ShareReport) driftShare {
	return driftShare{s.Drifted, s.Count, s.Total, s.Training, s.TrainingTotal, cli.JSONNumber(s.Chance)}
}
