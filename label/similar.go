package label

import (
	"cmp"
	"container/heap"
	"fmt"
	"math"
	"slices"
)

// Similar returns up to n other points that are nearest to a point along the graph, nearest
// first. The distance is the length of the shortest path, in which an edge of weight w has the
// length 1 − ln(w/w_max). From a point that [Labelling.Grow] added the path begins at its nearest
// points; added points are never results. Similar panics for a point that does not exist. Any
// goroutine may call it at any time, also after [Labelling.Close], because the graph never
// changes. Cost: the edges of the points on the way.
func (l *Labelling) Similar(point, n int) []int {
	more := l.newcomers.Load()
	if all := l.graph.Len() + more.len(); point < 0 || point >= all {
		panic(fmt.Sprintf("label: there is no point %d of %d", point, all))
	}
	largest := 0.0
	for _, w := range l.graph.Weight {
		largest = max(largest, w)
	}
	distance := map[int]float64{point: 0}
	done := make(map[int]bool)
	queue := &nearest{{point, 0}}
	var found []int
	if later := point - l.graph.Len(); later >= 0 {
		found, *queue = []int{point}, nil
		index, _ := more.near.Row(later)
		for rank, j := range index { // which are in the order of a heap
			distance[int(j)] = 1 + float64(rank)/float64(len(index))
			*queue = append(*queue, reached{int(j), distance[int(j)]})
		}
	}
	for queue.Len() > 0 && len(found) <= n {
		at := heap.Pop(queue).(reached)
		if done[at.point] {
			continue
		}
		done[at.point] = true
		found = append(found, at.point)
		index, weight := l.graph.Row(at.point)
		for k, j := range index {
			to := at.distance + 1 - math.Log(weight[k]/largest)
			if d, ok := distance[int(j)]; !ok || to < d {
				distance[int(j)] = to
				heap.Push(queue, reached{int(j), to})
			}
		}
	}
	return slices.Clone(found[1:])
}

// reached is a point and its distance along the graph.
type reached struct {
	point    int
	distance float64
}

// nearest is a heap of reached points, the nearest on top.
type nearest []reached

func (h nearest) Len() int { return len(h) }
func (h nearest) Less(i, j int) bool {
	return cmp.Or(cmp.Compare(h[i].distance, h[j].distance), cmp.Compare(h[i].point, h[j].point)) < 0
}
func (h nearest) Swap(i, j int) { h[i], h[j] = h[j], h[i] }
func (h *nearest) Push(x any)   { *h = append(*h, x.(reached)) }
func (h *nearest) Pop() any {
	last := (*h)[len(*h)-1]
	*h = (*h)[:len(*h)-1]
	return last
}
