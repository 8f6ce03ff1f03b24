package report

import (
	"fmt"
	"html"
	"strings"
	"unicode"
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

// The widths of letters, about, in a size of 11 dots.
const (
	letter = 6.0
	sign   = 11.0 // of Chinese, Japanese and Korean
)

func width(words string) float64 {
	sum := 0.0
	for _, r := range words {
		if sum += letter; r >= 0x2e80 {
			sum += sign - letter
		}
	}
	return sum
}

// cut shortens words to a width.
func cut(words string, most float64) string {
	if width(words) <= most {
		return words
	}
	runes := []rune(words)
	for len(runes) > 1 && width(string(runes))+letter > most {
		runes = runes[:len(runes)-1]
	}
	return strings.TrimRight(string(runes), " ") + "…"
}
