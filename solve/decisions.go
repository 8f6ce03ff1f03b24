package solve

import "lapsvm/objective"

// decisions are the joint decisions of all columns on the unlabelled points:
// the sign for one column, the largest output for several. Where all points are
// labelled they are those on all points.
type decisions struct {
	watched  []int   // the points
	previous []int32 // the decisions after the previous iteration
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
	d.previous = make([]int32, len(d.watched))
	return d
}

// decide writes the present decisions over dst and counts the differences.
// Ties between columns go to the first of them; f = 0 is decided as −1.
func (d *decisions) decide(dst []int32, columns []*column) (changed int) {
	for k, i := range d.watched {
		var decision int32
		if len(columns) == 1 {
			if columns[0].z.output(i) > 0 {
				decision = 1
			}
		} else {
			best := columns[0].z.output(i)
			for c := 1; c < len(columns); c++ {
				if f := columns[c].z.output(i); f > best {
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

// moved returns how many decisions iteration t has changed, none at the start.
func (d *decisions) moved(t int, columns []*column) int {
	changed := d.decide(d.previous, columns)
	if t == 0 {
		return 0
	}
	return changed
}
