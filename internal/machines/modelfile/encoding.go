package modelfile

import (
	"fmt"

	"lapsvm/dataset"
)

// encodingHeader has a version of its own, as a program that does not know it must
// not read tables. Files without it stay readable. Programs that know of no
// encoding look for its features among the columns of a table and find them
// missing.
type encodingHeader struct {
	Version int            `json:"version"`
	Named   bool           `json:"named,omitempty"`
	Columns []columnHeader `json:"columns"`
}

const encodingVersion = 1

type columnHeader struct {
	Name    string            `json:"name"`
	Kind    dataset.Kind      `json:"kind"`
	Reason  string            `json:"reason,omitempty"`
	Guessed bool              `json:"guessed,omitempty"`
	Missing int               `json:"missing,omitempty"`
	Fill    float64           `json:"fill"`
	Low     float64           `json:"low"`
	High    float64           `json:"high"`
	Order   dataset.DateOrder `json:"order,omitempty"`
	Values  []string          `json:"values,omitempty"`
	Words   []string          `json:"words,omitempty"`
	IDF     []float64         `json:"idf,omitempty"`
}

func encodingToHeader(e *dataset.Encoding) *encodingHeader {
	if e == nil {
		return nil
	}
	h := &encodingHeader{Version: encodingVersion, Named: e.Named}
	for _, c := range e.Columns {
		h.Columns = append(h.Columns, columnHeader(c))
	}
	return h
}

func (h *encodingHeader) encoding() *dataset.Encoding {
	if h == nil {
		return nil
	}
	e := &dataset.Encoding{Named: h.Named}
	for _, c := range h.Columns {
		e.Columns = append(e.Columns, dataset.Column(c))
	}
	return e
}

func validEncoding(e *dataset.Encoding) error {
	if e == nil {
		return nil
	}
	if err := e.Validate(); err != nil {
		return fmt.Errorf("an encoding that cannot be: %w", err)
	}
	return nil
}
