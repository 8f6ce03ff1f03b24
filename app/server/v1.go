package server

import (
	"context"
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strings"

	"lapsvm/app/answer"
	"lapsvm/dataset/files"
	"lapsvm/internal/system/fault"
	"lapsvm/points"
)

// predictVerb ends the address of an inference by version 1 of the protocol.
const predictVerb = ":predict"

type modelsV1Body struct {
	Models []string `json:"models"`
}

// predictV1Request is the JSON of such an inference.
type predictV1Request struct {
	Instances json.RawMessage `json:"instances" doc:"rows: arrays of numbers in the order of the features, or objects by column"`
}

type predictV1Response struct {
	Predictions json.RawMessage `json:"predictions" doc:"the label or the number of each instance, or the list of its classes where it may have several"`
}

// listV1 names the models: GET /v1/models.
func (s *Server) listV1(w http.ResponseWriter, r *http.Request) error {
	names := slices.Sorted(maps.Keys(*s.serving.Load()))
	writeJSON(w, http.StatusOK, modelsV1Body{append([]string{}, names...)})
	return nil
}

// predictV1 answers instances with labels or numbers: POST /v1/models/NAME:predict.
func (s *Server) predictV1(w http.ResponseWriter, r *http.Request) error {
	name, is := strings.CutSuffix(r.PathValue("name"), predictVerb)
	if !is {
		return problemf(http.StatusNotFound, "there is no such address: POST /v1/models/NAME%s", predictVerb)
	}
	v, err := s.serving.Load().find(name, "")
	if err != nil {
		return err
	}
	if kind := mediaType(r); kind != "" && kind != formType && kind != "application/json" {
		return problemf(http.StatusUnsupportedMediaType, "the Content-Type is %s: send application/json; tables and pictures go to /v2/models/%s/predict", shown([]byte(kind)), v.name)
	}
	body, reserved, err := s.body(w, r)
	defer reserved.free()
	if err != nil {
		return err
	}
	x, err := s.instances(r.Context(), reserved, v, body)
	if err != nil {
		return err
	}
	if err := reserved.only(v.computing(x) + v.writing(x.Len(), 0)); err != nil {
		return err
	}
	a, err := v.answer(r.Context(), x, 0)
	if err != nil {
		return err
	}
	said := v.tensor(v.kind().Tensors(len(v.classes))[0].Name, false, a).Data
	if lists := a.Result().LabelSets; lists != nil { // in place of 1 for each class
		if said, err = json.Marshal(lists); err != nil {
			return err
		}
	}
	text, err := json.Marshal(predictV1Response{said})
	if err != nil {
		return err
	}
	w.Header().Set(headerModel, v.name+"/"+v.version+" "+v.checksum)
	reserved.send(w, "application/json", append(text, '\n'))
	return nil
}

// instances makes points of the instances of a body: of arrays of numbers, or of objects as
// rows are.
func (s *Server) instances(ctx context.Context, h *reservation, v *version, body []byte) (*points.Points, error) {
	f, data := frameOf(ctx, body), span{}
	err := f.object("the request", func(key string) (err error) {
		switch {
		case key != "instances":
			return f.skip()
		case data.text != nil:
			return bad("the request has instances twice: give one array of them")
		case f.next() != '[':
			return f.wrong(key, "an array")
		}
		data, err = f.array()
		return err
	})
	if err == nil {
		err = f.end()
	}
	if err != nil {
		return nil, err
	}
	if data.text == nil {
		return nil, bad(`the request has no instances: send {"instances": [...]}, or see /v2/models/%s`, v.name)
	}
	first := data.text[1+blanks(data.text[1:]):]
	switch {
	case first[0] == ']':
		return nil, bad("there are no instances: send one at least")
	case first[0] == '{':
		o := answer.Options(v.model)
		o.Format, o.Threads, o.Keep = files.JSON, 1, false
		d, err := s.readRows(ctx, h, data.text, o)
		if err != nil {
			return nil, err
		}
		return d.Points, nil
	case v.columns != nil:
		return nil, badly(fault.Columns, "the model has columns, which GET /v2/models/%s names: send each instance as an object by column", v.name)
	case first[0] != '[':
		return nil, badly(fault.Columns, "an instance is no array of %d numbers: send one for each row, or objects by column", v.model.Dim())
	}
	rows := countRows(data.text)
	if err := s.check(ctx)(rows); err != nil {
		return nil, err
	}
	t := inputTensor{Name: "instances", Shape: []int64{int64(rows), int64(v.model.Dim())}, Datatype: "FP64", Data: data.text, at: data.at}
	n, err := t.count(s.Limits.Rows, v.model.Dim())
	if err != nil {
		return nil, err
	}
	values, err := t.numbers(n, h)
	if err != nil {
		return nil, err
	}
	return points.Dense(rows, v.model.Dim(), values), nil
}

// countRows returns how many arrays there are in an array.
func countRows(text []byte) (rows int) {
	depth := 0
	for at := 0; at < len(text); at++ {
		switch text[at] {
		case '[':
			if depth++; depth == 2 {
				rows++
			}
		case ']':
			depth--
		case '"':
			n, _ := readText(text[at:])
			at += n - 1
		}
	}
	return rows
}
