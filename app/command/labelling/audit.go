package labelling

import (
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/spf13/cobra"

	"lapsvm/app/command/cli"
	"lapsvm/app/command/input"
	"lapsvm/dataset"
	"lapsvm/dataset/files"
	"lapsvm/internal/system/atomicfile"
)

// wrongFrom is the suspicion from which a label is said to look wrong: it is then more
// likely wrong than right.
const wrongFrom = 0.5

// auditRequest holds the flags of audit.
type auditRequest struct {
	labellingFlags
	number  int
	file    string
	keep    bool
	csvSafe bool
}

// Audit returns the command audit, which names the labels that look wrong.
func Audit(p *cli.Program) *cobra.Command {
	var r auditRequest
	c := &cobra.Command{
		Use:   "audit DATA",
		Short: "Tell which of the given labels look wrong",
		Long: `audit judges every label of DATA by machines that do not see it, and lists the labels
that look wrong, the most suspicious first. Beside each label it shows what the machines
predict and how sure they are, the nearest labels, and the predictions of the neighbours.
The suspicion is the probability that the label is wrong: from 0.5 on a label looks wrong.
Equal rows with different labels are listed too, and classes that cannot be told apart.
With --regression labels are numbers, and what is suggested is the number without the label.
With --ordered a label comes before others that are as likely wrong if it is more ranks off.
With --multi-label every class of a row is judged for itself, and what is suggested is the
list without the answer that looks most wrong.

With --model nothing is chosen: the machines are those that a model was trained by.
With -o all labels are written as a table, and with --json as JSON.`,
		Example: `  lapsvm audit points.csv
  lapsvm audit points.csv --labels export.json -o suspicious.csv --keep`,
		Args: cli.Arguments("DATA"),
		RunE: func(c *cobra.Command, args []string) error { return runAudit(p, c, args[0], &r) },
	}
	c.Flags().SortFlags = false
	c.Flags().IntVarP(&r.number, "number", "n", 10, "how many labels to list, the most suspicious first")
	c.Flags().StringVarP(&r.file, "output", "o", "", "file to write all labels to, the most suspicious first: "+cli.ResultEndings(files.Format.CanWriteSeveral))
	c.Flags().BoolVar(&r.keep, "keep", false, "repeat all columns of a table in the file")
	c.Flags().BoolVar(&r.csvSafe, "csv-safe", false, cli.CSVSafeHelp)
	r.register(p, c)
	cli.ForBeginners(c, "number", "output", "labels", "keep", "label", "unlabelled", "id", "text", "neighbours", "json")
	return c
}

// auditLabels judges the labels, of which there must be some of two classes.
func auditLabels(p *cli.Program, c *cobra.Command, r *auditRequest, source string) (*labelled, *auditResult, error) {
	progress := p.Watch(&r.output)
	r.data.Keep = r.keep
	in, err := readLabelled(p, c, &r.labellingFlags, source)
	progress.Done()
	if err != nil {
		return nil, nil, err
	}
	seen := make(map[int]int)
	for _, i := range in.data.Labelled() {
		seen[in.data.Y[i]]++
	}
	wrong := func(format string, args ...any) error {
		return cli.BadData(&dataset.Error{File: source, Msg: dataset.Messagef(format, args...)})
	}
	switch {
	case len(seen) == 0:
		return nil, nil, wrong("no row has a label to audit: name their column with %s, or give a file of them with --labels", dataset.Option{Name: "Label"})
	case len(seen) == 1:
		return nil, nil, wrong(in.kind().equal(), in.className(in.data.Y[in.data.Labelled()[0]]))
	}
	l, err := openLabelling(p, c, &r.labellingFlags, in, true)
	if err != nil {
		return nil, nil, err
	}
	defer l.Close()
	result, err := in.kind().audit(c.Context(), in, l)
	return in, result, err
}

// runAudit audits the labels and prints the result.
func runAudit(p *cli.Program, c *cobra.Command, source string, r *auditRequest) error {
	form, err := cli.ResultFormat(r.file, "", files.Format.CanWriteSeveral)
	switch {
	case err != nil:
		return err
	case r.number < 0:
		return cli.Usagef("-n takes a number of labels, not %d", r.number)
	case r.file == "" && (r.keep || r.csvSafe):
		return cli.Usagef("--keep and --csv-safe are for the file of labels: add -o OUT.csv, or leave them out")
	}
	in, result, err := auditLabels(p, c, r, source)
	if err != nil {
		return err
	}
	if r.keep && in.data.Kept.None() {
		return cli.Usagef("--keep needs images, or a table: %s", cli.Alternatives(cli.FormatNames(cli.IsTable)))
	}
	if r.file != "" {
		if err := writeFound(c.Context(), p, result.series(in, r.keep), r.file, form, r.csvSafe, &r.output); err != nil || r.file == "-" {
			return err
		}
	}
	if r.output.JSON {
		return cli.PrintJSON(atomicfile.Until(c.Context(), p.Stdout), result)
	}
	if !r.output.Quiet || r.file == "" {
		result.print(p.Text, r.number)
	}
	return nil
}

// auditResult is the JSON of an audit.
type auditResult struct {
	Labels    []auditedLabel `json:"labels"`
	Suspects  int            `json:"suspicious"` // labels with a suspicion of wrongFrom or more
	Conflicts [][]auditedRow `json:"conflicts"`  // groups of equal rows whose labels differ
	Alike     []alikeClasses `json:"alike"`
}

type auditedLabel struct {
	Row                  int             `json:"row"`
	Name                 string          `json:"name,omitempty"`
	Given                string          `json:"given"`
	Suggested            string          `json:"suggested"`
	Suspicion            float64         `json:"suspicion"`
	GivenProbability     *float64        `json:"given_probability,omitempty"` // of classes
	SuggestedProbability *float64        `json:"suggested_probability,omitempty"`
	Neighbours           []auditedRow    `json:"neighbours"`      // nearest labels
	Agree                *cli.JSONNumber `json:"agree,omitempty"` // share of the neighbours that is taken for the class given
	Why                  string          `json:"why"`
}

type auditedRow struct {
	Row   int    `json:"row"`
	Class string `json:"class"`
}

// alikeClasses are two classes that cannot be distinguished.
type alikeClasses struct {
	Classes  [2]string `json:"classes"`
	Confused int       `json:"confused"` // labels that are taken for the other one
	Labels   int       `json:"labels"`   // of both
}

// rowsOf returns labelled points with their labels.
func (in *labelled) rowsOf(points []int) []auditedRow {
	list := []auditedRow{}
	for _, i := range points {
		list = append(list, auditedRow{i + 1, in.data.Classes[in.data.Y[i]]})
	}
	return list
}

// add adds a label.
func (a *auditResult) add(one auditedLabel) {
	if one.Suspicion >= wrongFrom {
		a.Suspects++
	}
	a.Labels = append(a.Labels, one)
}

// groupsOf returns groups of labelled points with their labels.
func (in *labelled) groupsOf(groups [][]int) [][]auditedRow {
	all := [][]auditedRow{}
	for _, group := range groups {
		all = append(all, in.rowsOf(group))
	}
	return all
}

// series returns all labels as columns.
func (a *auditResult) series(in *labelled, keep bool) []dataset.Series {
	given, suggested, why := dataset.Series{Name: "given", Text: []string{}}, dataset.Series{Name: "suggested", Text: []string{}}, dataset.Series{Name: "why", Text: []string{}}
	suspicion, p, q := dataset.Series{Name: "suspicion"}, dataset.Series{Name: "given_probability"}, dataset.Series{Name: "suggested_probability"}
	var rows []int
	for _, one := range a.Labels {
		rows = append(rows, one.Row-1)
		given.Text, suggested.Text, why.Text = append(given.Text, one.Given), append(suggested.Text, one.Suggested), append(why.Text, one.Why)
		if suspicion.Numbers = append(suspicion.Numbers, one.Suspicion); one.GivenProbability != nil {
			p.Numbers, q.Numbers = append(p.Numbers, *one.GivenProbability), append(q.Numbers, *one.SuggestedProbability)
		}
	}
	if p.Numbers == nil {
		return in.series(rows, keep, given, suggested, suspicion, why)
	}
	return in.series(rows, keep, given, suggested, suspicion, p, q, why)
}

// print prints an audit for people.
func (a *auditResult) print(w io.Writer, most int) {
	verb := "look"
	if a.Suspects == 1 {
		verb = "looks"
	}
	shown := min(most, len(a.Labels))
	fmt.Fprintf(w, "%d of %s %s wrong, with a suspicion of %g or more", a.Suspects, cli.Count(len(a.Labels), "label", "labels"), verb, wrongFrom)
	if shown > 0 {
		fmt.Fprintf(w, "; the %d most suspicious:", shown)
	}
	fmt.Fprintln(w)
	for _, one := range a.Labels[:shown] {
		name := fmt.Sprintf("row %d", one.Row)
		if one.Name != "" {
			name += " (" + input.Printable(one.Name) + ")"
		}
		fmt.Fprintf(w, "  %s, suspicion %.2f: %s\n", name, math.Floor(100*one.Suspicion)/100, one.Why)
	}
	if more := a.Suspects - shown; more > 0 {
		fmt.Fprintf(w, "  and %d more that look wrong: -n %d lists them, -o writes all labels\n", more, a.Suspects)
	}
	const listed = 10
	for k, group := range a.Conflicts {
		if k == 0 {
			fmt.Fprintf(w, "%s labelled differently, so no machine gets all labels right:\n", cli.Count(len(a.Conflicts), "group of equal rows is", "groups of equal rows are"))
		}
		if k == listed {
			fmt.Fprintf(w, "  and %d more: --json has all\n", len(a.Conflicts)-k)
			break
		}
		var rows []string
		for _, one := range group[:min(len(group), listed)] {
			rows = append(rows, fmt.Sprintf("row %d %s", one.Row, input.Printable(one.Class)))
		}
		if more := len(group) - listed; more > 0 {
			rows = append(rows, fmt.Sprintf("%d more", more))
		}
		fmt.Fprintf(w, "  %s\n", strings.Join(rows, ", "))
	}
	for _, pair := range a.Alike {
		fmt.Fprintf(w, "%s and %s cannot be told apart by these features: machines that do not see a label take %d of their %d labels for the other class; more labels, other columns, or one class in place of both may help\n",
			input.Printable(pair.Classes[0]), input.Printable(pair.Classes[1]), pair.Confused, pair.Labels)
	}
}
