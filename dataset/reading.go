package dataset

import (
	"errors"
	"fmt"
	"math"
	"strings"
)

// Reading is how a field of a column becomes its features, for what reads tables elsewhere.
type Reading struct {
	// Fill has what stands for each number of the field where it is missing: one for a number, d for
	// a vector of d. The features are these numbers, but for a latitude and a longitude, whose
	// features are those of [Latitude]. Beside a text a feature v is (v - Shift)/Width; without, these
	// are nil. All are nil for words.
	Fill, Shift, Width []float64

	// Places has for each word the feature of the column, from 0, that is 1, and -1 for none. Other is
	// that of all other words, which are missing or were not seen. Every other feature is 0. The
	// words of a category are its values. Numbers among these are there as they are written, in their
	// shortest spelling, and with up to six decimals.
	Places map[string]int
	Other  int
}

// mostDecimals is how many decimals programs write of a number without being asked.
const mostDecimals = 6

// Reading returns how column k, which has features, reads a field. It fails where the features are
// made of more than what a Reading says, and then says why.
func (e *Encoding) Reading(k int) (Reading, error) {
	c := &e.Columns[k]
	if reading := c.Kind.rules().reading; reading != nil {
		return reading(e, c)
	}
	return Reading{}, fmt.Errorf("%s are read from text", strings.TrimSuffix(string(c.Kind), "s")+"s")
}

// readingOf is the reading of a column of numbers, whose features lie between low and high.
func (e *Encoding) readingOf(c *Column, low, high []float64) (Reading, error) {
	r := Reading{Fill: []float64{c.Fill}}
	if !e.HasText() {
		return r, nil
	}
	for k := range low {
		width := high[k] - low[k]
		if math.IsInf(width, 0) {
			return r, errors.New("the range of its numbers is no number")
		}
		r.Shift, r.Width = append(r.Shift, low[k]), append(r.Width, width)
	}
	return r, nil
}

// add adds the place that a field has, if it has one.
func (r *Reading) add(of func(x cell) (place int, ok bool), field string) {
	if place, ok := of((&Origin{}).cell([]byte(field))); ok {
		r.Places[field] = place
	}
}
