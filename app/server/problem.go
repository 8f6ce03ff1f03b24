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
	"lapsvm/internal/system/fault"
	"lapsvm/internal/system/huge"
)

// problem is why a request gets no answer.
type problem struct {
	status int
	says   error // what is wrong, and what to do
	cause  error // for the log, and not for the client; may be nil
}

func (p *problem) Error() string { return fault.Words(p.says, inRequest) }

func (p *problem) Unwrap() error { return p.says }

func problemf(status int, format string, args ...any) error {
	return &problem{status: status, says: fault.Errorf(format, args...)}
}

// bad is a problem of the request itself.
func bad(format string, args ...any) error { return problemf(http.StatusBadRequest, format, args...) }

// badly is a problem of the request that has a name.
func badly(name fault.Name, format string, args ...any) error {
	return &problem{status: http.StatusBadRequest, says: name.Errorf(format, args...)}
}

// asProblem translates an error into a problem for the client.
func asProblem(err error) *problem {
	var p *problem
	var large *http.MaxBytesError
	as := func(status int, says error) *problem { return &problem{status: status, says: says} }
	switch {
	case errors.As(err, &p):
		return p
	case errors.As(err, &large):
		return as(http.StatusRequestEntityTooLarge, fault.Memory.Errorf("the body has more than %d bytes: send fewer rows at a time", large.Limit))
	case errors.Is(err, context.DeadlineExceeded) && !errors.Is(err, os.ErrDeadlineExceeded):
		return as(http.StatusServiceUnavailable, fault.Errorf("the answer was not there in time: send fewer rows at a time, or try again later"))
	case errors.Is(err, context.Canceled):
		return as(statusGone, fault.Errorf("the request was given up"))
	case errors.Is(err, dataset.ErrVectors):
		return &problem{http.StatusBadGateway, fault.Errorf("the vectors of the texts could not be made, by what this server was given for it; its log says why"), err}
	case errors.Is(err, huge.ErrMemory):
		return as(http.StatusServiceUnavailable, fault.Memory.Errorf("there is no memory for this now: send fewer rows at a time, or try again later"))
	case errors.As(err, new(*dataset.Error)) && errors.Is(err, dataset.ErrMemory):
		return as(http.StatusRequestEntityTooLarge, err)
	case errors.As(err, new(*dataset.Error)), errors.As(err, new(dataset.Message)), errors.Is(err, lapsvm.ErrData), errors.Is(err, lapsvm.ErrParameter):
		return as(http.StatusBadRequest, err)
	case errors.Is(err, os.ErrDeadlineExceeded):
		return as(http.StatusRequestTimeout, fault.Errorf("the body did not come in time: send it faster, or fewer rows at a time"))
	}
	return as(http.StatusInternalServerError, fault.Errorf("the server failed; its log says why"))
}

// statusGone is the status logged and counted for a request after its client went
// away. No client sees it.
const statusGone = 499

// inRequest words an option for the sender of a request, of those that a sender can set.
func inRequest(o dataset.Option) string {
	switch o.Name {
	case "Calibrate":
		return "probabilities"
	case "Header":
		return "the Content-Type text/csv; header=" + map[bool]string{true: "present", false: "absent"}[fmt.Sprint(o.Value) == "yes"]
	case "Charset":
		if o.Value != nil {
			return fmt.Sprintf("charset=%v in the Content-Type, or the text as UTF-8", o.Value)
		}
		return "the text as UTF-8"
	case "Format":
		return "the Content-Type"
	case "Memory":
		return "the server's limit"
	}
	if o.In != "" {
		return "another setting (" + o.Name + ")"
	}
	return "" // nobody sets it in a request
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
	body := fault.Apart(p.says, inRequest)
	if body.Code == "" && p.status == http.StatusBadRequest {
		body.Code = fault.Data
	}
	for _, text := range []*string{&body.Error, &body.Fault, &body.Advice} {
		*text = cut(*text, longestText)
	}
	writeJSON(w, p.status, errorBody(body))
}

// errorBody is the JSON of a problem.
type errorBody fault.Parts

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
