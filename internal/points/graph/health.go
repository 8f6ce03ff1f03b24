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

// NewHealth examines the graph w of the points p, whose labels y are class
// indices below classes or negative where there is none. It fails when ctx is done.
func NewHealth(ctx context.Context, w *Adjacency, p *points.Points, y []int, classes int) (*Health, error) {
	equal, err := neighbours.Equal(ctx, p)
	return HealthOf(w, equal, y, classes), err
}

// HealthOf is [NewHealth] where the groups of equal points are known, each ascending.
func HealthOf(w *Adjacency, equal [][]int, y []int, classes int) *Health {
	n := w.Len()
	r := &Health{Points: n, MinDegree: math.MaxInt, Duplicates: equal}
	if n == 0 {
		r.MinDegree = 0
		return r
	}
	for i := range n {
		index, _ := w.Row(i)
		r.MinDegree, r.MaxDegree = min(r.MinDegree, len(index)), max(r.MaxDegree, len(index))
		for len(r.Degrees) <= len(index) {
			r.Degrees = append(r.Degrees, 0)
		}
		r.Degrees[len(index)]++
		if len(index) == 0 {
			r.Isolated = append(r.Isolated, i)
		}
		for _, j := range index {
			if int(j) <= i {
				r.Edges++
			}
		}
	}
	r.findComponents(w, y, classes)
	r.countDisagreeing(y)
	return r
}

func (r *Health) findComponents(w *Adjacency, y []int, classes int) {
	n := w.Len()
	component := make([]int32, n)
	for i := range component {
		component[i] = -1
	}
	var stack []int32
	for first := range n {
		if component[first] >= 0 {
			continue
		}
		id := int32(len(r.Components))
		c := Component{Labels: make([]int, classes)}
		component[first] = id
		stack = append(stack[:0], int32(first))
		for len(stack) > 0 {
			i := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			c.Size++
			if y[i] >= 0 {
				c.Labels[y[i]]++
			}
			index, _ := w.Row(int(i))
			for _, j := range index {
				if component[j] < 0 {
					component[j] = id
					stack = append(stack, j)
				}
			}
		}
		r.Components = append(r.Components, c)
		if c.Labelled() == 0 {
			r.WithoutLabel += c.Size
		}
	}
	// Number the components by size, largest first; equal sizes keep the order
	// of their first points.
	order := make([]int, len(r.Components))
	for k := range order {
		order[k] = k
	}
	slices.SortStableFunc(order, func(a, b int) int { return r.Components[b].Size - r.Components[a].Size })
	rank := make([]int32, len(order))
	sorted := make([]Component, len(order))
	for to, from := range order {
		rank[from] = int32(to)
		sorted[to] = r.Components[from]
	}
	for i, id := range component {
		component[i] = rank[id]
	}
	r.Components, r.Component = sorted, component
}

func (r *Health) countDisagreeing(y []int) {
	for _, g := range r.Duplicates {
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
		r.Disagreeing += (labelled*labelled - same) / 2
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
