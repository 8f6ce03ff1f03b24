package labelling

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"lapsvm/app/command/cli"
	"lapsvm/app/command/input"
	"lapsvm/app/labelpage/tasks"
	"lapsvm/dataset"
	"lapsvm/label"
)

// labellingFlags are the flags for the points, labels and recipe of a command.
type labellingFlags struct {
	data     input.DataFlags
	training input.TrainFlags
	output   cli.OutputFlags
	labels   string // file
}

func (f *labellingFlags) register(p *cli.Program, c *cobra.Command) {
	c.Flags().StringVar(&f.labels, "labels", "", "file of labels that take precedence over the labels in DATA: a table with the columns row (from 1) or id, and label; Label Studio's export as JSON; or Prodigy's JSON lines")
	f.data.Register(c.Flags())
	f.data.RegisterColumns(c.Flags())
	c.Flags().AddFlagSet(cli.Without(f.training.Define(), "one-class", "compact", "stop", "check-every", "max-iter", "tolerance", "time", "validation", "checkpoint"))
	f.output.Register(p, c)
	c.Flags().Lookup("select").Hidden = true
}

// labelled is data with its valid labels and the names of its rows.
type labelled struct {
	data  *dataset.Dataset
	names []string // of the rows: their ID columns, or their files; nil where nothing names them
	ids   []int    // the columns of data.Kept that these are
}

// readLabelled reads the data and the labels of --labels.
func readLabelled(ctx context.Context, p *cli.Program, f *labellingFlags, source string) (*labelled, error) {
	if len(f.data.Selected) > 0 {
		return nil, cli.Usagef("--select drops rows, but points are named by the number of the row: leave --select out")
	}
	f.data.Keep = f.data.Keep || f.labels != ""
	d, err := f.data.Read(ctx, p, source)
	if err != nil {
		return nil, err
	}
	in := &labelled{data: d, ids: idColumns(d, f.data.ID)}
	if in.ids != nil {
		in.names = make([]string, len(d.Y))
		for i, row := range d.Kept.Rows {
			in.names[i] = strings.Join(picked(row, in.ids), ", ")
		}
	}
	if f.labels != "" {
		if err := takeLabels(ctx, p, f, in); err != nil {
			return nil, err
		}
	}
	return in, nil
}

// idColumns returns the kept columns that name the rows. Beside vectors these are the columns
// asked for.
func idColumns(d *dataset.Dataset, asked []string) []int {
	var ids []int
	switch {
	case d.Kept == nil:
	case d.Image != nil:
		ids = []int{0}
	case d.Encoding != nil:
		for _, column := range d.Encoding.Columns {
			if at := slices.Index(d.Kept.Names, column.Name); column.NamesRows() && at >= 0 {
				ids = append(ids, at)
			}
		}
	default:
		for _, name := range asked {
			if at := slices.Index(d.Kept.Names, name); at >= 0 {
				ids = append(ids, at)
			}
		}
	}
	return ids
}

// picked returns some fields of a row.
func picked(row []string, columns []int) []string {
	var all []string
	for _, c := range columns {
		all = append(all, row[c])
	}
	return all
}

// takeLabels takes the labels of --labels before those of the data.
func takeLabels(ctx context.Context, p *cli.Program, f *labellingFlags, in *labelled) error {
	n := len(in.data.Y)
	key := ""
	if len(in.ids) == 1 {
		key = in.data.Kept.Names[in.ids[0]]
	}
	var texts []string
	if in.data.Kept != nil {
		texts = make([]string, n)
		for i := range texts {
			texts[i] = in.text(i)
		}
	}
	file, err := cli.Interruptible(ctx, func() (*tasks.Labels, error) {
		return readGiven(f.labels, tasks.NewRows(n, key, in.names, texts), in.data.Classes)
	})
	if err != nil {
		return cli.BadData(err)
	}
	all := dataset.NewLabels(nil, false, f.data.LabelRules())
	for i, class := range in.data.Y {
		var err error
		switch name, given := file.Class[i]; {
		case given:
			err = all.Add([]byte(name))
		case class == dataset.Unlabelled || slices.Contains(file.Differ, i):
			err = all.AddNone()
		default:
			err = all.Add([]byte(in.data.Classes[class]))
		}
		if err != nil {
			return err
		}
	}
	d := *in.data
	d.Notes = nil
	if err := all.Finish(&d); err != nil {
		return err
	}
	in.data = &d
	input.ShowNotes(p, &d)
	tellLabels(p, f, file)
	return nil
}

// readGiven reads a file of labels.
func readGiven(path string, rows *tasks.Rows, classes []string) (*tasks.Labels, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return tasks.Read(f, path, rows, classes)
}

// tellLabels reports the labels taken from --labels.
func tellLabels(p *cli.Program, f *labellingFlags, l *tasks.Labels) {
	if f.output.Quiet {
		return
	}
	line := fmt.Sprintf("%s of %s taken", cli.Count(len(l.Class), "label", "labels"), f.labels)
	if l.Passed > 0 {
		line += fmt.Sprintf("; %s passed over there", cli.Count(l.Passed, "task was", "tasks were"))
	}
	if l.Rejected > 0 {
		line += fmt.Sprintf("; %s rejected, which counts for nothing where several classes are left", cli.Count(l.Rejected, "label was", "labels were"))
	}
	fmt.Fprintln(p.Errors(), line)
	if len(l.Differ) > 0 {
		p.Warnings(&f.output).Warn("rows got different labels, and count as unlabelled", "rows", rowNumbers(l.Differ))
	}
}

// rowNumbers lists rows by their numbers from 1.
func rowNumbers(rows []int) string {
	const most = 10
	var texts []string
	for _, i := range rows[:min(len(rows), most)] {
		texts = append(texts, strconv.Itoa(i+1))
	}
	if more := len(rows) - most; more > 0 {
		texts = append(texts, fmt.Sprintf("%d more", more))
	}
	return strings.Join(texts, ", ")
}

// text returns the text of a row: its column of text where there is one, else all its
// columns.
func (in *labelled) text(i int) string {
	d := in.data
	row := d.Kept.Rows[i]
	var texts, lines []string
	for c, name := range d.Kept.Names {
		if name == d.Label {
			continue
		}
		lines = append(lines, name+": "+row[c])
		if d.Encoding.IsText(name) {
			texts = append(texts, row[c])
		}
	}
	if len(texts) == 1 {
		return texts[0]
	}
	return strings.Join(lines, "\n")
}

// openLabelling prepares the points for the labels there are.
func openLabelling(p *cli.Program, c *cobra.Command, f *labellingFlags, in *labelled) (*label.Labelling, error) {
	t, err := f.training.Trainer(c.Context(), &f.data)
	if err == nil && t.Recipe.Regression {
		err = cli.Usagef("%s is about classes, which the labels of --regression are not: predict tells the numbers of all rows", c.Name())
	}
	if err != nil {
		return nil, err
	}
	if t.Recipe.Supervised {
		return nil, cli.Usagef("--gamma-i 0 ignores the unlabelled points, but %s is about them: give another value, or leave the flag out", c.Name())
	}
	input.ShowColumns(p, in.data, t.Recipe, &f.output)
	input.ShowLabels(p, in.data, t.Recipe.Regression, &f.output)
	p.Follow(&t, &f.output)
	defer p.Progress.Done()
	return cli.InterruptibleAfter(c.Context(), cli.ForTidying, func() (*label.Labelling, error) {
		return label.Open(c.Context(), in.data, t.Recipe, label.Options{Run: t.Run, Seed: t.Recipe.Seed})
	})
}

// series returns a table of some rows: their numbers, the columns that name them, and the
// columns in more. With keep it has all columns of the data but the label.
func (in *labelled) series(rows []int, keep bool, more ...dataset.Series) []dataset.Series {
	number := dataset.Series{Name: "row", Text: []string{}}
	for _, i := range rows {
		number.Text = append(number.Text, strconv.Itoa(i+1))
	}
	all := []dataset.Series{number}
	kept := in.data.Kept
	if kept == nil {
		return append(all, more...)
	}
	for c, name := range kept.Names {
		if !keep && !slices.Contains(in.ids, c) || name == in.data.Label {
			continue
		}
		s := dataset.Series{Name: name, Text: []string{}}
		for _, i := range rows {
			s.Text = append(s.Text, kept.Rows[i][c])
		}
		all = append(all, s)
	}
	taken := make(map[string]bool)
	for _, s := range all[1:] {
		taken[s.Name] = true
	}
	for k := range more {
		for taken[more[k].Name] {
			more[k].Name = "found_" + more[k].Name
		}
	}
	for taken[all[0].Name] {
		all[0].Name = "found_" + all[0].Name
	}
	return append(all, more...)
}

// name returns the name of a row, "" where nothing names it.
func (in *labelled) name(i int) string {
	if in.names == nil {
		return ""
	}
	return in.names[i]
}

// className returns the name of a class, printable.
func (in *labelled) className(class int) string { return input.Printable(in.data.Classes[class]) }
