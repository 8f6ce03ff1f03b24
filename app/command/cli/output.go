package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strings"
)

// PrintJSON writes one JSON object and a line end.
func PrintJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e.Encode(v)
}

// MergedJSON is values that are written as one JSON object with the keys of all. Of
// equal keys the last counts.
type MergedJSON []any

func (o MergedJSON) MarshalJSON() ([]byte, error) {
	all := make(map[string]json.RawMessage)
	for _, v := range o {
		text, err := json.Marshal(v)
		if err != nil {
			return nil, err
		}
		if err := json.Unmarshal(text, &all); err != nil {
			return nil, err
		}
	}
	return json.Marshal(all)
}

// JSONNumber is a number that JSON writes as null where it is not finite.
type JSONNumber float64

func (n JSONNumber) MarshalJSON() ([]byte, error) {
	if math.IsNaN(float64(n)) || math.IsInf(float64(n), 0) {
		return []byte("null"), nil
	}
	return json.Marshal(float64(n))
}

// PrintTable writes rows in aligned columns, the first to the left and the
// others to the right.
func PrintTable(w io.Writer, rows [][]string) error {
	var width []int
	for _, row := range rows {
		for c, cell := range row {
			if c == len(width) {
				width = append(width, 0)
			}
			width[c] = max(width[c], len([]rune(cell)))
		}
	}
	for _, row := range rows {
		var line strings.Builder
		for c, cell := range row {
			pad := strings.Repeat(" ", width[c]-len([]rune(cell)))
			if c == 0 {
				line.WriteString(cell + pad)
			} else {
				line.WriteString("  " + pad + cell)
			}
		}
		if _, err := fmt.Fprintln(w, strings.TrimRight(line.String(), " ")); err != nil {
			return err
		}
	}
	return nil
}

// Count writes a number of things for people.
func Count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
