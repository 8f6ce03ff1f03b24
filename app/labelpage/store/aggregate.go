package store

import (
	"cmp"
	"maps"
	"math"
	"slices"
)

// Aggregated returns the class of every row of the data that has an aggregated class: the adjudicated
// class, else the class that most people give the row. Labels of the data ([FromData]) count where
// nobody else has given one. A tie between two classes leaves the row without a class, see
// [State.Differences]. Where labels are numbers it is their median, and of two in the middle the one that was said first.
// Where rows may have several classes, each is decided for itself: the label, see [State.AnswersOf], leaves open a class that is in a tie.
func (s *State) Aggregated() map[int]int {
	all := make(map[int]int, len(s.rows))
	for id, r := range s.rows {
		if row := s.places.row(id); row != NoRow {
			if class := s.aggregate(r); class != NoClass {
				all[row] = class
			}
		}
	}
	return all
}

// AggregatedOf returns the class of one row, NoClass for none.
func (s *State) AggregatedOf(row int) int {
	if r := s.rows[s.places.id(row)]; r != nil {
		return s.aggregate(r)
	}
	return NoClass
}

func (s *State) aggregate(r *rowState) int {
	if r.adjudicated != NoClass {
		return s.Resolve(r.adjudicated)
	}
	switch {
	case s.rules.numbers:
		return s.aggregateNumber(r)
	case s.several():
		return s.aggregateSeveral(r)
	}
	var votes [8]struct{ class, count int }
	n := votes[:0]
	for name, j := range r.annotations {
		if j.Kind != Label || name == FromData {
			continue
		}
		class := s.Resolve(j.Class)
		k := slices.IndexFunc(n, func(v struct{ class, count int }) bool { return v.class == class })
		if k < 0 {
			k = len(n)
			n = append(n, struct{ class, count int }{class: class})
		}
		n[k].count++
	}
	if len(n) == 0 {
		if j, annotated := r.annotations[FromData]; annotated {
			return s.Resolve(j.Class)
		}
		return NoClass
	}
	best, most, tie := NoClass, 0, false
	for _, v := range n {
		switch {
		case v.count > most:
			best, most, tie = v.class, v.count, false
		case v.count == most:
			tie = true
		}
	}
	if tie {
		return NoClass
	}
	return best
}

// Difference is a row to which people give different classes.
type Difference struct {
	Row         int
	Opinions    []Opinion // those with a class
	Aggregated  int       // NoClass where it is a tie
	Adjudicated bool
	Apart       float64 // between the least and the largest, where labels are numbers
}

// Differences returns the rows to which people, and the data, give different classes, in
// order. Rows with different numbers come by how far these are apart, the farthest first.
func (s *State) Differences() []Difference {
	var all []Difference
	for id, r := range s.rows {
		row := s.places.row(id)
		if row == NoRow || len(r.annotations) < 2 {
			continue
		}
		var given []Opinion
		differ := false
		for _, o := range s.opinions(r) {
			if o.Kind == Label {
				given = append(given, o)
				differ = differ || slices.ContainsFunc(given[:len(given)-1], func(other Opinion) bool { return s.contradict(o.Class, other.Class) })
			}
		}
		if differ {
			all = append(all, Difference{row, given, s.aggregate(r), r.adjudicated != NoClass, s.apart(given)})
		}
	}
	slices.SortFunc(all, func(a, b Difference) int { return cmp.Or(cmp.Compare(b.Apart, a.Apart), cmp.Compare(a.Row, b.Row)) })
	return all
}

// Agreement is the agreement of two people on the rows labelled by both.
type Agreement struct {
	A, B         string
	Both, Agreed int
	Kappa        float64 // Cohen's; NaN where chance alone would make them agree, or no row has both
	Apart        float64 // where labels are numbers: the mean of how far those of the two are apart
}

// table counts what two people say of the rows that both label: classes, or whether rows have classes.
type table struct {
	both, agreed int // rows
	told, same   int
	a, b         map[int]int
	apart        float64
}

// add counts what the two say of the same.
func (t *table) add(a, b int) {
	t.a[a]++
	t.b[b]++
	if t.told++; a == b {
		t.same++
	}
}

// Agreements returns the agreement of every pair of people, by name. Cohen's κ is (p − q)/(1 − q).
// Here p is the share of rows on which the two people agree, and q is the share expected by chance:
// Σ_c a_c·b_c over the shares of their classes on these rows. (Cohen, "A coefficient of agreement
// for nominal scales", Educational and Psychological Measurement 20, 1960.) Where rows may have several classes, two people agree on a row if their
// labels do not contradict each other. Then κ is of all answers whether a row has a class.
func (s *State) Agreements() []Agreement {
	type pair struct{ a, b string }
	tables := make(map[pair]*table)
	for id, r := range s.rows {
		if s.places.row(id) == NoRow || len(r.annotations) < 2 {
			continue
		}
		names := slices.Sorted(maps.Keys(r.annotations))
		for i, a := range names {
			for _, b := range names[i+1:] {
				x, y := r.annotations[a], r.annotations[b]
				if x.Kind != Label || y.Kind != Label {
					continue
				}
				t := tables[pair{a, b}]
				if t == nil {
					t = &table{a: map[int]int{}, b: map[int]int{}}
					tables[pair{a, b}] = t
				}
				class, otherClass := s.Resolve(x.Class), s.Resolve(y.Class)
				t.both++
				if !s.contradict(class, otherClass) {
					t.agreed++
				}
				if mine, ok := s.AnswersOf(class); ok {
					theirs, _ := s.AnswersOf(otherClass)
					t.addAnswers(mine, theirs)
				} else {
					t.add(class, otherClass)
				}
				if s.rules.numbers {
					t.apart += math.Abs(s.classes[class].number - s.classes[otherClass].number)
				}
			}
		}
	}
	var all []Agreement
	for p, t := range tables {
		all = append(all, Agreement{p.a, p.b, t.both, t.agreed, kappa(t.told, t.same, t.a, t.b), t.apart / float64(t.both)})
	}
	slices.SortFunc(all, func(x, y Agreement) int { return cmp.Or(cmp.Compare(x.A, y.A), cmp.Compare(x.B, y.B)) })
	return all
}

// kappa returns Cohen's κ over the rows that both people labelled, exactly but for the last
// divisions: its products are of integers.
func kappa(both, agreed int, a, b map[int]int) float64 {
	chance := 0
	for class, n := range a {
		chance += n * b[class]
	}
	if chance == both*both {
		return math.NaN()
	}
	n := float64(both)
	p, q := float64(agreed)/n, float64(chance)/(n*n)
	return (p - q) / (1 - q)
}
