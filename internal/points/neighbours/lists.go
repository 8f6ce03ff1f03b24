package neighbours

import "math"

// lists hold, for every point, the nearest of those that were offered to it, by
// squared distance and then by number: the same, in whatever order they come.
type lists struct {
	length   int
	entry    []uint32  // length per point, nearest first; none where there is none yet
	distance []float64 // their squared distances, infinite where there is none yet
}

// none is an entry that holds no point.
const none = math.MaxUint32

func newLists(n, length int) *lists {
	l := &lists{length, make([]uint32, n*length), make([]float64, n*length)}
	l.clear()
	return l
}

// clear empties all lists.
func (l *lists) clear() {
	fill(l.entry, none)
	fill(l.distance, math.Inf(1))
}

// reset empties the list of one point, and makes it so long.
func (l *lists) reset(length int) {
	l.length = length
	l.entry, l.distance = grown(l.entry, length), grown(l.distance, length)
	l.clear()
}

// of returns the entries of point i.
func (l *lists) of(i int) []uint32 { return l.entry[i*l.length : (i+1)*l.length] }

// points appends the points in the list of point i, nearest first.
func (l *lists) points(to []int32, i int) []int32 {
	for _, e := range l.of(i) {
		if e != none {
			to = append(to, int32(e))
		}
	}
	return to
}

// limit returns the largest distance in the list of point i, infinite while it is not
// full.
func (l *lists) limit(i int) float64 { return l.distance[(i+1)*l.length-1] }

// has reports whether point j is in the list of point i.
func (l *lists) has(i int, j int32) bool {
	for _, e := range l.of(i) {
		if e == uint32(j) {
			return true
		}
	}
	return false
}

// offer takes point j into the list of point i if it is near enough and not there, and
// returns the limit then.
func (l *lists) offer(i int, j int32, distance float64) float64 {
	entry, dist := l.entry[i*l.length:(i+1)*l.length], l.distance[i*l.length:(i+1)*l.length]
	last := len(entry) - 1
	if !(distance <= dist[last]) || distance == dist[last] && entry[last] <= uint32(j) || l.has(i, j) {
		return dist[last]
	}
	at := last
	for at > 0 && (dist[at-1] > distance || dist[at-1] == distance && entry[at-1] > uint32(j)) {
		entry[at], dist[at] = entry[at-1], dist[at-1]
		at--
	}
	entry[at], dist[at] = uint32(j), distance
	return dist[last]
}
