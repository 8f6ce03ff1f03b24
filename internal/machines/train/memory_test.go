package train

import (
	"testing"

	"lapsvm/points"
)

// The memory of points counts bytes and float32 as they are stored, and what is laid
// out for products as float32.
func TestMemoryOfPoints(t *testing.T) {
	const n, d = 1000, 100
	sides := int64(2 * 4 * n * d)
	for p, stored := range map[*points.Points]int64{
		points.Dense(n, d, make([]float64, n*d)):    2 * 8 * n * d, // as read and scaled
		points.Dense32(n, d, make([]float32, n*d)):  4 * n * d,
		points.DenseBytes(n, d, make([]uint8, n*d)): n * d,
	} {
		if got, least := MemoryOfPoints(p), sides+stored; got < least || got > least+24*n {
			t.Errorf("%v: %d bytes, want %d and little more", p.Storage(), got, least)
		}
	}
}
