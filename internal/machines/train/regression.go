package train

import "lapsvm/internal/machines/task"

// Criterion is what machines of a regression are chosen by: a mean over labels that are left out.
type Criterion string

// The criteria.
const (
	MeanSquared  Criterion = "squared"  // (y − f)²
	MeanAbsolute Criterion = "absolute" // |y − f|
)

// ValuesOf returns the numbers that rows of decision values of a regression are.
func ValuesOf(scores [][]float64) []float64 {
	values := make([]float64, len(scores))
	for i, row := range scores {
		values[i] = row[0]
	}
	return values
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
	f.Summary.TrainingRMSE *= u.Scale
}
