package train

import (
	"reflect"
	"slices"

	"lapsvm/internal/machines/deformed"
	"lapsvm/internal/machines/geometry"
	"lapsvm/internal/numbers/objective"
	"lapsvm/internal/points/gram"
	"lapsvm/kernel"
	"lapsvm/points"
)

// Work is what a choice leaves for the training. The choice has measured the machines on all points and labels, and the training would
// do the same again; so would the choices of other views of the same rows. The training takes out what it uses, and has the same bits without. The zero value has nothing.
type Work struct{ all []Measured }

// Measured is machines of a choice on all of its points.
type Measured struct {
	Geometry *geometry.Geometry
	Factor   *deformed.Factor // of the kernel, which the geometry has
	Labelled []int
	Bias     objective.Bias
	Problems map[Member]*deformed.Problem // of machines with graphs, by members without a weight
}

// KeepsProblems reports whether a training of n points keeps its reduced problems of so many labels, as they are small beside the
// factor. It may then take the problems of a choice.
func KeepsProblems(n, labelled int) bool { return keptPart*labelled <= n }

const keptPart = 4

// Keep adds machines of a choice.
func (w *Work) Keep(m Measured) { w.all = append(w.all, m) }

// Inherit has a factor take over the memory that others have to spare.
func (w *Work) Inherit(f *deformed.Factor) {
	for _, m := range w.all {
		f.Inherit(m.Factor)
	}
}

// Searched returns a geometry with neighbours that an earlier choice has found, see [geometry.Geometry.Searched]; nil for none.
func (w *Work) Searched(p *points.Points, o geometry.Options) *geometry.Geometry {
	if w == nil {
		return nil
	}
	for _, m := range w.all {
		if g := m.Geometry.Searched(p, o); g != nil {
			return g
		}
	}
	return nil
}

// Factored returns a geometry like g with the factor of a kernel that an earlier choice has made of the same points; nil for none.
func (w *Work) Factored(g *geometry.Geometry, k kernel.Kernel) *geometry.Geometry {
	for _, m := range w.all {
		if reflect.DeepEqual(m.Geometry.Kernel(), k) && m.Geometry.Points().Equal(g.Points()) {
			return g.WithFactorOf(m.Geometry)
		}
	}
	return nil
}

// take takes out what is of a plan for some points; nil for nothing.
func (w *Work) take(plan Plan, s *Data) *Measured {
	if w == nil || s.data.Edges.Given() || TermsOf(s.data, s.Rows) != nil || !s.data.Ranks().Alone() {
		return nil
	}
	r := plan.Recipe
	if r.Solver != Deformed || r.Supervised || r.kind().residuals || plan.Gram.Form != gram.FormHalf { // whose rows are those of the choice to the bit
		return nil
	}
	at := slices.IndexFunc(w.all, func(m Measured) bool {
		for _, member := range r.Machines() {
			member.Weight = 0
			if _, known := m.Problems[member]; !known && member.GammaI > 0 {
				return false
			}
		}
		return m.Bias == r.Bias && slices.Equal(m.Labelled, s.Task.Labelled) && reflect.DeepEqual(m.Geometry.Kernel(), r.Kernel) && m.Geometry.Serves(s.Points, plan.options())
	})
	if at < 0 {
		return nil
	}
	taken := w.all[at]
	w.all = slices.Delete(w.all, at, at+1)
	return &taken
}

// Len returns how many choices left something that no training took.
func (w *Work) Len() int { return len(w.all) }
