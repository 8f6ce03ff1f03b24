package tokens

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// normaliser changes a text before it is cut into words.
type normaliser func(text string) string

// readNormaliser reads a normalizer. It reports whether that may leave out what a text begins with.
func readNormaliser(text json.RawMessage) (n normaliser, removes bool, err error) {
	name, is, err := typeOf(text)
	if err != nil {
		return nil, false, err
	}
	if !is {
		return func(text string) string { return text }, false, nil
	}
	plain := func(n normaliser, removes bool) (normaliser, bool, error) {
		return n, removes, decode(name, text, new(struct{ Type string }))
	}
	switch name {
	case "NFC", "NFD", "NFKC", "NFKD":
		return plain(map[string]normaliser{"NFC": in(norm.NFC), "NFD": in(norm.NFD), "NFKC": in(norm.NFKC), "NFKD": in(norm.NFKD)}[name], false)
	case "Lowercase":
		return plain(lower, false)
	case "StripAccents":
		return plain(without(isMark), true)
	case "Nmt":
		return plain(nmt, true)
	case "ByteLevel":
		return plain(asBytes, false)
	case "Strip":
		s := struct {
			Type  string
			Left  bool `json:"strip_left"`
			Right bool `json:"strip_right"`
		}{Left: true, Right: true}
		return func(text string) string {
			if s.Left {
				text = strings.TrimLeftFunc(text, unicode.IsSpace)
			}
			if s.Right {
				text = strings.TrimRightFunc(text, unicode.IsSpace)
			}
			return text
		}, true, decode(name, text, &s)
	case "Prepend":
		var p struct{ Type, Prepend string }
		return func(text string) string {
			if text == "" {
				return ""
			}
			return p.Prepend + text
		}, false, decode(name, text, &p)
	case "Replace":
		n, err := readReplace(text)
		return n, true, err
	case "Precompiled":
		n, err := readCharsmap(text)
		return n, true, err
	case "BertNormalizer":
		b := bertNormaliser{CleanText: true, Chinese: true, Lowercase: true}
		return b.normalise, true, decode(name, text, &b)
	case "Sequence":
		var s struct {
			Type        string
			Normalizers []json.RawMessage
		}
		if err := decode(name, text, &s); err != nil {
			return nil, false, err
		}
		var all []normaliser
		for _, text := range s.Normalizers {
			n, one, err := readNormaliser(text)
			if err != nil {
				return nil, false, err
			}
			all, removes = append(all, n), removes || one
		}
		return func(text string) string {
			for _, n := range all {
				text = n(text)
			}
			return text
		}, removes, nil
	}
	return nil, false, notKnown("normalizer", name)
}

// pattern is what a part of a file looks for: a string or a regular expression.
type pattern struct {
	String *string
	Regex  *string
}

// read returns the pattern as a regular expression.
func (p pattern) read() (*expression, error) {
	switch {
	case p.String != nil && p.Regex == nil && *p.String != "":
		r, err := regexp.Compile(regexp.QuoteMeta(*p.String))
		return &expression{Regexp: r}, err
	case p.Regex != nil && p.String == nil:
		return newExpression(*p.Regex)
	}
	return nil, errors.New("a pattern that is neither a String nor a Regex: give one of them")
}

func readReplace(text json.RawMessage) (normaliser, error) {
	var r struct {
		Type    string
		Pattern pattern
		Content string
	}
	if err := decode("Replace", text, &r); err != nil {
		return nil, err
	}
	e, err := r.Pattern.read()
	if err != nil {
		return nil, fmt.Errorf("the normalizer Replace: %w", err)
	}
	return func(text string) string {
		var b strings.Builder
		from := 0
		for _, m := range e.matches(text) {
			b.WriteString(text[from:m[0]])
			b.WriteString(r.Content)
			from = m[1]
		}
		b.WriteString(text[from:])
		return b.String()
	}, nil
}

// bertNormaliser is BertNormalizer.
type bertNormaliser struct {
	Type         string `json:"type"`
	CleanText    bool   `json:"clean_text"`
	Chinese      bool   `json:"handle_chinese_chars"`
	StripAccents *bool  `json:"strip_accents"`
	Lowercase    bool   `json:"lowercase"`
}

func (n *bertNormaliser) normalise(text string) string {
	var b strings.Builder
	for _, r := range text {
		switch {
		case n.CleanText && (r == 0 || r == 0xfffd || isControl(r)):
		case n.CleanText && unicode.IsSpace(r):
			b.WriteByte(' ')
		case n.Chinese && isChinese(r):
			b.WriteString(" " + string(r) + " ")
		default:
			b.WriteRune(r)
		}
	}
	text = b.String()
	if n.StripAccents != nil && *n.StripAccents || n.StripAccents == nil && n.Lowercase {
		text = without(isNonspacing)(in(norm.NFD)(text))
	}
	if n.Lowercase {
		text = lower(text)
	}
	return text
}

// lower writes each letter in lower case, whatever is beside it. One letter becomes two.
func lower(text string) string {
	var b strings.Builder
	for _, r := range text {
		b.WriteRune(unicode.ToLower(r))
		if r == 'İ' {
			b.WriteRune('\u0307')
		}
	}
	return b.String()
}

// without leaves out some characters.
func without(is func(rune) bool) normaliser {
	return func(text string) string {
		return strings.Map(func(r rune) rune {
			if is(r) {
				return -1
			}
			return r
		}, text)
	}
}

// nmt leaves out control characters, and makes blanks of others and of what has no width.
func nmt(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 1 && r <= 8, r == 0xb, r >= 0xe && r <= 0x1f, r == 0x7f, r == 0x8f, r == 0x9f:
			return -1
		case r == '\t', r == '\n', r == '\f', r == '\r', r == 0x1680, r >= 0x200b && r <= 0x200f, r == 0x2028, r == 0x2029, r == 0x2581, r == 0xfeff, r == 0xfffd:
			return ' '
		}
		return r
	}, text)
}

// asBytes writes each byte as a character of bytesAsRunes.
func asBytes(text string) string {
	runes := bytesAsRunes()
	var b strings.Builder
	for k := range len(text) {
		b.WriteRune(runes[text[k]])
	}
	return b.String()
}

// bytesAsRunes returns the character of each byte. Those of Latin-1 that can be seen stand for themselves, and the others for
// characters from 256 on.
func bytesAsRunes() (runes [256]rune) {
	next := rune(256)
	for b := range runes {
		r := rune(b)
		if r <= ' ' || r > '~' && r <= 0xa0 || r == 0xad {
			r, next = next, next+1
		}
		runes[b] = r
	}
	return runes
}
