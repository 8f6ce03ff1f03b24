package task

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"lapsvm/dataset"
	"lapsvm/internal/system/fault"
)

// ordered is labels of classes in an order. Ranks count all classes that the order names, those without a label too.
type ordered struct {
	classes
	order []string
}

func (o ordered) validate() error {
	if len(o.order) == 1 {
		return fault.Errorf("the order has the class %q alone: name at least two classes, the lowest first", o.order[0])
	}
	for rank, name := range o.order {
		if strings.TrimSpace(name) == "" {
			return fault.Errorf("class %d of the order has no name: name the classes, the lowest first", rank+1)
		}
		if before := dataset.FindClass(o.order[:rank], name); before >= 0 {
			return fault.Errorf("the order has the class %q twice, at %d as %q and at %d: leave one of them out", name, before+1, o.order[before], rank+1)
		}
	}
	return nil
}

// read orders the classes. It fails for a label outside of the order. Where values are the order, it fails for a label that is no number.
func (o ordered) read(d *dataset.Dataset) (*Task, error) {
	if err := o.validate(); err != nil {
		return nil, err
	}
	if len(o.order) == 0 {
		order, err := byNumber(d)
		if err != nil {
			return nil, err
		}
		o.order = order
	}
	for i, y := range d.Y {
		if y != dataset.Unlabelled && dataset.FindClass(o.order, d.Classes[y]) < 0 {
			return nil, fault.Errorf("row %d has the class %q, which is not in the order %s: name it there, or mend the label", d.RowNumber(i), d.Classes[y], strings.Join(o.order, ", "))
		}
	}
	t, err := o.classes.read(d)
	if err != nil {
		return nil, err
	}
	t.Kind = Ordered(o.order...)
	place := make([]int, len(t.Classes)) // classes by rank
	for c := range place {
		place[c] = c
	}
	rank := o.ranks(t.Classes)
	slices.SortFunc(place, func(a, b int) int { return cmp.Compare(rank[a], rank[b]) })
	class, names := make([]int, len(place)), make([]string, len(place))
	for to, from := range place {
		class[from], names[to] = to, t.Classes[from]
	}
	t.Classes = names
	for k, c := range t.Class {
		t.Class[k] = class[c]
	}
	return t, nil
}

func (o ordered) readSoFar(d *dataset.Dataset) (*Task, error) { return o.read(d) }

func (ordered) check(t *Task) error {
	if len(t.Classes) == 1 {
		return fault.OneClass.Errorf("only the class %q is labelled, and an order needs two: label a point of another class", t.Classes[0])
	}
	return nil
}

// byNumber returns the classes of d by their values.
func byNumber(d *dataset.Dataset) ([]string, error) {
	for _, y := range d.Y {
		if y != dataset.Unlabelled && math.IsNaN(valueOf(d.Classes[y])) {
			return nil, fault.Errorf("the class %q is no number: name all classes in their order, the lowest first", d.Classes[y])
		}
	}
	return sorted(d.Classes), nil
}

// sorted returns those classes that are numbers by their values.
func sorted(names []string) []string {
	order := slices.DeleteFunc(slices.Clone(names), func(name string) bool { return math.IsNaN(valueOf(name)) })
	slices.SortStableFunc(order, func(a, b string) int { return cmp.Compare(valueOf(a), valueOf(b)) })
	return order
}

// valueOf returns the number that a class is called by, NaN for none.
func valueOf(name string) float64 {
	if v, err := strconv.ParseFloat(name, 64); err == nil {
		return v
	}
	return math.NaN()
}

// Ranks returns the ranks of classes by their names, −1 for one outside of the order. Of classes without an order it is nil.
func (k Kind) Ranks(names []string) []int {
	if k.Name != OfOrdered {
		return nil
	}
	return ordered{order: k.Order}.ofAll(names).ranks(names)
}

// ofAll returns the kind with an order of all names.
func (o ordered) ofAll(names []string) ordered {
	if len(o.order) == 0 {
		o.order = sorted(names)
	}
	return o
}

func (o ordered) apart(names []string) (of func(a, b int) float64, worst float64) {
	o = o.ofAll(names)
	ranks := o.ranks(names)
	return func(a, b int) float64 {
		if min(ranks[a], ranks[b]) < 0 {
			return math.NaN()
		}
		return math.Abs(float64(ranks[a] - ranks[b]))
	}, float64(len(o.order) - 1)
}

// Arranged returns d with its classes in the order of the kind, and after them those that the order does not name; d itself of a kind without an order.
func (k Kind) Arranged(d *dataset.Dataset) *dataset.Dataset {
	ranks := k.Ranks(d.Classes)
	if ranks == nil {
		return d
	}
	arranged, place := *d, make([]int, len(ranks))
	for c := range place {
		place[c] = c
	}
	slices.SortStableFunc(place, func(a, b int) int { return cmp.Compare(uint(ranks[a]), uint(ranks[b])) }) // −1 is the largest
	class := make([]int, len(place))
	arranged.Classes, arranged.Y = make([]string, len(place)), slices.Clone(d.Y)
	for to, from := range place {
		class[from], arranged.Classes[to] = to, d.Classes[from]
	}
	for i, y := range d.Y {
		if y != dataset.Unlabelled {
			arranged.Y[i] = class[y]
		}
	}
	return &arranged
}

// ranks returns the ranks of classes by their names, −1 outside of the order.
func (o ordered) ranks(names []string) []int {
	ranks := make([]int, len(names))
	for c, name := range names {
		ranks[c] = dataset.FindClass(o.order, name)
	}
	return ranks
}

func (ordered) coding(classes int) coding {
	if classes == 1 {
		return oneVsRest(1)
	}
	return ranks{graded(classes)}
}

func (o ordered) known(t *Task) Known {
	ranks := o.ranks(t.Classes)
	rank := make([]int, len(t.Class))
	for k, class := range t.Class {
		rank[k] = ranks[class]
	}
	return ranked{t.Coding(), ranks, rank, float64(len(o.order) - 1)}
}

func (o ordered) knownOf(t *Task, d *dataset.Dataset) (Known, error) {
	ranks := o.ranks(d.Classes)
	rank := make([]int, len(d.Y))
	for i, y := range d.Y {
		if rank[i] = ranks[y]; rank[i] < 0 {
			return nil, fault.Errorf("row %d has the class %q, which is not in the order %s: mend the label", d.RowNumber(i), d.Classes[y], strings.Join(o.order, ", "))
		}
	}
	return ranked{t.Coding(), o.ranks(t.Classes), rank, float64(len(o.order) - 1)}, nil
}

// ranked is labels of classes in an order.
type ranked struct {
	coding OutputCoding
	ranks  []int // of the classes
	rank   []int // of the labels
	worst  float64
}

func (r ranked) Len() int { return len(r.rank) }

func (r ranked) Target(machine, k int) float64 { return sign(r.rank[k] > r.ranks[machine]) }

func (r ranked) Loss(machine, k int, f float64) float64 { return hinge(r.Target(machine, k), f) }

func (r ranked) Wrong(k int, outputs []float64) float64 {
	return math.Abs(float64(r.ranks[r.coding.decide(outputs, tied)] - r.rank[k]))
}

func (r ranked) Worst() float64 { return r.worst }

func (r ranked) Error(labels []int, outputs [][]float64) float64 {
	return sum(r, labels, outputs) / float64(len(labels))
}
