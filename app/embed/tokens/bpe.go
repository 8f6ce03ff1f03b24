package tokens

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// bytePairs are tokens of bytes and of pairs that were merged, as networks of the RoBERTa and GPT families have them: byte-level BPE (Sennrich,
// Haddow and Birch, "Neural machine translation of rare words with subword units", 2016). Each byte is a character of bytesAsRunes.
type bytePairs struct {
	vocabulary map[string]int
	ranks      map[[2]string]int // of the pairs, the first to merge has 0
	blank      bool              // a blank is put before a text that has none there
	composed   bool              // texts are brought to the form NFC
	whole      bool              // a word that is a token is not taken apart
}

// bytePair is a merge as the file spells it: two strings, or one with a blank between them.
type bytePair [2]string

func (p *bytePair) UnmarshalJSON(text []byte) error {
	var two []string
	if json.Unmarshal(text, &two) != nil {
		var one string
		if err := json.Unmarshal(text, &one); err != nil {
			return err
		}
		two = strings.Split(one, " ")
	}
	if len(two) != 2 {
		return fmt.Errorf("a merge of %d strings, %.100s, in place of two", len(two), text)
	}
	*p = bytePair(two)
	return nil
}

func newBytePairs(m model, pre typed, composed bool) (*bytePairs, error) {
	if m.Suffix != "" || m.Prefix != "" || m.ByteFallback || pre.Regex != nil && !*pre.Regex {
		return nil, errors.New("BPE is known at the level of bytes, without prefix, suffix and byte_fallback, and with the regular expression of ByteLevel: make the vectors by a command")
	}
	p := &bytePairs{vocabulary: m.Vocab, ranks: make(map[[2]string]int), blank: pre.AddPrefixSpace, composed: composed, whole: m.IgnoreMerges}
	for rank, pair := range m.Merges {
		p.ranks[pair] = rank
	}
	for _, r := range bytesAsRunes() {
		if _, ok := p.vocabulary[string(r)]; !ok {
			return nil, fmt.Errorf("the vocabulary lacks %q, which is a byte", r)
		}
	}
	for pair := range p.ranks {
		if _, ok := p.vocabulary[pair[0]+pair[1]]; !ok {
			return nil, fmt.Errorf("the vocabulary lacks %q, which is a merge", pair[0]+pair[1])
		}
	}
	return p, nil
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

// words cuts a text as the regular expression of GPT-2 does, in characters of bytesAsRunes:
//
//	's|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+
func (p *bytePairs) words(text string) (words []string) {
	if p.composed {
		text = norm.NFC.String(text)
	}
	if p.blank && !strings.HasPrefix(text, " ") {
		text = " " + text
	}
	runes := bytesAsRunes()
	for text != "" {
		var word strings.Builder
		end := wordEnd(text)
		for _, b := range []byte(text[:end]) {
			word.WriteRune(runes[b])
		}
		words, text = append(words, word.String()), text[end:]
	}
	return words
}

// wordEnd returns the length of the first word of a text that is not empty.
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

// pieces appends the tokens of a word: the pair of the lowest rank is merged wherever it is, from the left, then the next.
func (p *bytePairs) pieces(ids []int, word string) []int {
	if id, ok := p.vocabulary[word]; ok && p.whole {
		return append(ids, id)
	}
	pieces := strings.Split(word, "")
	for {
		var lowest [2]string
		least := len(p.ranks)
		for i := range len(pieces) - 1 {
			pair := [2]string{pieces[i], pieces[i+1]}
			if rank, ok := p.ranks[pair]; ok && rank < least {
				lowest, least = pair, rank
			}
		}
		if least == len(p.ranks) {
			break
		}
		kept := pieces[:0]
		for i := 0; i < len(pieces); i++ {
			if i+1 < len(pieces) && pieces[i] == lowest[0] && pieces[i+1] == lowest[1] {
				kept = append(kept, lowest[0]+lowest[1])
				i++
				continue
			}
			kept = append(kept, pieces[i])
		}
		pieces = kept
	}
	for _, piece := range pieces {
		ids = append(ids, p.vocabulary[piece])
	}
	return ids
}
