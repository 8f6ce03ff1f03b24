package labelpage

import (
	"math/rand/v2"
	"net/http"
	"slices"
	"sync"
	"time"

	"lapsvm/label/store"
)

// nextPoint is a point to label.
type nextPoint struct {
	Row    int    `json:"row"`
	Reason string `json:"reason"`
	Blind  bool   `json:"blind"` // drawn by chance: it measures the machine, so show no prediction
}

// offers remembers for a while which rows were given to whom, so that two people who label
// at once get different ones.
type offers struct {
	mu  sync.Mutex
	row map[int]offer
}

type offer struct {
	person string
	until  time.Time
}

const (
	offerTime = 2 * time.Minute
	mostNext  = 100 // points given at once
	mostNot   = 1000
)

// elsewhere reports whether a row is with another person, else offers it to this one.
func (o *offers) elsewhere(row int, person string, now time.Time) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.row == nil {
		o.row = make(map[int]offer)
	}
	if old, is := o.row[row]; is && old.person != person && now.Before(old.until) {
		return true
	}
	if len(o.row) > 10*mostNext {
		for row, old := range o.row {
			if now.After(old.until) {
				delete(o.row, row)
			}
		}
	}
	o.row[row] = offer{person, now.Add(offerTime)}
	return false
}

// getNext gives points to label: GET /api/next?person=P&n=8&mode=suggest|audit|random|order&not=1,2.
// They have no settled label, the person has said nothing of them, nobody else was given
// them in the last minutes, and they are not among those of not; at the very end come
// those that the person skipped. suggest takes those that the machine asks for, and every tenth by
// chance, blind; audit takes all by chance, blind; random by chance; order the first ones.
func (s *Server) getNext(w http.ResponseWriter, r *http.Request) {
	q := query{r: r}
	person := q.person()
	n := q.number("n", 8, 1, mostNext)
	mode := q.oneOf("mode", "suggest", "audit", "random", "order")
	not := q.rows("not", s.Content.Len(), mostNot)
	if q.wrong(w) {
		return
	}
	points := []nextPoint{}
	taken := make(map[int]bool)
	for _, row := range not {
		taken[row] = true
	}
	s.Store.View(func(st *store.State) { points = s.next(st, person, n, mode, taken) })
	give(w, map[string]any{"points": points})
}

// next returns points to label that are not taken.
func (s *Server) next(st *store.State, person string, n int, mode string, taken map[int]bool) []nextPoint {
	now := time.Now()
	open := func(row int) bool { return !taken[row] && st.SettledOf(row) == store.NoClass }
	free := func(row int) bool {
		_, said := st.Said(row, person)
		return open(row) && !said && !s.offers.elsewhere(row, person, now)
	}
	order, chance := s.inOrder(free), s.byChance(free)
	suggested := s.asSuggested(free, chance)
	skipped := s.inOrder(func(row int) bool {
		j, _ := st.Said(row, person)
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
			p = nextPoint{Reason: "skipped before"}
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
		for ; at < s.Content.Len(); at++ {
			if free(at) {
				at++
				return at - 1, "", true
			}
		}
		return 0, "", false
	}
}

// byChance finds free rows by chance, and where they are rare the first of them from a
// place by chance on.
func (s *Server) byChance(free func(int) bool) finder {
	return func() (int, string, bool) {
		n := s.Content.Len()
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

// asSuggested finds the free rows that the machine asks for, and where there are none left
// others by chance.
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

// shownPoint is what is shown of a row.
type shownPoint struct {
	Row        int         `json:"row"`
	Name       string      `json:"name"`
	Image      string      `json:"image,omitempty"`
	Text       string      `json:"text,omitempty"`
	Fields     []field     `json:"fields,omitempty"`
	Values     []float64   `json:"values,omitempty"`
	Class      *int        `json:"class"` // that the person gave
	State      string      `json:"state"` // label, unsure, none, skip or ""
	Comment    string      `json:"comment"`
	Settled    *int        `json:"settled"` // what the machine learns
	Prediction *prediction `json:"prediction,omitempty"`
	Others     []said      `json:"others,omitempty"` // with predictions: what others say
}

type prediction struct {
	Class         int     `json:"class"`
	Probability   float64 `json:"probability"`
	Probabilities []share `json:"probabilities"` // the largest first
}

type share struct {
	Class int     `json:"class"`
	P     float64 `json:"p"`
}

type said struct {
	Person string `json:"person"`
	State  string `json:"state"`
	Class  *int   `json:"class"`
}

// getPoints gives what rows show: GET /api/points?rows=1,2,3&predictions=0|1&person=P. What the
// machine predicts and what others say is given where it is asked for alone.
func (s *Server) getPoints(w http.ResponseWriter, r *http.Request) {
	q := query{r: r}
	rows := q.rows("rows", s.Content.Len(), mostNot)
	predictions := q.oneOf("predictions", "0", "1") == "1"
	person := q.person()
	if q.wrong(w) {
		return
	}
	at := s.engine.snapshot.Load()
	points := make([]shownPoint, len(rows))
	s.Store.View(func(st *store.State) {
		for k, row := range rows {
			points[k] = s.shown(st, row, person)
			if predictions {
				points[k].Prediction = s.predicted(st, at, row)
				points[k].Others = others(st, row, person)
			}
		}
	})
	give(w, map[string]any{"points": points, "version": at.Version})
}

func (s *Server) shown(st *store.State, row int, person string) shownPoint {
	c := s.Content
	p := shownPoint{Row: row + 1, Name: c.Called(row), Fields: c.fields(row), Values: c.values(row), Comment: st.CommentOf(row, person)}
	if c.Kind == Images {
		p.Image = imageOf(row)
	}
	if c.Kind == Texts {
		p.Text = c.Fields[row][c.Text]
	}
	if j, ok := st.Said(row, person); ok {
		p.State, p.Class = string(j.Kind), classPointer(j.Class)
	}
	p.Settled = classPointer(st.SettledOf(row))
	return p
}

func classPointer(class int) *int {
	if class == store.NoClass {
		return nil
	}
	return &class
}

// predicted returns what the machine says of a row, with classes after merges.
func (s *Server) predicted(st *store.State, at *snapshot, row int) *prediction {
	class := st.Resolve(at.Answer.decided(row))
	if class == store.NoClass {
		return nil
	}
	of := make(map[int]float64)
	for c := range at.Answer.Probabilities {
		if p := at.Answer.probability(c, row); p > 0 {
			of[st.Resolve(c)] += p
		}
	}
	p := &prediction{Class: class, Probability: of[class], Probabilities: []share{}}
	for c, v := range of {
		if c != store.NoClass {
			p.Probabilities = append(p.Probabilities, share{c, v})
		}
	}
	slices.SortFunc(p.Probabilities, func(a, b share) int {
		switch {
		case a.P != b.P && a.P > b.P:
			return -1
		case a.P != b.P:
			return 1
		}
		return a.Class - b.Class
	})
	return p
}

func others(st *store.State, row int, person string) []said {
	var all []said
	for _, o := range st.Opinions(row) {
		if o.Person != person {
			all = append(all, said{o.Person, string(o.Kind), classPointer(o.Class)})
		}
	}
	return all
}
