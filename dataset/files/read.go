package files

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"unicode/utf8"

	"lapsvm/dataset"
)

// ReadFile reads a dataset.
//
// Features are finite numbers; a table may have other columns, see
// [Options].Encoding. Class names of a table, and those that
// are strings in the other formats, are as written; numbers are canonicalised
// ("+1" and "1.0" are "1"). A table with a text column is sparse. Numbers are sparse or
// dense by their values alone, as [dataset.Dataset.StoredByValue] says. With a given encoding the sparse rows of a file
// are dense when at least a tenth of the n·d values are stored.
// The labels of an idx file …images…idx3… are those of the file …labels…idx1…
// beside it; without such a file no row has a label. A folder whose name tells no
// format is one of images, whose rows have their files as [dataset.Kept].
//
// A path may be FILE#PART, see [Locate]. Of an archive (.zip) its only file is read, or the one that is named. A compressed
// npz or Parquet file is unpacked into memory before it is read.
//
// Where the name has no known ending, the first bytes decide the format, and a note says so. A
// bad file is a [*dataset.Error]; a missing file also satisfies errors.Is(err, fs.ErrNotExist).
// An unknown format in o, or a file of a format that cannot be recognised, is an error of another
// type.
func ReadFile(path string, o Options) (*dataset.Dataset, error) {
	return ReadFiles([]string{path}, o)
}

// ReadFiles reads the rows of several files one after another as [ReadFile] does those of
// one.
//
// Tables whose encoding is learnt are one table: those of CSV, TSV and JSON objects, and those of
// Parquet and Arrow with other columns than numbers. The result, with its encoding and notes, is
// that of one file with the rows of all. The columns are those of the first file; other files may
// have them in any order. The keys of objects are those of all files. Memory is that of one file.
//
// All other files, and tables with a given encoding, must have the columns of the first file in
// its order, with its label column. LIBSVM files have the largest index of all files, unless they
// are dense. Memory is twice that of the rows. ReadFiles panics without a path.
//
// Of several ranks, see [Options].Ranks, each returns its own rows. The rows of all ranks, in their
// order, are those of one process, with its classes, columns, notes and errors. Dataset.Column and
// Total give the place of the rank's rows among all.
//
// Each rank reads about the same number of bytes: its own lines of a text table, its own rows of
// Parquet, Arrow and arrays, its own images of a folder. The ranks exchange counts, extremes and
// different values to learn the columns. All ranks unpack a single file of compressed text, and
// each parses its part. All ranks read the whole of a single file that is an array of JSON
// objects, a mat file, a sparse array or an array in Fortran order, and keep their rows. Of several
// such files, and of several compressed tables, one rank reads each. Ranks also fail where they see
// different files. They compare sizes, the bytes of small files and blocks of large files.
func ReadFiles(paths []string, o Options) (*dataset.Dataset, error) {
	return o.completed(readFiles(paths, o))
}

// completed returns a data set that has been read with points that are sparse or dense by their values, and with the vectors of words.
func (o Options) completed(d *dataset.Dataset, err error) (*dataset.Dataset, error) {
	if err == nil && o.Encoding == nil && !o.TextAlone {
		d, err = d.StoredByValue(o.Ranks, o.memory().Room())
	}
	if err != nil {
		return nil, err
	}
	return o.wordVectors(d, nil)
}

func readFiles(paths []string, o Options) (*dataset.Dataset, error) {
	if err := o.agree(paths); err != nil {
		return nil, err
	}
	if len(paths) == 1 {
		return readFile(paths[0], o, nil)
	}
	if o.Encoding != nil {
		return readApart(paths, o)
	}
	d, err := readTogether(paths, o, false)
	if err != errApart {
		return d, err
	}
	d, err = readApart(paths, o)
	var dataErr *dataset.Error
	if !errors.As(err, &dataErr) || dataErr.Err != nil { // else it is of what files hold, and the same for all ranks
		return d, err
	}
	if typed, other := readTogether(paths, o, true); other != errApart {
		return typed, other
	}
	return nil, err
}

// readApart reads files each as a data set, and joins them.
func readApart(paths []string, o Options) (*dataset.Dataset, error) {
	learns := o.Encoding == nil
	var parts []*dataset.Dataset
	progress := progressOfAll(paths, o.Progress)
	for k, path := range paths {
		options := o
		if k > 0 {
			options = o.like(parts[0], path)
		}
		options.Progress = progress[k]
		d, err := readFile(path, options, nil)
		if err != nil {
			return nil, err
		}
		if parts = append(parts, d); learns && d.Encoding != nil {
			return nil, &dataset.Error{File: path, Msg: dataset.Messagef("words, dates and gaps are encoded in tables alone, but other files here are no tables; give files of one kind, or choose columns of numbers with %s", dataset.Option{Name: "Columns"})}
		}
		if o.Memory > 0 {
			o.Memory = max(o.Memory-2*d.Points.Bytes(), 1)
		}
	}
	d, err := dataset.Join(parts, paths)
	if err != nil || !o.FoldCase {
		return d, err
	}
	spelt := make(map[string]string)
	for _, name := range d.Classes {
		look := dataset.ClassLook(name)
		if other, ok := spelt[look]; ok {
			return nil, &dataset.Error{File: paths[0], Msg: dataset.Messagef("the classes %q and %q of this and the other files look alike: write them alike", other, name)}
		}
		spelt[look] = name
	}
	return d, nil
}

// like returns the options by which another file is read as d was.
func (o Options) like(d *dataset.Dataset, path string) Options {
	form, err := formatFor(o.Format, path)
	if err != nil {
		form = csvFormat() // as the others that are found out
	}
	columns := form.Name == Parquet || form.Name == Arrow // types show gaps even if no row of this part has one
	if o.Encoding == nil && (form.Table && !columns || form.Name == NPY) {
		o.Encoding = new(dataset.Encoding)
	}
	if form.Name != SVM && form.Name != JSON && form.Name != JSONL && o.Features == 0 && len(o.Columns) == 0 && !o.Encoding.Learnt() {
		o.Features = d.Points.Dim()
	}
	if o.Label == "" && (form.Table || form.Name == NPY) {
		o.Label = d.Label
	}
	return o
}

// readFile reads a file, or the part that it is of several, of which there is no data set
// yet.
func readFile(path string, o Options, t *fileSet) (*dataset.Dataset, error) {
	form, err := formatFor(o.Format, path)
	if o.Format == "" && err != nil && isFolder(path) {
		form, err = imagesFormat(), nil
	}
	if o.Format == "" && err != nil {
		err = nil // the file is looked into
	}
	if err != nil {
		return nil, err
	}
	if form.readPath != nil && t != nil {
		return nil, errApart
	}
	if form.readPath != nil {
		d, err := form.readPath(path, o)
		return o.shared(d), err
	}
	var own *extent
	switch {
	case t != nil:
		own = t.own
	case o.Ranks != nil:
		all, err := o.extents([]string{path})
		if err != nil {
			return nil, err
		}
		own = all[0]
	}
	_, o.part = Locate(path)
	f, err := openFile(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	whole := newWholeFile(f, o.Progress)
	if t != nil {
		whole.before, whole.all = t.before, t.all
	}
	d, err := read(whole, path, &form, o, own, t)
	if err == nil && d != nil && form.readBeside != nil {
		err = form.readBeside(path, d, o)
	}
	if err != nil {
		return nil, err
	}
	return d, nil
}

// Read reads a dataset from a stream, compressed or not, as [ReadFile] does.
// The name is used in errors, and for the format where o.Format is "". Of an
// idx dataset it reads the points only; a folder of images is no stream.
func Read(r io.Reader, name string, o Options) (*dataset.Dataset, error) {
	form, err := formatFor(o.Format, name)
	if err != nil {
		return nil, err
	}
	if !form.CanRead() {
		return nil, &dataset.Error{File: name, Msg: dataset.Messagef("%s are read from a folder; give its name", form.Name)}
	}
	return o.completed(read(r, name, &form, o, nil, nil))
}

// shared returns the rows of this rank of a data set that may have been read whole.
func (o Options) shared(d *dataset.Dataset) *dataset.Dataset {
	if d == nil || o.Ranks == nil || d.Total > 0 {
		return d
	}
	return d.Part(o.Ranks.Part())
}

// read reads a data set from r, as readFile does. It recognises the format by the first bytes where
// form is none. Of several ranks it reads the extent own of the file.
func read(r io.Reader, name string, form *Format, o Options, own *extent, t *fileSet) (*dataset.Dataset, error) {
	if o.Features == 0 {
		o.Features = len(o.Columns)
	}
	memory := o.memory()
	if t != nil {
		memory = t.origin.Memory.Part()
		defer memory.Free()
	}
	src, err := open(r, name, memory, o.Check)
	if err != nil {
		return nil, err
	}
	defer src.close()
	src.set, src.part = t, o.part
	if own != nil && (own.cut != uncut || own.from == own.to) {
		src.extent = own
	}
	if o.Decimal != "" {
		src.Decimal = o.Decimal[0]
	}
	if o.comments {
		if err := src.skipComments(); err != nil {
			return nil, err
		}
		src.comments = new(comments)
	}
	if t == nil && src.extent != nil {
		src.Ranks = o.Ranks
	}
	looked := form.Name == ""
	var told []dataset.Note
	if looked || form.text {
		if err := src.isForeign(*form); err != nil {
			return nil, err
		}
	}
	if src.isZip() && form.inZip == nil {
		if d, inside, err := src.readArchive(form, o); err != nil || inside {
			return d, err
		}
	}
	if form.Name == "" {
		*form = src.binary() // which is not to be taken for text
	}
	if form.Name == "" || form.text {
		guess := t == nil && (looked || form.Name == CSV || form.Name == TSV) // of several files others may have another encoding
		if told, err = src.decode(o, guess); err != nil {
			return nil, err
		}
	}
	if looked && form.Name == "" {
		if *form, err = src.look(); err != nil {
			return nil, err
		}
	}
	if !form.Table && t != nil {
		return nil, errApart
	}
	if !form.Table && o.TextAlone {
		return nil, &dataset.Error{File: name, Msg: dataset.Messagef("is read as %s, and only %s are tables of text; write it as one", form.Name, alternatives("and", Format.isTable))}
	}
	for _, of := range o.ofColumns() {
		if !form.Table && len(*of.columns) > 0 {
			return nil, &dataset.Error{File: name, Msg: dataset.Messagef("only %s have columns with names, not format %s; leave out %s", alternatives("and", Format.isTable), form.Name, dataset.Option{Name: of.name, Value: *of.columns})}
		}
	}
	if err := src.takePart(*form); err != nil {
		return nil, err
	}
	d, err := form.read(src, o)
	if err != nil {
		return nil, err
	}
	found := dataset.Note{Message: dataset.Messagef("read as %s, by its first bytes; for another format give %s", form.Name, dataset.Option{Name: "Format"})}
	if looked {
		told = append(told, found)
	}
	for _, n := range told {
		src.note(d, n)
	}
	if t != nil {
		return nil, nil
	}
	if err := validNames(d, name); err != nil {
		return nil, err
	}
	return o.shared(d), nil
}

// validNames refuses names that are not UTF-8: models and their files keep them
// as text.
func validNames(d *dataset.Dataset, file string) error {
	var columns []string
	for k := range d.Encoding.All() {
		columns = append(columns, d.Encoding.Columns[k].Name)
	}
	for _, names := range [][]string{d.Classes, d.Features, {d.Label}, columns} {
		for _, s := range names {
			if !utf8.ValidString(s) {
				return &dataset.Error{File: file, Msg: dataset.Messagef("the name %q is not UTF-8; save the file as UTF-8", s)}
			}
		}
	}
	return nil
}

// openFile opens a file for reading; its errors are *dataset.Error.
func openFile(path string) (*os.File, error) {
	f, err := os.Open(fileOf(path))
	if err != nil {
		msg := dataset.Messagef("cannot be opened (%v); check the file and its permissions", cause(err))
		if errors.Is(err, fs.ErrNotExist) {
			msg = dataset.Messagef("there is no such file; check the name and the folder")
		}
		return nil, &dataset.Error{File: path, Msg: msg, Err: err}
	}
	info, err := f.Stat()
	if err == nil && info.IsDir() {
		f.Close()
		return nil, &dataset.Error{File: path, Msg: dataset.Messagef("is a folder; give a file inside it")}
	}
	return f, nil
}

func isFolder(path string) bool {
	info, err := os.Stat(fileOf(path))
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
