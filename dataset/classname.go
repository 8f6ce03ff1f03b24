package dataset

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"lapsvm/dataset/internal/number"
)

// ClassName returns the name of the class that a label means as it is written: the label without blanks at its ends.
// Whatever reads labels or names of classes takes them so, that "dog " is the class dog everywhere.
func ClassName(label string) string { return strings.TrimSpace(label) }

// ClassKey returns what all spellings of a class have in common. A number gives its value, in one spelling that
// stands for all. Any other name gives the name. So 1, 1.0, 01 and +1 are one class, wherever labels come from, and Dog and dog are two.
// Whatever asks whether two names mean one class compares their keys.
func ClassKey(name string) string { return number.Canonical(ClassName(name)) }

// FindClass returns the place of the class that a name means, −1 for none. A class of that very name goes before one
// with the same key.
func FindClass(classes []string, name string) int {
	if k := slices.Index(classes, name); k >= 0 {
		return k
	}
	key := ClassKey(name)
	return slices.IndexFunc(classes, func(class string) bool { return ClassKey(class) == key })
}

// classPlaces are the places of classes by their names and keys. They answer as [FindClass] does, without a look at every
// class: labels may be numbers, all different.
type classPlaces struct {
	names     []string
	name, key map[string]int
}

func classPlacesOf(classes []string) *classPlaces {
	p := &classPlaces{name: make(map[string]int), key: make(map[string]int)}
	for _, class := range classes {
		p.append(class)
	}
	return p
}

// add returns the place of the class that a name means. A new class comes last.
func (p *classPlaces) add(name string) int {
	if at, ok := p.name[name]; ok {
		return at
	}
	if at, ok := p.key[ClassKey(name)]; ok {
		return at
	}
	p.append(name)
	return len(p.names) - 1
}

func (p *classPlaces) append(name string) {
	p.name[name] = len(p.names)
	key := ClassKey(name)
	if _, ok := p.key[key]; !ok {
		p.key[key] = len(p.names)
	}
	p.names = append(p.names, name)
}

func classNames(labels []string) []string {
	var names []string
	for _, label := range labels {
		names = append(names, ClassName(label))
	}
	return names
}

// ClassLook returns what names that look alike have in common. It is their letters, composed and in lower case, with one blank for each run of
// blanks. Characters that do not show are left out.
func ClassLook(name string) string {
	shown := strings.Map(func(r rune) rune {
		switch {
		case unicode.Is(unicode.Cf, r):
			return -1
		case unicode.IsSpace(r):
			return ' '
		}
		return r
	}, norm.NFC.String(ClassKey(name)))
	return strings.ToLower(strings.Join(strings.Fields(shown), " "))
}
