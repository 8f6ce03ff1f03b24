package server

import (
	"context"
	"fmt"
	"runtime/debug"
	"sync"

	"lapsvm/points"
)

// outcome is what a model says of some points.
type outcome struct {
	scores [][]float64
	far    []bool // nil where that is not known
}

// scorer computes outcomes: those of a row are the same bits whatever rows are beside it.
type scorer func(ctx context.Context, p *points.Points) (outcome, error)

// batcher gathers rows of several requests into batches. Nothing waits for company: a
// piece that finds a batch free is computed at once and alone, and pieces that come while
// all batches are busy make the next one.
type batcher struct {
	ctx     context.Context // of the server: a batch serves several requests, none of which ends it
	score   scorer
	rows    int // at most so many of a batch
	batches int // that may be computed at once
	done    func(requests, rows int)

	lock    sync.Mutex
	busy    int
	waiting []*piece // first come, first served
}

// piece is some rows of a request.
type piece struct {
	points *points.Points
	ready  chan struct{} // closed once the rest is there
	outcome
	err error
}

// do computes points piece by piece, so that a large request leaves room for small ones
// between its pieces. It fails where the scorer does, and when ctx is done.
func (b *batcher) do(ctx context.Context, p *points.Points) (outcome, error) {
	if p.Len() <= b.rows {
		return b.one(ctx, p)
	}
	var all outcome
	for from := 0; from < p.Len(); from += b.rows {
		o, err := b.one(ctx, p.Slice(from, min(from+b.rows, p.Len())))
		if err != nil {
			return outcome{}, inPiece(err, from)
		}
		all.scores, all.far = append(all.scores, o.scores...), append(all.far, o.far...)
	}
	return all, nil
}

// inPiece says where a piece begins whose error names one of its rows.
func inPiece(err error, from int) error {
	if from == 0 {
		return err
	}
	return fmt.Errorf("in the rows after the first %d: %w", from, err)
}

// one computes a piece, at once or with others.
func (b *batcher) one(ctx context.Context, p *points.Points) (outcome, error) {
	own := &piece{points: p, ready: make(chan struct{})}
	b.lock.Lock()
	idle := b.busy < b.batches
	if idle {
		b.busy++
	} else {
		b.waiting = append(b.waiting, own)
	}
	b.lock.Unlock()
	if idle {
		b.compute([]*piece{own})
		b.next()
		return own.outcome, own.err
	}
	select {
	case <-own.ready:
		return own.outcome, own.err
	case <-ctx.Done():
		b.leave(own)
		return outcome{}, ctx.Err()
	}
}

// leave takes a piece out of the queue that nobody waits for any more.
func (b *batcher) leave(own *piece) {
	b.lock.Lock()
	defer b.lock.Unlock()
	for k, other := range b.waiting {
		if other == own {
			b.waiting = append(b.waiting[:k:k], b.waiting[k+1:]...)
			return
		}
	}
}

// next goes on with the pieces that came meanwhile, on a goroutine of their own, so that
// the request which computed a batch is answered.
func (b *batcher) next() {
	batch := b.take()
	if batch == nil {
		return
	}
	go func() {
		for ; batch != nil; batch = b.take() {
			b.compute(batch)
		}
	}()
}

// take returns the next batch. Without one it is nil, and the place of the batch that
// ended is free.
func (b *batcher) take() []*piece {
	b.lock.Lock()
	defer b.lock.Unlock()
	if len(b.waiting) == 0 {
		b.busy--
		return nil
	}
	n, rows := 1, b.waiting[0].points.Len()
	for n < len(b.waiting) && together(b.waiting[0], b.waiting[n]) && rows+b.waiting[n].points.Len() <= b.rows {
		rows += b.waiting[n].points.Len()
		n++
	}
	batch := b.waiting[:n:n]
	b.waiting = b.waiting[n:]
	return batch
}

// together reports whether the points of two pieces can be stacked. Sparse points go alone.
func together(p, q *piece) bool { return !p.points.Sparse() && !q.points.Sparse() }

// compute computes a batch. Where it fails every piece is computed alone, so that no
// request fails by the rows of another.
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

// safe is the scorer, whose panics are errors: a batch is no request's own, so that
// nobody else would stop them.
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
