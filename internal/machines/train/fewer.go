package train

import (
	"errors"
	"fmt"

	"lapsvm/dataset"
)

// mostChanged is the largest share of decisions that a quarter of the points may make otherwise than all of them do, where these serve in place of more.
const mostChanged = 0.02

// errFewDecideOtherwise ends a training on few points that decide otherwise than a quarter of them.
var errFewDecideOtherwise = errors.New("decisions change with the number of points")

// onFewer returns the recipe with as many points as may serve, where it names a number that is less than half of those that take part. Labels have
// to be held out of a sample of them, as its decisions tell whether they do serve.
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
	changed := 0
	for i, row := range m.sample.rows {
		if p.differ(m.F, row, m.sample.minimum.F, i) {
			changed++
		}
	}
	share := float64(changed) / float64(len(m.sample.rows))
	if share > mostChanged {
		return errFewDecideOtherwise
	}
	r.Tell(func(c *Choice) {
		c.Reason += fmt.Sprintf("; %d points take part beside the labelled ones, as a quarter of them decide %.2g %% otherwise", r.MostPoints, 100*share)
	})
	return nil
}
