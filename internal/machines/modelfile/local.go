package modelfile

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"

	"lapsvm/internal/points/graph"
	"lapsvm/internal/points/neighbours"
	"lapsvm/kernel"
	"lapsvm/points"
)

// Local is what neighbours add to the expansions of a model, for new points: the mean of
// the residuals of the nearest training points,
//
//	f_c(x) = Σ_j Coefficients[c][j]·k(Basis_j, x) + Bias[c] + (1/k) Σ_{i ∈ N_k(x)} Residuals[c][i]
type Local struct {
	Points     *points.Points // the training points, scaled
	Metric     graph.Metric   // of the neighbours
	Neighbours int            // k
	Residuals  [][]float32    // [machine][point]
	Index      *graph.IndexParts
	Origin     *Origin // of the points
}

// localHeader describes a [Local]. Its arrays come last in a file: the points, the
// residuals, and the parts of the index in the order of [graph.IndexParts].
type localHeader struct {
	Points     basisHeader   `json:"points"`
	Metric     graph.Metric  `json:"metric"`
	Neighbours int           `json:"neighbours"`
	Origin     *originHeader `json:"origin"`
	Index      indexHeader   `json:"index"`
}

type indexHeader struct {
	Points     int     `json:"points"` // that have links: equal ones are not all among them
	Neighbours int     `json:"neighbours"`
	Width      int     `json:"width"`
	Scale      float64 `json:"scale"`
	Centre     bool    `json:"centre,omitempty"`
	Columns    int     `json:"columns,omitempty"`    // of sparse points, in which directions are not 0
	Directions bool    `json:"directions,omitempty"` // Width − 1 of them, unless sketches are the points
	Depths     []int   `json:"depths,omitempty"`     // of trees, in files of older programs
	Cells      int     `json:"cells,omitempty"`      // 0 in these
	Looks      float32 `json:"looks,omitempty"`
	Direct     bool    `json:"direct,omitempty"`
	Turn       float32 `json:"turn"`
	Recall     float64 `json:"recall"`
	Error      float64 `json:"recall_error"`
}

// cellsPart says that an index has cells. It has no bytes of its own, but a program that does not know it would take
// their arrays for others.
const cellsPart = "cells"

// has reports whether there is a later part.
func (h *header) has(part string) bool {
	return slices.ContainsFunc(h.Parts, func(p laterPart) bool { return p.Name == part })
}

// deepest bounds the depth of a tree; a tree of depth d has 2^d nodes.
const deepest = 31

func localToHeader(l *Local, s points.Scaling) *localHeader {
	if l == nil {
		return nil
	}
	x := l.Index
	h := &localHeader{Points: storageHeader(l.Points, s), Metric: l.Metric, Neighbours: l.Neighbours, Origin: originToHeader(l.Origin),
		Index: indexHeader{Points: len(x.Rows), Neighbours: x.K, Width: x.Basis.Width, Scale: x.Basis.Scale, Centre: x.Basis.Centre != nil,
			Columns: len(x.Basis.Column), Directions: x.Basis.Directions != nil, Cells: len(x.Start) - 1, Looks: x.Looks, Direct: x.Direct, Turn: x.Turn, Recall: x.Recall, Error: x.Error}}
	return h
}

// validate reports shapes that no model of a header can have. Weight vectors are dense,
// whatever the points are.
func (h *localHeader) validate(model *header) error {
	if h == nil {
		if model.has(cellsPart) {
			return errors.New("cells of an index that is not there")
		}
		return nil
	}
	x, basis, weights := h.Index, model.Basis, model.Kernel.Name == kernel.Linear{}.Kind().Name
	if err := h.Points.validate(); err != nil {
		return err
	}
	switch {
	case h.Points.Columns != basis.Columns || h.Points.Sparse != basis.Sparse && !weights:
		return fmt.Errorf("neighbours of %d columns beside a basis of %d", h.Points.Columns, basis.Columns)
	case h.Metric != graph.Euclidean && h.Metric != graph.Cosine:
		return fmt.Errorf("neighbours by the metric %q", h.Metric)
	case h.Neighbours < 1 || h.Neighbours > x.Neighbours || x.Neighbours > x.Points || x.Points > h.Points.Rows || h.Points.Rows > math.MaxInt32:
		return fmt.Errorf("%d neighbours by an index of %d of %d points of %d", h.Neighbours, x.Neighbours, x.Points, h.Points.Rows)
	case x.Width < 0 || x.Width > 1<<10 || x.Columns < 0 || x.Columns > h.Points.Columns || x.Columns > 0 && !h.Points.Sparse:
		return fmt.Errorf("an index of sketches of %d numbers from %d columns", x.Width, x.Columns)
	case x.Cells < 0 || x.Cells > x.Points || x.Cells > 0 && (x.Depths != nil || !(x.Looks > 0)) || model.has(cellsPart) != (x.Cells > 0):
		return fmt.Errorf("an index of %d cells, of which new points look into %v", x.Cells, x.Looks)
	case h.Origin == nil:
		return errors.New("neighbours without an origin")
	}
	for _, depth := range x.Depths {
		if depth < 0 || depth > deepest || x.Points>>depth == 0 {
			return fmt.Errorf("a tree of depth %d over %d points", depth, x.Points)
		}
	}
	return nil
}

// local reads what the header describes. It returns a function that makes it, to be
// called once the checksum has been compared.
func (d *decoder) local(h *localHeader, machines int, s *points.Scaling) func() (*Local, error) {
	if h == nil {
		return func() (*Local, error) { return nil, nil }
	}
	l := &Local{Metric: h.Metric, Neighbours: h.Neighbours}
	table := d.scaled(h.Points, s)
	for range machines {
		l.Residuals = append(l.Residuals, d.singles(h.Points.Rows))
	}
	l.Index = d.index(h.Index, h.Points.Columns)
	return func() (*Local, error) {
		var err error
		if l.Points, err = table(); err == nil {
			l.Origin, err = h.Origin.origin(h.Points.Rows)
		}
		return l, err
	}
}

// index reads the parts of an index over points with the given number of columns.
func (d *decoder) index(h indexHeader, columns int) *graph.IndexParts {
	b := &neighbours.Basis{Width: h.Width, Scale: h.Scale}
	if h.Centre {
		b.Centre = d.floats(columns)
	}
	if h.Columns > 0 {
		b.Column, columns = d.whole(h.Columns), h.Columns
	}
	if h.Directions {
		b.Directions = d.floats(columns * (h.Width - 1))
	}
	x := &graph.IndexParts{Basis: b, K: h.Neighbours}
	if h.Cells == 0 { // the neighbours of every point, and trees, which no index has any more
		d.whole(h.Points * h.Neighbours)
		for _, depth := range h.Depths {
			nodes := 1<<depth - 1
			d.whole(h.Points)
			d.singles(nodes * h.Width)
			d.singles(nodes)
		}
		return x
	}
	rank := h.Width
	if h.Directions {
		rank--
	}
	x.Looks, x.Direct, x.Turn, x.Recall, x.Error = h.Looks, h.Direct, h.Turn, h.Recall, h.Error
	x.Rows, x.Start, x.Centre = d.whole(h.Points), d.whole(h.Cells+1), d.singles(h.Cells*rank)
	return x
}

// whole reads n values of int32.
func (d *decoder) whole(n int) []int32 {
	x := make([]int32, 0, d.reserve(n, 4))
	for len(x) < n && d.err == nil {
		b := d.bytes(4 * min(n-len(x), 1<<14))
		for ; len(b) >= 4; b = b[4:] {
			x = append(x, int32(binary.LittleEndian.Uint32(b)))
		}
	}
	return x
}

// local writes what [decoder.local] reads.
func (e *encoder) local(l *Local, h *localHeader) {
	if l == nil {
		return
	}
	e.points(l.Points, h.Points.Storage != "")
	for _, residuals := range l.Residuals {
		e.singles(residuals)
	}
	x := l.Index
	e.floats(x.Basis.Centre)
	e.whole(x.Basis.Column)
	e.floats(x.Basis.Directions)
	e.whole(x.Rows)
	e.whole(x.Start)
	e.singles(x.Centre)
}

func (e *encoder) singles(x []float32) {
	var b [4]byte
	for _, v := range x {
		binary.LittleEndian.PutUint32(b[:], math.Float32bits(v))
		e.bytes(b[:])
	}
}

func (e *encoder) whole(x []int32) {
	var b [4]byte
	for _, v := range x {
		binary.LittleEndian.PutUint32(b[:], uint32(v))
		e.bytes(b[:])
	}
}

// validate reports parts that do not fit together, or do not fit the number of machines or classes.
// Whether the index fits the points is seen when it is opened.
func (l *Local) validate(machines, classes int) error {
	if l == nil {
		return nil
	}
	if i, j, found := l.Points.FirstNotFinite(); found {
		return fmt.Errorf("column %d of training point %d is not finite", j+1, i+1)
	}
	if len(l.Residuals) != machines {
		return fmt.Errorf("residuals of %d machines of %d", len(l.Residuals), machines)
	}
	for _, residuals := range l.Residuals {
		if len(residuals) != l.Points.Len() {
			return fmt.Errorf("%d residuals of %d training points", len(residuals), l.Points.Len())
		}
		for i, v := range residuals {
			if math.IsNaN(float64(v)) || math.IsInf(float64(v), 0) {
				return fmt.Errorf("the residual of training point %d is %v", i+1, v)
			}
		}
	}
	if l.Index == nil || l.Index.Basis == nil || l.Origin == nil {
		return errors.New("neighbours without an index or an origin")
	}
	return l.Origin.validate(l.Points.Len(), classes)
}
