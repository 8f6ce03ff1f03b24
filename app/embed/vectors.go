package embed

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"strconv"
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

var (
	npyDescr = regexp.MustCompile(`'descr': *'([^']*)'`)
	npyOrder = regexp.MustCompile(`'fortran_order': *(True|False)`)
	npyShape = regexp.MustCompile(`'shape': *\((\d+), *(\d+)\)`)
)

// readNPY reads an array of float32 or float64 with a row for each vector.
func readNPY(data []byte) ([][]float32, error) {
	at := 10
	if len(data) < 12 {
		return nil, fmt.Errorf("an npy array that is cut off")
	}
	length := int(binary.LittleEndian.Uint16(data[8:]))
	if data[6] > 1 {
		at, length = 12, int(binary.LittleEndian.Uint32(data[8:]))
	}
	if length > len(data)-at {
		return nil, fmt.Errorf("an npy array that is cut off")
	}
	header := string(data[at : at+length])
	body := data[at+length:]
	descr, order, shape := npyDescr.FindStringSubmatch(header), npyOrder.FindStringSubmatch(header), npyShape.FindStringSubmatch(header)
	if descr == nil || order == nil || shape == nil || order[1] == "True" || descr[1] != "<f4" && descr[1] != "<f8" {
		return nil, fmt.Errorf("an npy array that is no float32 or float64 with a row for each vector (%.120s)", header)
	}
	n, err := strconv.Atoi(shape[1])
	width, other := strconv.Atoi(shape[2])
	size := 4
	if descr[1] == "<f8" {
		size = 8
	}
	if err != nil || other != nil || width < 1 || n > len(body) || width > len(body) || n*width*size > len(body) {
		return nil, fmt.Errorf("an npy array of %s×%s numbers that is cut off", shape[1], shape[2])
	}
	vectors := make([][]float32, n)
	for i := range vectors {
		vectors[i] = make([]float32, width)
		for k := range width {
			b := body[(i*width+k)*size:]
			if size == 4 {
				vectors[i][k] = math.Float32frombits(binary.LittleEndian.Uint32(b))
			} else {
				vectors[i][k] = float32(math.Float64frombits(binary.LittleEndian.Uint64(b)))
			}
		}
	}
	return vectors, nil
}
