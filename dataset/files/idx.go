package files

import (
	"bufio"
	"encoding/binary"
	"errors"
	"io"
	"io/fs"
	"math"
	"path/filepath"
	"strings"

	"lapsvm/dataset"
)

// IDX is the name of the format of this file.
const IDX = "idx" // the format of the MNIST files

func idxFormat() Format {
	return Format{
		Name:       IDX,
		Endings:    []string{"idx"},
		Holds:      "file …images…idx3… as MNIST has, with labels in …labels…idx1… beside it",
		Loses:      "names of columns",
		named:      func(base string) bool { return idxDigit(base) >= 0 },
		read:       readIDX,
		readBeside: readLabelsBeside,
		write: func(w *bufio.Writer, d *dataset.Dataset, _ classes) error {
			return writeIDXPoints(w, d)
		},
		writeBeside: func(path string, d *dataset.Dataset, c classes) (output, error) {
			labels := labelsPath(path)
			if labels == "" {
				return output{}, &dataset.Error{File: path, Msg: dataset.Messagef("the name must contain \"images\", so that the labels can be written beside it; rename it, such as train-images-idx3-ubyte")}
			}
			return output{labels, func(w *bufio.Writer) error { return writeIDXLabels(w, d, c.values) }}, nil
		},
		numeric:   true,
		className: notNumber(IDX),
	}
}

// idx: two zero bytes, the type, the number of dimensions, each dimension as a
// big-endian uint32, then the values, row after row and big-endian.
// Source: the description of the file format at the MNIST database.

// readIDX reads the points of an idx file: the first dimension counts the rows,
// the others are flattened.
func readIDX(src *source, o Options) (*dataset.Dataset, error) {
	if base := filepath.Base(src.File); strings.Contains(base, "labels") && !strings.Contains(base, "images") {
		return nil, src.Errorf(0, 0, "these are the labels of an idx dataset; give its images file, the labels are found beside it")
	}
	e, shape, total, err := readIDXHeader(src)
	if err != nil {
		return nil, err
	}
	n := shape[0]
	d := total / n
	src.Own = o.Ranks.Part().Range(n)
	values, _, err := src.storedRows(e, n, d, src.Own, -1)
	if err != nil {
		return nil, err
	}
	if o.Features > 0 && d != o.Features {
		return nil, src.OtherWidth(d, o.Features)
	}
	labels := dataset.NewLabels(&src.Origin, true, dataset.LabelRules{})
	for range n {
		if err := labels.AddNone(); err != nil {
			return nil, err
		}
	}
	set := &dataset.Dataset{Points: values.points(values.len()/d, d)}
	if e.isByte() {
		set.Image = bytesAsImage(shape[1:])
	}
	if err := labels.Finish(set); err != nil {
		return nil, err
	}
	return set, src.finite(set, func(j int) int { return j })
}

// readIDXHeader reads what comes before the values of an idx file: their type, the
// dimensions and their number, at least one.
func readIDXHeader(src *source) (e element, shape []int, total int, err error) {
	const damaged = "the header of the idx file is damaged or cut off; fetch it again"
	head := make([]byte, 4)
	if _, err := io.ReadFull(src, head); err != nil || head[0] != 0 || head[1] != 0 {
		return e, nil, 0, ended(err, src.Errorf(0, 0, "this is no idx file; check its format"))
	}
	e = element{order: binary.BigEndian}
	switch head[2] {
	case 0x08:
		e.kind, e.size = 'u', 1
	case 0x09:
		e.kind, e.size = 'i', 1
	case 0x0B:
		e.kind, e.size = 'i', 2
	case 0x0C:
		e.kind, e.size = 'i', 4
	case 0x0D:
		e.kind, e.size = 'f', 4
	case 0x0E:
		e.kind, e.size = 'f', 8
	default:
		return e, nil, 0, src.Errorf(0, 0, "the idx type 0x%02x is not known; check that this is an idx file", head[2])
	}
	sizes := make([]byte, 4*int(head[3]))
	if _, err := io.ReadFull(src, sizes); err != nil {
		return e, nil, 0, ended(err, src.Damagedf(damaged))
	}
	for ; len(sizes) > 0; sizes = sizes[4:] {
		shape = append(shape, int(binary.BigEndian.Uint32(sizes)))
	}
	total, ok := elements(shape)
	if !ok || total == 0 || len(shape) == 0 {
		return e, nil, 0, src.Errorf(0, 0, "the dimensions are %v; check the file: each must be at least 1, and all values must fit into memory", shape)
	}
	return e, shape, total, nil
}

// readLabelsBeside sets the labels of d, the images at path, from the file that
// belongs to them. Without such a file no row has a label.
func readLabelsBeside(path string, d *dataset.Dataset, o Options) error {
	src, err := openLabels(path, o.Memory)
	if err != nil || src == nil {
		return err
	}
	defer src.close()
	e, shape, total, err := readIDXHeader(src)
	if err != nil {
		return err
	}
	values, err := src.numbers(e, total)
	if err != nil {
		return err
	}
	if n := d.OfAll(); len(shape) != 1 || len(values) != n {
		return src.Errorf(0, 0, "there are labels of dimensions %v for %d images; give the labels file of these images", shape, n)
	}
	src.Own = o.Ranks.Part().Range(len(values))
	labels := dataset.NewLabels(&src.Origin, true, o.rules())
	for i, v := range values {
		if math.IsInf(v, 0) {
			return src.Errorf(0, 0, "row %d: the label is %v; give a number, or NaN for no label", i+1, v)
		}
		if err := labels.AddNumber(v); err != nil {
			return err
		}
	}
	return labels.Finish(d)
}

// openLabels opens the labels file beside an images file, compressed like that
// or otherwise; nil where there is none. Reading may take so much memory.
func openLabels(path string, memory int64) (*source, error) {
	for _, beside := range labelsBeside(path) {
		f, err := openFile(beside)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		src, err := open(f, beside, dataset.NewMemory(memory), nil)
		if err != nil {
			f.Close()
			return nil, err
		}
		unpack := src.close
		src.close = func() { unpack(); f.Close() }
		return src, nil
	}
	return nil, nil
}

// labelsBeside returns the files in which the labels of an images file may be, in the order in
// which they are looked for; none for others.
func labelsBeside(path string) (all []string) {
	name := labelsPath(path)
	if name == "" {
		return nil
	}
	compressed := name[len(name)-len(Compression(name)):]
	for _, ending := range append([]string{compressed, ""}, Packed(false)...) {
		all = append(all, strings.TrimSuffix(name, compressed)+ending)
	}
	return all
}

// labelsPath returns the name of the labels file for an images file: "images"
// becomes "labels" and the digit after idx becomes 1. It is "" for a file whose
// name has no "images".
func labelsPath(path string) string {
	dir, base := filepath.Split(path)
	i := strings.LastIndex(base, "images")
	if i < 0 {
		return ""
	}
	base = base[:i] + "labels" + base[i+len("images"):]
	if k := idxDigit(base); k >= 0 {
		base = base[:k] + "1" + base[k+1:]
	}
	return dir + base
}

// idxDigit returns the place of the digit in a name with "idx3-", −1 where
// there is none.
func idxDigit(base string) int {
	k := strings.LastIndex(base, "idx") + 3
	if k < 3 || k+1 >= len(base) || base[k] < '0' || base[k] > '9' || base[k+1] != '-' {
		return -1
	}
	return k
}

// writeIDXPoints writes n×√d×√d values where d is a square, else n×1×d: bytes
// where all values are whole from 0 to 255, else float64.
func writeIDXPoints(w *bufio.Writer, d *dataset.Dataset) error {
	n, width := d.Points.Len(), d.Points.Dim()
	row := make([]float64, width)
	bytes := true
	for i := 0; i < n && bytes; i++ {
		d.Points.CopyRow(row, i)
		bytes = areBytes(row)
	}
	height := int(math.Sqrt(float64(width)))
	if height*height != width {
		height = 1
	}
	writeIDXHeader(w, bytes, n, height, width/height)
	for i := range n {
		d.Points.CopyRow(row, i)
		if err := writeIDXValues(w, bytes, row); err != nil {
			return err
		}
	}
	return nil
}

// writeIDXLabels writes the classes as bytes where that is possible and every
// row has one, else as float64 with NaN for "no label".
func writeIDXLabels(w *bufio.Writer, d *dataset.Dataset, class []float64) error {
	values := labelValues(d, class)
	bytes := areBytes(values)
	writeIDXHeader(w, bytes, len(values))
	return writeIDXValues(w, bytes, values)
}

func writeIDXHeader(w *bufio.Writer, bytes bool, shape ...int) {
	kind := byte(0x0E)
	if bytes {
		kind = 0x08
	}
	w.Write([]byte{0, 0, kind, byte(len(shape))})
	for _, n := range shape {
		w.Write(binary.BigEndian.AppendUint32(w.AvailableBuffer(), uint32(n)))
	}
}

func writeIDXValues(w *bufio.Writer, bytes bool, values []float64) error {
	var err error
	for _, v := range values {
		if bytes {
			err = w.WriteByte(byte(v))
		} else {
			_, err = w.Write(binary.BigEndian.AppendUint64(w.AvailableBuffer(), math.Float64bits(v)))
		}
	}
	return err
}

// areBytes reports whether all values are whole numbers from 0 to 255; −0 is
// not, since a byte would lose its sign.
func areBytes(values []float64) bool {
	for _, v := range values {
		if !(v >= 0 && v <= 255 && v == math.Trunc(v)) || math.Signbit(v) {
			return false
		}
	}
	return true
}
