package server

import (
	"bytes"
	"encoding/json"
	"strconv"
)

// lifted is the JSON of an inference without the data of its tensors: in their place are arrays
// of one number, which of the data it is. So what is long is read once, as numbers.
type lifted struct {
	frame []byte
	data  []span
}

// span is a part of a body.
type span struct {
	text []byte
	at   int // bytes before it
}

// lift takes the arrays out that are under the key data of an object in an array in an object,
// as those of inputs are. Of JSON that is broken all that is left in the frame is as it was.
func lift(text []byte) lifted {
	var l lifted
	var open [3]byte // the outermost brackets that are open
	depth, kept := 0, 0
	for at := 0; at < len(text); at++ {
		switch c := text[at]; c {
		case '{', '[':
			if depth < len(open) {
				open[depth] = c
			}
			depth++
		case '}', ']':
			depth = max(depth-1, 0)
		case '"':
			end := at + textLength(text[at:])
			value := end + blanks(text[end:])
			if depth == len(open) && string(open[:]) == "{[{" && value < len(text) && text[value] == ':' && isKey(text[at:end], "data") {
				value++
				value += blanks(text[value:])
				if n := arrayLength(text[value:]); n > 0 {
					l.frame = append(append(l.frame, text[kept:value]...), '[')
					l.frame = append(strconv.AppendInt(l.frame, int64(len(l.data)), 10), ']')
					l.data = append(l.data, span{text[value : value+n], value})
					kept, end = value+n, value+n
				}
			}
			at = end - 1
		}
	}
	l.frame = append(l.frame, text[kept:]...)
	return l
}

// offset is where a byte of the frame is in the body.
func (l lifted) offset(at int64) int64 {
	for k, d := range l.data {
		if at > int64(d.at) {
			at += int64(len(d.text) - len(strconv.Itoa(k)) - len("[]"))
		}
	}
	return at
}

// read reads the request, whose tensors get their data. That of a key that comes twice, and
// of what is no tensor, must be JSON too.
func (l lifted) read(request *inferRequest) error {
	if err := unmarshal(l.frame, request, l.offset); err != nil {
		return err
	}
	taken := make([]bool, len(l.data))
	for k := range request.Inputs {
		if t := &request.Inputs[k]; len(t.Data) > 0 && t.Data[0] == '[' {
			which, err := strconv.Atoi(string(bytes.Trim(t.Data, "[]")))
			if err != nil || which >= len(l.data) {
				return bad("the JSON is broken: it has data that are none")
			}
			t.Data, t.at, taken[which] = l.data[which].text, l.data[which].at, true
		}
	}
	for k, d := range l.data {
		if !taken[k] && !json.Valid(d.text) {
			return broken(d.at, "these data are no JSON")
		}
	}
	return nil
}

// textLength returns the length of the quoted text that begins here, with its quotes; all
// that is there where it has no end.
func textLength(text []byte) int {
	for at := 1; at < len(text); at++ {
		switch text[at] {
		case '\\':
			at++
		case '"':
			return at + 1
		}
	}
	return len(text)
}

// arrayLength returns the length of the array that begins here, 0 where none does or it has no
// end.
func arrayLength(text []byte) int {
	if len(text) == 0 || text[0] != '[' {
		return 0
	}
	depth := 0
	for at := 0; at < len(text); at++ {
		switch text[at] {
		case '[', '{':
			depth++
		case ']', '}':
			if depth--; depth == 0 {
				return at + 1
			}
		case '"':
			at += textLength(text[at:]) - 1
		}
	}
	return 0
}

// blanks returns how many blanks come first.
func blanks(text []byte) int {
	for at, c := range text {
		if c != ' ' && c != '\n' && c != '\t' && c != '\r' {
			return at
		}
	}
	return len(text)
}

// isKey reports whether a quoted text is the key of that name, which encoding/json finds in
// any case.
func isKey(quoted []byte, name string) bool {
	if bytes.IndexByte(quoted, '\\') < 0 {
		return len(quoted) >= 2 && bytes.EqualFold(quoted[1:len(quoted)-1], []byte(name))
	}
	var key []byte
	var text string
	if json.Unmarshal(quoted, &text) == nil {
		key = []byte(text)
	}
	return bytes.EqualFold(key, []byte(name))
}
