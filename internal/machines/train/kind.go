package train

import (
	"context"
	"fmt"
	"slices"

	"lapsvm/calibrate"
	"lapsvm/internal/machines/solve"
	"lapsvm/internal/machines/task"
	"lapsvm/internal/numbers/objective"
)

// kind is a row of the kinds of label: what a training does for the labels of a kind.
type kind struct {
	residuals bool // labels are numbers, of which losses are residuals and functions come out in the unit of the table
	alone     bool // labels are of one class, and machines have half of the bias in their objective
	each      bool // a point has a class or not by the sign of its machine, and a label may not be known of a machine

	criteria []Criterion // of which a recipe has one, the first by default

	without string // why a label has no class of its own, that a prior or costs could name; "" where it has
	changes string // why decisions cannot be compared by a stopping rule; "" where they can

	mostFolds int // that labels are held out in, by a solver that trains anew
	// holdOut returns outputs of labelled points by machines trained without their labels; nil where nothing is learnt of them.
	holdOut func(p *Problem, ctx context.Context, m *minimum, run Run) (*outOfFold, error)
	// learn returns how sure outputs are, by outputs that are held out.
	learn func(p *Problem, ctx context.Context, m *minimum, out *outOfFold, shift []float64) (Uncertainty, *HeldOut, error)
	// probable returns how decision values become probabilities, by those of labels that are held out. Those of a mean of views are logarithms of odds already.
	probable func(r Recipe, t *task.Task, h *HeldOut, mean bool) (Uncertainty, error)
	// trained tells of the error on labels that were trained on, by outputs [machine][label].
	trained func(s *Summary, known task.Known, labels []int, outputs [][]float64)
}

// Uncertainty is how sure the outputs of machines are, learnt from outputs at labels that the machines did not see.
type Uncertainty struct {
	Calibration *Calibration    // of one class a point; nil without probabilities
	Intervals   *Intervals      // of numbers; nil where they were not asked for
	Each        *calibrate.Each // of several classes at once; nil without probabilities
}

// Probabilities turn decision values into the probabilities of classes.
type Probabilities interface {
	// Probabilities writes those of a row of decision values to dst, which may be the row.
	Probabilities(dst, scores []float64)
	// LogOdds writes the logarithms of how much more probable classes are than others to dst, which may be the row. No probability counts as less than least.
	LogOdds(dst, scores []float64, least float64)
	// CheckLevel reports a level that sets of classes cannot have.
	CheckLevel(level float64) error
}

// Probabilities returns how decision values become probabilities, nil where they do not.
func (u Uncertainty) Probabilities() Probabilities {
	switch {
	case u.Each != nil:
		return u.Each
	case u.Calibration != nil:
		return u.Calibration
	}
	return nil
}

// Slope returns that of the calibration, 1 without one.
func (u Uncertainty) Slope() float64 {
	if u.Calibration == nil {
		return 1
	}
	return u.Calibration.Slope
}

// kindOf returns the row of a kind of label.
func kindOf(k task.Kind) kind {
	classes := kind{mostFolds: mostFolds, holdOut: (*Problem).holdOut, learn: (*Problem).learnProbabilities, probable: calibrated, trained: percentWrong}
	switch k.Name {
	case task.OfOneClass:
		return kind{alone: true, without: "a one-class machine has no class shares", mostFolds: mostFolds, trained: percentWrong}
	case task.OfNumbers:
		return kind{residuals: true, criteria: []Criterion{MeanSquared, MeanAbsolute}, without: "numbers have no classes", changes: "the rule compares decisions, which numbers are not", mostFolds: mostRetrained,
			holdOut: (*Problem).holdNumbersOut, learn: (*Problem).learnIntervals,
			trained: func(s *Summary, known task.Known, labels []int, outputs [][]float64) {
				s.TrainingRMSE = known.Error(labels, outputs)
			}}
	case task.OfSeveral:
		return kind{each: true, criteria: []Criterion{MeanF1, WrongAnswers}, without: "it is for rows of one class each", changes: "the rule compares decisions for one class", mostFolds: mostFolds,
			holdOut: (*Problem).holdOut, learn: (*Problem).learnProbabilities, probable: calibratedEach, trained: percentWrong}
	case task.OfOrdered:
		classes.trained = func(s *Summary, known task.Known, labels []int, outputs [][]float64) {
			s.TrainingDistance = known.Error(labels, outputs)
			for _, distance := range task.Errors(known, labels, outputs) {
				if distance > 0 {
					s.TrainingError += 100 / float64(len(labels))
				}
			}
		}
	}
	return classes
}

// kind returns the row of the labels of the recipe.
func (r Recipe) kind() kind { return kindOf(r.Kind) }

// percentWrong takes the error of labels in percent.
func percentWrong(s *Summary, known task.Known, labels []int, outputs [][]float64) {
	s.TrainingError = known.Error(labels, outputs)
}

// exclusionsOfKind are the settings that a kind of label excludes.
func exclusionsOfKind() []exclusion {
	return []exclusion{{"loss", marginsOfNumbers}, {"prior", classless(func(r Recipe) bool { return r.Prior != nil })},
		{"class_weight", classless(func(r Recipe) bool { return r.ClassWeight != nil && !r.kind().alone })}, {"stop", undecided}, {"solver", kindWithoutSolver}}
}

// classless is for a setting of classes that labels do not have each. is reports whether a recipe has the setting.
func classless(is func(r Recipe) bool) func(r Recipe) string {
	return func(r Recipe) string {
		if r.kind().without == "" || !is(r) {
			return ""
		}
		return r.kind().without + leaveOut
	}
}

// marginsOfNumbers is for a loss of margins, which numbers do not have.
func marginsOfNumbers(r Recipe) string {
	if r.kind().residuals && !r.Loss.OfResiduals() {
		numbers := slices.DeleteFunc(objective.Losses(), func(l objective.Loss) bool { return !l.OfResiduals() })
		return fmt.Sprintf("numbers have no classes to be on the right side of; choose %s", alternatives(texts(numbers)))
	}
	return ""
}

// undecided is for a stopping rule that compares decisions.
func undecided(r Recipe) string {
	if r.kind().changes != "" && solve.OfDecisions(r.Stop) {
		return r.kind().changes + "; choose another rule, or leave it out"
	}
	return ""
}

// kindWithoutSolver is for a solver that has no one-class machine, or knows every label of all machines.
func kindWithoutSolver(r Recipe) string {
	switch solver, known := methodOf(r.Solver); {
	case known && r.kind().alone && !solver.one:
		return fmt.Sprintf("the solver %s has no one-class machine"+leaveOut, r.Solver)
	case r.kind().each && r.Solver == Dual:
		return fmt.Sprintf("it cannot leave out what is not known of a row; choose %s", alternatives(texts(solversOf(objective.SquaredHinge, func(method) bool { return true }))))
	}
	return ""
}
