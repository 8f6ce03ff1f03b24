package cli

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// A command that does not end is abandoned, unless it has left something: then its own word counts.
func TestInterruptedCommand(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	never := make(chan error)
	defer close(never)
	if err := NewProgram(nil, io.Discard, io.Discard).execute(ctx, func(context.Context) error { return <-never }); !errors.Is(err, context.Canceled) {
		t.Errorf("a command that does not end: %v", err)
	}
	p, told := NewProgram(nil, io.Discard, io.Discard), errors.New("told")
	p.Left()
	if err := p.execute(ctx, func(context.Context) error { time.Sleep(3 * forEnding); return told }); err != told {
		t.Errorf("a command that has left something: %v, want its own error", err)
	}
}

// Work that does not end is abandoned.
func TestInterruptedWork(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	never := make(chan int)
	defer close(never)
	if _, err := Interruptible(ctx, func() (int, error) { return <-never, nil }); !errors.Is(err, context.Canceled) {
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
