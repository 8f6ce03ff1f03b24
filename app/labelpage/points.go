package labelpage

import (
	"fmt"
	"net/http"
	"slices"

	"lapsvm/app/labelpage/store"
	"lapsvm/calibrate"
)

// shownPoint is the JSON of a row.
type shownPoint struct {
	Row        int         `json:"row"`
	Name       string      `json:"name"`
	Image      string      `json:"image,omitempty"`
	Text       string      `json:"text,omitempty"`
	Fields     []field     `json:"fields,omitempty"`
	Values     []float64   `json:"values,omitempty"`
	Class      any         `json:"class"` // that the person gave, see Server.tell
	State      string      `json:"state"` // label, unsure, none, skip or ""
	Comment    string      `json:"comment"`
	Settled    any         `json:"settled"` // what the machine learns
	Prediction *prediction `json:"prediction,omitempty"`
	Foretold   *foretold   `json:"foretold,omitempty"` // in place of prediction, where labels are numbers
	Expected   *expected   `json:"expected,omitempty"` // likewise, where rows may have several classes
	Others     []said      `json:"others,omitempty"`   // with predictions: what others say
}

type prediction struct {
	Class         int     `json:"class"`
	Probability   float64 `json:"probability"`
	Probabilities []share `json:"probabilities"` // the largest first
	// Set holds the right class nine times in ten, the most probable class first. It is null where labels are too few, and
	// NoSet says so.
	Set   []int  `json:"set"`
	NoSet string `json:"no_set,omitempty"`
}

type share struct {
	Class int     `json:"class"`
	P     float64 `json:"p"`
}

type said struct {
	Person string `json:"person"`
	State  string `json:"state"`
	Class  any    `json:"class"` // see Server.tell
}

// getPoints gives the contents of rows: GET /api/points?rows=1,2,3&predictions=0|1&person=P.
// Only predictions=1 adds the machine's prediction and what others say. Both are left out for
// rows that somebody is asked blindly.
func (s *Server) getPoints(w http.ResponseWriter, r *http.Request) {
	q := query{r: r}
	rows := q.rows("rows", s.content().Len(), mostNot)
	predictions := q.oneOf("predictions", "0", "1") == "1"
	person := q.person()
	if q.wrong(w) {
		return
	}
	at := s.engine.snapshot.Load()
	points := make([]shownPoint, len(rows))
	s.Store.View(func(st *store.State) {
		awaited := s.offers.awaited(st)
		for k, row := range rows {
			points[k] = s.shown(st, row, person)
			if predictions && !awaited[row] {
				points[k].Prediction, points[k].Foretold, points[k].Expected = s.predicted(st, at, row), s.foretold(at, row), at.Answer.told(st, row)
				points[k].Others = s.others(st, row, person)
			}
		}
	})
	writeJSON(w, map[string]any{"points": points, "version": at.Version})
}

func (s *Server) shown(st *store.State, row int, person string) shownPoint {
	c := s.content()
	p := shownPoint{Row: row + 1, Name: c.Called(row), Fields: c.fields(row), Values: c.values(row), Comment: st.CommentOf(row, person)}
	if c.Kind == Images {
		p.Image = s.signed(imageOf(row))
	}
	if c.Kind == Texts {
		p.Text = c.Fields[row][c.Text]
	}
	if j, ok := st.Annotation(row, person); ok {
		p.State, p.Class = string(j.Kind), s.tell(st, j.Class)
	}
	p.Settled = s.tell(st, st.AggregatedOf(row))
	return p
}

// tell returns a label as the page is told of it, nil for none. It is the number of a class among the classes. Where labels are numbers
// it is that number, as a text. Where rows may have several classes it is what the label says of them.
func (s *Server) tell(st *store.State, class int) any {
	if class == store.NoClass {
		return nil
	}
	return s.kind().tell(st, class)
}

// predicted returns the machine's prediction of a row, with classes after merges.
func (s *Server) predicted(st *store.State, at *snapshot, row int) *prediction {
	class := st.Resolve(at.Answer.decided(row))
	if class == store.NoClass {
		return nil
	}
	byClass, mayBe := make(map[int]float64), map[int]bool{class: true}
	for c := range at.Answer.Probabilities {
		if p := at.Answer.probability(c, row); p > 0 {
			byClass[st.Resolve(c)] += p
			mayBe[st.Resolve(c)] = mayBe[st.Resolve(c)] || at.Answer.mayBe(c, row)
		}
	}
	p := &prediction{Class: class, Probability: byClass[class], Probabilities: []share{}}
	for c, v := range byClass {
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
	p.makeSet(at.Answer, mayBe)
	s.kind().join(st, p)
	return p
}

// makeSet fills in the set of classes, or why there is none.
func (p *prediction) makeSet(a *Answer, mayBe map[int]bool) {
	if a.Thresholds == nil {
		p.NoSet = fmt.Sprintf("A set of classes that holds the right one nine times in ten takes %d labels of classes with two labels or more, and there are %d.",
			calibrate.LeastLabels(setLevel), a.HeldOut)
		return
	}
	p.Set = []int{}
	for _, s := range p.Probabilities {
		if mayBe[s.Class] {
			p.Set = append(p.Set, s.Class)
		}
	}
}

func (s *Server) others(st *store.State, row int, person string) []said {
	var all []said
	for _, o := range st.Opinions(row) {
		if o.Person != person {
			all = append(all, said{o.Person, string(o.Kind), s.tell(st, o.Class)})
		}
	}
	return all
}
