package cli

import (
	"context"
	"errors"
	"testing"
	"time"
)

// Work that ends by itself in time is waited for. Other work is abandoned.
func TestInterruptedWork(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	tidied := errors.New("tidied")
	if _, err := InterruptibleAfter(ctx, time.Hour, func() (int, error) { <-ctx.Done(); return 0, tidied }); err != tidied {
		t.Errorf("work that ends: %v, want its own error", err)
	}
	never := make(chan int)
	defer close(never)
	if _, err := InterruptibleAfter(ctx, time.Millisecond, func() (int, error) { return <-never, nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("work that does not end: %v", err)
	}
}
