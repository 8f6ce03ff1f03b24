package solve

import "lapsvm/internal/numbers/objective"

// decisions are the joint decisions of all columns on the unlabelled points:
// the sign for one column, the largest output for several. Where all points are
// labelled they are those on all points.
type decisions struct {
	watched  []int     // the points
	previous []int32   // the decisions after the previous iteration
	now      []int32   // scratch: the decisions, and
	best     []float64 // the outputs that they stand on
}

func newDecisions(p *objective.Problem) *decisions {
	n := p.K.Len()
	labelled := make([]bool, n)
	for _, i := range p.Labelled {
		labelled[i] = true
	}
	d := &decisions{}
	for i := range n {
		if !labelled[i] || len(p.Labelled) == n {
			d.watched = append(d.watched, i)
		}
	}
	d.previous, d.now, d.best = make([]int32, len(d.watched)), make([]int32, len(d.watched)), make([]float64, len(d.watched))
	return d
}

// decide writes the present decisions over dst and counts the differences.
// Ties between columns go to the first of them; f = 0 is decided as −1.
func (d *decisions) decide(dst []int32, columns []*column) (changed int) {
	clear(d.now)
	if len(columns) == 1 {
		for k, i := range d.watched {
			if columns[0].z.output(i) > 0 {
				d.now[k] = 1
			}
		}
	} else { // column by column, as they lie in memory
		for k, i := range d.watched {
			d.best[k] = columns[0].z.output(i)
		}
		for c := 1; c < len(columns); c++ {
			z := columns[c].z
			for k, i := range d.watched {
				if f := z.output(i); f > d.best[k] {
					d.best[k], d.now[k] = f, int32(c)
				}
			}
		}
	}
	for k, decision := range d.now {
		if dst[k] != decision {
			dst[k] = decision
			changed++
		}
	}
	return changed
}

// moved returns how many decisions iteration t has changed, none at the start.
func (d *decisions) moved(t int, columns []*column) int {
	changed := d.decide(d.previous, columns)
	if t == 0 {
		return 0
	}
	return changed
}
