package solve

import "math"

// leastCheckEvery is the least default of CheckEvery for [Auto]: in fewer
// iterations decisions may seem settled before they have begun to spread.
const leastCheckEvery = 16

// leading is the number of checks of [Auto] that only collect.
const leading = 5

// doubling watches how many decisions change while the number of iterations
// doubles, for the condition [Auto]. Its checks are half an octave apart. So
// of the last two, which it keeps, the older one was made at half the
// iterations of the next.
type doubling struct {
	next   int // iteration of the next check
	number int // of the next check, from 0

	// Check k is kept at k%2.
	decisions [2][]int32
	changed   [2]float64 // c: share of the decisions that differed from two checks before
	predicted float64    // p, the share that another doubling will change, at the last check
}

// newDoubling starts with the checks for CheckEvery = every, on watched points.
func newDoubling(every, watched int) *doubling {
	d := &doubling{changed: [2]float64{1, 1}}
	for k := range d.decisions {
		d.decisions[k] = make([]int32, watched)
	}
	d.schedule(every)
	return d
}

// schedule sets the iteration of the next check: every·2^((k−5)/2), rounded,
// but later than the check before it.
func (d *doubling) schedule(every int) {
	d.next = max(d.next+1, int(math.Round(float64(every)*math.Exp2(float64(d.number-leading)/2))))
}

// check makes the check of [Auto] at iteration next and schedules another.
func (d *doubling) check(o *Options, all *decisions, columns []*column) (changed int, stable bool) {
	k, u := d.number%2, float64(len(all.watched))
	changed = all.decide(d.decisions[k], columns)
	high := (float64(changed) + math.Sqrt(float64(changed))) / u
	predicted := high
	if before := d.changed[k]; high < before {
		predicted *= high / before
	}
	stable = d.number >= leading && (predicted+d.predicted)/2 < o.Tolerance
	d.changed[k], d.predicted = float64(changed)/u, predicted
	d.number++
	d.schedule(o.CheckEvery)
	return changed, stable
}
