// Package tokens makes the tokens of texts that networks take, by a file tokenizer.json: pieces of words (WordPiece), as networks
// of the BERT family have them, or merged bytes (BPE), as those of the RoBERTa and GPT families have them. What a file asks for and the
// package does not know is an error with its name.
package tokens

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Tokenizer makes tokens. Its methods may be called by several goroutines.
type Tokenizer struct {
	scheme
	special        []addedToken // in the order of their length, the longest first
	before, behind []int        // of each text
	most           int          // tokens of a text
}

// scheme is how a text without added tokens is taken apart.
type scheme interface {
	words(text string) []string
	pieces(ids []int, word string) []int // with the tokens of a word behind them
}

type file struct {
	Truncation *struct {
		MaxLength int `json:"max_length"`
	} `json:"truncation"`
	AddedTokens   []addedToken    `json:"added_tokens"`
	Normalizer    *bertNormaliser `json:"normalizer"`
	PreTokenizer  *typed          `json:"pre_tokenizer"`
	PostProcessor *processor      `json:"post_processor"`
	Model         model           `json:"model"`
}

type typed struct {
	Type           string `json:"type"`
	AddPrefixSpace bool   `json:"add_prefix_space"`
	Regex          *bool  `json:"use_regex"`
}

type addedToken struct {
	ID      int    `json:"id"`
	Content string `json:"content"`
}

type bertNormaliser struct {
	Type         string `json:"type"`
	CleanText    bool   `json:"clean_text"`
	Chinese      bool   `json:"handle_chinese_chars"`
	StripAccents *bool  `json:"strip_accents"`
	Lowercase    bool   `json:"lowercase"`
}

type processor struct {
	Type   string            `json:"type"`
	Sep    []json.RawMessage `json:"sep"` // the token and its number, of BertProcessing
	Cls    []json.RawMessage `json:"cls"`
	Single []map[string]struct {
		ID string `json:"id"`
	} `json:"single"` // of TemplateProcessing
	Special map[string]struct {
		IDs []int `json:"ids"`
	} `json:"special_tokens"`
}

type model struct {
	Type    string         `json:"type"`
	Unknown string         `json:"unk_token"`
	Prefix  string         `json:"continuing_subword_prefix"`
	Longest int            `json:"max_input_chars_per_word"`
	Vocab   map[string]int `json:"vocab"`

	Suffix       string     `json:"end_of_word_suffix"` // of BPE, as all below
	Merges       []bytePair `json:"merges"`
	ByteFallback bool       `json:"byte_fallback"`
	IgnoreMerges bool       `json:"ignore_merges"`
}

// mostTokens is how many tokens a text has where the file says nothing.
const mostTokens = 512

// Read reads a tokenizer.json.
func Read(text []byte) (*Tokenizer, error) {
	var f file
	if err := json.Unmarshal(text, &f); err != nil {
		return nil, err
	}
	t := &Tokenizer{special: f.AddedTokens, most: mostTokens}
	unknown := func(what, which string) error {
		return fmt.Errorf("the %s %q is not known; known are WordPiece with BertNormalizer and BertPreTokenizer, BPE with NFC and ByteLevel, and BertProcessing, RobertaProcessing and TemplateProcessing: make the vectors by a command", what, which)
	}
	normaliser, splits := "", map[string]string{"WordPiece": "BertPreTokenizer", "BPE": "ByteLevel"}[f.Model.Type]
	if f.Normalizer != nil {
		normaliser = f.Normalizer.Type
	}
	var pre typed
	if f.PreTokenizer != nil {
		pre = *f.PreTokenizer
	}
	var err error
	switch {
	case splits == "":
		return nil, unknown("model", f.Model.Type)
	case normaliser != "" && normaliser != map[string]string{"WordPiece": "BertNormalizer", "BPE": "NFC"}[f.Model.Type]:
		return nil, unknown("normalizer", normaliser)
	case pre.Type != splits:
		return nil, unknown("pre_tokenizer", pre.Type)
	case f.Model.Type == "BPE":
		t.scheme, err = newBytePairs(f.Model, pre, normaliser != "")
	default:
		t.scheme, err = newWordPiece(f.Model, f.Normalizer)
	}
	if err != nil {
		return nil, err
	}
	slices.SortFunc(t.special, func(a, b addedToken) int { return len(b.Content) - len(a.Content) })
	if f.Truncation != nil && f.Truncation.MaxLength > 0 {
		t.most = f.Truncation.MaxLength
	}
	if f.PostProcessor == nil {
		return t, nil
	}
	switch p := f.PostProcessor; p.Type {
	case "ByteLevel": // which puts nothing around a text
	case "BertProcessing", "RobertaProcessing":
		if t.before, err = pair(p.Cls); err == nil {
			t.behind, err = pair(p.Sep)
		}
	case "TemplateProcessing":
		err = t.template(p)
	default:
		err = unknown("post_processor", p.Type)
	}
	return t, err
}

// pair returns the number of a pair of a token and its number.
func pair(p []json.RawMessage) ([]int, error) {
	var id int
	if len(p) != 2 || json.Unmarshal(p[1], &id) != nil {
		return nil, errors.New("BertProcessing or RobertaProcessing without the number of a token")
	}
	return []int{id}, nil
}

// template takes the tokens that stand around a single text.
func (t *Tokenizer) template(p *processor) error {
	to := &t.before
	for _, piece := range p.Single {
		if _, is := piece["Sequence"]; is {
			to = &t.behind
			continue
		}
		special, is := piece["SpecialToken"]
		ids, known := p.Special[special.ID]
		if !is || !known {
			return fmt.Errorf("TemplateProcessing names the token %q and not its number", special.ID)
		}
		*to = append(*to, ids.IDs...)
	}
	if to != &t.behind {
		return fmt.Errorf("TemplateProcessing has no place for the text")
	}
	return nil
}

// Encode returns the tokens of a text with those around it, cut off where there are too many.
func (t *Tokenizer) Encode(text string) []int {
	ids := slices.Clone(t.before)
	for text != "" {
		at, which := t.nextSpecial(text)
		for _, word := range t.words(text[:at]) {
			ids = t.pieces(ids, word)
		}
		if which == nil {
			break
		}
		ids = append(ids, which.ID)
		text = text[at+len(which.Content):]
	}
	if room := max(t.most-len(t.behind), 0); len(ids) > room {
		ids = ids[:room]
	}
	return append(ids, t.behind...)
}

// nextSpecial returns where the first added token of a text is, the longest of several there.
func (t *Tokenizer) nextSpecial(text string) (at int, which *addedToken) {
	at = len(text)
	for k := range t.special {
		s := &t.special[k]
		if i := strings.Index(text, s.Content); s.Content != "" && i >= 0 && i < at {
			at, which = i, s
		}
	}
	return at, which
}
