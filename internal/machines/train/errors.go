package train

import (
	"context"
	"errors"

	"lapsvm/internal/system/fault"
)

// The kinds of errors: each error of a training matches one of these where its
// cause is known; errors.Is tells.
const (
	ErrData      = fault.Data      // labels, values or shapes that cannot be used
	ErrParameter = fault.Parameter // a field of a recipe outside its range
)

// ErrNoModel is that a model is the zero value.
var ErrNoModel = OfKind(ErrParameter, fault.Errorf("the model is empty: take one that Trainer.Fit or Load returned"))

// kindError is err, of a kind.
type kindError struct{ kind, err error }

func (e kindError) Error() string { return e.err.Error() }

func (e kindError) Unwrap() []error { return []error{e.err, e.kind} }

// OfKind marks err with a kind, unless there is none, it has one or the context ended it. Who finds an error knows best of which kind it is.
func OfKind(kind, err error) error {
	if err == nil || kind == nil || errors.Is(err, ErrData) || errors.Is(err, ErrParameter) || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return kindError{kind, err}
}
