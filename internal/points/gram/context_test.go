package gram_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"testing"

	"lapsvm/internal/numbers/objective"
	"lapsvm/internal/numbers/parallel"
	"lapsvm/internal/points/gram"
	"lapsvm/kernel"
)

func TestCancelled(t *testing.T) {
	done, cancel := context.WithCancel(t.Context())
	cancel()
	p := dense(draw(rand.New(rand.NewPCG(85, 1)), 300, 2))
	for _, threads := range []int{1, 3} {
		ctx := parallel.WithLimit(done, threads)
		h, err := gram.NewHalf(ctx, p, kernel.Linear{}, gram.Single)
		if !errors.Is(err, context.Canceled) || h != nil {
			t.Errorf("NewHalf, %d threads: %v, error %v", threads, h, err)
		}
		m, err := gram.NewCross(ctx, p, p, kernel.Linear{})
		if !errors.Is(err, context.Canceled) || m != nil {
			t.Errorf("NewCross, %d threads: %v, error %v", threads, m, err)
		}
		if err := (gram.Expansion{Kernel: kernel.Linear{}, Basis: p, Coefficients: zeros(1, 300), Bias: []float64{0}}).Values(ctx, zeros(1, 300), p, gram.Double); !errors.Is(err, context.Canceled) {
			t.Errorf("Expand, %d threads: error %v", threads, err)
		}
	}
}

// multiply computes dst = A·src of some columns on the given number of threads.
func multiply(t testing.TB, threads int, a objective.Operator, dst, src [][]float64) {
	t.Helper()
	if err := a.Mul(parallel.WithLimit(t.Context(), threads), dst, src); err != nil {
		t.Fatal(err)
	}
}

// interrupting is a Gaussian that counts its rows and calls stop at one of them.
type interrupting struct {
	kernel.Gaussian
	rows *atomic.Int64
	at   int64
	stop func()
}

func (k interrupting) Map(row []float64, xx float64, yy []float64) {
	if k.rows.Add(1) == k.at {
		k.stop()
	}
	k.Gaussian.Map(row, xx, yy)
}

// A product that computes its tiles ends with the tiles under way.
func TestStreamedCancelled(t *testing.T) {
	const tile = 192
	p := dense(draw(rand.New(rand.NewPCG(86, 1)), 10*tile, 2))
	for _, threads := range []int{1, 3} {
		ctx, cancel := context.WithCancel(parallel.WithLimit(t.Context(), threads))
		var rows atomic.Int64
		m, err := gram.Open(ctx, p, gram.Request{Kernel: interrupting{kernel.Gaussian{Sigma: 1}, &rows, 12 * tile, cancel}, Precision: gram.Double, Form: gram.FormStreamed})
		if err != nil {
			t.Fatal(err)
		}
		rows.Store(0) // of the diagonal
		err = m.Mul(ctx, zeros(1, 10*tile), zeros(1, 10*tile))
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%d threads: error %v, want context.Canceled", threads, err)
		}
		if most := int64((12 + threads) * tile); rows.Load() > most {
			t.Errorf("%d threads: %d rows of tiles, want at most %d after a cancel at row %d", threads, rows.Load(), most, 12*tile)
		}
	}
}

// A matrix made under one limit multiplies under any other, with the same bits.
func TestLimitsMayDiffer(t *testing.T) {
	const n = 500
	rng := rand.New(rand.NewPCG(87, 1))
	p, src := dense(draw(rng, n, 5)), draw(rng, 20, n)
	k := kernel.Gaussian{Sigma: 1}
	narrow := parallel.WithLimit(t.Context(), 1)
	stored := half(t, p, k, gram.Double, 1)
	streamed, err := gram.Open(narrow, p, gram.Request{Kernel: k, Precision: gram.Double, Form: gram.FormStreamed})
	if err != nil {
		t.Fatal(err)
	}
	for name, m := range map[string]gram.Matrix{"stored": stored, "streamed": streamed, "by the points": open(t, p, kernel.Linear{}, gram.Double, gram.FormPoints)} {
		want := zeros(20, n)
		multiply(t, 1, m, want, src)
		for _, threads := range []int{5, 2, 9} {
			got := zeros(20, n)
			multiply(t, threads, m, got, src)
			for c := range got {
				if !slices.Equal(got[c], want[c]) {
					t.Errorf("%s, %d threads: column %d differs from that of one", name, threads, c)
				}
			}
		}
	}
}
