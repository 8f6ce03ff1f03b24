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
	Version int              `json:"version"`
	Named   bool             `json:"named,omitempty"`
	Columns []dataset.Column `json:"columns"`
}

func encodingToHeader(e *dataset.Encoding) *encodingHeader {
	if e == nil {
		return nil
	}
	return &encodingHeader{e.Version(), e.Named, e.Columns}
}

func (h *encodingHeader) encoding() *dataset.Encoding {
	if h == nil {
		return nil
	}
	return &dataset.Encoding{Named: h.Named, Columns: h.Columns}
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
