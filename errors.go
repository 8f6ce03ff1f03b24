package lapsvm

import "lapsvm/internal/system/fault"

// The names of errors, by what a caller can do about them. errors.Is finds them in the errors of this
// module's packages, of reading too. The server and the Python package have the same names.
var (
	ErrMemory    error = fault.Memory    // more memory than is allowed or there: allow more, or give less
	ErrNoLabels  error = fault.NoLabels  // no row has a label: label some of each class
	ErrOneClass  error = fault.OneClass  // all labels are of one class: label another, or set OneClass
	ErrFewLabels error = fault.FewLabels // labels enough to train, and too few for what is asked: label more, or ask less
	ErrColumns   error = fault.Columns   // rows have other columns than the model: give the columns it was trained on
	ErrValue     error = fault.Value     // a value is not finite, out of range or no number: mend or drop the row
	ErrRounding  error = fault.Rounding  // the result is lost in rounding: raise GammaA, or standardise
	ErrDamaged   error = fault.Damaged   // a file is damaged or cut off: fetch or write it again
	ErrFormat    error = fault.Format    // a file is of another format, or of one that is not read: convert it
	ErrVersion   error = fault.Version   // a newer program wrote the file: use that program
	ErrLacks     error = fault.Lacks     // the model was trained without what is asked of it: train it with that
	ErrExcluded  error = fault.Excluded  // two settings exclude each other: leave one out

	// Of a training and a prediction, beside the names above where there is one:

	ErrData      error = fault.Data      // labels, values or shapes that cannot be used
	ErrParameter error = fault.Parameter // a parameter outside its range
)

// Advice returns the two parts of an error: what is wrong, and what to do. The second may be "".
// Options are fields in Go.
func Advice(err error) (wrong, advice string) {
	p := fault.Apart(err, fault.Option.String)
	return p.Fault, p.Advice
}
