// Package tools has the commands that need no model: convert, bench, version and man.
package tools

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"lapsvm/app/command/cli"
	"lapsvm/app/command/input"
	"lapsvm/dataset"
	"lapsvm/dataset/files"
)

// Convert returns the command convert, which writes data in another format.
func Convert(p *cli.Program) *cobra.Command {
	data := input.DataFlags{AllFeatures: true}
	var output cli.OutputFlags
	var to string
	var csvSafe bool
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
		RunE: func(c *cobra.Command, args []string) error {
			out, form := args[1], to
			if out == "-" && form == "" {
				return cli.Usagef("standard output needs --to FORMAT, such as --to csv")
			}
			if form == "" {
				f, err := files.FormatOf(out)
				if err != nil {
					return cli.Usagef("the name %q does not tell the format; give --to FORMAT, such as --to csv", out)
				}
				form = f.Name
			}
			isText := form == files.CSV || form == files.TSV
			if csvSafe && !isText {
				return cli.Usagef("--csv-safe is for csv and tsv, which spreadsheets open: leave it out here")
			}
			progress := p.Watch(&output)
			d, err := data.Read(c.Context(), p, args[0])
			if err != nil {
				return err
			}
			input.ShowOtherLabels(p, d, &output)
			switch {
			case csvSafe:
				d = withText(d, cli.ForSpreadsheets(textOf(d)))
			case isText:
				p.WarnOfFormula(textOf(d), &output)
			}
			o := files.WriteOptions{Format: form}
			progress.Begin("writing " + filepath.Base(out))
			if out == "-" {
				progress.Done()
				var to io.Writer
				if to, err = p.Table(c.Context()); err == nil {
					err = files.Write(to, d, o)
				}
			} else {
				err = files.WriteFile(c.Context(), out, d, o)
			}
			if err != nil {
				return err
			}
			progress.Done()
			lost := files.Lost(d, form)
			if output.JSON {
				if out == "-" {
					return nil
				}
				return cli.PrintJSON(p.Stdout, convertResult{out, form, d.Points.Len(), d.Points.Dim(), len(d.Labelled()), d.Classes, d.Points.Sparse(), lost})
			}
			if output.Quiet {
				return nil
			}
			for _, what := range lost {
				fmt.Fprintf(p.Errors(), "lapsvm: format %s does not keep %s\n", form, what)
			}
			if out != "-" {
				fmt.Fprintf(p.Text, "%s: %s with %s, %d labelled, %s\n", out, cli.Count(d.Points.Len(), "point", "points"),
					cli.Count(d.Points.Dim(), "feature", "features"), len(d.Labelled()), cli.Count(len(d.Classes), "class", "classes"))
			}
			return nil
		},
	}
	c.Flags().SortFlags = false
	cli.AddOneOf(c.Flags(), &to, "to", "", "format of OUT: "+cli.Alternatives(cli.FormatNames(files.Format.CanWrite))+" (default: by the file's name)",
		cli.FormatWords(files.Format.CanWrite)...)
	c.Flags().BoolVar(&csvSafe, "csv-safe", false, cli.CSVSafeHelp)
	data.Register(c.Flags())
	data.RegisterColumns(c.Flags())
	output.Register(p, c)
	cli.ForBeginners(c, "to", "format", "label", "unlabelled", "features", "columns", "select", "image-size", "json", "quiet")
	return c
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
