package labelpage

import (
	"errors"
	"io"
	"net/http"

	"lapsvm/app/labelpage/store"
)

// sent is an event as the page sends it. Rows are from 1.
type sent struct {
	Key     string  `json:"key"`
	Kind    string  `json:"kind"`
	Row     int     `json:"row"`
	Class   *int    `json:"class"`
	Name    string  `json:"name"`
	Has     []int   `json:"has"` // where rows may have several classes: those of the row
	Lacks   []int   `json:"lacks"`
	Into    *int    `json:"into"`
	Comment string  `json:"comment"`
	Seconds float64 `json:"seconds"`
	Blind   bool    `json:"blind"`
	Group   string  `json:"group"`
}

// sentEvents is the body of POST /api/events.
type sentEvents struct {
	Person string `json:"person"`
	Events []sent `json:"events"`
}

// readEvents reads a list of events that the page sends.
func readEvents(r io.Reader) ([]store.Event, string, error) {
	var body sentEvents
	if err := decode(r, &body); err != nil {
		return nil, "", err
	}
	if len(body.Events) == 0 {
		return nil, "", badf("there are no events")
	}
	all := make([]store.Event, len(body.Events))
	for k, e := range body.Events {
		kind := store.Kind(e.Kind)
		if kind == store.Import {
			return nil, "", badf("events of the kind import come from files alone")
		}
		all[k] = store.Event{Person: body.Person, Kind: kind, Row: e.Row - 1, Class: store.NoClass, Into: store.NoClass, Predicted: store.NoClass, Name: e.Name,
			Comment: e.Comment, Seconds: e.Seconds, Blind: e.Blind, Key: e.Key, Group: e.Group}
		if e.Class != nil {
			all[k].Class = *e.Class
		}
		if len(e.Has)+len(e.Lacks) > 0 {
			all[k].Answers = &store.Answers{Has: e.Has, Lacks: e.Lacks}
		}
		if e.Into != nil {
			all[k].Into = *e.Into
		}
	}
	return all, body.Person, mayAct(body.Person)
}

// mayAct refuses to act as who the labels of the data are by.
func mayAct(person string) error {
	if person == store.FromData {
		return badf("%q is who the labels of the data are by: take another name", store.FromData)
	}
	return nil
}

// taken is the answer to events.
type taken struct {
	pageState
	Seqs   []int64 `json:"seqs,omitempty"`
	Undone *undone `json:"undone,omitempty"`
}

type undone struct {
	Rows []int  `json:"rows"`
	Text string `json:"text"`
}

// postEvents takes events and answers once they are on disk: POST /api/events, see sentEvents. The
// answer is that of GET /api/state with "seqs". The kinds are those of package store except import,
// undo, redo and data. On an error none of the events is taken. The status is 400 for an invalid
// event, 409 for a conflict with events of others, 503 for a store that cannot be written, and 507
// for a full disk.
func (s *Server) postEvents(w http.ResponseWriter, r *http.Request) {
	events, person, err := readEvents(r.Body)
	if err != nil {
		s.refuseBody(w, err)
		return
	}
	s.foresee(events)
	seqs, err := s.Store.Append(r.Context(), events)
	if err != nil {
		fail(w, err)
		return
	}
	s.came()
	writeJSON(w, taken{pageState: s.state(person), Seqs: seqs})
}

// foresee adds to blind labels the machine's predictions before it learns these labels. A label of
// a row that already has a class does not measure the machine, so foresee marks it as not blind.
func (s *Server) foresee(events []store.Event) {
	at := s.engine.snapshot.Load()
	s.Store.View(func(st *store.State) {
		for k := range events {
			e := &events[k]
			if !e.Blind || e.Row < 0 || e.Row >= s.content().Len() {
				continue
			}
			if e.Blind = st.AggregatedOf(e.Row) == store.NoClass && !classOfAnother(st, e.Row, e.Person); e.Blind {
				e.Predicted, e.Learnt = at.Answer.decided(e.Row), at.Labels
				e.Expected = at.Answer.expected(st, e.Row)
				if v, ok := at.Answer.value(e.Row); ok {
					e.Foretold, _ = store.Number(rounded(v)) // one that is too large is none
				}
			}
		}
	})
}

// came tells the engine and the pages that the store has new events.
func (s *Server) came() {
	s.engine.learn()
	s.changes.tell()
}

// postTurn takes back a person's last batch or does it again: POST /api/undo and /api/redo
// {"person", "key"}; the answer is that of GET /api/state with "undone":{"rows", "text"}. 409 where
// there is nothing to undo or redo, and where the batch no longer fits.
func (s *Server) postTurn(w http.ResponseWriter, r *http.Request) {
	var body struct {
		Person string `json:"person"`
		Key    string `json:"key"`
	}
	err := decode(r.Body, &body)
	if err == nil {
		err = mayAct(body.Person)
	}
	if err != nil {
		s.refuseBody(w, err)
		return
	}
	turn := s.Store.Undo
	if r.URL.Path == "/api/redo" {
		turn = s.Store.Redo
	}
	u, err := turn(r.Context(), body.Person, body.Key)
	if err != nil {
		fail(w, err)
		return
	}
	s.came()
	writeJSON(w, taken{pageState: s.state(body.Person), Undone: &undone{fromOne(u.Rows), u.Text}})
}

func (s *Server) refuseBody(w http.ResponseWriter, err error) {
	var long *http.MaxBytesError
	if errors.As(err, &long) {
		refuse(w, http.StatusRequestEntityTooLarge, "the body is too long: send fewer events at a time")
		return
	}
	refuse(w, http.StatusBadRequest, err.Error())
}
