package tokens

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"unicode/utf8"
)

// unigram takes words apart so that the sum of the scores of their tokens is largest: Unigram (Kudo, "Subword regularization", 2018),
// as networks of the XLM-RoBERTa and T5 families have it.
type unigram struct {
	lexicon *lexicon
	ids     vocabulary
	scores  []float64
	other   float64 // score of a character without a token
	unknown int     // −1 for none
	bytes   []int   // the token of each byte; nil for none
}

// unknownPenalty is how much less than the lowest score a character without a token has.
const unknownPenalty = 10

// scored is a token with its score.
type scored struct {
	token string
	score float64
}

// UnmarshalJSON implements [json.Unmarshaler].
func (s *scored) UnmarshalJSON(text []byte) error {
	var two []json.RawMessage
	if err := json.Unmarshal(text, &two); err != nil {
		return err
	}
	if len(two) != 2 {
		return fmt.Errorf("a token of the vocabulary is %.100s, and not a string and a number", text)
	}
	return errors.Join(json.Unmarshal(two[0], &s.token), json.Unmarshal(two[1], &s.score))
}

func readUnigram(text json.RawMessage) (model, vocabulary, error) {
	var f struct {
		Type         string
		Unknown      *int `json:"unk_id"`
		Vocab        []scored
		ByteFallback bool `json:"byte_fallback"`
	}
	if err := decode("Unigram", text, &f); err != nil {
		return nil, nil, err
	}
	switch {
	case f.Unknown == nil:
		return nil, nil, errors.New("the model Unigram has no token for unknown characters: give unk_id")
	case *f.Unknown < 0 || *f.Unknown >= len(f.Vocab):
		return nil, nil, fmt.Errorf("the model Unigram has the unk_id %d and a vocabulary of %d tokens", *f.Unknown, len(f.Vocab))
	}
	m := &unigram{ids: make(vocabulary, len(f.Vocab)), unknown: *f.Unknown, other: math.Inf(1)}
	var words []string
	for id, t := range f.Vocab {
		if _, is := m.ids[t.token]; is {
			return nil, nil, fmt.Errorf("the vocabulary has the token %q twice", t.token)
		}
		m.ids[t.token] = id
		words, m.scores, m.other = append(words, t.token), append(m.scores, t.score), min(m.other, t.score)
	}
	m.other -= unknownPenalty
	if f.ByteFallback {
		m.bytes = bytesIn(m.ids)
	}
	var err error
	m.lexicon, err = newLexicon(words)
	return m, m.ids, err
}

// pieces appends the tokens of the best path through a word. Characters without a token beside one another are one.
func (m *unigram) pieces(ids []int, word string) []int {
	type step struct {
		score float64
		from  int // where the last token of the best path to here begins
		id    int
	}
	best := make([]step, len(word)+1)
	for k := range best[1:] {
		best[k+1].from = -1
	}
	reach := func(from, to, id int, score float64) {
		if s := &best[to]; s.from < 0 || score > s.score {
			*s = step{score, from, id}
		}
	}
	for at, r := range word {
		width, single := utf8.RuneLen(r), false
		m.lexicon.prefixes(m.lexicon.all(), word[at:], func(length, id int) {
			reach(at, at+length, id, best[at].score+m.scores[id])
			single = single || length == width
		})
		if !single {
			reach(at, at+width, m.unknown, best[at].score+m.other)
		}
	}
	var parts [][2]int // from the last to the first
	for to := len(word); to > 0; to = best[to].from {
		s, last := best[to], len(parts)-1
		if s.id == m.unknown && last >= 0 && parts[last][0] == to && best[parts[last][1]].id == m.unknown {
			parts[last][0] = s.from
			continue
		}
		parts = append(parts, [2]int{s.from, to})
	}
	for k := len(parts) - 1; k >= 0; k-- {
		part := word[parts[k][0]:parts[k][1]]
		if id, is := m.ids[part]; is {
			ids = append(ids, id)
		} else if of, all := bytesOf(m.bytes, part); all {
			ids = append(ids, of...)
		} else {
			ids = append(ids, m.unknown)
		}
	}
	return ids
}
