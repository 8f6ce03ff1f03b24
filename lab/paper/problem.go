package paper

import (
	"context"
	"time"

	"lapsvm/dataset"
	"lapsvm/internal/machines/geometry"
	"lapsvm/internal/machines/selection"
	"lapsvm/internal/machines/task"
	"lapsvm/internal/numbers/objective"
	"lapsvm/internal/points/gram"
	"lapsvm/internal/points/graph"
	"lapsvm/points"
)

// problem is one split of a set, ready to be trained on.
type problem struct {
	set    *Set
	task   *task.Task
	y      []int // class of every training point
	hidden []int // the training points whose label is hidden

	outside    *points.Points // validation points, then test points
	outsideY   []int
	validation int // number of validation points

	geometry  *geometry.Geometry // its Gram matrix in float32, as it is kept by default
	laplacian *graph.Laplacian
	cross     *gram.Cross // of the validation points
	targets   [][]float64

	graphSeconds float64 // of weights and Laplacian, without the search for neighbours
}

// newProblem computes the Gram matrix and the graph of a split.
func newProblem(ctx context.Context, set *Set, src *source, split selection.Split) (*problem, error) {
	rows := split.Training()
	pr := &problem{set: set, task: &task.Task{Points: len(rows), Classes: make([]string, src.classes)}}
	keep := make(map[int]bool)
	for _, i := range split.Labelled {
		keep[i] = true
	}
	for k, i := range rows {
		class := src.class(src.all.Y[i])
		pr.y = append(pr.y, class)
		if keep[i] {
			pr.task.Labelled, pr.task.Class = append(pr.task.Labelled, k), append(pr.task.Class, class)
		} else {
			pr.hidden = append(pr.hidden, k)
		}
	}
	pr.targets = pr.task.Targets()
	test := src.test
	if test == nil {
		test = src.all.Subset(split.Test)
	}
	outside, err := dataset.Concat(src.all.Subset(split.Validation), test)
	if err != nil {
		return nil, err
	}
	pr.outside, pr.validation = outside.Points, len(split.Validation)
	for _, y := range outside.Y {
		pr.outsideY = append(pr.outsideY, src.class(y))
	}
	if pr.geometry, err = geometry.New(ctx, src.all.Points.Subset(rows), geometry.Options{Kernel: set.Kernel, Form: gram.FormHalf, Graph: set.Graph}); err != nil {
		return nil, err
	}
	start := time.Now()
	w, _, err := pr.geometry.Graph(ctx, set.Graph.Neighbours)
	if err != nil {
		pr.close()
		return nil, err
	}
	pr.laplacian = pr.geometry.Laplacian(w, set.Graph.Degree)
	pr.graphSeconds = time.Since(start).Seconds()
	if pr.cross, err = gram.NewCross(ctx, pr.outside.Slice(0, pr.validation), pr.geometry.Points(), set.Kernel); err != nil {
		pr.close()
		return nil, err
	}
	return pr, nil
}

func (pr *problem) close() { pr.geometry.Close() }

// objective states the problem for the weights of the norms, with a Gram matrix.
// The paper's primal machines have no bias.
func (pr *problem) objective(k objective.Operator, gammaA, gammaI float64) *objective.Problem {
	return &objective.Problem{K: k, L: pr.laplacian, Labelled: pr.task.Labelled, Targets: pr.targets, GammaA: gammaA, GammaI: gammaI, Bias: objective.NoBias}
}

// decide returns the class for the values of all machines.
func (pr *problem) decide(value func(machine int) float64) int {
	outputs := make([]float64, len(pr.targets))
	for machine := range outputs {
		outputs[machine] = value(machine)
	}
	return pr.task.Coding().Decide(outputs)
}

// count counts decisions, by class, and the wrong ones among them.
type count struct{ all, wrong []int }

func (pr *problem) newCount() count {
	classes := len(pr.task.Classes)
	return count{make([]int, classes), make([]int, classes)}
}

func (c count) add(decided, truth int) {
	c.all[truth]++
	if decided != truth {
		c.wrong[truth]++
	}
}

// errors returns how many are wrong.
func (c count) errors() (wrong int) {
	for _, w := range c.wrong {
		wrong += w
	}
	return wrong
}

// percent returns the error in percent: of all, or the mean of the classes.
func (c count) percent(macro bool) float64 {
	all, wrong, rates, classes := 0, 0, 0.0, 0
	for y, n := range c.all {
		all, wrong = all+n, wrong+c.wrong[y]
		if n > 0 {
			rates += float64(c.wrong[y]) / float64(n)
			classes++
		}
	}
	switch {
	case all == 0:
		return 0
	case macro:
		return 100 * rates / float64(classes)
	}
	return 100 * float64(wrong) / float64(all)
}

// at returns the error on training rows, of outputs [machine][row].
func (pr *problem) at(rows []int, f [][]float64) float64 {
	c := pr.newCount()
	for _, i := range rows {
		c.add(pr.decide(func(m int) float64 { return f[m][i] }), pr.y[i])
	}
	return c.percent(pr.set.Macro)
}

// beyond returns the errors on validation and test points, of outputs
// [machine][row of outside].
func (pr *problem) beyond(f [][]float64) (validation, test float64) {
	v, t := pr.newCount(), pr.newCount()
	for i, y := range pr.outsideY {
		c := t
		if i < pr.validation {
			c = v
		}
		c.add(pr.decide(func(m int) float64 { return f[m][i] }), y)
	}
	return v.percent(pr.set.Macro), t.percent(pr.set.Macro)
}

// validationErrors counts errors on the validation points, for the stopping
// checks: of all points, also where errors are reported as macro
// errors.
func (pr *problem) validationErrors(alpha [][]float64, b []float64) int {
	c := pr.newCount()
	for i := range pr.validation {
		c.add(pr.decide(func(m int) float64 { return pr.cross.Dot(i, alpha[m]) + b[m] }), pr.outsideY[i])
	}
	return c.errors()
}

// machineErrors counts the validation points that one machine puts on the wrong
// side.
func (pr *problem) machineErrors(machine int, alpha []float64) int {
	wrong := 0
	for i := range pr.validation {
		if pr.cross.Dot(i, alpha) > 0 != (pr.task.Coding().Target(machine, pr.outsideY[i]) > 0) {
			wrong++
		}
	}
	return wrong
}
