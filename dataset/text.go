package dataset

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"iter"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"lapsvm/dataset/internal/number"
)

// Text is the kind of a column of texts. Every word of the vocabulary is a feature COLUMN:WORD, its
// TF-IDF; for a missing text all are 0. Every pair and triple of characters of its runs of letters,
// digits and marks, with a blank before and behind each run, follows as a feature COLUMN:'GRAM'. They
// are chosen and weighed as words are, and their vector has a length of its own. They find what
// misspelt words share, and the words of scripts without blanks.
const Text Kind = "text"

// textColumn is the name of a column whose words are text in any case.
const textColumn = "text"

func textKind() kindRules {
	return kindRules{
		kind: Text, option: "Text", sparse: true,
		asked: func(o *TableOptions) []string { return o.Text },
		named: func(q *question) (bool, error) {
			return q.header != nil && q.name == textColumn && q.numbers < q.present, nil
		},
		likely: longWords,
		learn: func(l *learner, c *Column, j, n int) (err error) {
			c.Nothing = true
			if c.Words, c.IDF, err = vocabulary(l.origin, n, l.spellings(j), eachWord); err == nil {
				c.Grams, c.GramIDF, err = vocabulary(l.origin, n, l.spellings(j), eachGram)
			}
			if err == nil && c.textWidth() == 0 {
				c.drop(fmt.Sprintf("text without a word that is in at least %d rows and at most %.0f %% of them", fewestRows, 100*mostShare))
			}
			return err
		},
		validate: func(_ *Encoding, c *Column) error {
			return cmp.Or(validTerms("words", c.Words, c.IDF), validTerms("pairs and triples", c.Grams, c.GramIDF))
		},
		width: (*Column).textWidth,
		features: func(c *Column) []string {
			names := behind(c.Name+":", c.Words)
			for _, gram := range c.Grams {
				names = append(names, c.Name+":'"+gram+"'")
			}
			return names
		},
		encode:  encodeText,
		reading: func(*Encoding, *Column) (Reading, error) { return Reading{}, errors.New("texts are cut into words") },
		describe: func(c *Column) string {
			guess := ""
			if c.Guessed {
				guess = " (a guess)"
			}
			grams := ""
			if len(c.Grams) > 0 {
				grams = fmt.Sprintf(", %d pairs and triples of characters", len(c.Grams))
			}
			return "text" + guess + ", " + counted(len(c.Words), "word") + grams
		},
		typical: commonWords,
	}
}

// validTerms reports what no vocabulary that was learnt can hold.
func validTerms(what string, terms []string, idf []float64) error {
	for k := 1; k < len(terms); k++ {
		if terms[k-1] >= terms[k] {
			return fmt.Errorf("its %s are not sorted, or some are equal", what)
		}
	}
	if len(idf) != len(terms) {
		return fmt.Errorf("%d weights for %d %s", len(idf), len(terms), what)
	}
	return nil
}

func (c *Column) textWidth() int { return len(c.Words) + len(c.Grams) }

// Texts returns the features of the words of each text, and those of its pairs and triples of
// characters: groups of features from ≤ j < to.
func (e *Encoding) Texts() (groups [][2]int) {
	at := 0
	for k := range e.Columns {
		c := &e.Columns[k]
		if c.Kind == Text {
			for from, width := range []int{len(c.Words), len(c.Grams)} {
				from = at + from*len(c.Words)
				if width > 0 {
					groups = append(groups, [2]int{from, from + width})
				}
			}
		}
		at += c.Width()
	}
	return groups
}

// IsText reports whether a column is called so and holds text. The encoding may be nil.
func (e *Encoding) IsText(name string) bool {
	return slices.ContainsFunc(e.All(), func(c Column) bool { return c.Kind == Text && c.Name == name })
}

// longWords takes a column for text where at least half of its values have three words, and doubts
// a column of lists.
func longWords(q *question) (bool, error) {
	if 2*q.nonNumeric.Of[Vector] >= q.present {
		return q.fail(q.nonNumeric.First, "not all of its values are lists", "most values are lists of numbers, but the first one is %s; correct it or leave it empty, or give %s or %s", q.first(), q.option("Text"), q.option("Ignore"))
	}
	q.column.Guessed = 2*q.nonNumeric.Long >= q.present
	return q.column.Guessed, nil
}

// wordsOfText is how many words make a value long.
const wordsOfText = 3

// encodeText sets (1+ln tf)·idf of the known words of a text, divided by the length of that vector,
// and likewise of its known pairs and triples of characters. A text with words and nothing known
// counts as unseen.
func encodeText(n *encoder, k, at int) func(row []cell) bool {
	c := &n.e.Columns[k]
	words, grams := newTerms(c.Words, c.IDF), newTerms(c.Grams, c.GramIDF)
	return func(row []cell) bool {
		x := row[k]
		if x.isMissing() || c.Nothing && !x.isNumber() && number.Missing(x.text) {
			n.gaps[k]++
			return true
		}
		text := x.spelling()
		found := words.find(text, eachWord)
		if len(c.Grams) > 0 {
			found = grams.find(text, eachGram)
		}
		if found && len(words.of) == 0 && len(grams.of) == 0 {
			n.addUnseen(k, text)
		}
		words.set(n, at)
		grams.set(n, at+len(c.Words))
		return true
	}
}

// terms are the words of a vocabulary, or its pairs and triples of characters, and those of a text.
type terms struct {
	places map[string]int32
	idf    []float64
	of     []int32 // of a text, sorted
}

func newTerms(vocabulary []string, idf []float64) *terms {
	return &terms{places: placesOf(vocabulary), idf: idf}
}

// find finds the known terms of a text, and reports whether the text has any.
func (t *terms) find(text string, each func(text string, f func(term string))) (any bool) {
	t.of = t.of[:0]
	each(text, func(term string) {
		any = true
		if place, is := t.places[term]; is {
			t.of = append(t.of, place)
		}
	})
	slices.Sort(t.of)
	return any
}

// set sets the features of the terms of a text, whose first one is given.
func (t *terms) set(n *encoder, first int) {
	square := 0.0
	for _, weight := range weights(t.of, t.idf) {
		square += weight * weight
	}
	for term, weight := range weights(t.of, t.idf) {
		n.set(first+int(term), weight/math.Sqrt(square))
	}
}

// commonWords returns a text of the words that the most rows have.
func commonWords(c *Column) string {
	const most = 6
	often := make([]int, len(c.Words))
	for k := range often {
		often[k] = k
	}
	slices.SortStableFunc(often, func(a, b int) int { return cmp.Compare(c.IDF[a], c.IDF[b]) })
	var text []string
	for _, k := range often[:min(len(often), most)] {
		text = append(text, c.Words[k])
	}
	return strings.Join(text, " ")
}

// The vocabulary of a text column.
const (
	fewestRows = 2     // a word is in at least so many rows
	mostShare  = 0.8   // and in at most this share of them
	mostWords  = 50000 // the words in the most rows are taken, ties in byte order
)

// eachWord calls f for every word of a text: the runs of Unicode letters,
// digits and marks (such as accents written apart) that are at least two
// characters long, in lower case. A script without blanks between words gives
// long runs, of which only pairs and triples of characters tell much.
func eachWord(text string, f func(word string)) {
	eachRun(text, func(run string) {
		if _, size := utf8.DecodeRuneInString(run); size < len(run) { // there is a second character
			f(run)
		}
	})
}

// eachGram calls f for every pair and triple of characters of the runs of a text, with a blank
// before and behind each run. A run of one character counts too.
func eachGram(text string, f func(gram string)) {
	var ends []int // of the characters
	eachRun(text, func(run string) {
		run = " " + run + " "
		ends = ends[:0]
		for at := range run {
			ends = append(ends, at)
		}
		ends = append(ends, len(run))
		for k := 2; k < len(ends); k++ {
			f(run[ends[k-2]:ends[k]])
			if k > 2 {
				f(run[ends[k-3]:ends[k]])
			}
		}
	})
}

// GramsOf returns the places in Grams of the pairs and triples of characters of a word.
func (c *Column) GramsOf(word string) (places []int) {
	eachGram(word, func(gram string) {
		if k, is := slices.BinarySearch(c.Grams, gram); is {
			places = append(places, k)
		}
	})
	return places
}

// eachRun calls f for every run of letters, digits and marks of a text, in lower case.
func eachRun(text string, f func(run string)) {
	text = strings.ToLower(text)
	begin := -1
	for at, r := range text {
		inside := unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)
		switch {
		case inside && begin < 0:
			begin = at
		case !inside && begin >= 0:
			f(text[begin:at])
			begin = -1
		}
	}
	if begin >= 0 {
		f(text[begin:])
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

// vocabulary learns the words of n texts of all ranks, or what else each finds in a text; texts gives
// those of this one that are not missing. More words than the origin has memory for are an [*Error]. Each rank counts the
// words whose hash falls to it, and tells the others those that may be of the vocabulary.
func vocabulary(origin *Origin, n int, texts iter.Seq[string], each func(text string, f func(word string))) (words []string, idf []float64, err error) {
	seen := counts{origin: origin, rows: make(map[string]*wordRows)}
	row := 0
	for text := range texts {
		row++
		each(text, func(word string) {
			if err != nil {
				return
			}
			var c *wordRows
			if c, err = seen.get(word); err == nil && c.last != row {
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

// get returns the count of a word.
func (s *counts) get(word string) (*wordRows, error) {
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

// rankCounts are words, and in how many rows they are.
type rankCounts struct {
	Words []string
	Rows  []int
}

// share makes the counts those of n texts of all ranks, of words that may be of the
// vocabulary.
func (s *counts) share(ranks *Ranks, n int) error {
	parts := make([]rankCounts, ranks.Size())
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
	var mine rankCounts
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
func (s *counts) replace(parts []rankCounts) error {
	s.origin.Give(s.taken)
	s.rows, s.taken = make(map[string]*wordRows), 0
	for _, p := range parts {
		for k, word := range p.Words {
			c, err := s.get(word)
			if err != nil {
				return err
			}
			c.rows += p.Rows[k]
		}
	}
	return nil
}
