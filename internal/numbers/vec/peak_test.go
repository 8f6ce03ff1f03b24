package vec

import (
	"fmt"
	"testing"
	"time"

	"lapsvm/internal/system/huge"
)

func TestPeak(t *testing.T) {
	onPaths(t, func(t *testing.T) {
		buf := make([]float32, 100000)
		for threads := range 3 {
			a, b := PeakFMA32(limited(t, threads), time.Millisecond), PeakFMA64(limited(t, threads), time.Millisecond)
			c := ReadBandwidth(limited(t, threads), buf, time.Millisecond)
			if !(a > 0 && b > 0 && c > 0) {
				t.Fatalf("%d threads: %v, %v and %v", threads, a, b, c)
			}
		}
		if goRead([]float32{1, 0, 0, 0}) == 0 {
			t.Fatal("nothing read")
		}
	})
}

// BenchmarkLimits reports what this machine can do at most.
func BenchmarkLimits(b *testing.B) {
	buf, release, err := huge.Reserve[float32](72 << 20)
	if err != nil {
		b.Fatal(err)
	}
	defer release()
	for i := range buf {
		buf[i] = 1
	}
	for threads := 1; threads <= 2; threads++ {
		b.Run(fmt.Sprintf("threads=%d", threads), func(b *testing.B) {
			for b.Loop() {
				b.ReportMetric(PeakFMA32(limited(b, threads), 100*time.Millisecond)/1e9, "GFLOP/s-32")
				b.ReportMetric(PeakFMA64(limited(b, threads), 100*time.Millisecond)/1e9, "GFLOP/s-64")
				b.ReportMetric(ReadBandwidth(limited(b, threads), buf, 200*time.Millisecond)/1e9, "GB/s")
			}
		})
	}
}
