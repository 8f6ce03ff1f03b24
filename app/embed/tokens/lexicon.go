package tokens

import (
	"cmp"
	"fmt"
	"slices"
	"sort"
	"strings"
)

// longestToken is the most bytes of a token. It bounds how far a text is looked at from each of its places.
const longestToken = 4096

// lexicon are words in order, among which those are found that a text begins with.
type lexicon struct {
	words []string
	which []int // the number of each word
}

// span is some of a lexicon: words from ≤ k < to, which have as many bytes in common as were looked at.
type span struct{ from, to, depth int }

// newLexicon returns a lexicon of words, whose numbers count from 0. Of equal words the last counts.
func newLexicon(words []string) (*lexicon, error) {
	l := &lexicon{which: make([]int, len(words))}
	for k := range words {
		if len(words[k]) > longestToken {
			return nil, fmt.Errorf("a token of %d bytes, %.40q…: the longest that is known has %d", len(words[k]), words[k], longestToken)
		}
		l.which[k] = k
	}
	slices.SortFunc(l.which, func(a, b int) int { return cmp.Or(strings.Compare(words[a], words[b]), b-a) })
	l.which = slices.CompactFunc(l.which, func(a, b int) bool { return words[a] == words[b] })
	for _, k := range l.which {
		l.words = append(l.words, words[k])
	}
	return l, nil
}

func (l *lexicon) all() span { return span{0, len(l.words), 0} }

// next returns the words of a span that go on with a byte.
func (l *lexicon) next(s span, b byte) span {
	from := s.from
	if from < s.to && len(l.words[from]) == s.depth {
		from++
	}
	words := l.words[from:s.to]
	low := sort.Search(len(words), func(k int) bool { return words[k][s.depth] >= b })
	high := low + sort.Search(len(words)-low, func(k int) bool { return words[low+k][s.depth] > b })
	return span{from + low, from + high, s.depth + 1}
}

// prefixes calls found for each word of a span that a text begins with, behind what was looked at. It gives the length of the word
// in the text, and its number. The shortest comes first.
func (l *lexicon) prefixes(s span, text string, found func(length, which int)) {
	for k := 0; k < len(text) && s.from < s.to; k++ {
		if s = l.next(s, text[k]); s.from < s.to && len(l.words[s.from]) == s.depth {
			found(k+1, l.which[s.from])
		}
	}
}

// longest returns the last of prefixes; 0 for none.
func (l *lexicon) longest(s span, text string) (length, which int) {
	l.prefixes(s, text, func(n, k int) { length, which = n, k })
	return length, which
}
