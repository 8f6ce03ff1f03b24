//go:build unix

package graph

import (
	"context"
	"fmt"
	"math/rand/v2"
	"syscall"
	"testing"

	"lapsvm/internal/numbers/parallel"
	"lapsvm/internal/numbers/vec"
	"lapsvm/points"
)

// clusters draws n points of six Gaussians in 20 dimensions, in random order.
func clusters(n int) *points.Points {
	const dim, count = 20, 6
	rng := rand.New(rand.NewPCG(20, uint64(n)))
	var centre [count][dim]float64
	for c := range centre {
		for j := range dim {
			centre[c][j] = rng.NormFloat64()
		}
	}
	values := make([]float64, n*dim)
	for i := range n {
		for j, v := range centre[rng.IntN(count)] {
			values[i*dim+j] = v + rng.NormFloat64()
		}
	}
	return points.Dense(n, dim, values)
}

// processor returns the seconds of processor time that the process has used.
func processor() float64 {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return float64(u.Utime.Sec+u.Stime.Sec) + float64(u.Utime.Usec+u.Stime.Usec)/1e6
}

const bandwidthThreads = 2

// The products of an iteration on landmarks, with points in the order of the file and in
// that of the search. GB/s is of what must be moved once: L, and every panel that is read
// or written. Rows of neighbours that are read again are not counted. The limit is that of
// reading 256 MB from its start to its end, measured before each product. A second is two
// seconds of processor time, so that other work on the machine counts little. A million
// neighbours take half a minute:
//
//	go test ./graph -run '^$' -bench Bandwidth -benchtime 10x -count 5
func BenchmarkBandwidth(b *testing.B) {
	ctx := parallel.WithLimit(b.Context(), bandwidthThreads)
	for _, n := range []int{60_000, 1_000_000} {
		p := clusters(n)
		s, err := newSpace(ctx, p, 10, Euclidean)
		if err != nil {
			b.Fatal(err)
		}
		nb, found, err := s.approximate(ctx, 10, Search{Recall: DefaultRecall})
		if err != nil {
			b.Fatal(err)
		}
		w, _, _ := Connect(b.Context(), nb, Heat, 0)
		l := NewLaplacian(w, false, 1)
		searched := l.Ordered(found.Order)
		for _, width := range []int{8, vec.MaxPanel} {
			b.Run(fmt.Sprintf("n=%d/order=file/width=%d", n, width), func(b *testing.B) { bandwidth(ctx, b, l, width) })
			b.Run(fmt.Sprintf("n=%d/order=search/width=%d", n, width), func(b *testing.B) { bandwidth(ctx, b, searched, width) })
		}
	}
}

func bandwidth(ctx context.Context, b *testing.B, l *Laplacian, width int) {
	rng := rand.New(rand.NewPCG(1, 1))
	size := l.Len() * width
	x, y, single, answer := make([]float64, size), make([]float64, size), make([]float32, size), make([]float32, size)
	for i := range x {
		x[i] = rng.NormFloat64()
		single[i] = float32(x[i])
	}
	long := make([]float32, 64<<20)
	for i := range long {
		long[i] = 1
	}
	rate := func(times int, bytes float64, do func()) float64 {
		start := processor()
		for range times {
			do()
		}
		return bandwidthThreads * float64(times) * bytes / (processor() - start)
	}
	measure := func(b *testing.B, bytes float64, do func()) {
		for b.Loop() { // of one round
			b.StopTimer()
			limit := rate(8, 4*float64(len(long)), func() { vec.ReadBandwidth(ctx, long, 0) })
			do()
			b.StartTimer()
			reached := rate(10, bytes, do)
			b.ReportMetric(reached/1e9, "GB/s")
			b.ReportMetric(bandwidthThreads*bytes/reached*1e3, "cpu-ms/op")
			b.ReportMetric(100*reached/limit, "%share")
		}
	}
	rows, entries := float64(l.Len()), float64(len(l.off))
	b.Run("step", func(b *testing.B) {
		const steps = 8
		var coefficients [steps + 1]float64
		for k := range coefficients {
			coefficients[k] = 1 / float64(k+1)
		}
		q := l.Polynomial(coefficients[:], l.Norm())
		measure(b, steps*(rows*float64(4*4*width+4+8)+8*entries), func() { q.Mul(ctx, width, answer, single) })
	})
	b.Run("MulPanel", func(b *testing.B) {
		measure(b, rows*float64(2*8*width+8+8)+12*entries, func() { l.MulPanel(ctx, width, y, x) })
	})
}
