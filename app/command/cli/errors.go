package cli

import (
	"errors"
	"io/fs"

	"lapsvm"
	"lapsvm/dataset"
	"lapsvm/internal/system/fault"
	"lapsvm/internal/system/huge"
)

// The exit codes.
const (
	ExitDone        = 0
	ExitFailed      = 1
	ExitUsage       = 2
	ExitData        = 3
	ExitInterrupted = 130
	ExitUnread      = 141 // nobody reads standard output any more, as head does not
)

// usageError is a wrong use of the command line.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

// dataError is something wrong with a file.
type dataError struct{ error }

func (e dataError) Unwrap() error { return e.error }

// interruptedError is an interruption that leaves something behind. Its text says
// what.
type interruptedError struct {
	error
	text string
}

func (e interruptedError) Unwrap() error { return e.error }

// BadData returns err as the error of bad data, with its exit code.
func BadData(err error) error { return dataError{err} }

// Interrupted returns the error of an interruption. The text says what the interrupted work has
// left.
func Interrupted(err error, text string) error { return interruptedError{err, text} }

// Usagef returns the error of a wrong use of the command line.
func Usagef(format string, args ...any) error { return usageError{fault.Errorf(format, args...)} }

// apart returns the parts of an error, with options as flags. One without a name has that of its
// exit code.
func apart(err error, code int) fault.Parts {
	p := partsInFlags(err)
	switch {
	case p.Code != "":
	case errors.Is(err, fs.ErrNotExist):
		p.Code = fault.Missing
	case code == ExitUsage:
		p.Code = fault.Parameter
	case code == ExitData:
		p.Code = fault.Data
	}
	return p
}

// exitCode returns the code that the program ends with after an error.
func exitCode(err error) int {
	var usage usageError
	var data dataError
	var file *dataset.Error
	switch {
	case errors.Is(err, huge.ErrMemory):
		return ExitFailed
	case errors.As(err, &usage), errors.Is(err, lapsvm.ErrParameter):
		return ExitUsage
	case errors.As(err, &data), errors.As(err, &file), errors.Is(err, lapsvm.ErrData), errors.Is(err, fs.ErrNotExist):
		return ExitData
	}
	return ExitFailed
}
