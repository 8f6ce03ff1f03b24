package cli

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/spf13/cobra"
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

// An interruption says that nothing was written only where nothing was.
func TestInterruptedOutput(t *testing.T) {
	for _, c := range []struct {
		printed string
		left    bool
		want    string
	}{
		{"", false, "x: interrupted; nothing was written\n"},
		{"", true, "x: interrupted; what was written before stays\n"},
		{"a row\n", false, "x: interrupted; what was printed is not all\n"},
	} {
		ctx, cancel := context.WithCancel(t.Context())
		var stdout, stderr bytes.Buffer
		code := Execute(ctx, func(p *Program) *cobra.Command {
			return &cobra.Command{Use: "x", SilenceErrors: true, SilenceUsage: true, RunE: func(r *cobra.Command, _ []string) error {
				if c.printed != "" {
					io.WriteString(p.Stdout, c.printed)
				}
				if c.left {
					p.Left()
				}
				cancel()
				return r.Context().Err()
			}}
		}, nil, nil, &stdout, &stderr)
		if code != ExitInterrupted || stdout.String() != c.printed || stderr.String() != c.want {
			t.Errorf("after %q, left %t: code %d, %q", c.printed, c.left, code, stderr.String())
		}
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
