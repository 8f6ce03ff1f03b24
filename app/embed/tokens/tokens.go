// Package tokens makes the tokens of texts that networks take, by a file tokenizer.json: pieces of words (WordPiece), as networks
// of the BERT family have them. What a file asks for and the package does not know is an error with its name.
package tokens

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// Tokenizer makes tokens. Its methods may be called by several goroutines.
type Tokenizer struct {
	vocabulary      map[string]int
	special         []addedToken // in the order of their length, the longest first
	prefix          string       // of a piece within a word
	unknown         int
	longest         int // characters of a word
	normalise       bertNormaliser
	before, behind  []int // of each text
	most            int   // tokens of a text
	normaliserGiven bool
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
	Type string `json:"type"`
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
}

// mostTokens is how many tokens a text has where the file says nothing.
const mostTokens = 512

// Read reads a tokenizer.json.
func Read(text []byte) (*Tokenizer, error) {
	var f file
	if err := json.Unmarshal(text, &f); err != nil {
		return nil, err
	}
	t := &Tokenizer{vocabulary: f.Model.Vocab, special: f.AddedTokens, prefix: f.Model.Prefix, longest: f.Model.Longest, most: mostTokens}
	unknown := func(what, which string) error {
		return fmt.Errorf("the %s %q is not known; known are WordPiece, BertNormalizer, BertPreTokenizer, BertProcessing and TemplateProcessing: make the vectors by a command", what, which)
	}
	if f.Model.Type != "WordPiece" {
		return nil, unknown("model", f.Model.Type)
	}
	if f.Normalizer != nil {
		if f.Normalizer.Type != "BertNormalizer" {
			return nil, unknown("normalizer", f.Normalizer.Type)
		}
		t.normalise, t.normaliserGiven = *f.Normalizer, true
	}
	if f.PreTokenizer == nil || f.PreTokenizer.Type != "BertPreTokenizer" {
		which := ""
		if f.PreTokenizer != nil {
			which = f.PreTokenizer.Type
		}
		return nil, unknown("pre_tokenizer", which)
	}
	var ok bool
	if t.unknown, ok = t.vocabulary[f.Model.Unknown]; !ok {
		return nil, fmt.Errorf("the vocabulary lacks the token %q for unknown words", f.Model.Unknown)
	}
	if t.longest == 0 {
		t.longest = 100
	}
	slices.SortFunc(t.special, func(a, b addedToken) int { return len(b.Content) - len(a.Content) })
	if f.Truncation != nil && f.Truncation.MaxLength > 0 {
		t.most = f.Truncation.MaxLength
	}
	if f.PostProcessor == nil {
		return t, nil
	}
	var err error
	switch p := f.PostProcessor; p.Type {
	case "BertProcessing":
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
		return nil, fmt.Errorf("BertProcessing without the number of a token")
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

// words normalises a text, and cuts it at blanks and around each mark of punctuation.
func (t *Tokenizer) words(text string) (words []string) {
	var word strings.Builder
	end := func() {
		if word.Len() > 0 {
			words = append(words, word.String())
			word.Reset()
		}
	}
	for _, r := range t.normalised(text) {
		switch {
		case unicode.IsSpace(r):
			end()
		case isPunctuation(r):
			end()
			words = append(words, string(r))
		default:
			word.WriteRune(r)
		}
	}
	end()
	return words
}

// normalised is BertNormalizer.
func (t *Tokenizer) normalised(text string) string {
	if !t.normaliserGiven {
		return text
	}
	n := &t.normalise
	var b strings.Builder
	for _, r := range text {
		switch {
		case n.CleanText && (r == 0 || r == 0xfffd || isControl(r)):
		case n.CleanText && isBlank(r):
			b.WriteByte(' ')
		case n.Chinese && isChinese(r):
			b.WriteString(" " + string(r) + " ")
		default:
			b.WriteRune(r)
		}
	}
	text = b.String()
	if n.StripAccents != nil && *n.StripAccents || n.StripAccents == nil && n.Lowercase {
		text = strings.Map(func(r rune) rune {
			if unicode.Is(unicode.Mn, r) {
				return -1
			}
			return r
		}, norm.NFD.String(text))
	}
	if n.Lowercase {
		text = strings.ToLower(text)
	}
	return text
}

// pieces appends the longest pieces of the vocabulary that make up a word, or the token for unknown words.
func (t *Tokenizer) pieces(ids []int, word string) []int {
	runes := []rune(word)
	if len(runes) > t.longest {
		return append(ids, t.unknown)
	}
	all := len(ids)
	for from := 0; from < len(runes); {
		to, id, found := len(runes), 0, false
		for ; to > from; to-- {
			piece := string(runes[from:to])
			if from > 0 {
				piece = t.prefix + piece
			}
			if id, found = t.vocabulary[piece]; found {
				break
			}
		}
		if !found {
			return append(ids[:all], t.unknown)
		}
		ids, from = append(ids, id), to
	}
	return ids
}

func isBlank(r rune) bool { return r == '\t' || r == '\n' || r == '\r' || unicode.IsSpace(r) }

// isControl reports characters that are left out: those of the categories control, format and private use.
func isControl(r rune) bool {
	return r != '\t' && r != '\n' && r != '\r' && unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co)
}

// isPunctuation reports the marks that are words of their own: those of ASCII that are no letters and digits, and those of Unicode.
func isPunctuation(r rune) bool {
	return r > ' ' && r < unicode.MaxASCII && !unicode.IsLetter(r) && !unicode.IsDigit(r) || unicode.IsPunct(r)
}

// isChinese reports the ideographs of the Unicode blocks that BERT sets apart.
func isChinese(r rune) bool {
	for _, block := range [][2]rune{{0x4e00, 0x9fff}, {0x3400, 0x4dbf}, {0x20000, 0x2a6df}, {0x2a700, 0x2b73f}, {0x2b740, 0x2b81f}, {0x2b820, 0x2ceaf}, {0xf900, 0xfaff}, {0x2f800, 0x2fa1f}} {
		if block[0] <= r && r <= block[1] {
			return true
		}
	}
	return false
}
