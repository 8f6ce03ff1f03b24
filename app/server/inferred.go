package server

import (
	"encoding/binary"
	"encoding/json"
	"math"
	"strconv"

	"lapsvm/app/answer"
	"lapsvm/dataset"
)

// with gives an output its elements, as they are appended by the functions below.
func (t outputTensor) with(elements []byte, binary bool) outputTensor {
	if binary {
		size := int64(len(elements))
		t.binary, t.Parameters.Size = elements, &size
		return t
	}
	if len(elements) == 0 {
		elements = []byte{'['}
	}
	elements[0] = '['
	t.Data = append(elements, ']')
	return t
}

// appendNumber appends a finite number as 8 bytes, or as JSON behind a comma.
func appendNumber(b []byte, v float64, binaryData bool) []byte {
	if binaryData {
		return binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
	}
	b = append(b, ',')
	form := byte('f')
	if size := math.Abs(v); size != 0 && (size < 1e-6 || size >= 1e21) {
		form = 'e'
	}
	return strconv.AppendFloat(b, v, form, -1, 64)
}

// appendTruth appends 1 or 0 as 8 bytes of a whole number, or as JSON behind a comma.
func appendTruth(b []byte, is, binaryData bool) []byte {
	n := byte(0)
	if is {
		n = 1
	}
	if binaryData {
		return append(b, n, 0, 0, 0, 0, 0, 0, 0)
	}
	return append(b, ',', '0'+n)
}

// appendText appends a text behind its length, or as JSON behind a comma.
func appendText(b []byte, text string, binaryData bool) []byte {
	if binaryData {
		return append(binary.LittleEndian.AppendUint32(b, uint32(len(text))), text...)
	}
	quoted, _ := json.Marshal(text) // of any text
	return append(append(b, ','), quoted...)
}

// inference returns an answer: JSON of head bytes, and after it the outputs requested as
// binary data.
func (v *version) inference(id string, outputs []wantedTensor, a answers, unseen []dataset.Unseen) (body []byte, head int, err error) {
	said := inferResponse{Model: v.name, Version: v.version, ID: id, Parameters: responseParameters{v.checksum, answer.UnseenResults(unseen)}}
	var behind []byte
	for _, t := range outputs {
		o := v.tensor(t.Name, *t.Parameters.Binary, a)
		behind = append(behind, o.binary...)
		said.Outputs = append(said.Outputs, o)
	}
	text, err := json.Marshal(said)
	return append(text, behind...), len(text), err
}
