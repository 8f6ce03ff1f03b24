package learn

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"lapsvm"
	"lapsvm/app/answer"
	"lapsvm/app/command/cli"
	"lapsvm/app/command/input"
	"lapsvm/app/summary"
	"lapsvm/internal/machines/selection"
	"lapsvm/points"
)

// measuresOf lists the lines of results.
func measuresOf(results []selection.Result) []answer.Measure {
	return slices.Concat(answer.KindOf(results[0].Recipe.Kind).Measures(results[0].BaselineSeveral != nil), trainingMeasures())
}

// trainingMeasures are those of any training.
func trainingMeasures() []answer.Measure {
	return []answer.Measure{
		{Name: "iterations", Title: "iterations", Get: func(r selection.Result) float64 { return r.Training.Iterations }},
		{Name: "line_search_steps", Title: "line searches", Get: func(r selection.Result) float64 { return r.Training.LineSearchSteps }},
		{Name: "seconds_solve", Title: "solve s", Get: func(r selection.Result) float64 { return r.Training.Seconds.Solve }},
		{Name: "seconds", Title: "seconds", Get: func(r selection.Result) float64 { return r.Seconds }},
	}
}

// evaluateResult is the JSON of an evaluation.
type evaluateResult struct {
	Labelled       int                         `json:"labelled"`
	Unlabelled     int                         `json:"unlabelled"`
	ValidationSize int                         `json:"validation_size"`
	TestSize       int                         `json:"test_size"`
	Repeats        []map[string]cli.JSONNumber `json:"repeats"`
	Mean           map[string]cli.JSONNumber   `json:"mean"`
	SD             map[string]cli.JSONNumber   `json:"sd"`
	Gain           cli.JSONNumber              `json:"gain"`       // by the unlabelled points against the baseline: percent points of errors, of ordered classes ranks
	GainError      cli.JSONNumber              `json:"gain_error"` // its standard error
	GainLow        cli.JSONNumber              `json:"gain_low"`   // the gain is between these with a confidence of 95 %
	GainHigh       cli.JSONNumber              `json:"gain_high"`
	Verdict        lapsvm.Verdict              `json:"verdict,omitempty"` // on the unlabelled points
	Classes        []classResult               `json:"classes,omitempty"` // on the hidden labels of all repeats
	Sets           []setResult                 `json:"sets,omitempty"`    // of each of several classes at once, likewise
	Choices        []*lapsvm.Choice            `json:"choices,omitempty"` // of the repeats, where parameters were chosen
	Standardise    []points.Standardise        `json:"standardise"`       // of the repeats
	Describe       [][]string                  `json:"describe"`          // of the repeats; empty for none
}

// classResult is the JSON of one class of an evaluation. Rates are from 0 to 1.
type classResult struct {
	Class     string         `json:"class"`
	Hidden    int            `json:"hidden"` // labels, of all repeats
	Recall    cli.JSONNumber `json:"recall"`
	Precision cli.JSONNumber `json:"precision"`
	F1        cli.JSONNumber `json:"f1"`
}

// setResult is the JSON of what sets say of one of several classes at once. Shares are from 0 to 1.
type setResult struct {
	Class   string         `json:"class"`
	With    int            `json:"with"` // hidden labels of all repeats that have it
	Without int            `json:"without"`
	Held    cli.JSONNumber `json:"held"`   // share of the first whose set holds the class
	Spared  cli.JSONNumber `json:"spared"` // share of the others that do not surely have it
	Told    cli.JSONNumber `json:"told"`   // share of both that are told to have the class or to lack it
}

// newSetResults returns what the sets of all repeats say of each class, nil where none were asked for.
func newSetResults(results []selection.Result) (all []setResult) {
	if !answer.KindOf(results[0].Recipe.Kind).Each() {
		return nil
	}
	of := make(map[string]selection.SetCounts)
	for _, r := range results {
		for _, c := range r.Several.Sets {
			of[c.Class] = of[c.Class].Plus(c)
		}
	}
	share := func(k, n int) cli.JSONNumber { return cli.JSONNumber(float64(k) / float64(n)) }
	for _, name := range slices.Sorted(maps.Keys(of)) {
		c := of[name]
		all = append(all, setResult{name, c.Has, c.Lacks, share(c.Held, c.Has), share(c.Spared, c.Lacks), share(c.Told, c.Has+c.Lacks)})
	}
	return all
}

// newClassResults returns the rates of the classes of the data.
func newClassResults(results []selection.Result, classes []string) []classResult {
	var all []classResult
	for c, r := range selection.RatesOf(selection.Pooled(results, func(r selection.Result) [][]int { return r.Confusion })) {
		all = append(all, classResult{classes[c], r.Rows, cli.JSONNumber(r.Recall), cli.JSONNumber(r.Precision), cli.JSONNumber(r.F1)})
	}
	return all
}

func newEvaluateResult(results []selection.Result, classes []string) evaluateResult {
	first := results[0]
	out := evaluateResult{Labelled: first.Labelled, Unlabelled: first.Hidden, ValidationSize: first.ValidationSize, TestSize: first.Tested,
		Mean: make(map[string]cli.JSONNumber), SD: make(map[string]cli.JSONNumber)}
	all := measuresOf(results)
	out.Sets = newSetResults(results)
	if answer.KindOf(first.Recipe.Kind).Single() {
		out.Classes = newClassResults(results, classes)
	}
	for _, r := range results {
		row := make(map[string]cli.JSONNumber)
		for _, m := range all {
			row[m.Name] = cli.JSONNumber(m.Get(r))
		}
		if r.Recipe.Choice != nil {
			out.Choices = append(out.Choices, r.Recipe.Choice)
		}
		out.Repeats, out.Standardise = append(out.Repeats, row), append(out.Standardise, r.Recipe.Standardise)
		out.Describe = append(out.Describe, append([]string{}, r.Recipe.Describe.Names()...))
	}
	g := selection.Gained{Mean: math.NaN(), Error: math.NaN(), Low: math.NaN(), High: math.NaN()}
	if !answer.KindOf(first.Recipe.Kind).Each() { // whose answers are not those of rows
		g = selection.Gain(results)
	}
	out.Gain, out.GainError, out.Verdict = cli.JSONNumber(g.Mean), cli.JSONNumber(g.Error), g.Verdict
	out.GainLow, out.GainHigh = cli.JSONNumber(g.Low), cli.JSONNumber(g.High)
	for _, m := range all {
		mean, sd := selection.MeanSD(results, m.Get)
		out.Mean[m.Name], out.SD[m.Name] = cli.JSONNumber(mean), cli.JSONNumber(sd)
	}
	return out
}

// rateClasses is the most classes of which the rates are printed for people.
const rateClasses = 30

// printRates prints a table of the rates by class.
func printRates(p *cli.Program, results []selection.Result, classes []string) error {
	rows := [][]string{{"class", "hidden", "recall", "precision", "F1"}}
	for _, c := range newClassResults(results, classes) {
		rows = append(rows, []string{input.Printable(c.Class), fmt.Sprint(c.Hidden), rate(c.Recall), rate(c.Precision), rate(c.F1)})
	}
	return printByClass(p, rows)
}

// printSets prints what sets say of each of several classes at once, if they were asked for.
func printSets(p *cli.Program, results []selection.Result) error {
	rows := [][]string{{"class", "with it", "in their sets", "without it", "not surely with it", "told"}}
	for _, c := range newSetResults(results) {
		rows = append(rows, []string{input.Printable(c.Class), fmt.Sprint(c.With), rate(c.Held), fmt.Sprint(c.Without), rate(c.Spared), rate(c.Told)})
	}
	if len(rows) == 1 {
		return nil
	}
	return printByClass(p, rows)
}

func rate(v cli.JSONNumber) string {
	if math.IsNaN(float64(v)) {
		return "–"
	}
	return fmt.Sprintf("%.3f", float64(v))
}

// printByClass prints a table with a line for each of the first classes, below its header.
func printByClass(p *cli.Program, rows [][]string) error {
	if more := len(rows) - 1 - rateClasses; more > 0 {
		rows = append(rows[:1+rateClasses], []string{fmt.Sprintf("… %d more, all of them with --json", more)})
	}
	fmt.Fprintln(p.Text)
	return cli.PrintTable(p.Text, rows)
}

// describedText says what points were described by in how many repeats, the commonest first, "" where nothing ever described them.
func describedText(results []selection.Result) string {
	counts := make(map[string]int)
	for _, r := range results {
		counts[cmp.Or(r.Recipe.Describe.Text(), "nothing")]++
	}
	if counts["nothing"] == len(results) {
		return ""
	}
	by := slices.SortedFunc(maps.Keys(counts), func(a, b string) int { return cmp.Or(counts[b]-counts[a], strings.Compare(a, b)) })
	if len(by) == 1 {
		return "points described by " + by[0]
	}
	for k, what := range by {
		by[k] = fmt.Sprintf("by %s in %s", what, cli.Count(counts[what], "repeat", "repeats"))
	}
	return "points described " + strings.Join(by, ", ")
}

func printEvaluation(p *cli.Program, results []selection.Result, classes []string) error {
	first := results[0]
	fmt.Fprintf(p.Text, "%d labelled, %d with a hidden label, %d for validation, %d for testing; %s\n",
		first.Labelled, first.Hidden, first.ValidationSize, first.Tested, cli.Count(len(results), "repeat", "repeats"))
	if text := describedText(results); text != "" {
		fmt.Fprintln(p.Text, text)
	}
	fmt.Fprintln(p.Text)
	once := len(results) == 1
	rows := [][]string{{"", "mean", "sd"}}
	if once {
		rows = [][]string{{"", "value"}}
	}
	for _, m := range measuresOf(results) {
		mean, sd := selection.MeanSD(results, m.Get)
		if math.IsNaN(mean) || m.Title == "" {
			continue
		}
		title := m.Title
		if strings.HasPrefix(m.Name, "error") {
			title += ", % wrong"
		}
		row := []string{title, fmt.Sprintf("%.4g", mean), fmt.Sprintf("%.3g", sd)}
		if once {
			row = row[:2]
		}
		rows = append(rows, row)
	}
	if err := cli.PrintTable(p.Text, rows); err != nil {
		return err
	}
	if !answer.KindOf(first.Recipe.Kind).Single() {
		return printSets(p, results)
	}
	if first.Hidden > 0 {
		if err := printRates(p, results, classes); err != nil {
			return err
		}
	}
	said := summary.RepeatsTell(results)
	if said == "" {
		return nil
	}
	if once {
		said += ", nor how much of this is luck: give more, such as --repeats 10"
	} else {
		said = "Against the SVM, repeat by repeat: " + said
	}
	_, err := fmt.Fprintf(p.Text, "\n%s.\n", said)
	return err
}
