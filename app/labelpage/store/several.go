package store

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"lapsvm/dataset"
	"lapsvm/internal/machines/task"
)

// Answers tell the classes that a row has, and those that it lacks. Other classes are not known of it.
type Answers struct{ Has, Lacks []int } // numbers of classes, ascending

// firstSet is the number of the first answers that rows have. It is above all numbers of classes.
const firstSet = 1 << 20

// labelSets numbers the answers that rows have, from firstSet on. Equal answers have one number as long as the store is open,
// whatever is undone.
type labelSets struct {
	mu     sync.Mutex
	number map[string]int
	all    []Answers
}

func newLabelSets() *labelSets { return &labelSets{number: map[string]int{}} }

// of returns the number of answers, NoClass where nothing is known.
func (l *labelSets) of(a Answers) int {
	if len(a.Has)+len(a.Lacks) == 0 {
		return NoClass
	}
	text := a.text()
	l.mu.Lock()
	defer l.mu.Unlock()
	k, ok := l.number[text]
	if !ok {
		k = len(l.all)
		l.number[text], l.all = k, append(l.all, a)
	}
	return firstSet + k
}

// at returns the answers of a number.
func (l *labelSets) at(number int) (a Answers, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if number < firstSet || number >= firstSet+len(l.all) {
		return a, false
	}
	return l.all[number-firstSet], true
}

// text writes answers as the store keeps them: +3 +5 -0 has the classes 3 and 5, and lacks the class 0.
func (a *Answers) text() string {
	var b strings.Builder
	for _, one := range []struct {
		sign    byte
		classes []int
	}{{'+', a.Has}, {'-', a.Lacks}} {
		for _, class := range one.classes {
			if b.Len() > 0 {
				b.WriteByte(' ')
			}
			b.WriteByte(one.sign)
			b.WriteString(strconv.Itoa(class))
		}
	}
	return b.String()
}

// answersOf reads what text wrote. It fails for any other text.
func answersOf(text string) (a Answers, err error) {
	for word := range strings.FieldsSeq(text) {
		class, err := strconv.Atoi(word[1:])
		switch {
		case err != nil || class < 0 || class >= mostNumbers:
			return a, fmt.Errorf("%.60q tells no classes", text)
		case word[0] == '+':
			a.Has = append(a.Has, class)
		default:
			a.Lacks = append(a.Lacks, class)
		}
	}
	if a.text() != text || text == "" {
		return a, fmt.Errorf("%.60q tells no classes", text)
	}
	return a, nil
}

// tidied returns answers in their order, each once. It fails without any, and where a class is among both.
func (a Answers) tidied() (Answers, error) {
	t := Answers{sorted(a.Has), sorted(a.Lacks)}
	for _, class := range slices.Concat(t.Has, t.Lacks) {
		if class < 0 || class >= mostNumbers {
			return t, errorf(Invalid, "there is no class %d", class)
		}
	}
	switch {
	case len(t.Has)+len(t.Lacks) == 0:
		return t, errorf(Invalid, "nothing is said of any class: say which classes the row has, and which it lacks")
	case slices.ContainsFunc(t.Has, func(class int) bool { return slices.Contains(t.Lacks, class) }):
		return t, errorf(Invalid, "a row cannot have a class and lack it")
	}
	return t, nil
}

func sorted(classes []int) []int {
	all := slices.Clone(classes)
	slices.Sort(all)
	return slices.Compact(all)
}

// resolved returns answers after merges. A row has a class where it has one of those merged into it. What it lacks is left out
// where the class is gone. Answers name no answers: where a store of an older program has such, they are left out.
func (s *State) resolved(a Answers) Answers {
	var has, lacks []int
	for _, class := range a.Has {
		if class = s.resolvedClass(class); class != NoClass {
			has = append(has, class)
		}
	}
	has = sorted(has)
	for _, class := range a.Lacks {
		if class = s.resolvedClass(class); class != NoClass && !slices.Contains(has, class) {
			lacks = append(lacks, class)
		}
	}
	return Answers{has, sorted(lacks)}
}

// resolvedClass returns a class after merges, NoClass for what is none.
func (s *State) resolvedClass(class int) int {
	if s.isSet(class) {
		return NoClass
	}
	return s.Resolve(class)
}

// AnswersOf returns what a label says, where rows may have several classes. A label is what [State.Aggregated] and
// [State.Annotation] return. ok is false for none.
func (s *State) AnswersOf(label int) (a Answers, ok bool) {
	if label = s.Resolve(label); label < firstSet {
		return a, false
	}
	return s.rules.sets.at(label)
}

// Has reports whether a label is a class, or has it where rows may have several.
func (s *State) Has(label, class int) bool {
	if a, ok := s.AnswersOf(label); ok {
		return slices.Contains(a.Has, class)
	}
	return label != NoClass && s.Resolve(label) == class
}

// Training returns the aggregated labels as a training reads them: of every row the number of its label, and the labels by number,
// "" for a number without one. Where rows may have several classes a label lists them, as [dataset.SeveralOf] reads it, by their
// names or by their numbers. A class that a row may have or lack is marked if other rows have it.
func (s *State) Training(byNumber bool) (labels map[int]int, names []string) {
	labels = s.Aggregated()
	return labels, s.rules.names(s, labels, byNumber)
}

// Labels returns the aggregated label of every row as text, in the words of Training.
func (s *State) Labels() map[int]string {
	labels, names := s.Training(false)
	all := make(map[int]string, len(labels))
	for row, label := range labels {
		all[row] = names[label]
	}
	return all
}

// namesOf returns the names of the classes that answers have, in the order of the classes.
func (s *State) namesOf(a Answers) string {
	var names []string
	for _, class := range a.Has {
		names = append(names, s.nameOf(class))
	}
	return dataset.JoinSeveral(names, nil, s.rules.separator)
}

// listed is labels that say which classes a row has and lacks.
type listed struct {
	classed
	separator string
}

func (listed) word() string { return "several" }

func (listed) most() int { return mostNumbers }

func (listed) refused(path string, _ task.Kind) error {
	return errorf(OtherSet, "rows have several classes in %s: say --multi-label ';', or give another store with --store", path)
}

func (listed) adopt(ctx context.Context, s *Store) error {
	var used int
	if err := s.db.QueryRowContext(ctx, "SELECT count(*) FROM events WHERE kind IN (?, ?, ?)", Label, Import, Adjudicate).Scan(&used); err != nil {
		return err
	}
	if used > 0 {
		return errorf(OtherSet, "rows have one class each in %s: give another store with --store, and these labels to it with --labels %s", s.path, s.path)
	}
	return nil
}

// named refuses a name that a list of classes cannot have.
func (l listed) named(name string) (float64, error) {
	switch none := math.NaN(); {
	case strings.Contains(name, l.separator):
		return none, errorf(Invalid, "the class %.60q has the sign %s in its name, which separates classes: give another name", name, l.separator)
	case strings.HasPrefix(name, "?") || strings.HasPrefix(name, "["):
		return none, errorf(Invalid, "the class %.60q begins with a sign that lists of classes have another use for: give another name", name)
	default:
		return none, nil
	}
}

func (listed) single() bool { return false }

func (listed) tidy(e, t *Event, has *fields) error {
	if e.Kind == Label && e.Blind && e.Expected != nil {
		if a, err := e.Expected.tidied(); err == nil { // of no class there is none
			t.Expected = &a
		}
	}
	if e.Kind != Label && e.Kind != Import && (e.Kind != Adjudicate || e.Answers == nil) {
		return nil
	}
	if e.Answers == nil {
		return errorf(Invalid, "a row may have several classes: say which it has and which it lacks")
	}
	a, err := e.Answers.tidied()
	if err != nil {
		return err
	}
	has.class, t.Answers = false, &a
	if e.Kind != Import { // whose name is how its source writes it
		has.name, t.Name = false, a.text()
	}
	return nil
}

func (listed) mean(*Store, string, *Event) *Event { return nil }

// list has a label lack the classes that others name.
func (l listed) list(s *Store, source string, events []Event) (classes []Event, err error) {
	var all []int
	for _, c := range s.state.Classes() {
		all = append(all, c.ID)
	}
	fresh := make(map[string]int)
	meant := func(name, person string) int {
		class, ok := fresh[dataset.ClassKey(name)]
		if !ok {
			class = s.state.meant(source, name)
		}
		if class == NoClass {
			class = s.state.Numbers() + len(fresh)
			fresh[dataset.ClassKey(name)], all = class, append(all, class)
			classes = append(classes, Event{Kind: ClassAdd, Person: person, Name: name, Key: newKey()})
		}
		return class
	}
	type list struct{ has, unknown []int }
	lists := make([]list, len(events))
	for k, e := range events {
		has, unknown, err := dataset.Listed(e.Name, l.separator)
		if err != nil {
			return nil, errorf(Invalid, "row %d: %v", e.Row+1, err)
		}
		for _, name := range has {
			lists[k].has = append(lists[k].has, meant(name, e.Person))
		}
		for _, name := range unknown {
			lists[k].unknown = append(lists[k].unknown, meant(name, e.Person))
		}
	}
	for k, of := range lists {
		a := Answers{Has: of.has}
		for _, class := range all {
			if !slices.Contains(of.has, class) && !slices.Contains(of.unknown, class) {
				a.Lacks = append(a.Lacks, class)
			}
		}
		events[k].Answers = &a
	}
	return classes, nil
}

func (listed) take(s *Store, e *Event, fresh []Event, now time.Time) (_ []Event, err error) {
	for _, one := range []struct {
		answers *Answers
		class   *int
	}{{e.Answers, &e.Class}, {e.Expected, &e.Predicted}} {
		if one.answers == nil {
			continue
		}
		if *one.class, fresh, err = s.takeAnswers(one.answers, fresh, now); err != nil {
			return nil, err
		}
	}
	e.Answers, e.Expected = nil, nil
	return fresh, nil
}

// takeAnswers returns the number of answers, and adds it where no row had these, as one of the data.
func (s *Store) takeAnswers(a *Answers, fresh []Event, now time.Time) (int, []Event, error) {
	for _, class := range slices.Concat(a.Has, a.Lacks) {
		if class >= s.state.Numbers() || s.state.isSet(class) {
			return NoClass, nil, errorf(Invalid, "there is no class %d", class)
		}
	}
	text := a.text()
	if class, ok := s.state.sets[text]; ok {
		return class, fresh, nil
	}
	fresh, err := s.addOfData(ClassSet, text, fresh, now)
	return s.state.Numbers() - 1, fresh, err
}

// settle decides each class for itself: most people say whether the row has it, and in a tie it is not known.
func (listed) settle(s *State, r *rowState) int {
	votes := make(map[int]int)
	add := func(label int) {
		a, _ := s.AnswersOf(label)
		for _, class := range a.Has {
			votes[class]++
		}
		for _, class := range a.Lacks {
			votes[class]--
		}
	}
	people := 0
	for name, j := range r.annotations {
		if j.Kind == Label && name != FromData {
			people++
			add(j.Class)
		}
	}
	if j, annotated := r.annotations[FromData]; annotated && people == 0 {
		add(j.Class)
	}
	var a Answers
	for class, sum := range votes {
		switch {
		case sum > 0:
			a.Has = append(a.Has, class)
		case sum < 0:
			a.Lacks = append(a.Lacks, class)
		}
	}
	slices.Sort(a.Has)
	slices.Sort(a.Lacks)
	return s.rules.sets.of(a)
}

// contradict reports whether two labels differ in a class that both tell of.
func (listed) contradict(s *State, a, b int) bool {
	x, ok := s.AnswersOf(a)
	y, too := s.AnswersOf(b)
	if !ok || !too {
		return s.Resolve(a) != s.Resolve(b)
	}
	both := func(has, lacks []int) bool {
		return slices.ContainsFunc(has, func(class int) bool { return slices.Contains(lacks, class) })
	}
	return both(x.Has, y.Lacks) || both(y.Has, x.Lacks)
}

func (listed) agree(s *State, t *table, a, b int) {
	x, _ := s.AnswersOf(a)
	y, _ := s.AnswersOf(b)
	t.addAnswers(x, y)
}

func (l listed) names(s *State, labels map[int]int, byNumber bool) (names []string) {
	had := make(map[int]bool)
	for _, label := range labels {
		a, _ := s.AnswersOf(label)
		for _, class := range a.Has {
			had[class] = true
		}
	}
	name := s.ClassName
	if byNumber {
		name = strconv.Itoa
	}
	for row, label := range labels {
		k := label - firstSet
		if missing := k + 1 - len(names); missing > 0 {
			names = append(names, make([]string, missing)...)
		}
		if labels[row] = k; names[k] != "" {
			continue
		}
		a, _ := s.AnswersOf(label)
		var has, unknown []string
		for _, c := range s.Classes() {
			switch {
			case slices.Contains(a.Has, c.ID):
				has = append(has, name(c.ID))
			case had[c.ID] && !slices.Contains(a.Lacks, c.ID):
				unknown = append(unknown, name(c.ID))
			}
		}
		names[k] = dataset.JoinSeveral(has, unknown, l.separator)
	}
	return names
}

// addAnswers counts the answers of two people for the classes that both tell of: 1 where a row has the class, else 0.
func (t *table) addAnswers(x, y Answers) {
	for mine, classes := range [][]int{x.Lacks, x.Has} {
		for theirs, others := range [][]int{y.Lacks, y.Has} {
			for _, class := range classes {
				if slices.Contains(others, class) {
					t.add(mine, theirs)
				}
			}
		}
	}
}
