package neighbours

import "math"

// lists hold, for every K, the nearest T of those that were offered to it, by squared distance and
// then by T: the same, in whatever order they come. T is compared without its sign.
type lists[K ~int | ~int32, T ~int32] struct {
	length   int
	entry    []T       // length for every K, nearest first; none where there is none yet
	distance []float64 // their squared distances, infinite where there is none yet
}

// none is an entry that holds nothing, the last of all without its sign.
const none = -1

func newLists[K ~int | ~int32, T ~int32](n, length int) *lists[K, T] {
	l := &lists[K, T]{length, make([]T, n*length), make([]float64, n*length)}
	l.clear()
	return l
}

// clear empties all lists.
func (l *lists[K, T]) clear() {
	fill(l.entry, none)
	fill(l.distance, math.Inf(1))
}

// reset empties the only list, and makes it so long.
func (l *lists[K, T]) reset(length int) {
	l.length = length
	l.entry, l.distance = grown(l.entry, length), grown(l.distance, length)
	l.clear()
}

// lengthen empties the lists, of n with a length.
func (l *lists[K, T]) lengthen(n, length int) {
	l.length = length
	l.entry, l.distance = grown(l.entry, n*length), grown(l.distance, n*length)
	l.clear()
}

// empty empties the list of k.
func (l *lists[K, T]) empty(k K) {
	from, to := l.span(k)
	fill(l.entry[from:to], none)
	fill(l.distance[from:to], math.Inf(1))
}

// span returns where the list of k begins and ends.
func (l *lists[K, T]) span(k K) (from, to int) { return int(k) * l.length, (int(k) + 1) * l.length }

// entries returns the list of k, with none at its end where it is not full.
func (l *lists[K, T]) entries(k K) []T {
	from, to := l.span(k)
	return l.entry[from:to]
}

// append appends what the list of k holds, nearest first.
func (l *lists[K, T]) append(to []T, k K) []T {
	for _, e := range l.entries(k) {
		if e != none {
			to = append(to, e)
		}
	}
	return to
}

// some returns a copy of the lists of some, by their index in keys.
func (l *lists[K, T]) some(keys []K) *lists[K, T] {
	s := &lists[K, T]{length: l.length}
	for _, k := range keys {
		from, to := l.span(k)
		s.entry, s.distance = append(s.entry, l.entry[from:to]...), append(s.distance, l.distance[from:to]...)
	}
	return s
}

// limit returns the largest distance in the list of k, infinite while it is not full.
func (l *lists[K, T]) limit(k K) float64 { return l.distance[(int(k)+1)*l.length-1] }

// has reports whether t is in the list of k.
func (l *lists[K, T]) has(k K, t T) bool {
	for _, e := range l.entries(k) {
		if e == t {
			return true
		}
	}
	return false
}

// offer takes t into the list of k if it is near enough and not there, and returns the limit then.
func (l *lists[K, T]) offer(k K, t T, distance float64) float64 {
	if limit := l.limit(k); !(distance <= limit) || l.has(k, t) {
		return limit
	}
	return l.offerNew(k, t, distance)
}

// offerNew is offer of what is not in the list.
func (l *lists[K, T]) offerNew(k K, t T, distance float64) float64 {
	from, to := l.span(k)
	entry, dist := l.entry[from:to], l.distance[from:to]
	last := len(entry) - 1
	if !(distance <= dist[last]) || distance == dist[last] && uint32(entry[last]) <= uint32(t) {
		return dist[last]
	}
	at := last // lists are short: a copy of what is behind takes no less
	for ; at > 0 && (dist[at-1] > distance || dist[at-1] == distance && uint32(entry[at-1]) > uint32(t)); at-- {
		entry[at], dist[at] = entry[at-1], dist[at-1]
	}
	entry[at], dist[at] = t, distance
	return dist[last]
}
