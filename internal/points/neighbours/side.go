package neighbours

import (
	"sync"

	"lapsvm/internal/points/tiles"
	"lapsvm/points"
)

// side is points that look into local cells, by place, with their lists: the points of this rank,
// or visitors from another. Lists have points by their names, which are the places of all ranks,
// rank after rank.
type side struct {
	points  *points.Points
	bytes   *tiles.Bytes // the points, where tiles are of these and not of sketches
	row     []int32      // of a place
	first   int32        // the name of the first place, where
	names   []int32      // of all places is nil
	width   int
	sketch  []float32 // of every place, width values; not of visitors that are bytes
	squares []float32 // of every place, as estimates need them
	limits  []float32 // what estimates may be, where distances are direct
	lists   *lists
	locks   []sync.Mutex // of the lists
}

// nameOf returns the name of a place.
func (s *side) nameOf(place int32) int32 {
	if s.names == nil {
		return s.first + place
	}
	return s.names[place]
}

// sketchOf returns the sketch of a place.
func (s *side) sketchOf(place int) []float32 { return s.sketch[place*s.width:][:s.width] }

// eachLocked calls do for 0 ≤ k < count, under the locks that of names.
func (s *side) eachLocked(count int, of func(k int) int32, do func(k int)) {
	held := int32(-1)
	for k := range count {
		if lock := of(k); lock != held {
			if held >= 0 {
				s.locks[held].Unlock()
			}
			s.locks[lock].Lock()
			held = lock
		}
		do(k)
	}
	if held >= 0 {
		s.locks[held].Unlock()
	}
}
