package files

import (
	"bufio"
	"encoding/binary"
	"strings"

	"lapsvm/dataset"
)

// arrowWriter writes messages, and remembers where those of batches are.
type arrowWriter struct {
	*bufio.Writer
	file    bool // with marks and an index; else a stream
	columns []arrowColumn
	at      int64 // bytes written
	blocks  []arrowBlock
}

// arrowBlock is where a batch is: description and body.
type arrowBlock struct{ at, meta, body int64 }

// arrowColumn is a column to be written: doubles, lists of so many of them, or
// strings, of which "" is none.
type arrowColumn struct {
	name    string
	strings bool
	list    int // 0 for none
}

// arrowRows is about how many values a batch has.
const arrowRows = 1 << 20

// writeArrow writes the labels as nullable strings. It writes up to 1,000 features with different
// names as a column of doubles each, and other features as one column vector of lists. The
// result is an Arrow file, or a stream where the name ends in .arrows or is missing.
func writeArrow(w *bufio.Writer, d *dataset.Dataset, c classes) error {
	width := d.Points.Dim()
	label, named := columnNames(d)
	var columns []arrowColumn
	if named {
		for _, name := range d.Features {
			columns = append(columns, arrowColumn{name: name})
		}
	} else {
		columns = []arrowColumn{{name: vectorKey, list: width}}
	}
	columns = append(columns, arrowColumn{name: label, strings: true})
	stream := c.file == "" || strings.HasSuffix(strings.TrimSuffix(strings.ToLower(c.file), Compression(c.file)), ".arrows")
	out := newArrowWriter(w, !stream, columns)
	text := func(i int) string {
		if y := d.Y[i]; y != dataset.Unlabelled {
			return d.Classes[y]
		}
		return ""
	}
	row := make([]float64, width)
	return out.batches(d.Points.Len(), width, func(b *arrowBody, from, to int) {
		values := make([]float64, (to-from)*width)
		for i := from; i < to; i++ {
			d.Points.CopyRow(row, i)
			for j, v := range row {
				if named {
					values[j*(to-from)+i-from] = v
				} else {
					values[(i-from)*width+j] = v
				}
			}
		}
		if named {
			for j := range width {
				b.floats(values[j*(to-from):(j+1)*(to-from)], to-from)
			}
		} else {
			b.node(to-from, 0)
			b.buffer(nil)
			b.floats(values, len(values))
		}
		b.texts(from, to, text)
	})
}

// writeArrowSeries writes a file with a column of nullable strings or of doubles
// for each.
func writeArrowSeries(w *bufio.Writer, all []dataset.Series) error {
	columns := make([]arrowColumn, len(all))
	for k, s := range all {
		columns[k] = arrowColumn{name: s.Name, strings: s.Text != nil}
	}
	return newArrowWriter(w, true, columns).batches(all[0].Len(), len(all), func(b *arrowBody, from, to int) {
		for _, s := range all {
			if s.Text == nil {
				b.floats(s.Numbers[from:to], to-from)
			} else {
				b.texts(from, to, func(i int) string { return s.Text[i] })
			}
		}
	})
}

func newArrowWriter(w *bufio.Writer, file bool, columns []arrowColumn) *arrowWriter {
	return &arrowWriter{Writer: w, file: file, columns: columns}
}

// batches writes n rows of so many values; fill makes the body of a batch.
func (w *arrowWriter) batches(n, width int, fill func(b *arrowBody, from, to int)) error {
	if w.file {
		w.bytes([]byte(arrowMark + "\x00\x00"))
	}
	w.message(arrowSchema, 0, w.schema)
	step := max(1, arrowRows/width)
	for from := 0; from < n; from += step {
		to := min(from+step, n)
		var b arrowBody
		fill(&b, from, to)
		at := w.at
		rows := to - from
		w.message(arrowBatch, len(b.data), func(f *flatWriter, from int) { b.describe(f, from, rows) })
		w.blocks = append(w.blocks, arrowBlock{at, w.at - at, int64(len(b.data))})
		w.bytes(b.data)
		if _, err := w.Write(nil); err != nil {
			return err
		}
	}
	w.bytes([]byte("\xff\xff\xff\xff\x00\x00\x00\x00"))
	if w.file {
		footer := w.footer()
		w.bytes(footer)
		w.bytes(binary.LittleEndian.AppendUint32(nil, uint32(len(footer))))
		w.bytes([]byte(arrowMark))
	}
	_, err := w.Write(nil)
	return err
}

func (w *arrowWriter) bytes(b []byte) {
	w.Write(b)
	w.at += int64(len(b))
}
