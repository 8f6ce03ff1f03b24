package store

import (
	"context"
	"math"
	"slices"
	"time"

	"lapsvm/internal/machines/task"
)

// classed is labels that are each one class.
type classed struct{}

func (classed) word() string { return "" }

func (classed) most() int { return MostClasses }

func (classed) refused(string, task.Kind) error { return nil }

func (classed) lost(task.Kind) string { return "" }

func (classed) adopt(context.Context, *Store) error { return nil }

func (classed) begin() []string { return nil }

func (classed) spell(label string) (string, error) { return label, nil }

func (classed) named(string) (float64, error) { return math.NaN(), nil }

func (classed) single() bool { return true }

func (classed) tidy(_, _ *Event, _ *fields) error { return nil }

func (classed) mean(s *Store, source string, e *Event) *Event {
	if e.Class = s.state.meant(source, e.Name); e.Class != NoClass {
		return nil
	}
	return &Event{Kind: ClassAdd, Person: e.Person, Name: e.Name, Key: newKey()}
}

func (classed) list(*Store, string, []Event) ([]Event, error) { return nil, nil }

func (classed) take(_ *Store, _ *Event, fresh []Event, _ time.Time) ([]Event, error) {
	return fresh, nil
}

func (classed) arrange(*State) {}

// settle returns the class that most people say, NoClass in a tie.
func (classed) settle(s *State, r *rowState) int {
	var votes [8]struct{ class, count int }
	n := votes[:0]
	for name, j := range r.annotations {
		if j.Kind != Label || name == FromData {
			continue
		}
		class := s.Resolve(j.Class)
		k := slices.IndexFunc(n, func(v struct{ class, count int }) bool { return v.class == class })
		if k < 0 {
			k = len(n)
			n = append(n, struct{ class, count int }{class: class})
		}
		n[k].count++
	}
	if len(n) == 0 {
		if j, annotated := r.annotations[FromData]; annotated {
			return s.Resolve(j.Class)
		}
		return NoClass
	}
	best, most, tie := NoClass, 0, false
	for _, v := range n {
		switch {
		case v.count > most:
			best, most, tie = v.class, v.count, false
		case v.count == most:
			tie = true
		}
	}
	if tie {
		return NoClass
	}
	return best
}

func (classed) contradict(s *State, a, b int) bool { return s.Resolve(a) != s.Resolve(b) }

func (classed) apart(*State, []Opinion) float64 { return 0 }

func (classed) agree(_ *State, t *table, a, b int) { t.add(a, b) }

func (classed) kappa(t *table) float64 { return kappa(t.told, t.same, t.a, t.b) }

// kappa returns Cohen's κ over the rows that both people labelled, exactly but for the last
// divisions: its products are of integers.
func kappa(both, agreed int, a, b map[int]int) float64 {
	chance := 0
	for class, n := range a {
		chance += n * b[class]
	}
	if chance == both*both {
		return math.NaN()
	}
	n := float64(both)
	p, q := float64(agreed)/n, float64(chance)/(n*n)
	return (p - q) / (1 - q)
}

func (classed) names(s *State, _ map[int]int, _ bool) []string {
	names := make([]string, s.numbers)
	for _, c := range s.Classes() {
		names[c.ID] = c.Name
	}
	return names
}
