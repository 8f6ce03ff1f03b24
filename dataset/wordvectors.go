package dataset

import (
	"fmt"
	"slices"
)

// TextWords returns the words of all texts, each once. The encoding may be nil.
func (e *Encoding) TextWords() map[string]bool {
	words := make(map[string]bool)
	for k := range e.All() {
		for _, word := range e.Columns[k].Words {
			words[word] = true
		}
	}
	return words
}

// WordVector is the vector that others learned for a word, and the share of the word among all words of the texts that it was
// learned from, between 0 and 1.
type WordVector struct {
	Numbers []float32
	Share   float64
}

// rareWords is the share of words whose vectors count for half in the mean of a text.
const rareWords = 1e-3

// WithWordVectors returns an encoding that has vectors of words, all of the same width. Words of its texts
// that are no key have none. The vector v of a word with the share p is kept as
//
//	v · a/(a + p) / idf,  a = 0.001
//
// so that the features of a text, times these vectors, add up to Σ (1 + ln tf) a/(a + p) v. Frequent words
// count for little in it (Arora, Liang and Ma, 2017). It panics for a vector of another width.
func (e *Encoding) WithWordVectors(width int, vectors map[string]WordVector) *Encoding {
	other := *e
	other.Columns = slices.Clone(e.Columns)
	for k := range other.Columns {
		c := &other.Columns[k]
		any := false
		all := make([]float32, len(c.Words)*width)
		for w, word := range c.Words {
			if v, ok := vectors[word]; ok {
				if len(v.Numbers) != width {
					panic(fmt.Sprintf("dataset: the vector of %q has %d numbers in place of %d", word, len(v.Numbers), width))
				}
				for k, x := range v.Numbers {
					all[w*width+k] = float32(float64(x) * rareWords / (rareWords + v.Share) / c.IDF[w])
				}
				any = true
			}
		}
		if any {
			c.Vectors = all
		}
	}
	return &other
}

// TextVectors returns the vectors of the words of each group of [Encoding.Texts], nil where they have none.
func (e *Encoding) TextVectors() (vectors [][]float32) {
	for k := range e.Columns {
		c := &e.Columns[k]
		if c.Kind == Text && len(c.Words) > 0 {
			vectors = append(vectors, c.Vectors)
		}
		if c.Kind == Text && len(c.Grams) > 0 {
			vectors = append(vectors, nil)
		}
	}
	return vectors
}
