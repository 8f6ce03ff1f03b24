package files

import (
	"slices"

	"lapsvm/dataset"
)

// Header says whether a table begins with a line of column names.
type Header string

// HeaderAuto, which "" stands for, takes the first line for a header in any of three cases:
//
//   - a field is "label" or Options.Label;
//   - the line has all names of Options.Columns, or all that Options.Encoding needs;
//   - no field is a number or a missing value.
const (
	HeaderAuto Header = "auto"
	HeaderYes  Header = "yes"
	HeaderNo   Header = "no"
)

// Quoting says what quotes mean in a CSV or TSV table. With QuotingAuto, which "" stands for, a
// field in quotes may hold separators and line ends, and any other quote is an error. With
// QuotingNone a quote is an ordinary character.
type Quoting string

// The kinds of quoting.
const (
	QuotingAuto Quoting = "auto"
	QuotingNone Quoting = "none"
)

// Options say how to read a file. The zero value reads a file whose name tells
// its format and whose labels are in the column "label", else in the last one.
// The fields from Label to Keep have the rules of [dataset.TableOptions]. Their comments here say
// what they mean in each format.
type Options struct {
	// Format is the name of one of the [Formats]; "" takes it from the file's name.
	Format string

	// Header says whether a CSV or TSV table has a header.
	Header Header

	// Quoting says what quotes are in a CSV or TSV table.
	Quoting Quoting

	// Charset is the encoding of the text of a format that is text, as [Charset] names it. "" takes a mark at its beginning, else UTF-8, else
	// windows-1252; a Note says so.
	Charset string

	// SkipLines is how many lines stand above the header, or above the first row, of a CSV or TSV table.
	SkipLines int

	// Decimal is the decimal separator, "." or ",", of numbers that are text in any format. With
	// "," a column with numbers of both kinds is an error. The default is ".". In a
	// table with ';' between columns the default is "," if its first rows have numbers such as
	// 3,14 and none such as 3.14; a Note says so.
	Decimal string

	// Label is the label column of a table or npy array, by name or number. In npz
	// and mat files it is the name of the array of labels, in JSON the key, "label"
	// by default. LIBSVM and idx files and folders of images have their own place
	// for labels.
	Label string

	// MayLackLabels says that a table or npy array may have no column of labels.
	MayLackLabels bool

	// Unlabelled are further values that mean "no label". LabelValues are names of classes,
	// also where they are words for nothing. FoldCase makes one class of spellings that
	// differ in case alone. Numbers says that labels are numbers. Several separates classes of
	// one label. See [dataset.LabelRules].
	Unlabelled, LabelValues []string
	FoldCase, Numbers       bool
	Several                 string

	// Features is the number of features d; 0 leaves it to the file. It is the
	// dimension of a LIBSVM file, whose default is its largest index. Where its rows are
	// dots of pictures, by their likeness, it is that of whole lines of dots.
	Features int

	// Columns are the names of the wanted feature columns, in order. One name may be
	// that of a column of lists of Parquet or Arrow. Where a file has no names, Columns counts
	// as Features = len(Columns).
	Columns []string

	// Encoding is the encoding of another table, in any format, or nil to learn one. With an
	// encoding without columns every field must be a number; in JSON, Parquet and Arrow also a
	// boolean, which is 1 or 0. A column of vectors in these formats that is all features has no
	// encoding; nor have formats that are no tables.
	Encoding *dataset.Encoding

	// Coordinates, Vector, Text, Category, ID and Ignore give columns of a table a kind when an encoding is learnt. A
	// string "7" in JSON, Parquet and Arrow is a number, as in CSV, unless Category names its column.
	Coordinates, Vector, Text, Category, ID, Ignore []string

	// FurtherLabels are columns of labels beside that of Label, which give no features.
	FurtherLabels []string

	// WordVectors is a file of vectors of words, as text of GloVe, word2vec or fastText: a word and its numbers in each line, after
	// a line with the counts of both or without it. When an encoding is learnt the words of its texts get
	// their vectors ([dataset.Encoding.WithWordVectors]), and a Note says how many. Of the words of the file that differ
	// in case alone that in lower case counts, else the first. A line with more or fewer numbers than the first,
	// a vector of a word of the texts that is not finite, and a file without any word of theirs are errors.
	WordVectors string

	// Embedder, unless nil, makes vectors of texts, as [dataset.TableOptions] has it, or of the images of a folder, which
	// then take the place of their dots.
	Embedder dataset.Embedder

	// AllFeatures has only the columns of ID taken for names of rows.
	AllFeatures bool

	// Keep keeps the text of every column of a table in Dataset.Kept, except that of vectors that are all features or ignored. For a
	// folder of images with classes it keeps the class beside the file name.
	Keep bool

	// MayLackFeatures says that a table may have no feature.
	MayLackFeatures bool

	// TextAlone keeps the text of every column of a table, and takes none for features or labels.
	TextAlone bool

	part     string // of the file that is wanted, see Locate
	comments bool   // lines of text that begin with # or % are no rows

	// Skip, unless nil, reports which images of a folder to leave out, by their path within the
	// folder, with slashes.
	Skip func(name string) bool

	// Strict has a folder of images refused where one of them cannot be read. Else those are left out, with a Note, unless all are.
	Strict bool

	// Image is the size and the colours that images are converted to.
	Image dataset.Image

	// Threads is the number of goroutines that read images, or the numbers of a CSV or TSV
	// table; 0 means one per processor. Other files are read by one goroutine. The result does
	// not depend on Threads.
	Threads int

	// Memory is about the number of bytes that reading may take; 0 means no limit. The result
	// may take half of it, because a table grows by moving to a larger place. Compressed files
	// can unpack to a thousand times their size.
	Memory int64

	// Budget, unless nil, takes the place of Memory. Several readings may share a Budget.
	Budget *dataset.Memory

	// Check, unless nil, is [dataset.Origin].Check: it can limit the number of rows, or end a
	// reading whose result is no longer needed.
	Check func(rows int) error

	// Progress, unless nil, is called about every quarter of a megabyte with the number of bytes
	// read and the size of the file; ReadFiles calls it with those of all files. Several
	// goroutines may call it at once. It is not called for folders of images, and for a pipe or
	// device.
	Progress func(done, total int64)

	// Ranks read together, and each returns its own rows; nil is a process alone. Each rank reads
	// the whole of a stream.
	Ranks *dataset.Ranks
}

// memory returns what reading one data set may take.
func (o Options) memory() *dataset.Memory {
	if o.Budget != nil {
		return o.Budget
	}
	return dataset.NewMemory(o.Memory)
}

// columnsOption is an option that names columns of a table.
type columnsOption struct {
	name    string
	columns *[]string
}

// ofColumns returns the options that name columns of a table, by which only tables are read.
func (o *Options) ofColumns() []columnsOption {
	return []columnsOption{{"Coordinates", &o.Coordinates}, {"Vector", &o.Vector}, {"Text", &o.Text}, {"Category", &o.Category}, {"ID", &o.ID}, {"Ignore", &o.Ignore}, {"FurtherLabels", &o.FurtherLabels}}
}

// left returns the columns that are left out.
func (o Options) left() []string { return slices.Concat(o.Ignore, o.FurtherLabels) }

// table returns the options of a table.
func (o Options) table() dataset.TableOptions {
	return dataset.TableOptions{Label: o.Label, MayLackLabels: o.MayLackLabels, Unlabelled: o.Unlabelled, LabelValues: o.LabelValues, FoldCase: o.FoldCase, Numbers: o.Numbers, Several: o.Several, Features: o.Features, Columns: o.Columns, Encoding: o.Encoding,
		Coordinates: o.Coordinates, Vector: o.Vector, Text: o.Text, Category: o.Category, ID: o.ID, Ignore: o.Ignore, FurtherLabels: o.FurtherLabels, Embedder: o.Embedder, AllFeatures: o.AllFeatures, Keep: o.Keep, TextAlone: o.TextAlone, MayLackFeatures: o.MayLackFeatures}
}

func (o Options) rules() dataset.LabelRules {
	return dataset.LabelRules{Unlabelled: o.Unlabelled, Values: o.LabelValues, FoldCase: o.FoldCase, Numbers: o.Numbers, Several: o.Several}
}

// shaped reports whether columns are asked to become several features.
func (o Options) shaped() bool {
	return len(o.Coordinates)+len(o.Vector)+len(o.Text)+len(o.Category) > 0
}

// strict reports whether nothing but numbers is taken.
func (o Options) strict() bool { return o.Encoding != nil && !o.Encoding.Learnt() }
