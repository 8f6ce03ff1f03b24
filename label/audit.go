package label

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"lapsvm/calibrate"
	"lapsvm/dataset"
	"lapsvm/internal/machines/task"
	"lapsvm/internal/points/graph"
)

// Suspicion is a label with the probability that it is wrong.
type Suspicion struct {
	Point, Given int     // the label
	Suggested    int     // the likeliest other class
	Suspicion    float64 // probability that the label is wrong, 0 to 1; see [calibrate.Wrong]
	Ranks        float64 // of ordered classes how many ranks a wrong label is off, in the mean of the other classes; else 1
	// Probabilities of the given and of the suggested class by machines that were trained
	// without the label.
	GivenProbability, SuggestedProbability float64
	Neighbours                             []int   // up to five labelled points, the nearest along the graph
	Agree                                  float64 // share of the point's edges, by weight, that lead to points decided as the given class; NaN without decisions
	Why                                    string  // the reason in words
}

// likely returns 1 for a label that is more likely wrong than right, else 0.
func (s *Suspicion) likely() int {
	if s.Suspicion < 0.5 {
		return 0
	}
	return 1
}

// Pair is two classes that leave-one-out decisions confuse.
type Pair struct {
	A, B     int // class indices
	Confused int // labels of either class that are decided as the other one without their label
	Labels   int // labels of both classes
}

// Audit returns all labels with the probability that they are wrong, the most suspicious
// first. The machines that judge a label are trained without it, and weigh down other labels
// that look wrong. Of ordered classes the suspicion counts times the ranks that the label is off, among labels that are
// more likely wrong than right and among the others. Labels of equal suspicion are ordered by the probability of the given class,
// the least first. The only label of a class cannot be judged; it comes last, with suspicion 0.
// With fewer than two labelled classes, and for labels that are not of one class of several each, the result is empty. It
// fails when ctx is done. Cost: some hundred solutions of O(l³) for l labels.
func (l *Labelling) Audit(ctx context.Context) ([]Suspicion, error) {
	t, err := l.task(l.y)
	apart, _ := l.asked.Kind.Apart(l.classes)
	if err != nil || t == nil || !l.kind().audited() {
		return nil, err
	}
	p, err := l.judge(ctx, t, l.judging(1))
	if err != nil {
		return nil, err
	}
	size := make([]int, len(t.Classes))
	for _, c := range t.Class {
		size[c]++
	}
	index := make([]int, len(t.Classes)) // class of the task → class of all
	for c, name := range t.Classes {
		index[c] = slices.Index(l.classes, name)
	}
	wrong := wrongOf(t, p, size)
	var all []Suspicion
	for k, i := range t.Labelled {
		given, other := t.Class[k], -1
		off, sum := 0.0, math.SmallestNonzeroFloat64
		for c, v := range p[k] {
			if c == given {
				continue
			}
			if other < 0 || v > p[k][other] {
				other = c
			}
			off, sum = off+v*(apart(index[c], l.y[i])-1), sum+v
		}
		s := Suspicion{Point: i, Given: l.y[i], Suggested: index[other], Suspicion: wrong[k], Ranks: 1 + off/sum,
			GivenProbability: p[k][given], SuggestedProbability: p[k][other], Neighbours: l.labelledNear(i), Agree: l.agree(i)}
		s.Why = l.why(s, size[given] == 1, apart(s.Given, s.Suggested))
		all = append(all, s)
	}
	alone := func(s Suspicion) int { return min(size[slices.Index(t.Classes, l.classes[s.Given])], 2) }
	slices.SortStableFunc(all, func(a, b Suspicion) int {
		return cmp.Or(cmp.Compare(alone(b), alone(a)), cmp.Compare(b.likely(), a.likely()), cmp.Compare(b.Suspicion*b.Ranks, a.Suspicion*a.Ranks), cmp.Compare(a.GivenProbability, b.GivenProbability))
	})
	return all, nil
}

// wrongOf returns the probability that each label is wrong. It is 0 for the only label of a
// class, because machines without that label do not know the class.
func wrongOf(t *task.Task, p [][]float64, size []int) []float64 {
	var judged [][]float64
	var class, at []int
	for k, c := range t.Class {
		if size[c] > 1 {
			judged, class, at = append(judged, p[k]), append(class, c), append(at, k)
		}
	}
	some, _ := calibrate.Wrong(judged, class)
	wrong := make([]float64, len(p))
	for j, k := range at {
		wrong[k] = some[j]
	}
	return wrong
}

// labelledNear returns labelled points near a point along the graph.
func (l *Labelling) labelledNear(point int) []int {
	const most, looked = 5, 500
	var near []int
	seen := 0
	for i := range l.along(point) {
		if l.y[i] != dataset.Unlabelled {
			near = append(near, i)
		}
		if seen++; len(near) == most || seen == looked {
			break
		}
	}
	return near
}

// agree returns the share of the edges of a point, by weight, that lead to points decided as
// the point is labelled.
func (l *Labelling) agree(point int) float64 {
	index, weight := l.graph.Row(point)
	same, sum := 0.0, 0.0
	for k, j := range index {
		sum += weight[k]
		if l.answer.Decided[j] == l.y[point] {
			same += weight[k]
		}
	}
	if sum == 0 {
		return math.NaN()
	}
	return same / sum
}

// why says in words what speaks against a label. The class suggested is so far from the given one.
func (l *Labelling) why(s Suspicion, alone bool, ranks float64) string {
	given, suggested := l.classes[s.Given], l.classes[s.Suggested]
	if alone {
		return fmt.Sprintf("no other point is labelled %s to compare it with", given)
	}
	same := 0
	for _, i := range s.Neighbours {
		if l.y[i] == s.Given {
			same++
		}
	}
	text := fmt.Sprintf("labelled %s; without this label it is taken for %s with %.0f %%, for %s with %.0f %%",
		given, suggested, 100*s.SuggestedProbability, given, 100*s.GivenProbability)
	if ranks > 1 {
		text += fmt.Sprintf("; the two are %g ranks apart", ranks)
	}
	if len(s.Neighbours) > 0 {
		text += fmt.Sprintf("; of the nearest %d labels %d say %s", len(s.Neighbours), same, given)
	}
	if !math.IsNaN(s.Agree) {
		text += fmt.Sprintf("; %.0f %% of its neighbours are taken for %s", 100*s.Agree, given)
	}
	return text
}

// Conflicts returns the groups of equal points whose labels differ, as indices of points, the
// largest group first.
func (l *Labelling) Conflicts() [][]int {
	return graph.Conflicts(l.ground.Geometry.Points(), l.y[:l.prepared()])
}

// Alike returns the pairs of classes that the present points and labels do not tell apart. A
// pair has four labels or more, of which leave-one-out decides a third or more as the other
// class. The most confused pairs come first.
func (l *Labelling) Alike() []Pair {
	const least, third = 4, 3
	var pairs []Pair
	for a := range l.classes {
		for b := range a {
			pair := Pair{A: b, B: a}
			for _, one := range l.answer.LeftOut {
				if one.Class == a || one.Class == b {
					pair.Labels++
					if one.Decided == a+b-one.Class {
						pair.Confused++
					}
				}
			}
			if pair.Labels >= least && third*pair.Confused >= pair.Labels {
				pairs = append(pairs, pair)
			}
		}
	}
	slices.SortStableFunc(pairs, func(x, y Pair) int {
		return cmp.Compare(y.Confused*x.Labels, x.Confused*y.Labels)
	})
	return pairs
}
