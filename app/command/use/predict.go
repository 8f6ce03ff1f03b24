// Package use has the commands that use a model: predict, serve and export.
package use

import (
	"bufio"
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"lapsvm"
	"lapsvm/app/answer"
	"lapsvm/app/command/cli"
	"lapsvm/app/command/input"
	"lapsvm/dataset"
	"lapsvm/dataset/files"
	"lapsvm/internal/machines/drift"
	"lapsvm/internal/system/atomicfile"
	"lapsvm/points"
)

// predictRequest holds the flags of predict.
type predictRequest struct {
	data                input.DataFlags
	output              cli.OutputFlags
	arcs                []dataset.Arc // of --edges
	file                string        // "" and "-" are standard output
	to                  string        // format; "" for that of the name
	drift               string        // file; "" for none
	scores, proba, keep bool
	csvSafe             bool
	explain, shares     int     // rows to explain, by columns and by training points
	interval, set       float64 // levels; 0 for none
	top                 int     // likeliest classes of a row; 0 for none
	threshold           []string
	thresholds          []answer.Threshold // of these
	answerColumn        string             // "" for the usual name
	sorting             sorting
}

// Predict returns the command predict, which labels points with a model.
func Predict(p *cli.Program) *cobra.Command {
	var r predictRequest
	c := &cobra.Command{
		Use:   "predict MODEL DATA... [-o OUT]",
		Short: "Label points with a model",
		Long: `predict writes one row per row of DATA, in its order, as CSV, or in the format
and compression that the name of OUT tells: the label, with --scores the decision
values, and with --proba the probabilities. The label has the largest
probability; of ordered classes it is the median. Columns of a table are found by their names and encoded as in the
training; other columns are ignored, also a label column. Columns that train got
as --id are repeated before the label, with --keep all columns are. Columns
beside vectors are repeated with --keep alone. Where a repeated column is called
label, the result is called predicted_label, and so on.

Images are brought to the size and colour of the training's images. DATA is one
or more files, whose rows follow one another, a pattern of files in quotes, or a
folder of images, with or without sub-folders. Rows of images have the name of
the file before the label, and with --keep the class that the folder tells.
--sort-into puts every image into a folder for its label.

The label is the likeliest class. Where errors of one kind cost more than others,
--threshold CLASS=P gives CLASS to the rows whose probability of it is at least P.
Rows of less that had it have the likeliest of the other classes. Of several classes at once
each has its own threshold, and the flag may come again. --top N writes the N
likeliest classes of each row, with their probabilities, or decision values where
the model has no probabilities: top_1, top_1_proba, top_2 and so on.

Standard error says where the data differ from the training by more than chance:
columns far outside of their ranges, rows far from all training points, classes
in other shares. --drift writes all that is known of it.

With --explain N it says of the first N rows, in place of labels, which columns
decide: what the row has, what is usual, for which class that speaks and how much.
Usual is the median of numbers and dates and the commonest value of a category,
over all rows of the training. The effects add up to what the decision value has
more than that of a row where all is usual. Of texts the words count, of pictures
parts, and with --edges the neighbours. With -o explanations are CSV, with --json
they stand beside the labels. Repeated columns name the rows.

--explain-shares N writes what the labelled points of every class, the unlabelled
points and the bias add to the decision values, or what each label adds where the
model was trained with --label-shares; with a linear kernel what the features add.
The training points with the largest shares and the nearest ones are listed.
Training rows count from 1, in the order and selection of the training.

Of several classes at once the decision for each class is explained. --set then
writes set, the classes that a row may have, and sure, those that it surely has.

With --edges FILE rows are decided by their edges to the training rows too, where
the model was trained with edges: the decision value is the mean of those rows' and
of what the features say, weighed as in the training. A row has no say in another.`,
		Example: `  lapsvm predict model.lapsvm points.csv --scores -o labels.csv
  lapsvm predict model.lapsvm points.csv --proba
  lapsvm predict model.lapsvm points.jsonl --keep -o labelled.parquet
  lapsvm predict model.lapsvm points.csv --explain 3
  lapsvm predict photos.lapsvm 'shots/*.jpg' --sort-into sorted`,
		Annotations: map[string]string{cli.OnRanks: "yes"},
		Args:        cli.Arguments("MODEL", "DATA..."),
		RunE:        func(c *cobra.Command, args []string) error { return runPredict(p, c, args[0], args[1:], &r) },
	}
	c.Flags().SortFlags = false
	c.Flags().StringVarP(&r.file, "output", "o", "", "file to write to: "+cli.ResultEndings(files.Format.CanWriteSeveral)+", or .npy for labels alone, with .gz or .zst behind it to compress (default: standard output, as csv)")
	cli.AddTo(c.Flags(), &r.to, "the result")
	c.Flags().BoolVar(&r.scores, "scores", false, "decision values too: score, positive for the second class, or score_CLASS for every class")
	c.Flags().BoolVar(&r.proba, "proba", false, "probabilities too: proba_CLASS for every class")
	c.Flags().IntVar(&r.explain, "explain", 0, "say for the first N rows, in place of labels, which columns decide; 0 for none")
	c.Flags().IntVar(&r.shares, "explain-shares", 0, "say for the first N rows, in place of labels, what training points and labels add to the decision value; 0 for none")
	c.Flags().Float64Var(&r.interval, "interval", 0, "of a regression: intervals too, low and high, that hold the true number with this probability, such as 0.9")
	c.Flags().Float64Var(&r.set, "set", 0, "the classes too that hold the right one with this probability, such as 0.9: set, the most probable first, separated by "+answer.SetSeparator+"; of ordered classes with the label and those between; of several classes at once also sure")
	c.Flags().IntVar(&r.top, "top", 0, "the N likeliest classes of each row too, with their probabilities: top_1, top_1_proba, top_2, …")
	c.Flags().StringArrayVar(&r.threshold, "threshold", nil, "CLASS=P: rows whose probability of CLASS is at least P get it, the others the likeliest of the other classes")
	c.Flags().StringVar(&r.answerColumn, "answer-column", "", "name of the column of answers (default: label, or value of numbers)")
	c.Flags().StringVar(&r.drift, "drift", "", "JSON file, or by its ending .html a page with pictures, for differences from the training data: columns, rows far from all training points, shares of classes, missing values")
	c.Flags().BoolVar(&r.keep, "keep", false, "repeat all columns of a table before the label, and of images in a folder their class")
	c.Flags().BoolVar(&r.csvSafe, "csv-safe", false, cli.CSVSafeHelp)
	c.Flags().Int("threads", 0, "threads (default: all processors)")
	r.sorting.register(c.Flags())
	r.data.Register(c.Flags())
	r.registerEdges(c.Flags())
	r.output.Register(p, c)
	c.Flags().Lookup("features").Hidden = true
	c.Flags().Lookup("image-shape").Hidden = true // the model tells
	c.Flags().Lookup("select").Hidden = true
	cli.ForBeginners(c, "output", "scores", "proba", "top", "threshold", "set", "explain", "drift", "keep", "sort-into", "json")
	return c
}

// optionsFor returns the options by which points for a model are read, as its training points
// were.
func optionsFor(ctx context.Context, p *cli.Program, m *lapsvm.Model, data *input.DataFlags, flags *pflag.FlagSet) (files.Options, error) {
	data.Embed.Like(m)
	o, err := data.Options(ctx, p)
	if err != nil {
		return o, err
	}
	own := answer.Options(m)
	if o.Label == "" {
		o.Label = own.Label
	}
	o.Features, o.Encoding = own.Features, own.Encoding
	if image := m.Image(); flags.Changed("image-size") || flags.Changed("image-colour") {
		o.Image.White = image.White
	} else {
		o.Image = image
	}
	if own.Columns != nil {
		o.Columns = own.Columns
	}
	return o, nil
}

// runPredict predicts the points that the arguments name with the model called path,
// and writes the result.
func runPredict(p *cli.Program, c *cobra.Command, path string, names []string, r *predictRequest) error {
	m, err := input.LoadModel(c.Context(), path)
	if err != nil && input.IsModel(names[0]) {
		return cli.Usagef("%s is no model, but %s is one, and comes first: lapsvm predict %s %s", path, names[0], cli.Quoted(names[0]), cli.Quoted(path))
	}
	if err != nil {
		return err
	}
	data, err := input.NewSource(names)
	if err != nil {
		return err
	}
	if err := r.sorting.check(data); err != nil {
		return err
	}
	form, err := r.check(path, m)
	if err != nil {
		return err
	}
	if err := r.checkEdges(p, path, m); err != nil {
		return err
	}
	o, err := optionsFor(c.Context(), p, m, &r.data, c.Flags())
	if err != nil {
		return err
	}
	o.Keep = r.keep
	progress := p.Watch(&r.output)
	d, err := cli.Interruptible(c.Context(), func() (*dataset.Dataset, error) { return r.readRows(c.Context(), p, m, data, o) })
	if err != nil {
		if m.Featureless() || m.Encoding() != nil || o.Columns != nil { // it names the columns
			return err
		}
		given := takes(m, o)
		if !m.Image().None() && !data.IsImages() {
			given += ": give their folder or files"
		}
		return fmt.Errorf("%w (the model takes %s)", err, given)
	}
	input.ShowRowNotes(p, d)
	input.WarnUnseen(p, d, &r.output)
	if r.keep && d.Kept.None() {
		return cli.Usagef("--keep needs images, or a table: %s", cli.Alternatives(cli.FormatNames(cli.IsTable)))
	}
	if _, vectors := m.Encoding().NeedsEmbedder(); data.IsImages() && m.Image().None() && !vectors {
		p.Warnings(&r.output).Warn("the model was trained on no images; it is given dots from 0, black, to 1, white")
	}
	if d, err = d.Share(c.Context(), p.Comm()); err != nil {
		return err
	}
	if err := r.checkMemory(m, d, o.Memory); err != nil {
		return err
	}
	result, report, err := r.predictions(progress.Over(c.Context(), "predicting"), m, d)
	if err != nil {
		return err
	}
	first := p.Comm().Rank() == 0 // who has the result
	var explained *dataset.Dataset
	if most := max(r.explain, r.shares); most > 0 {
		if explained, err = d.Gather(c.Context(), dataset.Own{}.Rows(min(most, d.Len())), first); err != nil {
			return err
		}
	}
	if !first {
		return nil
	}
	warnDrift(p, m, report, &r.output, r.drift != "")
	r.tellColumn(p, m, result.Kept)
	r.tellSets(p, m)
	progress.Begin("writing")
	if explained != nil {
		if err := r.explainRows(c.Context(), m, explained.Points, &result); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	if err := writePredictions(c.Context(), p, m, result, form, r); err != nil {
		return err
	}
	p.Left()
	if err := writeDrift(p, path, names, m, d, report, r); err != nil || r.sorting.into == "" {
		return err
	}
	return sortImages(c.Context(), p, data.Paths(result.Kept), result, r)
}

// explainRows adds the explanations that are asked for of the first rows, which are given.
func (r *predictRequest) explainRows(ctx context.Context, m *lapsvm.Model, p *points.Points, result *answer.Predictions) (err error) {
	if n := min(r.explain, p.Len()); n > 0 {
		var arcs []dataset.Arc // of these rows
		if r.data.Edges != "" {
			arcs = []dataset.Arc{}
		}
		for _, a := range r.arcs {
			if a.From < n {
				arcs = append(arcs, a)
			}
		}
		if result.Explained, err = answer.NewExplanations(ctx, m, p.Slice(0, n), arcs, result); err != nil {
			return err
		}
	}
	if n := min(r.shares, p.Len()); n > 0 {
		result.Shares, err = answer.NewShares(ctx, m, p.Slice(0, n), result)
	}
	return err
}

// takes describes the input of a model, with advice where the data were read otherwise.
func takes(m *lapsvm.Model, o files.Options) string {
	image := m.Image()
	if image.None() {
		return cli.Count(m.Dim(), "feature", "features")
	}
	text := fmt.Sprintf("images of %d×%d dots, %s", image.Width, image.Height, map[bool]string{true: "in colour", false: "without colour"}[image.Colour])
	if o.Image != image {
		text += ": leave out --image-size and --image-colour"
	}
	return text
}

// predictions computes all requested results except explanations. It also returns how the
// data differ from the training data, nil where that is unknown. Where ranks share d, the
// first rank has the result of all.
func (r *predictRequest) predictions(ctx context.Context, m *lapsvm.Model, d *dataset.Dataset) (result answer.Predictions, report *drift.Report, err error) {
	var scores [][]float64
	if r.data.Edges == "" {
		report, scores, err = m.Drift(ctx, d)
	} else {
		report, scores, err = m.DriftByEdges(ctx, d, r.arcs)
	}
	if err != nil {
		return result, nil, err
	}
	level := r.interval
	if r.data.Edges != "" {
		level = 0 // intervals are about edges
	}
	if result, err = answer.Of(ctx, m, d.Points, scores, level); err != nil {
		return result, nil, err
	}
	if len(r.thresholds) > 0 {
		result.Limit(m, answer.Probabilities(m, scores), r.thresholds)
	}
	result.AnswerColumn = r.answerColumn
	if level != r.interval {
		if _, result.Low, result.High, err = m.IntervalsByEdges(ctx, d.Points, r.arcs, r.interval); err != nil {
			return result, nil, err
		}
	}
	result.Kept, result.Unseen = d.Kept, d.Unseen
	if r.scores || r.top > 0 && !m.Probable() {
		result.Scores = scores
	}
	if r.proba || r.set != 0 || r.top > 0 && m.Probable() {
		result.Proba = answer.Probabilities(m, scores)
	}
	if !d.Ranks().Alone() {
		if err := result.Collect(ctx, d); err != nil {
			return result, nil, err
		}
	}
	if r.set != 0 {
		far := make([]bool, len(result.Proba))
		if report != nil && report.Rows != nil && len(far) > 0 {
			for _, i := range report.Rows.Index {
				far[i] = true
			}
		}
		if err = result.AddSets(m, result.Proba, far, r.set); err != nil {
			return result, nil, err
		}
	}
	if r.top > 0 && m.Probable() {
		result.AddTop(r.top, result.Proba, false)
	} else if r.top > 0 {
		result.AddTop(r.top, result.Scores, true)
	}
	if !r.scores {
		result.Scores = nil
	}
	if !r.proba {
		result.Proba = nil
	}
	if err := result.CheckAnswerColumn(); err != nil {
		return result, nil, cli.Usagef("--answer-column: %w", err)
	}
	return result, report, nil
}

// writePredictions writes a result to the requested place: as JSON, as explanations, or
// as a table in a format.
func writePredictions(ctx context.Context, p *cli.Program, m *lapsvm.Model, result answer.Predictions, form string, r *predictRequest) error {
	toFile := r.file != "" && r.file != "-"
	table := result.Series()
	if r.writesText(form) && !r.csvSafe {
		p.WarnOfFormula(table, &r.output)
	}
	var safe func(string) string
	if r.csvSafe {
		table, safe = cli.ForSpreadsheets(table), cli.Unformulated
	}
	var write func(io.Writer) error // nil for a table
	out := p.Stdout
	switch {
	case r.inJSON():
		write = func(w io.Writer) error { return cli.PrintJSON(w, result.Result()) }
	case r.explain > 0 && toFile:
		write = func(w io.Writer) error { return result.Explained.WriteCSV(w, safe) }
	case r.explain > 0:
		write, out = func(w io.Writer) error { return writeReasons(w, result.Explained, m) }, p.Text
	case r.shares > 0 && toFile:
		write = func(w io.Writer) error { return result.Shares.WriteCSV(w, safe) }
	case r.shares > 0:
		write, out = shares{result.Shares}.writeText, p.Text
	}
	switch {
	case write == nil && toFile:
		return files.WriteSeriesFile(ctx, r.file, form, table)
	case toFile:
		return atomicfile.Write(r.file, func(w io.Writer) error { return write(atomicfile.Until(ctx, w)) })
	}
	p.Progress.Done()
	to, err := p.Table(ctx)
	if err != nil {
		return err
	}
	if write == nil {
		return files.WriteSeries(to, form, table)
	}
	b := bufio.NewWriter(atomicfile.Until(ctx, out))
	if err := write(b); err != nil {
		return err
	}
	return b.Flush()
}
