package store

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"lapsvm/dataset"
)

// State is the outcome of all events. It is read within [Store.View] only.
type State struct {
	classes []Class
	people  map[string]*person
	rows    map[int]*rowState // by id
	batches map[int64]batch   // what they did
	undone  map[int64]bool    // batches that do not count
	audits  []Audit
	places  *places
	seq     int64 // of the last event
	numbers int   // of classes that were ever given
	sources sources
	called  map[string]int // the class that was called so last
	sets    map[string]int // answers for several classes, by their text
	ranks   []int          // of ordered classes, by their numbers; else nil
	rules   rules
}

// batch is a group of events that are undone together.
type batch struct {
	text   string // for people
	kind   Kind   // of the last event
	events int
}

// Class is a class of the store.
type Class struct {
	ID   int // its number, from 0
	Name string
	Into int // the class that it became part of; NoClass for none
	by   int64

	number  float64  // that stands for it among others, where labels are numbers or ordered; else NaN
	answers *Answers // that it stands for, where rows may have several classes; nil of a class
}

// person is somebody who said something.
type person struct {
	name   string
	done   []int64 // batches that count, in order
	undone []int64 // those that redo can bring back, the next one last
}

// rowState is the annotations of a row.
type rowState struct {
	id          int
	annotations map[string]Annotation // by person
	comments    map[string]string
	adjudicated int // class, NoClass for none
	confirmed   int // class that was given again where it was there already, NoClass for none
}

// Annotation is what a person says of a row.
type Annotation struct {
	Kind  Kind // Label, Unsure, None or Skip
	Class int  // of Label
	Seq   int64
	Time  time.Time
}

// Audit is a blind label, with the machine's prediction before it learnt this label and the
// number of labels learnt by then.
type Audit struct {
	Row       int
	Person    string
	Learnt    int
	Class     int     // given
	Predicted int     // NoClass where nothing was predicted
	Right     bool    // the two do not contradict each other
	Off       float64 // how far the two are apart, in numbers or in ranks; else 0
	Seq       int64
}

func newState(p *places, r rules) *State {
	return &State{rules: r, people: map[string]*person{}, rows: map[int]*rowState{}, batches: map[int64]batch{}, undone: map[int64]bool{}, places: p, sources: newSources(), called: map[string]int{}, sets: map[string]int{}}
}

// Version is the number of the last event; 0 where there is none.
func (s *State) Version() int64 { return s.seq }

// Classes returns the classes that are not part of others, by number, and ordered ones from the lowest to the highest.
func (s *State) Classes() []Class {
	var all []Class
	for _, c := range s.classes {
		if c.there() && c.Into == NoClass && c.answers == nil {
			all = append(all, c)
		}
	}
	if s.ranks != nil {
		slices.SortFunc(all, func(a, b Class) int { return cmp.Compare(s.ranks[a.ID], s.ranks[b.ID]) })
	}
	return all
}

// Numbers returns how many numbers of classes were ever given. None is given twice.
func (s *State) Numbers() int { return s.numbers }

// there reports whether the class was added and the addition was not undone.
func (c *Class) there() bool { return c.by > 0 }

// Resolve returns the class into which a class was merged, the class itself without a merge,
// and NoClass for an unknown class. Where rows may have several classes it also returns the number of what a label says after merges.
func (s *State) Resolve(class int) int {
	if a, ok := s.rules.sets.at(class); ok {
		return s.rules.sets.of(s.resolved(a))
	}
	for class >= 0 && class < len(s.classes) && s.classes[class].there() {
		if a := s.classes[class].answers; a != nil {
			return s.rules.sets.of(s.resolved(*a))
		}
		into := s.classes[class].Into
		if into == NoClass {
			return class
		}
		class = into
	}
	return NoClass
}

// ClassName returns the name of a class, after merges; "" for none. Of a label that lists classes it returns those that it has.
func (s *State) ClassName(class int) string {
	if class = s.Resolve(class); class == NoClass {
		return ""
	}
	if a, ok := s.rules.sets.at(class); ok {
		return s.namesOf(a)
	}
	return s.classes[class].Name
}

// ClassCalled returns the class of a name, NoClass for none.
func (s *State) ClassCalled(name string) int {
	if id, ok := s.called[name]; ok { // one that was called so earlier is called otherwise now, or merged
		if c := &s.classes[id]; c.there() && c.Into == NoClass && c.Name == name {
			return id
		}
	}
	return NoClass
}

// classLike returns the class that a name means: the class of that very name, else one of the same key; NoClass for none.
func (s *State) classLike(name string) int {
	if class := s.ClassCalled(name); class != NoClass {
		return class
	}
	key := dataset.ClassKey(name)
	if _, numeric := dataset.LabelNumber(name); !numeric {
		return NoClass // of names alone the key is the name
	}
	for k := range s.classes {
		if c := &s.classes[k]; c.there() && c.Into == NoClass && c.answers == nil && dataset.ClassKey(c.Name) == key {
			return k
		}
	}
	return NoClass
}

// twins returns two classes whose names are spellings of one number; NoClass where there are none.
func (s *State) twins() (first, second int) {
	seen := make(map[string]int)
	for k := range s.classes {
		c := &s.classes[k]
		if !c.there() || c.Into != NoClass || c.answers != nil {
			continue
		}
		key := dataset.ClassKey(c.Name)
		if other, is := seen[key]; is {
			return other, k
		}
		seen[key] = k
	}
	return NoClass, NoClass
}

// hasTwins reports whether two classes have names that are spellings of one number, as in files of earlier versions.
func (s *State) hasTwins() bool {
	first, _ := s.twins()
	return first != NoClass
}

// Annotation returns a person's annotation of a row, with the class after merges. ok is false where
// the person has said nothing.
func (s *State) Annotation(row int, person string) (j Annotation, ok bool) {
	r := s.rows[s.places.id(row)]
	if r == nil {
		return Annotation{Class: NoClass}, false
	}
	if j, ok = r.annotations[person]; !ok {
		j.Class = NoClass
	}
	j.Class = s.Resolve(j.Class)
	return j, ok
}

// Opinion is the annotation of a row by one of the people.
type Opinion struct {
	Person string
	Annotation
}

// Opinions returns all annotations of a row, by name of the person.
func (s *State) Opinions(row int) []Opinion {
	r := s.rows[s.places.id(row)]
	if r == nil {
		return nil
	}
	return s.opinions(r)
}

func (s *State) opinions(r *rowState) []Opinion {
	var all []Opinion
	for _, name := range slices.Sorted(maps.Keys(r.annotations)) {
		j := r.annotations[name]
		j.Class = s.Resolve(j.Class)
		all = append(all, Opinion{name, j})
	}
	return all
}

// CommentOf returns a person's comment on a row, "" for none.
func (s *State) CommentOf(row int, person string) string {
	if r := s.rows[s.places.id(row)]; r != nil {
		return r.comments[person]
	}
	return ""
}

// Rows returns the rows of the data of which something is said, in order.
func (s *State) Rows() []int {
	var all []int
	for id, r := range s.rows {
		if row := s.places.row(id); row != NoRow && (len(r.annotations) > 0 || r.adjudicated != NoClass) {
			all = append(all, row)
		}
	}
	slices.Sort(all)
	return all
}

// Person is somebody who labels.
type Person struct {
	Name   string
	Labels int // rows that the person gives a class
}

// People returns all who said something, by name.
func (s *State) People() []Person {
	labels := make(map[string]int)
	for id, r := range s.rows {
		if s.places.row(id) == NoRow {
			continue
		}
		for name, j := range r.annotations {
			if j.Kind == Label {
				labels[name]++
			}
		}
	}
	var all []Person
	for name := range s.people {
		all = append(all, Person{name, labels[name]})
	}
	slices.SortFunc(all, func(a, b Person) int { return cmp.Compare(a.Name, b.Name) })
	return all
}

// Audits returns the valid blind labels in the order of their events.
func (s *State) Audits() []Audit {
	var all []Audit
	for _, a := range s.audits {
		j, ok := s.Annotation(a.Row, a.Person)
		if ok && j.Kind == Label && j.Seq == a.Seq {
			a.Class, a.Predicted = s.Resolve(a.Class), s.Resolve(a.Predicted)
			if a.Predicted != NoClass {
				a.Right = !s.rules.contradict(s, a.Class, a.Predicted)
				a.Off = s.rules.apart(s, []Opinion{{Annotation: Annotation{Class: a.Class}}, {Annotation: Annotation{Class: a.Predicted}}})
			}
			all = append(all, a)
		}
	}
	return all
}

// NextUndo describes the batch that an undo of a person would take back, "" for none.
func (s *State) NextUndo(person string) string { return s.next(person, false) }

// NextRedo describes the batch that a redo of a person would restore, "" for none.
func (s *State) NextRedo(person string) string { return s.next(person, true) }

func (s *State) next(name string, redo bool) string {
	p := s.people[name]
	if p == nil {
		return ""
	}
	batches := p.done
	if redo {
		batches = p.undone
	}
	if len(batches) == 0 {
		return ""
	}
	return s.batches[batches[len(batches)-1]].text
}

// Confirmed reports whether somebody gave a row the class again that it has.
func (s *State) Confirmed(row int) bool {
	r := s.rows[s.places.id(row)]
	return r != nil && r.confirmed != NoClass && s.Resolve(r.confirmed) == s.aggregate(r)
}

// Commented reports whether somebody commented on a row.
func (s *State) Commented(row int) bool {
	r := s.rows[s.places.id(row)]
	return r != nil && len(r.comments) > 0
}
