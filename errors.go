package lapsvm

import (
	"context"
	"errors"
)

// Errors of [Trainer.Fit] and of a [Model]'s predictions match one of these
// where their cause is known; errors.Is tells.
var (
	ErrData      = errors.New("bad data")      // labels, values or shapes that cannot be used
	ErrParameter = errors.New("bad parameter") // a field of the Trainer outside its range
)

// kindError is err, of a kind.
type kindError struct{ kind, err error }

func (e kindError) Error() string { return e.err.Error() }

func (e kindError) Unwrap() []error { return []error{e.kind, e.err} }

// ofKind marks err with a kind, unless there is none or the context ended it.
func ofKind(kind, err error) error {
	if err == nil || kind == nil || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return kindError{kind, err}
}
