package cli

import (
	"strings"

	"lapsvm/internal/system/fault"
)

// Alternatives lists words: a, b or c.
func Alternatives(words []string) string {
	last := len(words) - 1
	if last < 1 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:last], ", ") + " or " + words[last]
}

// DidYouMean asks whether the nearest of the words was meant. It returns "" where
// none is near.
func DidYouMean(text string, words []string) string {
	if word := fault.Nearest(text, words); word != "" {
		return ", did you mean " + word
	}
	return ""
}

// Quoted is a word for a POSIX shell.
func Quoted(word string) string {
	safe := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_./:=,+@%", r)
	}
	if word != "" && strings.IndexFunc(word, func(r rune) bool { return !safe(r) }) < 0 {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
