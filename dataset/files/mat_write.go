package files

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"math"
	"unicode/utf8"

	"lapsvm/dataset"
)

// maxMAT is the number of bytes that a variable may have; MATLAB itself reads
// no larger ones at this level.
const maxMAT = math.MaxInt32

// writeMAT writes an uncompressed little-endian MAT-file of level 5. The points are X, n×d doubles,
// sparse if the points are. The labels are y, left out where no row has one: n×1 doubles if all
// classes are numbers (NaN for no label), else an n×1 cell array of strings (empty for no label).
func writeMAT(w *bufio.Writer, d *dataset.Dataset) error {
	m := matWriter{w}
	fmt.Fprintf(w, "%-116s", "MATLAB 5.0 MAT-file, written by lapsvm")
	w.WriteString("\x00\x00\x00\x00\x00\x00\x00\x00\x00\x01IM")
	n, width, p := d.Points.Len(), d.Points.Dim(), d.Points
	if p.Sparse() {
		m.sparse(d)
	} else {
		m.begin("X", matDouble, 0, n, width, 8+8*n*width)
		m.tag(9, 8*n*width)
		const block = 32 // columns at a time, so that rows are read from the cache
		columns, scratch := make([]float64, block*n), p.Scratch(1)
		for from := 0; from < width; from += block {
			to := min(from+block, width)
			for i := range n {
				for j, v := range p.Row(i, scratch)[from:to] {
					columns[j*n+i] = v
				}
			}
			writeFloats(w, columns[:(to-from)*n])
		}
	}
	if len(d.Labelled()) > 0 {
		if values, ok := numberedClasses(d.Classes); ok {
			m.begin("y", matDouble, 0, n, 1, 8+8*n)
			m.tag(9, 8*n)
			writeFloats(w, labelValues(d, values))
		} else {
			m.cells(d)
		}
	}
	_, err := w.Write(nil)
	return err
}

// matSize returns the bytes of the largest variable of a dataset.
func matSize(d *dataset.Dataset) float64 {
	if d.Points.Sparse() {
		return matOverhead + 12*float64(d.Points.Stored()) + 4*float64(d.Points.Dim())
	}
	return matOverhead + 8*float64(d.Points.Len())*float64(d.Points.Dim())
}

// matOverhead is more than what a variable has beside its values.
const matOverhead = 128

type matWriter struct{ *bufio.Writer }

func (m matWriter) word(v int) {
	m.Write(binary.LittleEndian.AppendUint32(m.AvailableBuffer(), uint32(v)))
}

func (m matWriter) tag(kind, size int) {
	m.word(kind)
	m.word(size)
}

// begin writes the tag and beginning of a variable of n×d whose values, their
// tags included, take size bytes. The name is one letter or none.
func (m matWriter) begin(name string, class, entries, n, d, size int) {
	m.tag(matMatrix, 40+size)
	m.tag(6, 8)
	m.word(class)
	m.word(entries)
	m.tag(5, 8)
	m.word(n)
	m.word(d)
	m.word(1 | len(name)<<16)
	m.WriteString((name + "\x00\x00\x00\x00")[:4])
}

// padded returns the size of data that are filled up to 8 bytes.
func padded(size int) int { return (size + 7) / 8 * 8 }

func (m matWriter) sparse(d *dataset.Dataset) {
	n, width, stored := d.Points.Len(), d.Points.Dim(), d.Points.Stored()
	next := make([]int, width+1) // next[j]: where the next entry of column j goes
	for i := range n {
		index, _ := d.Points.SparseRow(i)
		for _, j := range index {
			next[j+1]++
		}
	}
	for j := range width {
		next[j+1] += next[j]
	}
	m.begin("X", matSparse, max(stored, 1), n, width, 24+padded(4*stored)+padded(4*(width+1))+8*stored)
	row, value := make([]int, stored), make([]float64, stored)
	start := make([]int, width+1)
	copy(start, next)
	for i := range n {
		index, values := d.Points.SparseRow(i)
		for k, j := range index {
			row[next[j]], value[next[j]] = i, values[k]
			next[j]++
		}
	}
	for _, part := range [][]int{row, start} {
		m.tag(5, 4*len(part))
		for _, v := range part {
			m.word(v)
		}
		if len(part)%2 == 1 {
			m.word(0)
		}
	}
	m.tag(9, 8*stored)
	writeFloats(m.Writer, value)
}

// cells writes the class names of all rows as a cell array y.
func (m matWriter) cells(d *dataset.Dataset) {
	text := func(y int) string {
		if y == dataset.Unlabelled {
			return ""
		}
		return d.Classes[y]
	}
	size := 0
	for _, y := range d.Y {
		size += 8 + 40 + 8 + padded(len(text(y)))
	}
	m.begin("y", matCell, 0, len(d.Y), 1, size)
	for _, y := range d.Y {
		s := text(y)
		length := utf8.RuneCountInString(s)
		m.begin("", matChar, 0, min(length, 1), length, 8+padded(len(s)))
		m.tag(matUTF8, len(s))
		m.WriteString(s)
		m.WriteString("\x00\x00\x00\x00\x00\x00\x00"[:padded(len(s))-len(s)])
	}
}
