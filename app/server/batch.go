package server

import (
	"context"
	"fmt"
	"runtime/debug"
	"sync"

	"lapsvm/internal/numbers/parallel"
	"lapsvm/points"
)

// outcome is the output of a model for some points.
type outcome struct {
	scores [][]float64
	far    []bool // nil where that is not known
}

// scorer computes outcomes. The outcome of a row has the same bits whatever rows are beside
// it.
type scorer func(ctx context.Context, p *points.Points) (outcome, error)

// batcher gathers rows of requests into batches. No piece waits for others to join it: a piece
// that finds room is computed at once, and pieces that arrive meanwhile make the next batch.
// Full batches may take all threads. Only a few small batches run at a time, so that small
// requests gather and threads remain for reading and writing them.
type batcher struct {
	ctx     context.Context // of the server: a batch serves several requests, none of which ends it
	score   scorer
	rows    int // at most so many of a batch
	threads int // batches that may be computed at once
	batches int // of these, that may be less than half full while nothing more waits
	done    func(requests, rows int)

	lock    sync.Mutex
	busy    int      // batches that are computed
	small   int      // of these, of those that batches bounds
	waiting []*piece // first come, first served
}

// piece is some rows of a request.
type piece struct {
	points *points.Points
	ready  chan struct{} // closed once the rest is there
	outcome
	err error
}

// do computes points in equal pieces. At most one piece for each thread waits or is computed
// at a time, so that a large request leaves room for small ones. It fails where the scorer
// does, and when ctx is done.
func (b *batcher) do(ctx context.Context, p *points.Points) (outcome, error) {
	pieces := max(p.Len()-1, 0)/b.rows + 1
	if pieces == 1 {
		return b.one(ctx, p)
	}
	outcomes, errs := make([]outcome, pieces), make([]error, pieces)
	from := func(k int) int { return k * p.Len() / pieces }
	if err := parallel.Run(ctx, pieces, func(_, k int) {
		outcomes[k], errs[k] = b.one(ctx, p.Slice(from(k), from(k+1)))
	}); err != nil {
		return outcome{}, err
	}
	var all outcome
	for k, o := range outcomes {
		if errs[k] != nil {
			return outcome{}, inPiece(errs[k], from(k))
		}
		all.scores, all.far = append(all.scores, o.scores...), append(all.far, o.far...)
	}
	return all, nil
}

// inPiece adds the first row of a piece to an error that names a row of the piece.
func inPiece(err error, from int) error {
	if from == 0 {
		return err
	}
	return fmt.Errorf("in the rows after the first %d: %w", from, err)
}

// one computes a piece, alone or with others. Where there is room, the calling goroutine
// computes it, so that no other goroutine has to wake up.
func (b *batcher) one(ctx context.Context, p *points.Points) (outcome, error) {
	queued := &piece{points: p, ready: make(chan struct{})}
	b.lock.Lock()
	b.waiting = append(b.waiting, queued)
	compute := b.begin(queued)
	b.lock.Unlock()
	if compute != nil {
		compute()
	}
	select {
	case <-queued.ready:
		return queued.outcome, queued.err
	case <-ctx.Done():
		b.leave(queued)
		return outcome{}, ctx.Err()
	}
}

// leave removes a piece from the queue when nobody waits for it any more.
func (b *batcher) leave(queued *piece) {
	b.lock.Lock()
	defer b.lock.Unlock()
	for k, other := range b.waiting {
		if other == queued {
			b.waiting = append(b.waiting[:k:k], b.waiting[k+1:]...)
			return
		}
	}
}

// begin begins as many batches as there is room for. It leaves the batch that ends with the
// piece queued to its caller and returns the function that computes it, nil for none. The caller
// holds the lock.
func (b *batcher) begin(queued *piece) (mine func()) {
	for len(b.waiting) > 0 && b.busy < b.threads {
		n, rows := 1, b.waiting[0].points.Len()
		for n < len(b.waiting) && together(b.waiting[0], b.waiting[n]) && rows+b.waiting[n].points.Len() <= b.rows {
			rows += b.waiting[n].points.Len()
			n++
		}
		small := 0
		if n == len(b.waiting) && 2*rows < b.rows { // others may join
			small = 1
		}
		if b.small+small > b.batches {
			break
		}
		batch := b.waiting[:n:n]
		b.waiting = b.waiting[n:]
		b.busy++
		b.small += small
		compute := func() {
			b.compute(batch)
			b.lock.Lock()
			defer b.lock.Unlock()
			b.busy--
			b.small -= small
			b.begin(nil)
		}
		if queued != nil && batch[n-1] == queued { // which came last
			mine = compute
		} else {
			go compute()
		}
	}
	return mine
}

// together reports whether the points of two pieces can be stacked. Sparse points go alone.
func together(p, q *piece) bool { return !p.points.Sparse() && !q.points.Sparse() }

// compute computes a batch. After a failure every piece is computed alone, so that no request
// fails because of another request's rows.
func (b *batcher) compute(batch []*piece) {
	rows := 0
	for _, p := range batch {
		rows += p.points.Len()
	}
	b.done(len(batch), rows)
	if len(batch) == 1 {
		p := batch[0]
		p.outcome, p.err = b.safe(p.points)
		close(p.ready)
		return
	}
	all, err := b.safe(stacked(batch, rows))
	at := 0
	for _, p := range batch {
		if err != nil {
			p.outcome, p.err = b.safe(p.points)
		} else {
			n := p.points.Len()
			p.scores = all.scores[at : at+n : at+n]
			if all.far != nil {
				p.far = all.far[at : at+n : at+n]
			}
			at += n
		}
		close(p.ready)
	}
}

// stacked returns the points of dense pieces in one table.
func stacked(batch []*piece, rows int) *points.Points {
	d := batch[0].points.Dim()
	values := make([]float64, rows*d)
	at := 0
	for _, p := range batch {
		for i := range p.points.Len() {
			p.points.CopyRow(values[at:at+d], i)
			at += d
		}
	}
	return points.Dense(rows, d, values)
}

// safe calls the scorer and turns its panics into errors. A batch belongs to no single
// request, so nothing else would recover them.
func (b *batcher) safe(p *points.Points) (o outcome, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = &panicked{r, debug.Stack()}
		}
	}()
	return b.score(b.ctx, p)
}

// panicked is a panic as an error, for the log.
type panicked struct {
	value any
	stack []byte
}

func (p *panicked) Error() string { return fmt.Sprintf("panic: %v\n%s", p.value, p.stack) }
