package dataset

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"iter"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// The vocabulary of a text column.
const (
	fewestRows = 2     // a word is in at least so many rows
	mostShare  = 0.8   // and in at most this share of them
	mostWords  = 50000 // the words in the most rows are taken, ties in byte order
)

// eachWord calls f for every word of a text: the runs of Unicode letters,
// digits and marks (such as accents written apart) that are at least two
// characters long, in lower case. A script without blanks between words gives
// long runs; cut such text before.
func eachWord(text string, f func(word string)) {
	text = strings.ToLower(text)
	begin := -1
	for at, r := range text {
		inside := unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)
		switch {
		case inside && begin < 0:
			begin = at
		case !inside && begin >= 0:
			word(text[begin:at], f)
			begin = -1
		}
	}
	if begin >= 0 {
		word(text[begin:], f)
	}
}

func word(run string, f func(word string)) {
	if _, size := utf8.DecodeRuneInString(run); size < len(run) { // there is a second character
		f(run)
	}
}

// weights gives (1+ln tf)·idf of every word in a sorted list of words.
func weights(words []int32, idf []float64) iter.Seq2[int32, float64] {
	return func(yield func(int32, float64) bool) {
		for from := 0; from < len(words); {
			to := from + 1
			for to < len(words) && words[to] == words[from] {
				to++
			}
			if !yield(words[from], (1+math.Log(float64(to-from)))*idf[words[from]]) {
				return
			}
			from = to
		}
	}
}

// vocabulary learns the words of n texts of all ranks; texts gives those of this one that are
// not missing. More words than the origin has memory for are an [*Error]. Each rank counts the
// words whose hash falls to it, and tells the others those that may be of the vocabulary.
func vocabulary(origin *Origin, n int, texts iter.Seq[string]) (words []string, idf []float64, err error) {
	seen := counts{origin: origin, rows: make(map[string]*wordRows)}
	row := 0
	for text := range texts {
		row++
		eachWord(text, func(word string) {
			if err != nil {
				return
			}
			var c *wordRows
			if c, err = seen.of(word); err == nil && c.last != row {
				c.rows, c.last = c.rows+1, row
			}
		})
		if err != nil {
			return nil, nil, err
		}
	}
	if ranks := origin.ranks(); ranks != nil {
		if err := seen.share(ranks, n); err != nil {
			return nil, nil, err
		}
	}
	words = seen.common(n)
	slices.Sort(words)
	for _, word := range words {
		idf = append(idf, math.Log(float64(1+n)/float64(1+seen.rows[word].rows))+1)
	}
	origin.Give(seen.taken) // newEncoder counts those that are left
	return words, idf, nil
}

// counts are in how many rows words are.
type counts struct {
	origin *Origin
	rows   map[string]*wordRows
	taken  int // bytes
}

type wordRows struct {
	rows int // that have the word
	last int // of them
}

// of returns the count of a word.
func (s *counts) of(word string) (*wordRows, error) {
	if c := s.rows[word]; c != nil {
		return c, nil
	}
	const entry = 96 // bytes of a word beside its text
	if err := s.origin.Take(entry+len(word), "the different words of a text"); err != nil {
		return nil, err
	}
	s.taken += entry + len(word)
	c := new(wordRows)
	s.rows[strings.Clone(word)] = c // the word alone, without its text
	return c, nil
}

// common returns the words of the vocabulary of n texts.
func (s *counts) common(n int) (words []string) {
	for word, c := range s.rows {
		if c.rows >= fewestRows && float64(c.rows) <= mostShare*float64(n) {
			words = append(words, word)
		}
	}
	if len(words) > mostWords {
		slices.SortFunc(words, func(a, b string) int {
			return cmp.Or(cmp.Compare(s.rows[b].rows, s.rows[a].rows), strings.Compare(a, b))
		})
		words = slices.Clone(words[:mostWords])
	}
	return words
}

// toldCounts are words, and in how many rows they are.
type toldCounts struct {
	Words []string
	Rows  []int
}

// share makes the counts those of n texts of all ranks, of words that may be of the
// vocabulary.
func (s *counts) share(ranks *Ranks, n int) error {
	parts := make([]toldCounts, ranks.Size())
	for word, c := range s.rows {
		hash := sha256.Sum256([]byte(word))
		p := &parts[ranks.owner(binary.LittleEndian.Uint64(hash[:]))]
		p.Words, p.Rows = append(p.Words, word), append(p.Rows, c.rows)
	}
	own, err := exchanged(ranks, parts)
	if err == nil {
		err = s.replace(own)
	}
	if err != nil {
		return err
	}
	var mine toldCounts
	for _, word := range s.common(n) {
		mine.Words, mine.Rows = append(mine.Words, word), append(mine.Rows, s.rows[word].rows)
	}
	all, err := All(ranks, mine)
	if err != nil {
		return err
	}
	return s.replace(all)
}

// replace makes the counts the sums of parts.
func (s *counts) replace(parts []toldCounts) error {
	s.origin.Give(s.taken)
	s.rows, s.taken = make(map[string]*wordRows), 0
	for _, p := range parts {
		for k, word := range p.Words {
			c, err := s.of(word)
			if err != nil {
				return err
			}
			c.rows += p.Rows[k]
		}
	}
	return nil
}
