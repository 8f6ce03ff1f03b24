package neighbours

import (
	"math"

	"lapsvm/internal/tiles"
)

// lists hold, for every point, the nearest of those that were offered to it, by
// squared distance and then by number: the same, in whatever order they come.
type lists[T tiles.Float] struct {
	length   int
	entry    []uint32 // length per point, nearest first: twice the number of a point, and 1 if it is new
	distance []T      // their squared distances, infinite where there is none yet
}

// none is an entry that holds no point.
const none = math.MaxUint32

func newLists[T tiles.Float](n, length int) *lists[T] {
	l := &lists[T]{length, make([]uint32, n*length), make([]T, n*length)}
	for k := range l.entry {
		l.entry[k], l.distance[k] = none, T(math.Inf(1))
	}
	return l
}

// of returns the entries of point i.
func (l *lists[T]) of(i int) []uint32 { return l.entry[i*l.length : (i+1)*l.length] }

// places appends the points in the list of point i, nearest first.
func (l *lists[T]) places(to []int32, i int) []int32 {
	for _, e := range l.of(i) {
		if e != none {
			to = append(to, int32(e>>1))
		}
	}
	return to
}

// limit returns the largest distance in the list of point i, infinite while it is not
// full.
func (l *lists[T]) limit(i int) T { return l.distance[(i+1)*l.length-1] }

// offer takes point j into the list of point i if it is near enough and not there, and
// returns the limit then.
func (l *lists[T]) offer(i int, j int32, distance T) T {
	entry, dist := l.entry[i*l.length:(i+1)*l.length], l.distance[i*l.length:(i+1)*l.length]
	last := len(entry) - 1
	if !(distance <= dist[last]) || distance == dist[last] && entry[last]>>1 <= uint32(j) {
		return dist[last]
	}
	for _, e := range entry {
		if e>>1 == uint32(j) {
			return dist[last]
		}
	}
	at := last
	for at > 0 && (dist[at-1] > distance || dist[at-1] == distance && entry[at-1]>>1 > uint32(j)) {
		entry[at], dist[at] = entry[at-1], dist[at-1]
		at--
	}
	entry[at], dist[at] = uint32(j)<<1|1, distance
	return dist[last]
}
