package labelpage

import (
	"maps"
	"math/rand/v2"
	"net/http"
	"slices"
	"time"

	"lapsvm/app/labelpage/store"
)

// nextPoint is a point to label.
type nextPoint struct {
	Row    int    `json:"row"`
	Reason string `json:"reason"`
	Blind  bool   `json:"blind"` // drawn by chance, to measure the machine or people: show no prediction
}

// Limits of a request for points.
const (
	mostNext = 100 // points given at once
	mostNot  = 1000
)

// getNext gives points to label: GET
// /api/next?person=P&n=8&mode=suggest|audit|second|random|order&not=1,2. Such a point has no
// aggregated label, the person has said nothing of it, nobody else was given it in the last minutes,
// and it is not listed in not. When these are used up, the points that the person skipped follow.
//
// The modes differ in how points are chosen. Mode suggest takes the points that the machine asks
// for; one in Server.Audits (by default ten) is drawn at random and asked blindly. Mode audit
// draws all points at random and asks them blindly. Mode random draws points at random. Mode order
// takes the first ones. Mode second draws rows that other people gave a class, settled or not, and
// asks them blindly.
func (s *Server) getNext(w http.ResponseWriter, r *http.Request) {
	q := query{r: r}
	person := q.person()
	n := q.number("n", 8, 1, mostNext)
	mode := q.oneOf("mode", "suggest", "audit", "second", "random", "order")
	not := q.rows("not", s.content().Len(), mostNot)
	if q.wrong(w) {
		return
	}
	points := []nextPoint{}
	taken := make(map[int]bool)
	for _, row := range not {
		taken[row] = true
	}
	has := maps.Clone(taken)
	s.Store.View(func(st *store.State) { points = s.next(st, person, n, mode, taken) })
	s.offers.keepBlind(person, points, has)
	writeJSON(w, map[string]any{"points": points})
}

// next returns points to label that are not taken.
func (s *Server) next(st *store.State, person string, n int, mode string, taken map[int]bool) []nextPoint {
	now, c := time.Now(), s.content()
	open := func(row int) bool { return !taken[row] && !c.Gone(row) && st.AggregatedOf(row) == store.NoClass }
	if mode == "second" {
		open = func(row int) bool { return !taken[row] && classOfAnother(st, row, person) }
	}
	free := func(row int) bool {
		_, said := st.Annotation(row, person)
		return open(row) && !said && (mode == "second" || !s.offers.elsewhere(row, person, now))
	}
	order, chance := s.inOrder(free), s.byChance(free)
	suggested := s.asSuggested(free, chance)
	skipped := s.inOrder(func(row int) bool {
		j, _ := st.Annotation(row, person)
		return open(row) && j.Kind == store.Skip
	})
	passed := len(taken)
	for _, p := range st.People() {
		if p.Name == person {
			passed += p.Labels
		}
	}
	points := []nextPoint{}
	for len(points) < n {
		find, p := chance, nextPoint{Reason: "drawn by chance"}
		switch {
		case mode == "order":
			find, p.Reason = order, "the next one"
		case mode == "second":
			find, p.Reason, p.Blind = among(st.Rows(), free), "labelled by somebody else, to measure agreement", true
		case mode == "audit", mode == "suggest" && s.Audits > 0 && (passed+len(points))%s.Audits == s.Audits-1:
			p.Reason, p.Blind = "drawn by chance, to measure the predictions", true
		case mode == "suggest":
			find = suggested
		}
		row, reason, ok := find()
		if !ok {
			if row, _, ok = skipped(); !ok {
				break
			}
			p = nextPoint{Reason: "skipped before", Blind: mode == "second"}
		}
		if reason != "" {
			p.Reason = reason
		}
		taken[row] = true
		p.Row = row + 1
		points = append(points, p)
	}
	return points
}

// finder finds another free row, and why it is taken; "" for the usual reason.
type finder func() (row int, reason string, ok bool)

// inOrder finds free rows from the first on.
func (s *Server) inOrder(free func(int) bool) finder {
	at := 0
	return func() (int, string, bool) {
		for ; at < s.content().Len(); at++ {
			if free(at) {
				at++
				return at - 1, "", true
			}
		}
		return 0, "", false
	}
}

// byChance finds free rows at random. Where free rows are rare it takes the first one after a
// random place.
func (s *Server) byChance(free func(int) bool) finder {
	return func() (int, string, bool) {
		n := s.content().Len()
		for range 50 {
			if row := rand.IntN(n); free(row) {
				return row, "", true
			}
		}
		from := rand.IntN(n)
		for k := range n {
			if row := (from + k) % n; free(row) {
				return row, "", true
			}
		}
		return 0, "", false
	}
}

// among finds a free one of some rows, at random.
func among(rows []int, free func(int) bool) finder {
	return func() (int, string, bool) {
		for _, k := range rand.Perm(len(rows)) {
			if free(rows[k]) {
				return rows[k], "", true
			}
		}
		return 0, "", false
	}
}

// classOfAnother reports whether anybody but the person and the data gives a row a class.
func classOfAnother(st *store.State, row int, person string) bool {
	return slices.ContainsFunc(st.Opinions(row), func(o store.Opinion) bool {
		return o.Kind == store.Label && o.Person != person && o.Person != store.FromData
	})
}

// asSuggested finds the free rows that the machine asks for, and then others at random.
func (s *Server) asSuggested(free func(int) bool, chance finder) finder {
	queue := s.engine.snapshot.Load().Queue
	return func() (int, string, bool) {
		for len(queue) > 0 {
			first := queue[0]
			if queue = queue[1:]; free(first.Point) {
				return first.Point, first.Reason, true
			}
		}
		return chance()
	}
}
