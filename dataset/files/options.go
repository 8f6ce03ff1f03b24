package files

import (
	"lapsvm/dataset"
)

// Header says whether a table begins with a line of column names.
type Header string

// HeaderAuto, like "", takes the first line for a header if one of its fields is "label"
// or the label's name, if it has all of Options.Columns or of the columns that
// Options.Encoding needs by name, or if none of its fields is a number or a
// missing value.
const (
	HeaderAuto Header = "auto"
	HeaderYes  Header = "yes"
	HeaderNo   Header = "no"
)

// Quoting says what a quote in a CSV or TSV table is. QuotingAuto, like "", has fields in
// quotes hold separators and line ends, and refuses other quotes; to QuotingNone a quote
// is a character like any other.
type Quoting string

// The kinds of quoting.
const (
	QuotingAuto Quoting = "auto"
	QuotingNone Quoting = "none"
)

// Options say how to read a file. The zero value reads a file whose name tells
// its format and whose labels are in the column "label", else in the last one.
// The fields from Label to Keep are those of [dataset.TableOptions], which has
// their rules; here is what they mean in each format beside that.
type Options struct {
	// Format is the name of one of the [Formats]; "" takes it from the file's name.
	Format string

	// Header says whether a CSV or TSV table has a header.
	Header Header

	// Quoting says what quotes are in a CSV or TSV table.
	Quoting Quoting

	// Decimal is "." or ",", which stands before the decimals of a number. Numbers that are text
	// have it in every format. In a CSV or TSV table with "," one with a point is an error. The
	// default is a point. It is a comma where ';' separates the columns of a table whose first rows
	// have numbers such as 3,14 and none such as 3.14; a Note says so.
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
	// differ in case alone. See [dataset.LabelRules].
	Unlabelled, LabelValues []string
	FoldCase                bool

	// Features is the number of features d; 0 leaves it to the file. It is the
	// dimension of a LIBSVM file, whose default is its largest index.
	Features int

	// Columns are the names of the wanted feature columns, in order. One name may be
	// that of a column of lists of Parquet or Arrow. Where a file has no names, Columns counts
	// as Features = len(Columns).
	Columns []string

	// Encoding is that of another table, in whatever format, or nil to learn one.
	// One without columns takes numbers only, and of JSON, Parquet and Arrow also
	// booleans, which are 1 and 0. Vectors in these, and all formats that are no
	// tables, are features and have no encoding.
	Encoding *dataset.Encoding

	// Text, Category, ID and Ignore name columns of a table whose encoding is
	// learnt. A column of vectors in JSON, Parquet or Arrow is the features, and no text
	// or category can stand beside it; ignore it to have the other columns, which a Note names. A
	// string "7" of these is a number as it is in CSV; ask for a category
	// where it is one.
	Text, Category, ID, Ignore []string

	// AllFeatures says that no column of a table is to be taken for names of rows unless ID
	// says so.
	AllFeatures bool

	// Keep keeps the text of every column of a table in Dataset.Kept, but vectors, and
	// of images in a folder the class beside the file, where any has one.
	Keep bool

	// Skip, unless nil, says which images of a folder are left out, by their place in it, with
	// slashes.
	Skip func(name string) bool

	// Image says what becomes of images.
	Image dataset.Image

	// Threads is how many images may be read at once, and how many goroutines read the
	// numbers of a CSV or TSV table; 0 is as many as there are processors. Other files
	// are read by one. What is read is the same.
	Threads int

	// Memory is how many bytes reading may take, about; 0 is no limit. What is read
	// may take half of it: a table grows by moving to another place. Packed files
	// can be a thousand times as large as they seem.
	Memory int64

	// Budget, unless nil, takes the place of Memory: one that several readings share.
	Budget *dataset.Memory

	// Check, unless nil, is that of [dataset.Origin]: it bounds rows, and ends a reading that
	// nobody waits for any more.
	Check func(rows int) error

	// Progress, unless nil, is called while ReadFile reads, about every quarter of a
	// megabyte, with the number of bytes read so far and the size of the file; of
	// ReadFiles those of all files. Several goroutines may call it at once. It is
	// not called for folders of images and for what is no regular file.
	Progress func(done, of int64)

	ranks *dataset.Ranks // that read together; nil for a process alone
}

// memory returns what reading one data set may take.
func (o Options) memory() *dataset.Memory {
	if o.Budget != nil {
		return o.Budget
	}
	return dataset.NewMemory(o.Memory)
}

// table returns the options of a table.
func (o Options) table() dataset.TableOptions {
	return dataset.TableOptions{Label: o.Label, MayLackLabels: o.MayLackLabels, Unlabelled: o.Unlabelled, LabelValues: o.LabelValues, FoldCase: o.FoldCase, Features: o.Features, Columns: o.Columns, Encoding: o.Encoding,
		Text: o.Text, Category: o.Category, ID: o.ID, Ignore: o.Ignore, AllFeatures: o.AllFeatures, Keep: o.Keep}
}

func (o Options) rules() dataset.LabelRules {
	return dataset.LabelRules{Unlabelled: o.Unlabelled, Values: o.LabelValues, FoldCase: o.FoldCase}
}

// strict reports whether nothing but numbers is taken.
func (o Options) strict() bool { return o.Encoding != nil && !o.Encoding.Learnt() }
