package modelfile

import (
	"errors"
	"fmt"
	"math"
)

// Joins is the rows of a training with given edges. Edges of new rows lead to them.
type Joins struct {
	Names  []string    // of the rows; nil where they go by their numbers
	Values [][]float64 // [machine][row] outputs
}

// joinsHeader has the shape of [Joins]. Its array comes last in a file, as float64.
type joinsHeader struct {
	Rows  int      `json:"rows"`
	Names []string `json:"names,omitempty"`
}

func joinsToHeader(j *Joins) *joinsHeader {
	if j == nil || len(j.Values) == 0 {
		return nil
	}
	return &joinsHeader{len(j.Values[0]), j.Names}
}

func (e *encoder) joins(j *Joins) {
	if j == nil {
		return
	}
	for _, values := range j.Values {
		e.floats(values)
	}
}

func (d *decoder) joins(h *joinsHeader, machines int) *Joins {
	if h == nil {
		return nil
	}
	j := &Joins{Names: h.Names}
	for range machines {
		if d.err == nil {
			j.Values = append(j.Values, d.floats(h.Rows))
		}
	}
	return j
}

// validate reports rows that no model of so many machines has.
func (j *Joins) validate(machines int) error {
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

func (j *Joins) names() []string {
	if j == nil {
		return nil
	}
	return j.Names
}
