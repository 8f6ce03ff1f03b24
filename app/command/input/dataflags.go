// Package input reads what commands work on, by their flags: data sets, models and settings of a
// training. It says how it read them.
package input

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"lapsvm/app/answer"
	"lapsvm/app/command/cli"
	"lapsvm/dataset"
	"lapsvm/dataset/files"
	"lapsvm/internal/machines/task"
	"lapsvm/internal/numbers/parallel"
	"lapsvm/internal/ranks/comm"
	"lapsvm/internal/system/fault"
)

// DataFlags say how to read DATA.
type DataFlags struct {
	Memory        string   // most to use
	Selected      []string // classes to keep, nil for all
	Features      int      // of a sparse file
	ID            []string // columns that name the rows
	Keep          bool     // the text of every column, which no flag asks for
	MayLackLabels bool     // there may be no column of labels, neither
	AllFeatures   bool     // no column is left out as a name of rows, neither
	Numbers       bool     // labels are numbers, as the training says
	Labels        string   // file of labels, or the store of a label page; "" for none
	Edges         string   // file of edges between the rows; "" for none
	Embed         EmbedFlags

	format, label, header string
	quoting, decimal      string
	charset               string // of text
	skip                  int    // lines above a table
	strict                bool   // of images
	unlabelled            []string
	labelValues           []string
	foldCase              bool
	kind                  task.Kind // of the labels, as the training says
	columns               []string
	coordinates           []string
	vector                []string
	text, category        []string
	wordVectors           string
	ignore                []string
	encoding              *dataset.Encoding // of another table; nil to learn one
	likeLabel             string            // the label column of that table, for tables
	imageSize             string
	imageColour           bool
	imageShape            string     // of rows that are images, "" where the format tells
	ranks                 *comm.Comm // that read it together, each a part; nil where each reads all
}

// Register adds the flags for data of any format.
func (f *DataFlags) Register(flags *pflag.FlagSet) {
	cli.AddSection(flags, "Reading", func(flags *pflag.FlagSet) {
		cli.AddOneOf(flags, &f.format, "format", "", "format of DATA: "+cli.Alternatives(cli.FormatNames(cli.AnyFormat))+" (default: by the file's name; a folder is one of images)",
			cli.FormatWords(cli.AnyFormat)...)
		flags.StringVar(&f.label, "label", "", "label column of a table, by name or number from 1 (default: a column called label, class, target, …, else a mostly empty column, else the last); among arrays, the array of labels (default: y)")
		flags.StringArrayVar(&f.unlabelled, "unlabelled", nil, "a further value that means no label, beside empty, ?, NA, nan, null, None and unlabelled")
		flags.StringSliceVar(&f.labelValues, "label-values", nil, "names of the classes, separated by commas, for a class called None or unlabelled; others are warned of")
		flags.BoolVar(&f.foldCase, "fold-case", false, "make one class of Adelie and adelie, or of names that look alike otherwise, named by the commonest spelling")
		flags.IntVar(&f.Features, "features", 0, "dimension of a sparse file (default: its largest index)")
		flags.StringSliceVar(&f.columns, "columns", nil, "names of the feature columns, separated by commas; other columns are ignored (default: all but the labels)")
		cli.AddOneOf(flags, &f.header, "header", "auto", "whether a table has a line of column names: auto, yes or no",
			"auto", "yes", "no")
		cli.AddOneOf(flags, &f.quoting, "quoting", "auto", "how quotes in a CSV or TSV table are read: auto (they enclose fields) or none (they are text)",
			"auto", "none")
		cli.AddOneOf(flags, &f.decimal, "decimal", "", "decimal mark of numbers: . or , (default: a point, or a comma where ; separates the columns and numbers look like 3,14)",
			".", ",")
		flags.StringVar(&f.charset, "encoding", "", "encoding of text, such as utf-16le, windows-1252 or shift_jis (default: as its first bytes tell, else UTF-8, else windows-1252)")
		flags.IntVar(&f.skip, "skip", 0, "lines above the header of a CSV or TSV table, such as a title")
		flags.StringSliceVar(&f.Selected, "select", nil, "keep only these classes, separated by commas, and the unlabelled rows")
		flags.StringVar(&f.imageSize, "image-size", "32x32", "width and height that images are scaled to")
		flags.BoolVar(&f.imageColour, "image-colour", false, "read images as red, green and blue in place of grey")
		flags.BoolVar(&f.strict, "strict", false, "stop at the first image of a folder that cannot be read (default: such images are left out, and listed)")
		flags.StringVar(&f.imageShape, "image-shape", "", "rows of a table or array are images of this height and width, such as 28x28, or of red, green and blue, 28x28x3 (default: as an array of bytes, idx files and folders tell, else as the likeness of columns does)")
		flags.StringVar(&f.Memory, "memory", "", "most memory to use, such as 8GB or 40% of the free memory (default: 80 % of the free memory, leaving at least 200 MB)")
	})
	f.Embed.Register(flags)
}

// RegisterColumns registers the flags for tables with a learnt encoding.
func (f *DataFlags) RegisterColumns(flags *pflag.FlagSet) {
	cli.AddSection(flags, "Reading", func(flags *pflag.FlagSet) {
		flags.StringSliceVar(&f.coordinates, "coordinates", nil, "two columns of a table to take for places on a sphere: the latitude and the longitude, in degrees; then those of further places")
		flags.StringSliceVar(&f.vector, "vector", nil, "columns to take for vectors: lists of numbers such as \"[0.1, -2]\" (default: columns whose first value is one)")
		flags.StringSliceVar(&f.text, "text", nil, "columns of a table to take for text (TF-IDF), by name or 1-based number, separated by commas")
		flags.StringVar(&f.wordVectors, "word-vectors", "", "file of vectors of words as text, of GloVe, word2vec or fastText (.vec), which texts are then described by too; the model keeps those of its words")
		flags.StringSliceVar(&f.category, "category", nil, "columns to take for categories, such as numeric codes (default: decided by a column's values)")
		flags.StringSliceVar(&f.ID, "id", nil, "columns that name the rows; they are no features, and predict repeats them (default: columns of single words, and columns called id, that differ in every row)")
		flags.StringSliceVar(&f.ignore, "ignore", nil, "columns to leave out")
	})
}

// Like returns the flags that read another file as d was read. The columns of a table are
// read by the encoding of d, or as numbers where d needed none. They are found by name where
// they have names.
func (f *DataFlags) Like(d *dataset.Dataset) *DataFlags {
	other := *f
	other.Labels, other.Edges = "", ""
	other.likeLabel, other.encoding = d.Label, d.Encoding.ForOthers()
	if d.Encoding == nil {
		other.columns = d.Features
	}
	return &other
}

// As has labels read as those of a kind. It fails for flags about labels of another.
func (f *DataFlags) As(kind task.Kind) error {
	f.kind, f.Numbers = kind, !answer.KindOf(kind).Classes()
	switch {
	case f.Numbers && len(f.Selected) > 0:
		return cli.Usagef("--select names classes, which the labels of --regression are not: leave one of the two out")
	case f.Numbers && (len(f.labelValues) > 0 || f.foldCase):
		return cli.Usagef("--label-values and --fold-case are about names of classes, which the labels of --regression are not: leave them out")
	case f.kind.Separator == "":
		return nil
	case strings.TrimSpace(f.kind.Separator) == "" || strings.ContainsAny(f.kind.Separator, "?[]\"\n"):
		return cli.Usagef("--multi-label takes the sign that separates classes in a cell, such as ;, not %q", f.kind.Separator)
	case len(f.Selected) > 0 || f.foldCase || len(f.labelValues) > 0:
		return cli.Usagef("--select, --fold-case and --label-values are about rows of one class each: leave them out with --multi-label")
	}
	return nil
}

// Options returns how the flags say to read, until ctx is done.
func (f *DataFlags) Options(ctx context.Context, p *cli.Program) (files.Options, error) {
	o := files.Options{Format: f.format, Label: f.labelColumn(), MayLackLabels: f.MayLackLabels, Unlabelled: f.unlabelled, LabelValues: f.labelValues, FoldCase: f.foldCase, Numbers: f.Numbers, Several: f.kind.Separator, Features: f.Features, Columns: f.columns,
		Coordinates: f.coordinates, Vector: f.vector, Text: f.text, Category: f.category, ID: f.ID, Ignore: f.ignore, WordVectors: f.wordVectors, Encoding: f.encoding, AllFeatures: f.AllFeatures, Keep: f.Keep}
	width, height, _ := strings.Cut(f.imageSize, "x")
	o.Image.Colour = f.imageColour
	o.Image.Width, _ = strconv.Atoi(width)
	o.Image.Height, _ = strconv.Atoi(height)
	if min(o.Image.Width, o.Image.Height) < 1 || max(o.Image.Width, o.Image.Height) > dataset.MaxImageSide {
		return o, cli.Usagef("--image-size takes a width and a height such as 32x32, not %q", f.imageSize)
	}
	o.Strict = f.strict
	if o.SkipLines = f.skip; f.skip < 0 {
		return o, cli.Usagef("--skip takes a number of lines, not %d", f.skip)
	}
	if o.Charset = f.charset; f.charset != "" {
		if _, err := files.Charset(f.charset); err != nil {
			return o, cli.Usagef("--encoding: %w", err)
		}
	}
	o.Header, o.Quoting, o.Decimal = files.Header(f.header), files.Quoting(f.quoting), f.decimal
	var err error
	if o.Memory, err = cli.MemoryBudget(f.Memory); err != nil {
		return o, err
	}
	o.Embedder, err = f.Embed.For(ctx, p, o.Memory)
	return o, err
}

// OptionsFor returns the options for a data set. A table that is read as another one was has its
// labels in the column of the same name.
func (f *DataFlags) OptionsFor(ctx context.Context, p *cli.Program, from Source) (files.Options, error) {
	o, err := f.Options(ctx, p)
	if o.Label == "" && cli.IsTableFile(from.First(), o.Format) {
		o.Label = f.likeLabel
	}
	return o, err
}

// LabelRules returns how the flags say to read labels.
func (f *DataFlags) LabelRules() dataset.LabelRules {
	return dataset.LabelRules{Values: f.labelValues, FoldCase: f.foldCase, Numbers: f.Numbers, Several: f.kind.Separator}
}

// Read reads the data set called name, or standard input for "-", until ctx is done.
func (f *DataFlags) Read(ctx context.Context, p *cli.Program, name string) (*dataset.Dataset, error) {
	d, err := cli.Interruptible(ctx, func() (*dataset.Dataset, error) { return f.read(ctx, p, name) })
	if err != nil {
		return nil, err
	}
	return f.kind.Arranged(d), nil
}

func (f *DataFlags) read(ctx context.Context, p *cli.Program, name string) (*dataset.Dataset, error) {
	from, err := NewSource([]string{name})
	if err != nil {
		return nil, err
	}
	o, err := f.OptionsFor(ctx, p, from)
	if err != nil {
		return nil, err
	}
	o.MayLackFeatures = f.Edges != ""
	var given *GivenLabels
	if f.Labels != "" {
		if given, err = f.openLabels(p); err != nil {
			return nil, err
		}
		o.MayLackLabels, o.Keep = true, o.Keep || given.needText()
	}
	columns := f.classColumns()
	if columns != nil {
		if !p.Comm().Alone() {
			return nil, cli.Usagef("--label with several columns is for a single process: write the classes into one column, separated by %s", f.kind.Separator)
		}
		o.Label, o.FurtherLabels, o.Keep = columns[0], columns[1:], true
	}
	d, err := from.Read(ctx, p, f.ranks, o)
	if err != nil {
		return d, f.adviseColumns(err)
	}
	if columns != nil {
		if d, err = f.ofColumns(d, columns); err != nil {
			return nil, err
		}
		if !f.Keep && given == nil {
			d.Kept = d.Kept.Only(NamesOf(d, f.ID).Columns)
		}
	}
	if given != nil {
		if err := given.find(ctx, name, d, f.ID, f.kind); err != nil {
			return nil, err
		}
		if d, err = given.relabelled(d, f.LabelRules()); err != nil {
			return nil, err
		}
		if !f.Keep && o.Keep {
			d.Kept = d.Kept.Only(NamesOf(d, f.ID).Columns)
		}
	}
	if f.Edges != "" {
		with, err := f.withEdges(ctx, p, d, o)
		// Edges that tell rows by the values of the only column say that it names the rows.
		sole := d.Untold() && len(d.Features) == 1 && !o.AllFeatures && len(o.Columns) == 0
		if (err != nil || sole) && len(f.ID) == 0 && name != "-" {
			switch fitting := f.namedByEdges(ctx, p, from, o); {
			case len(fitting) == 1:
				f.ID = fitting
				ShowNotes(p, &dataset.Dataset{Notes: []dataset.Note{{Message: dataset.Messagef("%s: rows have the names in the column %q, which is taken for %s", f.Edges, f.ID[0], dataset.Option{Name: "ID"})}}})
				return f.read(ctx, p, name)
			case err == nil:
			case len(fitting) == 0:
				return nil, fmt.Errorf("%w; a column with the names of the rows is given by --id", err)
			default:
				return nil, fmt.Errorf("%w; the columns %s have such names: choose one of them with --id", err, strings.Join(fitting, ", "))
			}
		}
		if d = with; err != nil {
			return nil, err
		}
	}
	if f.imageShape != "" {
		if d, err = f.images(name, d); err != nil {
			return nil, err
		}
	}
	if ShowNotes(p, d); len(f.Selected) == 0 {
		return d, nil
	}
	if d, err = d.Select(f.Selected...); err != nil {
		return nil, cli.BadData(fmt.Errorf("%s: %w", name, err))
	}
	return d, nil
}

// openLabels opens the file of labels, which ranks do not share.
func (f *DataFlags) openLabels(p *cli.Program) (*GivenLabels, error) {
	if !p.Comm().Alone() {
		return nil, cli.Usagef("--labels is for a single process: write the labels into the data with lapsvm convert DATA OUT --labels %s, and give the ranks that", cli.Quoted(f.Labels))
	}
	memory, err := cli.MemoryBudget(f.Memory)
	if err != nil {
		return nil, err
	}
	return openLabels(f.Labels, f.kind, memory)
}

// images returns d, read from the file called name, as images of the shape that the flag gives.
func (f *DataFlags) images(name string, d *dataset.Dataset) (*dataset.Dataset, error) {
	var sides [3]int
	parts := strings.Split(f.imageShape, "x")
	if len(parts) == 2 {
		parts = append(parts, "1")
	}
	for k := range min(len(parts), len(sides)) {
		sides[k], _ = strconv.Atoi(parts[k])
	}
	if len(parts) != len(sides) || min(sides[0], sides[1]) < 1 || sides[2] != 1 && sides[2] != 3 {
		return nil, cli.Usagef("--image-shape takes a height and a width such as 28x28, or 28x28x3 for three colours, not %q", f.imageShape)
	}
	images, err := d.OfImages(dataset.Image{Height: sides[0], Width: sides[1], Colour: sides[2] == 3})
	if err != nil {
		return nil, cli.BadData(fault.Errorf("%s: %w: give the --image-shape that fits, or leave it out", name, err))
	}
	return images, nil
}

// readData reads the data set called name, or standard input for "-", on as many
// threads as ctx allows, or the part of it of one of ranks.
func readData(ctx context.Context, p *cli.Program, ranks *comm.Comm, name string, o files.Options) (*dataset.Dataset, error) {
	o.Threads, o.Ranks = parallel.Threads(ctx), dataset.NewRanks(ctx, ranks)
	if o.Format == "" && name == "-" {
		return nil, cli.Usagef("standard input needs --format %s", cli.Alternatives(cli.FormatNames(files.Format.CanRead)))
	}
	if o.Format == "" {
		if info, err := os.Stat(name); err == nil && info.IsDir() {
			return files.ReadFile(name, o)
		}
		if _, err := files.FormatOf(name); err != nil && IsModel(name) { // else it is looked into
			return nil, cli.Usagef("%s is a model, where a data set is expected; apply it to one with lapsvm predict %s DATA", name, cli.Quoted(name))
		}
	}
	if name == "-" {
		p.Progress.Begin("reading standard input")
		return files.Read(p.Stdin, "standard input", o)
	}
	o.Progress = p.Progress.Reading(name)
	d, err := files.ReadFile(name, o)
	var unknown dataset.Message
	if errors.As(err, &unknown) {
		return nil, cli.Usagef("%w", err)
	}
	return d, err
}
