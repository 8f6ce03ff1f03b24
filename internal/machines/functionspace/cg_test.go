package functionspace

import (
	"math"
	"testing"

	"lapsvm/internal/machines/deformed"
	"lapsvm/internal/points/gram"
	"lapsvm/kernel"
)

// Conjugate gradient starts from x also where x is orthogonal to the right side.
func TestSolveStartsFromOrthogonal(t *testing.T) {
	ctx := t.Context()
	const n = 200
	p, l := problem(t, n, 1)
	k, err := gram.NewLandmarks(ctx, p, kernel.Gaussian{Sigma: 0.4}, 40, 1, gram.Double, nil)
	if err != nil {
		t.Fatal(err)
	}
	s, err := New(ctx, k, l)
	if err != nil {
		t.Fatal(err)
	}
	q, err := s.operator(ctx, deformed.Gammas{A: 1e-2, I: 0.1}, nil)
	if err != nil {
		t.Fatal(err)
	}
	q.fit(1)
	width := q.width
	solved := func(first float64) []float64 {
		x, b := make([]float64, n*width), make([]float64, n*width)
		x[3*width], b[7*width] = first, 1 // orthogonal
		if _, err := solve(ctx, q, x, b, start(ctx, q, x, b), nil, Options{Tolerance: 1e-18}.withDefaults(columnTolerance), func() {}); err != nil {
			t.Fatal(err)
		}
		return q.column(x, 0)
	}
	want := solved(0)
	for i, v := range solved(5) {
		if !(math.Abs(v-want[i]) <= 1e-6*math.Abs(want[7])) {
			t.Fatalf("point %d has %v from an orthogonal start, want %v", i, v, want[i])
		}
	}
}
