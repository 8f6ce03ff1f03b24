package labelpage

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"

	"lapsvm"
	"lapsvm/app/answer"
	"lapsvm/app/labelpage/store"
	"lapsvm/dataset"
	"lapsvm/internal/numbers/parallel"
)

// Explainer says in sentences why a model says what it does of a point: one, or one for every class that the point may have.
type Explainer func(ctx context.Context, point int) ([]string, error)

// Explainer implements [Machine]. The model is trained by the recipe of the present machines, beside these and on one thread.
func (m *learning) Explainer() func(ctx context.Context) (Explainer, error) {
	t, d := lapsvm.Trainer{Recipe: m.l.Recipe(), Run: m.run}, m.l.Dataset()
	t.Recipe.Calibrate, t.Memory, t.Progress = false, m.run.Memory/2, nil
	return func(ctx context.Context) (Explainer, error) {
		ctx = parallel.WithLimit(ctx, 1)
		model, err := t.Fit(ctx, d)
		if err != nil {
			return nil, err
		}
		return func(ctx context.Context, point int) ([]string, error) {
			return explain(parallel.WithLimit(ctx, 1), model, d, point)
		}, nil
	}
}

// explain explains one row of the data of a model, by its edges too.
func explain(ctx context.Context, m *lapsvm.Model, d *dataset.Dataset, point int) (sentences []string, err error) {
	x := d.AsRead().Slice(point, point+1)
	var arcs []dataset.Arc
	for k, i := range d.Edges.From {
		switch j := d.Edges.To[k]; point {
		case int(i):
			arcs = append(arcs, dataset.Arc{To: int(j), Weight: d.Edges.Weight[k]})
		case int(j):
			arcs = append(arcs, dataset.Arc{To: int(i), Weight: d.Edges.Weight[k]})
		}
	}
	var scores [][]float64
	if arcs != nil {
		scores, err = m.ScoresByEdges(ctx, x, arcs)
	} else {
		scores, err = m.Scores(ctx, x)
	}
	if err != nil {
		return nil, err
	}
	said, err := answer.Of(ctx, m, x, scores, 0)
	if err != nil {
		return nil, err
	}
	all, err := answer.NewExplanations(ctx, m, x, arcs, &said)
	if err != nil {
		return nil, err
	}
	for _, one := range all.All {
		for k := range one.Reasons {
			if part := one.Reasons[k].Part; part != nil {
				one.Reasons[k].Value = placeOf(*part, m.Image())
			}
		}
		sentences = append(sentences, all.Sentence(one))
	}
	return sentences, nil
}

// placeOf says where a part of a picture is, in percent of its sides from the top left: the picture on the page may have other dots than the copy that machines see.
func placeOf(part lapsvm.Part, of dataset.Image) string {
	share := func(from, length, side int) string {
		return fmt.Sprintf("%.0f–%.0f %%", 100*float64(from)/float64(side), 100*float64(from+length)/float64(side))
	}
	return share(part.Left, part.Width, of.Width) + " across, " + share(part.Top, part.Height, of.Height) + " down"
}

// explaining keeps the explainer of the labels that somebody asked about last.
type explaining struct {
	lock    sync.Mutex
	version int64 // of the store
	points  int
	explain Explainer
}

var errLabelsCame = errors.New("labels came in the meantime: ask again")

// of returns the explainer of a snapshot. It is made where there is none, until other labels come.
func (e *explaining) of(ctx context.Context, engine *engine, at *snapshot) (Explainer, error) {
	e.lock.Lock()
	defer e.lock.Unlock()
	if e.explain != nil && e.version == at.Version && e.points == at.Points {
		return e.explain, nil
	}
	e.explain = nil
	var prepare func(context.Context) (Explainer, error)
	if !engine.ask(ctx, func(m Machine) { prepare = m.Explainer() }) {
		return nil, errLabelsCame
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	engine.whys.Store(&cancel)
	explain, err := prepare(ctx)
	engine.whys.Store(nil)
	switch {
	case ctx.Err() != nil:
		return nil, errLabelsCame
	case err != nil:
		return nil, err
	}
	e.version, e.points, e.explain = at.Version, at.Points, explain
	return explain, nil
}

// getWhy says why a row is predicted as it is: GET /api/why?row=1. The answer is {"sentences"}, or {"none"}, which says why there are none.
func (s *Server) getWhy(w http.ResponseWriter, r *http.Request) {
	q := query{r: r}
	rows := q.rows("row", s.content().Len(), 1)
	if q.wrong(w) {
		return
	}
	if len(rows) == 0 {
		refuse(w, http.StatusBadRequest, "row is missing: give the number of a row")
		return
	}
	row, at, blind := rows[0], s.engine.snapshot.Load(), false
	s.Store.View(func(st *store.State) { blind = s.offers.awaited(st)[row] })
	none := func(text string) { writeJSON(w, map[string]any{"none": text}) }
	switch {
	case blind:
		none("This point is asked blindly.")
		return
	case !at.Answer.decides() || row >= at.Points:
		none("There is no prediction yet.")
		return
	}
	explain, err := s.whys.of(s.ctx, s.engine, at)
	var sentences []string
	if err == nil {
		sentences, err = explain(r.Context(), row)
	}
	if err != nil {
		none("It cannot be told: " + err.Error())
		return
	}
	writeJSON(w, map[string]any{"sentences": sentences})
}
