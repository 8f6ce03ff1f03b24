package server

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"lapsvm/app/answer"
	"lapsvm/dataset"
	"lapsvm/internal/system/fault"
	"lapsvm/points"
)

// headerLength is the header that tells how much of a body is JSON; the rest is tensors.
const headerLength = "Inference-Header-Content-Length"

// inferRequest is the JSON of an inference.
type inferRequest struct {
	ID         string          `json:"id,omitempty" doc:"comes back in the answer"`
	Parameters inferParameters `json:"parameters,omitzero"`
	Inputs     []inputTensor   `json:"inputs"`
	Outputs    []wantedTensor  `json:"outputs,omitempty" doc:"all of the model's where it is absent"`
}

type inferParameters struct {
	Binary   bool    `json:"binary_data_output,omitempty" doc:"all outputs in the binary part of the body"`
	Interval float64 `json:"interval,omitempty" doc:"probability with which low and high hold a number; 0.9 where it is absent"`
}

type wantedTensor struct {
	Name       string           `json:"name"`
	Parameters wantedParameters `json:"parameters,omitzero"`
}

type wantedParameters struct {
	Binary *bool `json:"binary_data,omitempty" doc:"this output in the binary part of the body"`
}

// inferResponse is the JSON of its answer.
type inferResponse struct {
	Model      string             `json:"model_name"`
	Version    string             `json:"model_version"`
	ID         string             `json:"id,omitempty"`
	Parameters responseParameters `json:"parameters"`
	Outputs    []outputTensor     `json:"outputs"`
}

type responseParameters struct {
	Checksum string                `json:"checksum" doc:"beginning of the SHA-256 of the model file that answered"`
	Unseen   []answer.UnseenResult `json:"unseen,omitempty" doc:"values that the training did not have, which are taken as missing"`
}

type outputTensor struct {
	Name       string          `json:"name"`
	Shape      []int           `json:"shape"`
	Datatype   string          `json:"datatype"`
	Parameters tensorSize      `json:"parameters,omitzero"`
	Data       json.RawMessage `json:"data,omitempty"`

	binary []byte
}

// infer answers tensors with tensors: POST …/infer.
func (s *Server) infer(w http.ResponseWriter, r *http.Request) error {
	v, err := s.version(r)
	if err != nil {
		return err
	}
	if kind := mediaType(r); kind != "" && kind != formType && kind != "application/json" && kind != "application/octet-stream" {
		return problemf(http.StatusUnsupportedMediaType, "the Content-Type is %s: send application/json, or application/octet-stream with the header %s; tables and pictures go to …/predict", shown([]byte(kind)), headerLength)
	}
	text, reserved, err := s.body(w, r)
	defer reserved.free()
	if err != nil {
		return err
	}
	if length := r.Header.Get(headerLength); mediaType(r) == "application/octet-stream" && length == "" && !isObject(text) {
		return bad("the body begins with no JSON: send the JSON that describes the tensors before their bytes, and its length as %s", headerLength)
	}
	request, err := readInference(r.Context(), text, r.Header.Get(headerLength), v.takes())
	if err != nil {
		return err
	}
	outputs, err := v.wanted(request)
	if err != nil {
		return err
	}
	x, unseen, err := s.pointsOf(r.Context(), reserved, v, request.Inputs)
	if err != nil {
		return err
	}
	request.Inputs = nil // and with them the body
	if err := reserved.only(v.computing(x) + v.writing(x.Len(), len(outputs))); err != nil {
		return err
	}
	level := 0.0
	if slices.ContainsFunc(outputs, func(t wantedTensor) bool { return t.Name == outputLow || t.Name == outputHigh }) {
		level = request.level()
	}
	a, err := v.answer(r.Context(), x, level)
	if err != nil {
		return err
	}
	body, head, err := v.inference(request.ID, outputs, a, unseen)
	if err != nil {
		return err
	}
	media := "application/json"
	if head < len(body) {
		media = "application/octet-stream"
		w.Header().Set(headerLength, strconv.Itoa(head))
	}
	reserved.send(w, media, body)
	return nil
}

// readInference reads a body: JSON and, where the header gives the length of the JSON,
// the announced tensors after it.
func readInference(ctx context.Context, body []byte, header string, inputs int) (*inferRequest, error) {
	text, rest := body, []byte(nil)
	if header != "" {
		n, err := strconv.Atoi(header)
		if err != nil || n < 1 || n > len(body) {
			return nil, bad("%s is %q, the body has %d bytes: give the number of bytes of its JSON", headerLength, shown([]byte(header)), len(body))
		}
		text, rest = body[:n], body[n:]
	}
	request, err := readFrame(ctx, text, inputs)
	if err != nil {
		return nil, err
	}
	for k := range request.Inputs {
		t := &request.Inputs[k]
		if t.Parameters.Size == nil {
			continue
		}
		size := *t.Parameters.Size
		if size < 0 || size > int64(len(rest)) {
			return nil, bad("input %q has a binary_data_size of %d, but %d bytes are there: give %s, and the bytes behind the JSON", t.Name, size, len(rest), headerLength)
		}
		if t.Data != nil {
			return nil, bad("input %q has both data and binary_data_size: give one", t.Name)
		}
		t.binary, rest = rest[:size:size], rest[size:]
	}
	if len(rest) > 0 {
		return nil, bad("%d bytes are left behind the tensors: give every input its binary_data_size", len(rest))
	}
	return request, nil
}

// isObject reports whether a text begins as an object of JSON does.
func isObject(text []byte) bool {
	text = text[blanks(text):]
	return len(text) > 0 && text[0] == '{'
}

// The names of a model's tensors, which are those of its export to ONNX.
const (
	inputPoints         = "points"
	outputLabel         = "label"
	outputLabels        = "labels" // of several classes at once, in place of label: 1 for each that a row has, else 0
	outputScores        = "scores"
	outputProbabilities = "probabilities"
	outputValue         = "value" // of a regression, in place of the others
	outputLow           = "low"
	outputHigh          = "high"
)

// level returns that of the intervals of a request.
func (r *inferRequest) level() float64 { return cmp.Or(r.Parameters.Interval, defaultLevel) }

// wanted returns the requested outputs, with those to be sent as binary data.
func (v *version) wanted(request *inferRequest) ([]wantedTensor, error) {
	named := request.Outputs
	if len(named) == 0 {
		for _, t := range v.outputs() {
			named = append(named, wantedTensor{Name: t.Name})
		}
	}
	tensors := v.kind().Tensors(len(v.classes))
	known := make([]string, len(tensors))
	for k, t := range tensors {
		known[k] = t.Name
	}
	if request.Parameters.Interval != 0 {
		if err := v.checkLevel(request.Parameters.Interval); err != nil {
			return nil, err
		}
	}
	seen := make(map[string]bool)
	for k := range named {
		t := &named[k]
		switch at := slices.Index(known, t.Name); {
		case at < 0:
			return nil, bad("the model has no output %q: ask for %s or %s", shown([]byte(t.Name)), strings.Join(known[:2], ", "), known[2])
		case tensors[at].Of == answer.OfProbabilities && !v.model.Probable():
			return nil, badly(fault.Lacks, "the model has no probabilities: ask for %s and %s", known[0], known[1])
		case tensors[at].Of == answer.OfIntervals:
			if err := v.checkLevel(request.level()); err != nil {
				return nil, err
			}
		}
		if seen[t.Name] {
			return nil, bad("output %q is asked for twice", t.Name)
		}
		seen[t.Name] = true
		if t.Parameters.Binary == nil {
			t.Parameters.Binary = &request.Parameters.Binary
		}
	}
	return named, nil
}

// pointsOf makes points of the tensors of a request: of one matrix, or of one tensor for
// every column of a table.
func (s *Server) pointsOf(ctx context.Context, h *reservation, v *version, inputs []inputTensor) (*points.Points, []dataset.Unseen, error) {
	if len(inputs) == 1 && inputs[0].Name == inputPictures && v.seesPictures() {
		x, err := s.pointsOfPictures(ctx, h, v, &inputs[0])
		return x, nil, err
	}
	if v.columns != nil {
		return s.pointsOfColumns(ctx, h, v, inputs)
	}
	if v.seesPictures() && (len(inputs) != 1 || inputs[0].Name != inputPoints || inputs[0].Datatype == "BYTES") {
		return nil, nil, badly(fault.Columns, "the model takes one input, %q, image files as BYTES, or %q, %d features a row; the request has %s", inputPictures, inputPoints, v.model.Dim(), inputNames(inputs))
	}
	if len(inputs) != 1 || inputs[0].Name != inputPoints {
		return nil, nil, badly(fault.Columns, "the model takes one input, %q, of %d features a row; the request has %s", inputPoints, v.model.Dim(), inputNames(inputs))
	}
	t, d := &inputs[0], v.model.Dim()
	n, err := t.count(s.Limits.Rows, d)
	if err != nil {
		return nil, nil, err
	}
	if rows := int(t.Shape[0]); len(t.Shape) < 2 || n != rows*d {
		return nil, nil, badly(fault.Columns, "input %q has the shape %v, the model takes [rows, %d]", t.Name, t.Shape, d)
	} else if err := s.check(ctx)(rows); err != nil {
		return nil, nil, err
	}
	values, err := t.numbers(n, h)
	if err != nil {
		return nil, nil, err
	}
	return points.Dense(n/d, d, values), nil, nil
}

// inputNames names the inputs of a request for people, the first of many.
func inputNames(inputs []inputTensor) string {
	const most = 5
	var names []string
	for _, t := range inputs[:min(len(inputs), most)] {
		names = append(names, strconv.Quote(shown([]byte(t.Name))))
	}
	switch more := len(inputs) - most; {
	case names == nil:
		return "none"
	case more > 0:
		return fmt.Sprintf("%s and %d more", strings.Join(names, ", "), more)
	}
	return strings.Join(names, ", ")
}

// pointsOfColumns makes points by the encoding of the model.
func (s *Server) pointsOfColumns(ctx context.Context, h *reservation, v *version, inputs []inputTensor) (*points.Points, []dataset.Unseen, error) {
	e := v.model.Encoding()
	by := make(map[string]*inputTensor)
	for k := range inputs {
		if by[inputs[k].Name] != nil {
			return nil, nil, bad("input %q comes twice", shown([]byte(inputs[k].Name)))
		}
		by[inputs[k].Name] = &inputs[k]
	}
	rows := 0
	var names []string
	var columns [][][]byte
	for _, k := range v.columns {
		name := e.Columns[k].Name
		t := by[name]
		if t == nil {
			return nil, nil, badly(fault.Columns, "input %q is missing: the model takes one tensor for each of its columns, which GET /v2/models/%s names", name, v.name)
		}
		delete(by, name)
		fields, err := t.column(&e.Columns[k], s.Limits.Rows, h)
		switch {
		case err != nil:
			return nil, nil, err
		case rows > 0 && len(fields) != rows:
			return nil, nil, bad("input %q has %d rows, the one before it %d", name, len(fields), rows)
		}
		rows = len(fields)
		names, columns = append(names, name), append(columns, fields)
	}
	for name := range by {
		return nil, nil, badly(fault.Columns, "the model has no input %q: GET /v2/models/%s names them", shown([]byte(name)), v.name)
	}
	origin := &dataset.Origin{Rows: dataset.Records, Memory: h.budget(ctx), Check: s.check(ctx)}
	layout, err := dataset.NewLayout(origin, names, len(names), 0, dataset.TableOptions{Encoding: e})
	if err != nil {
		return nil, nil, err
	}
	table, err := dataset.NewTable(layout)
	if err != nil {
		return nil, nil, err
	}
	row := make([][]byte, len(columns))
	for i := range rows {
		for c := range columns {
			row[c] = columns[c][i]
		}
		if err := table.Add(row, i+1); err != nil {
			return nil, nil, err
		}
	}
	d, err := table.Finish()
	if err != nil {
		return nil, nil, err
	}
	return d.Points, d.Unseen, nil
}

// tensor returns an output.
func (v *version) tensor(name string, binary bool, a answers) outputTensor {
	t := outputTensor{Name: name, Datatype: "FP64"}
	n := len(a.Labels)
	if numbers, is := map[string][]float64{outputValue: a.Values, outputLow: a.Low, outputHigh: a.High}[name]; is {
		t.Shape = []int{len(numbers)}
		b := make([]byte, 0, 8*len(numbers))
		for _, v := range numbers {
			b = appendNumber(b, v, binary)
		}
		return t.with(b, binary)
	}
	if name == outputLabels {
		t.Shape, t.Datatype = []int{n, len(v.classes)}, "INT64"
		b := make([]byte, 0, 8*n*len(v.classes))
		for _, classes := range a.Several {
			for c := range v.classes {
				b = appendTruth(b, slices.Contains(classes, c), binary)
			}
		}
		return t.with(b, binary)
	}
	if name == outputLabel {
		t.Shape, t.Datatype = []int{n}, "BYTES"
		var b []byte
		for _, class := range a.Labels {
			b = appendText(b, answer.Label(v.classes, class), binary)
		}
		return t.with(b, binary)
	}
	_, which := answer.ScoreNames(v.model.Kind(), v.classes)
	rows := a.Scores
	if name == outputProbabilities {
		rows, which = a.Proba, nil
		for c := range v.classes {
			which = append(which, c)
		}
	}
	t.Shape = []int{n, len(which)}
	b := make([]byte, 0, n*len(which)*8)
	for _, row := range rows {
		for _, c := range which {
			b = appendNumber(b, row[c], binary)
		}
	}
	return t.with(b, binary)
}
