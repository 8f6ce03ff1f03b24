// Package tools has the commands that need no model: convert, bench, version and man.
package tools

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"lapsvm"
	"lapsvm/app/command/cli"
	"lapsvm/app/command/input"
	"lapsvm/dataset"
	"lapsvm/dataset/files"
)

// convertRequest holds the flags of convert.
type convertRequest struct {
	data    input.DataFlags
	output  cli.OutputFlags
	form    string // of OUT; "" for that of its name
	csvSafe bool
	several string // separates the classes of a label
}

// Convert returns the command convert, which writes data in another format.
func Convert(p *cli.Program) *cobra.Command {
	r := convertRequest{data: input.DataFlags{AllFeatures: true}}
	c := &cobra.Command{
		Use:   "convert DATA OUT",
		Short: "Write a data set in another format",
		Long: `convert reads DATA, in any format, and writes it to OUT, in the format and the
compression that its name tells. Points are kept to the last bit, and so are
labels; what the format of OUT cannot keep is said on standard error. An existing
OUT is replaced once the new one is complete.

` + formatTable(),
		Example: `  lapsvm convert g50c.mat points.parquet
  lapsvm convert photos --image-size 28x28 photos.npz
  lapsvm convert embeddings.jsonl.gz - --to csv | head`,
		Args: cli.Arguments("DATA", "OUT"),
		RunE: func(c *cobra.Command, args []string) error { return runConvert(c.Context(), p, args[0], args[1], &r) },
	}
	c.Flags().SortFlags = false
	cli.AddOneOf(c.Flags(), &r.form, "to", "", "format of OUT: "+cli.Alternatives(cli.FormatNames(files.Format.CanWrite))+" (default: by the file's name)",
		cli.FormatWords(files.Format.CanWrite)...)
	c.Flags().BoolVar(&r.csvSafe, "csv-safe", false, cli.CSVSafeHelp)
	r.data.Register(c.Flags())
	r.data.RegisterColumns(c.Flags())
	r.data.RegisterLabels(c.Flags())
	c.Flags().StringVar(&r.several, "multi-label", "", "labels list any number of classes, separated by this sign, such as ;, or as JSON arrays")
	r.output.Register(p, c)
	cli.ForBeginners(c, "to", "format", "label", "unlabelled", "features", "columns", "select", "image-size", "json", "quiet")
	return c
}

// check finds the format of out, and refuses what that cannot be.
func (r *convertRequest) check(out string) error {
	if r.form == "" && out == "-" {
		return cli.Usagef("standard output needs --to FORMAT, such as --to csv")
	}
	if r.form == "" {
		f, err := files.FormatOf(out)
		if err != nil {
			return cli.Usagef("the name %q does not tell the format; give --to FORMAT, such as --to csv", out)
		}
		r.form = f.Name
	}
	if r.csvSafe && !r.isText() {
		return cli.Usagef("--csv-safe is for csv and tsv, which spreadsheets open: leave it out here")
	}
	return nil
}

// isText reports whether OUT is a table that spreadsheets open.
func (r *convertRequest) isText() bool { return r.form == files.CSV || r.form == files.TSV }

// runConvert reads in, and writes it to out.
func runConvert(ctx context.Context, p *cli.Program, in, out string, r *convertRequest) error {
	if err := r.check(out); err != nil {
		return err
	}
	var asked lapsvm.Recipe
	if r.several != "" {
		asked.Kind = lapsvm.Several(r.several)
	}
	asked.Kind = r.data.KindOf(asked.Kind)
	if err := r.data.As(asked.Kind); err != nil {
		return err
	}
	separator := asked.Kind.Separator
	progress := p.Watch(&r.output)
	d, err := r.data.Read(ctx, p, in)
	if err != nil {
		return err
	}
	input.ShowOtherLabels(p, d, asked, &r.output)
	input.ShowLeftOut(p, d)
	classes := d.Classes
	if separator != "" {
		several, err := dataset.SeveralOf(d.Classes, separator)
		if err != nil {
			return cli.BadData(err)
		}
		classes = several.Classes
		if r.several == "" && !slices.Contains(d.Features, "label") { // the name is that of several columns
			d.Label = "label" // which is found again
		}
		if !r.output.Quiet {
			fmt.Fprintf(p.Errors(), "a label lists the classes of its row, as train --multi-label %s reads it\n", cli.Quoted(separator))
		}
	}
	switch {
	case r.csvSafe:
		d = withText(d, cli.ForSpreadsheets(textOf(d)))
	case r.isText():
		p.WarnOfFormula(textOf(d), &r.output)
	}
	progress.Begin("writing " + filepath.Base(out))
	if err := write(ctx, p, out, d, files.WriteOptions{Format: r.form}); err != nil {
		return err
	}
	progress.Done()
	result := convertResult{out, r.form, d.Points.Len(), d.Points.Dim(), len(d.Labelled()), classes, d.Points.Sparse(), files.Lost(d, r.form)}
	switch {
	case r.output.JSON && out != "-":
		return cli.PrintJSON(p.Stdout, result)
	case r.output.JSON || r.output.Quiet:
		return nil
	}
	for _, what := range result.Lost {
		fmt.Fprintf(p.Errors(), "lapsvm: format %s does not keep %s\n", result.Format, what)
	}
	if out != "-" {
		fmt.Fprintf(p.Text, "%s: %s with %s, %d labelled, %s\n", out, cli.Count(result.N, "point", "points"),
			cli.Count(result.D, "feature", "features"), result.Labelled, cli.Count(len(result.Classes), "class", "classes"))
	}
	return nil
}

// write writes d to out, where "-" is standard output.
func write(ctx context.Context, p *cli.Program, out string, d *dataset.Dataset, o files.WriteOptions) error {
	if out != "-" {
		return files.WriteFile(ctx, out, d, o)
	}
	p.Progress.Done()
	to, err := p.Table(ctx)
	if err != nil {
		return err
	}
	return files.Write(to, d, o)
}

// formatTable lists all formats for help: name, ends of names, and what a file
// holds.
func formatTable() string {
	var b strings.Builder
	b.WriteString("The formats:")
	for _, f := range files.Formats() {
		fmt.Fprintf(&b, "\n  %-8s %s", f.Name, f.Holds)
		if f.Loses != "" {
			b.WriteString("; keeps no " + f.Loses)
		}
	}
	return b.String()
}

// textOf returns the text of a data set that a table has.
func textOf(d *dataset.Dataset) []dataset.Series {
	return []dataset.Series{{Name: d.Label, Text: d.Features}, {Text: d.Classes}}
}

// withText returns a data set with other text than textOf gave.
func withText(d *dataset.Dataset, text []dataset.Series) *dataset.Dataset {
	other := *d
	other.Label, other.Features, other.Classes = text[0].Name, text[0].Text, text[1].Text
	return &other
}

// convertResult is the JSON of a conversion.
type convertResult struct {
	File     string   `json:"file"`
	Format   string   `json:"format"`
	N        int      `json:"n"`
	D        int      `json:"d"`
	Labelled int      `json:"labelled"`
	Classes  []string `json:"classes"`
	Sparse   bool     `json:"sparse"`
	Lost     []string `json:"lost"`
}
