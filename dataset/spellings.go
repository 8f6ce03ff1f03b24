package dataset

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/text/unicode/norm"

	"lapsvm/dataset/internal/quote"
)

// spellings makes one class of the spellings of one number, and of names that look alike where the rules say so. Else it notes these.
func (l *Labels) spellings(d *Dataset) {
	if !l.rules.Single() {
		return
	}
	same, like := l.alike(ClassKey), l.alike(ClassLook)
	if groups := l.listed(same); groups != nil {
		d.note("numbers of one value are one class: %s", quote.Names(groups))
	}
	of := ClassKey
	switch {
	case l.rules.FoldCase:
		of, same = ClassLook, like
	case len(like) < len(same):
		maps.DeleteFunc(like, func(k int, group []int) bool { return len(same[k]) == len(group) }) // one class without FoldCase
		d.doubt("classes look alike: %s; give %s to make one of them", quote.Names(l.listed(like)), Option{Name: "FoldCase"})
	}
	l.merge(same)
	named := l.rules.named(of)
	for k, name := range l.names {
		l.names[k] = cmp.Or(named[of(name)], name)
	}
}

// named returns the names of classes that the rules name, by what a function gives of them. Values that give the same name none.
func (r *LabelRules) named(of func(name string) string) map[string]string {
	named := make(map[string]string)
	for _, name := range r.Values {
		if other, twice := named[of(name)]; twice && other != name {
			named[of(name)] = ""
			continue
		}
		named[of(name)] = name
	}
	for _, name := range r.Named {
		named[of(name)] = name
	}
	return named
}

// alike groups the spellings for which a function gives the same. The key of a group is the spelling of most rows, of equals the
// shortest, of these the first in byte order.
func (l *Labels) alike(of func(name string) string) map[int][]int {
	best := make(map[string]int)
	for k, name := range l.names {
		first, ok := best[of(name)]
		if !ok || l.better(k, first) {
			best[of(name)] = k
		}
	}
	all := make(map[int][]int, len(best))
	for k, name := range l.names {
		first := best[of(name)]
		all[first] = append(all[first], k)
	}
	return all
}

// better reports whether the first of two spellings is rather the name of their class.
func (l *Labels) better(k, other int) bool {
	return cmp.Or(cmp.Compare(l.uses[other], l.uses[k]), cmp.Compare(len(l.names[k]), len(l.names[other])), cmp.Compare(l.names[k], l.names[other])) < 0
}

// listed words the groups of two spellings or more, with the rows of each.
func (l *Labels) listed(groups map[int][]int) (texts []string) {
	for k := range l.names {
		if len(groups[k]) < 2 {
			continue
		}
		var words []string
		for _, j := range groups[k] {
			word := strconv.Quote(l.names[j])
			if name := l.names[j]; !norm.NFC.IsNormalString(name) {
				word = strconv.QuoteToASCII(name)
			}
			words = append(words, fmt.Sprintf("%s (%d)", word, l.uses[j]))
		}
		texts = append(texts, strings.Join(words, " and "))
	}
	return texts
}

// merge makes one class of each group of spellings.
func (l *Labels) merge(groups map[int][]int) {
	if len(groups) == len(l.names) {
		return
	}
	var names []string
	at := make([]int, len(l.names))
	for k := range l.names {
		if groups[k] == nil {
			continue
		}
		for _, j := range groups[k] {
			at[j] = len(names)
		}
		names = append(names, l.names[k])
	}
	renumberAll(l.y, at)
	l.names = names
}

// doubts notes words taken for "no label", classes that may mean the same, and a class −1 that may
// mean "no label".
func (l *Labels) doubts(d *Dataset) {
	var words []string
	rows := 0
	for _, n := range l.nothing {
		words = append(words, fmt.Sprintf("%q (%d)", n.word, n.rows))
		rows += n.rows
	}
	if rows > 0 {
		const mostListed = 12 // classes of advice that can be typed
		advice := Messagef("give all classes and it with %s", Option{Name: "LabelValues"})
		if len(d.Classes) <= mostListed {
			advice = Messagef("give %s", Option{Name: "LabelValues", Value: append(slices.Clone(d.Classes), l.nothing[0].word)})
		}
		d.note("%s without a label by their words: %s; if one of them is a class, %s", counted(rows, "row"), quote.Names(words), advice)
	}
	if !l.rules.Single() {
		return
	}
	for _, name := range d.Classes {
		switch {
		case len(l.rules.Values) > 0 && FindClass(l.rules.Values, name) < 0:
			d.doubt("the class %q is not among %s; if it means no label, give %s", name, Option{Name: "LabelValues"}, Option{Name: "Unlabelled", Value: []string{name}})
		case len(l.rules.Values) == 0 && l.declares(name):
			d.note("%q is a class, as the file declares it; if it means no label, give %s", name, Option{Name: "Unlabelled", Value: []string{name}})
		case (strings.EqualFold(name, "unknown") || stroke(name) && FindClass(d.Classes, "+") < 0) && FindClass(l.rules.Values, name) < 0:
			d.doubt("%q is taken for a class; if it means no label, give %s", name, Option{Name: "Unlabelled", Value: []string{name}})
		}
	}
	if at := minusOne(d.Classes); at >= 0 {
		d.doubt("%s is a class beside %s; if it means no label, give %s", d.Classes[at], quote.Names(slices.Delete(slices.Clone(d.Classes), at, at+1)), Option{Name: "Unlabelled", Value: []string{d.Classes[at]}})
	}
}

// stroke reports whether a name is dashes or dots alone, which people write where they have no answer.
func stroke(name string) bool { return name != "" && strings.Trim(name, "-–—._") == "" }

// minusOne returns the place of a class −1 beside which are words, or 0, 1, … or 1, 2, … without a gap, at least two of them. It is −1 where there is none.
func minusOne(classes []string) int {
	at, words := -1, false
	var others []float64
	for k, name := range classes {
		v, err := strconv.ParseFloat(ClassKey(name), 64)
		switch {
		case err != nil:
			words = true
		case v == -1:
			at = k
		default:
			others = append(others, v)
		}
	}
	if words {
		return at
	}
	slices.Sort(others)
	for k, v := range others {
		if k == 0 && v != 0 && v != 1 || v != others[0]+float64(k) {
			return -1
		}
	}
	if len(others) < 2 {
		return -1
	}
	return at
}
