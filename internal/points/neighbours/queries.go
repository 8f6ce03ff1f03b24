package neighbours

import (
	"sync"

	"lapsvm/points"
)

// queries are points whose neighbours are sought in local cells, by place, with their lists: the
// points of this rank, or visitors from another.
type queries struct {
	points  *points.Points
	table   *table[float32] // the points, where tiles are of these and not of sketches
	rows    []int32         // of every place
	ids     []ID            // of every place; nil where they count up
	first   ID              // of the first place, from which they do
	width   int
	sketch  []float32 // of every place, width values; not of visitors compared by rows
	squares []float32 // of every place, as estimates by sketches need them
	limits  []float32 // what estimates may be, where distances are direct
	lists   *lists[Place, ID]
	locks   []sync.Mutex // of the lists
}

// count returns the number of places.
func (q *queries) count() int { return len(q.rows) }

// rowOf returns the row of a place.
func (q *queries) rowOf(place Place) int32 { return q.rows[place] }

// idOf returns the ID of a place.
func (q *queries) idOf(place Place) ID {
	if q.ids == nil {
		return q.first + ID(place)
	}
	return q.ids[place]
}

// sketchOf returns the sketch of a place.
func (q *queries) sketchOf(place Place) []float32 { return q.sketch[int(place)*q.width:][:q.width] }

// eachLocked calls do for 0 ≤ k < count, under the locks that lock names.
func (q *queries) eachLocked(count int, lock func(k int) int32, do func(k int)) {
	locked := int32(-1)
	for k := range count {
		if next := lock(k); next != locked {
			if locked >= 0 {
				q.locks[locked].Unlock()
			}
			q.locks[next].Lock()
			locked = next
		}
		do(k)
	}
	if locked >= 0 {
		q.locks[locked].Unlock()
	}
}
