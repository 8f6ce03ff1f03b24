package store

import (
	"fmt"
	"slices"
)

// replay returns the state after all events. One that does not fit the ones before it is an
// error. Cost: one pass over the events.
func replay(events []Event, p *places, r rules) (*State, error) {
	s := newState(p, r)
	for k := range events {
		s.count(&events[k])
	}
	for k := range events {
		e := &events[k]
		if s.undone[e.Batch] {
			s.describe(e)
		} else if err := s.apply(e); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// count enters an event into the lists of batches to undo and redo, and into the records that an
// undo leaves alone.
func (s *State) count(e *Event) {
	s.seq = e.Seq
	switch e.Kind {
	case Changed:
		return
	case ClassAdd, ClassSet:
		s.numbers = max(s.numbers, e.Class+1)
	case Import:
		s.sources.note(e, s.rules.single())
	}
	p := s.people[e.Person]
	if p == nil {
		p = &person{name: e.Person}
		s.people[e.Person] = p
	}
	switch e.Kind {
	case Undo:
		p.done = without(p.done, e.Ref)
		p.undone = append(p.undone, e.Ref)
		s.undone[e.Ref] = true
	case Redo:
		p.undone = without(p.undone, e.Ref)
		p.done = append(p.done, e.Ref)
		delete(s.undone, e.Ref)
	default:
		if e.Batch == e.Seq {
			p.done = append(p.done, e.Batch)
		}
		p.undone = nil
	}
}

// without returns the list without a value that is near its end.
func without(list []int64, value int64) []int64 {
	for k := len(list) - 1; k >= 0; k-- {
		if list[k] == value {
			return slices.Delete(list, k, k+1)
		}
	}
	return list
}

// apply lets an event take effect. One that does not fit is a Conflict, and changes
// nothing.
func (s *State) apply(e *Event) error {
	var err error
	switch e.Kind {
	case Undo, Redo, Changed:
		return nil
	case ClassAdd, ClassRename, ClassMerge:
		err = s.applyToClass(e)
	case ClassSet:
		err = s.applySet(e)
	default:
		err = s.applyToRow(e)
	}
	if err == nil {
		s.describe(e)
	}
	return err
}

func (s *State) applyToClass(e *Event) error {
	if e.Kind != ClassMerge {
		if other := s.ClassCalled(e.Name); other != NoClass && (other != e.Class || e.Kind == ClassAdd) {
			return errorf(Conflict, "there is a class %q already", e.Name)
		}
	}
	value, err := 0.0, error(nil)
	if e.Kind != ClassMerge {
		if value, err = s.rules.named(e.Name); err != nil {
			return err
		}
	}
	defer s.rules.arrange(s)
	if e.Kind == ClassAdd {
		s.reach(e.Class)
		s.classes[e.Class] = Class{ID: e.Class, Name: e.Name, Into: NoClass, by: e.Seq, number: value}
		s.called[e.Name] = e.Class
		return nil
	}
	if s.isSet(e.Class) || s.isSet(e.Into) {
		return errorf(Invalid, "a list of classes is no class: give the number of one")
	}
	if e.Class >= len(s.classes) || s.Resolve(e.Class) != e.Class {
		return errorf(Conflict, "the class is no longer there: somebody has merged it with another, or undone its addition")
	}
	c := &s.classes[e.Class]
	if e.Kind == ClassRename {
		c.Name, c.number, s.called[e.Name] = e.Name, value, e.Class
		return nil
	}
	switch into := s.Resolve(e.Into); {
	case into != e.Into:
		return errorf(Conflict, "the class to merge into is no longer there: somebody has merged it with another, or undone its addition")
	case into == e.Class:
		return errorf(Conflict, "the class %q cannot be merged with itself", c.Name)
	}
	c.Into = e.Into
	return nil
}

// reach makes room for the class of a number.
func (s *State) reach(class int) {
	for len(s.classes) <= class {
		s.classes = append(s.classes, Class{ID: len(s.classes), Into: NoClass})
	}
}

// applySet adds answers for the classes of a row, under the number of a class.
func (s *State) applySet(e *Event) error {
	a, err := answersOf(e.Name)
	if err != nil || s.rules.single() {
		return errorf(Invalid, "%.60q tells no classes of rows that may have several", e.Name)
	}
	s.reach(e.Class)
	s.classes[e.Class] = Class{ID: e.Class, Into: NoClass, by: e.Seq, answers: &a}
	s.sets[e.Name] = e.Class
	return nil
}

// isSet reports whether a number is that of answers for several classes.
func (s *State) isSet(class int) bool {
	return class >= 0 && class < len(s.classes) && s.classes[class].answers != nil
}

func (s *State) applyToRow(e *Event) error {
	if e.Class != NoClass {
		if !s.rules.single() && !s.isSet(e.Class) {
			return errorf(Invalid, "a label says which classes a row has, not one class")
		}
		there := s.Resolve(e.Class) != NoClass
		if s.isSet(e.Class) {
			there = there && !slices.ContainsFunc(s.classes[e.Class].answers.Has, func(class int) bool { return s.Resolve(class) == NoClass })
		}
		if !there {
			return errorf(Conflict, "the class is not there: somebody has undone its addition")
		}
	}
	r := s.rows[e.id]
	if r == nil {
		r = &rowState{id: e.id, annotations: map[string]Annotation{}, comments: map[string]string{}, adjudicated: NoClass, confirmed: NoClass}
		s.rows[e.id] = r
	}
	say := func(k Kind) {
		r.annotations[e.Person] = Annotation{Kind: k, Class: e.Class, Seq: e.Seq, Time: e.Time}
	}
	switch e.Kind {
	case Label, Import:
		if e.Kind == Label && s.aggregate(r) == s.Resolve(e.Class) {
			r.confirmed = e.Class
		}
		say(Label)
		if e.Blind {
			s.audits = append(s.audits, Audit{Row: s.places.row(e.id), Person: e.Person, Learnt: e.Learnt, Class: e.Class, Predicted: e.Predicted, Seq: e.Seq})
		}
	case Unsure, None:
		say(e.Kind)
	case Skip:
		if _, annotated := r.annotations[e.Person]; !annotated {
			say(Skip)
		}
	case Withdraw:
		delete(r.annotations, e.Person)
	case Adjudicate:
		r.adjudicated = e.Class
	}
	if e.Comment != "" {
		r.comments[e.Person] = e.Comment
	} else if e.Kind == Comment {
		delete(r.comments, e.Person)
	}
	return nil
}

// describe describes the batch of an event, for people.
func (s *State) describe(e *Event) {
	if e.Kind == Undo || e.Kind == Redo || e.Kind == Changed || e.Kind == ClassSet {
		return
	}
	b := s.batches[e.Batch]
	b.events++
	what := string(e.Kind)
	switch e.Kind {
	case None:
		what = "not one of these"
	case Import:
		what = "imported label"
	case ClassAdd:
		b.text = fmt.Sprintf("new class %q", e.Name)
	case ClassRename:
		b.text = fmt.Sprintf("class renamed %q", e.Name)
	case ClassMerge:
		b.text = fmt.Sprintf("class %q merged into %q", s.nameOf(e.Class), s.nameOf(e.Into))
	}
	switch {
	case b.text != "" && b.events == 1:
	case b.events > 1:
		b.text = fmt.Sprintf("%s and others: %d events", what, b.events)
		if b.kind == e.Kind {
			b.text = fmt.Sprintf("%s: %d rows", what, b.events)
		}
	case e.Class != NoClass:
		b.text = fmt.Sprintf("%s %s → %s", what, s.places.called(e.id), s.nameOf(e.Class))
	default:
		b.text = fmt.Sprintf("%s %s", what, s.places.called(e.id))
	}
	b.kind = e.Kind
	s.batches[e.Batch] = b
}

// nameOf returns the name of a class, also after its addition was undone.
func (s *State) nameOf(class int) string {
	if s.isSet(class) {
		return s.namesOf(*s.classes[class].answers)
	}
	if class < 0 || class >= len(s.classes) || s.classes[class].Name == "" {
		return fmt.Sprintf("class %d", class)
	}
	return s.classes[class].Name
}
