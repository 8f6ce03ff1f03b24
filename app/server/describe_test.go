package server

import (
	"encoding/json"
	"net/http"
	"path/filepath"
	"reflect"
	"testing"

	"lapsvm"
	"lapsvm/dataset"
	"lapsvm/points"
)

// The description of a model of images includes its input: size, colours, and the
// value of white.
func TestImagesAreDescribed(t *testing.T) {
	values := make([]float64, 8*6)
	for i := range 8 {
		values[6*i+i%2] = 255
	}
	d := &dataset.Dataset{Points: points.Dense(8, 6, values), Y: []int{0, 1, 0, 1, -1, -1, -1, -1}, Classes: []string{"left", "right"}, Image: dataset.Image{Width: 3, Height: 2, White: 255}}
	m, err := lapsvm.Trainer{Recipe: lapsvm.Recipe{RulesOfThumb: true}}.Fit(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	save(t, m, filepath.Join(folder, "photos"+Ending))
	s := serve(t, folder, nil)
	_, text := s.do("GET", "/v2/models/photos", "")
	var said modelBody
	if err := json.Unmarshal([]byte(text), &said); err != nil {
		t.Fatal(err)
	}
	if want := (&imageBody{3, 2, false, 255}); !reflect.DeepEqual(said.Parameters.Image, want) {
		t.Errorf("%s, want %+v", text, *want)
	}
}

// The header Allow has HEAD where GET is answered.
func TestAllowedMethods(t *testing.T) {
	s := serve(t, theTwo(t), nil)
	for path, want := range map[string]string{"/v2/models": "HEAD, GET", "/v2/models/moons/infer": "POST", "/v2/models/a%2Fb": "HEAD, GET"} {
		answer, _ := s.do("DELETE", path, "")
		if answer.StatusCode != http.StatusMethodNotAllowed || answer.Header.Get("Allow") != want {
			t.Errorf("%s: %d, Allow %q, want %q", path, answer.StatusCode, answer.Header.Get("Allow"), want)
		}
	}
	if answer, text := s.do("HEAD", "/v2/models", ""); answer.StatusCode != http.StatusOK || text != "" {
		t.Errorf("HEAD: %d %q", answer.StatusCode, text)
	}
}
