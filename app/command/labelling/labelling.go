package labelling

import (
	"slices"
	"strconv"

	"github.com/spf13/cobra"

	"lapsvm"
	"lapsvm/app/command/cli"
	"lapsvm/app/command/input"
	"lapsvm/app/command/learn"
	"lapsvm/dataset"
	"lapsvm/label"
)

// labellingFlags are the flags for the points, labels and recipe of a command.
type labellingFlags struct {
	data     input.DataFlags
	training input.TrainFlags
	output   cli.OutputFlags
	model    string // whose recipe is taken, of a mean of views that of the leading one; "" chooses one
}

func (f *labellingFlags) register(p *cli.Program, c *cobra.Command) {
	f.data.Register(c.Flags())
	f.data.RegisterColumns(c.Flags())
	f.data.RegisterLabels(c.Flags())
	f.data.RegisterEdges(c.Flags())
	c.Flags().AddFlagSet(cli.Without(f.training.Define(), "one-class", "compact", "stop", "check-every", "max-iter", "tolerance", "time", "validation", "checkpoint"))
	c.Flags().StringVar(&f.model, "model", "", "model that train made of such data: take its machines and choose nothing, in a fraction of the time")
	f.output.Register(p, c)
	c.Flags().Lookup("select").Hidden = true
}

// labelled is data with its valid labels and the names of its rows.
type labelled struct {
	data    *dataset.Dataset
	trainer lapsvm.Trainer // by the flags
	input.RowNames
}

// readLabelled reads the data and the labels of --labels, for the training that the flags or the model of --model say.
func readLabelled(p *cli.Program, c *cobra.Command, f *labellingFlags, source string) (*labelled, error) {
	ctx := c.Context()
	if len(f.data.Selected) > 0 {
		return nil, cli.Usagef("--select drops rows, but points are named by the number of the row: leave --select out")
	}
	t, err := f.training.Trainer(ctx, &f.data)
	if err != nil {
		return nil, err
	}
	if f.model != "" {
		if err := learn.BesideRecipe(c.Flags(), "--model"); err != nil {
			return nil, err
		}
		if t.Recipe, err = learn.ReadRecipe(ctx, f.model); err != nil {
			return nil, err
		}
		if err := f.data.As(t.Recipe.Kind); err != nil {
			return nil, err
		}
	}
	d, err := f.data.Read(ctx, p, source)
	if err != nil {
		return nil, err
	}
	return &labelled{d, t, input.NamesOf(d, f.data.ID)}, nil
}

// openLabelling prepares the points for the labels there are, which may be for an audit alone.
func openLabelling(p *cli.Program, c *cobra.Command, f *labellingFlags, in *labelled, audited bool) (*label.Labelling, error) {
	t := in.trainer
	if t.Recipe.Supervised && f.model == "" {
		return nil, cli.Usagef("--gamma-i 0 ignores the unlabelled points, but %s is about them: give another value, or leave the flag out", c.Name())
	}
	input.ShowColumns(p, in.data, t.Recipe, &f.output, false)
	input.ShowLabels(p, in.data, t.Recipe, &f.output)
	p.Follow(&t, &f.output)
	defer p.Progress.Done()
	return label.Open(c.Context(), in.data, t.Recipe, label.Options{Run: t.Run, Seed: t.Recipe.Seed, Fixed: true, Audited: audited})
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
	for c, name := range kept.Names {
		if !keep && !slices.Contains(in.Columns, c) || name == in.data.Label {
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
	if in.Names == nil {
		return ""
	}
	return in.Names[i]
}

// className returns the name of a class, printable.
func (in *labelled) className(class int) string { return input.Printable(in.data.Classes[class]) }
