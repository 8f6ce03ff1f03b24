package server

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"mime"
	"net"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"lapsvm/dataset/files"
)

// witness holds answers against the OpenAPI document, and notes which were there.
type witness struct {
	t    *testing.T
	doc  map[string]any
	seen map[string]bool // METHOD path status
}

// operation finds what the document says of a request.
func (w *witness) operation(method, path string) (name string, found map[string]any) {
	paths := w.doc["paths"].(map[string]any)
	for template, item := range paths {
		parts, given := strings.Split(template, "/"), strings.Split(path, "/")
		fits := len(parts) == len(given)
		for k := range parts {
			fits = fits && (parts[k] == given[k] || strings.HasPrefix(parts[k], "{") && given[k] != "")
		}
		if op, is := item.(map[string]any)[strings.ToLower(method)].(map[string]any); is && fits && (name == "" || strings.Count(template, "{") < strings.Count(name, "{")) {
			name, found = method+" "+template, op
		}
	}
	return name, found
}

// witnessOf returns a witness with the description that a server gives of itself.
func witnessOf(t *testing.T, s *served) *witness {
	t.Helper()
	w := &witness{t: t, seen: make(map[string]bool)}
	_, text := s.do("GET", "/openapi.json", "")
	if err := json.Unmarshal([]byte(text), &w.doc); err != nil {
		t.Fatal(err)
	}
	return w
}

// do asks a server, and returns the text of its answer, which is held against the description.
func (w *witness) do(s *served, method, path, body string, headers ...string) string {
	w.t.Helper()
	answer, text := s.do(method, path, body, headers...)
	w.holds(method, path, answer.StatusCode, answer.Header.Get("Content-Type"), text)
	return text
}

// holds checks an answer.
func (w *witness) holds(method, path string, status int, media, body string) {
	w.t.Helper()
	path, _, _ = strings.Cut(path, "?")
	name, op := w.operation(method, path)
	if name == "" {
		w.t.Errorf("%s %s is not in the document", method, path)
		return
	}
	response, known := op["responses"].(map[string]any)[fmt.Sprint(status)].(map[string]any)
	if !known {
		w.t.Errorf("%s: status %d is not in the document: %s", name, status, body)
		return
	}
	w.seen[name+" "+fmt.Sprint(status)] = true
	kind, _, _ := mime.ParseMediaType(media)
	content, known := response["content"].(map[string]any)[kind].(map[string]any)
	if !known {
		w.t.Errorf("%s %d: the type %q is not in the document", name, status, media)
		return
	}
	if schema, is := content["schema"].(map[string]any); is {
		var v any = body
		if kind == "application/json" {
			if err := json.Unmarshal([]byte(body), &v); err != nil {
				w.t.Errorf("%s %d: %v", name, status, err)
			}
		}
		if err := w.fits(schema, v, "$"); err != nil {
			w.t.Errorf("%s %d: %v in %s", name, status, err, body)
		}
	}
}

// fits checks a value against a schema, as far as this document uses schemas.
func (w *witness) fits(schema map[string]any, v any, at string) error {
	if ref, is := schema["$ref"].(string); is {
		schema = w.doc["components"].(map[string]any)["schemas"].(map[string]any)[strings.TrimPrefix(ref, "#/components/schemas/")].(map[string]any)
	}
	kinds, _ := schema["type"].([]any)
	if kind, is := schema["type"].(string); is {
		kinds = []any{kind}
	}
	is := "null"
	switch x := v.(type) {
	case bool:
		is = "boolean"
	case string:
		is = "string"
	case float64:
		if is = "number"; x == math.Trunc(x) && !slices.Contains(kinds, any("number")) {
			is = "integer"
		}
	case []any:
		is = "array"
		items, _ := schema["items"].(map[string]any)
		for k := range x {
			if err := w.fits(items, x[k], fmt.Sprint(at, "[", k, "]")); items != nil && err != nil {
				return err
			}
		}
	case map[string]any:
		is = "object"
		properties, _ := schema["properties"].(map[string]any)
		required, _ := schema["required"].([]any)
		for _, name := range required {
			if _, there := x[name.(string)]; !there {
				return fmt.Errorf("%s has no %s", at, name)
			}
		}
		for name, v := range x {
			of, known := properties[name].(map[string]any)
			if other, open := schema["additionalProperties"].(map[string]any); !known && open {
				of, known = other, true
			}
			if !known && properties != nil {
				return fmt.Errorf("%s has %s, which the schema has not", at, name)
			}
			if err := w.fits(of, v, at+"."+name); of != nil && err != nil {
				return err
			}
		}
	}
	if len(kinds) > 0 && !slices.Contains(kinds, any(is)) {
		return fmt.Errorf("%s is %s in place of %v", at, is, kinds)
	}
	return nil
}

const (
	oneMoon     = `{"id":"7","inputs":[{"name":"points","shape":[1,2],"datatype":"FP64","data":[[0.5,1]]}]}`
	oneCustomer = `[{"age":30,"plan":"gold","since":"2020-02-02","pays":true}]`
)

// Every address and status of the document comes in answer to some request, and every
// answer is as the document says: status, type and schema.
func TestAnswersAreAsDocumented(t *testing.T) {
	folder := theTwo(t)
	s := serve(t, folder, func(c *Config) { c.Limits.Body = 4000 })
	locked := serve(t, folder, func(c *Config) { c.Token = "a token of some length" })
	empty := serve(t, t.TempDir(), nil)
	hasty := serve(t, folder, func(c *Config) { c.Limits.Time = time.Second })
	w := witnessOf(t, s)
	do := w.do
	const inJSON = "application/json"
	for _, r := range routes() {
		path := strings.NewReplacer("{name}", "moons", "{version}", "1", "{file}", "page.css").Replace(r.path)
		if r.method == "GET" {
			do(s, "GET", path, "")
			do(s, "GET", strings.ReplaceAll(strings.ReplaceAll(path, "moons", "absent"), "page.css", "absent.css"), "")
		}
		do(s, r.method, path, "", "Sec-Fetch-Site", "cross-site")
		if !r.open {
			do(locked, r.method, path, "")
		}
	}
	do(empty, "GET", "/v2/health/ready", "")
	do(s, "GET", "/assets/page.js", "")
	do(s, "GET", "/v2/models/customers", "")
	hold := func(of *batcher, busy int) {
		of.lock.Lock()
		defer of.lock.Unlock()
		of.busy, of.small = busy, busy
	}
	slow, err := hasty.s.serving.Load().find("moons", "")
	if err != nil {
		t.Fatal(err)
	}
	hold(slow.batcher, slow.batcher.threads)
	texts := t.TempDir()
	save(t, trained(t, posts, files.Options{Embedder: lengths{}}), filepath.Join(texts, "moons", "1.lapsvm"))
	mute := serve(t, texts, nil) // which has nothing that makes vectors
	for _, version := range []string{"", "/versions/1"} {
		do(mute, "POST", "/v2/models/moons"+version+"/predict", `[{"text":"a rocket"}]`, "Content-Type", inJSON)
	}
	do(mute, "POST", "/v1/models/moons"+predictVerb, `{"instances":[{"text":"a rocket"}]}`, "Content-Type", inJSON)
	var waiting sync.WaitGroup
	var lock sync.Mutex
	instances := "/v1/models/moons" + predictVerb
	do(s, "POST", instances, `{"instances":[[1,2],[3,4]]}`, "Content-Type", inJSON)
	do(s, "POST", strings.Replace(instances, "moons", "customers", 1), `{"instances":`+oneCustomer+`}`, "Content-Type", inJSON)
	for _, version := range []string{"", "/versions/1"} {
		infer, predict := "/v2/models/moons"+version+"/infer", "/v2/models/moons"+version+"/predict"
		do(s, "POST", infer, oneMoon, "Content-Type", inJSON)
		do(s, "POST", infer, strings.Replace(oneMoon, `"id":"7"`, `"parameters":{"binary_data_output":true}`, 1), "Content-Type", inJSON)
		for _, more := range []string{"", "?scores=1&proba=1&set=0.7", "?explain=1"} {
			do(s, "POST", strings.Replace(predict, "moons", "customers", 1)+more, oneCustomer, "Content-Type", inJSON)
			do(s, "POST", predict+more, "x,y\n1,2\n", "Content-Type", "text/csv")
		}
		do(s, "POST", predict, "x,y\n1,2\n", "Content-Type", "text/csv", "Accept", "text/*;q=0.9, application/json;q=0.1")
		do(s, "POST", predict, "x,y\n1,2\n", "Content-Type", "text/csv", "Accept", "image/png")
		paths := []string{infer, predict}
		if version == "" {
			paths = append(paths, instances)
		}
		for _, path := range paths {
			do(s, "POST", path, "{", "Content-Type", inJSON)
			do(s, "POST", path, "{}", "Content-Type", "text/plain")
			do(s, "POST", path, strings.Repeat(" ", 5000), "Content-Type", inJSON)
			do(s, "POST", strings.Replace(path, "moons", "absent", 1), "{}", "Content-Type", inJSON)
			for range cap(s.s.places) {
				s.s.places <- struct{}{}
			}
			do(s, "POST", path, oneMoon, "Content-Type", inJSON)
			for range cap(s.s.places) {
				<-s.s.places
			}
			waiting.Go(func() { // a body that does not come
				status, media, text := halfSent(t, hasty.url, path)
				lock.Lock()
				defer lock.Unlock()
				w.holds("POST", path, status, media, text)
			})
			waiting.Go(func() { // an answer that does not come
				body, media := oneMoon, inJSON
				switch path {
				case predict:
					body, media = "x,y\n1,2\n", "text/csv"
				case instances:
					body = `{"instances":[[1,2]]}`
				}
				answer, text := hasty.do("POST", path, body, "Content-Type", media)
				if answer.Header.Get("Retry-After") == "" {
					t.Errorf("%s: %s without Retry-After", path, answer.Status)
				}
				lock.Lock()
				defer lock.Unlock()
				w.holds("POST", path, answer.StatusCode, answer.Header.Get("Content-Type"), text)
			})
			waiting.Wait()
		}
	}
	hold(slow.batcher, 0)
	for path, item := range w.doc["paths"].(map[string]any) {
		for method, op := range item.(map[string]any) {
			if _, said := op.(map[string]any)["security"].([]any); !said {
				t.Errorf("%s %s does not say whether it needs a token", method, path)
			}
			for status := range op.(map[string]any)["responses"].(map[string]any) {
				if name := strings.ToUpper(method) + " " + path + " " + status; !w.seen[name] {
					t.Errorf("%s did not come", name)
				}
			}
		}
	}
}

// halfSent sends half of a request and returns what comes back.
func halfSent(t *testing.T, url, path string) (status int, media, body string) {
	c, err := net.Dial("tcp", strings.TrimPrefix(url, "http://"))
	if err != nil {
		t.Error(err)
		return 0, "", ""
	}
	defer c.Close()
	fmt.Fprintf(c, "POST %s HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{", path)
	text, _ := io.ReadAll(c)
	head, body, _ := strings.Cut(string(text), "\r\n\r\n")
	_, _ = fmt.Sscanf(head, "HTTP/1.1 %d", &status)
	for line := range strings.SplitSeq(head, "\r\n") {
		if value, is := strings.CutPrefix(line, "Content-Type: "); is {
			media = value
		}
	}
	return status, media, body
}

// Tensors in binary, of every type, give the bits of the same numbers in JSON; the answer
// in binary has the bits of that in JSON.
func TestBinaryTensors(t *testing.T) {
	s := serve(t, theTwo(t), nil)
	ask := func(head string, tensor []byte) (*http.Response, string) {
		return s.do("POST", "/v2/models/moons/infer", head+string(tensor), "Content-Type", "application/octet-stream", headerLength, fmt.Sprint(len(head)))
	}
	_, plain := s.do("POST", "/v2/models/moons/infer", `{"inputs":[{"name":"points","shape":[2,2],"datatype":"FP64","data":[3,1,0,2]}]}`, "Content-Type", "application/json")
	le := binary.LittleEndian
	for datatype, put := range map[string]func(b []byte, v float64) []byte{
		"FP64": func(b []byte, v float64) []byte { return le.AppendUint64(b, math.Float64bits(v)) },
		"FP32": func(b []byte, v float64) []byte { return le.AppendUint32(b, math.Float32bits(float32(v))) },
		"BF16": func(b []byte, v float64) []byte { return le.AppendUint16(b, uint16(math.Float32bits(float32(v))>>16)) },
		"FP16": func(b []byte, v float64) []byte {
			return le.AppendUint16(b, map[float64]uint16{3: 0x4200, 1: 0x3c00, 0: 0, 2: 0x4000}[v])
		},
		"INT64":  func(b []byte, v float64) []byte { return le.AppendUint64(b, uint64(v)) },
		"UINT64": func(b []byte, v float64) []byte { return le.AppendUint64(b, uint64(v)) },
		"INT32":  func(b []byte, v float64) []byte { return le.AppendUint32(b, uint32(v)) },
		"UINT32": func(b []byte, v float64) []byte { return le.AppendUint32(b, uint32(v)) },
		"INT16":  func(b []byte, v float64) []byte { return le.AppendUint16(b, uint16(v)) },
		"UINT16": func(b []byte, v float64) []byte { return le.AppendUint16(b, uint16(v)) },
		"INT8":   func(b []byte, v float64) []byte { return append(b, byte(v)) },
		"UINT8":  func(b []byte, v float64) []byte { return append(b, byte(v)) },
	} {
		var tensor []byte
		for _, v := range []float64{3, 1, 0, 2} {
			tensor = put(tensor, v)
		}
		head := fmt.Sprintf(`{"inputs":[{"name":"points","shape":[2,2],"datatype":%q,"parameters":{"binary_data_size":%d}}]}`, datatype, len(tensor))
		if _, got := ask(head, tensor); got != plain {
			t.Errorf("%s: %s\nwant %s", datatype, got, plain)
		}
	}
	for name, tensor := range map[string][]byte{"NaN": le.AppendUint64(make([]byte, 8), math.Float64bits(math.NaN())), "Inf": le.AppendUint64(make([]byte, 8), math.Float64bits(math.Inf(1)))} {
		answer, text := ask(`{"inputs":[{"name":"points","shape":[1,2],"datatype":"FP64","parameters":{"binary_data_size":16}}]}`, tensor)
		if answer.StatusCode != http.StatusBadRequest || !strings.Contains(text, "row 1, feature 2 is not a finite number") {
			t.Errorf("%s: %s %s", name, answer.Status, text)
		}
	}
	answer, text := s.do("POST", "/v2/models/moons/infer", `{"inputs":[{"name":"points","shape":[2,2],"datatype":"FP64","data":[3,1,0,2]}],"outputs":[{"name":"label","parameters":{"binary_data":true}},{"name":"scores","parameters":{"binary_data":true}},{"name":"probabilities"}]}`, "Content-Type", "application/json")
	var n int
	var head, want inferResponse
	if _, err := fmt.Sscan(answer.Header.Get(headerLength), &n); err != nil || n > len(text) || json.Unmarshal([]byte(text[:n]), &head) != nil || json.Unmarshal([]byte(plain), &want) != nil {
		t.Fatal(err, text)
	}
	var labels []string
	var scores []float64
	_ = json.Unmarshal(want.Outputs[0].Data, &labels)
	_ = json.Unmarshal(want.Outputs[1].Data, &scores)
	var behind []byte
	for _, label := range labels {
		behind = append(le.AppendUint32(behind, uint32(len(label))), label...)
	}
	for _, v := range scores {
		behind = le.AppendUint64(behind, math.Float64bits(v))
	}
	if text[n:] != string(behind) || len(labels) != 2 || *head.Outputs[1].Parameters.Size != 16 || string(head.Outputs[2].Data) != string(want.Outputs[2].Data) {
		t.Errorf("%q\nwant %q", text[n:], behind)
	}
}

// A table as one tensor for each column gets the answer of its rows, with gaps as well.
func TestColumnsAsTensors(t *testing.T) {
	s := serve(t, theTwo(t), nil)
	_, rows := s.do("POST", "/v2/models/customers/predict?scores=1", "age,plan,since,pays\n30.25,gold,2020-02-02,true\n,,,\n", "Content-Type", "text/csv")
	_, tensors := s.do("POST", "/v2/models/customers/infer", `{"inputs":[{"name":"pays","shape":[2,1],"datatype":"BYTES","data":[["yes"],[""]]},{"name":"age","shape":[2],"datatype":"FP64","data":[30.25,null]},
		{"name":"plan","shape":[2],"datatype":"BYTES","data":["gold",null]},{"name":"since","shape":[2],"datatype":"BYTES","data":["2020-02-02",""]}],"outputs":[{"name":"scores"},{"name":"label"}]}`, "Content-Type", "application/json")
	var a predictResponse
	var b inferResponse
	if json.Unmarshal([]byte(rows), &a) != nil || json.Unmarshal([]byte(tensors), &b) != nil || len(b.Outputs) != 2 || len(a.Scores) != 2 {
		t.Fatal(rows, tensors)
	}
	// What the training did not have is told on each road.
	const told = `"unseen":[{"column":"plan","value":"tin","rows":1}]`
	_, rows = s.do("POST", "/v2/models/customers/predict", "age,plan,since,pays\n30.25,tin,2020-02-02,true\n", "Content-Type", "text/csv")
	_, tensors = s.do("POST", "/v2/models/customers/infer", `{"inputs":[{"name":"pays","shape":[1],"datatype":"BYTES","data":["yes"]},{"name":"age","shape":[1],"datatype":"FP64","data":[30.25]},
		{"name":"plan","shape":[1],"datatype":"BYTES","data":["tin"]},{"name":"since","shape":[1],"datatype":"BYTES","data":["2020-02-02"]}]}`, "Content-Type", "application/json")
	if !strings.Contains(rows, told) || !strings.Contains(tensors, told) {
		t.Errorf("an unseen value: %s\n%s", rows, tensors)
	}
	var scores []float64
	var labels []string
	_ = json.Unmarshal(b.Outputs[0].Data, &scores)
	_ = json.Unmarshal(b.Outputs[1].Data, &labels)
	if len(scores) != 2 || scores[0] != a.Scores[0][1] || scores[1] != a.Scores[1][1] || !slices.Equal(labels, a.Labels) {
		t.Errorf("%s\n%s", rows, tensors)
	}
}
