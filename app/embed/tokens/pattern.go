package tokens

import (
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"
)

// expression is a regular expression of Oniguruma, which tokenizer.json is written for, as Go has it.
type expression struct {
	*regexp.Regexp
	blanks bool // group 1 are blanks up to what is no blank: the last of several belongs to what comes behind them
}

// lookahead is the one look ahead that is known, at the end of the alternatives: blanks that are not the last before a word.
const lookahead = `\s+(?!\S)`

// setOf returns Unicode's set that Oniguruma means by a letter, as members of a class.
func setOf(letter byte) (members string, is bool) {
	switch letter {
	case 's', 'S':
		return `\t-\r \x{85}\x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}`, true
	case 'd', 'D':
		return `\p{Nd}`, true
	case 'w', 'W':
		return `\p{L}\p{M}\p{Nd}\p{Nl}\p{Pc}\x{24b6}-\x{24e9}\x{1f130}-\x{1f149}\x{1f150}-\x{1f169}\x{1f170}-\x{1f189}`, true
	}
	return "", false
}

// newExpression reads a regular expression. What Go's has no word for is an error.
func newExpression(text string) (*expression, error) {
	fault := func(what string) (*expression, error) {
		return nil, fmt.Errorf("the regular expression %.200q has %s, which is not known: make the vectors by a command", text, what)
	}
	e, rest := new(expression), text
	if at := strings.Index(text, lookahead); at >= 0 && (at == 0 || text[at-1] == '|') {
		switch text[at+len(lookahead):] {
		case `|\s+`, `|\s`:
			e.blanks, rest = true, text[:at]
		}
	}
	var b strings.Builder
	b.WriteString("(?m:")
	class := false // within brackets
	for k := 0; k < len(rest); k++ {
		c, next := rest[k], byte(0)
		if k+1 < len(rest) {
			next = rest[k+1]
		}
		switch {
		case c == '\\':
			k++
			set, is := setOf(next)
			hex := strings.HasPrefix(rest[k:], "x{") || next == 'x' && k+1 < len(rest) && rest[k+1] <= '7'
			switch {
			case is && next&0x20 == 0 && class:
				return fault(`\` + string(next) + " in brackets")
			case is && class:
				b.WriteString(set)
			case is && next == 'W': // where ² and ½ are of words, as they are not in brackets
				b.WriteString("[^" + set + "²³¹¼-¾]")
			case is && next == 'w':
				b.WriteString("[" + set + "²³¹¼-¾]")
			case is && next&0x20 == 0:
				b.WriteString("[^" + set + "]")
			case is:
				b.WriteString("[" + set + "]")
			case next == 'u' && k+5 <= len(rest):
				b.WriteString(`\x{` + rest[k+1:k+5] + "}")
				k += 4
			case hex, next != 0 && strings.IndexByte("pPrntfv", next) >= 0, next > ' ' && next < utf8.RuneSelf && !isLetterOrDigit(next):
				b.WriteString(`\` + string(next))
				if end := strings.IndexByte(rest[k:], '}'); end > 0 && (next|0x20 == 'p' || next == 'x') && rest[k+1] == '{' {
					b.WriteString(rest[k+1 : k+end+1])
					k += end
				}
			default:
				return fault(`\` + string(next))
			}
			continue
		case class && c == ']':
			class = false
		case class && (c == '[' || c == '&' && next == '&'):
			return fault("a class in a class")
		case class:
		case c == '[':
			class = true
			if b.WriteByte(c); next == '^' {
				b.WriteByte(next)
				k++
			}
			if k+1 < len(rest) && rest[k+1] == ']' {
				return fault("an empty class")
			}
			continue
		case c == '^' && e.blanks:
			return fault("^ beside " + lookahead)
		case c == '(' && next == '?' && !strings.HasPrefix(rest[k:], "(?:") && !strings.HasPrefix(rest[k:], "(?i:"):
			return fault(rest[k:min(k+4, len(rest))])
		case c == '(' && next != '?':
			b.WriteString("(?:")
			continue
		case strings.IndexByte("?*+", c) >= 0 && next == '+':
			return fault("a possessive " + string(c) + "+")
		case c == '{' && (next < '0' || next > '9'), c == '}' && next == '+':
			return fault("a { without a number, or }+")
		}
		b.WriteByte(c)
	}
	if e.blanks {
		blanks, _ := setOf('s')
		b.WriteString("([" + blanks + "]+)")
	}
	b.WriteByte(')')
	var err error
	if e.Regexp, err = regexp.Compile(b.String()); err != nil {
		return nil, fmt.Errorf("the regular expression %.200q is not known (%w): make the vectors by a command", text, err)
	}
	if e.MatchString("") {
		return fault("a match of nothing")
	}
	return e, nil
}

func isLetterOrDigit(b byte) bool {
	return b >= '0' && b <= '9' || b|0x20 >= 'a' && b|0x20 <= 'z'
}

// matches returns where the matches in a text begin and end.
func (e *expression) matches(text string) (all [][2]int) {
	if !e.blanks {
		for _, m := range e.FindAllStringIndex(text, -1) {
			all = append(all, [2]int(m))
		}
		return all
	}
	for from := 0; from < len(text); {
		m := e.FindStringSubmatchIndex(text[from:])
		if m == nil {
			break
		}
		start, end := from+m[0], from+m[1]
		if m[2] >= 0 && end < len(text) {
			if _, last := utf8.DecodeLastRuneInString(text[:end]); end-last > start {
				end -= last
			}
		}
		all, from = append(all, [2]int{start, end}), end
	}
	return all
}
