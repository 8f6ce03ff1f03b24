package train

import (
	"math"
	"slices"

	"lapsvm/internal/machines/task"
)

// Criterion is what counts of answers. Machines of a regression are chosen by it: it is a mean over labels that are left out. Of several classes at
// once it says when a row has a class.
type Criterion string

// The criteria.
const (
	MeanSquared  Criterion = "squared"       // of numbers, (y − f)²
	MeanAbsolute Criterion = "absolute"      // of numbers, |y − f|
	MeanF1       Criterion = "f1"            // of several classes: as many rows have a class as are to be expected
	WrongAnswers Criterion = "wrong-answers" // of several classes: a row has a class that it has more probably than not
)

// criteria returns those of all kinds of label.
func criteria() []Criterion {
	return slices.Concat(kindOf(task.Numbers()).criteria, kindOf(task.Several("")).criteria)
}

// CostOf returns what an error of a number costs by the criterion.
func (c Criterion) CostOf(e float64) float64 {
	if c == MeanAbsolute {
		return math.Abs(e)
	}
	return e * e
}

// LossOf returns [task.Known.Loss], and of numbers what the criterion says that an error costs.
func (c Criterion) LossOf(known task.Known, machine, k int, f float64) float64 {
	if c == MeanAbsolute {
		return math.Abs(known.Target(machine, k) - f)
	}
	return known.Loss(machine, k, f)
}

// Power returns the power of an error that the criterion counts: 2 by default, and 1 of absolute errors.
func (c Criterion) Power() float64 {
	if c == MeanAbsolute {
		return 1
	}
	return 2
}

// ValuesOf returns the numbers that rows of decision values of a regression are.
func ValuesOf(scores [][]float64) []float64 {
	values := make([]float64, len(scores))
	for i, row := range scores {
		values[i] = row[0]
	}
	return values
}

// rowsOfValues undoes [ValuesOf].
func rowsOfValues(values []float64) [][]float64 {
	rows := make([][]float64, len(values))
	for i := range values {
		rows[i] = values[i : i+1]
	}
	return rows
}

// inUnitOf brings the functions, which were found for targets in a unit, into the unit of the table. So it does the
// values of the training points and what labels add.
func (f *Fitted) inUnitOf(u task.Unit) {
	scale := func(all [][]float64) {
		for _, values := range all {
			for i := range values {
				values[i] *= u.Scale
			}
		}
	}
	scale(f.Expansion.Coefficients)
	for machine, b := range f.Expansion.Bias {
		f.Expansion.Bias[machine] = u.From(b)
	}
	if v := f.Intervals; v != nil {
		scale(v.Coefficients)
		scale([][]float64{v.Residual})
		for machine, b := range v.Bias {
			v.Bias[machine] = u.From(b)
		}
	}
	if local := f.Expansion.Local; local != nil {
		for _, values := range local.Residuals {
			for i := range values {
				values[i] *= float32(u.Scale)
			}
		}
	}
	scale(f.LabelShares)
	for _, row := range f.Summary.Scores {
		row[0] = u.From(row[0])
	}
}
