//go:build !linux

package gram

import "lapsvm/points"

// reserve returns n zeros, and a function that does nothing: the memory is the
// Go runtime's.
func reserve[S points.Float](n int) (values []S, release func()) {
	return make([]S, n), func() {}
}
