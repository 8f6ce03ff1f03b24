package modelfile

import (
	"errors"
	"fmt"
	"math"
)

// Attachment is the rows of a training with given edges, to which edges attach new rows.
type Attachment struct {
	Names  []string    // of the rows; nil where they go by their numbers
	Values [][]float64 // [machine][row] outputs
}

// attachmentHeader has the shape of [Attachment]. Its array comes last in a file, as float64.
type attachmentHeader struct {
	Rows  int      `json:"rows"`
	Names []string `json:"names,omitempty"`
}

func attachmentToHeader(j *Attachment) *attachmentHeader {
	if j == nil || len(j.Values) == 0 {
		return nil
	}
	return &attachmentHeader{len(j.Values[0]), j.Names}
}

func (e *encoder) attachment(j *Attachment) {
	if j == nil {
		return
	}
	for _, values := range j.Values {
		e.floats(values)
	}
}

func (d *decoder) attachment(h *attachmentHeader, machines int) *Attachment {
	if h == nil {
		return nil
	}
	j := &Attachment{Names: h.Names}
	for range machines {
		if d.err == nil {
			j.Values = append(j.Values, d.floats(h.Rows))
		}
	}
	return j
}

// validate reports rows that no model of so many machines has.
func (j *Attachment) validate(machines int) error {
	switch {
	case j == nil:
		return nil
	case len(j.Values) != machines || len(j.Values[0]) == 0:
		return errors.New("joined rows of other machines")
	case j.Names != nil && len(j.Names) != len(j.Values[0]):
		return fmt.Errorf("%d names of %d joined rows", len(j.Names), len(j.Values[0]))
	}
	for _, values := range j.Values {
		if len(values) != len(j.Values[0]) {
			return fmt.Errorf("outputs of %d and %d joined rows", len(j.Values[0]), len(values))
		}
		for i, v := range values {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return fmt.Errorf("the output of joined row %d is %v", i+1, v)
			}
		}
	}
	return nil
}

func (j *Attachment) names() []string {
	if j == nil {
		return nil
	}
	return j.Names
}
