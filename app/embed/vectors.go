package embed

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"lapsvm/dataset/files"
)

// readVectors reads vectors of one length, with finite numbers, from an array of npy or from JSON lines.
func readVectors(data []byte) (vectors [][]float32, err error) {
	if bytes.HasPrefix(data, []byte("\x93NUMPY")) {
		vectors, err = readNPY(data)
	} else {
		vectors, err = readLines(data)
	}
	if err != nil {
		return nil, err
	}
	for i, v := range vectors {
		if len(v) == 0 || len(v) != len(vectors[0]) {
			return nil, fmt.Errorf("vector %d of %d numbers, after one of %d", i+1, len(v), len(vectors[0]))
		}
		for k, x := range v {
			if x-x != 0 {
				return nil, fmt.Errorf("vector %d whose number %d is %g", i+1, k+1, x)
			}
		}
	}
	return vectors, nil
}

// readLines reads JSON lines.
func readLines(data []byte) (vectors [][]float32, err error) {
	line := 0
	for text := range bytes.Lines(data) {
		line++
		if text = bytes.TrimSpace(text); len(text) == 0 {
			continue
		}
		var v []float32
		if text[0] == '{' {
			var row struct {
				Vector []float32 `json:"vector"`
			}
			err, v = json.Unmarshal(text, &row), row.Vector
		} else {
			err = json.Unmarshal(text, &v)
		}
		if err != nil {
			return nil, fmt.Errorf("line %d, %.40q, which is no JSON array of numbers (%v)", line, text, err)
		}
		vectors = append(vectors, v)
	}
	return vectors, nil
}

// readNPY reads an array with a row for each vector.
func readNPY(data []byte) ([][]float32, error) {
	d, err := files.Read(bytes.NewReader(data), "an npy array", files.Options{Format: files.NPY, MayLackLabels: true})
	if err != nil {
		return nil, err
	}
	if d.Guessed != "" {
		return nil, errors.New("an npy array with numbers that are not finite")
	}
	vectors, row := make([][]float32, d.Len()), d.Points.Scratch(1)
	for i := range vectors {
		vectors[i] = make([]float32, d.Points.Dim())
		for k, v := range d.Points.Row(i, row) {
			vectors[i][k] = float32(v)
		}
	}
	return vectors, nil
}
