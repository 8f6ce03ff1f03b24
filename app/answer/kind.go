package answer

import (
	"context"
	"fmt"
	"strconv"

	"lapsvm"
	"lapsvm/dataset"
	"lapsvm/internal/machines/selection"
	"lapsvm/internal/machines/task"
	"lapsvm/points"
)

// Kind is a kind of label to those who use models. It gives the words for labels, and says what can be asked. A kind is a row, in a
// file of its own, and everybody else asks the row.
type Kind interface {
	// Classes reports whether labels are classes. Else they are numbers.
	Classes() bool
	// Single reports whether a row has one class at most, so that rows are counted by class.
	Single() bool
	// Each reports whether a row may have several classes, of which each is decided for itself.
	Each() bool
	// Outside reports whether a row may be of no class, as the only class there is need not have it.
	Outside() bool
	// Ordered reports whether classes have ranks, from the first, the lowest.
	Ordered() bool

	// Refuses says why a model, or a recipe, has no such output; the zero value where it may have it.
	Refuses(o Output) Refusal
	// Tensors returns the tensors of models of so many classes, the answer first.
	Tensors(classes int) []Tensor

	// Labels says what labels of so many classes are, as train has them and as a list of columns has them.
	Labels(classes int) (trained, column string)
	// Listed says which classes there are, by their names.
	Listed(names string) string
	// Seen says how wrong a model is on its labelled points, in a line and for the middle of a sentence.
	Seen(t lapsvm.Training) (line, clause string)
	// Expected says in a sentence what so many held-out labels tell of the error, "" where they tell nothing.
	Expected(e *lapsvm.Expected, n *lapsvm.ExpectedNumbers, held string) string
	// Gain returns what held-out labels tell of the gain by unlabelled points, with its standard error and unit.
	Gain(e *lapsvm.Expected) (gain, standardError float64, in Unit)
	// Repeated is the unit of [selection.Result.Gain].
	Repeated() Unit
	// Tuned has the words for a grid of machines by a recipe.
	Tuned(r lapsvm.Recipe) Tuned
	// Measures returns what evaluations measure, those with a baseline more.
	Measures(baseline bool) []Measure
	// Erred says how wrong the model of a repeat is.
	Erred(r selection.Result) string

	// Sums says what decision values are sums of, by the words for their parts and the names of the classes.
	Sums(parts string, classes []string) string
	// Decided says what an explanation is of, by the names of its class and of the label, and which way the decision value is decided: up, 1, or down, −1.
	Decided(x lapsvm.Explanation, class, label string) (text string, way float64)
	// Against names what speaks against the only class that an explanation is of, "" of numbers.
	Against(class string) string
	// Explained says what shares are of, by the names of its class and of the label, "" outside of the class.
	Explained(x lapsvm.ShareExplanation, class, label string) string

	// decide adds to p what decision values of described or other points say, with intervals of a level, 0 for none.
	decide(ctx context.Context, m *lapsvm.Model, points *points.Points, scores [][]float64, level float64, p *Predictions) error
	// has returns the classes that a row is said to have.
	has(p *Predictions, row int) []int
	// collect has rank 0 have the answers of all rows of d.
	collect(ctx context.Context, d *dataset.Dataset, rows []int, p *Predictions) error
	// scored returns the names of the columns of decision values, and which values they have.
	scored(classes []string) (names []string, which []int)
	// series returns the columns of predictions.
	series(p *Predictions) []dataset.Series
	// label is the prediction of a row as text.
	label(p *Predictions, row int) string
	// joined is a list of classes as text.
	joined(p *Predictions, classes []int) string
	// result adds the answers to their JSON.
	result(p *Predictions, r *Result)
	// sets adds to p the sets of a level.
	sets(m *lapsvm.Model, p *Predictions, probabilities [][]float64, far []bool, level float64) error
	// limit gives a class to the rows that have a probability of it of at least so much, and takes it from the others.
	limit(m *lapsvm.Model, p *Predictions, probabilities [][]float64, t Threshold)
	// class names the class that an explanation is of.
	class(p *Predictions, class int) string
	// called names what training points are labelled as in an explanation.
	called(e Shares, x lapsvm.ShareExplanation, label int) string
}

// KindOf returns the row of a kind of label. It alone tells kinds apart.
func KindOf(k task.Kind) Kind {
	switch k.Name {
	case task.OfOneClass:
		return oneClass{}
	case task.OfNumbers:
		return numbers{}
	case task.OfSeveral:
		return several{}
	case task.OfOrdered:
		return ordered{}
	}
	return classes{}
}

// Output is what may be asked of a model, beside its answer.
type Output int

// The outputs.
const (
	OfScores Output = iota
	OfProbabilities
	OfSets
	OfIntervals
	OfFolders    // of images by their classes
	OfLikeliest  // classes in the order of their probabilities, and one by a limit of its own
	OfValidation // of a tuning, by rows of its own
)

// Refusal is why there is no such output, as formats of the name of the model, or of the flag in Recipe.
type Refusal struct {
	File   string // of a model in a file
	Server string // of one that is served
	Recipe string // of one to be trained
}

// Tensor is a tensor of a model's answers.
type Tensor struct {
	Name, Datatype string
	Columns        int    // 0 for a tensor of one number a row
	Of             Output // which a model may lack; OfScores for what all have
}

// Tuned has the words for a grid of machines.
type Tuned struct {
	What      string // was measured
	Title     string // of so many held-out labels, %d
	Criterion string // that cells are compared by
	Machine   string // without unlabelled points
	Cell      string // format of an error in the table
	Error     string // and in a sentence
}

// Unit is the unit of a gain, and what a gain is, a loss, and neither.
type Unit struct{ Name, Gain, Loss, None string }

// Measure is one measure of an evaluation.
type Measure struct {
	Name, Title string // in JSON, and in a table, where "" leaves it out
	Get         func(selection.Result) float64
}

// count is a number of things.
func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// Rough writes a bound, in percent, with two digits, and 100 as it is.
func Rough(v float64) string {
	if v >= 99.5 {
		return "100"
	}
	return strconv.FormatFloat(v, 'g', 2, 64)
}
