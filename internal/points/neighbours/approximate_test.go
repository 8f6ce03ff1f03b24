package neighbours_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"testing"

	"lapsvm/internal/numbers/parallel"
	"lapsvm/internal/points/neighbours"
	"lapsvm/internal/points/tiles"
	"lapsvm/internal/testing/detector"
	"lapsvm/points"
)

// clusters draws n points of d values around a few centres.
func clusters(n, d int, seed uint64) *points.Points {
	rng := rand.New(rand.NewPCG(seed, 1))
	centres := make([]float64, 8*d)
	for k := range centres {
		centres[k] = 3 * rng.NormFloat64()
	}
	values := make([]float64, n*d)
	for i := range n {
		c := rng.IntN(8)
		for j := range d { // of falling variance, as real data are
			values[i*d+j] = centres[c*d+j] + rng.NormFloat64()/math.Sqrt(1+float64(j)/4)
		}
	}
	return points.Dense(n, d, values)
}

func centre(t *testing.T, p *points.Points) []float64 {
	t.Helper()
	c, err := neighbours.Centre(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// sparseOf drops most values of p.
func sparseOf(p *points.Points) *points.Points {
	start, index, value := []int{0}, []int32(nil), []float64(nil)
	rng := rand.New(rand.NewPCG(1, 3))
	row := make([]float64, p.Dim())
	for i := range p.Len() {
		p.CopyRow(row, i)
		for j, v := range row {
			if rng.IntN(3) == 0 {
				index, value = append(index, int32(j)), append(value, v)
			}
		}
		start = append(start, len(index))
	}
	return points.CSR(p.Dim(), start, index, value)
}

// bytesOf rounds p to bytes, divided by their lengths if unit is true. Some rows are zero.
func bytesOf(p *points.Points, unit bool) *points.Points {
	n, d := p.Len(), p.Dim()
	values := make([]uint8, 0, n*d)
	for i := range n {
		for _, v := range p.DenseRow(i) {
			if i%1000 == 7 {
				v = math.Inf(-1)
			}
			values = append(values, uint8(min(max(120+15*v, 0), 255)))
		}
	}
	if p = points.DenseBytes(n, d, values); unit {
		p = points.Scaling{Kind: points.UnitNorm}.Apply(p)
	}
	return p
}

func approximately(t *testing.T, ctx context.Context, p *points.Points, k int, recall float64, single bool) *neighbours.Reached {
	t.Helper()
	a := neighbours.Asked{Points: p, K: k, Recall: recall, Seed: 5, Single: single}
	if !p.Sparse() {
		a.Origin, a.Bytes = centre(t, p), tiles.NewBytes(p)
	}
	told := 0.0
	r, err := neighbours.Approximately(parallel.Watch(ctx, func(done, total int) {
		if now := float64(done) / float64(total); now < told || now > 1 {
			t.Errorf("the share done is %.3f after %.3f", now, told)
		} else {
			told = now
		}
	}), a)
	if err != nil {
		t.Fatal(err)
	}
	if told != 1 {
		t.Errorf("at the end the share done is %.3f", told)
	}
	return r
}

// share returns how many of the exact neighbours are among those found, equally distant
// ones being as good, and checks that distances are direct and in order.
func share(t *testing.T, p *points.Points, k int, index []int32, distance []float64) float64 {
	t.Helper()
	found := 0
	all := make([]float64, p.Len())
	others := make([]int32, p.Len())
	for j := range others {
		others[j] = int32(j)
	}
	const every = 7 // points are looked at
	for i := 0; i < p.Len(); i += every {
		p.SquaredDistances(all, i, others)
		all[i] = math.Inf(1)
		slices.Sort(all)
		limit := math.Sqrt(all[k-1]) * (1 + 1e-9)
		seen := map[int32]bool{int32(i): true}
		for c := i * k; c < (i+1)*k; c++ {
			if seen[index[c]] {
				t.Fatalf("point %d has %d twice, or itself", i, index[c])
			}
			seen[index[c]] = true
			if want := math.Sqrt(p.SquaredDistance(i, p, int(index[c]))); !(math.Abs(distance[c]-want) <= 1e-12*want) {
				t.Fatalf("distance %v of %d and %d, want %v", distance[c], i, index[c], want)
			}
			if c > i*k && distance[c] < distance[c-1] {
				t.Fatalf("the neighbours of %d are not in order", i)
			}
			if distance[c] <= limit {
				found++
			}
		}
	}
	return float64(found) / float64((p.Len()+every-1)/every*k)
}

// The recall measured on a sample is the recall on all points, within its error, and reaches the
// recall asked. The points are dense and sparse, in float32 and float64.
func TestApproximateRecall(t *testing.T) {
	detector.Spare(t)
	const k = 6
	for name, p := range map[string]*points.Points{"60 columns": clusters(4000, 60, 1), "8 columns": clusters(5000, 8, 2), "sparse": sparseOf(clusters(3000, 50, 3)),
		"bytes": bytesOf(clusters(4000, 60, 4), false), "bytes of unit length": bytesOf(clusters(4000, 60, 4), true), "8 columns of bytes": bytesOf(clusters(3000, 8, 5), false)} {
		for _, recall := range []float64{0.8, 0.97} {
			r := approximately(t, t.Context(), p, k, recall, false)
			got := share(t, p, k, r.Index, r.Distance)
			if !(r.Recall >= recall) || !(math.Abs(got-r.Recall) <= 5*r.Error+0.002) {
				t.Errorf("%s: recall %v, measured as %v (%v), asked %v", name, got, r.Recall, r.Error, recall)
			}
			if p.Sparse() {
				continue
			}
			if got := approximately(t, t.Context(), p, k, recall, true); !(share(t, p, k, got.Index, got.Distance) >= recall-0.03) {
				t.Errorf("%s: less in float32", name)
			}
		}
	}
}

// The same points and seed give the same neighbours, whatever the number of threads.
func TestApproximateOnAnyThreads(t *testing.T) {
	for _, p := range []*points.Points{clusters(4000, 40, 1), sparseOf(clusters(2500, 40, 1)), bytesOf(clusters(4000, 40, 1), false), bytesOf(clusters(4000, 40, 1), true)} {
		want := approximately(t, parallel.WithLimit(t.Context(), 1), p, 5, 0.95, false)
		for _, threads := range []int{2, 5} {
			got := approximately(t, parallel.WithLimit(t.Context(), threads), p, 5, 0.95, false)
			if !slices.Equal(got.Index, want.Index) || !slices.Equal(got.Distance, want.Distance) || !slices.Equal(got.Order, want.Order) || got.Recall != want.Recall {
				t.Errorf("sparse %v: other neighbours on %d threads", p.Sparse(), threads)
			}
		}
	}
}

// The search ends for points that no direction splits, or splits badly, and reports the recall of
// their neighbours.
func TestApproximateOfHardPoints(t *testing.T) {
	detector.Spare(t)
	const n, k = 3000, 5
	rng := rand.New(rand.NewPCG(2, 2))
	column := func(value func(i int) float64) *points.Points {
		values := make([]float64, n)
		for i := range values {
			values[i] = value(i)
		}
		return points.Dense(n, 1, values)
	}
	values := slices.Clone(clusters(n, 40, 4).Rows(0, n, nil))
	values[17] = 1e12
	for name, p := range map[string]*points.Points{
		"equal":       column(func(int) float64 { return 7 }),
		"two values":  column(func(i int) float64 { return float64(i % 2) }),
		"one feature": column(func(int) float64 { return rng.NormFloat64() }),
		"heavy tails": column(func(int) float64 { return math.Tan(math.Pi * (rng.Float64() - 0.5)) }),
		"one far":     points.Dense(n, 40, values),
		"zeros":       points.Dense(n, 40, make([]float64, n*40)),
		"empty rows":  points.CSR(40, make([]int, n+1), nil, nil),
	} {
		r := approximately(t, t.Context(), p, k, 0.9, false)
		if got := share(t, p, k, r.Index, r.Distance); !(got >= 0.85) || !(math.Abs(got-r.Recall) <= 5*r.Error+0.02) {
			t.Errorf("%s: recall %v, measured as %v (%v)", name, got, r.Recall, r.Error)
		}
		order := slices.Clone(r.Order)
		slices.Sort(order)
		for i, j := range order {
			if int(j) != i {
				t.Fatalf("%s: the order is no permutation", name)
			}
		}
	}
}

// ending is a context that is done once its error was asked for so often.
type ending struct {
	context.Context
	left *atomic.Int64
}

func (e ending) Err() error {
	if e.left.Add(-1) < 0 {
		return context.Canceled
	}
	return nil
}

// Whenever the context ends, the search does, with its error.
func TestApproximateEnds(t *testing.T) {
	detector.Spare(t)
	for _, p := range []*points.Points{clusters(1500, 40, 1), clusters(1500, 6, 1)} {
		a := neighbours.Asked{Points: p, K: 5, Origin: centre(t, p), Recall: 0.99, Seed: 1, Single: true}
		search := func(checks int64) (left int64, err error) {
			ctx := ending{parallel.WithLimit(t.Context(), 1), new(atomic.Int64)}
			ctx.left.Store(checks)
			_, err = neighbours.Approximately(ctx, a)
			return ctx.left.Load(), err
		}
		const many = 1 << 40
		left, err := search(many)
		if err != nil {
			t.Fatal(err)
		}
		all := many - left
		for k := range int64(25) {
			checks := k * (all - 1) / 24
			if left, err := search(checks); !errors.Is(err, context.Canceled) || left < -all {
				t.Errorf("after %d of %d checks: %v", checks, all, err)
			}
		}
	}
}
