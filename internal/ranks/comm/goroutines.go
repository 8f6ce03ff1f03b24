package comm

import (
	"context"
	"fmt"
	"sync"
)

// Goroutines runs do on size ranks, each a goroutine of this process, and returns the first error
// of any. When one ends with an error, the context of the others is done.
func Goroutines(ctx context.Context, size int, do func(ctx context.Context, c *Comm) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	mail := make([]chan []byte, size*size)
	for k := range mail {
		mail[k] = make(chan []byte, 1) // so that a rank need not wait for one that is behind
	}
	var wg sync.WaitGroup
	for rank := range size {
		wg.Go(func() {
			c, ctx := New(ctx, &local{rank, size, mail})
			if err := do(ctx, c); err != nil {
				cancel(fmt.Errorf("rank %d: %w", rank, err))
			}
		})
	}
	wg.Wait()
	return context.Cause(ctx)
}

// local is a rank that is a goroutine. What r sends to s goes through mail[r·size+s], as a copy.
type local struct {
	rank, size int
	mail       []chan []byte
}

func (l *local) Rank() int { return l.rank }
func (l *local) Size() int { return l.size }

func (l *local) Exchange(ctx context.Context, receive, send [][]byte) error {
	for r, bytes := range send {
		select {
		case l.mail[l.rank*l.size+r] <- append([]byte(nil), bytes...):
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	for r := range receive {
		select {
		case bytes := <-l.mail[r*l.size+l.rank]:
			if len(bytes) != len(receive[r]) {
				return &LengthError{From: r, To: l.rank, Sent: len(bytes), Expected: len(receive[r])}
			}
			copy(receive[r], bytes)
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	return nil
}
