// Package modelfile reads and writes trained models: a versioned, checksummed
// file that holds every number exactly and no code.
//
// A file is, in order and in little-endian byte order:
//
//	8 bytes   magic "LAPSVM\r\n"
//	uint32    version, 1; 2 where there are label shares; 3 where columns are scaled each by what it is; 4 where the basis is float32 or bytes; 5 where neighbours add to the expansions; 6 where points are described; 7 where labels are numbers; 8 where a point has several classes
//	uint32    length of the header
//	header    JSON: kernel, description, classes, encoding, preprocessing, shapes, calibration, profile of the training points, recipe, summary of the training
//	arrays    float64, int64, int32, float32 values and bytes, in the order of the header
//	32 bytes  SHA-256 of all that comes before
package modelfile

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"lapsvm/calibrate"
	"lapsvm/dataset"
	"lapsvm/internal/describe"
	"lapsvm/internal/machines/drift"
	"lapsvm/kernel"
	"lapsvm/points"
)

const (
	magic   = "LAPSVM\r\n"
	version = 8 // the latest; a file has the first that can hold it
)

// Contents is what a model file holds: the kernel expansions
//
//	f_c(x) = Σ_j Coefficients[c][j]·k(Basis_j, Scaling(Description(x))) + Bias[c]
//
// with what is needed to read and name their inputs and outputs.
type Contents struct {
	Kernel       kernel.Kernel         // of package kernel
	Description  *describe.Description // of the features, before the scaling; nil where points are the features, as in files of older programs
	Scaling      points.Scaling
	Basis        *points.Points
	Coefficients [][]float64 // [machine][basis point]
	Bias         []float64   // [machine]
	OneClass     bool
	Classes      []string               // sorted; two classes share one machine, positive for the second; none where labels are numbers
	Features     []string               // column names, nil where the training data had none
	Label        string                 // name of the label column, if any
	Encoding     *dataset.Encoding      // of the columns of a table; nil where they are the features
	Image        *dataset.Image         // what the images are that it was trained on; nil for other data, and in files of older programs
	Calibration  *calibrate.Calibration // of probabilities; nil where there is none, as in files of older programs
	Intervals    *calibrate.Intervals   // of numbers; nil where there are none
	Several      bool                   // a point may have any of the classes at once, and each class has a machine
	Each         *calibrate.Each        // of the probabilities of these; nil where there are none
	Origin       *Origin                // of the basis points; nil with the linear kernel, and in files of older programs
	Profile      *drift.Profile         // of the training points; nil in files of older programs
	Importance   []Importance           // of the columns of a table; nil for other data, and in files of older programs
	LabelShares  [][]float64            // [machine][k·n + j]: what the label of the k-th labelled basis point adds to the coefficient of the j-th of n; nil where they were not kept
	Local        *Local                 // what neighbours add to the expansions; nil for nothing
	Recipe       json.RawMessage        // the train.Recipe that the model was trained by, all values resolved; the model's precision is one of them
	Training     json.RawMessage        // the train.Summary of what the training did
}

// ErrNotModel is returned for a file that is not a model file at all.
var ErrNotModel = errors.New("this is not a lapsvm model file; train one with lapsvm train")

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
	Label       string             `json:"label,omitempty"`
	Encoding    *encodingHeader    `json:"encoding,omitempty"`
	Image       *imageHeader       `json:"image,omitempty"`
	Calibration *calibrationHeader `json:"calibration,omitempty"`
	Intervals   *intervalsHeader   `json:"intervals,omitempty"`
	Several     bool               `json:"several,omitempty"`
	Each        *eachHeader        `json:"each,omitempty"`
	Origin      *originHeader      `json:"origin,omitempty"`
	Drift       *driftHeader       `json:"drift,omitempty"`
	Importance  []Importance       `json:"importance,omitempty"`
	LabelShares bool               `json:"label_shares,omitempty"`
	Local       *localHeader       `json:"local,omitempty"`
	Recipe      json.RawMessage    `json:"config,omitempty"` // under the name that older programs read
	Training    json.RawMessage    `json:"training,omitempty"`
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
	Column  string  `json:"column"`
	Usual   string  `json:"usual,omitempty"`
	Effect  float64 `json:"effect"`
	Changed float64 `json:"changed"` // from 0 to 1
}

// validImportance reports importance that no column can have.
func validImportance(all []Importance) error {
	for _, i := range all {
		if !(i.Effect >= 0 && i.Effect <= math.MaxFloat64) || !(i.Changed >= 0 && i.Changed <= 1) {
			return fmt.Errorf("column %q has an effect of %v, and changes the class of %v of the points", i.Column, i.Effect, i.Changed)
		}
	}
	return nil
}

// validProfile reports a profile that no model can have.
func (c *Contents) validProfile() error {
	if c.Profile == nil {
		return nil
	}
	if c.Profile.Missing != nil && (c.Encoding == nil || len(c.Profile.Missing) != len(c.Encoding.Columns)) {
		return errors.New("missing values of columns that the encoding does not have")
	}
	features := c.Basis.Dim()
	if c.Description != nil {
		features = c.Description.Inputs()
	}
	return c.Profile.Validate(features, len(c.Classes))
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

// validate reports a basis that no model can have.
func (h basisHeader) validate() error {
	storage, ok := h.storage()
	switch {
	case h.Rows < 1 || h.Columns < 0 || h.Stored < 0:
		return fmt.Errorf("a basis of %d×%d points", h.Rows, h.Columns)
	case h.Sparse && h.Columns > points.MaxSparseColumns:
		return fmt.Errorf("a sparse basis of %d columns, above the %d that a model may have", h.Columns, points.MaxSparseColumns)
	case !ok || storage == points.Float64 && h.Unscaled || h.Sparse && h.Storage != "":
		return fmt.Errorf("a basis of %q, sparse: %v, unscaled: %v", h.Storage, h.Sparse, h.Unscaled)
	}
	return nil
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
// description, version 6 no numbers for labels, version 7 no several classes of a point; programs that know of nothing later read them.
func (h *header) version() uint32 {
	switch {
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

// validate reports shapes that no model can have, before memory is reserved
// for them.
func (h *header) validate() error {
	if err := h.Basis.validate(); err != nil {
		return err
	}
	if err := h.Description.validate(); err != nil {
		return err
	}
	features := h.Description.inputs(h.Basis.Columns)
	machines := max(1, len(h.Classes))
	if machines == 2 && !h.Several {
		machines = 1
	}
	switch {
	case h.Several && (h.OneClass || len(h.Classes) == 0 || h.Calibration != nil) || h.Each != nil && !h.Several:
		return errors.New("several classes of a point that do not fit the rest")
	case !h.Several && h.OneClass != (len(h.Classes) == 1) || len(h.Classes) == 0 && h.Calibration != nil:
		return fmt.Errorf("%d classes", len(h.Classes))
	case h.Machines != machines:
		return fmt.Errorf("%d machines for %d classes", h.Machines, len(h.Classes))
	case h.Encoding != nil && !slices.Equal(h.Features, h.Encoding.encoding().Features()):
		return fmt.Errorf("%d features that are not those of its encoding", len(h.Features))
	case h.Intervals != nil && len(h.Classes) > 0:
		return errors.New("intervals of classes")
	case h.LabelShares && (h.Origin == nil || len(h.Origin.Labelled) > h.Basis.Rows):
		return errors.New("shares of labels that are not there")
	case h.Features != nil && len(h.Features) != features:
		return fmt.Errorf("%d feature names for %d columns", len(h.Features), features)
	}
	if err := h.Local.validate(h); err != nil {
		return err
	}
	return h.Image.validate(features)
}

// imageHeader may be left out: a program that does not know it reads images as
// it is told.
type imageHeader struct {
	Width  int     `json:"width"`
	Height int     `json:"height"`
	Colour bool    `json:"colour,omitempty"`
	White  float64 `json:"white,omitempty"`
}

// validate reports a size that is impossible for images with the given number of features.
func (h *imageHeader) validate(columns int) error {
	if h == nil {
		return nil
	}
	if min(h.Width, h.Height) < 1 || max(h.Width, h.Height) > dataset.MaxImageSide || dataset.Image(*h).Dim() != columns {
		return fmt.Errorf("images of %d×%d dots (colour %v) for %d columns", h.Width, h.Height, h.Colour, columns)
	}
	if !(h.White >= 0 && h.White <= math.MaxFloat64) {
		return fmt.Errorf("images whose white is %v", h.White)
	}
	return nil
}

// validCalibration reports a calibration that no model can have.
func validCalibration(c *calibrate.Calibration, classes int) error {
	switch {
	case c == nil:
		return nil
	case classes == 1:
		return errors.New("a calibration of one class")
	case c.Own != nil && len(c.Own) != classes:
		return fmt.Errorf("probabilities of the labels of %d classes, of %d", len(c.Own), classes)
	}
	return c.Validate()
}

// validate reports parts that do not fit together. It also reports values that no training makes,
// and values changed by writing and reading a file.
func (c *Contents) validate() error {
	n, d := c.Basis.Len(), c.Basis.Dim()
	if len(c.Coefficients) != len(c.Bias) {
		return fmt.Errorf("coefficients of %d machines and %d biases", len(c.Coefficients), len(c.Bias))
	}
	for _, machine := range c.Coefficients {
		if len(machine) != n {
			return fmt.Errorf("%d coefficients for %d basis points", len(machine), n)
		}
	}
	if err := validDescription(c.Description, d); err != nil {
		return err
	}
	if err := validScaling(c.Scaling, d); err != nil {
		return err
	}
	if err := validEncoding(c.Encoding); err != nil {
		return err
	}
	if err := validCalibration(c.Calibration, len(c.Classes)); err != nil {
		return err
	}
	if c.Each != nil {
		if err := c.Each.Validate(len(c.Classes)); err != nil {
			return err
		}
	}
	if c.Intervals != nil {
		if err := c.Intervals.Validate(n); err != nil {
			return err
		}
	}
	if err := c.Origin.validate(n, len(c.Classes)); err != nil {
		return err
	}
	if err := c.validProfile(); err != nil {
		return err
	}
	if err := validImportance(c.Importance); err != nil {
		return err
	}
	if c.LabelShares != nil && len(c.LabelShares) != len(c.Bias) {
		return fmt.Errorf("shares of labels of %d machines of %d", len(c.LabelShares), len(c.Bias))
	}
	for _, machine := range c.LabelShares {
		if c.Origin == nil || len(machine) != len(c.Origin.Labelled())*n {
			return fmt.Errorf("%d shares of labels for %d basis points", len(machine), n)
		}
	}
	if err := c.Local.validate(len(c.Bias), len(c.Classes)); err != nil {
		return err
	}
	if err := c.finite(); err != nil {
		return err
	}
	for _, name := range slices.Concat(c.Classes, c.Features, []string{c.Label}) {
		if !utf8.ValidString(name) {
			return fmt.Errorf("the name %q is not UTF-8: convert the data", name)
		}
	}
	return c.Kernel.Validate()
}

// validScaling reports a scaling that is impossible for points with the given number of columns.
func validScaling(s points.Scaling, columns int) error {
	affine, curved := 0, 0
	switch s.Kind {
	case "", points.AsIs, points.UnitNorm:
	case points.ZScore, points.MinMax:
		affine = columns
	case points.Columns:
		affine, curved = columns, columns
	default:
		return fmt.Errorf("unknown standardisation %q", s.Kind)
	}
	if len(s.Shift) != affine || len(s.Factor) != affine || len(s.Centre) != curved || len(s.Width) != curved {
		return fmt.Errorf("a scaling (%s) by %d, %d, %d and %d numbers of %d columns", s.Kind, len(s.Shift), len(s.Factor), len(s.Centre), len(s.Width), columns)
	}
	if slices.ContainsFunc(s.Width, func(w float64) bool { return !(w >= 0) }) {
		return errors.New("a scaling with a negative width")
	}
	return nil
}

// finite reports a number that is infinite or none.
func (c *Contents) finite() error {
	if i, j, found := c.Basis.FirstNotFinite(); found {
		return fmt.Errorf("column %d of basis point %d is not finite", j+1, i+1)
	}
	rows := []struct {
		name   string
		values [][]float64
	}{
		{"coefficients", c.Coefficients}, {"biases", [][]float64{c.Bias}}, {"shares of labels", c.LabelShares},
		{"shifts of the scaling", [][]float64{c.Scaling.Shift}}, {"factors of the scaling", [][]float64{c.Scaling.Factor}},
		{"centres of the scaling", [][]float64{c.Scaling.Centre}}, {"widths of the scaling", [][]float64{c.Scaling.Width}},
	}
	for _, r := range rows {
		for _, values := range r.values {
			if k := slices.IndexFunc(values, func(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) }); k >= 0 {
				return fmt.Errorf("one of the %s is %v", r.name, values[k])
			}
		}
	}
	return nil
}
