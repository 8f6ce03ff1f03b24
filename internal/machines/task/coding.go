package task

import "lapsvm/dataset"

// Coding is the one-vs-rest code of a number of classes: the machines, their
// targets for a point of each class, and the class that their outputs decide
// for. One class has one machine, positive inside the class. Two classes share
// one, positive for the second. More have one each. [Numbers] have one, whose
// output is the answer. [SeveralOf] classes at once have one machine each.
type Coding int

// Numbers is the code of a regression, which has no classes.
const Numbers Coding = 0

// SeveralOf is the code of points that have any of so many classes at once. It panics without a class, which would be the code of numbers.
func SeveralOf(classes int) Coding {
	if classes < 1 {
		panic("task: SeveralOf without a class")
	}
	return Coding(-classes)
}

// CodingOf is the code of so many classes, of which a point may have several.
func CodingOf(classes int, several bool) Coding {
	if several {
		return SeveralOf(classes)
	}
	return Coding(classes)
}

// Several reports whether a point may have several classes.
func (c Coding) Several() bool { return c < 0 }

// Machines returns the number of machines.
func (c Coding) Machines() int {
	if c == 2 {
		return 1
	}
	return c.Columns()
}

// Columns returns the number of decision values of a point.
func (c Coding) Columns() int { return max(1, int(c), -int(c)) }

// Target returns y of a machine for the points of a class, −1 or +1; −1 for a class
// that the task does not know.
func (c Coding) Target(machine, class int) float64 {
	if c == 2 {
		machine = 1 // the class that the only machine is positive for
	}
	if class == machine {
		return 1
	}
	return -1
}

// Machine returns the machine with the decision values of a class, and their
// sign for that class.
func (c Coding) Machine(class int) (machine int, sign float64) {
	if c == 2 {
		return 0, float64(2*class - 1)
	}
	return class, 1
}

// Decide returns the class that the outputs of all machines at a point decide
// for. With several machines it is the class of the largest output, the first
// of equal ones. With one machine it is the class of the output's sign, where 0
// is negative. Outside of a single class, of numbers and of several classes, it is dataset.Unlabelled.
func (c Coding) Decide(outputs []float64) int { return c.decide(outputs, 0) }

// tied is a difference of outputs that rounding makes. Outputs at labels left out are computed from targets of magnitude 1, so that their
// rounding knows the class.
const tied = 1e-9

// decide is Decide, where outputs that differ by less than tied are equal.
func (c Coding) decide(outputs []float64, tied float64) int {
	switch {
	case c.Several():
		return dataset.Unlabelled
	case len(outputs) > 1:
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
	case c == 1 && outputs[0] > tied:
		return 0
	case c <= 1:
		return dataset.Unlabelled
	case outputs[0] > tied:
		return 1
	}
	return 0
}

// DecideScores returns the class that a row of decision values means, one of
// every class as [Coding.Scores] makes them.
func (c Coding) DecideScores(row []float64) int { return c.Decide(c.Outputs(row)) }

// Outputs returns the outputs of the machines of a row of decision values, which share its memory.
func (c Coding) Outputs(row []float64) []float64 {
	if c == 2 {
		return row[1:]
	}
	return row
}

// Scores turns the outputs [machine][point] of all machines into decision values
// [point][class]. Two classes have −f and f of their machine, and numbers f.
func (c Coding) Scores(outputs [][]float64) [][]float64 {
	n, classes := len(outputs[0]), c.Columns()
	all := make([]float64, n*classes)
	rows := make([][]float64, n)
	for i := range rows {
		rows[i] = all[i*classes : (i+1)*classes]
		for class := range rows[i] {
			machine, sign := c.Machine(class)
			rows[i][class] = sign * outputs[machine][i]
		}
	}
	return rows
}
