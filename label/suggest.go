package label

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"lapsvm/dataset"
)

// Rule is the criterion by which points are suggested.
type Rule string

// The rules. The empty Rule is Auto.
const (
	// Auto is VOpt below twenty labels, below two labels per class, of a regression and of several classes at once; else MCVOpt. For more than 1,000 labels
	// that are [Options.Fixed] it is Uncertainty, but of a regression VOpt: a label more changes little.
	Auto Rule = "auto"
	// VOpt takes the point whose label would lower the variance of all points most, whatever
	// the label is. Such points are representative and far from all labels. (Ji and Han, "A
	// Variance Minimization Criterion to Active Learning on Graphs", AISTATS 2012.)
	VOpt Rule = "variance"
	// MCVOpt multiplies the decrease of VOpt by the fourth power of the machines' doubt about
	// the point. So it takes points at the boundaries between classes. (After Miller and
	// Calder, "Model Change Active Learning in Graph-Based Semi-Supervised Learning", 2021.
	// They have the first power of the doubt.)
	MCVOpt Rule = "model-change"
	// Uncertainty takes the least lead of the likeliest class over the next, and of ordered classes of those above a rank over the others, or of these over them. Of a regression it takes the largest variance, and of several
	// classes at once the least distance of a decision value from its limit, in the unit of the class's slope.
	Uncertainty Rule = "uncertainty"
	Density     Rule = "density" // the largest sum of edge weights to points without a label
	Random      Rule = "random"  // drawn from the points without a label
)

// Rules returns all rules, Auto first.
func Rules() []Rule { return []Rule{Auto, VOpt, MCVOpt, Uncertainty, Density, Random} }

// Suggestion is a point to be labelled.
type Suggestion struct {
	Point  int
	Reason string  // why it is suggested, in words
	Value  float64 // value of the rule's criterion; 0 for Random
}

// Suggest returns up to n points without a label, in the order in which to label them. First it
// takes a point from each connected component of the graph without a label that has 0.5 % of
// the points or more, the largest component first, because no label says anything about such
// a component. It takes each further point as if those before it were labelled, so that
// suggestions do not repeat each other.
//
// On landmarks the rules VOpt and MCVOpt choose among 1,500 points drawn at random and the
// points that [Labelling.Grow] added. An added point has the values of its nearest drawn point.
// Suggest fails for an unknown rule and when ctx is done. Cost: little after the first call.
func (l *Labelling) Suggest(ctx context.Context, rule Rule, n int) ([]Suggestion, error) {
	if rule == "" {
		rule = Auto
	}
	if !slices.Contains(Rules(), rule) {
		return nil, fmt.Errorf("unknown rule %q: there are %v", rule, Rules())
	}
	s := &suggesting{l: l, chosen: make(map[int]bool), most: n}
	work := float64(n)
	if l.pool == nil {
		work += float64(l.Labelled())
		if l.ground.Geometry.Landmarks() != nil && l.alone == nil {
			work += inverting * float64(min(l.prepared(), poolPoints))
		}
	}
	s.work = l.begin("choosing points", work)
	l.kind().resolve(s, rule)
	if !l.trained() || s.rule == VOpt || s.rule == MCVOpt || l.answer.Values != nil { // else nothing goes by the variance
		var err error
		if s.pool, err = l.currentPool(ctx, s.work); err != nil {
			return nil, err
		}
		defer s.pool.back(s.pool.mark())
	}
	s.emptyParts(ctx)
	switch s.rule {
	case VOpt, MCVOpt:
		s.byVariance(ctx, s.pool.gain)
	case Uncertainty:
		l.kind().unsure(ctx, s)
	case Density:
		s.byDensity()
	case Random:
		s.byChance()
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	l.likely = l.likely[:0:0]
	for _, one := range s.all {
		l.likely = append(l.likely, one.Point)
	}
	return s.all, nil
}

// suggesting is one call of Suggest.
type suggesting struct {
	l      *Labelling
	rule   Rule
	why    string // why Auto took the rule; "" if the caller chose it
	most   int
	pool   *pool
	chosen map[int]bool
	all    []Suggestion
	work   *stage
}

// noDecisions is why variance takes the place of a rule about decisions.
const noDecisions = "; there are no decisions yet to be unsure of"

// open reports whether a point can be suggested.
func (s *suggesting) open(i int) bool {
	return s.l.y[i] == dataset.Unlabelled && !s.chosen[i]
}

func (s *suggesting) add(point int, value float64, reason string) {
	s.chosen[point] = true
	s.all = append(s.all, Suggestion{point, reason + s.why, value})
	s.work.add(1)
}

// emptyParts takes a point of every larger component of the graph without a label, the largest
// component first. It takes the point of the pool whose label lowers the variance most, and
// without a point in the pool the one with the most neighbours.
func (s *suggesting) emptyParts(ctx context.Context) {
	l := s.l
	empty := slices.Repeat([]bool{true}, len(l.sizes))
	for _, one := range l.answer.LeftOut {
		empty[l.component[one.Point]] = false
	}
	const share = 200
	var parts []int
	for c, size := range l.sizes {
		if empty[c] && len(l.sizes) > 1 && size >= 2 && share*size >= l.Len() {
			parts = append(parts, c)
		}
	}
	slices.SortStableFunc(parts, func(a, b int) int { return l.sizes[b] - l.sizes[a] })
	for _, c := range parts {
		if len(s.all) >= s.most || ctx.Err() != nil {
			return
		}
		best, value := -1, math.Inf(-1)
		for k, i := range s.pool.list() {
			if int(l.component[i]) == c && s.open(i) {
				if v := s.pool.gain(k); v > value {
					best, value = i, v
				}
			}
		}
		if best < 0 {
			for i, component := range l.component {
				if int(component) == c {
					if v := l.graph.Degree(i); v > value {
						best, value = i, v
					}
				}
			}
		} else {
			s.pool.take(ctx, s.pool.at[best])
		}
		s.add(best, value, fmt.Sprintf("no point of its part of the graph is labelled, which holds %s", count(l.sizes[c])))
	}
}

// firstByVariance is the least number of labels that Auto asks for by variance. The doubt of
// machines with fewer labels says little about where classes meet. With thirty the gain is lost
// (measured on other draws than those published).
const firstByVariance = 20

// doubtPower is the power of the doubt that multiplies the decrease of the variance. With 1 most
// labels go to points that stand for many but are decided already. Beyond 4 little changes
// (measured on other draws than those published).
const doubtPower = 4

// byVariance takes the points of the largest value, such as by how much their labels lower the variance. The value is that of a point of the
// pool by its number.
func (s *suggesting) byVariance(ctx context.Context, value func(k int) float64) {
	weight := func(int) float64 { return 1 }
	if s.rule == MCVOpt {
		weight = func(i int) float64 { return math.Pow(s.l.answer.doubt(i), doubtPower) }
	}
	candidates, numbers := slices.Clone(s.pool.points), indices(len(s.pool.points))
	for i := s.l.prepared(); i < s.l.Len(); i++ {
		candidates, numbers = append(candidates, i), append(numbers, s.pool.number(s.l, i))
	}
	total := 0.0
	for _, v := range s.pool.variance {
		total += math.Max(v, 0)
	}
	for len(s.all) < s.most && ctx.Err() == nil {
		best, most := -1, math.Inf(-1)
		for c, i := range candidates {
			if s.open(i) {
				if v := value(numbers[c]) * weight(i); v > most {
					best, most = c, v
				}
			}
		}
		if best < 0 { // all of them are labelled
			s.byChance()
			return
		}
		s.pool.take(ctx, numbers[best])
		left := 0.0
		for _, v := range s.pool.variance {
			left += math.Max(v, 0)
		}
		s.add(candidates[best], most, s.reason(candidates[best], 1-left/math.Max(total, math.SmallestNonzeroFloat64)))
		total = left
	}
}

// reason says in words why a point is suggested. share is the part of the remaining variance
// that its label removes.
func (s *suggesting) reason(point int, share float64) string {
	text := fmt.Sprintf("labelling this one would remove %s of the model's remaining uncertainty", about(share))
	switch {
	case s.rule == MCVOpt:
		return text + ", and " + s.l.kind().between(s.l.answer, point)
	case s.rule == Uncertainty:
		return text + ": no other point's number is less sure"
	}
	return text + ": it stands for many points that no label is near"
}

// about gives a share in per cent, with one decimal below ten, because the share is an estimate.
func about(share float64) string {
	switch percent := 100 * share; {
	case percent < 0.001:
		return "less than 0.001 %"
	case percent < 9.5:
		return fmt.Sprintf("about %.1g %%", percent)
	default:
		return fmt.Sprintf("about %.0f %%", percent)
	}
}

// byDensity takes the points with the largest sum of weights.
func (s *suggesting) byDensity() {
	l := s.l
	s.smallest(func(i int) float64 {
		if i >= l.prepared() { // it has no edges yet
			return 0
		}
		index, weight := l.graph.Row(i)
		sum := 0.0
		for k, j := range index {
			if s.open(int(j)) {
				sum -= weight[k]
			}
		}
		return sum
	}, func(i int, v float64) Suggestion {
		neighbours := 0
		if i < l.prepared() {
			index, _ := l.graph.Row(i)
			neighbours = len(index)
		}
		return Suggestion{i, fmt.Sprintf("it lies where points are dense: %d neighbours in the graph", neighbours) + s.why, -v}
	})
}

// smallest takes the open points in the order of their values, the smallest first, and leaves
// out neighbours of points already taken.
func (s *suggesting) smallest(value func(i int) float64, say func(i int, v float64) Suggestion) {
	n := s.l.Len()
	near := make([]bool, n)
	for _, one := range s.all {
		s.shade(near, one.Point)
	}
	values := make([]float64, n)
	for i := range values {
		values[i] = value(i)
	}
	for range 2 { // the second turn takes neighbours too, where too few points were found
		for len(s.all) < s.most {
			best := -1
			for i, v := range values {
				if s.open(i) && !near[i] && (best < 0 || v < values[best]) {
					best = i
				}
			}
			if best < 0 {
				break
			}
			s.chosen[best] = true
			s.all = append(s.all, say(best, values[best]))
			s.shade(near, best)
		}
		clear(near)
	}
}

// shade marks the neighbours of a point.
func (s *suggesting) shade(near []bool, point int) {
	if point >= s.l.prepared() {
		return
	}
	index, _ := s.l.graph.Row(point)
	for _, j := range index {
		near[j] = true
	}
}

// byChance draws points.
func (s *suggesting) byChance() {
	r := rand.New(rand.NewPCG(s.l.o.Seed, uint64(len(s.l.answer.LeftOut))))
	for _, i := range r.Perm(s.l.Len()) {
		if len(s.all) >= s.most {
			return
		}
		if s.open(i) {
			s.add(i, 0, "drawn at random")
		}
	}
}

// count gives a number of points in words.
func count(n int) string {
	if n == 1 {
		return "1 point"
	}
	return fmt.Sprintf("%d points", n)
}
