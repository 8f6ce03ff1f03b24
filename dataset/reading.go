package dataset

// Reading is how a field of a column becomes its features, for what reads tables elsewhere. It has
// no place for the scale of numbers beside a text, as a [Text] has no Reading.
type Reading struct {
	// Fill has what stands for each number of the field where it is missing: one for a number, d for
	// a vector of d. The features are these numbers, but for a latitude and a longitude, whose
	// features are those of [Latitude]. It is nil for words.
	Fill []float64

	// Places has for each word the feature of the column, from 0, that is 1, and -1 for none. Other is
	// that of all other words, which are missing or were not seen. Every other feature is 0. The
	// words of a category are its values. Numbers among these are there as they are written, in their
	// shortest spelling, and with up to six decimals.
	Places map[string]int
	Other  int
}

// mostDecimals is how many decimals programs write of a number without being asked.
const mostDecimals = 6

// Reading returns how the column, which has features, reads a field. It fails where that takes more
// than such a table, and then says why.
func (c *Column) Reading() (Reading, error) {
	if reading := c.Kind.rules().reading; reading != nil {
		return reading(c)
	}
	return Reading{Fill: []float64{c.Fill}}, nil
}

// add adds the place that a field has, if it has one.
func (r *Reading) add(of func(x cell) (place int, ok bool), field string) {
	if place, ok := of((&Origin{}).cell([]byte(field))); ok {
		r.Places[field] = place
	}
}
