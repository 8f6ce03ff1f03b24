package solve

import "math"

// Auto stops all columns together when twice the iterations would change few
// decisions. It checks at iterations that grow by √2 from check to check, and
// compares the decisions on the u unlabelled points with those at half the
// iterations. Let k decisions differ between t/2 and t: their share is
// c(t) = k/u. With one standard deviation of a count added, which matters with few
// points, it is ĉ(t) = (k + √k)/u. The share that another doubling will change
// is predicted as in a geometric series,
//
//	p(t) = ĉ(t)·min(1, ĉ(t)/c(t/2))
//
// and Auto stops at a check t ≥ CheckEvery where the mean of p(t) and of
// p(t/√2), the prediction at the check before, is below Tolerance, by default
// 0.015. Its window grows with the run: it goes on where decisions drift slowly
// but far, and stops soon where they have settled. The first five checks, from
// CheckEvery/6 on, only collect. The first two of them compare with the
// decisions of f = 0.
const Auto Condition = "auto"

func autoRule() rule {
	return rule{name: Auto, tolerance: 0.015, checkEvery: leastCheckEvery, checker: func(o *Options, d *decisions, _ int) checker {
		return newDoubling(o, d)
	}}
}

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
	watched   *decisions
	every     int     // Options.CheckEvery
	tolerance float64 // Options.Tolerance

	next   int // iteration of the next check
	number int // of the next check, from 0

	// Check k is kept at k%2.
	decisions [2][]int32
	changed   [2]float64 // c: share of the decisions that differed from two checks before
	predicted float64    // p, the share that another doubling will change, at the last check
}

func newDoubling(o *Options, watched *decisions) *doubling {
	d := &doubling{watched: watched, every: o.CheckEvery, tolerance: o.Tolerance, changed: [2]float64{1, 1}}
	for k := range d.decisions {
		d.decisions[k] = make([]int32, len(watched.watched))
	}
	d.schedule()
	return d
}

// schedule sets the iteration of the next check: every·2^((k−5)/2), rounded,
// but later than the check before it.
func (d *doubling) schedule() {
	d.next = max(d.next+1, int(math.Round(float64(d.every)*math.Exp2(float64(d.number-leading)/2))))
}

func (d *doubling) due(t int) bool { return t == d.next }

func (d *doubling) look(columns []*column, step *Step) Status {
	k, u := d.number%2, float64(len(d.watched.watched))
	step.ChangedSinceCheck = d.watched.decide(d.decisions[k], columns)
	changed := float64(step.ChangedSinceCheck)
	high := (changed + math.Sqrt(changed)) / u
	predicted := high
	if before := d.changed[k]; high < before {
		predicted *= high / before
	}
	stable := d.number >= leading && (predicted+d.predicted)/2 < d.tolerance
	d.changed[k], d.predicted = changed/u, predicted
	d.number++
	d.schedule()
	if stable {
		return Stable
	}
	return ""
}
