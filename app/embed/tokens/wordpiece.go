package tokens

import (
	"fmt"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// wordPiece are the longest pieces of words, as networks of the BERT family have them: WordPiece.
type wordPiece struct {
	vocabulary map[string]int
	prefix     string // of a piece within a word
	unknown    int
	longest    int // characters of a word
	normalise  *bertNormaliser
}

func newWordPiece(m model, n *bertNormaliser) (*wordPiece, error) {
	t := &wordPiece{vocabulary: m.Vocab, prefix: m.Prefix, longest: m.Longest, normalise: n}
	var ok bool
	if t.unknown, ok = t.vocabulary[m.Unknown]; !ok {
		return nil, fmt.Errorf("the vocabulary lacks the token %q for unknown words", m.Unknown)
	}
	if t.longest == 0 {
		t.longest = 100
	}
	return t, nil
}

// words normalises a text, and cuts it at blanks and around each mark of punctuation.
func (t *wordPiece) words(text string) (words []string) {
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
func (t *wordPiece) normalised(text string) string {
	n := t.normalise
	if n == nil {
		return text
	}
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
func (t *wordPiece) pieces(ids []int, word string) []int {
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
