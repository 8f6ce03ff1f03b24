package tokens

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// in brings texts to a form of Unicode. Characters that the library does not know stay where they are.
func in(form norm.Form) normaliser {
	return func(text string) string {
		var b strings.Builder
		from := 0
		for k, r := range text {
			if r >= 0x7fd && (unicode.Is(newMarks, r) || unicode.Is(newCompositions, r)) {
				b.WriteString(formed(form, text[from:k]))
				b.WriteRune(r)
				from = k + len(string(r))
			}
		}
		if from == 0 {
			return formed(form, text)
		}
		b.WriteString(formed(form, text[from:]))
		return b.String()
	}
}

// mostMarks is how many marks behind one another the package norm surely takes. It puts a joiner among more than 30, and some
// marks are two.
const mostMarks = 13

// formed brings a text to a form, however many marks a character has.
func formed(form norm.Form, text string) string {
	marks, most := 0, 0
	for _, r := range text {
		if marks++; r < 0x300 || !unicode.IsMark(r) {
			marks = 0
		}
		most = max(most, marks)
	}
	if most <= mostMarks {
		return form.String(text)
	}
	apart := form // the form of the same characters in which all are taken apart
	switch form {
	case norm.NFC:
		apart = norm.NFD
	case norm.NFKC:
		apart = norm.NFKD
	}
	var all []rune
	for _, r := range text {
		all = append(all, []rune(apart.String(string(r)))...)
	}
	for from := 0; from < len(all); from++ {
		to := from
		for to < len(all) && classOf(all[to]) > 0 {
			to++
		}
		slices.SortStableFunc(all[from:to], func(a, b rune) int { return int(classOf(a)) - int(classOf(b)) })
		from = to
	}
	if form != apart {
		all = composed(all)
	}
	return string(all)
}

// classOf returns the canonical combining class of a character.
func classOf(r rune) uint8 { return norm.NFD.PropertiesString(string(r)).CCC() }

// composed puts characters together that were taken apart: each with the last starter before it, unless one of its class or of a
// higher one is between them.
func composed(all []rune) (out []rune) {
	starter := -1
	var last uint8 // the class of the character before
	for _, r := range all {
		class := classOf(r)
		if starter >= 0 && (starter == len(out)-1 || last > 0 && last < class) {
			if one := []rune(norm.NFC.String(string([]rune{out[starter], r}))); len(one) == 1 {
				out[starter] = one[0]
				continue
			}
		}
		if last = class; class == 0 {
			starter = len(out)
		}
		out = append(out, r)
	}
	return out
}
