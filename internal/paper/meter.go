package paper

import "time"

// phase is a part of the work on a split.
type phase int

const (
	exploring phase = iota
	timing
	phases
)

// meter foretells the time of a run: by the mean of what the splits of a set
// took where some are done, else by what they took on another machine, in
// proportion.
type meter struct {
	sets    []*Set
	repeats int
	done    int
	work    map[*Set]*[phases]work
}

// work is what is known of a phase of a set.
type work struct {
	done    int // splits
	seconds float64
}

func newMeter(sets []*Set, repeats int) *meter {
	m := &meter{sets: sets, repeats: repeats, work: make(map[*Set]*[phases]work)}
	for _, s := range sets {
		m.work[s] = new([phases]work)
	}
	return m
}

func (m *meter) total() int { return len(m.sets) * m.repeats * int(phases) }

// measured takes down the time of a split, in this run or an earlier one.
func (m *meter) measured(s *Set, p phase, seconds float64) {
	w := &m.work[s][p]
	w.seconds += seconds
	w.done++
	m.done++
}

// left foretells the rest.
func (m *meter) left() time.Duration {
	measured, foretold := 1.0, 1.0
	for _, s := range m.sets {
		for p, w := range m.work[s] {
			measured += w.seconds
			foretold += float64(w.done) * s.cost[p]
		}
	}
	left := 0.0
	for _, s := range m.sets {
		for p, w := range m.work[s] {
			each := s.cost[p] * measured / foretold
			if w.done > 0 {
				each = w.seconds / float64(w.done)
			}
			left += each * float64(m.repeats-w.done)
		}
	}
	return time.Duration(left * float64(time.Second))
}
