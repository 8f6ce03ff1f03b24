package store

import (
	"cmp"
	"maps"
	"slices"
)

// Aggregated returns the class of every row of the data that has an aggregated class: the adjudicated
// class, else the class that most people give the row. Labels of the data ([FromData]) count where
// nobody else has given one. A tie between two classes leaves the row without a class, see
// [State.Differences]. Where labels are numbers it is their median, and of two in the middle the one that was said first.
// Of ordered classes it is the median too, and none where two classes are in the middle.
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
	return s.rules.settle(s, r)
}

// Difference is a row to which people give different classes.
type Difference struct {
	Row         int
	Opinions    []Opinion // those with a class
	Aggregated  int       // NoClass where it is a tie
	Adjudicated bool
	Apart       float64 // between the least and the largest number, or rank; else 0
}

// Differences returns the rows to which people, and the data, give different classes, in
// order. Rows with different numbers, or ranks, come by how far these are apart, the farthest first.
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
				differ = differ || slices.ContainsFunc(given[:len(given)-1], func(other Opinion) bool { return s.rules.contradict(s, o.Class, other.Class) })
			}
		}
		if differ {
			all = append(all, Difference{row, given, s.aggregate(r), r.adjudicated != NoClass, s.rules.apart(s, given)})
		}
	}
	slices.SortFunc(all, func(a, b Difference) int { return cmp.Or(cmp.Compare(b.Apart, a.Apart), cmp.Compare(a.Row, b.Row)) })
	return all
}

// Agreement is the agreement of two people on the rows labelled by both.
type Agreement struct {
	A, B         string
	Both, Agreed int
	Kappa        float64 // Cohen's, and weighted of ordered classes; NaN where chance alone would make them agree, or no row has both
	Apart        float64 // the mean of how far numbers, or ranks, of the two are apart; else 0
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
// labels do not contradict each other. Then κ is of all answers whether a row has a class. Of ordered classes κ is weighted by the distance
// of ranks.
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
				if !s.rules.contradict(s, class, otherClass) {
					t.agreed++
				}
				s.rules.agree(s, t, class, otherClass)
			}
		}
	}
	var all []Agreement
	for p, t := range tables {
		all = append(all, Agreement{p.a, p.b, t.both, t.agreed, s.rules.kappa(t), t.apart / float64(t.both)})
	}
	slices.SortFunc(all, func(x, y Agreement) int { return cmp.Or(cmp.Compare(x.A, y.A), cmp.Compare(x.B, y.B)) })
	return all
}
