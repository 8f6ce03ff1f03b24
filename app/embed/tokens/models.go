package tokens

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"unicode/utf8"
)

// readModel reads a model and its vocabulary. Some models do not say what they are: BPE has merges, Unigram
// a list for a vocabulary, and WordPiece a prefix of pieces within words. Others are WordLevel.
func readModel(text json.RawMessage) (m model, known vocabulary, err error) {
	name, is, err := typeOf(text)
	if err != nil || !is {
		return nil, nil, errors.Join(errors.New("there is no model"), err)
	}
	if name == "" {
		var has struct {
			Merges, Vocab json.RawMessage
			Prefix        *string `json:"continuing_subword_prefix"`
		}
		if err := json.Unmarshal(text, &has); err != nil {
			return nil, nil, err
		}
		switch {
		case has.Merges != nil:
			name = "BPE"
		case len(has.Vocab) > 0 && has.Vocab[0] == '[':
			name = "Unigram"
		case has.Prefix != nil:
			name = "WordPiece"
		default:
			name = "WordLevel"
		}
	}
	switch name {
	case "BPE":
		return readBPE(text)
	case "WordPiece":
		return readWordPiece(text)
	case "WordLevel":
		return readWordLevel(text)
	case "Unigram":
		return readUnigram(text)
	}
	return nil, nil, notKnown("model", name)
}

// vocabulary are the numbers of tokens.
type vocabulary map[string]int

// UnmarshalJSON implements [json.Unmarshaler].
func (v *vocabulary) UnmarshalJSON(text []byte) error {
	all := make(map[string]int)
	if err := json.Unmarshal(text, &all); err != nil {
		return err
	}
	for token, id := range all {
		if id < 0 || id > math.MaxInt32 {
			return fmt.Errorf("the token %q has the number %d: numbers are from 0 to %d", token, id, math.MaxInt32)
		}
	}
	*v = all
	return nil
}

// unknown returns the number of the token for unknown words.
func (v vocabulary) unknown(token string) (int, error) {
	id, is := v[token]
	if !is {
		return 0, fmt.Errorf("the vocabulary lacks the token %q for unknown words: name one that it has as unk_token", token)
	}
	return id, nil
}

// wordLevel has a token for each whole word.
type wordLevel struct {
	vocabulary vocabulary
	unknown    int
}

func readWordLevel(text json.RawMessage) (model, vocabulary, error) {
	var f struct {
		Type    string
		Vocab   vocabulary
		Unknown string `json:"unk_token"`
	}
	if err := decode("WordLevel", text, &f); err != nil {
		return nil, nil, err
	}
	unknown, err := f.Vocab.unknown(f.Unknown)
	return &wordLevel{f.Vocab, unknown}, f.Vocab, err
}

func (m *wordLevel) pieces(ids []int, word string) []int {
	if id, is := m.vocabulary[word]; is {
		return append(ids, id)
	}
	return append(ids, m.unknown)
}

// wordPiece has the longest pieces of a word that it knows: WordPiece, as networks of the BERT family have it.
type wordPiece struct {
	lexicon *lexicon
	ids     []int
	inside  span // pieces within a word
	unknown int
	longest int // characters of a word
}

func readWordPiece(text json.RawMessage) (model, vocabulary, error) {
	var f struct {
		Type    string
		Unknown *string `json:"unk_token"`
		Prefix  *string `json:"continuing_subword_prefix"`
		Longest *int    `json:"max_input_chars_per_word"`
		Vocab   vocabulary
	}
	if err := decode("WordPiece", text, &f); err != nil {
		return nil, nil, err
	}
	if f.Unknown == nil || f.Prefix == nil || f.Longest == nil || *f.Longest < 0 {
		return nil, nil, errors.New("the model WordPiece lacks unk_token, continuing_subword_prefix or max_input_chars_per_word: give what the network was trained with, such as [UNK], ## and 100")
	}
	m := &wordPiece{longest: *f.Longest}
	var err error
	if m.unknown, err = f.Vocab.unknown(*f.Unknown); err != nil {
		return nil, nil, err
	}
	var words []string
	for word, id := range f.Vocab {
		words, m.ids = append(words, word), append(m.ids, id)
	}
	if m.lexicon, err = newLexicon(words); err != nil {
		return nil, nil, err
	}
	m.inside = m.lexicon.all()
	for k := range len(*f.Prefix) {
		m.inside = m.lexicon.next(m.inside, (*f.Prefix)[k])
	}
	return m, f.Vocab, nil
}

// pieces appends the longest pieces of the vocabulary that make up a word, or the token for unknown words.
func (m *wordPiece) pieces(ids []int, word string) []int {
	if utf8.RuneCountInString(word) > m.longest {
		return append(ids, m.unknown)
	}
	all, of := len(ids), m.lexicon.all()
	for from := 0; from < len(word); {
		length, which := m.lexicon.longest(of, word[from:])
		if length == 0 {
			return append(ids[:all], m.unknown)
		}
		ids, from, of = append(ids, m.ids[which]), from+length, m.inside
	}
	return ids
}
