package files

import (
	"bufio"
	"path/filepath"
	"slices"
	"strings"

	"lapsvm/dataset"
	"lapsvm/internal/system/fault"
)

// Formats returns all formats, in the order in which they are listed for people.
// A format is one row here, and one function in a file of its own. All that is special
// about it is there.
func Formats() []Format {
	return []Format{
		csvFormat(),
		tsvFormat(),
		svmFormat(),
		npyFormat(),
		npzFormat(),
		matFormat(),
		jsonFormat(),
		jsonlFormat(),
		parquetFormat(),
		arrowFormat(),
		xlsxFormat(),
		odsFormat(),
		sqliteFormat(),
		arffFormat(),
		idxFormat(),
		imagesFormat(),
	}
}

// Format is a kind of files.
type Format struct {
	Name    string   // for Options.Format
	Aliases []string // other names for Options.Format
	Endings []string // of the names of such files, without the dot, in lower case
	Holds   string   // what such a file holds, as a phrase
	Loses   string   // what such a file never keeps of a data set, as a phrase; "" for nothing
	Table   bool     // rows of fields, which may be words: see dataset.Table
	text    bool     // the file is text
	marks   []string // of which such a file begins with one; nil where none tells

	named func(base string) bool    // reports whether another name tells the format; may be nil
	inZip func(names []string) bool // reports whether a zip archive of these files is one of the format; nil for no archive
	parts string                    // what the parts of a file are, of which one is read, such as "sheet"; "" where it has none

	// read reads the file from its start. readPath, unless nil, takes the place of read and reads
	// the file or folder at a path. readBeside, unless nil, completes a data set from a second
	// file beside the path.
	read       func(src *source, o Options) (*dataset.Dataset, error)
	readPath   func(path string, o Options) (*dataset.Dataset, error)
	readBeside func(path string, d *dataset.Dataset, o Options) error

	// cut says how ranks divide a file that begins with head; nil where they do not.
	cut func(head []byte, o Options) cut

	// write writes a data set that fits the format, see holds. It is nil if the format is read only.
	// writeBeside, unless nil, returns the second file to write beside the path.
	write       func(w *bufio.Writer, d *dataset.Dataset, c classes) error
	writeBeside func(path string, d *dataset.Dataset, c classes) (output, error)

	// holds says why a data set does not fit the format. className says the same of a class name,
	// given as it will be read back: canonically where numeric. Both may be nil.
	holds     func(d *dataset.Dataset) (problem string)
	className func(class, spelt string) (problem string)
	numeric   bool

	// loses says what is not kept of a data set, a phrase for each loss. nil is for
	// formats that keep no names.
	loses func(d *dataset.Dataset) []string

	// writeSeries writes columns of results; nil where the format has none. Where
	// keyed, every column needs a name of its own, and where one, there is one column.
	writeSeries func(w *bufio.Writer, all []dataset.Series) error
	keyed, one  bool
}

// CanRead reports whether files are read from streams too, which images are not.
func (f Format) CanRead() bool { return f.read != nil }

// CanWrite reports whether data sets are written.
func (f Format) CanWrite() bool { return f.write != nil }

// CanWriteSeries reports whether columns of results are written.
func (f Format) CanWriteSeries() bool { return f.writeSeries != nil }

// CanWriteSeveral reports whether columns of results are written beside each other.
func (f Format) CanWriteSeveral() bool { return f.CanWriteSeries() && !f.one }

// isTable is Format.Table as a function.
func (f Format) isTable() bool { return f.Table }

// FormatOf returns the format that a file's name tells, or an error that lists the formats. The ending of a compressed file
// or the name of a part may follow. The format of an archive is that of its member.
func FormatOf(name string) (Format, error) {
	f, err := formatOf(name)
	if k := strings.LastIndexByte(name, '#'); err != nil && k > 0 {
		file, part := name[:k], name[k+1:]
		if f, other := formatOf(file); other == nil {
			return f, nil
		}
		if f, other := formatOf(part); other == nil {
			return f, nil
		}
	}
	return f, err
}

func formatOf(name string) (Format, error) {
	base := strings.ToLower(filepath.Base(name))
	base = strings.TrimSuffix(base, Compression(base))
	ending := strings.TrimPrefix(filepath.Ext(base), ".")
	for _, f := range Formats() {
		if slices.Contains(f.Endings, ending) {
			return f, nil
		}
	}
	for _, f := range Formats() {
		if f.named != nil && f.named(base) {
			return f, nil
		}
	}
	return Format{}, dataset.Messagef("the name %q does not tell the format; give %s %s", name, dataset.Option{Name: "Format"}, formatNames())
}

// FormatCalled returns the format of a name, which may be an alias, or an error
// that lists the formats.
func FormatCalled(name string) (Format, error) {
	for _, f := range Formats() {
		if f.Name == name || slices.Contains(f.Aliases, name) {
			return f, nil
		}
	}
	return Format{}, fault.Format.Errorf("unknown format %q; choose %s", name, formatNames())
}

func formatFor(given, name string) (Format, error) {
	if given != "" {
		return FormatCalled(given)
	}
	return FormatOf(name)
}

// formatNames lists the formats for error messages.
func formatNames() string { return alternatives("or", func(Format) bool { return true }) }

// alternatives lists the formats that are wanted: "a, b or c", or with another
// word before the last.
func alternatives(or string, wanted func(Format) bool) string {
	var names []string
	for _, f := range Formats() {
		if wanted(f) {
			names = append(names, f.Name)
		}
	}
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " " + or + " " + names[last]
}

// Lost says what a format does not keep of a dataset, one phrase for each loss;
// nil where it keeps everything. Class names that a format cannot hold are an
// error of [Write] instead. It panics for an unknown format.
func Lost(d *dataset.Dataset, format string) []string {
	f, err := FormatCalled(format)
	if err != nil {
		panic("files: " + err.Error())
	}
	var lost []string
	if f.loses == nil {
		lost = append(losesFeatures(d), losesLabel(d)...)
	} else {
		lost = f.loses(d)
	}
	return append(lost, losesClasses(d)...)
}
