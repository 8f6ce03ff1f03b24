package modelfile

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"

	"lapsvm/internal/system/atomicfile"
	"lapsvm/points"
)

// WriteFile writes c to the file called path: aside, synced and renamed, so
// that the file is there whole or as it was before.
func WriteFile(path string, c *Contents) error {
	return atomicfile.Write(path, func(w io.Writer) error { return Write(w, c) })
}

// Write writes c to w. It fails for a kernel without a name in the format, for parts that do not
// fit together, and for names that are not UTF-8.
func Write(w io.Writer, c *Contents) error {
	if c.Local != nil && (c.Local.Index == nil || c.Local.Index.Basis == nil) {
		return errors.New("this is not a model that can be written: neighbours without an index")
	}
	h := header{
		Description: descriptionToHeader(c.Description),
		Scaling:     string(c.Scaling.Kind),
		Basis:       storageHeader(c.Basis, c.Scaling),
		Machines:    len(c.Bias),
		Classes:     c.Classes, Features: c.Features, Featureless: c.Featureless, Label: c.Label, Encoding: encodingToHeader(c.Encoding), Image: imageToHeader(c.Image), Calibration: calibrationToHeader(c.Calibration), Intervals: intervalsToHeader(c.Intervals),
		Origin: originToHeader(c.Origin), Drift: driftToHeader(c.Profile), Importance: c.Importance, LabelShares: c.LabelShares != nil, Local: localToHeader(c.Local, c.Scaling), Attachment: attachmentToHeader(c.Attachment), Recipe: c.Recipe, Training: c.Training,
	}
	h.setKind(c.Kind)
	h.Each, h.Held = eachToHeader(c.Each)
	var err error
	if h.Kernel, err = kernelToHeader(c.Kernel); err != nil {
		return err
	}
	var views []byte
	if h.Views, views, err = viewsToHeader(c); err != nil {
		return err
	}
	if h.Local != nil {
		h.Parts = append(h.Parts, laterPart{Name: cellsPart})
	}
	if h.Views != nil {
		h.Parts = append(h.Parts, laterPart{Name: viewsPart, Bytes: len(views)})
		if c.MeanEach != nil {
			h.Parts = append(h.Parts, laterPart{Name: meanEachPart})
		}
	}
	if err = h.validate(); err == nil {
		err = c.validate()
	}
	if err != nil {
		return fmt.Errorf("this is not a model that can be written: %w", err)
	}
	text, err := json.Marshal(h)
	if err != nil {
		return err
	}
	sum := sha256.New()
	e := &encoder{w: io.MultiWriter(w, sum)}
	e.bytes([]byte(magic))
	e.bytes(binary.LittleEndian.AppendUint32(nil, h.version()))
	e.bytes(binary.LittleEndian.AppendUint32(nil, uint32(len(text))))
	e.bytes(text)
	e.floats(c.Scaling.Shift)
	e.floats(c.Scaling.Factor)
	e.floats(c.Scaling.Centre)
	e.floats(c.Scaling.Width)
	e.points(c.Basis, h.Basis.Storage != "")
	for _, machine := range c.Coefficients {
		e.floats(machine)
	}
	e.floats(c.Bias)
	for _, machine := range c.LabelShares {
		e.floats(machine)
	}
	e.local(c.Local, h.Local)
	e.description(c.Description)
	e.intervals(c.Intervals)
	e.attachment(c.Attachment)
	e.bytes(views)
	e.flush()
	if e.err != nil {
		return e.err
	}
	_, err = w.Write(sum.Sum(nil))
	return err
}

// encoder writes values until the first error, which it keeps.
type encoder struct {
	w      io.Writer
	buffer bytes.Buffer
	err    error
}

func (e *encoder) bytes(b []byte) {
	e.buffer.Write(b)
	if e.buffer.Len() >= 1<<16 {
		e.flush()
	}
}

func (e *encoder) flush() {
	if e.err == nil {
		_, e.err = e.w.Write(e.buffer.Bytes())
	}
	e.buffer.Reset()
}

func (e *encoder) floats(x []float64) {
	var b [8]byte
	for _, v := range x {
		binary.LittleEndian.PutUint64(b[:], math.Float64bits(v))
		e.bytes(b[:])
	}
}

// points writes a dense table row by row, as it is stored or as float64. Of a sparse one it writes the number of
// entries of every row as int64, then all columns as int32, then all values.
func (e *encoder) points(p *points.Points, asStored bool) {
	if asStored {
		var row []byte
		for i := range p.Len() {
			row = p.AppendStored(row[:0], i)
			e.bytes(row)
		}
		return
	}
	if !p.Sparse() {
		scratch := p.Scratch(1)
		for i := range p.Len() {
			e.floats(p.Row(i, scratch))
		}
		return
	}
	for i := range p.Len() {
		index, _ := p.SparseRow(i)
		e.bytes(binary.LittleEndian.AppendUint64(nil, uint64(len(index))))
	}
	for i := range p.Len() {
		index, _ := p.SparseRow(i)
		for _, j := range index {
			e.bytes(binary.LittleEndian.AppendUint32(nil, uint32(j)))
		}
	}
	for i := range p.Len() {
		_, value := p.SparseRow(i)
		e.floats(value)
	}
}
