package store

import (
	"context"
	"encoding/json"
	"maps"
	"time"

	"lapsvm/internal/machines/task"
)

// kind is a row: what a store asks of its kind of label.
type kind interface {
	// word is the value of labelsKey.
	word() string
	// most is the largest number of classes, and of labels that have the numbers of classes.
	most() int
	// refused is the error of a file of this kind that is opened as one of another.
	refused(path string, wants task.Kind) error
	// lost says what of the labels of a file of this kind counts for nothing where they are read as another, and how to have it count; "" for nothing.
	lost(wants task.Kind) string
	// adopt reports what keeps a file of classes from being one of this kind.
	adopt(ctx context.Context, s *Store) error
	// begin returns the names of the classes that a store has from the beginning.
	begin() []string
	// spell returns a label in the words of the store.
	spell(label string) (string, error)
	// named reports why no class has a name. It returns the number that stands for the class among others, NaN for none.
	named(name string) (float64, error)
	// single reports whether a label is a class, and not what several are to a row.
	single() bool
	// tidy checks what event e says of labels. It gives it to t, with the fields that t has.
	tidy(e, t *Event, has *fields) error
	// mean gives an import the class of its name, as far as there is one. It returns the event that adds the class first, nil for none.
	mean(s *Store, source string, e *Event) *Event
	// list gives imports that list classes their answers. It returns the events of classes that there are not.
	list(s *Store, source string, events []Event) ([]Event, error)
	// take gives an event the numbers of what it says in words. It adds those that there are not to fresh.
	take(s *Store, e *Event, fresh []Event, now time.Time) ([]Event, error)
	// arrange brings the order of the classes up to date.
	arrange(s *State)
	// settle returns the label of a row that nobody has adjudicated.
	settle(s *State, r *rowState) int
	// contradict reports whether two labels differ.
	contradict(s *State, a, b int) bool
	// apart returns how far opinions are apart, 0 where that is not told.
	apart(s *State, given []Opinion) float64
	// agree counts the labels of two people for a row.
	agree(s *State, t *table, a, b int)
	// kappa returns the agreement beyond chance.
	kappa(t *table) float64
	// names returns the text of every label, as [State.Training] has it. It numbers labels anew where they are no classes.
	names(s *State, labels map[int]int, byNumber bool) []string
}

// rules are what labels are, and the answers that rows have for several classes.
type rules struct {
	kind
	separator string // of the classes in a list
	sets      *labelSets
}

// of returns the row of a kind.
func of(k task.Kind) kind {
	switch k.Name {
	case task.OfNumbers:
		return numbered{}
	case task.OfSeveral:
		return listed{separator: k.Separator}
	case task.OfOrdered:
		return ranked{order: k.Order}
	}
	return classed{}
}

// The properties of a store that say what its labels are. Without labelsKey they are classes.
const (
	labelsKey = "labels"
	orderKey  = "order" // names of classes as JSON, the lowest first; none where their values are the order
)

// properties returns the properties of a store that say what its labels are.
func properties(k task.Kind) map[string]string {
	all := make(map[string]string)
	if word := of(k).word(); word != "" {
		all[labelsKey] = word
	}
	if len(k.Order) > 0 {
		order, _ := json.Marshal(k.Order) // of texts it does not fail
		all[orderKey] = string(order)
	}
	return all
}

// labelsOf returns what the labels of the file are. Lists have no separator there.
func (s *Store) labelsOf(ctx context.Context) (task.Kind, error) {
	meta, err := s.meta(ctx)
	if err != nil {
		return task.Kind{}, err
	}
	for _, k := range []task.Kind{{}, task.Numbers(), task.Several(""), task.Ordered()} {
		if of(k).word() != meta[labelsKey] {
			continue
		}
		if text, is := meta[orderKey]; is {
			if err := json.Unmarshal([]byte(text), &k.Order); err != nil || k.Validate() != nil {
				return k, s.damaged("its order of classes is %.60q", text)
			}
		}
		return k, nil
	}
	return task.Kind{}, s.damaged("its labels are %.40q, which there are not", meta[labelsKey])
}

// checkLabels refuses a store of other labels than the data say. Classes that are all called by numbers are taken for numbers, and those that are
// all in an order for ordered ones. Classes that no row has yet are taken for those of rows that may have several.
func (s *Store) checkLabels(ctx context.Context) error {
	is, err := s.labelsOf(ctx)
	switch {
	case err != nil || is.Name == s.kind.Name && maps.Equal(properties(is), properties(s.kind)):
		return err
	case is.Is(task.OfClasses):
		return s.rules().adopt(ctx, s)
	}
	return of(is).refused(s.path, s.kind)
}

// named returns the names that classes ever had in the file.
func (s *Store) named(ctx context.Context) (names []string, err error) {
	rows, err := s.db.QueryContext(ctx, "SELECT name FROM events WHERE kind IN (?, ?) AND name IS NOT NULL", ClassAdd, ClassRename)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			return nil, s.damaged("its table events: %v", err)
		}
		names = append(names, name)
	}
	return names, rows.Err()
}

// Kind returns what the labels are.
func (s *Store) Kind() task.Kind { return s.kind }

// begin adds the classes that a store of the kind has from the beginning.
func (s *Store) begin(ctx context.Context) error {
	var events []Event
	for _, name := range s.rules().begin() {
		if s.state.classLike(name) == NoClass {
			events = append(events, Event{Kind: ClassAdd, Person: FromData, Name: name, Key: newKey()})
		}
	}
	if len(events) == 0 {
		return nil
	}
	_, err := s.add(ctx, events)
	return err
}
