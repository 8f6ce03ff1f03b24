package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"time"

	"lapsvm/internal/system/size"
	"lapsvm/internal/system/unfinished"
)

// Interruptible returns the result of read, or the error of ctx once ctx is done. Some reading
// cannot be stopped, such as the opening of a pipe without a writer. Such reading is abandoned
// and ends with the program.
func Interruptible[T any](ctx context.Context, read func() (T, error)) (T, error) {
	type outcome struct {
		value T
		err   error
	}
	done := make(chan outcome, 1)
	go func() {
		value, err := read()
		done <- outcome{value, err}
	}()
	select {
	case o := <-done:
		return o.value, o.err
	case <-ctx.Done():
		var none T
		return none, ctx.Err()
	}
}

// forEnding is how long a command has for ending by itself once it is interrupted. What takes
// longer computes, or is blocked: a file that it opens may be a pipe without another end.
const forEnding = 100 * time.Millisecond

// execute runs a command. Once ctx is done it abandons a command that does not end soon, unless it
// has left something, or gives files their names. [Main] removes the files that it has begun.
func (p *Program) execute(ctx context.Context, command func(context.Context) error) error {
	done := make(chan error, 1)
	go func() { done <- command(ctx) }()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
	}
	select {
	case err := <-done:
		return err
	case <-time.After(forEnding):
	}
	if p.left.Load() || unfinished.Placing() {
		return <-done
	}
	return ctx.Err()
}

// ReadText reads a file of settings of limited size.
func ReadText(ctx context.Context, path string, most int64) ([]byte, error) {
	return Interruptible(ctx, func() ([]byte, error) {
		f, err := os.Open(path)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		text, err := io.ReadAll(io.LimitReader(f, most+1))
		if int64(len(text)) > most {
			return nil, fmt.Errorf("%s has more than %s: this is another file", path, size.Text(most))
		}
		return text, err
	})
}
