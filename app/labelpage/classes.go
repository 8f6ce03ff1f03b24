package labelpage

import (
	"context"

	"lapsvm/app/labelpage/store"
	"lapsvm/app/summary"
	"lapsvm/label"
)

// classed is labels that are each one class.
type classed struct{}

func (classed) tellSet(*setState) {}

func (classed) tell(_ *store.State, label int) any { return label }

func (classed) classes(st *store.State) []store.Class { return st.Classes() }

func (classed) classesOf(_ *store.State, label int) []int { return []int{label} }

func (classed) ofData() bool { return false }

func (classed) alike() bool { return true }

func (classed) advise(p *pageState, _ *store.State, at *snapshot, audits []store.Audit, aggregated map[int]int) {
	p.Curve = curve(audits, accuracy)
	p.Advice = advise(p.Classes, at, audits, len(aggregated), p.Set.N)
}

func (classed) suspect(s *Server, st *store.State, one Suspicion) (l suspiciousLabel, ok bool) {
	given, suggested := st.Resolve(one.Given), st.Resolve(one.Suggested)
	if st.AggregatedOf(one.Point) != given || given == suggested || st.Confirmed(one.Point) {
		return l, false
	}
	return suspiciousLabel{one.Point + 1, s.tell(st, given), s.tell(st, suggested), one.Suspicion, fromOne(one.Neighbours), one.Why}, true
}

func (classed) join(*store.State, *prediction) {}

func (classed) colour(_ *Server, b []byte, by string, _ int, st *store.State, at *snapshot, awaited map[int]bool) {
	colour := make([]byte, st.Numbers())
	for k, c := range st.Classes() {
		colour[c.ID] = byte(1 + k%255)
	}
	switch by {
	case "label":
		for row, class := range st.Aggregated() {
			if row < len(b) { // rows may come right now
				b[row] = colour[class]
			}
		}
	case "prediction":
		for row := range b {
			if class := st.Resolve(at.Answer.decided(row)); class != store.NoClass && !awaited[row] {
				b[row] = colour[class]
			}
		}
	default:
		for row := range b {
			if at.Answer.decided(row) >= 0 && !awaited[row] {
				b[row] = byte(1 + 254*at.Answer.doubt(row) + 0.5)
			}
		}
	}
}

func (classed) wanting() string { return "label rows of two classes first: a model tells them apart" }

func (classed) untold() string { return summary.NothingHeldOut }

func (classed) answer(a *label.Answer) *Answer {
	said := &Answer{Decided: a.Decided, Probabilities: a.Probabilities, HeldOut: a.HeldOut()}
	said.Thresholds, _ = a.Thresholds(setLevel) // of too few labels there are none
	return said
}

func (classed) audit(ctx context.Context, l *label.Labelling) ([]Suspicion, error) {
	found, err := l.Audit(ctx)
	if err != nil {
		return nil, err
	}
	var all []Suspicion
	for _, s := range found {
		if s.Suspicion >= worthLooking {
			all = append(all, Suspicion{Point: s.Point, Given: s.Given, Suggested: s.Suggested, Suspicion: s.Suspicion, Ranks: s.Ranks, Neighbours: s.Neighbours, Why: s.Why})
		}
	}
	return all, nil
}
