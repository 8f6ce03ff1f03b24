package label

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"lapsvm/internal/machines/task"
)

// ordered is labels of classes in an order.
type ordered struct {
	classes
	of task.Kind
}

// unsure takes the points where some rank divides the probability best in two.
func (o ordered) unsure(_ context.Context, s *suggesting) {
	a, by := s.l.answer, o.byRank(s.l.answer)
	s.smallest(func(i int) float64 {
		lead, _, _ := a.divided(by, i)
		return lead
	}, func(i int, v float64) Suggestion { return Suggestion{i, o.between(a, i) + s.why, v} })
}

func (o ordered) between(a *Answer, i int) string {
	by := o.byRank(a)
	lead, above, p := a.divided(by, i)
	if lead >= 0.3 {
		return o.classes.between(a, i)
	}
	low, high := a.Classes[by[above-1]], a.Classes[by[above]]
	if above > 1 {
		low += " or lower"
	}
	if above < len(by)-1 {
		high += " or higher"
	}
	return fmt.Sprintf("the decision between %s (%.0f %%) and %s (%.0f %%) is close", low, 100*(1-p), high, 100*p)
}

// byRank returns the classes with probabilities from the lowest to the highest.
func (o ordered) byRank(a *Answer) []int {
	var by []int
	for c, p := range a.Probabilities {
		if p != nil {
			by = append(by, c)
		}
	}
	rank := o.of.Ranks(a.Classes)
	slices.SortFunc(by, func(x, y int) int { return cmp.Compare(rank[x], rank[y]) })
	return by
}

// divided returns the least difference of what the probabilities of a point sum to below a rank and from it on. The classes by rank are by, the
// rank is an index of these, and p is the probability from it on.
func (a *Answer) divided(by []int, i int) (lead float64, rank int, p float64) {
	lead = math.Inf(1)
	above := 0.0
	for k := len(by) - 1; k > 0; k-- {
		above += float64(a.Probabilities[by[k]][i])
		if v := math.Abs(2*above - 1); v < lead {
			lead, rank, p = v, k, above
		}
	}
	return lead, rank, p
}
