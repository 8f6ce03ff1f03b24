package look

import (
	"testing"

	"lapsvm/internal/points/graph"
	"lapsvm/points"
)

// Exact search has the points a second time, in float32 and by both sides.
func TestGraphBytesOfWidePoints(t *testing.T) {
	p := points.Dense(100, 1000, make([]float64, 100*1000))
	if got, all := graphBytes(p, 10, 10, graph.Search{}), 3*p.Bytes(); got < all || got > all+all/5 {
		t.Errorf("%d bytes for points of %d", got, p.Bytes())
	}
}
