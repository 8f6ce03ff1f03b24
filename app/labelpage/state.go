package labelpage

import (
	"fmt"
	"net/http"
	"strconv"

	"lapsvm/app/labelpage/store"
	"lapsvm/app/summary"
	"lapsvm/internal/machines/train"
)

// setState is the JSON of the data set.
type setState struct {
	Name    string   `json:"name"`
	N       int      `json:"n"`    // rows that are in the data
	Rows    int      `json:"rows"` // that there ever were, which have numbers
	Kind    Kind     `json:"kind"`
	Width   int      `json:"width,omitempty"`  // in dots, of images that are features; files have sizes of their own
	Height  int      `json:"height,omitempty"` // in dots, of the same
	Columns []string `json:"columns,omitempty"`
	Numbers bool     `json:"numbers"`           // labels are numbers
	Several bool     `json:"several"`           // rows may have several classes
	Ordered bool     `json:"ordered,omitempty"` // classes have an order, in which they are listed
	Order   []string `json:"order,omitempty"`   // all of them, where no other may be added
}

// classState is a class of the page.
type classState struct {
	ID    int    `json:"id"`
	Name  string `json:"name"`
	Key   string `json:"key"`   // on the keyboard, "" where there are no more
	Count int    `json:"count"` // aggregated labels
}

type personState struct {
	Name   string `json:"name"`
	Labels int    `json:"labels"`
}

// countState counts rows.
type countState struct {
	Points   int `json:"points"`
	Labelled int `json:"labelled"` // with an aggregated label
	Unsure   int `json:"unsure"`   // without one, and somebody is unsure
	None     int `json:"none"`     // without one, of none of the classes for somebody
	Skipped  int `json:"skipped"`  // without one, passed over by somebody
	Ties     int `json:"ties"`     // people disagree, equally many for several classes
}

// modelState is the JSON of the machine's state.
type modelState struct {
	Version int64   `json:"version"` // of the store that it has learnt
	Labels  int     `json:"labels"`  // that it has learnt
	Decides bool    `json:"decides"` // it predicts: two classes have labels
	Busy    bool    `json:"busy"`
	Stage   string  `json:"stage"`
	Share   float64 `json:"share"`   // of the stage, 0 to 1
	Seconds float64 `json:"seconds"` // of the last update
	Error   string  `json:"error"`
	Recipe  string  `json:"recipe"`
	Map     int     `json:"map"` // another number whenever places on the map change

	Told   []string      `json:"told"`             // what held-out labels tell of the error, in sentences
	Choice *train.Choice `json:"choice,omitempty"` // of the recipe, as train gives it
	Chosen int           `json:"chosen"`           // labels that there were when the recipe was chosen
}

// pageState is the JSON of the page's state, without points.
type pageState struct {
	Store    string        `json:"store"` // names the store that labels go to: pages keep under this name what they have not sent
	Set      setState      `json:"set"`
	Classes  []classState  `json:"classes"` // none where labels are numbers
	Numbers  *spread       `json:"numbers"` // null where labels are classes, and without a label
	People   []personState `json:"people"`
	Counts   countState    `json:"counts"`
	Version  int64         `json:"version"`
	Sequence int64         `json:"sequence"` // larger than that of every state taken before, by a server before too
	Model    modelState    `json:"model"`
	Curve    []curvePoint  `json:"curve"`
	Off      []offPoint    `json:"off"` // in place of the curve where labels are numbers, and beside that of ordered classes in ranks
	Advice   advice        `json:"advice"`
	Undo     string        `json:"undo"`
	Redo     string        `json:"redo"`
	Warnings []string      `json:"warnings"`
	Audits   int           `json:"audits"`  // every how manieth point measures the machine; 0 none
	Audited  int           `json:"audited"` // points that measured it
}

// getState gives the state of the page, without points: GET /api/state?person=P.
func (s *Server) getState(w http.ResponseWriter, r *http.Request) {
	q := query{r: r}
	person := q.person()
	if q.wrong(w) {
		return
	}
	writeJSON(w, s.state(person))
}

func (s *Server) version() (v int64) {
	s.Store.View(func(st *store.State) { v = st.Version() })
	return v
}

func (s *Server) modelState() modelState {
	at, now := s.engine.snapshot.Load(), s.engine.work.Load()
	m := modelState{Version: at.Version, Labels: at.Labels, Decides: at.Answer.decides(), Busy: now.Busy, Stage: now.Stage, Share: now.Share,
		Seconds: at.Seconds, Error: now.Error, Recipe: worded(at.Recipe), Map: at.Map, Told: told(at.Recipe, at.Points-at.Labels), Chosen: at.Chosen}
	if at.Recipe != nil {
		m.Choice = at.Recipe.Choice
	}
	if making := s.exporting.work.Load(); making != nil { // what somebody waits for
		m.Busy, m.Stage, m.Share = true, making.Stage, making.Share
	}
	return m
}

// told says in sentences what held-out labels tell of the machines of a recipe, as train does; none without a machine.
func told(r *train.Recipe, unlabelled int) []string {
	if r == nil {
		return []string{}
	}
	if said := summary.ChoiceVerdict(*r, unlabelled); said != nil {
		return said
	}
	return []string{of(r.Kind).untold()}
}

// worded describes a recipe in a line, "" for none.
func worded(r *train.Recipe) string {
	if r == nil {
		return ""
	}
	leading := r.Leading()
	text := fmt.Sprintf("kernel %s; gamma-a %.3g, gamma-i %.3g; %d neighbours, degree %d; %s", r.Kernel, leading.GammaA, leading.GammaI, leading.Neighbours, leading.LaplacianDegree, r.Solver)
	if n := len(r.Members); n > 1 {
		text += fmt.Sprintf("; the mean of %d machines", n)
	}
	return text
}

// state returns the state of the page for a person. States are made one at a time and numbered, so
// that a page knows the later of two states in whatever order they arrive. The numbers start from
// the time of the server's start, so that the order also holds across a restart.
func (s *Server) state(person string) pageState {
	s.stating.Lock()
	defer s.stating.Unlock()
	s.states++
	c := s.content()
	p := pageState{Store: s.StoreID, Set: setState{Name: s.Name, N: c.here(), Rows: c.Len(), Kind: c.Kind, Columns: c.Columns}, Classes: []classState{}, People: []personState{}, Warnings: []string{}, Audits: max(0, s.Audits), Sequence: s.states}
	s.kind().tellSet(&p.Set)
	if c.Kind == Images && c.Files == nil && !c.Data.Image.None() {
		p.Set.Width, p.Set.Height = c.Data.Image.Width, c.Data.Image.Height
	}
	p.Warnings = append(append(p.Warnings, s.Warnings...), *s.notices.Load()...)
	p.Model = s.modelState()
	at := s.engine.snapshot.Load()
	s.Store.View(func(st *store.State) {
		p.Version = st.Version()
		aggregated := st.Aggregated()
		count := make(map[int]int)
		for _, label := range aggregated {
			for _, class := range s.kind().classesOf(st, label) {
				count[class]++
			}
		}
		classes := s.kind().classes(st)
		keys := keysFor(classes)
		for k, class := range classes {
			p.Classes = append(p.Classes, classState{class.ID, class.Name, keys[k], count[class.ID]})
		}
		for _, who := range st.People() {
			if s.kind().ofData() && who.Name == store.FromData && who.Labels == 0 {
				continue // it only has classes
			}
			p.People = append(p.People, personState{who.Name, who.Labels})
		}
		p.Counts = s.count(st, aggregated)
		if person != "" {
			p.Undo, p.Redo = st.NextUndo(person), st.NextRedo(person)
		}
		audits := predicted(st.Audits())
		p.Audited, p.Curve, p.Off = len(audits), []curvePoint{}, []offPoint{}
		s.kind().advise(&p, st, at, audits, aggregated)
	})
	return p
}

func (s *Server) count(st *store.State, aggregated map[int]int) countState {
	c := countState{Points: s.content().here(), Labelled: len(aggregated)}
	for _, row := range st.Rows() {
		if _, is := aggregated[row]; is {
			continue
		}
		var unsure, none, skipped, label bool
		for _, o := range st.Opinions(row) {
			unsure = unsure || o.Kind == store.Unsure
			none = none || o.Kind == store.None
			skipped = skipped || o.Kind == store.Skip
			label = label || o.Kind == store.Label
		}
		switch {
		case label:
			c.Ties++
		case none:
			c.None++
		case unsure:
			c.Unsure++
		case skipped:
			c.Skipped++
		}
	}
	return c
}

// keysFor gives classes their keys: a name of one digit is its own; the others get the
// digits from 1 and letters that are left, in order. Letters that the page has other uses for are none.
func keysFor(classes []store.Class) []string {
	const all = "123456789" + "abdefghijklmoqrtvwy"
	taken := make(map[string]bool)
	keys := make([]string, len(classes))
	for k, c := range classes {
		if _, err := strconv.Atoi(c.Name); err == nil && len(c.Name) == 1 && !taken[c.Name] {
			keys[k], taken[c.Name] = c.Name, true
		}
	}
	next := 0
	for k := range classes {
		for keys[k] == "" && next < len(all) {
			if key := all[next : next+1]; !taken[key] {
				keys[k], taken[key] = key, true
			}
			next++
		}
	}
	return keys
}
