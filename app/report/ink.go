package report

import (
	"fmt"
	"html"
	"strings"
	"unicode"
	"unicode/utf8"
)

// inkWidth is the width of pictures that are drawn in the colours of their page. It is that of a narrow screen, where their
// words can be read.
const inkWidth = 340

// Groups is how many groups a picture tells apart by colour and shape.
const Groups = 10

// Sizes is how many steps of a size it does.
const Sizes = 5

// Others is the group of what is in none: small grey dots.
const Others = -1

// ink writes a picture whose colours are classes of the page's style: g0 to g9 for groups, else ink, soft, rule.
type ink struct{ strings.Builder }

// finish returns the figure of what was drawn, so high.
func (k *ink) finish(f Figure, height float64) Figure {
	f.Inked = true
	f.SVG = fmt.Appendf(nil, `<svg viewBox="0 0 %d %s">%s</svg>`, inkWidth, dots(height), k.String())
	return f
}

// dots writes a length to a hundredth of a dot, so that the same picture has the same text on each machine.
func dots(v float64) string {
	text := strings.TrimRight(strings.TrimRight(fmt.Sprintf("%.2f", v), "0"), ".")
	if text == "-0" {
		return "0"
	}
	return text
}

// text writes words. Class is the style, such as "soft end".
func (k *ink) text(x, y float64, class, words string) {
	fmt.Fprintf(k, `<text x="%s" y="%s" class="%s">%s</text>`, dots(x), dots(y), class, escape(words))
}

func escape(words string) string { return html.EscapeString(legal(words)) }

// legal is text without the characters that XML has none of.
func legal(s string) string {
	return strings.Map(func(r rune) rune {
		if r == 0xfffe || r == 0xffff || r < ' ' || unicode.Is(unicode.Cs, r) {
			return '\uFFFD'
		}
		return r
	}, s)
}

func (k *ink) line(x1, y1, x2, y2 float64, class string) {
	fmt.Fprintf(k, `<path d="M%s %sL%s %s" class="%s"/>`, dots(x1), dots(y1), dots(x2), dots(y2), class)
}

func (k *ink) bar(x, y, width, height float64, class string) {
	fmt.Fprintf(k, `<rect x="%s" y="%s" width="%s" height="%s" class="%s"/>`, dots(x), dots(y), dots(width), dots(height), class)
}

// hatch defines what hatched bars are filled with.
func (k *ink) hatch() {
	k.WriteString(`<defs><pattern id="hatch" width="4" height="4" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><path d="M1 0v4" class="hatch"/></pattern></defs>`)
}

func (k *ink) hatched(x, y, width, height float64) {
	fmt.Fprintf(k, `<rect x="%s" y="%s" width="%s" height="%s" class="hatched" fill="url(#hatch)"/>`, dots(x), dots(y), dots(width), dots(height))
}

// shapes defines the shapes of groups, each about two dots wide, for use.
func (k *ink) shapes() {
	k.WriteString(`<defs><circle id="g0" r="1"/><path id="g1" d="M-.9-.9h1.8v1.8h-1.8z"/><path id="g2" d="M0-1.2L1.1.8H-1.1z"/><path id="g3" d="M0-1.3L1.3 0 0 1.3-1.3 0z"/>` +
		`<path id="g4" d="M0 1.2L1.1-.8H-1.1z"/><path id="g5" d="M-.4-1.2h.8v.8h.8v.8h-.8v.8h-.8v-.8h-.8v-.8h.8z"/>` +
		`<path id="g6" d="M0-1.3L.4-.4 1.3-.4.6.2.9 1.2 0 .6-.9 1.2-.6.2-1.3-.4-.4-.4z"/><path id="g7" d="M-1.3-.5h2.6v1h-2.6z"/><path id="g8" d="M-.5-1.3h1v2.6h-1z"/><path id="g9" d="M-1.2-1L1.2 1V-1L-1.2 1z"/><circle id="g-1" r=".6"/></defs>`)
}

// shape draws that of a group. Class is the style beside its colour.
func (k *ink) shape(group int, x, y, size float64, class, title string) {
	group = max(min(group, Groups-1), Others)
	fmt.Fprintf(k, `<use href="#g%d" transform="translate(%s %s) scale(%s)" class="%s"`, group, dots(x), dots(y), dots(size), strings.TrimSpace(colour(group)+" "+class))
	if title == "" {
		k.WriteString("/>")
		return
	}
	fmt.Fprintf(k, `><title>%s</title></use>`, escape(title))
}

func colour(group int) string {
	if group < 0 {
		return "other"
	}
	return fmt.Sprintf("g%d", min(group, Groups-1))
}

// sizes is the size of a style's letters in the page, in dots; those of bold ones are a ninth wider.
var sizes = map[string]float64{"strong": 12 * bold, "name": 11 * bold, "small": 10.5, "tiny": 9}

const (
	plain = 11 // the size of other styles
	bold  = 1.12
)

// width is how many dots words of a style take in a wide font, about: a narrower one leaves space.
func width(words, class string) float64 {
	class, _, _ = strings.Cut(class, " ")
	size, ok := sizes[class]
	if !ok {
		size = plain
	}
	sum := 0.0
	for _, r := range words {
		sum += size * letter(r)
	}
	return sum
}

// letter is the width of one in parts of its font's size.
func letter(r rune) float64 {
	switch {
	case strings.ContainsRune("ijlftrI.,:;'|!()[]-/ ", r):
		return 0.4
	case strings.ContainsRune("mwMW@%<>=+…", r) || r >= 0x2190: // signs, Chinese, Japanese and Korean
		return 1
	case unicode.IsUpper(r):
		return 0.76
	}
	return 0.64
}

// fit is how many bytes at the start of words take no more than a width.
func fit(words, class string, most float64) int {
	for i, r := range words {
		if most -= width(string(r), class); most < 0 {
			return i
		}
	}
	return len(words)
}

// cut shortens a name to a width, in the middle: names with one beginning differ at their ends.
func cut(name, class string, most float64) string {
	if width(name, class) <= most {
		return name
	}
	letters := []rune(name)
	most -= width("…", class)
	head := utf8.RuneCountInString(name[:fit(name, class, most*2/3)])
	head = max(head, 1)
	tail := len(letters)
	for left := most - width(string(letters[:head]), class); tail > head; tail-- {
		if left -= width(string(letters[tail-1]), class); left < 0 {
			break
		}
	}
	return strings.TrimRight(string(letters[:head]), " ") + "…" + strings.TrimLeft(string(letters[tail:]), " ")
}

// cutEnd shortens words to a width, at their end.
func cutEnd(words, class string, most float64) string {
	if width(words, class) <= most {
		return words
	}
	first := utf8.RuneLen([]rune(words)[0])
	return strings.TrimRight(words[:max(first, fit(words, class, most-width("…", class)))], " ") + "…"
}

// lines breaks words at spaces, where there are some, into as many lines of a width as need be; the last of n is cut.
func lines(words, class string, most float64, n int) []string {
	var all []string
	for len(all) < n-1 && width(words, class) > most {
		end := fit(words, class, most)
		if space := strings.LastIndexByte(words[:min(end+1, len(words))], ' '); space > 0 {
			end = space
		}
		if end == 0 {
			break
		}
		all, words = append(all, words[:end]), strings.TrimLeft(words[end:], " ")
	}
	return append(all, cutEnd(words, class, most))
}
