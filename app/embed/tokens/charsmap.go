package tokens

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"strings"
	"unicode"
	"unicode/utf8"
)

// charsmap is Precompiled, the map of characters of a SentencePiece model: a double-array trie (Aoe, 1989) of texts, each with the place
// of its replacement, which ends with a zero.
type charsmap struct {
	units        []uint32
	replacements string
}

// longestCluster is how many bytes of a character with its marks are looked up together. More are looked up one by one.
const longestCluster = 5

func readCharsmap(text json.RawMessage) (normaliser, error) {
	var p struct {
		Type string
		Map  *string `json:"precompiled_charsmap"`
	}
	if err := decode("Precompiled", text, &p); err != nil {
		return nil, err
	}
	if p.Map == nil || *p.Map == "" {
		return nil, errors.New("the normalizer Precompiled has no precompiled_charsmap: leave the normalizer out")
	}
	data, err := base64.StdEncoding.DecodeString(*p.Map)
	if err != nil {
		return nil, errors.New("the normalizer Precompiled has a precompiled_charsmap that is not written in base64: fetch the file again")
	}
	if len(data) < 4 {
		return nil, errors.New("the normalizer Precompiled has a precompiled_charsmap that is cut off: fetch the file again")
	}
	size := uint64(binary.LittleEndian.Uint32(data))
	if data = data[4:]; size == 0 || size%4 != 0 || size > uint64(len(data)) {
		return nil, errors.New("the normalizer Precompiled has a precompiled_charsmap that is cut off: fetch the file again")
	}
	m := &charsmap{replacements: string(data[size:])}
	for ; size > 0; size, data = size-4, data[4:] {
		m.units = append(m.units, binary.LittleEndian.Uint32(data))
	}
	if !utf8.ValidString(m.replacements) {
		return nil, errors.New("the normalizer Precompiled has a precompiled_charsmap that is no text: fetch the file again")
	}
	return m.normalise, nil
}

// normalise replaces what is in the map: characters with their marks of at most 5 bytes, or else single characters.
func (m *charsmap) normalise(text string) string {
	var b strings.Builder
	for text != "" {
		end := clusterEnd(text)
		cluster := text[:end]
		if to, is := m.find(cluster); is && end <= longestCluster {
			b.WriteString(to)
		} else {
			for _, r := range cluster {
				if to, is := m.find(string(r)); is {
					b.WriteString(to)
				} else {
					b.WriteRune(r)
				}
			}
		}
		text = text[end:]
	}
	return b.String()
}

// find returns the replacement of the shortest text of the map that a text begins with.
func (m *charsmap) find(text string) (string, bool) {
	offset := func(unit uint32) uint32 { return unit >> 10 << (unit & (1 << 9) >> 6) }
	at := offset(m.units[0])
	for k := range len(text) {
		if text[k] == 0 {
			return "", false
		}
		if at ^= uint32(text[k]); uint64(at) >= uint64(len(m.units)) {
			return "", false
		}
		unit := m.units[at]
		if unit&(1<<31|0xff) != uint32(text[k]) {
			return "", false
		}
		if at ^= offset(unit); unit>>8&1 == 1 && uint64(at) < uint64(len(m.units)) {
			from := uint64(m.units[at] & (1<<31 - 1))
			if from >= uint64(len(m.replacements)) {
				return "", true
			}
			to, _, _ := strings.Cut(m.replacements[from:], "\x00")
			return to, true
		}
	}
	return "", false
}

// clusterEnd returns the length of the first character of a text with what belongs to it: the marks behind it, and a line feed behind
// a carriage return (Unicode Standard Annex 29, for clusters of at most five bytes).
func clusterEnd(text string) int {
	first, end := utf8.DecodeRuneInString(text)
	if first == '\r' && strings.HasPrefix(text[end:], "\n") {
		return end + 1
	}
	for precedes(first) && end < len(text) {
		r, size := utf8.DecodeRuneInString(text[end:])
		if isBreak(r) {
			return end
		}
		first, end = r, end+size
	}
	if isBreak(first) {
		return end
	}
	for end < len(text) {
		r, size := utf8.DecodeRuneInString(text[end:])
		if !(unicode.IsMark(r) || r == 0x200c || r == 0x200d || r == 0xe33 || r == 0xeb3 || r == 0xff9e || r == 0xff9f || r >= 0x1f3fb && r <= 0x1f3ff) {
			break
		}
		end += size
	}
	return end
}

// precedes reports characters that belong to the one behind them.
func precedes(r rune) bool {
	return r >= 0x600 && r <= 0x605 || r == 0x6dd || r == 0x70f || r == 0x890 || r == 0x891 || r == 0x8e2
}

// isBreak reports control characters, to which no mark belongs.
func isBreak(r rune) bool {
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp) && r != 0x200c && r != 0x200d && !precedes(r)
}
