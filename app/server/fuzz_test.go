package server

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"lapsvm/dataset/files"
)

// direct sends a request to a server without a network. It reports outcomes that no
// request may cause: a status of the five hundreds, or an invalid answer.
func direct(t *testing.T, h http.Handler, path string, body []byte, headers ...string) {
	r := httptest.NewRequest("POST", path, strings.NewReader(string(body)))
	r.Host = "127.0.0.1"
	for k := 0; k+1 < len(headers); k += 2 {
		r.Header.Set(headers[k], headers[k+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	if w.Code >= 500 {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	text := w.Body.Bytes()
	if kind := w.Header().Get("Content-Type"); kind == "application/json" && !json.Valid(text) {
		t.Errorf("%d, no JSON: %q", w.Code, text)
	}
}

func fuzzed(f *testing.F) http.Handler {
	s := New(Config{Paths: []string{theTwo(f)}, Poll: -1, Limits: Limits{Rows: 50, Body: 1 << 16}})
	if err := s.Reload(f.Context()); err != nil {
		f.Fatal(err)
	}
	return s.handler()
}

// Whatever JSON comes to infer, of tensors or of none, it is answered or refused.
func FuzzInferJSON(f *testing.F) {
	h := fuzzed(f)
	for _, c := range badRequests(f) {
		if c.media == "application/json" && strings.HasSuffix(c.path, "/infer") {
			f.Add([]byte(c.body))
		}
	}
	f.Add([]byte(oneMoon))
	f.Add([]byte(`{"inputs":[{"name":"pays","shape":[1],"datatype":"BOOL","data":[true]},{"name":"age","shape":[1,1],"datatype":"FP32","data":[[3e1]]},{"name":"plan","shape":[1],"datatype":"BYTES","data":["\ud83d\ude00"]},{"name":"since","shape":[1],"datatype":"BYTES","data":[null]}]}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		asJSON(t, body)
		for _, model := range []string{"moons", "customers"} {
			direct(t, h, "/v2/models/"+model+"/infer", body, "Content-Type", "application/json")
		}
	})
}

// Whatever comes behind the JSON of infer, it is answered or refused.
func FuzzInferBinary(f *testing.F) {
	h := fuzzed(f)
	numbers := binary.LittleEndian.AppendUint64(make([]byte, 8), math.Float64bits(0.5))
	f.Add([]byte(`{"inputs":[{"name":"points","shape":[1,2],"datatype":"FP64","parameters":{"binary_data_size":16}}]}`), numbers, "94")
	f.Add([]byte(`{"parameters":{"binary_data_output":true},"inputs":[{"name":"points","shape":[1,2],"datatype":"FP16","parameters":{"binary_data_size":4}}]}`), []byte("\x00\x7c\x01\x00"), "")
	f.Add([]byte(`{"inputs":[{"name":"age","shape":[1],"datatype":"INT8","parameters":{"binary_data_size":1}},{"name":"plan","shape":[1],"datatype":"BYTES","parameters":{"binary_data_size":8}},{"name":"since","shape":[1],"datatype":"BYTES","parameters":{"binary_data_size":4}},{"name":"pays","shape":[1],"datatype":"BOOL","parameters":{"binary_data_size":1}}]}`),
		[]byte("\x1e\x04\x00\x00\x00gold\x00\x00\x00\x00\x01"), "")
	f.Add([]byte(`{}`), []byte("x"), "-1")
	f.Fuzz(func(t *testing.T, head, behind []byte, length string) {
		if length == "" {
			length = strconv.Itoa(len(head))
		}
		if strings.ContainsFunc(length, func(r rune) bool { return r < ' ' || r > '~' }) {
			t.Skip() // no header
		}
		for _, model := range []string{"moons", "customers"} {
			direct(t, h, "/v2/models/"+model+"/infer", append(head[:len(head):len(head)], behind...), "Content-Type", "application/octet-stream", headerLength, length)
		}
	})
}

// Whatever rows come to predict, in each format, they are answered or refused.
func FuzzPredictCSV(f *testing.F)       { fuzzPredict(f, files.CSV) }
func FuzzPredictTSV(f *testing.F)       { fuzzPredict(f, files.TSV) }
func FuzzPredictJSON(f *testing.F)      { fuzzPredict(f, files.JSON) }
func FuzzPredictJSONLines(f *testing.F) { fuzzPredict(f, files.JSONL) }
func FuzzPredictParquet(f *testing.F)   { fuzzPredict(f, files.Parquet) }

func fuzzPredict(f *testing.F, format string) {
	h := fuzzed(f)
	media := rowTypes()[slices.IndexFunc(rowTypes(), func(m mediaFormat) bool { return m.format == format })].media
	for _, c := range badRequests(f) {
		if path, query, _ := strings.Cut(c.path, "?"); strings.HasSuffix(path, "/predict") && c.media == media {
			f.Add([]byte(c.body), query)
		}
	}
	f.Add(inFormat(f, "x,y,label\n1,2,a\n3,4,\n", format), "explain=1&proba=true")
	f.Add(inFormat(f, customers, format), "scores=0")
	f.Fuzz(func(t *testing.T, body []byte, query string) {
		if strings.ContainsFunc(query, func(r rune) bool { return r <= ' ' || r > '~' || r == '#' }) {
			t.Skip() // no address
		}
		for _, model := range []string{"moons", "customers"} {
			direct(t, h, "/v2/models/"+model+"/predict?"+query, body, "Content-Type", media)
		}
	})
}

// Whatever comes as a picture, in a body of its own or as a tensor, it is answered or refused, and nothing is held afterwards.
func FuzzPictures(f *testing.F) {
	m, _, all := pictureModel(f)
	folder := f.TempDir()
	save(f, m, filepath.Join(folder, "m.lapsvm"))
	s := New(Config{Paths: []string{folder}, Poll: -1, Limits: Limits{Rows: 50, Body: 1 << 16}})
	if err := s.Reload(f.Context()); err != nil {
		f.Fatal(err)
	}
	h := s.handler()
	for _, content := range all {
		f.Add(content)
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		direct(t, h, "/v2/models/m/predict", body, "Content-Type", "image/png")
		head := fmt.Sprintf(`{"inputs":[{"name":"pictures","shape":[1],"datatype":"BYTES","parameters":{"binary_data_size":%d}}]}`, len(body))
		direct(t, h, "/v2/models/m/infer", append([]byte(head), body...), headerLength, fmt.Sprint(len(head)))
		if held := s.memory.Load(); held != 0 {
			t.Errorf("%d bytes are held", held)
		}
	})
}
