package dataset

// Series is a named column of results, of text or of numbers. An empty text is no value. Columns
// that belong together have the same length.
type Series struct {
	Name    string
	Text    []string
	Numbers []float64 // used where Text is nil
}

// Len returns the number of values.
func (s *Series) Len() int {
	if s.Text != nil {
		return len(s.Text)
	}
	return len(s.Numbers)
}
