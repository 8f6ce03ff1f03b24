package command

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"lapsvm/dataset"
	"lapsvm/dataset/files"
	"lapsvm/internal/numbers/parallel"
	"lapsvm/internal/ranks/comm"
)

// DataFlags say how to read DATA.
type DataFlags struct {
	format, label, header string
	quoting, decimal      string
	unlabelled, selected  []string
	labelValues           []string
	foldCase              bool
	columns               []string
	features              int
	coordinates           []string
	text, category        []string
	id, ignore            []string
	encoding              *dataset.Encoding // of another table; nil to learn one
	likeLabel             string            // the label column of that table, for tables
	imageSize             string
	imageColour           bool
	Memory                string
	keep                  bool       // the text of every column, which no flag asks for
	mayLackLabels         bool       // there may be no column of labels, neither
	allFeatures           bool       // no column is left out as a name of rows, neither
	ranks                 *comm.Comm // that read it together, each a part; nil where each reads all
}

func (f *DataFlags) Register(flags *pflag.FlagSet) {
	under(flags, "Reading", func(flags *pflag.FlagSet) {
		addOneOf(flags, &f.format, "format", "", "format of DATA: "+alternatives(formatNames(anyFormat))+" (default: by the file's name; a folder is one of images)",
			formatWords(anyFormat)...)
		flags.StringVar(&f.label, "label", "", "label column of a table, by name or number from 1 (default: a column called label, class, target, …, else a mostly empty column, else the last); among arrays, the array of labels (default: y)")
		flags.StringArrayVar(&f.unlabelled, "unlabelled", nil, "a further value that means no label, beside empty, ?, NA, nan, null, None and unlabelled")
		flags.StringSliceVar(&f.labelValues, "label-values", nil, "names of the classes, separated by commas, for a class called None or unlabelled; others are warned of")
		flags.BoolVar(&f.foldCase, "fold-case", false, "make one class of Adelie and adelie, named by the commonest spelling")
		flags.IntVar(&f.features, "features", 0, "dimension of a sparse file (default: its largest index)")
		flags.StringSliceVar(&f.columns, "columns", nil, "names of the feature columns, separated by commas; other columns are ignored (default: all but the labels)")
		addOneOf(flags, &f.header, "header", "auto", "whether a table has a line of column names: auto, yes or no",
			"auto", "yes", "no")
		addOneOf(flags, &f.quoting, "quoting", "auto", "how quotes in a CSV or TSV table are read: auto (they enclose fields) or none (they are text)",
			"auto", "none")
		addOneOf(flags, &f.decimal, "decimal", "", "decimal mark of numbers: . or , (default: a point, or a comma where ; separates the columns and numbers look like 3,14)",
			".", ",")
		flags.StringSliceVar(&f.selected, "select", nil, "keep only these classes, separated by commas, and the unlabelled rows")
		flags.StringVar(&f.imageSize, "image-size", "32x32", "width and height that images are scaled to")
		flags.BoolVar(&f.imageColour, "image-colour", false, "read images as red, green and blue in place of grey")
		flags.StringVar(&f.Memory, "memory", "", "most memory to use, such as 8GB or 40% of the free memory (default: 80 % of the free memory, leaving at least 200 MB)")
	})
}

// RegisterColumns registers the flags for tables with a learnt encoding.
func (f *DataFlags) RegisterColumns(flags *pflag.FlagSet) {
	under(flags, "Reading", func(flags *pflag.FlagSet) {
		flags.StringSliceVar(&f.coordinates, "coordinates", nil, "two columns of a table to take for places on a sphere: the latitude and the longitude, in degrees; then those of further places")
		flags.StringSliceVar(&f.text, "text", nil, "columns of a table to take for text (TF-IDF), by name or 1-based number, separated by commas")
		flags.StringSliceVar(&f.category, "category", nil, "columns to take for categories, such as numeric codes (default: decided by a column's values)")
		flags.StringSliceVar(&f.id, "id", nil, "columns that name the rows; they are no features, and predict repeats them (default: columns of single words, and columns called id, that differ in every row)")
		flags.StringSliceVar(&f.ignore, "ignore", nil, "columns to leave out")
	})
}

// like returns the flags that read another file as d was read. The columns of a table are
// read by the encoding of d, or as numbers where d needed none. They are found by name where
// they have names.
func (f *DataFlags) like(d *dataset.Dataset) *DataFlags {
	other := *f
	other.likeLabel = d.Label
	if other.encoding = d.Encoding; d.Encoding == nil {
		other.encoding, other.columns = new(dataset.Encoding), d.Features
	}
	return &other
}

func (f *DataFlags) options() (files.Options, error) {
	o := files.Options{Format: f.format, Label: f.label, MayLackLabels: f.mayLackLabels, Unlabelled: f.unlabelled, LabelValues: f.labelValues, FoldCase: f.foldCase, Features: f.features, Columns: f.columns,
		Coordinates: f.coordinates, Text: f.text, Category: f.category, ID: f.id, Ignore: f.ignore, Encoding: f.encoding, AllFeatures: f.allFeatures, Keep: f.keep}
	width, height, _ := strings.Cut(f.imageSize, "x")
	o.Image.Colour = f.imageColour
	o.Image.Width, _ = strconv.Atoi(width)
	o.Image.Height, _ = strconv.Atoi(height)
	if min(o.Image.Width, o.Image.Height) < 1 || max(o.Image.Width, o.Image.Height) > dataset.MaxImageSide {
		return o, Usagef("--image-size takes a width and a height such as 32x32, not %q", f.imageSize)
	}
	o.Header, o.Quoting, o.Decimal = files.Header(f.header), files.Quoting(f.quoting), f.decimal
	var err error
	o.Memory, err = MemoryBudget(f.Memory)
	return o, err
}

// read reads the data set called name, or standard input for "-".
func (f *DataFlags) read(ctx context.Context, p *Program, name string) (*dataset.Dataset, error) {
	o, err := f.options()
	if err != nil {
		return nil, err
	}
	from, err := newSource([]string{name})
	if err != nil {
		return nil, err
	}
	if o.Label == "" && isTableFile(from.first(), o.Format) {
		o.Label = f.likeLabel
	}
	d, err := from.read(ctx, p, f.ranks, o)
	if err != nil {
		return d, err
	}
	if p.showNotes(d); len(f.selected) == 0 {
		return d, nil
	}
	if d, err = d.Select(f.selected...); err != nil {
		return nil, dataError{fmt.Errorf("%s: %w", name, err)}
	}
	return d, nil
}

// readData reads the data set called name, or standard input for "-", on as many
// threads as ctx allows, or the part of it of one of ranks.
func (p *Program) readData(ctx context.Context, ranks *comm.Comm, name string, o files.Options) (*dataset.Dataset, error) {
	o.Threads, o.Ranks = parallel.Threads(ctx), dataset.NewRanks(ctx, ranks)
	if o.Format == "" && name == "-" {
		return nil, Usagef("standard input needs --format %s", alternatives(formatNames(files.Format.CanRead)))
	}
	if o.Format == "" {
		if info, err := os.Stat(name); err == nil && info.IsDir() {
			return files.ReadFile(name, o)
		}
		if _, err := files.FormatOf(name); err != nil && isModel(name) { // else it is looked into
			return nil, Usagef("%s is a model, where a data set is expected; apply it to one with lapsvm predict %s DATA", name, quoted(name))
		}
	}
	if name == "-" {
		p.progress.Begin("reading standard input")
		return files.Read(p.stdin, "standard input", o)
	}
	o.Progress = p.progress.reading(name)
	d, err := files.ReadFile(name, o)
	var unknown dataset.Message
	if errors.As(err, &unknown) {
		return nil, usageError{err}
	}
	return d, err
}
