package task

import (
	"slices"

	"lapsvm/dataset"
)

// Kind is what the labels of a training are. The zero value is classes, of which a point has one. A kind of label is a row here, and a row of
// each floor above that tells kinds apart.
type Kind struct{ row kind }

// Name is the word for a kind of label.
type Name string

// The kinds of label.
const (
	OfClasses  Name = "classes"         // a point has one class of at least two
	OfOneClass Name = "one class"       // a point is inside of the only class or not
	OfNumbers  Name = "numbers"         // labels are numbers, and so are predictions
	OfSeveral  Name = "several classes" // a point has any number of classes
	OfOrdered  Name = "ordered classes" // a point has one class, and classes have ranks
)

// OneClass is labels of a single class: a point is inside of it or not.
func OneClass() Kind { return Kind{oneClass{}} }

// Numbers is labels that are numbers.
func Numbers() Kind { return Kind{numbers{}} }

// Several is labels of any number of classes, with a separator between these.
func Several(separator string) Kind { return Kind{several{separator: separator}} }

// kind is a row: what a task asks of its kind of label.
type kind interface {
	name() Name
	// validate reports a kind that labels cannot be of.
	validate() error
	// read returns the task of the labels of d, with the errors of [Kind.Read].
	read(d *dataset.Dataset) (*Task, error)
	// readSoFar returns the task of labels that still come in, nil where nothing can be learnt of them yet.
	readSoFar(d *dataset.Dataset) (*Task, error)
	// check reports a task that a training does not take.
	check(t *Task) error
	// unlabelled returns the classes of d that a training leaves out for want of a label.
	unlabelled(t *Task, d *dataset.Dataset) []string
	coding(classes int) coding
	known(t *Task) Known
	// knownOf returns the labels of other rows, which are all labelled, by the classes or the unit of t.
	knownOf(t *Task, d *dataset.Dataset) (Known, error)
	// targets is [Task.Targets].
	targets(t *Task) [][]float64
	// groups is [Task.Groups].
	groups(t *Task) int
	// compare orders the labels of a group for [Task.Deal]; nil leaves them in their order.
	compare(t *Task) func(k, j int) int
	// take gives part, whose points are set, the labels of t that are kept.
	take(part, t *Task, kept []int)
}

// kinds are the rows.
func kinds() []kind { return []kind{classes{}, oneClass{}, numbers{}, several{}, &ordered{}} }

// CodingOf returns the code of so many classes of labels of a kind.
func CodingOf(of Name, classes int) Coding {
	for _, row := range kinds() {
		if row.name() == of {
			return Kind{row}.Coding(classes)
		}
	}
	panic("task: no kind of label is called " + string(of))
}

func (k Kind) of() kind {
	if k.row == nil {
		return classes{}
	}
	return k.row
}

// Name returns the word for the kind.
func (k Kind) Name() Name { return k.of().name() }

// Is reports whether the kind is that of a name.
func (k Kind) Is(name Name) bool { return k.Name() == name }

// Validate reports a kind that no labels can be of.
func (k Kind) Validate() error { return k.of().validate() }

// Order returns the classes of ordered ones from the lowest to the highest, nil of another kind, and where the order is that of numbers.
func (k Kind) Order() []string {
	o, is := k.row.(*ordered)
	if !is {
		return nil
	}
	return slices.Clone(o.order)
}

// Separator returns what separates the classes of a label of several, "" of another kind.
func (k Kind) Separator() string {
	s, _ := k.row.(several)
	return s.separator
}

// Read returns the task of the labels of d, whose rows are the points. It fails where labels are not of the kind, where nothing can be learnt of
// them, and for weights that do not fit.
func (k Kind) Read(d *dataset.Dataset) (*Task, error) {
	if err := d.CheckWeights(); err != nil {
		return nil, err
	}
	return k.of().read(d)
}

// ReadSoFar is Read of labels that still come in. It returns nil where nothing can be learnt of them yet.
func (k Kind) ReadSoFar(d *dataset.Dataset) (*Task, error) {
	if err := d.CheckWeights(); err != nil {
		return nil, err
	}
	seen := make(map[int]bool)
	for _, c := range d.Y {
		if c != dataset.Unlabelled {
			seen[c] = true
		}
	}
	if len(seen) < 2 && !k.Is(OfOneClass) || len(seen) == 0 {
		return nil, nil
	}
	return k.of().readSoFar(d)
}

// Coding returns the code of so many classes.
func (k Kind) Coding(classes int) Coding { return Coding{k.of().coding(classes), classes} }
