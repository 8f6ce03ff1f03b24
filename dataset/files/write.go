package files

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"lapsvm/dataset"
	"lapsvm/dataset/internal/number"
	"lapsvm/internal/system/atomicfile"
)

// WriteOptions says how to write a file.
type WriteOptions struct {
	// Format is one of the formats; "" takes it from the file's name.
	Format string
}

// WriteFile writes a dataset, compressed where the name ends in .gz or .zst. [ReadFile] reads the
// same points and labels from it, bit for bit, and the same classes as far as they have rows.
// LIBSVM text keeps numbers and words as class names, npy and idx numbers only, and every other
// format all names. [Lost] says what else a format does not keep.
//
//   - A table has a header and its labels in the last column. Where Features is
//     nil the columns are called x1 to xd. Read it back with Options.Label =
//     d.Label where another column is called "label".
//   - LIBSVM text has the label nan where there is none.
//   - An npy array has the class as a number in its last column, or NaN.
//   - An npz archive and a MAT-file have the points in X, sparse where they are
//     stored so, and the labels in y.
//   - JSON, JSON lines, Parquet and Arrow have the features by name, or else as one vector.
//   - An idx dataset …images…idx3… gets its labels in …labels…idx1… beside it.
//
// The file is written under another name in the same folder, synced and renamed. So on any error,
// also that of ctx, the old file stays as it was. Of the two idx files the labels are renamed
// first. A device or pipe is written to directly. Data that the format cannot hold is a
// [*dataset.Error].
func WriteFile(ctx context.Context, path string, d *dataset.Dataset, o WriteOptions) error {
	form, err := formatFor(o.Format, path)
	if err != nil {
		return err
	}
	class, err := prepare(d, form, path)
	if err != nil {
		return err
	}
	outputs := []output{{path, func(w *bufio.Writer) error { return form.write(w, d, class) }}}
	if form.writeBeside != nil {
		beside, err := form.writeBeside(path, d, class)
		if err != nil {
			return err
		}
		outputs = []output{beside, outputs[0]}
	}
	return replace(ctx, outputs...)
}

// Write writes a dataset to a stream, uncompressed; o.Format must be given. Of
// an idx dataset it writes the points, so labels are an error.
func Write(w io.Writer, d *dataset.Dataset, o WriteOptions) error {
	form, err := FormatCalled(o.Format)
	if err != nil {
		return err
	}
	class, err := prepare(d, form, "")
	if err != nil {
		return err
	}
	if form.writeBeside != nil && len(d.Labelled()) > 0 {
		return &dataset.Error{Msg: dataset.Messagef("%s keeps labels in a second file; write to a file, or choose another format", form.Name)}
	}
	b := bufio.NewWriterSize(w, bufferSize)
	if err := form.write(b, d, class); err != nil {
		return err
	}
	return b.Flush()
}

// classes are class names as a format holds them, and the file they go to.
type classes struct {
	file   string // in errors; may be ""
	names  []string
	values []float64 // of the names that are numbers
}

// prepare checks that a format can hold a dataset and returns its classes.
func prepare(d *dataset.Dataset, form Format, file string) (classes, error) {
	if len(d.Y) != d.Points.Len() {
		panic(fmt.Sprintf("files: %d labels for %d points", len(d.Y), d.Points.Len()))
	}
	if d.Features != nil && len(d.Features) != d.Points.Dim() {
		panic(fmt.Sprintf("files: %d names for %d features", len(d.Features), d.Points.Dim()))
	}
	fail := func(message string, args ...any) (classes, error) {
		return classes{}, &dataset.Error{File: file, Msg: dataset.Messagef(message, args...)}
	}
	if d.Points.Len() == 0 || d.Points.Dim() == 0 {
		return fail("there is nothing to write: %d rows, %d features; give at least one of each", d.Points.Len(), d.Points.Dim())
	}
	if i, j, bad := d.Points.FirstNotFinite(); bad {
		return fail("row %d, feature %d is not finite, and no reader would take it back; replace it by a number", i+1, j+1)
	}
	if err := validNames(d, file); err != nil {
		return classes{}, err
	}
	if !form.CanWrite() {
		return fail("%s are read, but not written; choose another format", form.Name)
	}
	if form.holds != nil {
		if problem := form.holds(d); problem != "" {
			return fail("%s", problem)
		}
	}
	c := classes{file: file}
	seen := map[string]string{}
	for _, class := range d.Classes {
		spelt := class
		if form.numeric {
			spelt = number.Canonical(class)
		}
		if dataset.MeansNoLabel(class) {
			return fail("the class name %q means \"no label\"; rename the class, or give %s to leave its rows without one", class, dataset.Option{Name: "Unlabelled", Value: []string{class}})
		}
		if other, twice := seen[spelt]; twice {
			return fail("the classes %q and %q are the same in format %s; rename one, or write csv or tsv", other, class, form.Name)
		}
		if form.className != nil {
			if problem := form.className(class, spelt); problem != "" {
				return fail("the class name %q %s", class, problem)
			}
		}
		seen[spelt] = class
		v, _ := number.Finite(spelt)
		c.names, c.values = append(c.names, spelt), append(c.values, v)
	}
	return c, nil
}

// notNumber says why a format of numbers cannot hold a class; "" where it can.
func notNumber(form string) func(class, spelt string) string {
	return func(_, spelt string) string {
		if v, ok := number.Finite(spelt); ok && number.Format(v) == spelt {
			return ""
		}
		return fmt.Sprintf("does not fit into format %s, which holds numbers only; write csv, tsv or svm", form)
	}
}

// output is a file to be written, compressed where its name says so.
type output struct {
	path  string
	write func(*bufio.Writer) error
}

// replace writes all outputs, or leaves what was there before, as it does once ctx is
// done.
func replace(ctx context.Context, outputs ...output) error {
	var files []atomicfile.File
	for _, out := range outputs {
		files = append(files, atomicfile.File{Path: out.path, Write: func(to io.Writer) error {
			packed, err := pack(to, out.path)
			if err != nil {
				return err
			}
			w := bufio.NewWriterSize(atomicfile.Until(ctx, packed), bufferSize)
			if err := out.write(w); err != nil {
				return err
			}
			return errors.Join(w.Flush(), packed.Close(), ctx.Err())
		}})
	}
	err := atomicfile.WriteAll(files...)
	var dataErr *dataset.Error
	if errors.As(err, &dataErr) { // it names the file itself
		return dataErr
	}
	return err
}

// pack returns a writer that compresses as the name of a file tells.
func pack(w io.Writer, name string) (io.WriteCloser, error) {
	how, is := packed(name)
	switch {
	case !is:
		return unpacked{w}, nil
	case how.pack == nil:
		return nil, &dataset.Error{File: name, Msg: dataset.Messagef("%s files are read alone; write one called %s", how.ending, strings.Join(Packed(true), " or "))}
	}
	return how.pack(w)
}

type unpacked struct{ io.Writer }

func (unpacked) Close() error { return nil }
