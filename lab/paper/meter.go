package paper

import "time"

// phase is a part of the work on a split.
type phase int

const (
	exploring phase = iota // all candidates are tried
	timing                 // trainings with the selected weights are timed
	phases
)

// name is part of the name of a stored result.
func (p phase) name() string { return [...]string{"explored", "timed"}[p] }

// doing names the phase for people.
func (p phase) doing() string { return [...]string{"trying all weights", "timing"}[p] }

// meter predicts the time of a run: for each set by the mean time of its
// finished splits. A set without a finished split is predicted from its time on
// another machine, in proportion.
type meter struct {
	sets    []*Set
	repeats int
	done    int
	spent   map[*Set]*[phases]spent
}

// spent is the time spent in a phase of a set.
type spent struct {
	done    int // splits
	seconds float64
}

func newMeter(sets []*Set, repeats int) *meter {
	m := &meter{sets: sets, repeats: repeats, spent: make(map[*Set]*[phases]spent)}
	for _, s := range sets {
		m.spent[s] = new([phases]spent)
	}
	return m
}

func (m *meter) total() int { return len(m.sets) * m.repeats * int(phases) }

// measured records the time of a split, in this run or an earlier one.
func (m *meter) measured(s *Set, p phase, seconds float64) {
	w := &m.spent[s][p]
	w.seconds += seconds
	w.done++
	m.done++
}

// left predicts the remaining time.
func (m *meter) left() time.Duration {
	measured, foretold := 1.0, 1.0
	for _, s := range m.sets {
		for p, w := range m.spent[s] {
			measured += w.seconds
			foretold += float64(w.done) * s.cost[p]
		}
	}
	left := 0.0
	for _, s := range m.sets {
		for p, w := range m.spent[s] {
			each := s.cost[p] * measured / foretold
			if w.done > 0 {
				each = w.seconds / float64(w.done)
			}
			left += each * float64(m.repeats-w.done)
		}
	}
	return time.Duration(left * float64(time.Second))
}
