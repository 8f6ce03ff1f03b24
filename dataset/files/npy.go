package files

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"

	"lapsvm/dataset"
	"lapsvm/dataset/internal/number"
)

// NPY is the name of the format of this file.
const NPY = "npy" // NumPy array

func npyFormat() Format {
	return Format{
		Name:      NPY,
		Endings:   []string{"npy"},
		marks:     []string{npyMagic},
		Holds:     "NumPy array, with labels in its last column",
		Loses:     "names of columns",
		read:      readNPY,
		write:     writeNPY,
		numeric:   true,
		className: notNumber(NPY),

		writeSeries: writeNPYSeries,
		one:         true,
	}
}

const (
	npyMagic     = "\x93NUMPY"
	maxNPYHeader = 1 << 16 // bytes; NumPy itself writes about 128
)

// readNPY reads a two-dimensional NumPy array of versions 1 to 3, in C or
// Fortran order, of integers, booleans or floating-point numbers of either byte
// order. Which column holds the labels is told by [Options]; NaN there means no
// label. Values are kept as [source.stored] does; whole labels must be exact.
// Fortran order takes twice the memory of the values while it is read.
func readNPY(src *source, o Options) (*dataset.Dataset, error) {
	h, err := readNPYHeader(src)
	if err != nil {
		return nil, err
	}
	if err := h.isTable(src); err != nil {
		return nil, err
	}
	n, width := h.shape[0], h.width()
	if len(h.shape) > 2 && o.Label == "" { // images and the like have no label inside
		o.Features = width
	}
	src.Own = o.Ranks.Part().Range(n)
	from, to := src.Own.Between(n)
	if err := src.fits(h.element, (to-from)*width); err != nil {
		return nil, err
	}
	var values stored
	if h.fortran {
		src.Own = dataset.Own{}
	}
	if h.fortran || !src.holdsRow(h.element, width) { // a damaged header may claim any width
		if values, _, err = src.storedRows(h.element, n, width, dataset.Own{}, -1); err != nil {
			return nil, err
		}
	}
	src.First = func() ([][]string, error) {
		if h.fortran {
			return h.firstRows(src, &values)
		}
		return h.rowsAhead(src)
	}
	lay, err := dataset.NewLayout(&src.Origin, nil, width, 0, o.table())
	if err != nil {
		return nil, err
	}
	var column []float64 // the labels
	if h.fortran {
		if lay.Label >= 0 {
			column = h.column(&values, lay.Label)
		}
	} else {
		if values, column, err = src.storedRows(h.element, n, width, src.Own, lay.Label); err != nil {
			return nil, err
		}
	}
	labels := dataset.NewLabels(&src.Origin, true, o.rules())
	for i := range n {
		if lay.Label < 0 {
			if err := labels.AddNone(); err != nil {
				return nil, err
			}
			continue
		}
		if problem := h.element.labelProblem(column[i]); problem != "" {
			return nil, src.Errorf(0, 0, "row %d, column %d: %s", i+1, lay.Label+1, problem)
		}
		if err := labels.AddNumber(h.element.label(column[i])); err != nil {
			return nil, err
		}
	}

	d, rows := len(lay.Features), values.len()/width
	switch {
	case h.fortran:
		values.turn(h, lay.Features)
	case d < width:
		values.closeUp(rows, width, lay.Label)
	}
	set := &dataset.Dataset{Points: values.points(rows, d), Guessed: lay.Guessed()}
	if lay.Label >= 0 && lay.Label != width-1 {
		set.Label = strconv.Itoa(lay.Label + 1)
	}
	if err := labels.Finish(set); err != nil {
		return nil, err
	}
	h.flattened(set)
	if h.element.long() {
		doubtRounded(set)
	}
	return set, src.finite(set, func(j int) int { return lay.Features[j] })
}

// column returns a column of values in Fortran's order.
func (h npyHeader) column(values *stored, c int) []float64 {
	n := h.shape[0]
	column := make([]float64, n)
	for i := range column {
		column[i] = values.at(h.place(c)*n + i)
	}
	return column
}

// rowsAhead returns the first rows of an array in C's order as text; they are still to be
// read.
func (h npyHeader) rowsAhead(src *source) ([][]string, error) {
	count := min(h.shape[0], rowsAhead) * h.width()
	bytes := count * (8 + h.element.size)
	if err := src.Take(bytes, "the first rows"); err != nil {
		return nil, err
	}
	defer src.Give(bytes)
	head := src.peek(count * h.element.size)
	if len(head) < count*h.element.size {
		_, _, err := src.storedRows(h.element, h.shape[0], h.width(), dataset.Own{}, -1)
		return nil, err
	}
	values := stored{double: make([]float64, count)}
	h.element.decode(values.double, head)
	return h.firstRows(src, &values)
}

// firstRows returns the first rows of values as text.
func (h npyHeader) firstRows(src *source, values *stored) ([][]string, error) {
	n, width := h.shape[0], h.width()
	rows := make([][]string, min(n, rowsAhead))
	const field = 40 // bytes with its text
	if err := src.Take(field*len(rows)*width, "the first rows"); err != nil {
		return nil, err
	}
	defer src.Give(field * len(rows) * width)
	for i := range rows {
		rows[i] = make([]string, width)
		for c := range width {
			at := i*width + c
			if h.fortran {
				at = h.place(c)*n + i
			}
			rows[i][c] = number.Format(values.at(at))
		}
	}
	return rows, nil
}

// long reports whether the numbers are integers of 8 bytes.
func (e element) long() bool { return e.kind != 'f' && e.size == 8 }

// label returns the number that a label of this type is.
func (e element) label(v float64) float64 {
	if e.kind != 'f' {
		return v
	}
	return number.Meant(v, e.size)
}

// labelProblem says why a number of this type is no label and what to do; ""
// where it is one.
func (e element) labelProblem(v float64) string {
	switch {
	case math.IsInf(v, 0):
		return fmt.Sprintf("the label is %v; give a number, or NaN for no label", v)
	case e.kind != 'f' && math.Abs(v) >= 1<<53:
		return fmt.Sprintf("the label %.0f is too large to be exact; number the classes from 0", v)
	}
	return ""
}

type npyHeader struct {
	descr   string // the type as the file spells it
	element element
	numeric bool // element says what the type is
	fortran bool
	shape   []int
}

// isTable refuses arrays that are not numbers in rows and columns.
func (h npyHeader) isTable(src *source) error {
	if !h.numeric {
		return src.Errorf(0, 0, "the array's type is %q; save numbers: bool, int8 to int64, uint8 to uint64, float16 to float64", h.descr)
	}
	if len(h.shape) < 2 {
		return src.Errorf(0, 0, "the array is %d-dimensional; save a table of rows and columns, such as a.reshape(-1, 1)", len(h.shape))
	}
	if total, ok := elements(h.shape); !ok || total == 0 {
		return src.Errorf(0, 0, "the array is %s; save one with at least one row and one column that fits into memory", shapeText(h.shape))
	}
	return nil
}

// width returns the number of values of a row, whose further dimensions are flattened.
func (h npyHeader) width() int {
	width := 1
	for _, n := range h.shape[1:] {
		width *= n
	}
	return width
}

// flattened notes that rows of several dimensions became one, and that bytes are images.
func (h npyHeader) flattened(d *dataset.Dataset) {
	if len(h.shape) > 2 {
		if image := bytesAsImage(h.shape[1:]); !image.None() && strings.HasSuffix(h.descr, "u1") && image.Dim() == d.Points.Dim() {
			d.Image = image
		}
		d.Notes = append(d.Notes, dataset.Note{Message: dataset.Messagef("the array is %s: each of its %d rows is flattened to %d features, the last dimension fastest", shapeText(h.shape), h.shape[0], h.width())})
	}
}

// place returns where in Fortran's order of a row's dimensions, the first fastest, the
// value is that C's order has at column c.
func (h npyHeader) place(c int) int {
	at, stride := 0, h.width()
	for k := len(h.shape) - 1; k >= 1; k-- {
		stride /= h.shape[k]
		at += c % h.shape[k] * stride
		c /= h.shape[k]
	}
	return at
}

// readNPYHeader reads what comes before the values.
func readNPYHeader(src *source) (npyHeader, error) {
	var h npyHeader
	const damaged = "the header of the npy file is damaged or cut off; write it again with numpy.save"
	fixed := make([]byte, 12)
	if _, err := io.ReadFull(src, fixed[:8]); err != nil || string(fixed[:6]) != npyMagic {
		return h, ended(err, src.Errorf(0, 0, "this is no npy file; check its format, or write it with numpy.save"))
	}
	length := fixed[8:10]
	switch version := fixed[6]; version {
	case 1:
	case 2, 3:
		length = fixed[8:12]
	default:
		return h, src.Errorf(0, 0, "npy version %d is not known; write it again with numpy.save, in version 1 to 3", version)
	}
	if _, err := io.ReadFull(src, length); err != nil {
		return h, ended(err, src.Damagedf(damaged))
	}
	size := binary.LittleEndian.Uint32(append(length, 0, 0, 0, 0)[:4])
	if size > maxNPYHeader {
		return h, src.Damagedf(damaged)
	}
	text := make([]byte, size)
	if _, err := io.ReadFull(src, text); err != nil {
		return h, ended(err, src.Damagedf(damaged))
	}

	find := func(key, value string) string {
		m := regexp.MustCompile(`['"]` + key + `['"]\s*:\s*` + value).FindSubmatch(text)
		if m == nil {
			return ""
		}
		return string(m[1])
	}
	var order string
	h.descr, order = find("descr", `['"]([^'"]*)['"]`), find("fortran_order", `(True|False)`)
	shape := find("shape", `(\([^()]*\))`)
	if find("descr", `(\[)`) != "" {
		return h, src.Errorf(0, 0, "the array has named fields; save a plain array of numbers with two dimensions")
	}
	if h.descr == "" || order == "" || shape == "" {
		return h, src.Damagedf(damaged)
	}
	h.fortran = order == "True"
	h.element, h.numeric = npyElement(h.descr)
	for part := range strings.SplitSeq(strings.Trim(shape, "()"), ",") {
		part = strings.TrimSpace(part)
		if part == "" {
			continue
		}
		size, err := strconv.Atoi(part)
		if err != nil || size < 0 {
			return h, src.Damagedf(damaged)
		}
		h.shape = append(h.shape, size)
	}
	return h, nil
}

// ended returns short where reading failed because the data ended, or did not
// fail, and err otherwise.
func ended(err, short error) error {
	if err == nil || err == io.EOF || err == io.ErrUnexpectedEOF {
		return short
	}
	return err
}

// npyElement understands types such as "<f8", ">i4", "|u1" and "|b1".
func npyElement(descr string) (element, bool) {
	if len(descr) != 3 {
		return element{}, false
	}
	e := element{kind: descr[1], size: int(descr[2] - '0'), order: binary.LittleEndian}
	if descr[0] == '>' {
		e.order = binary.BigEndian
	}
	switch descr[1:] {
	case "b1":
		e.kind = 'u'
	case "u1", "u2", "u4", "u8", "i1", "i2", "i4", "i8", "f2", "f4", "f8":
	default:
		return element{}, false
	}
	return e, strings.IndexByte("<>|=", descr[0]) >= 0
}

// writeNPYHeader writes the header of a version 1 array in C order.
func writeNPYHeader(w *bufio.Writer, descr, shape string) {
	text := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': %s, }", descr, shape)
	pad := 63 - (len(npyMagic)+4+len(text))%64
	text += strings.Repeat(" ", pad) + "\n"
	w.WriteString(npyMagic + "\x01\x00")
	w.Write(binary.LittleEndian.AppendUint16(w.AvailableBuffer(), uint16(len(text))))
	w.WriteString(text)
}

// writeNPY writes a version 1 array of n rows and d+1 columns of float64: the
// features and, last, the class as a number, NaN where there is none.
func writeNPY(w *bufio.Writer, d *dataset.Dataset, c classes) error {
	n, width := d.Points.Len(), d.Points.Dim()
	writeNPYHeader(w, "<f8", fmt.Sprintf("(%d, %d)", n, width+1))
	row := make([]float64, width+1)
	for i := range n {
		d.Points.CopyRow(row[:width], i)
		row[width] = math.NaN()
		if y := d.Y[i]; y != dataset.Unlabelled {
			row[width] = c.values[y]
		}
		for _, v := range row {
			if _, err := w.Write(binary.LittleEndian.AppendUint64(w.AvailableBuffer(), math.Float64bits(v))); err != nil {
				return err
			}
		}
	}
	return nil
}

// writeNPYSeries writes a version 1 array of one dimension, of float64 or of strings.
func writeNPYSeries(w *bufio.Writer, all []dataset.Series) error {
	descr, write := seriesArray(all[0])
	writeNPYHeader(w, descr, fmt.Sprintf("(%d,)", all[0].Len()))
	write(w)
	return nil
}
