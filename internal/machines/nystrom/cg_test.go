package nystrom

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
		if _, err := solve(ctx, q, x, b, start(ctx, q, x, b), nil, Options{Tolerance: 1e-18}.withDefaults(columnTolerance), func(_, _ int) {}); err != nil {
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

// Rough columns go along the directions of all: they take fewer iterations than each along its own, also where two columns are
// equal, and the squared errors in the norm of A are as small as asked.
func TestDirectionsOfAll(t *testing.T) {
	ctx := t.Context()
	const n = 600
	p, l := problem(t, n, 2)
	k, err := gram.NewLandmarks(ctx, p, kernel.Gaussian{Sigma: 0.6}, 30, 1, gram.Double, nil)
	if err != nil {
		t.Fatal(err)
	}
	s, err := New(ctx, k, l)
	if err != nil {
		t.Fatal(err)
	}
	q, err := s.operator(ctx, deformed.Gammas{A: 1e-4, I: 0.1}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, count := range []int{7, 12} {
		q.fit(count)
		width := q.width
		right := make([]float64, n*width)
		for c := range count {
			for i := min(c, count-2); i < n; i += 50 { // the last two are equal
				right[i*width+c] = math.Cos(float64(i * (1 + min(c, count-2))))
			}
		}
		solved := func(tolerance float64) ([]float64, int) {
			x, b := make([]float64, n*width), append([]float64(nil), right...)
			a, err := solve(ctx, q, x, b, start(ctx, q, x, b), nil, Options{Tolerance: tolerance}.withDefaults(columnTolerance), func(_, _ int) {})
			if err != nil || !a.converged {
				t.Fatal(a, err)
			}
			return x, a.iterations
		}
		exact, _ := solved(1e-16)
		x, together := solved(columnTolerance)
		_, each := solved(columnTolerance * 0.999)
		if together >= each {
			t.Errorf("%d columns: %d iterations together, %d each", count, together, each)
		}
		for i, v := range exact {
			x[i] -= v
		}
		moved := make([]float64, n*width)
		q.mul(ctx, moved, x)
		errors, whole := q.dots(ctx, x, moved), q.dots(ctx, exact, right)
		for c := range count {
			if !(errors[c] <= columnTolerance*whole[c]) {
				t.Errorf("%d columns: column %d is off by %g of %g", count, c, errors[c], whole[c])
			}
		}
	}
}
