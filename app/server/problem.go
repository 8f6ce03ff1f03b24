package server

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"

	"lapsvm"
	"lapsvm/dataset"
	"lapsvm/internal/system/huge"
)

// problem is why a request gets no answer.
type problem struct {
	status int
	text   string // what is wrong, and what to do
	cause  error  // for the log, and not for the client; may be nil
}

func (p *problem) Error() string { return p.text }

func problemf(status int, format string, args ...any) error {
	return &problem{status: status, text: fmt.Sprintf(format, args...)}
}

// bad is a problem of the request itself.
func bad(format string, args ...any) error { return problemf(http.StatusBadRequest, format, args...) }

// asProblem translates an error into a problem for the client.
func asProblem(err error) *problem {
	var p *problem
	var data *dataset.Error
	var words dataset.Message
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &p):
		return p
	case errors.As(err, &large):
		return &problem{status: http.StatusRequestEntityTooLarge, text: fmt.Sprintf("the body has more than %d bytes: send fewer rows at a time", large.Limit)}
	case errors.Is(err, context.DeadlineExceeded) && !errors.Is(err, os.ErrDeadlineExceeded):
		return &problem{status: http.StatusServiceUnavailable, text: "the answer was not there in time: send fewer rows at a time, or try again later"}
	case errors.Is(err, context.Canceled):
		return &problem{status: statusGone, text: "the request was given up"}
	case errors.Is(err, dataset.ErrVectors):
		return &problem{status: http.StatusBadGateway, text: "the vectors of the texts could not be made, by what this server was given for it; its log says why", cause: err}
	case errors.Is(err, dataset.ErrMemory) && errors.As(err, &data):
		return &problem{status: http.StatusRequestEntityTooLarge, text: data.Words(inRequest)}
	case errors.As(err, &data):
		return &problem{status: http.StatusBadRequest, text: data.Words(inRequest)}
	case errors.As(err, &words):
		return &problem{status: http.StatusBadRequest, text: words.Words(inRequest)}
	case errors.Is(err, lapsvm.ErrData), errors.Is(err, lapsvm.ErrParameter):
		return &problem{status: http.StatusBadRequest, text: err.Error()}
	case errors.Is(err, os.ErrDeadlineExceeded):
		return &problem{status: http.StatusRequestTimeout, text: "the body did not come in time: send it faster, or fewer rows at a time"}
	case errors.Is(err, huge.ErrMemory):
		return &problem{status: http.StatusServiceUnavailable, text: "there is no memory for this now: send fewer rows at a time, or try again later"}
	}
	return &problem{status: http.StatusInternalServerError, text: "the server failed; its log says why"}
}

// statusGone is the status logged and counted for a request after its client went
// away. No client sees it.
const statusGone = 499

// inRequest words an option of reading for the sender of a request.
func inRequest(o dataset.Option) string {
	switch o.Name {
	case "Header":
		return "the Content-Type text/csv; header=" + map[bool]string{true: "present", false: "absent"}[fmt.Sprint(o.Value) == "yes"]
	case "Charset":
		return "the text as UTF-8"
	case "Format":
		return "the Content-Type"
	case "Memory":
		return "the server's --memory"
	}
	return "the model's own columns (GET /v2/models/NAME names them)"
}

// refuse answers with a problem.
func refuse(w http.ResponseWriter, p *problem) {
	h := w.Header()
	h.Del("Inference-Header-Content-Length")
	if p.status == http.StatusTooManyRequests || p.status == http.StatusServiceUnavailable {
		h.Set("Retry-After", "1")
	}
	if p.status == http.StatusUnauthorized {
		h.Set("WWW-Authenticate", `Bearer realm="lapsvm"`)
	}
	writeJSON(w, p.status, errorBody{cut(p.text, longestText)})
}

// errorBody is the JSON of a problem.
type errorBody struct {
	Error string `json:"error" doc:"what is wrong, and what to do"`
}

// writeJSON answers with a value as JSON.
func writeJSON(w http.ResponseWriter, status int, v any) {
	body, err := json.Marshal(v)
	if err != nil { // of a type of this package, with numbers that are finite
		status, body = http.StatusInternalServerError, []byte(`{"error":"the answer cannot be written as JSON"}`)
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(append(body, '\n'))
}
