package task

import (
	"cmp"
	"fmt"

	"lapsvm/dataset"
)

// Kind is what the labels of a training are. The zero value is classes, of which a point has one. A kind of label is a row here, and a row of
// each floor above that tells kinds apart.
type Kind struct {
	Name      Name
	Separator string   // of the classes of a label, of several classes
	Order     []string // of ordered classes, the lowest first; none where the classes are numbers, and their values the order
}

// Name is the word for a kind of label.
type Name string

// The kinds of label.
const (
	OfClasses  Name = ""                // a point has one class of at least two
	OfOneClass Name = "one class"       // a point is inside of the only class or not
	OfNumbers  Name = "numbers"         // labels are numbers, and so are predictions
	OfSeveral  Name = "several classes" // a point has any number of classes
	OfOrdered  Name = "ordered classes" // a point has one class, and classes have ranks
)

// String returns the name in words.
func (n Name) String() string { return cmp.Or(string(n), "classes") }

// OneClass is labels of a single class: a point is inside of it or not.
func OneClass() Kind { return Kind{Name: OfOneClass} }

// Numbers is labels that are numbers.
func Numbers() Kind { return Kind{Name: OfNumbers} }

// Several is labels of any number of classes, with a separator between these.
func Several(separator string) Kind { return Kind{Name: OfSeveral, Separator: separator} }

// Ordered is labels of one class each, whose classes have ranks: they are named from the lowest to the highest. Without a name the classes are
// numbers, and their values are the order.
func Ordered(classes ...string) Kind { return Kind{Name: OfOrdered, Order: classes} }

// kind is a row: what a task asks of its kind of label.
type kind interface {
	// validate reports a kind that labels cannot be of.
	validate() error
	// read returns the task of the labels of d, with the errors of [Kind.Read].
	read(d *dataset.Dataset) (*Task, error)
	// fewest returns how many labels have to differ before anything is learnt of labels that still come in.
	fewest() int
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
	// apart is [Kind.Apart].
	apart(names []string) (of func(a, b int) float64, worst float64)
	// groups is [Task.Groups].
	groups(t *Task) int
	// compare orders the labels of a group for [Task.Deal]; nil leaves them in their order.
	compare(t *Task) func(k, j int) int
	// take gives part, whose points are set, the labels of t that are kept.
	take(part, t *Task, kept []int)
}

// of returns the row of the kind.
func (k Kind) of() kind {
	switch k.Name {
	case OfOneClass:
		return oneClass{}
	case OfNumbers:
		return numbers{}
	case OfSeveral:
		return several{separator: k.Separator}
	case OfOrdered:
		return ordered{order: k.Order}
	}
	return classes{}
}

// OutputCodingOf returns the code of so many classes of labels of a kind.
func OutputCodingOf(of Name, classes int) OutputCoding { return Kind{Name: of}.Coding(classes) }

// Is reports whether the kind is that of a name.
func (k Kind) Is(name Name) bool { return k.Name == name }

// Validate reports a kind that no labels can be of.
func (k Kind) Validate() error {
	if row := k.of(); k.Name == OfClasses || row != (classes{}) {
		return row.validate()
	}
	return fmt.Errorf("there is no kind of label %q", k.Name)
}

// Read returns the task of the labels of d, whose rows are the points. It fails for labels of another kind, for
// labels that nothing can be learnt of, and for weights that do not fit.
func (k Kind) Read(d *dataset.Dataset) (*Task, error) {
	if err := d.CheckLabels(); err != nil {
		return nil, err
	}
	return k.of().read(d)
}

// ReadSoFar is Read of labels that still come in. It returns nil where nothing can be learnt of them yet.
func (k Kind) ReadSoFar(d *dataset.Dataset) (*Task, error) {
	if err := d.CheckLabels(); err != nil {
		return nil, err
	}
	seen := make(map[int]bool)
	for _, c := range d.Y {
		if c != dataset.Unlabelled {
			seen[c] = true
		}
	}
	if len(seen) < k.of().fewest() {
		return nil, nil
	}
	return k.of().readSoFar(d)
}

// Apart returns how far two of some classes are from each other, by their indices: 1 for different names, and of ordered classes the distance in
// ranks, NaN for a class outside of the order. It is worst at most.
func (k Kind) Apart(names []string) (of func(a, b int) float64, worst float64) {
	return k.of().apart(names)
}

// Coding returns the code of so many classes.
func (k Kind) Coding(classes int) OutputCoding { return OutputCoding{k.of().coding(classes)} }
