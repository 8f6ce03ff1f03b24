package dataset

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"
)

// The formats. "libsvm" is accepted as another name for SVM.
const (
	CSV = "csv" // comma-separated table; by ';', tabs or '|' where the first line has no comma
	TSV = "tsv" // tab-separated table
	SVM = "svm" // LIBSVM and SVMlight text: label index:value …
	NPY = "npy" // NumPy array
	IDX = "idx" // the format of the MNIST files

	NPZ     = "npz"     // NumPy arrays in a zip archive, or a SciPy matrix
	MAT     = "mat"     // MATLAB, level 5
	JSON    = "json"    // an array of JSON objects; read as JSONL is
	JSONL   = "jsonl"   // one JSON object a line; an array of objects is read too
	Parquet = "parquet" // Apache Parquet
	Images  = "images"  // a folder of images, one sub-folder for each class; read only
)

// formatNames lists the formats for error messages.
const formatNames = "csv, tsv, svm, npy, npz, mat, json, jsonl, parquet, idx or images"

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

// Options says how to read a file. The zero value reads a file whose name tells
// its format and whose labels are in the column "label", else in the last one.
type Options struct {
	// Format is one of the formats; "" takes it from the file's name.
	Format string

	// Label is the label column of a table or npy array, by name or 1-based
	// number; a name goes before a number. "" is the column called "label",
	// else the last. In npz and mat files it is the name of the array of labels,
	// in JSON lines the key, "label" by default. LIBSVM and idx files and folders
	// of images have their own place for labels.
	Label string

	// Unlabelled are further values that mean "no label", beside the empty
	// field, "?", "NA" and "nan". They match as text and, where both are
	// numbers, as numbers.
	Unlabelled []string

	// Features is the number of features d; 0 leaves it to the file. It is the
	// dimension of a LIBSVM file, whose default is its largest index. A table
	// or array with exactly d columns, none of them called "label" or Label,
	// has no label column.
	Features int

	// Columns are the names of the wanted feature columns, in order. The other
	// columns of a table with a header are ignored, and its label column is
	// found by name only (Label or "label") and may be absent. One name may be
	// that of a Parquet column of lists. Where a file has no names, Columns counts
	// as Features = len(Columns).
	Columns []string

	// Header says whether a table has a header.
	Header Header

	// Encoding is that of another table, which may be a CSV or TSV, a Parquet file
	// or JSON lines: this one gets the same features, its
	// other columns are ignored, and of Features and Columns no use is made. nil
	// learns one from this table, from all rows and without regard to labels,
	// where it needs it: where a field is missing or no number, or one of the
	// next options is given. An encoding without columns takes numbers only and
	// makes every other field an error, but booleans of JSON lines and Parquet,
	// which are 1 and 0. Other formats, and vectors in these two, are features and
	// have no encoding.
	Encoding *Encoding

	// Text, Category, ID and Ignore name columns of a table whose encoding is
	// learnt, by name or 1-based number (keys of JSON lines by name): texts,
	// categories (of at most 1,000 values), names of rows, and what is of no use.
	// What Columns leaves out stays out. A column of vectors in JSON lines or
	// Parquet is the features, and no text or category can stand beside it; ignore
	// it to have the other columns. A column called text that holds words is text.
	// Of every other one the values that are not missing decide:
	//
	//   - all numbers, booleans (both of them) or dates: that kind (see Kind).
	//     Where half of them or more are numbers, also with a decimal comma or
	//     not finite, or dates, but not all, it is an error that names one;
	//   - at most 50 different values, and at most half as many as rows: a
	//     category, in which numbers count by value (1.0 and 01 are 1);
	//   - half of the values have three words or more: text;
	//   - else it is an error that asks for one of these options.
	//
	// A column that is constant or without values is dropped. The vocabulary of
	// a text column are the words, runs of at least two letters, digits and
	// marks in lower case, that are in at least 2 rows and at most 80 % of
	// them; of more than 50,000 those in the most rows. A row has the value
	// (1+ln tf)·idf of a word that it holds tf times, divided by the length of
	// that vector. Learning takes about twice the memory of the parsed values.
	//
	// The kinds go by the text of a field alone, in every format: a string "7" of
	// JSON lines or Parquet is a number as it is in CSV; ask for a category where
	// it is one.
	Text, Category, ID, Ignore []string

	// Keep keeps the text of every column of a table in Dataset.Kept, but vectors.
	Keep bool

	// Image says what becomes of the images of a folder.
	Image Image

	// Memory is how many bytes reading may take, about; 0 is no limit. What is read
	// may take half of it: a table grows by moving to another place. Packed files
	// can be a thousand times as large as they seem.
	Memory int64

	// Progress, if not nil, is told while ReadFile reads a file how many of its
	// bytes have been read, of its size. It is called about every quarter of a
	// megabyte, possibly on other goroutines and by several at once. Folders of
	// images and streams report nothing.
	Progress func(done, of int64)
}

// FormatOf returns the format that a file's name tells, with .gz or .zst behind
// it or not, or an error that lists the formats.
func FormatOf(name string) (string, error) {
	base := strings.ToLower(filepath.Base(name))
	base = strings.TrimSuffix(base, compression(base))
	ext := strings.TrimPrefix(filepath.Ext(base), ".")
	switch ext {
	case CSV, TSV, NPY, IDX, SVM, "libsvm", NPZ, MAT, JSON, JSONL, Parquet:
		return format(ext)
	}
	switch {
	case ext == "ndjson":
		return JSONL, nil
	case idxDigit(base) >= 0:
		return IDX, nil
	}
	return "", fmt.Errorf("the name %q does not tell the format; give --format %s", name, formatNames)
}

// format returns the constant for a format's name.
func format(name string) (string, error) {
	switch name {
	case CSV, TSV, SVM, NPY, IDX, NPZ, MAT, JSON, JSONL, Parquet, Images:
		return name, nil
	case "libsvm":
		return SVM, nil
	}
	return "", fmt.Errorf("unknown format %q; choose %s", name, formatNames)
}

func formatFor(given, name string) (string, error) {
	if given != "" {
		return format(given)
	}
	return FormatOf(name)
}

// ReadFile reads a dataset.
//
// Features are finite numbers; a table may have other columns, see
// [Options].Encoding. Class names of a table, and those that
// are strings in the other formats, are as written; numbers are canonicalised
// ("+1" and "1.0" are "1"). A LIBSVM file and the sparse matrices of npz and mat
// files become a dense table when at least a tenth of the n·d values are stored,
// else a sparse one; a table with a text column becomes sparse, all else dense.
// The labels of an idx file …images…idx3… are those of the file …labels…idx1…
// beside it; without such a file no row has a label. A folder whose name tells no
// format is one of images.
//
// A compressed npz or Parquet file is unpacked into memory before it is read.
//
// What is wrong with the file is an [*Error]; a missing file also satisfies
// errors.Is(err, fs.ErrNotExist). A format that is unknown or cannot be told
// from the name is an error of another type.
func ReadFile(path string, o Options) (*Dataset, error) {
	form, err := formatFor(o.Format, path)
	if o.Format == "" && err != nil && isFolder(path) {
		form, err = Images, nil
	}
	if err != nil {
		return nil, err
	}
	if form == Images {
		return readImages(path, o)
	}
	f, err := openFile(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	d, err := read(newWholeFile(f, o.Progress), path, form, o)
	if err != nil || form != IDX {
		return d, err
	}
	d.Y, d.Classes, err = labelsBeside(path, d.Points.Len(), o)
	if err != nil {
		return nil, err
	}
	return d, nil
}

// Read reads a dataset from a stream, compressed or not, as [ReadFile] does.
// The name is used in errors, and for the format where o.Format is "". Of an
// idx dataset it reads the points only; a folder of images is no stream.
func Read(r io.Reader, name string, o Options) (*Dataset, error) {
	form, err := formatFor(o.Format, name)
	if err != nil {
		return nil, err
	}
	if form == Images {
		return nil, &Error{File: name, Msg: "images are read from a folder; give its name"}
	}
	return read(r, name, form, o)
}

func read(r io.Reader, name, form string, o Options) (*Dataset, error) {
	if o.Features == 0 {
		o.Features = len(o.Columns)
	}
	if form != CSV && form != TSV && form != JSON && form != JSONL && form != Parquet && len(o.Text)+len(o.Category)+len(o.ID)+len(o.Ignore) > 0 {
		return nil, &Error{File: name, Msg: fmt.Sprintf("only csv, tsv, json, jsonl and parquet have columns of text, categories and names, not format %s; leave out --text, --category, --id and --ignore", form)}
	}
	src, err := open(r, name)
	if err != nil {
		return nil, err
	}
	defer src.close()
	src.budget.most = o.Memory / 2
	d, err := readAs(form, src, o)
	if err != nil {
		return nil, err
	}
	if err := d.validNames(name); err != nil {
		return nil, err
	}
	return d, nil
}

// validNames refuses names that are not UTF-8: models and their files keep them
// as text.
func (d *Dataset) validNames(file string) error {
	for _, names := range [][]string{d.Classes, d.Features, {d.Label}, d.Encoding.names()} {
		for _, s := range names {
			if !utf8.ValidString(s) {
				return &Error{File: file, Msg: fmt.Sprintf("the name %q is not UTF-8; save the file as UTF-8", s)}
			}
		}
	}
	return nil
}

func readAs(form string, src *source, o Options) (*Dataset, error) {
	switch form {
	case CSV:
		head, _ := src.Peek(src.Size()) // an error comes again
		return readTable(src, separatorOf(head), o)
	case TSV:
		return readTable(src, '\t', o)
	case SVM:
		return readLIBSVM(src, o)
	case NPY:
		return readNPY(src, o)
	case NPZ:
		return readNPZ(src, o)
	case MAT:
		return readMAT(src, o)
	case JSON, JSONL:
		return readJSONL(src, o)
	case Parquet:
		return readParquet(src, o)
	default:
		return readIDX(src, o)
	}
}

// openFile opens a file for reading; its errors are *Error.
func openFile(path string) (*os.File, error) {
	f, err := os.Open(path)
	if err != nil {
		msg := fmt.Sprintf("cannot be opened (%v); check the file and its permissions", cause(err))
		if errors.Is(err, fs.ErrNotExist) {
			msg = "there is no such file; check the name and the folder"
		}
		return nil, &Error{File: path, Msg: msg, Err: err}
	}
	info, err := f.Stat()
	if err == nil && info.IsDir() {
		f.Close()
		return nil, &Error{File: path, Msg: "is a folder; give a file inside it"}
	}
	return f, nil
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// cause strips the operation and the path that an error already names elsewhere.
func cause(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}
