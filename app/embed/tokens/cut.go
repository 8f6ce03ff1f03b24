package tokens

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// cutter cuts sections into words, which a model takes apart one by one.
type cutter func(all []section) []section

// readCutter reads a pre_tokenizer. A normaliser may leave out the beginning of a text. Nothing behind it tells where the text began.
func readCutter(text json.RawMessage, removes bool) (cutter, error) {
	name, is, err := typeOf(text)
	if err != nil {
		return nil, err
	}
	if !is {
		return func(all []section) []section { return all }, nil
	}
	plain := func(cut func(section) []section) (cutter, error) {
		return each(cut), decode(name, text, new(struct{ Type string }))
	}
	switch name {
	case "WhitespaceSplit":
		return plain(func(s section) []section { return s.split(every(s.text, unicode.IsSpace), removed) })
	case "Whitespace":
		return plain(func(s section) []section { return s.split(inverted(parts(s.text, words(s.text))), removed) })
	case "BertPreTokenizer":
		return plain(func(s section) (all []section) {
			for _, word := range s.split(every(s.text, unicode.IsSpace), removed) {
				all = append(all, word.split(every(word.text, isPunctuation), isolated)...)
			}
			return all
		})
	case "CharDelimiterSplit":
		var c struct{ Type, Delimiter string }
		if err := decode(name, text, &c); err != nil {
			return nil, err
		}
		delimiter, width := utf8.DecodeRuneInString(c.Delimiter)
		if width == 0 || width != len(c.Delimiter) {
			return nil, fmt.Errorf("the pre_tokenizer CharDelimiterSplit has the delimiter %q, and not one character", c.Delimiter)
		}
		return each(func(s section) []section {
			return s.split(every(s.text, func(r rune) bool { return r == delimiter }), removed)
		}), nil
	case "Digits":
		var d struct {
			Type string
			Each bool `json:"individual_digits"`
		}
		if err := decode(name, text, &d); err != nil {
			return nil, err
		}
		b := contiguous
		if d.Each {
			b = isolated
		}
		return each(func(s section) []section { return s.split(every(s.text, unicode.IsNumber), b) }), nil
	case "Punctuation":
		p := struct {
			Type     string
			Behavior behaviour
		}{Behavior: isolated}
		if err := decode(name, text, &p); err != nil {
			return nil, err
		}
		return each(func(s section) []section { return s.split(every(s.text, isPunctuation), p.Behavior) }), nil
	case "Split":
		return readSplit(text)
	case "ByteLevel":
		return readByteLevel(text)
	case "Metaspace":
		return readMetaspace(text, removes)
	case "Sequence":
		var s struct {
			Type          string
			Pretokenizers []json.RawMessage
		}
		if err := decode(name, text, &s); err != nil {
			return nil, err
		}
		var cutters []cutter
		for _, text := range s.Pretokenizers {
			c, err := readCutter(text, removes)
			if err != nil {
				return nil, err
			}
			cutters = append(cutters, c)
		}
		return func(all []section) []section {
			for _, c := range cutters {
				all = c(all)
			}
			return all
		}, nil
	}
	return nil, notKnown("pre_tokenizer", name)
}

// each cuts section after section.
func each(cut func(section) []section) cutter {
	return func(all []section) (words []section) {
		for _, s := range all {
			words = append(words, cut(s)...)
		}
		return words
	}
}

// every returns the parts of a text of which each character of some is a match of its own.
func every(text string, is func(rune) bool) []part {
	var all [][2]int
	for k, r := range text {
		if is(r) {
			all = append(all, [2]int{k, k + utf8.RuneLen(r)})
		}
	}
	return parts(text, all)
}

// words finds words of letters, digits and underscores, and of other characters that are no blanks.
func words(text string) (all [][2]int) {
	kind := 0 // of the last character: 0 of a blank
	for k, r := range text {
		now := 1
		switch {
		case unicode.IsSpace(r):
			now = 0
		case isWord(r):
			now = 2
		}
		end := k + utf8.RuneLen(r)
		switch {
		case now > 0 && now == kind:
			all[len(all)-1][1] = end
		case now > 0:
			all = append(all, [2]int{k, end})
		}
		kind = now
	}
	return all
}

// behaviour says what becomes of matches.
type behaviour int

const (
	removed        behaviour = iota
	isolated                 // a match is a word
	contiguous               // matches beside one another are a word
	mergedPrevious           // a match belongs to what comes before it
	mergedNext               // a match belongs to what comes behind it
)

// UnmarshalJSON implements [json.Unmarshaler].
func (b *behaviour) UnmarshalJSON(text []byte) error {
	var name string
	if err := json.Unmarshal(text, &name); err != nil {
		return err
	}
	known := map[string]behaviour{"Removed": removed, "Isolated": isolated, "Contiguous": contiguous, "MergedWithPrevious": mergedPrevious, "MergedWithNext": mergedNext}
	is := false
	if *b, is = known[name]; !is {
		return notKnown("behavior", name)
	}
	return nil
}

// part is a match, or what is between two.
type part struct {
	from, to int
	match    bool
}

// parts returns the parts of a text.
func parts(text string, matches [][2]int) (all []part) {
	end := 0
	for _, m := range append(matches, [2]int{len(text), len(text)}) {
		if end < m[0] {
			all = append(all, part{end, m[0], false})
		}
		if m[0] < m[1] {
			all = append(all, part{m[0], m[1], true})
		}
		end = m[1]
	}
	return all
}

// inverted returns parts of which the others count as matches.
func inverted(all []part) []part {
	for k := range all {
		all[k].match = !all[k].match
	}
	return all
}

// split cuts a section into words of its parts.
func (s section) split(all []part, b behaviour) (words []section) {
	for k, p := range all {
		var joins bool // p goes on with the part before it
		if k > 0 {
			switch before := all[k-1].match; b {
			case contiguous:
				joins = p.match == before
			case mergedPrevious:
				joins = p.match && !before
			case mergedNext:
				joins = !p.match && before
			}
		}
		switch {
		case joins:
			last := &words[len(words)-1]
			last.text = s.text[p.from-len(last.text) : p.to]
		case b != removed || !p.match:
			words = append(words, section{text: s.text[p.from:p.to], first: s.first && p.from == 0})
		}
	}
	return words
}

func readSplit(text json.RawMessage) (cutter, error) {
	var d struct {
		Type     string
		Pattern  pattern
		Behavior behaviour
		Invert   bool
	}
	if err := decode("Split", text, &d); err != nil {
		return nil, err
	}
	e, err := d.Pattern.read()
	if err != nil {
		return nil, fmt.Errorf("the pre_tokenizer Split: %w", err)
	}
	return each(func(s section) []section {
		all := parts(s.text, e.matches(s.text))
		if d.Invert {
			all = inverted(all)
		}
		return s.split(all, d.Behavior)
	}), nil
}

// byteLevel is the ByteLevel of pre-tokenizers and of post-processors.
type byteLevel struct {
	Type   string
	Prefix bool `json:"add_prefix_space"`
	Trim   bool `json:"trim_offsets"` // of places in the text
	Regex  bool `json:"use_regex"`
}

func readByteLevel(text json.RawMessage) (cutter, error) {
	l := byteLevel{Prefix: true, Regex: true}
	if err := decode("ByteLevel", text, &l); err != nil {
		return nil, err
	}
	return each(func(s section) (words []section) {
		if l.Prefix && !strings.HasPrefix(s.text, " ") {
			s.text = " " + s.text
		}
		for rest := s.text; rest != ""; {
			end := len(rest)
			if l.Regex {
				end = wordEnd(rest)
			}
			words, rest = append(words, section{text: asBytes(rest[:end]), first: s.first && len(words) == 0}), rest[end:]
		}
		return words
	}), nil
}

// wordEnd returns the length of the first word of a text that is not empty, by the regular expression of GPT-2:
//
//	's|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+
func wordEnd(text string) int {
	for _, end := range []string{"'s", "'t", "'re", "'ve", "'m", "'ll", "'d"} {
		if strings.HasPrefix(text, end) {
			return len(end)
		}
	}
	after := strings.TrimPrefix(text, " ")
	first, _ := utf8.DecodeRuneInString(after)
	for _, is := range []func(rune) bool{unicode.IsLetter, unicode.IsNumber, isOther} {
		if after != "" && is(first) {
			return len(text) - len(strings.TrimLeftFunc(after, is))
		}
	}
	blanks := len(text) - len(strings.TrimLeftFunc(text, unicode.IsSpace))
	if _, last := utf8.DecodeLastRuneInString(text[:blanks]); blanks < len(text) && blanks > last {
		return blanks - last // the last one belongs to the word behind it
	}
	return blanks
}

func isOther(r rune) bool { return !unicode.IsSpace(r) && !unicode.IsLetter(r) && !unicode.IsNumber(r) }

func readMetaspace(text json.RawMessage, removes bool) (cutter, error) {
	m := struct {
		Type        string
		Replacement string
		Written     string `json:"str_rep"` // the replacement once more
		Prefix      *bool  `json:"add_prefix_space"`
		Scheme      string `json:"prepend_scheme"`
		Split       *bool
	}{Replacement: "▁", Scheme: "always"}
	if err := decode("Metaspace", text, &m); err != nil {
		return nil, err
	}
	switch {
	case utf8.RuneCountInString(m.Replacement) != 1:
		return nil, fmt.Errorf("the pre_tokenizer Metaspace has the replacement %q, and not one character", m.Replacement)
	case m.Scheme != "always" && m.Scheme != "first" && m.Scheme != "never":
		return nil, notKnown("prepend_scheme", m.Scheme)
	case m.Prefix != nil && !*m.Prefix && m.Scheme != "never":
		return nil, fmt.Errorf("the pre_tokenizer Metaspace has add_prefix_space false and the prepend_scheme %q: correct one of them", m.Scheme)
	case m.Scheme == "first" && removes:
		return nil, errors.New("the pre_tokenizer Metaspace with the prepend_scheme first is not known behind a normalizer that may leave out the beginning of a text: make the vectors by a command")
	}
	mark, _ := utf8.DecodeRuneInString(m.Replacement)
	return each(func(s section) []section {
		s.text = strings.ReplaceAll(s.text, " ", m.Replacement)
		if (m.Scheme == "always" || m.Scheme == "first" && s.first) && !strings.HasPrefix(s.text, m.Replacement) {
			s.text = m.Replacement + s.text
		}
		if m.Split != nil && !*m.Split {
			return []section{s}
		}
		return s.split(every(s.text, func(r rune) bool { return r == mark }), mergedNext)
	}), nil
}
