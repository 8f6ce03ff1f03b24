package dataset

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"lapsvm/dataset/internal/number"
	"lapsvm/dataset/internal/quote"
)

// Tags is the kind of a column of lists of words, such as ["red", "round"], as JSON writes them. A word is a feature COLUMN=WORD, 1 where the list has
// it, else 0; for a missing value all are 0.
const Tags Kind = "tags"

func tagsKind() kindRules {
	return kindRules{
		kind: Tags, version: 8,
		counts: func(word string) bool { _, ok := tagsOf(word); return ok },
		all:    func(_ *learner, _ *wordColumn, t *wordTally, present int) bool { return t.all(Tags, present) },
		learn:  learnTags,
		validate: func(_ *Encoding, c *Column) error {
			if !slices.IsSorted(c.Values) || len(slices.Compact(slices.Clone(c.Values))) != len(c.Values) || slices.Contains(c.Values, "") {
				return errors.New("its words are not sorted, or some are equal or empty")
			}
			return nil
		},
		width:    func(c *Column) int { return len(c.Values) },
		features: func(c *Column) []string { return behind(c.Name+"=", c.Values) },
		encode:   encodeTags,
		wrong: func(_ *Column, text string) string {
			return fmt.Sprintf("%s is no list of words such as [\"a\", \"b\"]; correct it, or leave the field empty", quote.Field([]byte(text)))
		},
		describe: func(c *Column) string {
			most := ""
			if len(c.Values) == mostTags {
				most = "the commonest "
			}
			return fmt.Sprintf("lists of words, %s%s: %s", most, counted(len(c.Values), "word"), some(c.Values, 5))
		},
		typical: func(c *Column) string {
			text, _ := json.Marshal(c.Values[:1]) // of UTF-8
			return string(text)
		},
	}
}

// mostTags is how many words of lists become features: those of most rows.
const mostTags = 1000

// tagsOf returns the words of a list, each once, sorted; false for other text.
func tagsOf(text string) (words []string, ok bool) {
	if text = strings.TrimSpace(text); !strings.HasPrefix(text, "[") || !strings.HasSuffix(text, "]") {
		return nil, false
	}
	var all []*string
	if json.Unmarshal([]byte(text), &all) != nil {
		return nil, false
	}
	for _, word := range all {
		if word == nil { // none
			continue
		}
		if name := strings.TrimSpace(*word); name != "" {
			words = append(words, name)
		}
	}
	slices.Sort(words)
	return slices.Compact(words), true
}

// learnTags learns the words of the lists of all ranks.
func learnTags(l *learner, c *Column, j, n int) error {
	own := make(map[string]int) // rows
	for text := range l.spellings(j) {
		words, _ := tagsOf(text)
		for _, word := range words {
			if own[word] == 0 {
				if err := l.origin.Take(80+len(word), "the words of lists"); err != nil {
					return err
				}
			}
			own[word]++
		}
	}
	all, err := All(l.origin.Ranks, own)
	if err != nil {
		return err
	}
	rows := make(map[string]int)
	for _, part := range all {
		for word, count := range part {
			rows[word] += count
		}
	}
	words := slices.SortedFunc(maps.Keys(rows), func(a, b string) int { return cmp.Or(cmp.Compare(rows[b], rows[a]), cmp.Compare(a, b)) })
	words = words[:min(len(words), mostTags)]
	if len(words) == 0 || rows[words[len(words)-1]] == n { // the rarest
		c.drop("it is constant")
		return nil
	}
	c.Values = slices.Sorted(slices.Values(words))
	return nil
}

// encodeTags sets the features of the words of a list. A row with words that no list of the training had counts as one with an unseen value.
func encodeTags(n *encoder, k, at int) func(row []cell) bool {
	places := placesOf(n.e.Columns[k].Values)
	return func(row []cell) bool {
		x := row[k]
		if x.isMissing() || !x.isNumber() && number.Missing(x.text) {
			n.gaps[k]++
			return true
		}
		words, ok := tagsOf(x.text)
		unseen := false
		for _, word := range words { // sorted, as the features are
			if place, known := places[word]; known {
				n.set(at+int(place), 1)
			} else if !unseen {
				n.addUnseen(k, word)
				unseen = true
			}
		}
		return ok
	}
}
