// Package learn has the commands that learn: demo, train, tune and evaluate.
package learn

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"lapsvm"
	"lapsvm/app/answer"
	"lapsvm/app/command/cli"
	"lapsvm/app/command/input"
	"lapsvm/app/summary"
	"lapsvm/dataset"
	"lapsvm/dataset/files"
	"lapsvm/internal/machines/solve"
	"lapsvm/internal/machines/train"
	"lapsvm/internal/ranks/comm"
	"lapsvm/internal/system/atomicfile"
	"lapsvm/points"
)

// trainRequest holds the flags of train.
type trainRequest struct {
	data                input.DataFlags
	training            input.TrainFlags
	output              cli.OutputFlags
	model, recipe, page string // files
	transduction, to    string // file, "" for none, and its format, "" for that of its name
	planOnly            bool
	kernelGiven         bool // on the command line
	verbose             bool
}

// Train returns the command train, which fits a model.
func Train(p *cli.Program) *cobra.Command {
	var r trainRequest
	c := &cobra.Command{
		Use:   "train DATA -o MODEL",
		Short: "Fit a model; rows without a label are the unlabelled ones",
		Long: `train fits a model to DATA and writes it to MODEL. Parameters that are not given
are chosen by held-out labels and by how well the predicted classes fit the graph.
With --recipe nothing is chosen: the recipe of an earlier model is taken whole.
The same data then give the same bits of every decision value.

DATA may be a pattern in quotes, such as 'shards/*.parquet', for files of the
same columns, whose rows follow one another.`,
		Example: `  lapsvm train points.csv -o model.lapsvm
  lapsvm train points.csv -o model.lapsvm --report training.html
  lapsvm train more.csv -o new.lapsvm --recipe model.lapsvm
  lapsvm train digits.svm.gz --select 3,8 --unlabelled 0 --sigma 9.4 -o model.lapsvm`,
		Annotations: map[string]string{cli.OnRanks: "yes"},
		Args:        cli.Arguments("DATA"),
		RunE:        func(c *cobra.Command, args []string) error { return runTrain(p, c, args, &r) },
	}
	c.Flags().SortFlags = false
	c.Flags().StringVarP(&r.model, "output", "o", "", "file to write the model to")
	c.Flags().StringVar(&r.transduction, "transduction", "", "file for the predictions on the training rows, as predict --scores --proba writes them, - for standard output: "+cli.ResultEndings(files.Format.CanWriteSeveral))
	cli.AddTo(c.Flags(), &r.to, "--transduction")
	c.Flags().StringVar(&r.page, "report", "", "HTML file to write a report to, on data, graph, training and decisions; trains an SVM on the labels beside the model")
	c.Flags().BoolVar(&r.planOnly, "plan", false, "estimate the training in place of running it: memory, time, and what ranks send")
	c.Flags().StringVar(&r.recipe, "recipe", "", "model, or the JSON that lapsvm info --json prints of one: train by its recipe and choose nothing, in place of the flags for its parts")
	r.data.Register(c.Flags())
	r.data.Embed.RegisterKeep(c.Flags())
	r.data.RegisterColumns(c.Flags())
	r.data.RegisterLabels(c.Flags())
	r.data.RegisterEdges(c.Flags())
	c.Flags().AddFlagSet(r.training.Define(train.ModelGroup))
	r.output.Register(p, c)
	c.Flags().BoolVarP(&r.verbose, "verbose", "v", false, "say also by which parameters, machines and solver the model was trained, and list all columns")
	cli.ForBeginners(c, "output", "report", "label", "unlabelled", "standardise", "kernel", "sigma", "neighbours", "gamma-a", "gamma-i", "json")
	return c
}

// check refuses a request that cannot be answered, before anything is computed.
func (r *trainRequest) check(source string) error {
	if r.model == "" && !r.planOnly {
		if err := input.Missing(source); err != nil {
			return err
		}
		return cli.Usagef("say where the model goes: lapsvm train %s -o MODEL", source)
	}
	if r.transduction != "" {
		if _, err := cli.ResultFormat(r.transduction, r.to, files.Format.CanWriteSeveral); err != nil {
			return err
		}
	}
	if r.transduction == "-" && r.output.JSON {
		return cli.Usagef("--transduction - and --json both write to standard output: name a file for one of them")
	}
	return checkReport(r.page)
}

// checkOnRanks refuses options that ranks do not support.
func (r *trainRequest) checkOnRanks(c *comm.Comm, t lapsvm.Trainer) error {
	if !c.Alone() && t.Recipe.Compact && r.transduction != "" {
		return cli.Usagef("--transduction writes the predictions on all rows, but no rank has them with --compact: use lapsvm predict with the model, or leave --compact out")
	}
	return nil
}

// trainer returns the trainer described by the flags, with the recipe of --recipe where
// given.
func (r *trainRequest) trainer(c *cobra.Command) (lapsvm.Trainer, error) {
	t, err := r.training.Trainer(c.Context(), &r.data)
	if err != nil {
		return t, err
	}
	r.kernelGiven = t.Recipe.Kernel != nil
	if r.recipe == "" {
		return t, nil
	}
	if err := BesideRecipe(c.Flags(), "--recipe"); err != nil {
		return t, err
	}
	if t.Recipe, err = ReadRecipe(c.Context(), r.recipe); err != nil {
		return t, err
	}
	return t, r.data.As(t.Recipe.Kind)
}

// tellStore says that labels of a label page lie beside the data, where nothing asked for them.
func (r *trainRequest) tellStore(p *cli.Program, data string) {
	store := input.StoreOf(data)
	if info, err := os.Stat(store); r.data.Labels == "" && !r.output.Quiet && err == nil && info.Mode().IsRegular() {
		fmt.Fprintf(p.Errors(), "%s has labels given on the label page; add --labels %s to train with them\n", input.Printable(store), cli.Quoted(store))
	}
}

// runTrain trains, and writes the model, the report and the result.
func runTrain(p *cli.Program, c *cobra.Command, args []string, r *trainRequest) error {
	start := time.Now()
	if err := r.check(args[0]); err != nil {
		return err
	}
	if r.transduction == "-" { // which has nothing else
		p.Text = p.Errors()
	}
	t, err := r.trainer(c)
	if err != nil {
		return err
	}
	if err := r.checkOnRanks(p.Comm(), t); err != nil {
		return err
	}
	r.tellStore(p, args[0])
	progress := p.Watch(&r.output)
	d, err := r.data.ReadShare(c.Context(), p, args[0])
	progress.Done()
	if err != nil {
		return err
	}
	input.ShowColumns(p, d, t.Recipe, &r.output, r.verbose)
	labels, err := input.WithLabels(c.Context(), d)
	if err != nil {
		return err
	}
	input.ShowLabels(p, labels, t.Recipe, &r.output)
	if t.Validation, err = r.training.ReadValidation(c.Context(), p, &r.data, d, &r.output); err != nil {
		return err
	}
	read := time.Since(start).Seconds()
	p.Follow(&t, &r.output)
	asked := t.Recipe
	t.Work = new(lapsvm.Work)
	var described *dataset.Dataset // d as the recipe describes it
	if described, t.Recipe, err = t.Prepare(c.Context(), d); err != nil {
		return err
	}
	choose := time.Since(start).Seconds() - read
	if r.planOnly {
		return plan(c.Context(), p, t, d, described, time.Duration(choose*float64(time.Second)), &r.output)
	}
	var path *summary.Path // for the report alone
	if r.page != "" {
		path = record(&t)
	}
	if d.Ranks().Alone() {
		announce(c.Context(), p, t, d, described, &r.output)
	}
	restore := cli.Collector()
	ranks, all := d.Ranks(), d
	if !ranks.Alone() {
		t.Gathered = func(whole *dataset.Dataset) { all = whole } // on rank 0
	}
	m, err := t.Fit(c.Context(), described)
	restore()
	progress.Done()
	if err != nil || m == nil { // rank 0 has the model
		return err
	}
	d = all
	found := m.Image() != d.Image
	if found {
		if d, err = d.OfImages(m.Image()); err != nil {
			return err
		}
	}
	progress.Begin("writing the model")
	err = atomicfile.Write(r.model, func(w io.Writer) error { return m.Write(atomicfile.Until(c.Context(), w)) })
	progress.Done()
	if err != nil {
		return err
	}
	p.Left()
	goOn := t.WhileOthersWait(ranks)
	scores, err := decided(c.Context(), p, m, d, r.transduction != "" || r.page != "")
	goOn()
	if err != nil {
		return cli.Interrupted(fmt.Errorf("the model %s is written, but its rows are not decided: %w", r.model, err), "interrupted; the model is written")
	}
	if err := r.writeTransduction(c.Context(), p, m, d, scores); err != nil {
		return cli.Interrupted(fmt.Errorf("the model %s is written, but its predictions on the rows are not: %w", r.model, err), "interrupted; the model is written, but its predictions on the rows are not")
	}
	remark(c.Context(), p, m, d, scores, &r.output)
	var predicted []summary.PredictedClass
	if scores != nil && answer.KindOf(m.Kind()).Single() {
		predicted = summary.Predicted(m, d, scores)
	}
	result := newTrainResult(m, d.Points.Len(), read, choose, time.Since(start).Seconds())
	result.Predicted, result.Planned, result.picturesFound = newPredictedResults(predicted), p.Planned, found
	for _, i := range summary.Suspects(c.Context(), m, d) {
		result.Suspicious = append(result.Suspicious, i+1)
	}
	if r.page != "" {
		progress.Begin("writing the report")
		page := summary.Training{Source: input.SourceName(args[0]), Selected: len(r.data.Selected) > 0, Data: d, Model: m, Path: path,
			Times: result.Seconds.parts(), PeakBytes: result.PeakBytes}
		unnamed := input.Unnamed(args[0]) || input.Unnamed(r.model)
		if !unnamed {
			page.File = filepath.Base(r.model)
		}
		if page.Checksum, err = input.Checksum(func(w io.Writer) error { return m.Write(atomicfile.Until(c.Context(), w)) }); err == nil && !unnamed {
			page.Command, err = trainingAgain(c, args, m)
		}
		if err == nil {
			err = writeTrainingReport(c.Context(), r.page, page, asked, t.Memory)
		}
		if err != nil {
			return cli.Interrupted(fmt.Errorf("the model %s is written, but not its report: %w", r.model, err), "interrupted; the model is written, but not its report")
		}
	}
	progress.Done()
	if r.output.JSON {
		return cli.PrintJSON(p.Stdout, RecipeJSON(m.Recipe(), result))
	}
	if !r.output.Quiet {
		printTraining(p.Text, m, result, predicted, r)
	}
	return nil
}

// decided returns the decision values of all rows, nil for a supervised machine. Where some rows had no part in the training, all are decided as new
// points. Where no values are asked for, these decide nearly all rows as their own would.
func decided(ctx context.Context, p *cli.Program, m *lapsvm.Model, d *dataset.Dataset, values bool) ([][]float64, error) {
	scores := m.Training().Scores
	if scores != nil || m.Recipe().Supervised {
		return scores, nil
	}
	defer p.Progress.Done()
	ctx = p.Progress.Over(ctx, "deciding all rows")
	if values {
		return m.Predictor().ScoresOf(ctx, d)
	}
	return m.Predictor().DecisionsOf(ctx, d)
}

// writeTransduction writes the training's results for its own rows, where requested:
// labels, decision values and, where the model has them, probabilities. The scores are those of [decided].
func (r *trainRequest) writeTransduction(ctx context.Context, p *cli.Program, m *lapsvm.Model, d *dataset.Dataset, scores [][]float64) error {
	if r.transduction == "" {
		return nil
	}
	form, err := cli.ResultFormat(r.transduction, r.to, files.Format.CanWriteSeveral)
	if err != nil {
		return err
	}
	if scores == nil { // a supervised machine left the unlabelled rows out
		if scores, err = m.Predictor().ScoresOf(ctx, d); err != nil {
			return err
		}
	}
	result, err := answer.Of(ctx, m, d.Points, scores, 0)
	if err != nil {
		return err
	}
	result.Scores, result.Kept = scores, d.Kept
	if m.Probable() {
		result.Proba = answer.Probabilities(m, scores)
	}
	if r.transduction != "-" {
		return files.WriteSeriesFile(ctx, r.transduction, form, result.Series())
	}
	p.Progress.Done()
	to, err := p.Table(ctx)
	if err != nil {
		return err
	}
	return files.WriteSeries(to, form, result.Series())
}

// record makes a trainer also add its iterations to a path.
func record(t *lapsvm.Trainer) *summary.Path {
	path, other := new(summary.Path), t.Step
	t.Step = func(s *solve.Step) {
		if other != nil {
			other(s)
		}
		path.Step(s)
	}
	return path
}

// pointsText is how many points take part in a training, and of how many where these are more.
func pointsText(part, all int) string {
	if part == all {
		return cli.Count(all, "point", "points")
	}
	return fmt.Sprintf("%d of %d points", part, all)
}

// printTraining prints a training for people.
func printTraining(w io.Writer, m *lapsvm.Model, result trainResult, predicted []summary.PredictedClass, r *trainRequest) {
	recipe := m.Recipe()
	of := answer.KindOf(m.Kind())
	what, _ := of.Labels(len(result.Classes))
	features := fmt.Sprintf("with %d features", result.D)
	if m.Featureless() {
		features = "without features"
	}
	fmt.Fprintf(w, "%s %s, %d labelled, %s\n", pointsText(result.N, result.Rows), features, result.Labelled, what)
	fmt.Fprintln(w, ScalingText(recipe))
	if result.picturesFound {
		width, height := m.Image().Size()
		fmt.Fprintf(w, "  rows are taken for pictures %d dots wide and %d high, as columns next to each other and %d apart are alike; --image-shape says another shape, --describe none takes the columns for numbers\n", width, height, m.Image().Dim()/height)
	}
	for _, text := range []string{summary.Aligned(m), summary.LeftOut(m)} {
		if text != "" {
			fmt.Fprintf(w, "  %s\n", text)
		}
	}
	switch {
	case r.verbose:
		printMachines(w, m, result, r)
	case r.recipe != "":
		printRecipe(w, r)
	case recipe.Choice != nil:
		printVerdict(w, recipe, result.N-result.Labelled)
	}
	if len(result.Checkpoint) > 0 {
		fmt.Fprintf(w, "checkpoint %s: %s\n", r.training.Checkpoint, strings.Join(result.Checkpoint, "; "))
	}
	printPredicted(w, predicted)
	if result.NewPoints != nil {
		fmt.Fprintf(w, "new points: %s\n", result.NewPoints)
	}
	seen, _ := of.Seen(result.Training)
	fmt.Fprintln(w, seen)
	parts := cli.Count(m.Basis(), "basis point", "basis points")
	if l := m.Local(); l != nil {
		parts += fmt.Sprintf(" and %d training points", l.Points.Len())
	}
	fmt.Fprintf(w, "model %s: %s, in %.3g s\n", r.model, parts, result.Seconds.Total)
	if r.page != "" {
		fmt.Fprintf(w, "report %s\n", r.page)
	}
}

func printRecipe(w io.Writer, r *trainRequest) {
	fmt.Fprintf(w, "parameters by the recipe %s\n", r.recipe)
}

// printMachines prints how the machines of a model were chosen and trained.
func printMachines(w io.Writer, m *lapsvm.Model, result trainResult, r *trainRequest) {
	recipe, leading := m.Recipe(), m.Recipe().Leading()
	kernel := m.Kernel().String()
	if r.recipe == "" && !r.kernelGiven && recipe.Kernel.Kind().Linear && m.Encoding().HasText() {
		kernel += ", for text"
	}
	fmt.Fprintf(w, "kernel %s; gamma-a %g, gamma-i %g\n", kernel, leading.GammaA, leading.GammaI)
	if r.recipe != "" {
		printRecipe(w, r)
	} else {
		printChoice(w, recipe, result.N-result.Labelled)
	}
	if n := len(recipe.Members); n > 1 {
		fmt.Fprintf(w, "  the model is the weighted mean of %d machines that so few labels cannot tell apart\n", n)
	}
	if recipe.Views() > 1 {
		var names []string
		for _, v := range recipe.Beside {
			names = append(names, v.Name)
		}
		fmt.Fprintf(w, "  beside it machines that see the rows in other ways: %s; the model is the mean of all (--views 1 trains the one)\n", strings.Join(names, ", "))
	}
	fmt.Fprintf(w, "Gram matrix: %s\n", result.Gram)
	fmt.Fprintf(w, "%s stopped after %s: %s; objective %.6g, %s\n", recipe.Solver, summary.Iterations(result.Iterations), result.Status,
		result.Objective, cli.Count(result.ErrorVectors, "error vector", "error vectors"))
}

// ScalingText says what points are described by and how they are scaled, with the reason where the
// scaling was chosen.
func ScalingText(r lapsvm.Recipe) string {
	var parts []string
	if names := r.Describe.Text(); names != "" {
		parts = append(parts, "described by "+names)
	}
	if r.Standardise != points.AsIs {
		parts = append(parts, "scaled by "+string(r.Standardise))
	}
	text := "points " + cmp.Or(strings.Join(parts, ", "), "as they are")
	if r.StandardiseReason != "" {
		text += ": " + r.StandardiseReason
	}
	return text
}

// printChoice says how the open part of a recipe was chosen, for so many unlabelled points. It says nothing if nothing was chosen.
func printChoice(w io.Writer, r lapsvm.Recipe, unlabelled int) {
	c := r.Choice
	if c == nil {
		return
	}
	fmt.Fprintf(w, "parameters by %s\n", c.Reason)
	printVerdict(w, r, unlabelled)
}

// printVerdict says what held-out labels tell of the error, and whether the unlabelled points help.
func printVerdict(w io.Writer, r lapsvm.Recipe, unlabelled int) {
	for _, text := range summary.ChoiceVerdict(r, unlabelled) {
		fmt.Fprintf(w, "  %s\n", text)
	}
}
