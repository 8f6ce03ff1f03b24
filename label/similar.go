package label

import (
	"cmp"
	"container/heap"
	"fmt"
	"iter"
	"math"
)

// Similar returns up to n other points that are nearest to a point along the graph, nearest
// first. The distance is the length of the shortest path, in which an edge of weight w has the
// length 1 − ln(w/w_max). From a point that [Labelling.Grow] added the path begins at its nearest
// points; added points are never results. Similar panics for a point that does not exist. Any
// goroutine may call it at any time, also after [Labelling.Close], because the graph never
// changes. Cost: the edges of the points on the way.
func (l *Labelling) Similar(point, n int) []int {
	var found []int
	for i := range l.along(point) {
		if len(found) == n {
			break
		}
		found = append(found, i)
	}
	return found
}

// along yields the points of [Labelling.Similar], all that paths lead to.
func (l *Labelling) along(point int) iter.Seq[int] {
	more := l.newcomers.Load()
	if all := l.graph.Len() + more.len(); point < 0 || point >= all {
		panic(fmt.Sprintf("label: there is no point %d of %d", point, all))
	}
	return func(yield func(int) bool) {
		distance := map[int]float64{point: 0}
		done := make(map[int]bool)
		queue := &nearest{{point, 0}}
		if later := point - l.graph.Len(); later >= 0 {
			*queue = nil
			index, _ := more.near.Row(later)
			for rank, j := range index { // which are in the order of a heap
				distance[int(j)] = 1 + float64(rank)/float64(len(index))
				*queue = append(*queue, reached{int(j), distance[int(j)]})
			}
		}
		for queue.Len() > 0 {
			at := heap.Pop(queue).(reached)
			if done[at.point] {
				continue
			}
			done[at.point] = true
			if at.point != point && !yield(at.point) {
				return
			}
			index, weight := l.graph.Row(at.point)
			for k, j := range index {
				to := at.distance + 1 - math.Log(weight[k]/l.heaviest)
				if d, ok := distance[int(j)]; !ok || to < d {
					distance[int(j)] = to
					heap.Push(queue, reached{int(j), to})
				}
			}
		}
	}
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
