package dataset

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
)

// Several is the classes of rows that have several at once. A label is then a text that lists
// classes, separated by a sign, or a JSON array of them:
//
//	sport;politics      has both, and no other class
//	sport;?politics     has sport; whether it has politics is not known
//	;                   has none
//
// Several are its rules in the form of classes and answers.
type Several struct {
	Classes []string
	Answers [][]float64 // [class][label]: 1 where the label has the class, −1 where it has not, NaN where that is not known
}

// unknownMark is before a class of which it is not known whether a row has it.
const unknownMark = "?"

// SeveralOf returns the classes that labels list. It fails for a text that is a broken JSON array.
func SeveralOf(labels []string, separator string) (*Several, error) {
	has, unknown := make([][]string, len(labels)), make([][]string, len(labels))
	s := new(Several)
	for k, label := range labels {
		var err error
		if has[k], unknown[k], err = Listed(label, separator); err != nil {
			return nil, err
		}
		s.Classes = append(append(s.Classes, has[k]...), unknown[k]...)
	}
	s.Classes, _ = sortClasses(distinct(s.Classes))
	for _, class := range s.Classes {
		answers := make([]float64, len(labels))
		for k := range labels {
			switch answers[k] = -1; {
			case FindClass(has[k], class) >= 0:
				answers[k] = 1
			case FindClass(unknown[k], class) >= 0:
				answers[k] = math.NaN()
			}
		}
		s.Answers = append(s.Answers, answers)
	}
	return s, nil
}

// Listed returns the classes that a label has, and those that are not known of it, each once and sorted. It fails for a broken JSON array.
func Listed(label, separator string) (has, unknown []string, err error) {
	names := strings.Split(label, separator)
	if text := strings.TrimSpace(label); strings.HasPrefix(text, "[") {
		var values []any
		in := json.NewDecoder(strings.NewReader(text))
		in.UseNumber()
		err := in.Decode(&values)
		if _, end := in.Token(); err != nil || end != io.EOF {
			return nil, nil, fmt.Errorf("the label %q begins as a JSON array but is none", label)
		}
		names = nil
		for _, v := range values {
			if v != nil {
				names = append(names, fmt.Sprint(v))
			}
		}
	}
	for _, name := range names {
		name = ClassName(name)
		if unsure, marked := strings.CutPrefix(name, unknownMark); marked && ClassName(unsure) != "" {
			unknown = append(unknown, ClassName(unsure))
		} else if name != "" {
			has = append(has, name)
		}
	}
	has = distinct(has)
	unknown = slices.DeleteFunc(distinct(unknown), func(name string) bool { return FindClass(has, name) >= 0 })
	return has, unknown, nil
}

// distinct returns names of classes, each class once, sorted. Of the spellings of one number the shortest stays.
func distinct(names []string) []string {
	slices.SortFunc(names, func(a, b string) int { return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b)) })
	seen := make(map[string]bool, len(names))
	names = slices.DeleteFunc(names, func(name string) bool {
		key := ClassKey(name)
		twice := seen[key]
		seen[key] = true
		return twice
	})
	slices.Sort(names)
	return names
}

// JoinSeveral returns the label of a row that has some classes, and of which others are not known. A row with
// none is the separator alone, since an empty text is no label. It is a JSON array where a name has the separator, or begins as one.
func JoinSeveral(has, unknown []string, separator string) string {
	var names []string
	names = append(names, has...)
	for _, name := range unknown {
		names = append(names, unknownMark+name)
	}
	switch {
	case len(names) == 0:
		return separator
	case strings.HasPrefix(names[0], "["), slices.ContainsFunc(names, func(name string) bool { return strings.Contains(name, separator) }):
		var text strings.Builder
		to := json.NewEncoder(&text)
		to.SetEscapeHTML(false)
		_ = to.Encode(names) // strings, which have JSON
		return strings.TrimSuffix(text.String(), "\n")
	}
	return strings.Join(names, separator)
}

// WithAnswer returns a label with another answer for a class: that a row has it, or has it not. A broken JSON array stays.
func WithAnswer(label, separator, class string, has bool) string {
	of, unknown, err := Listed(label, separator)
	if err != nil {
		return label
	}
	without := func(names []string) []string {
		return slices.DeleteFunc(names, func(name string) bool { return ClassKey(name) == ClassKey(class) })
	}
	if of, unknown = without(of), without(unknown); has {
		of = append(of, class)
		slices.Sort(of)
	}
	return JoinSeveral(of, unknown, separator)
}

// severalAs returns a label in its only spelling.
func severalAs(label, separator string) (string, error) {
	has, unknown, err := Listed(label, separator)
	return JoinSeveral(has, unknown, separator), err
}
