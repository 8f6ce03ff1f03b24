package tokens

import (
	"container/heap"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// bytePairs merges pairs of pieces, first characters or bytes: BPE (Sennrich, Haddow and Birch, "Neural machine translation of rare
// words with subword units", 2016), as networks of the RoBERTa, GPT and Llama families have it.
type bytePairs struct {
	vocabulary     vocabulary
	merges         map[[2]int]merge
	prefix, suffix string // of what does not begin a word, and of what ends one
	whole          bool   // a word that is a token is not taken apart
	bytes          []int  // the token of each byte, of characters without a token; nil for none, and −1 for none of a byte
	unknown        int    // what other characters become; −1 for nothing
	fuse           bool   // several such characters beside one another become one token
}

// merge is what a pair becomes.
type merge struct{ rank, id int }

// bytePair is a merge as the file spells it: two strings, or one with a blank between them.
type bytePair [2]string

// UnmarshalJSON implements [json.Unmarshaler].
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

func readBPE(text json.RawMessage) (model, vocabulary, error) {
	var f struct {
		Type         string
		Dropout      *float64
		Unknown      *string `json:"unk_token"`
		Prefix       *string `json:"continuing_subword_prefix"`
		Suffix       *string `json:"end_of_word_suffix"`
		Fuse         bool    `json:"fuse_unk"`
		ByteFallback bool    `json:"byte_fallback"`
		IgnoreMerges bool    `json:"ignore_merges"`
		Vocab        vocabulary
		Merges       []bytePair
	}
	if err := decode("BPE", text, &f); err != nil {
		return nil, nil, err
	}
	if f.Dropout != nil && *f.Dropout != 0 {
		return nil, nil, errors.New("the model BPE has a dropout, and so other tokens each time: set it to null")
	}
	m := &bytePairs{vocabulary: f.Vocab, merges: make(map[[2]int]merge, len(f.Merges)), whole: f.IgnoreMerges, fuse: f.Fuse, unknown: -1}
	if f.Prefix != nil {
		m.prefix = *f.Prefix
	}
	if f.Suffix != nil {
		m.suffix = *f.Suffix
	}
	if f.Unknown != nil {
		var err error
		if m.unknown, err = f.Vocab.unknown(*f.Unknown); err != nil {
			return nil, nil, err
		}
	}
	if f.ByteFallback {
		m.bytes = bytesIn(f.Vocab)
	}
	for rank, pair := range f.Merges {
		if !strings.HasPrefix(pair[1], m.prefix) {
			return nil, nil, fmt.Errorf("the merge of %q and %q lacks the continuing_subword_prefix %q", pair[0], pair[1], m.prefix)
		}
		var ids [3]int
		for k, token := range [...]string{pair[0], pair[1], pair[0] + strings.TrimPrefix(pair[1], m.prefix)} {
			id, is := f.Vocab[token]
			if !is {
				return nil, nil, fmt.Errorf("the vocabulary lacks %q, which is a merge or a part of one", token)
			}
			ids[k] = id
		}
		m.merges[[2]int(ids[:2])] = merge{rank, ids[2]}
	}
	return m, f.Vocab, nil
}

// piece is a part of a word.
type piece struct {
	id             int
	previous, next int  // pieces; −1 for none
	gone           bool // it is in another piece
}

// pieces appends the tokens of a word: of all pairs that merge the one of the lowest rank does, of several the leftmost, and so on.
func (m *bytePairs) pieces(ids []int, word string) []int {
	if id, is := m.vocabulary[word]; is && m.whole {
		return append(ids, id)
	}
	var all []piece
	for _, id := range m.characters(word) {
		all = append(all, piece{id: id, previous: len(all) - 1, next: len(all) + 1})
	}
	if len(all) == 0 {
		return ids
	}
	all[len(all)-1].next = -1
	var queue pairs
	enter := func(k int) {
		if k < 0 || all[k].next < 0 {
			return
		}
		if to, is := m.merges[[2]int{all[k].id, all[all[k].next].id}]; is {
			heap.Push(&queue, pair{to, k})
		}
	}
	for k := range all {
		enter(k)
	}
	for len(queue) > 0 {
		p := heap.Pop(&queue).(pair)
		left := &all[p.at]
		if left.gone || left.next < 0 {
			continue
		}
		right := &all[left.next]
		if to, is := m.merges[[2]int{left.id, right.id}]; !is || to.id != p.id {
			continue // it was part of another merge
		}
		left.id, left.next, right.gone = p.id, right.next, true
		if right.next >= 0 {
			all[right.next].previous = p.at
		}
		enter(left.previous)
		enter(p.at)
	}
	for k := 0; k >= 0; k = all[k].next {
		ids = append(ids, all[k].id)
	}
	return ids
}

// characters returns the tokens of the characters of a word. A character without a token comes before the next with a token, behind
// tokens of bytes between them.
func (m *bytePairs) characters(word string) (ids []int) {
	waits := false // the last character without a token
	flush := func() {
		if waits {
			ids = append(ids, m.unknown)
		}
		waits = false
	}
	for k, r := range word {
		text, end := string(r), k+utf8.RuneLen(r)
		if k > 0 {
			text = m.prefix + text
		}
		if end == len(word) {
			text += m.suffix
		}
		if id, is := m.vocabulary[text]; is {
			flush()
			ids = append(ids, id)
			continue
		}
		if of, all := bytesOf(m.bytes, text); all {
			ids = append(ids, of...)
			continue
		}
		if !m.fuse {
			flush()
		}
		waits = m.unknown >= 0
	}
	flush()
	return ids
}

// bytesIn returns the tokens of single bytes in a vocabulary, −1 where there is none.
func bytesIn(known vocabulary) []int {
	all := make([]int, 256)
	for b := range all {
		all[b] = -1
		if id, is := known[fmt.Sprintf("<0x%02X>", b)]; is {
			all[b] = id
		}
	}
	return all
}

// bytesOf returns the tokens of the bytes of a text, and whether each has one.
func bytesOf(tokens []int, text string) (ids []int, all bool) {
	if tokens == nil {
		return nil, false
	}
	for k := range len(text) {
		id := tokens[text[k]]
		if id < 0 {
			return nil, false
		}
		ids = append(ids, id)
	}
	return ids, true
}

// pair is a pair of pieces that merges, by the first of them.
type pair struct {
	merge
	at int
}

// pairs is a heap: the lowest rank is first, and of several the leftmost pair.
type pairs []pair

func (p pairs) Len() int { return len(p) }
func (p pairs) Less(i, j int) bool {
	return p[i].rank < p[j].rank || p[i].rank == p[j].rank && p[i].at < p[j].at
}
func (p pairs) Swap(i, j int) { p[i], p[j] = p[j], p[i] }
func (p *pairs) Push(x any)   { *p = append(*p, x.(pair)) }
func (p *pairs) Pop() any {
	last := len(*p) - 1
	x := (*p)[last]
	*p = (*p)[:last]
	return x
}
