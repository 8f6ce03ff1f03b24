package labelpage

import (
	"cmp"
	"fmt"
	"math"
	"net/http"
	"slices"
	"strings"

	"lapsvm/app/labelpage/store"
)

func imageOf(row int) string { return fmt.Sprintf("/api/image/%d.png", row+1) }

const mostRows = 500 // in one answer of a search

// getSearch gives matching rows: GET
// /api/search?q=&class=&prediction=&state=&sort=row|uncertain|suspicious&offset=0&limit=60&person=P.
// The text q is contained in a row's contents, name or number. A class is the number of a settled
// class, a prediction the number of a predicted class. A state is label, unlabelled, unsure, none,
// skip, comment or different. The answer is {"total", "rows"}.
func (s *Server) getSearch(w http.ResponseWriter, r *http.Request) {
	q := query{r: r}
	text := strings.ToLower(strings.TrimSpace(q.text("q")))
	class := q.number("class", -1, 0, store.MostClasses)
	prediction := q.number("prediction", -1, 0, store.MostClasses)
	state := q.oneOf("state", "", "label", "unlabelled", "unsure", "none", "skip", "comment", "different")
	order := q.oneOf("sort", "row", "uncertain", "suspicious")
	offset, limit := q.number("offset", 0, 0, math.MaxInt32), q.number("limit", 60, 1, mostRows)
	person := q.person()
	if q.wrong(w) {
		return
	}
	at, c := s.engine.snapshot.Load(), s.content()
	found := []int{}
	var awaited map[int]bool
	s.Store.View(func(st *store.State) {
		fits := s.stateFilter(st, state, person)
		awaited = s.offers.awaited(st)
		aggregated := st.Aggregated()
		for row := range c.Len() {
			label, is := aggregated[row]
			switch {
			case c.Gone(row),
				class >= 0 && !(is && st.Has(label, class)),
				prediction >= 0 && (awaited[row] || !at.Answer.predicts(st, row, prediction)),
				state == "label" && !is, state == "unlabelled" && is,
				!fits(row),
				text != "" && !c.matches(row, text):
			default:
				found = append(found, row)
			}
		}
	})
	s.sort(found, order, at, awaited)
	total := len(found)
	found = found[min(offset, total):min(offset+limit, total)]
	writeJSON(w, map[string]any{"total": total, "rows": fromOne(found)})
}

// stateFilter returns the filter of rows for a word of the parameter state.
func (s *Server) stateFilter(st *store.State, state, person string) func(row int) bool {
	switch state {
	case "unsure", "none", "skip":
		return func(row int) bool {
			for _, o := range st.Opinions(row) {
				if string(o.Kind) == state && (person == "" || o.Person == person) {
					return true
				}
			}
			return false
		}
	case "comment":
		return func(row int) bool { return st.Commented(row) }
	case "different":
		rows := make(map[int]bool)
		for _, d := range st.Differences() {
			rows[d.Row] = true
		}
		return func(row int) bool { return rows[row] }
	}
	return func(int) bool { return true }
}

// sort puts rows in an order: the least sure predictions first, those of awaited rows
// aside, or the labels that look wrong first.
func (s *Server) sort(rows []int, order string, at *snapshot, awaited map[int]bool) {
	value := make(map[int]float64)
	switch order {
	case "uncertain":
		for _, row := range rows {
			if !awaited[row] {
				value[row] = at.Answer.doubt(row)
			}
		}
	case "suspicious":
		for _, one := range at.Suspicions {
			value[one.Point] = one.Suspicion * max(one.Ranks, 1)
		}
	default:
		return
	}
	slices.SortStableFunc(rows, func(a, b int) int {
		switch {
		case value[a] > value[b]:
			return -1
		case value[a] < value[b]:
			return 1
		}
		return a - b
	})
}

// leastSure is the probability of its class from which on a prediction of a batch is sure.
const leastSure = 0.7

// getSimilar gives the rows nearest to one that have no label and are predicted alike, the surest
// first: GET /api/similar?row=R&n=24. The answer is {"rows", "sure", "class"}, whatever the machine
// is at; sure is how many of the first rows have that class with a probability of 0.7 or more.
// Where nothing is predicted, or the row is asked blindly, class is null and rows are of any class.
// 503 before there is a machine, while the page starts, and for rows that have just arrived.
func (s *Server) getSimilar(w http.ResponseWriter, r *http.Request) {
	q := query{r: r}
	row := q.number("row", 0, 1, s.content().Len()) - 1
	n := q.number("n", 24, 1, mostRows)
	if row < 0 && q.err == nil {
		q.err = badf("say which row: row=1")
	}
	if q.wrong(w) {
		return
	}
	at := s.engine.snapshot.Load()
	if row >= at.Points { // all of them, before there is a machine
		refuse(w, http.StatusServiceUnavailable, "the machine is starting: try again in a moment")
		return
	}
	near, c := at.Similar(row, 20*n), s.content()
	rows, sure := []int{}, 0
	class, told := store.NoClass, any(nil)
	s.Store.View(func(st *store.State) {
		awaited := s.offers.awaited(st)
		if !s.kind().alike() {
			for _, other := range near {
				if len(rows) < n && !awaited[other] && !c.Gone(other) && st.AggregatedOf(other) == store.NoClass {
					rows = append(rows, other)
				}
			}
			return
		}
		defer func() { told = s.tell(st, class) }()
		if class = st.AggregatedOf(row); class == store.NoClass && !awaited[row] {
			class = st.Resolve(at.Answer.decided(row))
		}
		for _, other := range near {
			if len(rows) < n && !awaited[other] && !c.Gone(other) && st.AggregatedOf(other) == store.NoClass && (class == store.NoClass || st.Resolve(at.Answer.decided(other)) == class) {
				rows = append(rows, other)
			}
		}
		if class == store.NoClass {
			return
		}
		probability := make(map[int]float64)
		for _, other := range rows {
			if probability[other] = s.predicted(st, at, other).Probability; probability[other] >= leastSure {
				sure++
			}
		}
		slices.SortStableFunc(rows, func(a, b int) int { return cmp.Compare(probability[b], probability[a]) })
	})
	writeJSON(w, map[string]any{"rows": fromOne(rows), "sure": sure, "class": told})
}

// suspiciousLabel is a label that looks wrong.
type suspiciousLabel struct {
	Row        int     `json:"row"`
	Given      any     `json:"given"`     // see Server.tell
	Suggested  any     `json:"suggested"` // likewise; where labels are numbers the predicted one
	Suspicion  float64 `json:"suspicion"`
	Neighbours []int   `json:"neighbours"`
	Why        string  `json:"why"`
}

// getSuspicious gives labels that look wrong, the most suspicious first: GET /api/suspicious.
// Labels that were changed or confirmed since are left out.
func (s *Server) getSuspicious(w http.ResponseWriter, r *http.Request) {
	labels := []suspiciousLabel{}
	s.Store.View(func(st *store.State) {
		for _, one := range s.engine.snapshot.Load().Suspicions {
			if l, ok := s.kind().suspect(s, st, one); ok {
				labels = append(labels, l)
			}
		}
	})
	writeJSON(w, map[string]any{"labels": labels})
}

// getPeople gives how far people agree, and where they do not: GET /api/people. The
// answer is {"pairs":[{"a", "b", "both", "agreed", "kappa", "apart"}], "differences":[{"row",
// "labels":[{"person", "class"}], "settled", "adjudicated", "apart"}]}; kappa is null where chance explains it all. Of numbers apart
// is how far they are from each other, of a pair in the mean, and of ordered classes by how many ranks.
func (s *Server) getPeople(w http.ResponseWriter, r *http.Request) {
	type pair struct {
		A      string   `json:"a"`
		B      string   `json:"b"`
		Both   int      `json:"both"`
		Agreed int      `json:"agreed"`
		Kappa  *float64 `json:"kappa"`
		Apart  float64  `json:"apart,omitempty"`
	}
	type difference struct {
		Row         int     `json:"row"`
		Labels      []said  `json:"labels"`
		Settled     any     `json:"settled"`
		Adjudicated bool    `json:"adjudicated"`
		Apart       float64 `json:"apart,omitempty"`
	}
	pairs, differences := []pair{}, []difference{}
	s.Store.View(func(st *store.State) {
		for _, a := range st.Agreements() {
			p := pair{a.A, a.B, a.Both, a.Agreed, nil, a.Apart}
			if !math.IsNaN(a.Kappa) {
				p.Kappa = &a.Kappa
			}
			pairs = append(pairs, p)
		}
		for _, d := range st.Differences() {
			one := difference{Row: d.Row + 1, Settled: s.tell(st, d.Aggregated), Adjudicated: d.Adjudicated, Apart: d.Apart}
			for _, o := range d.Opinions {
				one.Labels = append(one.Labels, said{o.Person, string(o.Kind), s.tell(st, o.Class)})
			}
			differences = append(differences, one)
		}
	})
	writeJSON(w, map[string]any{"pairs": pairs, "differences": differences})
}
