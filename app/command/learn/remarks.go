package learn

import (
	"context"
	"fmt"
	"io"
	"strings"

	"lapsvm"
	"lapsvm/app/command/cli"
	"lapsvm/app/command/input"
	"lapsvm/app/summary"
	"lapsvm/dataset"
)

// remark warns on standard error of a training's problems, those that concern most
// points first. It leaves out problems reported during the training, and says
// nothing with --quiet. The scores are those of all rows, or nil.
func remark(ctx context.Context, p *cli.Program, m *lapsvm.Model, d *dataset.Dataset, scores [][]float64, output *cli.OutputFlags) {
	for _, f := range summary.Findings(ctx, m, d, scores, input.Printable) {
		if !f.Warned {
			p.Warnings(output).Warn(strings.ToLower(f.Text[:1]) + strings.TrimSuffix(f.Text[1:], "."))
		}
	}
}

// printPredicted prints a summary of the predictions on the unlabelled points. It has the
// number of every class, the class with the fewest if they differ, and the class that the
// machine is least sure of.
func printPredicted(w io.Writer, classes []summary.PredictedClass) {
	open, separator, line := 0, "", ""
	few, many, unsure := 0, 0, -1
	for k, c := range classes {
		open += c.Points
		if k < input.ClassesShown {
			line += fmt.Sprintf("%s%d as %s", separator, c.Points, input.Printable(c.Name))
			separator = ", "
		}
		if c.Points < classes[few].Points {
			few = k
		}
		many = max(many, c.Points)
		if c.Points > 0 && (unsure < 0 || c.Lead < classes[unsure].Lead) {
			unsure = k
		}
	}
	if open == 0 || len(classes) < 2 {
		return
	}
	if more := len(classes) - input.ClassesShown; more > 0 {
		line += fmt.Sprintf(", … %s more", cli.Count(more, "class", "classes"))
	}
	fewest := ""
	if classes[few].Points < many {
		fewest = "fewest as " + input.Printable(classes[few].Name) + ", "
	}
	fmt.Fprintf(w, "%s predicted: %s; %sleast sure of %s (mean lead %.3g)\n", cli.Count(open, "unlabelled point is", "unlabelled points are"), line,
		fewest, input.Printable(classes[unsure].Name), classes[unsure].Lead)
}

// predictedResult is the JSON of the predictions on the unlabelled points.
type predictedResult struct {
	Class  string         `json:"class"`
	Labels int            `json:"labels"`
	Points int            `json:"points"`
	Lead   cli.JSONNumber `json:"lead"` // mean
}

func newPredictedResults(classes []summary.PredictedClass) []predictedResult {
	var results []predictedResult
	for _, c := range classes {
		results = append(results, predictedResult{c.Name, c.Labels, c.Points, cli.JSONNumber(c.Lead)})
	}
	return results
}
