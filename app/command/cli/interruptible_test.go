package cli

import (
	"context"
	"errors"
	"os"
	"path/filepath"
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

// A file of settings is read whole up to the most bytes. One with a byte more is refused, and not cut.
func TestReadText(t *testing.T) {
	path := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(path, []byte("12345"), 0o600); err != nil {
		t.Fatal(err)
	}
	if text, err := ReadText(t.Context(), path, 5); err != nil || string(text) != "12345" {
		t.Errorf("%q, %v", text, err)
	}
	if text, err := ReadText(t.Context(), path, 4); err == nil {
		t.Errorf("%q of 5 bytes, where 4 are the most", text)
	}
}
