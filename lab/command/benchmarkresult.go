package command

import (
	"encoding/json"
	"fmt"

	"lapsvm/app/command/cli"
	"lapsvm/lab/compare"
)

// benchmarkResult is the result of a benchmark.
type benchmarkResult struct {
	compare.Comparison
	Rivals           string // "" without
	Repeats, MaxRows int
	Seed             uint64
	LeftOut          []leftOut
}

// leftOut is a file that is no labelled data set, and why.
type leftOut struct {
	Set    string `json:"set"`
	Reason string `json:"reason"`
}

// benchmarkJSON is the JSON of a benchmark.
type benchmarkJSON struct {
	Results []benchmarkRow `json:"results"`
	Rivals  string         `json:"rivals,omitempty"`
	Repeats int            `json:"repeats"`
	MaxRows int            `json:"max_rows"`
	Seed    uint64         `json:"seed"`
	Worse   int            `json:"worse_than_svm"` // draws on which the default is, by more than two points
	Draws   int            `json:"draws"`          // on which both were measured
	LeftOut []leftOut      `json:"left_out,omitempty"`
}

// benchmarkRow is the JSON of one method on one set. Errors are in percent, and null
// where there is a gap.
type benchmarkRow struct {
	Set      string         `json:"set"`
	Labelled int            `json:"labelled"`
	PerClass int            `json:"per_class"`
	Method   string         `json:"method"`
	Error    cli.JSONNumber `json:"error"`
	ErrorSE  cli.JSONNumber `json:"error_se"`
	Seconds  cli.JSONNumber `json:"seconds"`
	Errors   []float64      `json:"errors,omitempty"` // of the draws
	Gap      string         `json:"gap,omitempty"`
}

// MarshalJSON writes it as benchmarkJSON.
func (b benchmarkResult) MarshalJSON() ([]byte, error) {
	out := benchmarkJSON{Results: []benchmarkRow{}, Rivals: b.Rivals, Repeats: b.Repeats, MaxRows: b.MaxRows, Seed: b.Seed, LeftOut: b.LeftOut}
	for _, r := range b.Results {
		out.Results = append(out.Results, benchmarkRow{r.Set, r.Labelled, r.PerClass, r.Method, cli.JSONNumber(r.Error), cli.JSONNumber(r.ErrorSE), cli.JSONNumber(r.Seconds), r.Errors, r.Gap})
	}
	out.Worse, out.Draws = b.Harm()
	return json.Marshal(out)
}

// writeBenchmark writes the result as it was asked for.
func writeBenchmark(p *cli.Program, result benchmarkResult, output *cli.OutputFlags) error {
	if output.JSON {
		return cli.PrintJSON(p.Stdout, result)
	}
	plain := func(text string) string { return text }
	fmt.Fprintf(p.Text, "Percent of the hidden labels that are predicted wrongly, with the standard error of %s\n\n", cli.Count(result.Repeats, "draw", "draws"))
	if err := cli.PrintTable(p.Text, result.Errors(plain)); err != nil {
		return err
	}
	if seconds := result.Seconds(); len(seconds) > 1 {
		fmt.Fprintln(p.Text)
		if err := cli.PrintTable(p.Text, seconds); err != nil {
			return err
		}
	}
	if gaps := result.Gaps(); len(gaps) > 0 {
		fmt.Fprintln(p.Text, "\nNot measured:")
		for _, gap := range gaps {
			fmt.Fprintln(p.Text, "  "+gap)
		}
	}
	if worse, draws := result.Harm(); draws > 0 {
		fmt.Fprintf(p.Text, "\n%s\n", compare.HarmText(worse, draws))
	}
	return nil
}
