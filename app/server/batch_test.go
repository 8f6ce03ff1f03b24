package server

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"sync"
	"testing"

	"lapsvm/internal/numbers/parallel"
	"lapsvm/points"
)

// gated is a scorer whose batches end when the test says so. The outcome of a row is its
// value; a row of -1 fails whatever it is in, and one of -2 panics.
type gated struct {
	begun chan int // rows of a batch that begins
	end   chan struct{}
}

func (g *gated) score(_ context.Context, p *points.Points) (outcome, error) {
	g.begun <- p.Len()
	<-g.end
	var o outcome
	for i := range p.Len() {
		v := p.At(i, 0)
		if v == -1 {
			return outcome{}, errors.New("no such row")
		}
		if v == -2 {
			panic("no such number")
		}
		o.scores, o.far = append(o.scores, []float64{v}), append(o.far, v > 5)
	}
	return o, nil
}

func newGated(rows int) (*gated, *batcher) {
	g := &gated{make(chan int, 100), make(chan struct{})}
	return g, &batcher{ctx: context.Background(), score: g.score, rows: rows, threads: 1, batches: 1, done: func(int, int) {}}
}

func rowsOf(values ...float64) *points.Points { return points.Dense(len(values), 1, values) }

// waitFor waits until so many pieces are in the queue.
func (b *batcher) waitFor(n int) {
	for {
		b.lock.Lock()
		there := len(b.waiting)
		b.lock.Unlock()
		if there == n {
			return
		}
		runtime.Gosched()
	}
}

// What comes while a batch is computed makes the next one, up to its size, in the order of
// coming; each gets its own rows.
func TestBatchesGather(t *testing.T) {
	g, b := newGated(4)
	var all sync.WaitGroup
	ask := func(values ...float64) {
		all.Go(func() {
			o, err := b.do(t.Context(), rowsOf(values...))
			if err != nil || len(o.scores) != len(values) || len(o.far) != len(values) {
				t.Error(o, err)
				return
			}
			for k, v := range values {
				if o.scores[k][0] != v || o.far[k] != (v > 5) {
					t.Errorf("%v: %v", values, o)
				}
			}
		})
	}
	ask(1)
	if n := <-g.begun; n != 1 {
		t.Fatal(n)
	}
	for k, values := range [][]float64{{2, 3}, {4}, {5, 6}, {7}} {
		ask(values...)
		b.waitFor(k + 1)
	}
	var sizes []int
	for range 3 {
		g.end <- struct{}{}
		if len(sizes) < 2 {
			sizes = append(sizes, <-g.begun)
		}
	}
	all.Wait()
	if !slices.Equal(sizes, []int{3, 3}) {
		t.Errorf("batches of %v", sizes)
	}
}

// A row that fails, or panics, fails its own request and no other of the batch.
func TestNoRequestFailsByAnother(t *testing.T) {
	for _, wrong := range []float64{-1, -2} {
		g, b := newGated(10)
		first := make(chan error)
		go func() { _, err := b.do(t.Context(), rowsOf(0)); first <- err }()
		<-g.begun
		results := make(map[float64]chan error)
		for k, v := range []float64{1, wrong, 2} {
			results[v] = make(chan error, 1)
			go func() { _, err := b.do(t.Context(), rowsOf(v)); results[v] <- err }()
			b.waitFor(k + 1)
		}
		close(g.end)
		if err := <-first; err != nil {
			t.Error(err)
		}
		if err := <-results[wrong]; err == nil {
			t.Errorf("%v is answered", wrong)
		}
		for _, v := range []float64{1, 2} {
			if err := <-results[v]; err != nil {
				t.Errorf("%v beside %v: %v", v, wrong, err)
			}
		}
	}
}

// Who gives up leaves the queue; the others go on.
func TestWhoLeavesTheQueue(t *testing.T) {
	g, b := newGated(10)
	done := make(chan error, 2)
	go func() { _, err := b.do(t.Context(), rowsOf(0)); done <- err }()
	<-g.begun
	ctx, stop := context.WithCancel(t.Context())
	left := make(chan error)
	go func() { _, err := b.do(ctx, rowsOf(1)); left <- err }()
	b.waitFor(1)
	go func() { _, err := b.do(t.Context(), rowsOf(2, 3)); done <- err }()
	b.waitFor(2)
	stop()
	if err := <-left; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	close(g.end)
	if n := <-g.begun; n != 2 {
		t.Errorf("a batch of %d rows", n)
	}
	if err := errors.Join(<-done, <-done); err != nil {
		t.Error(err)
	}
}

// A large request is computed in pieces, between which others have their turn.
func TestLargeRequestsLeaveRoom(t *testing.T) {
	g, b := newGated(2)
	large, small := make(chan outcome), make(chan outcome, 1)
	go func() { o, _ := b.do(parallel.WithLimit(t.Context(), 1), rowsOf(1, 2, 3, 4, 5)); large <- o }()
	<-g.begun
	go func() { o, _ := b.do(t.Context(), rowsOf(9)); small <- o }()
	b.waitFor(1)
	g.end <- struct{}{} // of the first piece; the small request was there before the second
	<-g.begun
	g.end <- struct{}{}
	if o := <-small; len(o.scores) != 1 || o.scores[0][0] != 9 {
		t.Error(o)
	}
	close(g.end)
	if o := <-large; len(o.scores) != 5 || o.scores[4][0] != 5 {
		t.Error(o)
	}
}

// A request of many rows is computed on all threads, in equal pieces, and the answers are
// joined in order. The error of a bad row counts the rows before its piece.
func TestLargeRequestsTakeAllThreads(t *testing.T) {
	g, b := newGated(4)
	b.threads = 3
	ctx := parallel.WithLimit(t.Context(), 3)
	done := make(chan outcome)
	go func() {
		o, err := b.do(ctx, rowsOf(0, 1, 2, 3, 4, 5, 6, 7, 8))
		if err != nil {
			t.Error(err)
		}
		done <- o
	}()
	for range 3 {
		if n := <-g.begun; n != 3 {
			t.Errorf("a piece of %d rows", n)
		}
	}
	close(g.end)
	o := <-done
	for i, row := range o.scores {
		if row[0] != float64(i) || o.far[i] != (i > 5) {
			t.Error(i, o)
		}
	}
	if _, err := b.do(ctx, rowsOf(1, 2, 3, 4, 5, 6, 7, -1)); len(o.scores) != 9 || err == nil || err.Error() != "in the rows after the first 4: no such row" {
		t.Error(len(o.scores), err)
	}
}

// Few rows wait for others while a batch of few is computed; as many as half a batch do not,
// as long as there is a thread.
func TestRoomForBatches(t *testing.T) {
	g, b := newGated(8)
	b.threads = 3
	var all sync.WaitGroup
	ask := func(rows int) {
		all.Go(func() {
			if _, err := b.do(t.Context(), rowsOf(make([]float64, rows)...)); err != nil {
				t.Error(err)
			}
		})
	}
	begins := func(rows int) {
		t.Helper()
		if n := <-g.begun; n != rows {
			t.Errorf("a batch of %d rows, want %d", n, rows)
		}
	}
	ask(1)
	begins(1)
	ask(1)
	b.waitFor(1) // of few rows there is one already
	ask(3)
	begins(4) // half full
	ask(8)
	begins(8)
	ask(8)
	b.waitFor(1) // no thread is left
	g.end <- struct{}{}
	begins(8)
	close(g.end)
	all.Wait()
	for { // a batch ends after its answers
		b.lock.Lock()
		busy, small := b.busy, b.small
		b.lock.Unlock()
		if busy == 0 {
			if small != 0 {
				t.Errorf("%d small batches are computed of none", small)
			}
			return
		}
		runtime.Gosched()
	}
}

// gate is a scorer that tells when it begins, and waits for the end.
func gate(score scorer, begun, end chan bool) scorer {
	return func(ctx context.Context, p *points.Points) (outcome, error) {
		begun <- true
		<-end
		return score(ctx, p)
	}
}
