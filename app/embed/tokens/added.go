package tokens

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

type addedToken struct {
	ID         int    `json:"id"`
	Content    string `json:"content"`
	SingleWord bool   `json:"single_word"`
	Left       bool   `json:"lstrip"`
	Right      bool   `json:"rstrip"`
	Normalised bool   `json:"normalized"`
	Special    bool   `json:"special"` // left out where texts are made of tokens
}

// section is a part of a text: an added token, or what is taken apart.
type section struct {
	text  string
	first bool // it begins where the text does
	token bool
	id    int
}

// added are tokens that are looked for in texts.
type added struct {
	lexicon *lexicon
	tokens  []addedToken // by their numbers in the lexicon
}

// add takes the added tokens. The library gives one that the vocabulary does not have the next number, whatever the
// file says: a file that says another is refused.
func (t *Tokenizer) add(all []addedToken, known vocabulary) error {
	var contents [2][]string
	var tokens [2][]addedToken
	next := len(known)
	for _, a := range all {
		number, is := known[a.Content]
		switch {
		case a.Content == "":
			continue
		case is && number != a.ID:
			return fmt.Errorf("the added token %q has the number %d, and the vocabulary has %d for it: correct one of them", a.Content, a.ID, number)
		case !is && next != a.ID:
			return fmt.Errorf("the added token %q has the number %d, and the library tokenizers takes %d for it: correct the file, or make the vectors by a command", a.Content, a.ID, next)
		}
		next = max(next, a.ID+1)
		which, content := 0, a.Content
		if a.Normalised {
			which, content = 1, t.normalise(content)
		}
		if content != "" {
			contents[which], tokens[which] = append(contents[which], content), append(tokens[which], a)
		}
	}
	for k, to := range []*added{&t.asTheyAre, &t.normalised} {
		lexicon, err := newLexicon(contents[k])
		if err != nil {
			return err
		}
		seen := make(map[string]addedToken)
		for j, content := range contents[k] {
			now := tokens[k][j]
			if before, is := seen[content]; is && before.ID != now.ID {
				return fmt.Errorf("the added tokens %q and %q look the same, and have the numbers %d and %d: leave one of them out", before.Content, now.Content, before.ID, now.ID)
			}
			seen[content] = now
		}
		*to = added{lexicon, tokens[k]}
	}
	return nil
}

// cut cuts a section at the tokens in it, from the left, the longest of several at a place. Blanks that a token takes with it are
// left out. A token that has to be a word of its own is passed over within a word.
func (a *added) cut(s section) (all []section) {
	from := 0
	between := func(to int) {
		if from < to {
			all = append(all, section{text: s.text[from:to], first: s.first && from == 0})
		}
	}
	for at := 0; at < len(s.text) && len(a.tokens) > 0; {
		length, which := a.lexicon.longest(a.lexicon.all(), s.text[at:])
		if length == 0 {
			at++
			continue
		}
		token, start, stop := &a.tokens[which], at, at+length
		at = stop
		before, _ := utf8.DecodeLastRuneInString(s.text[:start])
		after, _ := utf8.DecodeRuneInString(s.text[stop:])
		if token.SingleWord && (start > 0 && isWord(before) || stop < len(s.text) && isWord(after)) {
			continue
		}
		if token.Left {
			start = max(len(strings.TrimRightFunc(s.text[:start], unicode.IsSpace)), from)
		}
		if token.Right {
			stop = len(s.text) - len(strings.TrimLeftFunc(s.text[stop:], unicode.IsSpace))
		}
		between(start)
		if start < stop { // else the token before it took all
			all = append(all, section{token: true, id: token.ID})
		}
		from = stop
	}
	between(len(s.text))
	return all
}
