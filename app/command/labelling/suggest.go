package labelling

import (
	"context"
	"io"
	"path/filepath"

	"github.com/spf13/cobra"

	"lapsvm/app/command/cli"
	"lapsvm/app/command/input"
	"lapsvm/app/labelpage/tasks"
	"lapsvm/dataset"
	"lapsvm/dataset/files"
	"lapsvm/internal/system/atomicfile"
	"lapsvm/label"
)

// suggestRequest holds the flags of suggest.
type suggestRequest struct {
	labellingFlags
	number         int
	strategy, as   string
	file, imageURL string
	csvSafe        bool
}

// Suggest returns the command suggest, which names the points to label next.
func Suggest(p *cli.Program) *cobra.Command {
	var r suggestRequest
	c := &cobra.Command{
		Use:   "suggest DATA [-n 20]",
		Short: "Tell which points to label next, and why",
		Long: `suggest writes the rows of DATA whose labels would teach a model most, the best first, as CSV
or in the format that the name of OUT tells. A line has the number of the row (from 1), the
row's name, the reason, and the value behind the reason. Rows with a label are never
suggested; DATA may have no label at all. The rows of one call do not repeat each other,
so that they can be labelled in one go.

The strategy auto takes points that represent many others (variance) until every class
has labels, and from then on points that would change the model most (model-change);
beyond 1,000 labels it takes those the model is least sure of (uncertainty).
Parts of the graph without any label come first. With --regression labels are numbers, auto
stands for variance, and uncertainty takes the points whose numbers are least sure.
With --ordered, uncertainty takes the points that some rank divides best in two.
With --multi-label it stands for variance too, and uncertainty takes the points with a
class that is least sure.

With --model nothing is chosen: the machines are those that a model was trained by.

People who label elsewhere take the points as tasks with --as, and bring the labels back
with --labels, here and in audit.`,
		Example: `  lapsvm suggest points.csv
  lapsvm suggest posts.csv --id post -n 50 --as label-studio -o tasks.json
  lapsvm suggest posts.csv --id post --labels export.json --as prodigy -o tasks.jsonl`,
		Args: cli.Arguments("DATA"),
		RunE: func(c *cobra.Command, args []string) error { return runSuggest(p, c, args[0], &r) },
	}
	c.Flags().SortFlags = false
	c.Flags().IntVarP(&r.number, "number", "n", 20, "how many points")
	cli.AddOneOf(c.Flags(), &r.strategy, "strategy", string(label.Auto), "how points are chosen: auto, variance (points that represent many others), model-change (points whose labels would change the model most), uncertainty (points the model is least sure of), density or random",
		textsOf(label.Rules())...)
	c.Flags().StringVarP(&r.file, "output", "o", "", "file to write to: "+cli.ResultEndings(files.Format.CanWriteSeveral)+"; with --as .json or .jsonl (default: standard output)")
	cli.AddOneOf(c.Flags(), &r.as, "as", "", "write tasks for another tool, with the model's predictions if there is a model: label-studio (JSON to import) or prodigy (JSON lines)",
		textsOf(tasks.Formats())...)
	c.Flags().StringVar(&r.imageURL, "image-url", "", "with --as, prefix of the names of images in tasks, such as \"/data/local-files/?d=photos/\" for Label Studio (default: the path of DATA)")
	c.Flags().BoolVar(&r.data.Keep, "keep", false, "repeat all columns of a table")
	c.Flags().BoolVar(&r.csvSafe, "csv-safe", false, cli.CSVSafeHelp)
	r.register(p, c)
	cli.ForBeginners(c, "number", "strategy", "output", "as", "labels", "keep", "label", "unlabelled", "id", "text", "json")
	return c
}

// textsOf returns words as strings.
func textsOf[T ~string](words []T) []string {
	var all []string
	for _, word := range words {
		all = append(all, string(word))
	}
	return all
}

// check refuses a request that cannot be answered, before anything is read. It returns
// the format of a table.
func (r *suggestRequest) check() (string, error) {
	switch {
	case r.number < 1:
		return "", cli.Usagef("-n takes a number of points from 1 on, not %d", r.number)
	case r.as != "" && r.output.JSON:
		return "", cli.Usagef("--as writes tasks, but --json writes points: leave one of them out")
	case r.imageURL != "" && r.as == "":
		return "", cli.Usagef("--image-url is for tasks: add --as label-studio or --as prodigy")
	case r.as != "" || r.output.JSON:
		if r.csvSafe {
			return "", cli.Usagef("--csv-safe is for results as csv or tsv, which spreadsheets open: leave it out here")
		}
		return "", nil
	}
	form, err := cli.ResultFormat(r.file, "", files.Format.CanWriteSeveral)
	if err == nil && r.csvSafe && form != files.CSV && form != files.TSV {
		return "", cli.Usagef("--csv-safe is for results as csv or tsv, which spreadsheets open: leave it out here")
	}
	return form, err
}

// runSuggest suggests points and writes them.
func runSuggest(p *cli.Program, c *cobra.Command, source string, r *suggestRequest) error {
	form, err := r.check()
	if err != nil {
		return err
	}
	keep := r.data.Keep
	r.data.Keep, r.data.MayLackLabels = keep || r.as != "", true
	progress := p.Watch(&r.output)
	in, err := readLabelled(p, c, &r.labellingFlags, source)
	progress.Done()
	if err != nil {
		return err
	}
	if in.data.Kept.None() && (keep || r.as != "") {
		return cli.Usagef("--keep and --as need images, or a table: %s; other rows have nothing to show", cli.Alternatives(cli.FormatNames(cli.IsTable)))
	}
	if len(in.data.Unlabelled()) == 0 {
		return cli.BadData(&dataset.Error{File: source, Msg: dataset.Messagef("all %d rows have a label, so there is none to suggest: give the unlabelled rows too, or another column with %s", len(in.data.Y), dataset.Option{Name: "Label"})})
	}
	if r.as != "" {
		if _, _, err := in.kind().choices(in); err != nil {
			return err
		}
	}
	l, err := openLabelling(p, c, &r.labellingFlags, in, false)
	if err != nil {
		return err
	}
	defer l.Close()
	all, err := l.Suggest(c.Context(), label.Rule(r.strategy), r.number)
	if err != nil {
		return err
	}
	return writeSuggestions(c.Context(), p, r, in, l.Answer(), all, form, source, keep)
}

// writeSuggestions writes points as JSON, as tasks or as a table.
func writeSuggestions(ctx context.Context, p *cli.Program, r *suggestRequest, in *labelled, a *label.Answer, all []label.Suggestion, form, source string, keep bool) error {
	if r.output.JSON || r.as != "" {
		write := func(w io.Writer) error {
			if r.as == "" {
				return cli.PrintJSON(w, newSuggestResult(r.strategy, in, all))
			}
			classes, several, err := in.kind().choices(in)
			if err != nil {
				return err
			}
			return tasks.Write(w, tasks.Format(r.as), taskPoints(in, a, all, r.imageURL, source), classes, several)
		}
		if r.file == "" || r.file == "-" {
			return write(p.Stdout)
		}
		return atomicfile.Write(r.file, func(w io.Writer) error { return write(atomicfile.Until(ctx, w)) })
	}
	reason, value := dataset.Series{Name: "reason", Text: []string{}}, dataset.Series{Name: "value"}
	var rows []int
	for _, s := range all {
		rows = append(rows, s.Point)
		reason.Text, value.Numbers = append(reason.Text, s.Reason), append(value.Numbers, s.Value)
	}
	return writeFound(ctx, p, in.series(rows, keep, reason, value), r.file, form, r.csvSafe, &r.output)
}

// writeFound writes a table of results to a file or to standard output.
func writeFound(ctx context.Context, p *cli.Program, table []dataset.Series, file, form string, safe bool, output *cli.OutputFlags) error {
	if safe {
		table = cli.ForSpreadsheets(table)
	} else if form == files.CSV || form == files.TSV {
		p.WarnOfFormula(table, output)
	}
	p.Progress.Done()
	if file == "" || file == "-" {
		to, err := p.Table(ctx)
		if err != nil {
			return err
		}
		return files.WriteSeries(to, form, table)
	}
	return files.WriteSeriesFile(ctx, file, form, table)
}

// taskPoints returns suggested points in the form of package tasks.
func taskPoints(in *labelled, a *label.Answer, all []label.Suggestion, imageURL, source string) []tasks.Point {
	d := in.data
	var points []tasks.Point
	for _, s := range all {
		one := tasks.Point{Row: s.Point, Reason: s.Reason}
		if !d.Image.None() {
			name := d.Kept.Rows[s.Point][0]
			if one.Image = imageURL + name; imageURL == "" {
				one.Image = filepath.ToSlash(filepath.Join(source, name))
			}
			one.Fields = []tasks.Field{{Name: d.Kept.Names[0], Value: name}}
		} else {
			one.Text = input.TextOf(d, s.Point)
			for c, name := range d.Kept.Names {
				if name != d.Label {
					one.Fields = append(one.Fields, tasks.Field{Name: name, Value: d.Kept.Rows[s.Point][c]})
				}
			}
		}
		one.Classes, one.Probability = in.kind().decided(a, s.Point)
		points = append(points, one)
	}
	return points
}

// suggestResult is the JSON of suggestions.
type suggestResult struct {
	Strategy string         `json:"strategy"`
	Points   []suggestPoint `json:"points"`
}

type suggestPoint struct {
	Row    int            `json:"row"`
	Name   string         `json:"name,omitempty"`
	Reason string         `json:"reason"`
	Value  cli.JSONNumber `json:"value"`
}

func newSuggestResult(strategy string, in *labelled, all []label.Suggestion) suggestResult {
	result := suggestResult{strategy, []suggestPoint{}}
	for _, s := range all {
		result.Points = append(result.Points, suggestPoint{s.Point + 1, in.name(s.Point), s.Reason, cli.JSONNumber(s.Value)})
	}
	return result
}
