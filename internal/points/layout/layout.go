// Package layout draws maps of points by their graph: for the label page, and for reports.
package layout

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"lapsvm/internal/points/graph"
)

// Constants of [Of].
const (
	edgesPull      = 8  // of a point, to its nearest neighbours
	epochs         = 60 // times that all edges pull
	repulsion      = 3  // points that push for every edge
	spectralPoints = 50 // of a component, from which on it is laid out by its eigenvectors
)

// Of returns a map of the points of a graph: x_0, y_0, x_1, y_1, … from 0 to 1. Neighbours in the graph
// lie close to each other. A connected component begins at the two smoothest eigenvectors of
// its Laplacian. Then edges pull their points together and points drawn at random push each
// other apart, so that clusters separate. (The forces are those of McInnes, Healy and
// Melville, "UMAP", 2018, with a = b = 1.) Components lie side by side in squares, the largest
// first, with areas by their numbers of points. The edges that pull are those to the nearest neighbours. Where
// these are nil they are the heaviest ones of the graph.
//
// The same graph and seed give the same places. Of fails when ctx is done. Cost: 300
// products of 16 columns with the Laplacian, and 2,000 steps a point on one core.
func Of(ctx context.Context, w *graph.Adjacency, neighbours *graph.Neighbours, seed uint64) ([]float32, error) {
	reach, err := graph.NewReach(ctx, w)
	if err != nil {
		return nil, err
	}
	byPoint := make([][]int32, w.Len()) // components by their least points
	for i, c := range reach.Component {
		byPoint[c] = append(byPoint[c], int32(i))
	}
	members := slices.DeleteFunc(byPoint, func(m []int32) bool { return len(m) == 0 })
	slices.SortStableFunc(members, func(a, b []int32) int { return len(b) - len(a) })
	l := &laying{graph: w, component: reach.Component, near: nearest(w, neighbours), number: make([]int32, w.Len()), seed: seed}
	var parts []part
	for k := 0; k < len(members); {
		some := members[k]
		k++
		if len(some) < spectralPoints { // all small components together are one part
			some = slices.Clone(some)
			for ; k < len(members); k++ {
				some = append(some, members[k]...)
			}
		}
		for at, i := range some {
			l.number[i] = int32(at)
		}
		xy, err := l.part(ctx, some, len(some) >= spectralPoints && len(members[k-1]) == len(some))
		if err != nil {
			return nil, err
		}
		parts = append(parts, part{some, xy})
	}
	places := make([]float32, 2*w.Len())
	arrange(places, parts)
	return places, ctx.Err()
}

// laying is a map that is being made.
type laying struct {
	graph     *graph.Adjacency
	component []int32
	near      func(i int32) []int32 // points that pull point i
	number    []int32               // of a point within its part
	seed      uint64
}

// nearest returns the points that pull each point.
func nearest(w *graph.Adjacency, neighbours *graph.Neighbours) func(i int32) []int32 {
	if neighbours != nil {
		return func(i int32) []int32 {
			near, _ := neighbours.Row(int(i))
			return near[:min(len(near), edgesPull)]
		}
	}
	return func(i int32) []int32 {
		index, weight := w.Row(int(i))
		if len(index) <= edgesPull {
			return index
		}
		order := make([]int, len(index))
		for k := range order {
			order[k] = k
		}
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(weight[b], weight[a]) })
		near := make([]int32, edgesPull)
		for k := range near {
			near[k] = index[order[k]]
		}
		return near
	}
}

// part is points with their places, from 0 to 1.
type part struct {
	points []int32
	xy     []float64
}

// part lays out a component, or several small ones together.
func (l *laying) part(ctx context.Context, points []int32, connected bool) ([]float64, error) {
	n := len(points)
	r := rand.New(rand.NewPCG(l.seed, 2))
	xy := make([]float64, 2*n)
	if connected {
		smooth := smoothest(ctx, l.subgraph(points), 2, l.seed)
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		const spread, farthest = 5, 3
		for i := range n {
			for k, v := range smooth {
				xy[2*i+k] = spread*math.Max(-farthest, math.Min(v[i], farthest)) + 0.01*r.NormFloat64()
			}
		}
	} else {
		side := math.Sqrt(float64(n))
		for i := range n {
			xy[2*i], xy[2*i+1] = math.Mod(float64(i), math.Ceil(side)), math.Floor(float64(i)/math.Ceil(side))
		}
	}
	if connected {
		if err := l.pull(ctx, xy, points, r); err != nil {
			return nil, err
		}
	}
	for k := range 2 {
		low, high := math.Inf(1), math.Inf(-1)
		for i := range n {
			low, high = min(low, xy[2*i+k]), max(high, xy[2*i+k])
		}
		for i := range n {
			xy[2*i+k] = (xy[2*i+k] - low + 1e-9) / (high - low + 2e-9)
		}
	}
	return xy, nil
}

// subgraph returns the graph of some points, by their numbers.
func (l *laying) subgraph(points []int32) *graph.Adjacency {
	if len(points) == l.graph.Len() {
		return l.graph
	}
	w := &graph.Adjacency{Start: []int{0}}
	for _, i := range points {
		index, weight := l.graph.Row(int(i))
		for k, j := range index {
			w.Index, w.Weight = append(w.Index, l.number[j]), append(w.Weight, weight[k])
		}
		w.Start = append(w.Start, len(w.Index))
	}
	return w
}

// pull moves points: the ends of an edge towards each other, and random pairs apart.
func (l *laying) pull(ctx context.Context, xy []float64, points []int32, r *rand.Rand) error {
	n := len(points)
	move := func(i, j int, by, dx, dy float64) {
		const largest = 4
		dx, dy = math.Max(-largest, math.Min(by*dx, largest)), math.Max(-largest, math.Min(by*dy, largest))
		xy[2*i] += dx
		xy[2*i+1] += dy
		if j >= 0 {
			xy[2*j] -= dx
			xy[2*j+1] -= dy
		}
	}
	for epoch := range epochs {
		if err := ctx.Err(); err != nil {
			return err
		}
		rate := 1 - float64(epoch)/epochs
		for i, point := range points {
			for _, other := range l.near(point) {
				if l.component[other] != l.component[point] {
					continue // points of two components, as the graph has fewer neighbours
				}
				j := int(l.number[other])
				dx, dy := xy[2*i]-xy[2*j], xy[2*i+1]-xy[2*j+1]
				move(i, j, -2*rate/(1+dx*dx+dy*dy)/2, dx, dy)
				for range repulsion {
					j := r.IntN(n)
					dx, dy := xy[2*i]-xy[2*j], xy[2*i+1]-xy[2*j+1]
					square := dx*dx + dy*dy
					if j != i && square > 0 {
						move(i, -1, 2*rate/((0.01+square)*(1+square)), dx, dy)
					}
				}
			}
		}
	}
	return nil
}

// arrange packs the parts into the unit square: each gets a square of its own, in rows from the
// largest part to the smallest. Of rows as wide as the first parts together it takes those that leave the least room.
func arrange(places []float32, parts []part) {
	area := 0.0
	for _, p := range parts {
		area += float64(len(p.points))
	}
	sides := make([]float64, len(parts))
	for k, p := range parts {
		sides[k] = math.Sqrt(float64(len(p.points)) / area)
	}
	const most = 12 // parts in the first row
	whole, width := math.Inf(1), 0.0
	var corners [][2]float64
	for k, side := range sides[:min(most, len(sides))] {
		if width += side; k > 0 {
			width += gap
		}
		if at, needed := inRows(sides, width); needed < whole {
			whole, corners = needed, at
		}
	}
	for k, p := range parts {
		for at, i := range p.points {
			places[2*i] = float32((corners[k][0] + sides[k]*p.xy[2*at]) / whole)
			places[2*i+1] = float32((corners[k][1] + sides[k]*p.xy[2*at+1]) / whole)
		}
	}
}

// gap is the room between parts.
const gap = 0.02

// inRows puts squares into rows of a width. It returns their corners, and the side of the square that all of them need.
func inRows(sides []float64, width float64) (corners [][2]float64, whole float64) {
	x, y, shelf := 0.0, 0.0, 0.0
	for _, side := range sides {
		if x > 0 && x+side > width+1e-9 {
			x, y, shelf = 0, y+shelf+gap, 0
		}
		corners = append(corners, [2]float64{x, y})
		whole, shelf = max(whole, x+side, y+side), max(shelf, side)
		x += side + gap
	}
	return corners, whole
}
