package vec

import (
	"context"
	"math/bits"
	"time"
	"unsafe"

	"lapsvm/internal/numbers/parallel"
)

// PeakFMA32 measures the rate of independent float32 multiply-adds on the path
// in use. The rate is in operations per second, a multiply-add counting two, as
// rates of matrix products do. It runs on as many goroutines as ctx allows for
// about the time d, and adds up their rates. It is what the rate of Gemm is to be held against.
func PeakFMA32(ctx context.Context, d time.Duration) float64 { return peakRate(ctx, d, peak32) }

// PeakFMA64 is PeakFMA32 for float64.
func PeakFMA64(ctx context.Context, d time.Duration) float64 { return peakRate(ctx, d, peak64) }

// peakRate runs kernel, which returns its number of multiply-adds.
func peakRate(ctx context.Context, d time.Duration, kernel func(rounds int) int) float64 {
	threads := parallel.Threads(ctx)
	rounds := 64
	for {
		start := time.Now()
		rate := make([]float64, threads)
		parallel.Do(ctx, threads, func(_, t int) {
			start := time.Now()
			done := kernel(rounds)
			rate[t] = float64(done) / time.Since(start).Seconds()
		})
		if elapsed := time.Since(start); elapsed >= d || rounds > 1<<40 {
			total := 0.0
			for _, v := range rate {
				total += v
			}
			return 2 * total
		} else if elapsed < d/16 {
			rounds *= 8
		} else {
			rounds = int(float64(rounds)*d.Seconds()/elapsed.Seconds()*1.1) + 1
		}
	}
}

// goPeak is the kernel in Go.
func goPeak[T Float](rounds int) int {
	var a, b, c, d, e, f, g, h, x T
	for range rounds {
		a += x * x
		b += x * x
		c += x * x
		d += x * x
		e += x * x
		f += x * x
		g += x * x
		h += x * x
	}
	if a+b+c+d+e+f+g+h != 0 {
		return 0
	}
	return 8 * rounds
}

// ReadBandwidth measures how fast the goroutines that ctx allows read buf, each
// its own part of it, in bytes per second: the best pass within about the time d. For
// the bandwidth of memory buf must be far larger than the caches and have
// been written to. It is what the rate of SymTile is to be held against.
func ReadBandwidth(ctx context.Context, buf []float32, d time.Duration) float64 {
	threads := parallel.Threads(ctx)
	part := len(buf) / threads &^ 127
	if part == 0 {
		panic("vec: ReadBandwidth of too short a buffer")
	}
	best := 0.0
	for begin := time.Now(); ; {
		start := time.Now()
		parallel.Do(ctx, threads, func(_, t int) { sink(read(buf[t*part : (t+1)*part])) })
		now := time.Now()
		best = max(best, float64(part)*4*float64(threads)/now.Sub(start).Seconds())
		if now.Sub(begin) >= d {
			return best
		}
	}
}

// sink keeps a value from being optimised away.
//
//go:noinline
func sink(uint64) {}

// goRead is the reading kernel in Go.
func goRead(p []float32) uint64 {
	words := unsafe.Slice((*uint32)(unsafe.Pointer(&p[0])), len(p))
	var a, b, c, d uint32
	for len(words) >= 4 {
		a ^= words[0]
		b ^= words[1]
		c ^= words[2]
		d ^= words[3]
		words = words[4:]
	}
	return uint64(bits.Reverse32(a^b) ^ c ^ d)
}
