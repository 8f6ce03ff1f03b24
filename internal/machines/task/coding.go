package task

import (
	"cmp"
	"math"
	"slices"

	"lapsvm/dataset"
)

// OutputCoding is how machines tell a number of classes apart. It has their targets for a point of each class, the decision values of their outputs,
// and the class that these decide for. The kind of label says which code it is.
type OutputCoding struct{ coding }

// Term is what the output of a machine counts in a decision value.
type Term struct {
	Machine int
	Sign    float64
}

// coding is a code.
type coding interface {
	// Machines returns the number of machines.
	Machines() int
	// Columns returns the number of decision values of a point.
	Columns() int
	// Target returns y of a machine for the points of a class, −1 or +1; −1 for a class that the task does not know.
	Target(machine, class int) float64
	// Terms returns what the decision value of a class is the sum of.
	Terms(class int) []Term
	// Outputs returns the outputs of the machines of a row of decision values, or of shifts of these. It may share the memory of the row.
	Outputs(row []float64) []float64
	// decide is [OutputCoding.Decide], where outputs that differ by less than tied are equal.
	decide(outputs []float64, tied float64) int
}

// tied is a difference of outputs that rounding makes. Outputs at labels left out are computed from targets of magnitude 1, so that their
// rounding knows the class.
const tied = 1e-9

// Decide returns the class that the outputs of all machines at a point decide for. With one against the rest it is the class of the largest
// output, the first of equal ones. One machine alone decides by its sign, where 0 is negative. Ordered classes are decided by their median. Outside of a single class, of numbers and of
// several classes, it is dataset.Unlabelled.
func (c OutputCoding) Decide(outputs []float64) int { return c.decide(outputs, 0) }

// DecideScores returns the class that a row of decision values means, one of
// every class as [OutputCoding.Scores] makes them.
func (c OutputCoding) DecideScores(row []float64) int { return c.DecideCalibrated(row, 1) }

// DecideCalibrated is DecideScores where probabilities have a slope, which ordered classes are decided by.
func (c OutputCoding) DecideCalibrated(row []float64, slope float64) int {
	if ordered, is := c.coding.(ranks); is && ordered.graded > 2 {
		return medianOf(row, slope)
	}
	return c.Decide(c.Outputs(row))
}

// Range returns a set of classes, the most probable first. Of ordered classes one that is not empty has the median, and all between its classes too.
func (c OutputCoding) Range(set []int, probabilities []float64) []int {
	if _, is := c.coding.(ranks); !is || len(set) == 0 {
		return set
	}
	median := middle(len(probabilities), func(class int) float64 { return probabilities[class] })
	low, high := min(median, slices.Min(set)), max(median, slices.Max(set))
	set = set[:0]
	for class := low; class <= high; class++ {
		set = append(set, class)
	}
	slices.SortStableFunc(set, func(a, b int) int { return cmp.Compare(probabilities[b], probabilities[a]) })
	return set
}

// Among returns the class that a row of probabilities decides for among all classes but one. There must be another.
func (c OutputCoding) Among(probabilities []float64, but int) int {
	share := func(class int) float64 {
		if class == but {
			return 0
		}
		return probabilities[class]
	}
	if _, is := c.coding.(ranks); is {
		return middle(len(probabilities), share)
	}
	best := map[bool]int{true: 1}[but == 0]
	for class := range probabilities {
		if share(class) > share(best) {
			best = class
		}
	}
	return best
}

// Several reports whether a point may have any of the classes, each by its own decision value.
func (c OutputCoding) Several() bool {
	_, is := c.coding.(each)
	return is
}

// Score turns the outputs [machine][point] of all machines into the decision values of a class. They may share memory with the outputs.
func (c OutputCoding) Score(outputs [][]float64, class int) []float64 {
	terms := c.Terms(class)
	if len(terms) == 1 && terms[0].Sign == 1 {
		return outputs[terms[0].Machine]
	}
	values := make([]float64, len(outputs[0]))
	for at, term := range terms {
		for i, f := range outputs[term.Machine] {
			if at == 0 {
				values[i] = term.Sign * f
			} else {
				values[i] += term.Sign * f
			}
		}
	}
	return values
}

// Scores turns the outputs [machine][point] of all machines into decision values
// [point][class]. Two classes have −f and f of their machine, and numbers f.
func (c OutputCoding) Scores(outputs [][]float64) [][]float64 {
	n, columns := len(outputs[0]), c.Columns()
	all, rows := make([]float64, n*columns), make([][]float64, n)
	for i := range rows {
		rows[i] = all[i*columns : (i+1)*columns]
	}
	for column := range columns {
		for i, value := range c.Score(outputs, column) {
			rows[i][column] = value
		}
	}
	return rows
}

// oneVsRest is so many classes with a machine each that is positive inside the class, or a single class.
type oneVsRest int

func (c oneVsRest) Machines() int { return max(1, int(c)) }

func (c oneVsRest) Columns() int { return c.Machines() }

func (c oneVsRest) Target(machine, class int) float64 { return sign(class == machine) }

func (c oneVsRest) Terms(class int) []Term { return []Term{{class, 1}} }

func (c oneVsRest) Outputs(row []float64) []float64 { return row }

func (c oneVsRest) decide(outputs []float64, tied float64) int {
	if c <= 1 && !(outputs[0] > tied) {
		return dataset.Unlabelled
	}
	return first(outputs, tied)
}

// graded is so many classes in an order, with a machine between neighbours that is positive above. The decision value of class c is how well the
// outputs agree with its targets,
//
//	Σ_m y_m(c)·f_m,   y_m(c) = 1 where c is above machine m, else −1
//
// so that neighbours differ by twice the output of the machine between them. Two classes have −f and f, and need no order.
type graded int

func (c graded) Machines() int { return int(c) - 1 }

func (c graded) Columns() int { return int(c) }

func (c graded) Target(machine, class int) float64 { return sign(class > machine) }

func (c graded) Terms(class int) []Term {
	terms := make([]Term, c.Machines())
	for machine := range terms {
		terms[machine] = Term{machine, c.Target(machine, class)}
	}
	return terms
}

func (c graded) Outputs(row []float64) []float64 {
	if c == 2 && row[0] == -row[1] {
		return row[1:]
	}
	outputs := make([]float64, c.Machines())
	for machine := range outputs {
		outputs[machine] = (row[machine+1] - row[machine]) / 2
	}
	return outputs
}

// decide is of two classes.
func (c graded) decide(outputs []float64, tied float64) int {
	if outputs[0] > tied {
		return 1
	}
	return 0
}

// ranks is so many classes that have an order.
type ranks struct{ graded }

func (c ranks) decide(outputs []float64, tied float64) int {
	if c.graded == 2 {
		return c.graded.decide(outputs, tied)
	}
	row := make([]float64, c.graded)
	for machine, f := range outputs {
		row[machine+1] = row[machine] + 2*f
	}
	return medianOf(row, 1)
}

// medianOf returns the median of classes in an order. Probabilities are exp(slope·f) over their sum, and the median is the first class up to which they
// sum to a half. No other class is nearer to a point in the mean of ranks.
func medianOf(row []float64, slope float64) int {
	most := slices.Max(row)
	return middle(len(row), func(class int) float64 { return math.Exp(slope * (row[class] - most)) })
}

// middle returns the first class up to which shares of all are a half together.
func middle(classes int, share func(class int) float64) int {
	all, sum := 0.0, 0.0
	for class := range classes {
		all += share(class)
	}
	for class := range classes {
		if sum += share(class); 2*sum >= all*(1-tied) {
			return class
		}
	}
	return classes - 1
}

// each is so many classes with a machine each, of which a point may have any.
type each struct{ oneVsRest }

func (each) decide([]float64, float64) int { return dataset.Unlabelled }

// number is the output of one machine as the answer.
type number struct{ oneVsRest }

func (number) decide([]float64, float64) int { return dataset.Unlabelled }

// first returns the largest of some outputs, the first of equal ones.
func first(outputs []float64, tied float64) int {
	best := 0
	for machine, f := range outputs {
		if f > outputs[best] {
			best = machine
		}
	}
	for machine, f := range outputs[:best] {
		if outputs[best]-f <= tied {
			return machine
		}
	}
	return best
}

func sign(positive bool) float64 {
	if positive {
		return 1
	}
	return -1
}
