// Package detector tells tests of the race detector, which makes computing ten times
// slower and takes memory of its own.
package detector

import "testing"

// Spare skips a test under the race detector. It is for tests that compute much, where a
// watched test has goroutines of the same kind. make check runs them without the detector.
func Spare(tb testing.TB) {
	tb.Helper()
	if watches {
		tb.Skip("computes much: runs without the race detector")
	}
}
