package files

import (
	"archive/zip"
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"unicode/utf8"

	"lapsvm/dataset"
)

// writeNPZ writes an uncompressed archive. The points are X, n×d float64, or if they are sparse the
// arrays that scipy.sparse.load_npz reads. The labels are y, left out where no row has one: float64
// where all classes are numbers (NaN for no label), else strings (empty for no label). The array
// feature_names has the names of the columns. The same data gives the same bytes.
func writeNPZ(w *bufio.Writer, d *dataset.Dataset) error {
	archive := npzWriter{zip: zip.NewWriter(w)}
	entry := archive.entry
	n, width, p := d.Points.Len(), d.Points.Dim(), d.Points
	if p.Sparse() {
		stored := fmt.Sprintf("(%d,)", p.Stored())
		entry("indices", "<i4", stored, func(b *bufio.Writer) {
			for i := range n {
				index, _ := p.SparseRow(i)
				for _, j := range index {
					b.Write(binary.LittleEndian.AppendUint32(b.AvailableBuffer(), uint32(j)))
				}
			}
		})
		entry("indptr", "<i8", fmt.Sprintf("(%d,)", n+1), func(b *bufio.Writer) {
			end := 0
			b.Write(make([]byte, 8))
			for i := range n {
				index, _ := p.SparseRow(i)
				end += len(index)
				b.Write(binary.LittleEndian.AppendUint64(b.AvailableBuffer(), uint64(end)))
			}
		})
		entry("format", "|S3", "()", func(b *bufio.Writer) { b.WriteString("csr") })
		entry("shape", "<i8", "(2,)", func(b *bufio.Writer) {
			b.Write(binary.LittleEndian.AppendUint64(b.AvailableBuffer(), uint64(n)))
			b.Write(binary.LittleEndian.AppendUint64(b.AvailableBuffer(), uint64(width)))
		})
		entry("data", "<f8", stored, func(b *bufio.Writer) {
			for i := range n {
				_, value := p.SparseRow(i)
				writeFloats(b, value)
			}
		})
	} else {
		entry("X", "<f8", fmt.Sprintf("(%d, %d)", n, width), func(b *bufio.Writer) {
			scratch := p.Scratch(1)
			for i := range n {
				writeFloats(b, p.Row(i, scratch))
			}
		})
	}
	if len(d.Labelled()) > 0 {
		shape := fmt.Sprintf("(%d,)", n)
		if values, ok := numberedClasses(d.Classes); ok {
			entry("y", "<f8", shape, func(b *bufio.Writer) { writeFloats(b, labelValues(d, values)) })
		} else {
			longest := 1
			for _, name := range d.Classes {
				longest = max(longest, utf8.RuneCountInString(name))
			}
			entry("y", fmt.Sprintf("<U%d", longest), shape, func(b *bufio.Writer) {
				for _, y := range d.Y {
					name := ""
					if y != dataset.Unlabelled {
						name = d.Classes[y]
					}
					writeUCS4(b, name, longest)
				}
			})
		}
	}
	archive.names(d)
	return archive.close()
}

// writeNPZSeries writes an uncompressed archive with an array for each column, under
// its name: float64, or strings.
func writeNPZSeries(w *bufio.Writer, all []dataset.Series) error {
	archive := npzWriter{zip: zip.NewWriter(w)}
	for _, s := range all {
		descr, write := seriesArray(s)
		archive.entry(s.Name, descr, fmt.Sprintf("(%d,)", s.Len()), write)
	}
	return archive.close()
}

// seriesArray returns the type of the array of a column, and what writes its values.
func seriesArray(s dataset.Series) (descr string, write func(*bufio.Writer)) {
	if s.Text == nil {
		return "<f8", func(w *bufio.Writer) { writeFloats(w, s.Numbers) }
	}
	longest := 1
	for _, text := range s.Text {
		longest = max(longest, utf8.RuneCountInString(text))
	}
	return fmt.Sprintf("<U%d", longest), func(w *bufio.Writer) {
		for _, text := range s.Text {
			writeUCS4(w, text, longest)
		}
	}
}

// npzWriter writes the arrays of an archive one after the other. It keeps the first
// failure for close.
type npzWriter struct {
	zip *zip.Writer
	err error
}

// entry adds an array of a type and a shape, whose values write writes.
func (a *npzWriter) entry(name, descr, shape string, write func(*bufio.Writer)) {
	if a.err != nil {
		return
	}
	to, err := a.zip.CreateHeader(&zip.FileHeader{Name: name + ".npy", Method: zip.Store})
	if err == nil {
		b := bufio.NewWriterSize(to, bufferSize)
		writeNPYHeader(b, descr, shape)
		write(b)
		err = b.Flush()
	}
	a.err = err
}

func (a *npzWriter) close() error {
	return errors.Join(a.err, a.zip.Close())
}

func writeFloats(w *bufio.Writer, values []float64) {
	for _, v := range values {
		w.Write(binary.LittleEndian.AppendUint64(w.AvailableBuffer(), math.Float64bits(v)))
	}
}

// writeUCS4 writes text as length characters of four bytes, padded by zeros.
func writeUCS4(w *bufio.Writer, text string, length int) {
	for _, r := range text {
		w.Write(binary.LittleEndian.AppendUint32(w.AvailableBuffer(), uint32(r)))
		length--
	}
	for range length {
		w.Write([]byte{0, 0, 0, 0})
	}
}

// labelValues returns the class of every row as a number, NaN without a label.
func labelValues(d *dataset.Dataset, class []float64) []float64 {
	values := make([]float64, len(d.Y))
	for i, y := range d.Y {
		values[i] = math.NaN()
		if y != dataset.Unlabelled {
			values[i] = class[y]
		}
	}
	return values
}
