package train

import (
	"errors"
	"fmt"

	"lapsvm/dataset"
)

// mostChanged bounds the share of decisions for a class that change from a quarter of the points to all of them, in the mean of classes. With no more
// these points serve.
const mostChanged = 0.015

// errFewDecideOtherwise ends a training on few points that decide otherwise than a quarter of them.
var errFewDecideOtherwise = errors.New("decisions change with the number of points")

// onFewer returns the recipe with as many points as may serve. It is false where more than half as many would take part anyway, and where no sample
// of them would tell whether they serve.
func (r Recipe) onFewer(d *dataset.Dataset) (Recipe, bool) {
	few, all := r.Pending.Fewer, d.Len()
	if r.MostPoints > 0 {
		all = min(all, r.MostPoints)
	}
	r.MostPoints = few
	return r, few > 0 && 2*few < all && r.leavesPointsOut(d) && r.Samples(few, len(d.Labelled()))
}

// enough fails where the points that may serve do not. It tells the choice that they do.
func (p *Problem) enough(m *minimum) error {
	r := &p.Recipe
	if r.Pending.Fewer == 0 || r.Pending.Fewer != r.MostPoints {
		return nil
	}
	if m.sample == nil {
		return errFewDecideOtherwise
	}
	share := p.changed(m)
	if share > mostChanged {
		return errFewDecideOtherwise
	}
	r.Tell(func(c *Choice) {
		c.Reason += fmt.Sprintf("; %d points take part beside the labelled ones, as a quarter of them decide %.2g %% of a class otherwise", r.MostPoints, 100*share)
	})
	return nil
}

// changed returns the share of the decisions for a class, in the mean of classes, that the machines of the sample make otherwise than those of all points.
// So rare classes count as common ones do.
func (p *Problem) changed(m *minimum) float64 {
	type count struct{ all, alike int }
	counts := make([]count, p.Task.Coding().Columns()+1) // by class; dataset.Unlabelled is −1
	add := func(class int, our, their bool) {
		if our {
			counts[class].all++
		}
		if their {
			counts[class].all++
		}
		if our && their {
			counts[class].alike += 2
		}
	}
	ours, theirs := make([]float64, len(m.F)), make([]float64, len(m.F))
	for i, row := range m.sample.rows {
		for c := range ours {
			ours[c], theirs[c] = m.F[c][row], m.sample.minimum.F[c][i]
			if p.Recipe.kind().each {
				add(c+1, ours[c] > 0, theirs[c] > 0)
			}
		}
		if p.Recipe.kind().each {
			continue
		}
		a, b := p.Task.Coding().Decide(ours)+1, p.Task.Coding().Decide(theirs)+1
		if add(a, true, a == b); a != b {
			add(b, false, true)
		}
	}
	share, decided := 0.0, 0
	for _, c := range counts {
		if c.all > 0 {
			share, decided = share+1-float64(c.alike)/float64(c.all), decided+1
		}
	}
	return share / float64(max(decided, 1))
}
