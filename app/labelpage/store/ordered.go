package store

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"

	"lapsvm/dataset"
	"lapsvm/internal/machines/task"
)

// ranked is labels of classes in an order. Without one the classes are numbers.
type ranked struct {
	classed
	order []string
}

func (ranked) word() string { return "ordered" }

func (o ranked) refused(path string, wants task.Kind) error {
	if wants.Is(task.OfOrdered) {
		return errorf(OtherSet, "the order of the classes in %s is %s, and not %s: say %s, or give another store with --store", path, o, ranked{order: wants.Order}, o.flag())
	}
	return errorf(OtherSet, "the classes in %s have the order %s: say %s, or give another store with --store", path, o, o.flag())
}

func (o ranked) lost(wants task.Kind) string {
	if wants.Is(task.OfOrdered) {
		return ""
	}
	return "have an order, which counts with " + o.flag()
}

// String says the order in words.
func (o ranked) String() string {
	if len(o.order) == 0 {
		return "of their numbers"
	}
	return strings.Join(o.order, ", ")
}

// flag is what a user says to have the order.
func (o ranked) flag() string {
	if len(o.order) == 0 {
		return "--ordered auto"
	}
	return "--ordered " + strings.Join(o.order, ",")
}

func (o ranked) adopt(ctx context.Context, s *Store) error {
	names, err := s.named(ctx)
	for _, name := range names {
		if _, wrong := o.named(name); wrong != nil {
			return errorf(OtherSet, "%s: %v; give another store with --store", s.path, wrong)
		}
	}
	return err
}

func (o ranked) begin() []string { return o.order }

// spell has a class in the spelling of the order.
func (o ranked) spell(label string) (string, error) {
	at, err := o.named(label)
	if err != nil || len(o.order) == 0 {
		return label, err
	}
	return o.order[int(at)], nil
}

// named returns the rank of a class, or its number where that is the order.
func (o ranked) named(name string) (float64, error) {
	if len(o.order) == 0 {
		value, is := dataset.LabelNumber(name)
		if !is {
			return 0, errorf(Invalid, "the class %.60q is no number: name all classes with --ordered, the lowest first", name)
		}
		return value, nil
	}
	rank := dataset.FindClass(o.order, name)
	if rank < 0 {
		return 0, errorf(Invalid, "the class %.60q is not in the order %s: name it there with --ordered, or mend the label", name, o)
	}
	return float64(rank), nil
}

func (o ranked) tidy(e, _ *Event, _ *fields) error {
	if len(o.order) > 0 && (e.Kind == ClassRename || e.Kind == ClassMerge) {
		return errorf(Invalid, "the classes are those of the order %s: there is none to rename or merge", o)
	}
	return nil
}

func (ranked) arrange(s *State) {
	s.ranks = nil
	all := s.Classes()
	slices.SortStableFunc(all, func(a, b Class) int { return cmp.Compare(a.number, b.number) })
	s.ranks = make([]int, len(s.classes))
	for rank, c := range all {
		s.ranks[c.ID] = rank
	}
}

// settle returns the median, NoClass where two classes are in the middle.
func (ranked) settle(s *State, r *rowState) int {
	low, high := s.middle(r)
	if low.Class != high.Class {
		return NoClass
	}
	return low.Class
}

// rankOf returns the rank of a class, NaN of none.
func (s *State) rankOf(class int) float64 {
	if class = s.Resolve(class); class == NoClass {
		return math.NaN()
	}
	return float64(s.ranks[class])
}

func (ranked) apart(s *State, given []Opinion) float64 { return spread(given, s.rankOf) }

// agree counts by ranks.
func (ranked) agree(s *State, t *table, a, b int) {
	x, y := s.ranks[a], s.ranks[b]
	t.add(x, y)
	t.apart += math.Abs(float64(x - y))
}

// kappa is Cohen's with linear weights, 1 − Σ |i − j|·o_ij / Σ |i − j|·e_ij, where o_ij is how often the two say the ranks i and j, and e_ij how often
// they would by chance. (Cohen, "Weighted kappa", Psychological Bulletin 70, 1968.)
func (ranked) kappa(t *table) float64 {
	chance := 0
	for i, a := range t.a {
		for j, b := range t.b {
			chance += a * b * max(i-j, j-i)
		}
	}
	if chance == 0 {
		return math.NaN()
	}
	return 1 - t.apart*float64(t.told)/float64(chance)
}
