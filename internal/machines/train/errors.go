package train

import (
	"context"
	"errors"
)

// The kinds of errors: each error of a training matches one of these where its
// cause is known; errors.Is tells.
var (
	ErrData      = errors.New("bad data")      // labels, values or shapes that cannot be used
	ErrParameter = errors.New("bad parameter") // a field of a recipe outside its range
)

// kindError is err, of a kind.
type kindError struct{ kind, err error }

func (e kindError) Error() string { return e.err.Error() }

func (e kindError) Unwrap() []error { return []error{e.kind, e.err} }

// OfKind marks err with a kind, unless there is none or the context ended it.
func OfKind(kind, err error) error {
	if err == nil || kind == nil || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return kindError{kind, err}
}
