package graph

import (
	"context"
	"math"
	"slices"

	"lapsvm/internal/points/neighbours"
	"lapsvm/points"
)

// Component is a connected part of the graph.
type Component struct {
	Size   int
	Labels []int // number of labelled points of every class
}

// Labelled returns the number of labelled points in the component.
func (c Component) Labelled() int {
	sum := 0
	for _, v := range c.Labels {
		sum += v
	}
	return sum
}

// Health is that of a graph for semi-supervised learning. A component without a
// labelled point is classified by the kernel alone.
type Health struct {
	Points       int
	Edges        int // undirected, self-loops counted
	MinDegree    int // number of neighbours after joining both directions
	MaxDegree    int
	Degrees      []int       // number of points with 0, 1, … MaxDegree neighbours
	Components   []Component // largest first
	Component    []int32     // the component of every point
	Isolated     []int       // points without any edge
	Duplicates   [][]int     // groups of equal points, each ascending
	Disagreeing  int         // pairs of equal points whose labels differ
	WithoutLabel int         // points in components without a labelled point
}

// Reach is what a graph tells of each of its points. Ranks have that of their own points.
type Reach struct {
	Degree    []int32 // number of neighbours after joining both directions
	Component []int32 // connected points have the same number, that of one of them
	Loops     int     // edges from a point to itself, of all ranks
}

// NewReach goes through the graph w. Ranks that share w call it together: first each connects its
// own points, and then they tell one another the numbers of components until none falls. It fails
// when ctx is done. Cost: a pass over the edges. Of ranks it is a pass and an exchange more for every
// time that the way to a component's least number goes from rank to rank.
func NewReach(ctx context.Context, w *Adjacency) (*Reach, error) {
	n := w.Len()
	r := &Reach{Degree: make([]int32, n), Component: make([]int32, n)}
	first := 0
	if w.halo != nil {
		first, _ = w.halo.partition.Range(w.halo.c.Rank())
	}
	least := make([]float64, n) // of component k the least number of a point that is connected with it
	components := 0
	for i := range r.Component {
		r.Component[i] = -1
	}
	var stack []int32
	for start := range n {
		if r.Component[start] >= 0 {
			continue
		}
		id := int32(components)
		least[id] = float64(first + start)
		components++
		r.Component[start] = id
		stack = append(stack[:0], int32(start))
		for len(stack) > 0 {
			i := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			index, _ := w.Row(int(i))
			r.Degree[i] = int32(len(index))
			for _, j := range index {
				if j == i {
					r.Loops++
				}
				if int(j) < n && r.Component[j] < 0 {
					r.Component[j] = id
					stack = append(stack, j)
				}
			}
		}
	}
	if err := w.connectRanks(ctx, r, least[:components]); err != nil {
		return nil, err
	}
	for i, id := range r.Component {
		r.Component[i] = int32(least[id])
	}
	return r, ctx.Err()
}

// connectRanks lowers the least numbers of components, by those of the points of other ranks that
// they lead to, and sums the loops.
func (a *Adjacency) connectRanks(ctx context.Context, r *Reach, least []float64) error {
	if a.halo == nil {
		return nil
	}
	n := a.Len()
	number := make([]float64, n+a.halo.len())
	for {
		for i, id := range r.Component {
			number[i] = least[id]
		}
		if err := a.halo.fill64(ctx, number, 1); err != nil {
			return err
		}
		fell := []float64{0, float64(r.Loops)}
		for i, id := range r.Component {
			index, _ := a.Row(i)
			for _, j := range index {
				if number[j] < least[id] {
					least[id] = number[j]
					fell[0]++
				}
			}
		}
		if err := a.halo.c.Sum(ctx, fell); err != nil {
			return err
		}
		if fell[0] == 0 {
			r.Loops = int(fell[1])
			return nil
		}
	}
}

// NewHealth examines the graph w of the points p, whose labels y are class
// indices below classes or negative where there is none. It fails when ctx is done.
func NewHealth(ctx context.Context, w *Adjacency, p *points.Points, y []int, classes int) (*Health, error) {
	reach, err := NewReach(ctx, w)
	if err != nil {
		return nil, err
	}
	return reach.Health(ctx, p, y, classes)
}

// Health is [NewHealth] of the graph of all points, whose reach is known.
func (r *Reach) Health(ctx context.Context, p *points.Points, y []int, classes int) (*Health, error) {
	equal, err := neighbours.Equal(ctx, p)
	if err != nil {
		return nil, err
	}
	return r.HealthOf(equal, y, classes), nil
}

// HealthOf is [Reach.Health] where the groups of equal points are known, each ascending.
func (r *Reach) HealthOf(equal [][]int, y []int, classes int) *Health {
	n := len(r.Degree)
	h := &Health{Points: n, MinDegree: math.MaxInt, Duplicates: equal}
	if n == 0 {
		h.MinDegree = 0
		return h
	}
	ends := r.Loops // of edges
	for i, degree := range r.Degree {
		degree := int(degree)
		h.MinDegree, h.MaxDegree = min(h.MinDegree, degree), max(h.MaxDegree, degree)
		for len(h.Degrees) <= degree {
			h.Degrees = append(h.Degrees, 0)
		}
		h.Degrees[degree]++
		if degree == 0 {
			h.Isolated = append(h.Isolated, i)
		}
		ends += degree
	}
	h.Edges = ends / 2
	h.countComponents(r.Component, y, classes)
	h.countDisagreeing(y)
	return h
}

// countComponents numbers the components by size, largest first. Those of equal size keep the order
// of their first points.
func (h *Health) countComponents(of []int32, y []int, classes int) {
	met := make([]int32, len(of)) // by the number that their points have, 1 more than that of a component
	component := make([]int32, len(of))
	for i, number := range of {
		if met[number] == 0 {
			h.Components = append(h.Components, Component{Labels: make([]int, classes)})
			met[number] = int32(len(h.Components))
		}
		component[i] = met[number] - 1
		c := &h.Components[component[i]]
		c.Size++
		if y[i] >= 0 {
			c.Labels[y[i]]++
		}
	}
	order := make([]int, len(h.Components))
	for k, c := range h.Components {
		order[k] = k
		if c.Labelled() == 0 {
			h.WithoutLabel += c.Size
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return h.Components[b].Size - h.Components[a].Size })
	rank := make([]int32, len(order))
	sorted := make([]Component, len(order))
	for to, from := range order {
		rank[from] = int32(to)
		sorted[to] = h.Components[from]
	}
	for i, id := range component {
		component[i] = rank[id]
	}
	h.Components, h.Component = sorted, component
}

func (h *Health) countDisagreeing(y []int) {
	for _, g := range h.Duplicates {
		// Of m labelled points, m_c in class c, (m² − Σ m_c²)/2 pairs disagree.
		count := make(map[int]int)
		labelled, same := 0, 0
		for _, i := range g {
			if y[i] >= 0 {
				labelled++
				count[y[i]]++
			}
		}
		for _, m := range count {
			same += m * m
		}
		h.Disagreeing += (labelled*labelled - same) / 2
	}
}

// Conflicts returns the groups of equal points of p whose labels differ, the largest
// first, each ascending, without the points that have no label. Labels y are as in
// [NewHealth]. Cost: as many multiply-adds as the labelled points have numbers.
func Conflicts(p *points.Points, y []int) [][]int {
	var labelled []int
	for i, class := range y {
		if class >= 0 {
			labelled = append(labelled, i)
		}
	}
	var groups [][]int
	all, _ := neighbours.Equal(context.Background(), p.Subset(labelled)) // which does not end
	for _, equal := range all {
		var group []int
		differ := false
		for _, k := range equal {
			group = append(group, labelled[k])
			differ = differ || y[labelled[k]] != y[group[0]]
		}
		if differ {
			groups = append(groups, group)
		}
	}
	slices.SortStableFunc(groups, func(a, b []int) int { return len(b) - len(a) })
	return groups
}
