package main

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"

	"github.com/BurntSushi/toml"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"lapsvm"
	"lapsvm/dataset"
	"lapsvm/dataset/files"
	"lapsvm/gram"
	"lapsvm/graph"
	"lapsvm/objective"
	"lapsvm/points"
	"lapsvm/solve"
	"lapsvm/train"
)

// auto is a number that may be left to the program.
type auto struct {
	value *float64 // nil means auto
	whole bool
}

func (a *auto) String() string {
	if a.value == nil {
		return "auto"
	}
	return strconv.FormatFloat(*a.value, 'g', -1, 64)
}

func (a *auto) Set(text string) error {
	if text == "auto" {
		a.value = nil
		return nil
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || a.whole && v != float64(int(v)) {
		what := "a number"
		if a.whole {
			what = "a whole number"
		}
		return fmt.Errorf("takes %s or auto, not %q", what, text)
	}
	a.value = &v
	return nil
}

func (a *auto) Type() string {
	if a.whole {
		return "int|auto"
	}
	return "float|auto"
}

// or returns the number, or otherwise where it is auto.
func (a *auto) or(otherwise float64) float64 {
	if a.value == nil {
		return otherwise
	}
	return *a.value
}

// dataFlags say how to read DATA.
type dataFlags struct {
	format, label, header string
	unlabelled, selected  []string
	columns               []string
	features              int
	text, category        []string
	id, ignore            []string
	encoding              *dataset.Encoding // of another table; nil to learn one
	imageSize             string
	imageColour           bool
	memory                string
}

func (f *dataFlags) register(flags *pflag.FlagSet) {
	under(flags, "Reading", func(flags *pflag.FlagSet) {
		choose(flags, &f.format, "format", "", "format of DATA: "+alternatives(formatNames(anyFormat))+" (default: by the file's name; a folder is one of images)",
			formatWords(anyFormat)...)
		flags.StringVar(&f.label, "label", "", "label column of a table, by name or 1-based number (default: the column label, else the last); array of labels (default: y)")
		flags.StringArrayVar(&f.unlabelled, "unlabelled", nil, "a further value that means no label, beside empty, ?, NA and nan")
		flags.IntVar(&f.features, "features", 0, "dimension of a sparse file (default: its largest index)")
		flags.StringSliceVar(&f.columns, "columns", nil, "names of the feature columns, separated by commas; other columns are ignored (default: all but the labels)")
		choose(flags, &f.header, "header", "auto", "whether a table has a line of column names: auto, yes or no",
			"auto", "yes", "no")
		flags.StringSliceVar(&f.selected, "select", nil, "keep only these classes, separated by commas, and the unlabelled rows")
		flags.StringVar(&f.imageSize, "image-size", "32x32", "width and height to which images are brought")
		flags.BoolVar(&f.imageColour, "image-colour", false, "red, green and blue of images in place of their luma")
		flags.StringVar(&f.memory, "memory", "", "memory that may be used, such as 8GB (default: 80 % of what is free)")
	})
}

// registerColumns registers what a table whose encoding is learnt can be told.
func (f *dataFlags) registerColumns(flags *pflag.FlagSet) {
	under(flags, "Reading", func(flags *pflag.FlagSet) {
		flags.StringSliceVar(&f.text, "text", nil, "columns of a table to take for text (TF-IDF), by name or 1-based number, separated by commas")
		flags.StringSliceVar(&f.category, "category", nil, "columns to take for categories, such as codes in numbers (default: by what a column holds)")
		flags.StringSliceVar(&f.id, "id", nil, "columns that name the rows: no features, repeated by predict")
		flags.StringSliceVar(&f.ignore, "ignore", nil, "columns to leave out")
	})
}

// like returns the flags that read another file as d was read: the columns of a
// table by its encoding, or numbers only where it needed none.
func (f *dataFlags) like(d *dataset.Dataset) *dataFlags {
	other := *f
	if other.encoding = d.Encoding; d.Encoding == nil {
		other.encoding = new(dataset.Encoding)
	} else if other.label == "" {
		other.label = d.Label
	}
	return &other
}

func (f *dataFlags) options() (files.Options, error) {
	o := files.Options{Format: f.format, Label: f.label, Unlabelled: f.unlabelled, Features: f.features, Columns: f.columns,
		Text: f.text, Category: f.category, ID: f.id, Ignore: f.ignore, Encoding: f.encoding}
	width, height, _ := strings.Cut(f.imageSize, "x")
	o.Image.Colour = f.imageColour
	o.Image.Width, _ = strconv.Atoi(width)
	o.Image.Height, _ = strconv.Atoi(height)
	if min(o.Image.Width, o.Image.Height) < 1 || max(o.Image.Width, o.Image.Height) > dataset.MaxImageSide {
		return o, usagef("--image-size takes a width and a height such as 32x32, not %q", f.imageSize)
	}
	o.Header = files.Header(f.header)
	var err error
	o.Memory, err = memoryBudget(f.memory)
	return o, err
}

// read reads the data set called name, or standard input for "-".
func (f *dataFlags) read(p *program, name string) (*dataset.Dataset, error) {
	o, err := f.options()
	if err != nil {
		return nil, err
	}
	d, err := p.readData(name, o)
	if err != nil || len(f.selected) == 0 {
		return d, err
	}
	if d, err = d.Select(f.selected...); err != nil {
		return nil, dataError{fmt.Errorf("%s: %w", name, err)}
	}
	return d, nil
}

// readData reads the data set called name, or standard input for "-".
func (p *program) readData(name string, o files.Options) (*dataset.Dataset, error) {
	if o.Format == "" && name == "-" {
		return nil, usagef("standard input needs --format %s", alternatives(formatNames(files.Format.CanRead)))
	}
	if o.Format == "" {
		if info, err := os.Stat(name); err == nil && info.IsDir() {
			return files.ReadFile(name, o)
		}
		if _, err := files.FormatOf(name); err != nil && isModel(name) {
			return nil, usagef("%s is a model, where a data set is expected; apply it to one with lapsvm predict %s DATA", name, quoted(name))
		} else if err != nil {
			return nil, usageError{err}
		}
	}
	if o.Memory > 0 { // what a growing table leaves behind is collected in time
		const least = 256 << 20
		defer debug.SetMemoryLimit(debug.SetMemoryLimit(max(o.Memory, least)))
	}
	if name == "-" {
		p.shown.begin("reading standard input")
		return files.Read(p.stdin, "standard input", o)
	}
	o.Progress = p.shown.reading(name)
	return files.ReadFile(name, o)
}

// trainFlags are the parameters of a training.
type trainFlags struct {
	kernelFlags
	standardise, metric, weights, laplacian, loss, solver, stop, bias, biasInNorm string
	neighbours, laplacianDegree, gammaA, gammaI                                   auto
	heat, tolerance                                                               float64
	checkEvery, maxIterations, precision                                          int
	oneClass                                                                      bool
	validation                                                                    string
	prior                                                                         []string
	seed                                                                          uint64
}

func (f *trainFlags) register(flags *pflag.FlagSet) {
	f.neighbours.whole, f.laplacianDegree.whole = true, true
	under(flags, "Preprocessing and kernel", func(flags *pflag.FlagSet) {
		choose(flags, &f.standardise, "standardise", "none", "preprocessing, stored in the model: none, unit-norm, zscore or minmax",
			"none", "unit-norm", "zscore", "minmax")
		f.kernelFlags.register(flags)
	})
	under(flags, "Graph", func(flags *pflag.FlagSet) {
		flags.Var(&f.neighbours, "neighbours", "neighbours of every point in the graph")
		choose(flags, &f.metric, "metric", "euclidean", "distance between neighbours: euclidean, cosine, or kernel, that of a square table of kernel values",
			"euclidean", "cosine", "kernel")
		choose(flags, &f.weights, "weights", "heat", "edge weights: heat, binary or distance",
			"heat", "binary", "distance")
		flags.Float64Var(&f.heat, "heat", 0, "width t of the heat weights exp(−d²/2t²); 0 is the mean neighbour distance")
		choose(flags, &f.laplacian, "laplacian", "normalised", "graph Laplacian: normalised or unnormalised",
			"normalised", "unnormalised")
		flags.Var(&f.laplacianDegree, "laplacian-degree", "power of the Laplacian")
	})
	under(flags, "Objective", func(flags *pflag.FlagSet) {
		flags.Var(&f.gammaA, "gamma-a", "weight of the ambient norm")
		flags.Var(&f.gammaI, "gamma-i", "weight of the intrinsic norm; 0 is a supervised machine")
		choose(flags, &f.loss, "loss", "", "squared-hinge (LapSVM), squared (LapRLSC) or hinge (the original LapSVM) (default squared-hinge; hinge with dual)",
			"squared-hinge", "squared", "hinge")
		choose(flags, &f.bias, "bias", "on", "unregularised bias: on, outside (not part of the intrinsic norm) or off",
			"on", "outside", "off")
		choose(flags, &f.biasInNorm, "bias-in-norm", "on", "on, or off, which is --bias outside",
			"on", "off")
		_ = flags.MarkHidden("bias-in-norm") // kept for scripts
		flags.BoolVar(&f.oneClass, "one-class", false, "train on labels of one class: a point is inside it or not")
		flags.StringSliceVar(&f.prior, "prior", nil, "class shares that predictions on the unlabelled rows follow: balanced, labelled or A=0.3,B=0.7 (default: none)")
	})
	under(flags, "Solver", func(flags *pflag.FlagSet) {
		choose(flags, &f.solver, "solver", "auto", "auto, pcg, newton, deformed (exact for few labels, O(n³) once) or dual (the original LapSVM)",
			"auto", "pcg", "newton", "deformed", "dual")
		choose(flags, &f.stop, "stop", "", "goal condition of pcg: auto, when twice the iterations would change few decisions; the paper's stability, validation and mixed; gradient, preconditioned, product, objective or none (default auto)",
			"auto", "stability", "validation", "mixed", "gradient", "preconditioned", "product", "objective", "none")
		flags.IntVar(&f.checkEvery, "check-every", 0, "iterations between checks of decisions, for auto before the first that may stop (default ½√n, for auto at least 16)")
		flags.IntVar(&f.maxIterations, "max-iter", 0, "iteration limit (default: n or 1000 for pcg, 100 for newton)")
		flags.Float64Var(&f.tolerance, "tolerance", 0, "threshold of the goal condition (default 0.015 for auto, stability and mixed, 1e-6 for objective, else 1e-3)")
		flags.StringVar(&f.validation, "validation", "", "file of labelled points for the validation and mixed conditions")
		flags.IntVar(&f.precision, "precision", 32, "bits of a stored Gram entry: 32 or 64; sums have 64, but within a tile for more than 2 classes in 32")
		flags.Uint64Var(&f.seed, "seed", 1, "seed of all random choices; the training itself makes none but of the points that parameters are chosen on")
		flags.Int("threads", 0, "threads (default: all processors)")
	})
}

// trainer makes the trainer that the flags describe, with zeros for what is
// left to be chosen.
func (f *trainFlags) trainer(data *dataFlags) (lapsvm.Trainer, error) {
	t := lapsvm.Trainer{Recipe: lapsvm.Recipe{
		GammaA: f.gammaA.or(0), GammaI: f.gammaI.or(0), Supervised: f.gammaI.value != nil && *f.gammaI.value == 0,
		Loss: objective.Loss(f.loss), OneClass: f.oneClass, Seed: f.seed,
		Standardise: points.Standardise(f.standardise), Solver: lapsvm.Solver(f.solver), Precision: gram.Precision(f.precision),
		Graph: graph.Options{
			Neighbours: int(f.neighbours.or(0)), Metric: graph.Metric(f.metric), Weights: graph.Weights(f.weights), HeatWidth: f.heat,
			Unnormalised: f.laplacian == "unnormalised", Degree: int(f.laplacianDegree.or(0)),
		},
		Stop: solve.Condition(f.stop), CheckEvery: f.checkEvery, MaxIterations: f.maxIterations, Tolerance: f.tolerance,
	}}
	switch {
	case f.gammaA.value != nil && !(*f.gammaA.value > 0):
		return t, usagef("--gamma-a must be positive, not %v: it makes the problem well-posed; 1e-6 is small", *f.gammaA.value)
	case f.gammaI.value != nil && !(*f.gammaI.value >= 0):
		return t, usagef("--gamma-i must not be negative, not %v; 0 gives the supervised machine", *f.gammaI.value)
	case f.neighbours.value != nil && *f.neighbours.value < 1:
		return t, usagef("--neighbours must be at least 1, not %v", *f.neighbours.value)
	case f.laplacianDegree.value != nil && *f.laplacianDegree.value < 1:
		return t, usagef("--laplacian-degree must be at least 1, not %v", *f.laplacianDegree.value)
	}
	var err error
	if t.Kernel, err = f.kernelFlags.kernel(); err != nil {
		return t, err
	}
	if t.Bias, err = objective.ParseBias(f.bias); err != nil {
		return t, usageError{err}
	}
	if f.biasInNorm == "off" && t.Bias == objective.BiasInNorm {
		t.Bias = objective.BiasOutside
	}
	if t.Prior, t.ClassPrior, err = parsePrior(f.prior); err != nil {
		return t, err
	}
	if t.Memory, err = memoryBudget(data.memory); err != nil {
		return t, err
	}
	return t, nil
}

// readValidation reads the points of --validation as those of the training, d,
// were read.
func (f *trainFlags) readValidation(p *program, data *dataFlags, d *dataset.Dataset, r *reportFlags) (*dataset.Dataset, error) {
	if f.validation == "" {
		return nil, nil
	}
	v, err := data.like(d).read(p, f.validation)
	if err != nil {
		return nil, err
	}
	p.warnUnseen(v, r)
	return v, nil
}

// parsePrior reads the name of a prior, or shares such as A=0.3.
func parsePrior(texts []string) (name lapsvm.Prior, shares map[string]float64, err error) {
	if len(texts) == 1 && !strings.Contains(texts[0], "=") {
		switch name = lapsvm.Prior(texts[0]); name {
		case lapsvm.BalancedPrior, lapsvm.LabelledPrior:
			return name, nil, nil
		}
	}
	if len(texts) == 0 {
		return "", nil, nil
	}
	if shares, err = train.ParseClassPrior(texts); err != nil {
		return "", nil, usagef("--prior: %w", err)
	}
	return "", shares, nil
}

// reportFlags say what to print.
type reportFlags struct {
	json, quiet      bool
	progress, config string
}

// register adds the flags to a command, and lets a config file set whatever
// the command line does not.
func (f *reportFlags) register(c *cobra.Command) {
	under(c.Flags(), "Output", func(flags *pflag.FlagSet) {
		flags.BoolVar(&f.json, "json", false, "print the result as one JSON object")
		flags.BoolVar(&f.quiet, "quiet", false, "print nothing but the result and errors")
		choose(flags, &f.progress, "progress", "auto", "progress on standard error: auto, plain or off",
			"auto", "plain", "off")
		flags.StringVar(&f.config, "config", "", "TOML file with values for these flags, by the same names")
	})
	c.PreRunE = func(c *cobra.Command, args []string) error {
		if f.config != "" {
			if err := applyConfig(c.Flags(), f.config); err != nil {
				return err
			}
		}
		return limitThreads(c)
	}
}

// limitThreads lets the command's context have the limit of --threads.
func limitThreads(c *cobra.Command) error {
	n, err := c.Flags().GetInt("threads")
	switch {
	case err != nil:
		return nil // this command has no such flag
	case n < 0:
		return usagef("--threads must be positive, not %d", n)
	}
	c.SetContext(lapsvm.WithThreads(c.Context(), n))
	return nil
}

// applyConfig sets the flags that the command line left alone from a file.
func applyConfig(flags *pflag.FlagSet, path string) error {
	var values map[string]any
	if _, err := toml.DecodeFile(path, &values); err != nil {
		return dataError{fmt.Errorf("config file %s: %w", path, err)}
	}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		value := values[name]
		flag := flags.Lookup(name)
		if flag == nil || name == "config" {
			return dataError{fmt.Errorf("config file %s: there is no flag %q here%s; see --help", path, name, nearestFlag(flags, name))}
		}
		if flag.Changed {
			continue
		}
		texts := []any{value}
		if list, ok := value.([]any); ok {
			texts = list
		}
		for _, text := range texts {
			if err := flags.Set(name, fmt.Sprint(text)); err != nil {
				var invalid *pflag.InvalidValueError
				if errors.As(err, &invalid) {
					err = wrongValue(flag, invalid.GetValue(), invalid.Unwrap())
				}
				return dataError{fmt.Errorf("config file %s: %s %w", path, name, err)}
			}
		}
	}
	return nil
}

// memoryBudget parses a size such as 8GB; empty is 80 % of the free memory.
func memoryBudget(text string) (int64, error) {
	if text == "" {
		return freeMemory() / 10 * 8, nil
	}
	number, unit := strings.ToUpper(strings.TrimSpace(text)), int64(1)
	for suffix, bytes := range map[string]int64{"KB": 1 << 10, "MB": 1 << 20, "GB": 1 << 30, "TB": 1 << 40} {
		if strings.HasSuffix(number, suffix) {
			number, unit = strings.TrimSpace(strings.TrimSuffix(number, suffix)), bytes
			break
		}
	}
	v, err := strconv.ParseFloat(number, 64)
	if err != nil || !(v > 0) || v*float64(unit) > 1<<62 {
		return 0, usagef("--memory takes a size such as 500MB or 8GB, not %q", text)
	}
	return int64(v * float64(unit)), nil
}
