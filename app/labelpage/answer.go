package labelpage

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"

	"lapsvm/app/labelpage/store"
	"lapsvm/internal/system/fault"
)

// refuse answers with an error in words.
func refuse(w http.ResponseWriter, code int, text string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	_ = json.NewEncoder(w).Encode(map[string]string{"error": text})
}

// writeJSON answers with JSON.
func writeJSON(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(v) // who does not listen any more is not told
}

// fail answers with an error of the store.
func fail(w http.ResponseWriter, err error) {
	code := http.StatusInternalServerError
	switch {
	case store.Invalid.Is(err):
		code = http.StatusBadRequest
	case store.Conflict.Is(err):
		code = http.StatusConflict
	case store.Full.Is(err):
		code = http.StatusInsufficientStorage
	case store.ReadOnly.Is(err), store.Locked.Is(err), store.Moved.Is(err), store.Damaged.Is(err):
		code = http.StatusServiceUnavailable
	}
	refuse(w, code, err.Error())
}

// onPage words an error of a machine for people who label, and choose no settings there.
func onPage(err error) string {
	says := fault.Apart(err, func(o fault.Option) string { return o.Name })
	switch says.Code {
	case fault.NoLabels, fault.OneClass, fault.FewLabels:
		return says.Fault + ": label more rows"
	}
	return says.Error
}

// badRequest is the error of an invalid request.
type badRequest struct{ text string }

func (e badRequest) Error() string { return e.text }

func badf(format string, args ...any) error { return badRequest{fmt.Sprintf(format, args...)} }

// decode reads the JSON body of a request.
func decode(r io.Reader, to any) error {
	d := json.NewDecoder(r)
	d.DisallowUnknownFields()
	if err := d.Decode(to); err != nil {
		return fmt.Errorf("the body is not the JSON expected: %w", err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return badf("there is more than one JSON value in the body")
	}
	return nil
}

// query reads the parameters of an address, and remembers the first that is wrong.
type query struct {
	r   *http.Request
	err error
}

func (q *query) text(name string) string { return q.r.URL.Query().Get(name) }

// number reads a whole number from low to high, or takes the default where there is none.
func (q *query) number(name string, otherwise, low, high int) int {
	text := q.text(name)
	if text == "" {
		return otherwise
	}
	v, err := strconv.Atoi(text)
	if (err != nil || v < low || v > high) && q.err == nil {
		q.err = badf("%s is %q: give a whole number from %d to %d", name, text, low, high)
	}
	return v
}

// rows reads a list of at most most row numbers, from 1 and separated by commas, as rows
// from 0.
func (q *query) rows(name string, points, most int) []int {
	text := q.text(name)
	if text == "" {
		return nil
	}
	var all []int
	for part := range strings.SplitSeq(text, ",") {
		v, err := strconv.Atoi(part)
		if err != nil || v < 1 || v > points || len(all) == most {
			if q.err == nil {
				q.err = badf("%s: give at most %d numbers of rows, from 1 to %d, with commas between", name, most, points)
			}
			return nil
		}
		all = append(all, v-1)
	}
	return all
}

// oneOf reads one of a few words, the first where there is none.
func (q *query) oneOf(name string, words ...string) string {
	text := q.text(name)
	if text == "" {
		return words[0]
	}
	for _, word := range words {
		if text == word {
			return text
		}
	}
	if q.err == nil {
		q.err = badf("%s is %q: give one of %s", name, text, strings.Join(words, ", "))
	}
	return words[0]
}

// person reads the name of a person, which may be missing.
func (q *query) person() string {
	name := q.text("person")
	if name != "" {
		if err := store.CheckPerson(name); err != nil && q.err == nil {
			q.err = err
		}
	}
	return name
}

// wrong answers where a parameter was wrong.
func (q *query) wrong(w http.ResponseWriter) bool {
	if q.err != nil {
		refuse(w, http.StatusBadRequest, q.err.Error())
	}
	return q.err != nil
}

// fromOne returns rows as people count them.
func fromOne(rows []int) []int {
	all := make([]int, len(rows))
	for k, i := range rows {
		all[k] = i + 1
	}
	return all
}
