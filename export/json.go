package export

import (
	"cmp"
	"encoding/json"
	"io"
	"slices"

	"lapsvm/calibrate"
	"lapsvm/internal/machines/modelfile"
	"lapsvm/internal/machines/task"
	"lapsvm/kernel"
	"lapsvm/points"
)

// The versions of the JSON format. A file has the lowest version whose readers do not misread it:
// readers of version 1 take an unknown kernel for linear.
const (
	jsonVersion      = 1
	jsonOtherKernels = 2 // than linear, gaussian and poly
	jsonColumns      = 3 // the scaling columns
	jsonDescribed    = 4 // a description
	jsonSeveral      = 5 // several classes of a point
	jsonAligned      = 6 // aligned pictures
	jsonOrdered      = 7 // three or more ordered classes
	jsonMean         = 8 // a mean of views
	jsonMeanEach     = 9 // a mean of views of several classes
)

// jsonModel is the JSON format; docs/export.md describes it for its readers.
type jsonModel struct {
	Format       string           `json:"format"` // "lapsvm-json"
	Version      int              `json:"version"`
	Kernel       jsonKernel       `json:"kernel"`
	Description  *jsonDescription `json:"description,omitempty"`
	Scaling      *jsonScaling     `json:"scaling"`
	Classes      []string         `json:"classes"`
	OneClass     bool             `json:"one_class"`
	Features     []string         `json:"features,omitempty"`
	Label        string           `json:"label,omitempty"`
	Calibration  *jsonCalibration `json:"calibration,omitempty"`
	Several      bool             `json:"several,omitempty"` // a point may have any of the classes
	Ordered      bool             `json:"ordered,omitempty"` // classes are from the lowest to the highest, with a machine between neighbours
	Each         *jsonEach        `json:"each,omitempty"`
	Bias         []float64        `json:"bias"`         // [machine]
	Coefficients [][]float64      `json:"coefficients"` // [machine][basis point]
	Basis        jsonBasis        `json:"basis"`
	Mean         *jsonCalibration `json:"mean,omitempty"`      // of a mean of views, the first of which is the model without them
	MeanEach     *jsonEach        `json:"mean_each,omitempty"` // of such a mean of several classes
	Views        []jsonView       `json:"views,omitempty"`
}

// jsonView is a whole model beside the others of a mean.
type jsonView struct {
	Weight float64 `json:"weight"`
	jsonModel
}

// jsonKernel has the parameters of its kernel and no others.
type jsonKernel struct {
	Name   string   `json:"name"`
	Sigma  *float64 `json:"sigma,omitempty"`
	Degree *int     `json:"degree,omitempty"`
	Gamma  *float64 `json:"gamma,omitempty"`
	Coef0  *float64 `json:"coef0,omitempty"`
}

type jsonScaling struct {
	Kind   points.Standardise `json:"kind"`
	Shift  []float64          `json:"shift,omitempty"` // of zscore, minmax and columns
	Factor []float64          `json:"factor,omitempty"`
	Centre []float64          `json:"centre,omitempty"` // of columns
	Width  []float64          `json:"width,omitempty"`
}

type jsonCalibration struct {
	Slope   float64     `json:"slope"`
	HeldOut int         `json:"held_out"`
	Own     [][]float64 `json:"own,omitempty"`
}

// jsonEach has a number for each of several classes.
type jsonEach struct {
	Slope     []float64 `json:"slope"`
	Offset    []float64 `json:"offset"`
	Threshold []float64 `json:"threshold"`
	HeldOut   int       `json:"held_out"`

	Has   [][]float64 `json:"has,omitempty"`
	Lacks [][]float64 `json:"lacks,omitempty"`
}

// jsonBasis is dense, its rows in Dense, or sparse as CSR in the other three.
type jsonBasis struct {
	Rows    int         `json:"rows"`
	Columns int         `json:"columns"`
	Dense   [][]float64 `json:"dense,omitempty"`
	Start   []int       `json:"start,omitempty"` // rows+1 offsets into Index and Value
	Index   []int32     `json:"index,omitempty"`
	Value   []float64   `json:"value,omitempty"`
}

// JSON writes a model, without the summary of its training, as one JSON object. Its numbers read
// back with the same bits, those of a description as float32. docs/export.md describes the format. JSON fails for a model with a
// Local and for a kernel of the program's own. Memory: the whole text.
func JSON(w io.Writer, c *modelfile.Contents) error {
	if err := expressible(c); err != nil {
		return err
	}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e.Encode(newJSONModel(c))
}

func newJSONModel(c *modelfile.Contents) jsonModel {
	out := jsonModel{
		Format: "lapsvm-json", Version: jsonVersion,
		Description: newJSONDescription(c.Description), Scaling: newJSONScaling(c.Scaling),
		Classes: c.Classes, OneClass: c.Kind == task.OfOneClass, Several: c.Kind == task.OfSeveral, Ordered: c.Kind == task.OfOrdered, Each: (*jsonEach)(c.Each), Features: c.Features, Label: c.Label,
		Kernel: newJSONKernel(c.Kernel), Calibration: newJSONCalibration(c.Calibration), Mean: newJSONCalibration(c.Mean), MeanEach: (*jsonEach)(c.MeanEach),
		Bias: c.Bias, Coefficients: c.Coefficients, Basis: newJSONBasis(c.Basis),
	}
	if !slices.Contains([]string{"linear", "gaussian", "poly"}, out.Kernel.Name) {
		out.Version = jsonOtherKernels
	}
	if out.Scaling.Kind == points.Columns {
		out.Version = jsonColumns
	}
	if out.Description != nil {
		out.Version = jsonDescribed
	}
	if c.Kind == task.OfSeveral {
		out.Version = jsonSeveral
	}
	if out.Description != nil && out.Description.Aligned {
		out.Version = jsonAligned
	}
	if out.Ordered && len(c.Bias) > 1 {
		out.Version = jsonOrdered
	}
	for _, v := range c.Views {
		out.Version, out.Views = jsonMean, append(out.Views, jsonView{v.Weight, newJSONModel(v.Contents)})
	}
	if c.MeanEach != nil {
		out.Version = jsonMeanEach
	}
	return out
}

func newJSONCalibration(c *calibrate.Calibration) *jsonCalibration {
	if c == nil {
		return nil
	}
	return &jsonCalibration{c.Slope, c.HeldOut, c.Own}
}

func newJSONScaling(s points.Scaling) *jsonScaling {
	return &jsonScaling{cmp.Or(s.Kind, points.AsIs), s.Shift, s.Factor, s.Centre, s.Width}
}

func newJSONKernel(k kernel.Kernel) jsonKernel {
	kind, p := k.Kind(), k.Parameters()
	out := jsonKernel{Name: kind.Name}
	if kind.Has("sigma") {
		out.Sigma = &p.Sigma
	}
	if kind.Has("degree") {
		out.Degree = &p.Degree
	}
	if kind.Has("gamma") {
		out.Gamma = &p.Gamma
	}
	if kind.Has("coef0") {
		out.Coef0 = &p.Coef0
	}
	return out
}

func newJSONBasis(p *points.Points) jsonBasis {
	b := jsonBasis{Rows: p.Len(), Columns: p.Dim()}
	if !p.Sparse() {
		for i := range p.Len() {
			b.Dense = append(b.Dense, p.DenseRow(i))
		}
		return b
	}
	b.Start = []int{0}
	for i := range p.Len() {
		index, value := p.SparseRow(i)
		b.Index, b.Value = append(b.Index, index...), append(b.Value, value...)
		b.Start = append(b.Start, len(b.Index))
	}
	return b
}
