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

// Suspicion is a label, and how much speaks against it.
type Suspicion struct {
	Point, Given int
	Suggested    int     // the likeliest other class
	Suspicion    float64 // the probability that the label is wrong, between 0 and 1; see [calibrate.Wrong]
	// Probabilities of the given class and of the one suggested, by machines that do not
	// see the label.
	GivenProbability, SuggestedProbability float64
	Neighbours                             []int   // up to five labelled points that are nearest along the graph
	Agree                                  float64 // share of the weight of the point's edges that leads to points decided as given; NaN without decisions
	Why                                    string  // in words
}

// Pair is two classes that machines without a label cannot tell apart.
type Pair struct {
	A, B     int
	Confused int // labels of the two that are taken for the other one
	Labels   int // of the two
}

// Audit returns all labels by how much speaks against them, the most suspicious first. The
// machines that judge a label do not see it, and are not taken in by other wrong ones: see
// auditors. Labels of equal suspicion, as all are where none seems wrong, are ordered by
// the probability of the class given. Labels of a class that has no other are not judged:
// they come last, with a suspicion of 0. With fewer than two classes there is nothing to judge by, and the result
// is empty; so it is for a machine of one class. It fails when ctx is done. Cost: some
// hundred solutions of O(l³).
func (l *Labelling) Audit(ctx context.Context) ([]Suspicion, error) {
	t, err := l.task(l.y)
	if err != nil || t == nil || l.ground.Recipe.OneClass {
		return nil, err
	}
	p, err := l.judge(ctx, t)
	if err != nil {
		return nil, err
	}
	size := make([]int, len(t.Classes))
	for _, c := range t.Class {
		size[c]++
	}
	wrong := wrongOf(t, p, size)
	var all []Suspicion
	for k, i := range t.Labelled {
		own, other := t.Class[k], -1
		for c, v := range p[k] {
			if c != own && (other < 0 || v > p[k][other]) {
				other = c
			}
		}
		s := Suspicion{Point: i, Given: l.y[i], Suggested: slices.Index(l.classes, t.Classes[other]), Suspicion: wrong[k],
			GivenProbability: p[k][own], SuggestedProbability: p[k][other], Neighbours: l.labelledNear(i), Agree: l.agree(i)}
		s.Why = l.why(s, size[own] == 1)
		all = append(all, s)
	}
	alone := func(s Suspicion) int { return min(size[slices.Index(t.Classes, l.classes[s.Given])], 2) }
	slices.SortStableFunc(all, func(a, b Suspicion) int {
		return cmp.Or(cmp.Compare(alone(b), alone(a)), cmp.Compare(b.Suspicion, a.Suspicion), cmp.Compare(a.GivenProbability, b.GivenProbability))
	})
	return all, nil
}

// wrongOf returns how likely each label is wrong, 0 for one that is alone in its class,
// which machines that do not see it cannot know.
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
	for _, i := range l.Similar(point, looked) {
		if l.y[i] != dataset.Unlabelled && len(near) < most {
			near = append(near, i)
		}
	}
	return near
}

// agree returns the share of the weight around a point that is decided as its label says.
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

// why tells what speaks against a label.
func (l *Labelling) why(s Suspicion, alone bool) string {
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
	if len(s.Neighbours) > 0 {
		text += fmt.Sprintf("; of the nearest %d labels %d say %s", len(s.Neighbours), same, given)
	}
	if !math.IsNaN(s.Agree) {
		text += fmt.Sprintf("; %.0f %% of its neighbours are taken for %s", 100*s.Agree, given)
	}
	return text
}

// Conflicts returns the groups of equal points whose labels differ, the largest first, as
// [graph.Conflicts] finds them.
func (l *Labelling) Conflicts() [][]int {
	return graph.Conflicts(l.ground.Geometry.Points(), l.y[:l.prepared()])
}

// Alike returns the pairs of classes that cannot be told apart by what there is: of the
// labels of both, at least four, those taken for the other one without their label are no
// fewer than a third. The most confused come first.
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
