package labelpage

import (
	"context"

	"lapsvm/app/labelpage/store"
	"lapsvm/internal/machines/task"
	"lapsvm/label"
)

// kind is a row: what the page asks of its kind of label.
type kind interface {
	// tellSet tells the page of the kind.
	tellSet(set *setState)
	// tell returns a label, which is not NoClass, as the page is told of it, see [Server.tell].
	tell(st *store.State, label int) any
	// classes returns the classes that the page lists.
	classes(st *store.State) []store.Class
	// classesOf returns the classes that a label counts for.
	classesOf(st *store.State, label int) []int
	// ofData reports whether the data add classes that nobody asked for.
	ofData() bool
	// alike reports whether rows can be alike by what is predicted of them.
	alike() bool
	// advise fills in how good predictions are by blind labels, and whether more labels are worth their time.
	advise(p *pageState, st *store.State, at *snapshot, audits []store.Audit, aggregated map[int]int)
	// suspect returns the JSON of a label that looks wrong. ok is false where the label is another by now, or somebody gave it again.
	suspect(s *Server, st *store.State, one Suspicion) (l suspiciousLabel, ok bool)
	// join joins the set of a prediction where classes have an order.
	join(st *store.State, p *prediction)
	// colour gives each row its byte, see [Server.getColours].
	colour(s *Server, b []byte, by string, alone int, st *store.State, at *snapshot, awaited map[int]bool)
	// wanting says what a model lacks while fewer than two labels differ.
	wanting() string
	// untold says that nothing is known of the error of the machines.
	untold() string
	// answer returns what a labelling says.
	answer(a *label.Answer) *Answer
	// audit is [Machine.Audit].
	audit(ctx context.Context, l *label.Labelling) ([]Suspicion, error)
}

// of returns the row of a kind.
func of(k task.Kind) kind {
	switch k.Name {
	case task.OfNumbers:
		return numbered{}
	case task.OfSeveral:
		return listed{}
	case task.OfOrdered:
		return ranked{order: k.Order}
	}
	return classed{}
}

// kind returns the row of the labels.
func (s *Server) kind() kind { return of(s.Store.Kind()) }
