package use

import (
	"fmt"
	"path/filepath"
	"strconv"

	"github.com/spf13/cobra"

	"lapsvm/app/answer"
	"lapsvm/app/command/cli"
	"lapsvm/app/command/input"
	"lapsvm/dataset"
	"lapsvm/dataset/files"
	"lapsvm/export"
	"lapsvm/internal/machines/train"
)

// encodeRequest holds the flags of encode.
type encodeRequest struct {
	data     input.DataFlags
	output   cli.OutputFlags
	form     string // of OUT; "" for that of its name
	unscaled bool
}

// Encode returns the command encode, which writes the features that a model sees.
func Encode(p *cli.Program) *cobra.Command {
	r := encodeRequest{data: input.DataFlags{MayLackLabels: true}}
	c := &cobra.Command{
		Use:   "encode MODEL DATA OUT",
		Short: "Write the features that a model sees",
		Long: `encode reads DATA as predict does, and writes one row per row of DATA to OUT: the
numbers that the kernel of MODEL sees. Columns are encoded, pictures described
and points scaled, all as in the training. Other programs may go on from these
features. Labels of DATA are kept, but LIBSVM's text has the numbers of classes
that export writes.

--unscaled writes the encoded columns alone, for what describes and scales points
itself: svm-scale, and JSON files of export without --encoded.`,
		Example: `  lapsvm encode model.lapsvm points.csv features.npz
  lapsvm encode photos.lapsvm photos features.parquet`,
		Args: cli.Arguments("MODEL", "DATA", "OUT"),
		RunE: func(c *cobra.Command, args []string) error { return runEncode(p, c, args[0], args[1], args[2], &r) },
	}
	c.Flags().SortFlags = false
	cli.AddOneOf(c.Flags(), &r.form, "to", "", "format of OUT: "+cli.Alternatives(cli.FormatNames(files.Format.CanWrite))+" (default: by the file's name)",
		cli.FormatWords(files.Format.CanWrite)...)
	c.Flags().BoolVar(&r.unscaled, "unscaled", false, "columns as they are encoded, before anything describes or scales them: what svm-scale and JSON files of export take")
	c.Flags().Int("threads", 0, "threads (default: all processors)")
	r.data.Register(c.Flags())
	r.output.Register(p, c)
	for _, name := range []string{"features", "image-shape"} { // the model tells
		c.Flags().Lookup(name).Hidden = true
	}
	cli.ForBeginners(c, "to", "unscaled", "format", "label", "json", "quiet")
	return c
}

// runEncode writes the features of DATA for a model to OUT.
func runEncode(p *cli.Program, c *cobra.Command, path, name, out string, r *encodeRequest) error {
	ctx := c.Context()
	if r.form == "" {
		form, err := files.FormatOf(out)
		if err != nil {
			return cli.Usagef("the name %q does not tell the format; give --to FORMAT, such as --to npz", out)
		}
		r.form = form.Name
	}
	m, err := input.LoadModel(ctx, path)
	if err != nil {
		return err
	}
	if !r.unscaled {
		if err := train.OneView(m.Views(), "each sees the rows as other points"); err != nil {
			return cli.BadData(fmt.Errorf("%w, or take --unscaled, which is the same for all", err))
		}
	}
	from, err := input.NewSource([]string{name})
	if err != nil {
		return err
	}
	o, err := optionsFor(ctx, p, m, &r.data, c.Flags())
	if err != nil {
		return err
	}
	progress := p.Watch(&r.output)
	d, err := cli.Interruptible(ctx, func() (*dataset.Dataset, error) { return from.Read(ctx, p, nil, o) })
	if err != nil {
		return err
	}
	input.ShowRowNotes(p, d)
	input.WarnUnseen(p, d, &r.output)
	encoded := *d
	if r.unscaled {
		encoded.Points = d.AsRead()
	} else if encoded.Points, err = m.Predictor().PointsOf(progress.Over(ctx, "encoding"), d); err != nil {
		return err
	}
	if r.form == files.SVM && answer.KindOf(m.Kind()).Single() {
		numberClasses(&encoded, m.Classes())
	}
	if m.Predictor().Description() != nil && !r.unscaled { // its numbers have no names, and are no images
		encoded.Features, encoded.Image = nil, dataset.Image{}
	}
	encoded.Encoding, encoded.Missing = nil, dataset.Missing{}
	progress.Begin("writing " + filepath.Base(out))
	if err := files.WriteFile(ctx, out, &encoded, files.WriteOptions{Format: r.form}); err != nil {
		return err
	}
	progress.Done()
	result := encodeResult{out, r.form, encoded.Points.Len(), encoded.Points.Dim(), len(encoded.Labelled())}
	switch {
	case r.output.JSON:
		return cli.PrintJSON(p.Stdout, result)
	case !r.output.Quiet:
		fmt.Fprintf(p.Text, "%s: %s with %s, %d labelled\n", out, cli.Count(result.N, "point", "points"), cli.Count(result.D, "feature", "features"), result.Labelled)
	}
	return nil
}

// numberClasses gives classes the labels that LIBSVM's programs read, those of an exported model. A row of another class goes without.
func numberClasses(d *dataset.Dataset, classes []string) {
	labels := export.LIBSVMLabels(classes)
	names, y := make([]string, len(classes)), make([]int, len(d.Y))
	for c, label := range labels {
		names[c] = strconv.Itoa(label)
	}
	for i, own := range d.Y {
		if y[i] = dataset.Unlabelled; own != dataset.Unlabelled {
			if c := dataset.FindClass(classes, d.Classes[own]); c >= 0 {
				y[i] = c
			}
		}
	}
	d.Classes, d.Y = names, y
}

// encodeResult is the JSON of what encode wrote.
type encodeResult struct {
	File     string `json:"file"`
	Format   string `json:"format"`
	N        int    `json:"n"`
	D        int    `json:"d"`
	Labelled int    `json:"labelled"`
}
