package solve

import "lapsvm/objective"

// decisions watches the joint decision of all columns on the unlabelled
// points: the sign for one column, the largest output for several. Where all
// points are labelled it watches those.
type decisions struct {
	watched        []int
	last, previous []int32 // at the last check, after the previous iteration
	checked        bool
	errors         int       // validation errors at the last check
	doubling       *doubling // of Auto, otherwise nil
}

func newDecisions(p *objective.Problem, validationSize int) *decisions {
	n := p.K.Len()
	labelled := make([]bool, n)
	for _, i := range p.Labelled {
		labelled[i] = true
	}
	d := &decisions{errors: validationSize}
	for i := range n {
		if !labelled[i] || len(p.Labelled) == n {
			d.watched = append(d.watched, i)
		}
	}
	d.last = make([]int32, len(d.watched))
	d.previous = make([]int32, len(d.watched))
	return d
}

// decide writes the present decisions over dst and counts the differences.
// Ties between columns go to the first of them; f = 0 is decided as −1.
func (d *decisions) decide(dst []int32, columns []*column) (changed int) {
	for k, i := range d.watched {
		var decision int32
		if len(columns) == 1 {
			if z := columns[0].z; z.KAlpha[i]+z.B > 0 {
				decision = 1
			}
		} else {
			best := columns[0].z.KAlpha[i] + columns[0].z.B
			for c := 1; c < len(columns); c++ {
				if f := columns[c].z.KAlpha[i] + columns[c].z.B; f > best {
					best, decision = f, int32(c)
				}
			}
		}
		if dst[k] != decision {
			dst[k] = decision
			changed++
		}
	}
	return changed
}

// due reports whether o asks for a check of decisions after iteration t.
func (d *decisions) due(o *Options, t int) bool {
	switch o.Stop {
	case Auto:
		return t == d.doubling.next
	case Stability, Validation, Mixed:
		return t%o.CheckEvery == 0
	}
	return false
}

// check makes the check of decisions that o asks for. stop is the reason to
// stop, empty if there is none. The first stability check never stops, having
// nothing to compare with; the first validation check compares with all wrong.
// (Algorithms 2 and 3.)
func (d *decisions) check(o *Options, columns []*column, alpha [][]float64, b []float64, step *Step) (stop Status) {
	step.Checked = true
	if o.Stop == Auto {
		changed, stable := d.doubling.check(o, d, columns)
		if step.ChangedSinceCheck = changed; stable {
			return Stable
		}
		return ""
	}
	stable, valid := true, true
	if o.Stop != Validation {
		step.ChangedSinceCheck = d.decide(d.last, columns)
		stable = d.checked && float64(step.ChangedSinceCheck) < o.Tolerance*float64(len(d.watched))
		d.checked = true
	}
	if o.Stop != Stability {
		for c, col := range columns {
			alpha[c], b[c] = col.z.Alpha, col.z.B
		}
		step.ValidationErrors = o.ValidationErrors(alpha, b)
		// err > err_old − 1/v, counted in whole errors.
		valid = step.ValidationErrors > d.errors-1
		d.errors = step.ValidationErrors
	}
	switch {
	case !stable || !valid:
		return ""
	case o.Stop == Stability:
		return Stable
	case o.Stop == Validation:
		return Validated
	}
	return StableAndValid
}
