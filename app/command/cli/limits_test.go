package cli

import (
	"testing"
)

// Four fifths of much memory may be used, and half of little.
func TestSpare(t *testing.T) {
	const mb = 1 << 20
	for free, want := range map[int64]int64{0: 0, 1: 1, 100 * mb: 50 * mb, 400 * mb: 200 * mb, 600 * mb: 400 * mb, 1000 * mb: 800 * mb, 5000 * mb: 4000 * mb} {
		if got := spare(free); got != want {
			t.Errorf("of %d bytes %d may be used, want %d", free, got, want)
		}
	}
}
