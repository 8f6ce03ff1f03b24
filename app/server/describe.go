package server

import (
	"maps"
	"net/http"
	"slices"
	"strconv"

	"github.com/prometheus/client_golang/prometheus/promhttp"

	"lapsvm/app/answer"
	"lapsvm/dataset"
)

type liveBody struct {
	Live bool `json:"live"`
}

type readyBody struct {
	Ready bool `json:"ready"`
}

type serverBody struct {
	Name       string   `json:"name"`
	Version    string   `json:"version"`
	Extensions []string `json:"extensions"`
}

type modelsBody struct {
	Models []listedModel `json:"models"`
}

type listedModel struct {
	Name     string   `json:"name"`
	Versions []string `json:"versions" doc:"the last is that which answers where none is named"`
}

type modelReadyBody struct {
	Name  string `json:"name"`
	Ready bool   `json:"ready"`
}

// modelBody is the metadata of a model. Its parameters hold the metadata without a place in
// the protocol.
type modelBody struct {
	Name       string          `json:"name"`
	Versions   []string        `json:"versions"`
	Platform   string          `json:"platform"`
	Inputs     []tensorBody    `json:"inputs"`
	Outputs    []tensorBody    `json:"outputs"`
	Parameters modelParameters `json:"parameters"`
}

type tensorBody struct {
	Name     string `json:"name"`
	Datatype string `json:"datatype"`
	Shape    []int  `json:"shape" doc:"-1 is any number of rows"`
}

type modelParameters struct {
	Version  string      `json:"version"`
	Checksum string      `json:"checksum" doc:"beginning of the SHA-256 of the model file"`
	Classes  []string    `json:"classes" doc:"none of a model that predicts numbers"`
	Ordered  bool        `json:"ordered,omitempty" doc:"classes are from the lowest to the highest, and sets have the label and those between their classes"`
	Features []string    `json:"features,omitempty" doc:"names of the features, in their order"`
	Columns  []column    `json:"columns,omitempty" doc:"columns of the tables that the model takes"`
	Example  []string    `json:"example,omitempty" doc:"a row to try, of typical values in the order of the columns or features"`
	Image    *imageBody  `json:"image,omitempty" doc:"what the features are where the model was trained on images"`
	Pictures *tensorBody `json:"pictures,omitempty" doc:"the tensor of image files that is taken in place of the inputs where the model was trained on images"`
	Kernel   string      `json:"kernel"`
	Basis    int         `json:"basis" doc:"points that the model consists of"`
}

// imageBody describes the images that a model takes, as features.
type imageBody struct {
	Width  int     `json:"width"`
	Height int     `json:"height" doc:"features are dots row by row from the top"`
	Colour bool    `json:"colour" doc:"red, green and blue of a dot follow one another; else a dot is one number"`
	White  float64 `json:"white" doc:"of a dot that is white, where a black one is 0"`
}

type column struct {
	Name   string   `json:"name"`
	Kind   string   `json:"kind"`
	Values []string `json:"values,omitempty" doc:"of a category"`
}

func (s *Server) live(w http.ResponseWriter, r *http.Request) error {
	writeJSON(w, http.StatusOK, liveBody{true})
	return nil
}

// ready says whether requests should be sent here: models are served, and the server is not
// ending.
func (s *Server) ready(w http.ResponseWriter, r *http.Request) error {
	switch {
	case s.ending.Load():
		return problemf(http.StatusServiceUnavailable, "the server is ending")
	case s.Models() == 0:
		return problemf(http.StatusServiceUnavailable, "no model is there yet")
	}
	writeJSON(w, http.StatusOK, readyBody{true})
	return nil
}

func (s *Server) describe(w http.ResponseWriter, r *http.Request) error {
	writeJSON(w, http.StatusOK, serverBody{"lapsvm", s.Version, []string{"binary_tensor_data", "predict_rows"}})
	return nil
}

func (s *Server) list(w http.ResponseWriter, r *http.Request) error {
	c := *s.serving.Load()
	body := modelsBody{Models: []listedModel{}}
	for _, name := range slices.Sorted(maps.Keys(c)) {
		body.Models = append(body.Models, listedModel{name, c.versions(name)})
	}
	writeJSON(w, http.StatusOK, body)
	return nil
}

func (c catalogue) versions(name string) []string {
	all := []string{}
	for _, v := range c[name] {
		all = append(all, v.version)
	}
	return all
}

// version finds the model that an address names, as it is served now.
func (s *Server) version(r *http.Request) (*version, error) {
	return s.serving.Load().find(r.PathValue("name"), r.PathValue("version"))
}

func (s *Server) modelReady(w http.ResponseWriter, r *http.Request) error {
	v, err := s.version(r)
	if err != nil {
		return err
	}
	writeJSON(w, http.StatusOK, modelReadyBody{v.name, true})
	return nil
}

func (s *Server) describeModel(w http.ResponseWriter, r *http.Request) error {
	c := *s.serving.Load()
	v, err := c.find(r.PathValue("name"), r.PathValue("version"))
	if err != nil {
		return err
	}
	m := v.model
	body := modelBody{Name: v.name, Versions: c.versions(v.name), Platform: "lapsvm", Inputs: v.inputs(), Outputs: v.outputs(),
		Parameters: modelParameters{Version: v.version, Checksum: v.checksum, Classes: append([]string{}, v.classes...), Ordered: v.kind().Ordered(), Features: m.Features(), Kernel: m.Kernel().String(), Basis: m.Basis()}}
	if v.columns != nil {
		body.Parameters.Features = nil
		for _, k := range v.columns {
			col := &m.Encoding().Columns[k]
			body.Parameters.Columns = append(body.Parameters.Columns, column{col.Name, string(col.Kind), col.Values})
		}
	}
	body.Parameters.Example = v.example()
	if v.seesPictures() {
		body.Parameters.Pictures = &tensorBody{inputPictures, "BYTES", []int{-1}}
	}
	if image := m.Image(); !image.None() {
		width, height := image.Size()
		body.Parameters.Image = &imageBody{width, height, image.Colour, image.Brightest()}
	}
	writeJSON(w, http.StatusOK, body)
	return nil
}

// mostExample is how many features a model has at most that an example is given for.
const mostExample = 1000

// example returns a row of typical values, as fields of a table: medians, the first category,
// words that many texts have. It is nil for very many features.
func (v *version) example() []string {
	var row []string
	for _, k := range v.columns {
		row = append(row, v.model.Encoding().Columns[k].Typical())
	}
	d := v.model.Dim()
	if v.columns != nil || d > mostExample {
		return row
	}
	row = slices.Repeat([]string{"0"}, d)
	if p := v.model.Profile(); p != nil {
		for _, c := range p.Columns {
			if c.Feature >= 0 && c.Feature < d {
				row[c.Feature] = strconv.FormatFloat(c.Deciles[5], 'g', 6, 64)
			}
		}
	}
	return row
}

// datatype is that of a tensor of values of a type.
func datatype(t dataset.Type) string {
	switch t {
	case dataset.Numerals:
		return "FP64"
	case dataset.Truths:
		return "BOOL"
	}
	return "BYTES"
}

// inputs are the tensors that a model takes: one matrix, or one for every column of a table.
func (v *version) inputs() []tensorBody {
	if v.columns == nil {
		return []tensorBody{{inputPoints, "FP64", []int{-1, v.model.Dim()}}}
	}
	var all []tensorBody
	for _, k := range v.columns {
		col := &v.model.Encoding().Columns[k]
		if d := len(col.Mean); d > 0 {
			all = append(all, tensorBody{col.Name, "FP64", []int{-1, d}})
			continue
		}
		all = append(all, tensorBody{col.Name, datatype(col.Holds()), []int{-1}})
	}
	return all
}

// outputs are the tensors that a model gives.
func (v *version) outputs() []tensorBody {
	var all []tensorBody
	for _, t := range v.kind().Tensors(len(v.classes)) {
		if t.Of == answer.OfIntervals && v.checkLevel(defaultLevel) != nil || t.Of == answer.OfProbabilities && !v.model.Probable() {
			continue
		}
		shape := []int{-1}
		if t.Columns > 0 {
			shape = append(shape, t.Columns)
		}
		all = append(all, tensorBody{t.Name, t.Datatype, shape})
	}
	return all
}

func (s *Server) scrape(w http.ResponseWriter, r *http.Request) error {
	promhttp.HandlerFor(s.metrics.registry, promhttp.HandlerOpts{}).ServeHTTP(w, r)
	return nil
}
