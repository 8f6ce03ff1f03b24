// Package detector tells tests of the race detector, which makes computing ten times
// slower and takes memory of its own.
package detector

import "testing"

// Spare skips a test under the race detector: one that computes or measures much, and
// whose goroutines do nothing that a watched test does not show too. make check runs the
// packages that have such tests once more without the detector.
func Spare(tb testing.TB) {
	tb.Helper()
	if watches {
		tb.Skip("computes much: runs without the race detector")
	}
}
