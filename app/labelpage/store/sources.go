package store

// sources records the labels as they were written at their sources. The record stays whatever
// becomes of the labels and classes, so that an import adds only what is new at the source.
type sources struct {
	written map[place]string // the class as it is written
	meant   map[spelling]int // the class that a spelling stands for
}

// place is where a source has a label. The source is "" in events of a store of version 1.
type place struct {
	source, person string
	id             int // of the row in the store
}

// spelling is a class as a source writes it.
type spelling struct{ source, name string }

func newSources() sources { return sources{map[place]string{}, map[spelling]int{}} }

// note records the label of an Import event in its source, and its class where the label is one.
func (s *sources) note(e *Event, isClass bool) {
	s.written[place{e.Source, e.Person, e.id}] = e.Name
	if isClass {
		s.meant[spelling{e.Source, e.Name}] = e.Class
	}
}

// say reports whether this class is the one that a source last gave a row.
func (s *sources) say(at place, name string) bool {
	for _, at.source = range []string{at.source, ""} {
		if before, said := s.written[at]; said {
			return before == name
		}
	}
	return false
}

// meant returns the class that a source means by a name: the class that it meant before, renamed or
// merged. For a new name of the source it is the class of this name, else the class that last had
// this name, else NoClass.
func (s *State) meant(source, name string) int {
	for _, source := range []string{source, ""} {
		if class, ok := s.sources.meant[spelling{source, name}]; ok && s.Resolve(class) != NoClass {
			return s.Resolve(class)
		}
	}
	if class := s.classLike(name); class != NoClass {
		return class
	}
	if class, ok := s.called[name]; ok {
		return s.Resolve(class)
	}
	return NoClass
}
