package neighbours_test

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"lapsvm/internal/numbers/parallel"
	"lapsvm/internal/points/neighbours"
	"lapsvm/internal/points/tiles"
	"lapsvm/internal/ranks/comm"
	"lapsvm/internal/testing/detector"
	"lapsvm/points"
)

// onRanks searches on size ranks, each with a run of the points.
func onRanks(t *testing.T, threads int, p *points.Points, size, k int, recall float64) *neighbours.Reached {
	t.Helper()
	parts := make([]*neighbours.Reached, size)
	err := comm.Goroutines(t.Context(), size, func(ctx context.Context, c *comm.Comm) error {
		first, last := p.Len()*c.Rank()/size, p.Len()*(c.Rank()+1)/size
		a := neighbours.Asked{Points: p.Slice(first, last), Ranks: c, K: k, Recall: recall, Seed: 5}
		for i := first; i < last; i++ {
			a.Numbers = append(a.Numbers, neighbours.Number(i))
		}
		if !p.Sparse() {
			a.Origin, a.Bytes = centre(t, p), tiles.NewBytes(a.Points)
		}
		var err error
		parts[c.Rank()], err = neighbours.Approximately(parallel.WithLimit(ctx, threads), a)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	all := *parts[0]
	for _, part := range parts[1:] {
		if part.Recall != all.Recall || part.Error != all.Error || part.Looks != all.Looks || part.Cells != all.Cells {
			t.Errorf("ranks do not agree: %v and %v", part.Recall, all.Recall)
		}
		all.Index, all.Distance = append(all.Index, part.Index...), append(all.Distance, part.Distance...)
	}
	return &all
}

// Ranks find as many of the neighbours as was asked, wherever these are, and measure it.
func TestRanksSearchApproximately(t *testing.T) {
	detector.Spare(t)
	const k = 6
	for name, p := range map[string]*points.Points{"60 columns": clusters(3000, 60, 1), "8 columns": clusters(3000, 8, 2), "sparse": sparseOf(clusters(2000, 50, 3)),
		"bytes": bytesOf(clusters(3000, 60, 4), false), "bytes of unit length": bytesOf(clusters(3000, 60, 4), true)} {
		for size, recall := range map[int]float64{2: 0.97, 3: 0.8} {
			r := onRanks(t, 1, p, size, k, recall)
			if got := share(t, p, k, r.Index, r.Distance); !(r.Recall >= recall) || !(math.Abs(got-r.Recall) <= 5*r.Error+0.005) {
				t.Errorf("%s, %d ranks: recall %v, measured as %v (%v), asked %v", name, size, got, r.Recall, r.Error, recall)
			}
		}
	}
}

// One rank finds what one process finds, and several the same on any threads.
func TestRanksSearchOnAnyThreads(t *testing.T) {
	for _, p := range []*points.Points{clusters(1200, 40, 1), bytesOf(clusters(1200, 40, 1), false)} {
		one := approximately(t, t.Context(), p, 5, 0.95, false)
		if got := onRanks(t, 2, p, 1, 5, 0.95); !slices.Equal(got.Index, one.Index) || !slices.Equal(got.Distance, one.Distance) {
			t.Error("one rank finds other neighbours")
		}
		want := onRanks(t, 1, p, 3, 5, 0.95)
		if got := onRanks(t, 3, p, 3, 5, 0.95); !slices.Equal(got.Index, want.Index) || !slices.Equal(got.Distance, want.Distance) || got.Recall != want.Recall {
			t.Error("other neighbours on 3 threads")
		}
	}
}

// Points that are equal, or on one rank alone near to others, have their neighbours too.
func TestRanksSearchHardPoints(t *testing.T) {
	const n, k = 900, 5
	column := func(value func(i int) float64) *points.Points {
		values := make([]float64, n)
		for i := range values {
			values[i] = value(i)
		}
		return points.Dense(n, 1, values)
	}
	for name, p := range map[string]*points.Points{
		"equal":      column(func(int) float64 { return 7 }),
		"two values": column(func(i int) float64 { return float64(i % 2) }),
		"ascending":  column(func(i int) float64 { return float64(i) }),
		"one far":    column(func(i int) float64 { return math.Pow(float64(i)/n, 40) }),
		"empty rows": points.CSR(40, make([]int, n+1), nil, nil),
	} {
		r := onRanks(t, 1, p, 3, k, 0.9)
		if got := share(t, p, k, r.Index, r.Distance); !(got >= 0.85) {
			t.Errorf("%s: recall %v, measured as %v (%v)", name, got, r.Recall, r.Error)
		}
	}
}

// Each of two equal points on one rank or two is first in the list of the other, and of equally near
// ones the lower number comes first.
func TestRanksSearchEqualDistances(t *testing.T) {
	const side, k = 20, 5
	const n = 2 * side * side
	place := rand.New(rand.NewPCG(6, 0)).Perm(n)
	values, twin, at := make([]float64, 2*n), make([]int, n), make(map[int]int)
	for i, at2 := range place {
		at2 %= n / 2
		values[2*i], values[2*i+1] = float64(at2%side), float64(at2/side)
		if j, is := at[at2]; is {
			twin[i], twin[j] = j, i
		}
		at[at2] = i
	}
	for size := 2; size <= 3; size++ {
		r := onRanks(t, 1, points.Dense(n, 2, values), size, k, 0.95)
		for i := range n {
			if r.Index[i*k] != int32(twin[i]) || r.Distance[i*k] != 0 {
				t.Fatalf("%d ranks: the nearest of %d is %d at %g, want %d", size, i, r.Index[i*k], r.Distance[i*k], twin[i])
			}
			for c := i*k + 1; c < (i+1)*k; c++ {
				if r.Distance[c] == r.Distance[c-1] && r.Index[c] < r.Index[c-1] {
					t.Fatalf("%d ranks: the neighbours of %d are %v at %v", size, i, r.Index[i*k:(i+1)*k], r.Distance[i*k:(i+1)*k])
				}
			}
		}
	}
}

// The nearest of many sketches are found nearly always, those of few always.
func TestNearest(t *testing.T) {
	const n, width, k = 500, 9, 5
	random := rand.New(rand.NewPCG(3, 1))
	sketches := func(count int) []float32 {
		s := make([]float32, count*width)
		for i := range s {
			s[i] = float32(i/width%7) + float32(random.NormFloat64())
		}
		return s
	}
	x := sketches(n)
	for count, least := range map[int]float64{k: 1, 300: 1, 5000: 0.95} {
		y := sketches(count)
		near, err := neighbours.Nearest(t.Context(), x, y, width, k)
		if err != nil {
			t.Fatal(err)
		}
		squared := func(i, j int) (sum float64) {
			for c := range width {
				d := float64(x[i*width+c] - y[j*width+c])
				sum += d * d
			}
			return sum
		}
		found := 0
		for i := range n {
			var exact []float64
			for j := range count {
				exact = append(exact, squared(i, j))
			}
			slices.Sort(exact)
			seen := make(map[int32]bool)
			for c, j := range near[i*k : (i+1)*k] {
				if seen[j] = true; squared(i, int(j)) <= exact[k-1]*(1+1e-5) {
					found++
				}
				if c > 0 && squared(i, int(j)) < squared(i, int(near[i*k+c-1]))*(1-1e-5) {
					t.Fatalf("those of %d are not in order", i)
				}
			}
			if len(seen) != k {
				t.Fatalf("%d has one twice", i)
			}
		}
		if share := float64(found) / (n * k); !(share >= least) {
			t.Errorf("%.3f of the nearest of %d", share, count)
		}
	}
}
