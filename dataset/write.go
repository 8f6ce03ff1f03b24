package dataset

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"lapsvm/internal/atomicfile"
)

// WriteOptions says how to write a file.
type WriteOptions struct {
	// Format is one of the formats; "" takes it from the file's name.
	Format string
}

// WriteFile writes a dataset, compressed where the name ends in .gz or .zst.
// What [ReadFile] reads from it has the same points and labels, to the last
// bit, and the same classes, as far as they have rows: LIBSVM text keeps numbers
// and words as class names, npy and idx numbers only, and every other format all
// names. [Lost] says what else a format does not keep.
//
//   - A table has a header and its labels in the last column. Where Features is
//     nil the columns are called x1 to xd. Read it back with Options.Label =
//     d.Label where another column is called "label".
//   - LIBSVM text has the label nan where there is none.
//   - An npy array has the class as a number in its last column, or NaN.
//   - An npz archive and a MAT-file have the points in X, sparse where they are
//     stored so, and the labels in y.
//   - JSON, JSON lines and Parquet have the features by name, or else as one vector.
//   - An idx dataset …images…idx3… gets its labels in …labels…idx1… beside it.
//
// The file is written aside in the same folder, synced and renamed, so on any
// error the old file stays as it was; of the two idx files the labels are
// renamed first. A device or pipe is written to directly. Data that the format
// cannot hold is an [*Error].
func WriteFile(path string, d *Dataset, o WriteOptions) error {
	form, err := formatFor(o.Format, path)
	if err != nil {
		return err
	}
	class, err := prepare(d, form, path)
	if err != nil {
		return err
	}
	points := func(w *bufio.Writer) error { return class.write(w, d, form, path) }
	if form != IDX {
		return replace(output{path, points})
	}
	labels := labelsPath(path)
	if labels == "" {
		return &Error{File: path, Msg: "the name must contain \"images\", so that the labels can be written beside it; rename it, such as train-images-idx3-ubyte"}
	}
	return replace(output{labels, func(w *bufio.Writer) error { return writeIDXLabels(w, d, class.values) }}, output{path, points})
}

// Write writes a dataset to a stream, uncompressed; o.Format must be given. Of
// an idx dataset it writes the points, so labels are an error.
func Write(w io.Writer, d *Dataset, o WriteOptions) error {
	form, err := format(o.Format)
	if err != nil {
		return err
	}
	class, err := prepare(d, form, "")
	if err != nil {
		return err
	}
	if form == IDX && len(d.Labelled()) > 0 {
		return &Error{Msg: "idx keeps labels in a second file; write to a file, or choose another format"}
	}
	b := bufio.NewWriterSize(w, bufferSize)
	if err := class.write(b, d, form, ""); err != nil {
		return err
	}
	return b.Flush()
}

// Writable reports whether a format's name is known and the format is written:
// all but Images are.
func Writable(name string) bool {
	form, err := format(name)
	return err == nil && form != Images
}

// Lost says what a format does not keep of a dataset, one phrase for each loss;
// nil where it keeps everything. Class names that a format cannot hold are an
// error of [Write] instead. It panics for an unknown format.
func Lost(d *Dataset, form string) []string {
	form, err := format(form)
	if err != nil {
		panic("dataset: " + err.Error())
	}
	var lost []string
	named, labelNamed := d.Features != nil, true
	switch form {
	case CSV, TSV:
		named = false
	case JSON, JSONL:
		_, names := jsonNames(d)
		named = named && names == nil
		if names != nil && !slices.IsSorted(names) {
			lost = append(lost, "the order of the columns: readers of JSON sort them by name")
		}
	case Parquet:
		_, kept := parquetNames(d)
		named = named && !kept
	default:
		labelNamed = false
	}
	if named {
		lost = append(lost, fmt.Sprintf("the names of the %d features", len(d.Features)))
	}
	if !labelNamed && d.Label != "" && d.Label != "label" {
		lost = append(lost, fmt.Sprintf("the name of the label column, %q", d.Label))
	}
	used := make([]bool, len(d.Classes))
	for _, y := range d.Y {
		if y != Unlabelled {
			used[y] = true
		}
	}
	var empty []string
	for k, name := range d.Classes {
		if !used[k] {
			empty = append(empty, name)
		}
	}
	if empty != nil {
		lost = append(lost, "the classes without a row: "+list(empty))
	}
	return lost
}

// classes are class names as a format holds them.
type classes struct {
	names  []string
	values []float64 // for npy and idx
}

// prepare checks that a format can hold a dataset and returns its classes.
func prepare(d *Dataset, form, name string) (classes, error) {
	if len(d.Y) != d.Points.Len() {
		panic(fmt.Sprintf("dataset: %d labels for %d points", len(d.Y), d.Points.Len()))
	}
	if d.Features != nil && len(d.Features) != d.Points.Dim() {
		panic(fmt.Sprintf("dataset: %d names for %d features", len(d.Features), d.Points.Dim()))
	}
	fail := func(message string, args ...any) (classes, error) {
		return classes{}, &Error{File: name, Msg: fmt.Sprintf(message, args...)}
	}
	if d.Points.Len() == 0 || d.Points.Dim() == 0 {
		return fail("there is nothing to write: %d rows, %d features; give at least one of each", d.Points.Len(), d.Points.Dim())
	}
	if i, j, found := d.Points.FirstNotFinite(); found {
		return fail("row %d, feature %d is not finite, and no reader would take it back; replace it by a number", i+1, j+1)
	}
	if err := d.validNames(name); err != nil {
		return classes{}, err
	}
	switch {
	case form == Images:
		return fail("images are read, but not written; choose another format")
	case form == MAT && matSize(d) > maxMAT:
		return fail("a variable of a mat file has at most %d bytes, but this one would have %.0f; write npz or parquet", maxMAT, matSize(d))
	}
	var c classes
	seen := map[string]string{}
	for _, class := range d.Classes {
		as := class
		if form == SVM || form == NPY || form == IDX {
			as = canonical(class)
		}
		v, numeric := number(as)
		switch other, twice := seen[as]; {
		case isMissing(class):
			return fail("the class name %q means \"no label\"; rename the class", class)
		case twice:
			return fail("the classes %q and %q are the same in format %s; rename one, or write csv or tsv", other, class, form)
		case (form == NPY || form == IDX) && (!numeric || formatNumber(v) != as):
			return fail("the class name %q does not fit into format %s, which holds numbers only; write csv, tsv or svm", class, form)
		case form == SVM && !isSVMLabel(as):
			return fail("the class name %q is no label in format svm; rename the class, or write csv or tsv", class)
		case form == NPZ && strings.HasSuffix(class, "\x00"):
			return fail("the class name %q ends in a zero, which NumPy leaves out; rename the class", class)
		}
		seen[as] = class
		c.names, c.values = append(c.names, as), append(c.values, v)
	}
	return c, nil
}

// isSVMLabel reports whether a name is read back from a LIBSVM line.
func isSVMLabel(name string) bool {
	p := svmParser{src: &source{budget: new(budget)}, labels: newLabeller(true, nil)}
	err := p.row([]byte(name+" 1:1"), 1)
	return err == nil && len(p.labels.names) == 1 && p.labels.names[0] == name
}

func (c classes) write(w *bufio.Writer, d *Dataset, form, name string) error {
	switch form {
	case CSV:
		return writeTable(w, d, ',', name)
	case TSV:
		return writeTable(w, d, '\t', name)
	case SVM:
		return writeLIBSVM(w, d, c.names)
	case NPY:
		return writeNPY(w, d, c.values)
	case NPZ:
		return writeNPZ(w, d)
	case MAT:
		return writeMAT(w, d)
	case JSON, JSONL:
		return writeJSONL(w, d, form)
	case Parquet:
		return writeParquet(w, d)
	default:
		return writeIDXPoints(w, d)
	}
}

// output is a file to be written, compressed where its name says so.
type output struct {
	path  string
	write func(*bufio.Writer) error
}

// replace writes all outputs, or leaves what was there before.
func replace(outputs ...output) error {
	var files []atomicfile.File
	for _, out := range outputs {
		files = append(files, atomicfile.File{Path: out.path, Write: func(to io.Writer) error {
			packed, err := pack(to, compression(out.path))
			if err != nil {
				return err
			}
			w := bufio.NewWriterSize(packed, bufferSize)
			if err := out.write(w); err != nil {
				return err
			}
			return errors.Join(w.Flush(), packed.Close())
		}})
	}
	err := atomicfile.WriteAll(files...)
	var known *Error
	if errors.As(err, &known) { // it names the file itself
		return known
	}
	return err
}

// pack returns a writer that compresses by an ending and whose Close leaves w
// open. Output does not depend on time or on the number of processors.
func pack(w io.Writer, ending string) (io.WriteCloser, error) {
	switch ending {
	case ".gz":
		return gzip.NewWriter(w), nil
	case ".zst":
		return zstd.NewWriter(w, zstd.WithEncoderConcurrency(1))
	}
	return unpacked{w}, nil
}

type unpacked struct{ io.Writer }

func (unpacked) Close() error { return nil }
