package neighbours

import "context"

// adjacency is, for every point, those it is linked to and those that are linked to it.
type adjacency struct {
	start []int
	point []int32
}

// adjacent returns the points adjacent to point i.
func (a *adjacency) adjacent(i int) []int32 { return a.point[a.start[i]:a.start[i+1]] }

// join makes the adjacency of every point: its width links, nearest first, and up to as many points
// that link to it. Of these it takes the points with the link nearest to the front. It fails when
// ctx is done.
func join(ctx context.Context, links []int32, width int) (*adjacency, error) {
	n := len(links) / width
	count := make([]int32, n)
	// each goes through the links, the first of all points before the second.
	each := func(do func(i int, to int32)) error {
		for c := range width {
			for i := range n {
				if i%perStep == 0 && ctx.Err() != nil {
					return ctx.Err()
				}
				do(i, links[i*width+c])
			}
		}
		return nil
	}
	err := each(func(_ int, to int32) { count[to] = min(count[to]+1, int32(width)) })
	if err != nil {
		return nil, err
	}
	a := &adjacency{start: make([]int, n+1)}
	for i := range n {
		a.start[i+1] = a.start[i] + width + int(count[i])
	}
	a.point = make([]int32, a.start[n])
	next := make([]int, n)
	for i := range n {
		next[i] = a.start[i] + copy(a.adjacent(i), links[i*width:(i+1)*width])
	}
	return a, each(func(i int, to int32) {
		if next[to] < a.start[to+1] {
			a.point[next[to]] = int32(i)
			next[to]++
		}
	})
}
