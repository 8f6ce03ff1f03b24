// Package tokens makes the tokens of texts that networks take, by a file tokenizer.json of the library tokenizers. A text is cut at
// added tokens, normalised, cut into words, and these are taken apart by a model: WordPiece, BPE, Unigram or WordLevel. What a file
// asks for and the package does not know is an error with its name.
package tokens

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// Tokenizer makes tokens. Its methods may be called by several goroutines.
type Tokenizer struct {
	asTheyAre, normalised added // tokens that are looked for before and after normalising
	normalise             normaliser
	cut                   cutter
	model                 model
	before, behind        []int // of each text
	most                  int   // tokens of a text
	last                  bool  // of a text with more tokens the last ones stay
}

// model takes a word apart.
type model interface {
	pieces(ids []int, word string) []int // with the tokens of a word behind them
}

type file struct {
	Version       *string         `json:"version"`
	Truncation    *truncation     `json:"truncation"`
	Padding       json.RawMessage `json:"padding"` // stands behind the attention of a network, which looks at texts one by one
	AddedTokens   []addedToken    `json:"added_tokens"`
	Normalizer    json.RawMessage `json:"normalizer"`
	PreTokenizer  json.RawMessage `json:"pre_tokenizer"`
	PostProcessor json.RawMessage `json:"post_processor"`
	Decoder       json.RawMessage `json:"decoder"` // makes texts of tokens
	Model         json.RawMessage `json:"model"`
}

type truncation struct {
	Direction string `json:"direction"`
	MaxLength int    `json:"max_length"`
	Strategy  string `json:"strategy"`
	Stride    int    `json:"stride"`
}

// mostTokens is how many tokens a text has where the file says nothing.
const mostTokens = 512

// Read reads a tokenizer.json.
func Read(text []byte) (*Tokenizer, error) {
	var f file
	if err := decode("tokenizer.json", text, &f); err != nil {
		return nil, err
	}
	if f.Version != nil && *f.Version != "1.0" {
		return nil, notKnown("version", *f.Version)
	}
	t := new(Tokenizer)
	var removes bool
	var err error
	if t.normalise, removes, err = readNormaliser(f.Normalizer); err != nil {
		return nil, err
	}
	if t.cut, err = readCutter(f.PreTokenizer, removes); err != nil {
		return nil, err
	}
	var known vocabulary
	if t.model, known, err = readModel(f.Model); err != nil {
		return nil, err
	}
	if err := t.add(f.AddedTokens, known); err != nil {
		return nil, err
	}
	if t.before, t.behind, err = readAround(f.PostProcessor); err != nil {
		return nil, err
	}
	return t, t.truncate(f.Truncation)
}

// truncate takes how a text with too many tokens is cut off. A stride is of the tokens that are cut off.
func (t *Tokenizer) truncate(by *truncation) error {
	t.most = mostTokens
	if by == nil {
		return nil
	}
	around := len(t.before) + len(t.behind)
	switch by.Strategy {
	case "", "LongestFirst", "OnlyFirst":
	default:
		return notKnown("truncation strategy", by.Strategy)
	}
	switch by.Direction {
	case "", "Right":
	case "Left":
		t.last = true
	default:
		return notKnown("truncation direction", by.Direction)
	}
	switch {
	case by.MaxLength <= around:
		return fmt.Errorf("truncation to %d tokens leaves none beside the %d around each text: raise max_length", by.MaxLength, around)
	case by.Stride < 0 || by.Stride >= by.MaxLength-around:
		return fmt.Errorf("truncation to %d tokens, %d of them around each text, has a stride of %d: take 0", by.MaxLength, around, by.Stride)
	}
	t.most = by.MaxLength
	return nil
}

// Encode returns the tokens of a text with those around it, cut off where there are too many.
func (t *Tokenizer) Encode(text string) []int {
	var ids []int
	for _, s := range t.asTheyAre.cut(section{text: strings.ToValidUTF8(text, "\ufffd"), first: true}) {
		if s.token {
			ids = append(ids, s.id)
			continue
		}
		s.text = t.normalise(s.text)
		for _, s := range t.normalised.cut(s) {
			if s.token {
				ids = append(ids, s.id)
				continue
			}
			for _, word := range t.cut([]section{s}) {
				ids = t.model.pieces(ids, word.text)
			}
		}
	}
	if over := len(ids) - max(t.most-len(t.before)-len(t.behind), 0); over > 0 && t.last {
		ids = ids[over:]
	} else if over > 0 {
		ids = ids[:len(ids)-over]
	}
	return slices.Concat(t.before, ids, t.behind)
}

// notKnown is the error of a part of a file.
func notKnown(what, which string) error {
	return fmt.Errorf("the %s %q is not known: make the vectors by a command", what, which)
}

// decode reads a part of a file. What it asks for and to has no place for is an error.
func decode(name string, text []byte, to any) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(to); err != nil {
		if field, is := strings.CutPrefix(err.Error(), "json: unknown field "); is {
			return fmt.Errorf("%s asks for %s, which is not known: make the vectors by a command", name, field)
		}
		return fmt.Errorf("%s: %w", name, err)
	}
	if _, err := d.Token(); err != io.EOF {
		return errors.New("there is more behind the end of " + name)
	}
	return nil
}

// typeOf returns what a part of a file says that it is, "" for nothing, and whether there is such a part.
func typeOf(text json.RawMessage) (name string, is bool, err error) {
	if len(text) == 0 || string(text) == "null" {
		return "", false, nil
	}
	var t struct {
		Type string `json:"type"`
	}
	err = json.Unmarshal(text, &t)
	return t.Type, true, err
}
