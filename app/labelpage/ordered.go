package labelpage

import (
	"slices"

	"lapsvm/app/labelpage/store"
)

// ranked is labels of classes in an order, which the store lists from the lowest to the highest.
type ranked struct {
	classed
	order []string
}

func (r ranked) tellSet(set *setState) { set.Ordered, set.Order = true, r.order }

func (ranked) ofData() bool { return true }

// advise tells by how many ranks predictions are off too.
func (r ranked) advise(p *pageState, st *store.State, at *snapshot, audits []store.Audit, aggregated map[int]int) {
	r.classed.advise(p, st, at, audits, aggregated)
	if p.Off = curve(audits, offBy); len(p.Off) > 0 {
		p.Advice.Reasons = append(p.Advice.Reasons, p.Off[len(p.Off)-1].told(" ranks"))
	}
}

// join has the predicted class in a set that is not empty, and all between its classes, as [task.OutputCoding.Range] does.
func (ranked) join(st *store.State, p *prediction) {
	if len(p.Set) == 0 {
		return
	}
	all := st.Classes()
	rank := func(class int) int { return slices.IndexFunc(all, func(c store.Class) bool { return c.ID == class }) }
	low, high := rank(p.Class), rank(p.Class)
	for _, class := range p.Set {
		low, high = min(low, rank(class)), max(high, rank(class))
	}
	p.Set = []int{}
	for _, s := range p.Probabilities {
		if at := rank(s.Class); low <= at && at <= high {
			p.Set = append(p.Set, s.Class)
		}
	}
}
