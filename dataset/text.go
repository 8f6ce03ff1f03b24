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
// TF-IDF; for a missing text all are 0.
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
			if c.Words, c.IDF, err = vocabulary(l.origin, n, l.spellings(j)); err == nil && len(c.Words) == 0 {
				c.drop(fmt.Sprintf("text without a word that is in at least %d rows and at most %.0f %% of them", fewestRows, 100*mostShare))
			}
			return err
		},
		validate: func(_ *Encoding, c *Column) error {
			for k := 1; k < len(c.Words); k++ {
				if c.Words[k-1] >= c.Words[k] {
					return errors.New("its words are not sorted, or some are equal")
				}
			}
			if len(c.IDF) != len(c.Words) {
				return fmt.Errorf("%d weights for %d words", len(c.IDF), len(c.Words))
			}
			return nil
		},
		width:    func(c *Column) int { return len(c.Words) },
		features: func(c *Column) []string { return behind(c.Name+":", c.Words) },
		encode:   encodeText,
		describe: func(c *Column) string {
			guess := ""
			if c.Guessed {
				guess = " (a guess)"
			}
			return "text" + guess + ", " + counted(len(c.Words), "word")
		},
		typical: commonWords,
	}
}

// IsText reports whether a column is called so and holds text. The encoding may be nil.
func (e *Encoding) IsText(name string) bool {
	return e != nil && slices.ContainsFunc(e.Columns, func(c Column) bool { return c.Kind == Text && c.Name == name })
}

// longWords takes a column for text where at least half of its values have three words, and doubts
// a column of lists.
func longWords(q *question) (bool, error) {
	if 2*q.nonNumeric.Lists >= q.present {
		return q.fail(q.nonNumeric.First, "%s is a list of numbers, but a field of a table holds one value; give every number a column, or write the lists as JSON lines under the key \"vector\", or as a column of lists in Parquet or Arrow; or give %s", q.first(), q.option("Ignore"))
	}
	q.column.Guessed = 2*q.nonNumeric.Long >= q.present
	return q.column.Guessed, nil
}

// wordsOfText is how many words make a value long.
const wordsOfText = 3

// isList reports whether a word is numbers in brackets, with commas, semicolons or blanks between.
func isList(text string) bool {
	inner, opens := strings.CutPrefix(text, "[")
	inner, closes := strings.CutSuffix(inner, "]")
	if !opens || !closes {
		return false
	}
	parts := strings.FieldsFunc(inner, func(r rune) bool { return r == ',' || r == ';' || unicode.IsSpace(r) })
	return len(parts) > 0 && !slices.ContainsFunc(parts, func(part string) bool { _, ok := number.Finite(part); return !ok })
}

// encodeText sets (1+ln tf)·idf of the known words of a text, divided by the length of that vector,
// or counts a text of unknown words alone as unseen.
func encodeText(n *encoder, k, at int) func(row []cell) bool {
	c := &n.e.Columns[k]
	places := placesOf(c.Words)
	var terms []int32 // words of a text
	return func(row []cell) bool {
		x := row[k]
		if x.isMissing() || c.Nothing && !x.isNumber() && number.Missing(x.text) {
			n.gaps[k]++
			return true
		}
		words := 0
		terms = terms[:0]
		eachWord(x.spelling(), func(word string) {
			words++
			if place, is := places[word]; is {
				terms = append(terms, place)
			}
		})
		if words > 0 && len(terms) == 0 {
			n.addUnseen(k, x.spelling())
		}
		slices.Sort(terms)
		square := 0.0
		for _, weight := range weights(terms, c.IDF) {
			square += weight * weight
		}
		for word, weight := range weights(terms, c.IDF) {
			n.set(at+int(word), weight/math.Sqrt(square))
		}
		return true
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
