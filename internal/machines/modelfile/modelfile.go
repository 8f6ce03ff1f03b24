// Package modelfile reads and writes trained models: a versioned, checksummed
// file that holds every number exactly and no code.
//
// A file is, in order and in little-endian byte order:
//
//	8 bytes   magic "LAPSVM\r\n"
//	uint32    version, 1; 2 where there are label shares; 3 where columns are scaled each by what it is; 4 where the basis is float32 or bytes; 5 where neighbours add to the expansions; 6 where points are described; 7 where labels are numbers; 8 where a point has several classes; 9 where edges join new rows to those trained on; 10 where there are parts of later programs, see below
//	uint32    length of the header
//	header    JSON: kernel, description, classes, encoding, preprocessing, shapes, calibration, profile of the training points, recipe, summary of the training
//	arrays    float64, int64, int32, float32 values and bytes, in the order of the header
//	parts     the arrays of parts that the header lists
//	32 bytes  SHA-256 of all that comes before
//
// Version 10 is the last: what comes later is a part. A part has a name, a number of bytes behind the arrays, which may be 0, and says whether a
// program that does not know it may skip it. Such a program passes over the bytes and any keys of the header that belong to the part. A
// model whose part must not be skipped is refused by the name of the part.
package modelfile

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"lapsvm/calibrate"
	"lapsvm/dataset"
	"lapsvm/internal/describe"
	"lapsvm/internal/machines/drift"
	"lapsvm/internal/machines/task"
	"lapsvm/internal/system/fault"
	"lapsvm/kernel"
	"lapsvm/points"
)

const (
	magic   = "LAPSVM\r\n"
	version = 11 // the latest; a file has the first that can hold it
)

// Contents is what a model file holds: the kernel expansions
//
//	f_c(x) = Σ_j Coefficients[c][j]·k(Basis_j, Scaling(Description(x))) + Bias[c]
//
// with what is needed to read and name their inputs and outputs.
type Contents struct {
	Kernel       kernel.Kernel        // of package kernel
	Description  describe.Description // of the features, before the scaling; nil where points are the features, as in files of older programs
	Scaling      points.Scaling
	Basis        *points.Points
	Coefficients [][]float64            // [machine][basis point]
	Bias         []float64              // [machine]
	Kind         task.Name              // of the labels
	Classes      []string               // sorted, or from the lowest to the highest; two classes share one machine, positive for the second; none where labels are numbers
	Features     []string               // column names, nil where the training data had none
	Featureless  bool                   // the training rows had no feature, and Features are their names
	Label        string                 // name of the label column, if any
	Encoding     *dataset.Encoding      // of the columns of a table; nil where they are the features
	Image        dataset.Image          // what the images are that it was trained on; zero for other data, and in files of older programs
	Calibration  *calibrate.Calibration // of probabilities; nil where there is none, as in files of older programs
	Intervals    *calibrate.Intervals   // of numbers; nil where there are none
	Each         *calibrate.Each        // of the probabilities of several classes; nil where there are none
	Origin       *Origin                // of the basis points; nil with the linear kernel, and in files of older programs
	Profile      *drift.Profile         // of the training points; nil in files of older programs
	Importance   []Importance           // of the columns of a table; nil for other data, and in files of older programs
	LabelShares  [][]float64            // [machine][k·n + j]: what the label of the k-th labelled basis point adds to the coefficient of the j-th of n; nil where they were not kept
	Local        *Local                 // what neighbours add to the expansions; nil for nothing
	Attachment   *Attachment            // rows trained on that edges attach new ones to; nil without
	Views        []View                 // machines whose mean with this one the model is; nil for one machine
	Mean         *calibrate.Calibration // of the mean; nil for one machine, of numbers and of several classes
	MeanEach     *calibrate.Each        // of the mean of several classes; nil else
	Recipe       json.RawMessage        // the train.Recipe that the model was trained by, all values resolved; the model's precision is one of them
	Training     json.RawMessage        // the train.Summary of what the training did
	Skipped      []string               // parts of a file that this program does not know, and that may be skipped; a file that is written has none
}

// ErrNotModel is returned for a file that is not a model file at all.
var ErrNotModel = fault.Format.Errorf("this is not a lapsvm model file; train one with lapsvm train")

// header is the JSON part of a file.
type header struct {
	Kernel      kernelHeader       `json:"kernel"`
	Description *descriptionHeader `json:"description,omitempty"`
	Scaling     string             `json:"standardise,omitempty"`
	Basis       basisHeader        `json:"basis"`
	Machines    int                `json:"machines"`
	OneClass    bool               `json:"one_class,omitempty"`
	Classes     []string           `json:"classes"`
	Features    []string           `json:"features,omitempty"`
	Featureless bool               `json:"featureless,omitempty"`
	Label       string             `json:"label,omitempty"`
	Encoding    *encodingHeader    `json:"encoding,omitempty"`
	Image       *imageHeader       `json:"image,omitempty"`
	Calibration *calibrationHeader `json:"calibration,omitempty"`
	Intervals   *intervalsHeader   `json:"intervals,omitempty"`
	Several     bool               `json:"several,omitempty"`
	Ordered     bool               `json:"ordered,omitempty"`
	Each        *eachHeader        `json:"each,omitempty"`
	Held        *heldHeader        `json:"each_held,omitempty"`
	Origin      *originHeader      `json:"origin,omitempty"`
	Drift       *driftHeader       `json:"drift,omitempty"`
	Importance  []Importance       `json:"importance,omitempty"`
	LabelShares bool               `json:"label_shares,omitempty"`
	Local       *localHeader       `json:"local,omitempty"`
	Attachment  *attachmentHeader  `json:"joins,omitempty"`
	Views       *viewsHeader       `json:"views,omitempty"`
	Recipe      json.RawMessage    `json:"config,omitempty"` // under the name that older programs read
	Training    json.RawMessage    `json:"training,omitempty"`
	Parts       []laterPart        `json:"parts,omitempty"`
}

// setKind says the kind of the labels. Numbers have no classes, and nothing else says that they are numbers.
func (h *header) setKind(of task.Name) {
	h.OneClass, h.Several, h.Ordered = of == task.OfOneClass, of == task.OfSeveral, of == task.OfOrdered
}

// kind returns the kind of the labels.
func (h *header) kind() task.Name {
	switch {
	case h.OneClass:
		return task.OfOneClass
	case h.Several:
		return task.OfSeveral
	case h.Ordered:
		return task.OfOrdered
	case len(h.Classes) == 0:
		return task.OfNumbers
	}
	return task.OfClasses
}

// laterPart is a part of a later program.
type laterPart struct {
	Name  string `json:"name"`
	Bytes int    `json:"bytes,omitempty"`
	Skip  bool   `json:"skip,omitempty"` // a program that does not know it may
}

// calibrationHeader has a version of its own: a program that does not know it
// must not show probabilities, but files without it stay readable.
type calibrationHeader struct {
	Version int         `json:"version"`
	Slope   float64     `json:"slope"`
	HeldOut int         `json:"held_out"`
	Own     [][]float64 `json:"own,omitempty"`
}

const calibrationVersion = 1

func calibrationToHeader(c *calibrate.Calibration) *calibrationHeader {
	if c == nil {
		return nil
	}
	return &calibrationHeader{calibrationVersion, c.Slope, c.HeldOut, c.Own}
}

func (h *calibrationHeader) calibration() *calibrate.Calibration {
	if h == nil {
		return nil
	}
	return &calibrate.Calibration{Slope: h.Slope, HeldOut: h.HeldOut, Own: h.Own}
}

// eachHeader has the probabilities of several classes of a point.
type eachHeader struct {
	Slope     []float64 `json:"slope"`
	Offset    []float64 `json:"offset"`
	Threshold []float64 `json:"threshold"`
	HeldOut   int       `json:"held_out"`
}

// heldHeader has what held-out rows said of several classes. Older programs take the lists of eachHeader for numbers of each class, and know
// nothing of this section.
type heldHeader struct {
	Has   [][]float64 `json:"has"`
	Lacks [][]float64 `json:"lacks"`
}

func eachToHeader(e *calibrate.Each) (*eachHeader, *heldHeader) {
	if e == nil {
		return nil, nil
	}
	h := &eachHeader{e.Slope, e.Offset, e.Threshold, e.HeldOut}
	if e.Has == nil && e.Lacks == nil {
		return h, nil
	}
	return h, &heldHeader{e.Has, e.Lacks}
}

func (h *eachHeader) each(held *heldHeader) *calibrate.Each {
	if h == nil {
		return nil
	}
	e := &calibrate.Each{Slope: h.Slope, Offset: h.Offset, Threshold: h.Threshold, HeldOut: h.HeldOut}
	if held != nil {
		e.Has, e.Lacks = held.Has, held.Lacks
	}
	return e
}

// driftHeader has a version of its own: a program that does not know it knows nothing
// of drift, and reads the rest of the file.
type driftHeader struct {
	Version int `json:"version"`
	drift.Profile
}

const driftVersion = 1

func driftToHeader(p *drift.Profile) *driftHeader {
	if p == nil {
		return nil
	}
	return &driftHeader{driftVersion, *p}
}

func (h *driftHeader) profile() *drift.Profile {
	if h == nil || h.Version != driftVersion {
		return nil
	}
	return &h.Profile
}

// Importance is what a column of a table does to the decisions on training points.
type Importance struct {
	Column  string      `json:"column"`
	Usual   string      `json:"usual,omitempty"`
	Effect  float64     `json:"effect"`
	Changed float64     `json:"changed"` // from 0 to 1
	Class   int         `json:"class,omitempty"`
	Curve   []CurveStep `json:"curve,omitempty"` // decision values of the class
}

// CurveStep is the mean decision value where all points have a value in a column.
type CurveStep struct {
	Value    string  `json:"value"`
	Decision float64 `json:"decision"`
}

type kernelHeader struct {
	Name string `json:"name"`
	kernel.Parameters
}

type basisHeader struct {
	Rows    int  `json:"rows"`
	Columns int  `json:"columns"`
	Sparse  bool `json:"sparse,omitempty"`
	Stored  int  `json:"stored,omitempty"` // entries of a sparse basis

	Storage  string `json:"storage,omitempty"`  // of a dense basis that is not float64
	Unscaled bool   `json:"unscaled,omitempty"` // the values are as they were before the model's scaling
}

// storageHeader describes how a basis is stored: as in memory. Where the scaling applied on reading
// its rows is the model's, rows are stored unscaled.
func storageHeader(p *points.Points, s points.Scaling) basisHeader {
	h := basisHeader{Rows: p.Len(), Columns: p.Dim(), Sparse: p.Sparse()}
	if p.Sparse() {
		h.Stored = p.Stored()
		return h
	}
	_, by := p.AsStored()
	sameScaling := by.Kind == s.Kind && slices.Equal(by.Shift, s.Shift) && slices.Equal(by.Factor, s.Factor) &&
		slices.Equal(by.Centre, s.Centre) && slices.Equal(by.Width, s.Width)
	if p.Storage() != points.Float64 && (by.Kind == "" || sameScaling) {
		h.Storage, h.Unscaled = p.Storage().String(), by.Kind != ""
	}
	return h
}

// storage returns what a dense basis is stored in.
func (h basisHeader) storage() (points.Storage, bool) {
	for _, s := range []points.Storage{points.Float32, points.Uint8} {
		if h.Storage == s.String() {
			return s, true
		}
	}
	return points.Float64, h.Storage == ""
}

func kernelToHeader(k kernel.Kernel) (kernelHeader, error) {
	if kernel.Custom(k) {
		return kernelHeader{}, fmt.Errorf("a model with the kernel %v cannot be written: only %s can", k, strings.Join(kernel.Names(""), ", "))
	}
	return kernelHeader{k.Kind().Name, k.Parameters()}, nil
}

func (h kernelHeader) kernel() (kernel.Kernel, error) {
	k, err := kernel.New(h.Name, h.Parameters)
	if err != nil {
		return nil, err
	}
	return k, k.Validate()
}

// version returns the first version of the format that holds what the header
// describes. Version 1 has no label shares, version 2 no scaling by
// [points.Columns], version 3 no basis but of float64, version 4 no neighbours, version 5 no
// description, version 6 no numbers for labels, version 7 no several classes of a point. Version 8 has no joins, version 9 no parts of later programs. Programs that know of nothing later read them.
func (h *header) version() uint32 {
	switch {
	case h.Ordered:
		return 11
	case len(h.Parts) > 0:
		return 10
	case h.Attachment != nil:
		return 9
	case h.Several:
		return 8
	case len(h.Classes) == 0:
		return 7
	case h.Description != nil:
		return 6
	case h.Local != nil:
		return 5
	case h.Basis.Storage != "":
		return 4
	case h.Scaling == string(points.Columns):
		return 3
	case h.LabelShares:
		return 2
	}
	return 1
}

// imageHeader may be left out: a program that does not know it reads images as
// it is told.
type imageHeader struct {
	Width  int     `json:"width"`
	Height int     `json:"height"`
	Colour bool    `json:"colour,omitempty"`
	White  float64 `json:"white,omitempty"`
}

func imageToHeader(m dataset.Image) *imageHeader {
	if m.None() {
		return nil
	}
	return (*imageHeader)(&m)
}

func (h *imageHeader) image() (m dataset.Image) {
	if h != nil {
		m = dataset.Image(*h)
	}
	return m
}
