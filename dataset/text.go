package dataset

import (
	"cmp"
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
	mostWords  = 50000 // of more words those in the most rows are taken, of equals the first in byte order
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

// vocabulary learns the words of n texts; texts gives those that are not
// missing. More words than the origin has memory for are an [*Error].
func vocabulary(origin *Origin, n int, texts iter.Seq[string]) (words []string, idf []float64, err error) {
	const entry = 96 // bytes of a word beside its text
	taken := 0
	type count struct {
		rows int // that have the word
		last int // of them
	}
	seen := make(map[string]*count)
	row := 0
	for text := range texts {
		row++
		eachWord(text, func(word string) {
			c := seen[word]
			if c == nil {
				if err == nil {
					err = origin.Take(entry+len(word), "the different words of a text")
				}
				if err != nil {
					return
				}
				taken += entry + len(word)
				c = new(count)
				seen[strings.Clone(word)] = c // the word alone, without its text
			}
			if c.last != row {
				c.rows, c.last = c.rows+1, row
			}
		})
		if err != nil {
			return nil, nil, err
		}
	}
	for word, c := range seen {
		if c.rows >= fewestRows && float64(c.rows) <= mostShare*float64(n) {
			words = append(words, word)
		}
	}
	if len(words) > mostWords {
		slices.SortFunc(words, func(a, b string) int {
			return cmp.Or(cmp.Compare(seen[b].rows, seen[a].rows), strings.Compare(a, b))
		})
		words = slices.Clone(words[:mostWords])
	}
	slices.Sort(words)
	for _, word := range words {
		idf = append(idf, math.Log(float64(1+n)/float64(1+seen[word].rows))+1)
	}
	origin.Give(taken) // newEncoder counts those that are left
	return words, idf, nil
}
