package store

import (
	"fmt"
	"math"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"lapsvm/dataset"
)

// Kind is the effect of an event.
type Kind string

// The kinds of events.
const (
	Label       Kind = "label"        // the person says that Row is of Class
	Withdraw    Kind = "withdraw"     // takes back what the person said of Row
	Skip        Kind = "skip"         // passed over Row; nothing where the person has said something
	Unsure      Kind = "unsure"       // cannot tell the class of Row
	None        Kind = "none"         // Row is of none of the classes
	Comment     Kind = "comment"      // Comment on Row in place of that before; "" removes it
	Import      Kind = "import"       // a label that came from a file: as Label
	Adjudicate  Kind = "adjudicate"   // Row is of Class, whatever people said; Class NoClass lifts that
	ClassAdd    Kind = "class-add"    // a new class, Name; the store numbers it
	ClassRename Kind = "class-rename" // Class is called Name
	ClassMerge  Kind = "class-merge"  // Class is from now on part of the class Into
	Undo        Kind = "undo"         // as if the batch Ref had not been
	Redo        Kind = "redo"         // as if the batch Ref had not been undone
	Changed     Kind = "data"         // the data changed since, Comment tells how
	ClassSet    Kind = "class-set"    // Name is what a row has of several classes, under the number Class; given by the store
)

// NoClass and NoRow stand for none in an [Event].
const (
	NoClass = -1
	NoRow   = -1
)

// FromData is the person whose labels are those of the data.
const FromData = "data"

// Event is one thing that somebody said. Those that a kind has no use for are
// ignored and kept as zero, NoClass or NoRow.
type Event struct {
	Seq     int64     // 1, 2, …; given by the store
	Time    time.Time // UTC, never before that of the event before; given by the store
	Person  string
	Kind    Kind
	Row     int      // of the data, from 0
	Class   int      // number of a class; of Label also given by Name with NoClass, and of numbers so is that of Adjudicate
	Answers *Answers // in place of Class, where rows may have several classes: of Label, Import and Adjudicate
	Into    int      // the class that is merged into
	Name    string   // of a class; of Import as its source writes it
	Comment string   // on the row
	Seconds float64  // that the person took, 0 where it is not known
	// Blind says that the row was drawn by chance and asked without a prediction on
	// show; Predicted is then the class that the machine had for it, and Learnt how many labels it had
	// learnt. Such labels measure the machine.
	Blind     bool
	Predicted int
	Foretold  string   // in place of Predicted, where labels are numbers: the number as text
	Expected  *Answers // in place of Predicted, where rows may have several classes
	Learnt    int
	Source    string // of Import: where the label is written, see [Store.Import]
	Key       string // of the client, unique
	Group     string // events of one list with one group are one batch; "" is a batch of its own
	Batch     int64  // Seq of the first event of its batch, which is undone as one; given by the store
	Ref       int64  // of Undo and Redo: the batch; given by the store

	id int // of the row in the store, from 1; 0 for none
}

// Limits of the accepted events.
const (
	MostEvents  = 20000 // in one list
	MostClasses = 1000
	mostNumbers = 100000 // classes that are numbers
	MostPeople  = 1000
	mostName    = 1000 // bytes of a class's name
	mostPerson  = 64   // bytes
	mostComment = 10000
	mostKey     = 64
	mostSeconds = 1e6
)

// fields says which fields an event has.
type fields struct{ row, class, name bool }

// tidy makes the checks of an event that need no state, and clears the fields that its kind does
// not use.
func (e Event) tidy(points int, by rules) (Event, error) {
	t := Event{Person: e.Person, Kind: e.Kind, Row: NoRow, Class: NoClass, Into: NoClass, Predicted: NoClass, Key: e.Key, Group: e.Group}
	has := fields{}
	switch e.Kind {
	case Label:
		has = fields{true, e.Name == "" || e.Class != NoClass, e.Class == NoClass}
	case Import:
		has, t.Source = fields{true, e.Class != NoClass, true}, e.Source
	case Adjudicate:
		has = fields{row: true, class: e.Class != NoClass}
	case Withdraw, Skip, Unsure, None, Comment:
		has.row = true
	case ClassAdd:
		has.name = true
	case ClassRename:
		has = fields{class: true, name: true}
	case ClassMerge:
		has.class = true
		if t.Into = e.Into; e.Into < 0 {
			return t, errorf(Invalid, "no class to merge into: give its number as into")
		}
	default:
		return t, errorf(Invalid, "there are no events of the kind %q", e.Kind)
	}
	if err := by.tidy(&e, &t, &has); err != nil {
		return t, err
	}
	if has.row {
		if t.Row = e.Row; e.Row < 0 || e.Row >= points {
			return t, errorf(Invalid, "there is no row %d: rows are from 1 to %d", e.Row+1, points)
		}
		t.Comment, t.Seconds = e.Comment, e.Seconds
	}
	if has.class {
		if t.Class = e.Class; e.Class < 0 {
			return t, errorf(Invalid, "%s needs the number of a class", e.Kind)
		}
	}
	if has.name {
		t.Name = dataset.ClassName(e.Name)
		if err := CheckClass(t.Name); err != nil {
			return t, err
		}
		var err error
		if t.Name, err = by.spell(t.Name); err != nil {
			return t, err
		}
	}
	if e.Kind == Label && e.Blind {
		t.Blind, t.Predicted, t.Learnt = true, min(max(e.Predicted, NoClass), mostNumbers-1), min(max(e.Learnt, 0), math.MaxInt32-1)
	}
	if err := CheckPerson(e.Person); err != nil {
		return t, err
	}
	if err := checkText("the key of an event", e.Key, mostKey); err != nil {
		return t, err
	}
	if len(e.Group) > mostKey {
		return t, errorf(Invalid, "the group of an event has more than %d bytes", mostKey)
	}
	if len(t.Comment) > mostComment || !utf8.ValidString(t.Comment) {
		return t, errorf(Invalid, "a comment has at most %d bytes of UTF-8", mostComment)
	}
	if !(t.Seconds >= 0 && t.Seconds <= mostSeconds) {
		return t, errorf(Invalid, "seconds are from 0 to %g", mostSeconds)
	}
	t.Seconds = math.Round(t.Seconds*1000) / 1000
	return t, nil
}

// CheckPerson reports why a name is none for a person: it has 1 to 64 bytes that show.
func CheckPerson(name string) error {
	if name == "" {
		return errorf(Invalid, "say who labels: a name is missing")
	}
	return checkText("the name of a person", name, mostPerson)
}

// CheckClass reports why a class cannot have a name, as [dataset.ClassName] returns it. A name has 1 to 1000 bytes. Something
// in it shows, and nothing ends a line.
func CheckClass(name string) error { return checkText("the name of a class", name, mostName) }

// checkText reports why a text cannot be shown in a line. Characters that join others, as those of one emoji, are taken.
func checkText(what, text string, most int) error {
	shows := func(r rune) bool { return !unicode.In(r, unicode.White_Space, unicode.Cc, unicode.Cf) }
	breaks := func(r rune) bool { return unicode.In(r, unicode.Cc, unicode.Zl, unicode.Zp) }
	switch {
	case text == "" || strings.TrimSpace(text) != text:
		return errorf(Invalid, "%s is empty or has blanks at its ends", what)
	case len(text) > most:
		return errorf(Invalid, "%s has more than %d bytes", what, most)
	case !utf8.ValidString(text) || strings.ContainsFunc(text, breaks) || !strings.ContainsFunc(text, shows):
		return errorf(Invalid, "%s has characters that cannot be shown", what)
	}
	return nil
}

// same reports whether two events with one key say the same.
func (e *Event) same(other *Event) bool {
	return e.Person == other.Person && e.Kind == other.Kind && e.id == other.id && e.Comment == other.Comment &&
		(e.Class == other.Class || e.Kind == ClassAdd || e.Name != "" && e.Name == other.Name) && e.Into == other.Into && e.Name == other.Name
}

func (e *Event) String() string { return fmt.Sprintf("event %d (%s by %s)", e.Seq, e.Kind, e.Person) }
