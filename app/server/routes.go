package server

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// route is an address with its handler and its entry in the OpenAPI document.
type route struct {
	method, path string
	id           string // of the operation, and of the route in metrics and logs
	summary      string
	open         bool // needs no token
	handle       func(*Server, http.ResponseWriter, *http.Request) error
	query        []parameter
	headers      []parameter
	takes        []content // of the body; nil where there is none
	gives        []content // of status 200; one without a type is a page or a file
	fails        []int     // statuses of problems
}

// parameter is one of an address or a header.
type parameter struct{ name, kind, says string }

// content is a body in a media type: of a Go type, or of bytes where the type is nil.
type content struct {
	media string
	body  any
}

func inJSON(body any) []content { return []content{{"application/json", body}} }

// routes is the table of all addresses.
func routes() []route {
	all := []route{
		{method: "GET", path: "/v2/health/live", id: "live", summary: "Whether the server runs", open: true, handle: (*Server).live, gives: inJSON(liveBody{})},
		{method: "GET", path: "/v2/health/ready", id: "ready", summary: "Whether models are served, and the server is not ending", open: true, handle: (*Server).ready, gives: inJSON(readyBody{}), fails: []int{503}},
		{method: "GET", path: "/v2", id: "server", summary: "What the server is", handle: (*Server).describe, gives: inJSON(serverBody{})},
		{method: "GET", path: "/v2/models", id: "models", summary: "The models that are served", handle: (*Server).list, gives: inJSON(modelsBody{})},
	}
	all = append(all, ofModel("", "model", route{method: "GET", summary: "What a model takes and gives", handle: (*Server).describeModel, gives: inJSON(modelBody{}), fails: []int{404}})...)
	all = append(all, ofModel("/ready", "modelReady", route{method: "GET", summary: "Whether a model is there", handle: (*Server).modelReady, gives: inJSON(modelReadyBody{}), fails: []int{404}})...)
	posts := []int{400, 404, 408, 413, 415, 429, 503}
	rows := append([]int{http.StatusBadGateway}, posts...) // of whose texts vectors may have to be made
	all = append(all, ofModel("/infer", "infer", route{method: "POST", summary: "Tensors for tensors, by the Open Inference Protocol", handle: (*Server).infer,
		headers: []parameter{{headerLength, "integer", "Bytes of the JSON where tensors are behind it."}},
		takes:   []content{{"application/json", inferRequest{}}, {"application/octet-stream", nil}},
		gives:   []content{{"application/json", inferResponse{}}, {"application/octet-stream", nil}}, fails: posts})...)
	predict := route{method: "POST", summary: "Labels or numbers, and what else is asked for, of rows", handle: (*Server).predict,
		query: []parameter{{"scores", "boolean", "Decision values too."}, {"proba", "boolean", "Probabilities too."},
			{"set", "number", "The classes too that hold the right one with this probability, such as 0.9, the most probable first. Of several classes at once: the classes that a row may have, and the sure ones."},
			{"top", "integer", "The N likeliest classes of each row too, with their probabilities."}, {"threshold", "string", "CLASS=P: rows whose probability of CLASS is at least P get it, the others the likeliest of the other classes."}, {"answer-column", "string", "Of CSV: the name of the column of answers."},
			{"interval", "number", "Of numbers: low and high too, which hold the number with this probability."}, {"explain", "integer", "Which columns decide about the first N rows: value, what is usual, class and effect."}},
		gives: []content{{"application/json", predictResponse{}}, {"text/csv", nil}}, fails: append([]int{406}, rows...)}
	for _, m := range rowTypes() {
		predict.takes = append(predict.takes, content{m.media, nil})
	}
	for _, media := range pictureTypes() {
		predict.takes = append(predict.takes, content{media, nil})
	}
	all = append(all, ofModel("/predict", "predict", predict)...)
	return append(all,
		route{method: "GET", path: "/v1/models", id: "modelsV1", summary: "The models, by version 1 of the protocol", handle: (*Server).listV1, gives: inJSON(modelsV1Body{})},
		route{method: "GET", path: "/v1/models/{name}", id: "modelV1", summary: "Whether a model is there, by version 1 of the protocol", handle: (*Server).modelReady, gives: inJSON(modelReadyBody{}), fails: []int{404}},
		route{method: "POST", path: "/v1/models/{name}" + predictVerb, id: "predictV1", summary: "Labels or numbers of instances, by version 1 of the protocol", handle: (*Server).predictV1,
			takes: inJSON(predictV1Request{}), gives: inJSON(predictV1Response{}), fails: rows},
		route{method: "GET", path: "/metrics", id: "metrics", summary: "Metrics for Prometheus", handle: (*Server).scrape, gives: []content{{"text/plain", nil}}},
		route{method: "GET", path: "/openapi.json", id: "openapi", summary: "This document", open: true, handle: (*Server).document, gives: inJSON(map[string]any{})},
		route{method: "GET", path: "/", id: "page", summary: "A page that describes the models and tries one", open: true, handle: (*Server).page, gives: []content{{"text/html", nil}}},
		route{method: "GET", path: "/assets/{file}", id: "asset", summary: "What the page needs", open: true, handle: (*Server).asset, gives: []content{{"text/css", nil}, {"text/javascript", nil}}, fails: []int{404}},
	)
}

// ofModel returns a route for the latest version of a model, and for a version.
func ofModel(end, id string, r route) []route {
	latest, one := r, r
	latest.path, latest.id = "/v2/models/{name}"+end, id
	one.path, one.id = "/v2/models/{name}/versions/{version}"+end, id+"Version"
	return []route{latest, one}
}

// checkQuery reports parameters of an address that cannot be read, or that the route does not take. Pages take any.
func (r *route) checkQuery(address *url.URL) error {
	if r.method != http.MethodPost {
		return nil
	}
	query, err := url.ParseQuery(address.RawQuery) // where Query leaves out what it cannot read
	if err != nil {
		return bad("the parameters cannot be read (%v): write signs of values as %%3B for ; and %%25 for %%", err)
	}
	advice := "leave it out, or send rows to …/predict"
	var names []string
	for _, p := range r.query {
		names = append(names, p.name)
	}
	if last := len(names) - 1; last > 0 {
		advice = "give " + strings.Join(names[:last], ", ") + " or " + names[last]
	}
	for name := range query {
		if !slices.Contains(names, name) {
			return bad("there is no parameter %q: %s", shown([]byte(name)), advice)
		}
	}
	return nil
}

// statuses returns all statuses of a route except 200: its own and those of the guard.
func (r *route) statuses() []int {
	if r.open {
		return append([]int{403}, r.fails...)
	}
	return append([]int{401, 403}, r.fails...)
}

// pattern returns the router's pattern of a route. The router's wildcards are whole parts of a
// path, so the handler deals with any text after a wildcard.
func (r *route) pattern() string {
	if r.path == "/" {
		return r.method + " /{$}"
	}
	return r.method + " " + strings.TrimSuffix(r.path, predictVerb)
}

// handler registers the routes.
func (s *Server) handler() http.Handler {
	mux := http.NewServeMux()
	all := routes()
	for k := range all {
		mux.Handle(all[k].pattern(), s.guarded(&all[k]))
	}
	mux.Handle("/", s.guarded(&route{id: "none", handle: func(_ *Server, w http.ResponseWriter, r *http.Request) error {
		methods, trimmed := methodsOf(mux, r.URL), *r.URL
		trimmed.Path, trimmed.RawPath = strings.TrimRight(r.URL.Path, "/"), strings.TrimRight(r.URL.RawPath, "/")
		switch {
		case methods == nil && trimmed.Path != "" && methodsOf(mux, &trimmed) != nil:
			return problemf(http.StatusNotFound, "there is no such address: leave out the / at its end")
		case methods == nil:
			return problemf(http.StatusNotFound, "there is no such address: see /openapi.json")
		}
		allowed := strings.Join(methods, ", ")
		if methods[0] == http.MethodGet { // which answers both
			allowed = "HEAD, " + allowed
		}
		w.Header().Set("Allow", allowed)
		return problemf(http.StatusMethodNotAllowed, "%s is no method of this address: it takes %s", shown([]byte(r.Method)), strings.Join(methods, " and "))
	}}))
	return secured(mux)
}

// methodsOf returns the methods of the routes for an address, nil for an unknown address.
func methodsOf(mux *http.ServeMux, address *url.URL) (methods []string) {
	for _, method := range []string{http.MethodGet, http.MethodPost} {
		if _, pattern := mux.Handler(&http.Request{Method: method, URL: address}); pattern != "/" {
			methods = append(methods, method)
		}
	}
	return methods
}
