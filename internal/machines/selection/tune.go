package selection

import (
	"context"
	"fmt"
	"math"
	"slices"

	"lapsvm/dataset"
	"lapsvm/internal/machines/deformed"
	"lapsvm/internal/machines/train"
	"lapsvm/internal/numbers/parallel"
	"lapsvm/internal/points/gram"
	"lapsvm/internal/system/fault"
)

// Grid says which weights of the two norms [Tune] tries, and how it measures
// them.
type Grid struct {
	GammaA, GammaI []float64 // default [DefaultGrid] each; no value twice
	Folds          int       // hold out the labels in so many folds; 0 means one by one
}

// DefaultGrid returns the paper's grid, 1e-6, 1e-4, 0.01, 0.1, 1, 10 and 100.
func DefaultGrid() []float64 { return []float64{1e-6, 1e-4, 1e-2, 1e-1, 1, 10, 100} }

// TunedCell is the result of [Tune] for one pair of weights, from held-out
// labels.
type TunedCell struct {
	GammaA        float64 `json:"gamma_a"`
	GammaI        float64 `json:"gamma_i"`
	Error         float64 `json:"error"`          // percent of the held-out labels, or of their answers for several classes, or the root of the mean squared error of numbers
	StandardError float64 `json:"standard_error"` // of the error, as other labels would have it; 0 of one label
	Loss          float64 `json:"loss"`           // squared hinge per held-out label, summed over the machines; of numbers the criterion, in units of their deviation
	Freedom       float64 `json:"freedom"`        // effective degrees of freedom, tr S(S + I)⁻¹: small is smooth
	Close         bool    `json:"close"`          // its loss exceeds the best by no more than a standard error of the difference
}

// Tuning is the result of [Tune].
type Tuning struct {
	Cells       []TunedCell // γA by γA, each with every γI
	Best        int         // the cell of the smallest loss
	Recommended int         // the smoothest of the close ones
	Supervised  TunedCell   // the best supervised machine, γI = 0, over the same γA
	// Expected is what to expect on new points of the recommended cell and of the supervised machine. The
	// errors of cells tell less, as the same labels choose among these. It is nil where the labels are too few.
	Expected *train.Expected
	Numbers  *train.ExpectedNumbers // the same of a regression, which has no Expected
	Verdict  train.Verdict          // on the unlabelled points
	HeldOut  string                 // how labels were held out
	Labels   int                    // how many
	Rank     int                    // of the Gram matrix
	Recipe   train.Recipe           // with the recommended weights
}

// Tune trains on d with every pair of weights of the grid, exactly, and
// measures each pair on held-out labels. These are run.Validation where it is
// given, else the labels of d, one at a time or in folds; a held-out point
// stays as an unlabelled one. What to expect on new points is told by labels that
// had no part in the choice: weights are chosen again without blocks of labels, by
// machines of the squared loss. One factorization serves all cells, so that they
// cost little more than a few trainings by Newton's method. GammaA, GammaI and
// Solver of the recipe do not matter, and its other open settings follow rules
// of thumb. A label that is the only one of its class is not held out. Of several classes at once an error is a wrong answer whether a row
// has a class, by the sign of the decision value. Labels that are not known of every class count as none. It fails
// where [train.Fit] does; memory and time are those of the solver Deformed.
func Tune(ctx context.Context, d *dataset.Dataset, r train.Recipe, grid Grid, run train.Run) (*Tuning, error) {
	if err := run.Check(d); err != nil {
		return nil, err
	}
	cells, err := grid.cells()
	if err != nil {
		return nil, train.OfKind(train.ErrParameter, err)
	}
	if d, r, err = Describe(ctx, d, r, run); err != nil {
		return nil, err
	}
	if r, err = Scale(ctx, d, r, run); err != nil {
		return nil, err
	}
	if kindOf(r.Kind).each {
		if run.Validation != nil {
			return nil, train.OfKind(train.ErrParameter, fault.Errorf("validation points are of one class each, and rows may have several: leave them out, so that labels are held out"))
		}
		if d, err = completeAlone(d, r.Kind.Separator); err != nil {
			return nil, train.OfKind(train.ErrData, err)
		}
	}
	given := r
	r.Solver, r.GammaA, r.GammaI, r.Supervised, r.Members, r.Gram = "", cells[0].A, cells[0].I, false, nil, ""
	if r.Loss.Valid() {
		r = r.By(train.Exact(r.Loss))
	}
	validation := run.Validation
	run.Validation = nil
	s, err := train.Begin(ctx, d, r, run)
	if err != nil {
		return nil, err
	}
	defer s.Geometry.Close()
	factor, err := s.Geometry.Factor(ctx)
	if err != nil {
		return nil, train.OfKind(train.ErrParameter, err)
	}
	e := examination{columns: s.Columns()}
	var v *train.Validation
	if validation != nil {
		if v, err = train.NewValidation(ctx, validation, s.Preprocessing, s.Task); err != nil {
			return nil, train.OfKind(train.ErrData, err)
		}
		if e.cross, err = gram.NewCross(ctx, v.Points, s.Geometry.Points(), s.Geometry.Kernel()); err != nil {
			return nil, err
		}
	}
	if e.heldOut = newHeldOut(s.Task, v, r.Criterion); e.heldOut == nil {
		return nil, train.OfKind(train.ErrData, errNoneHeldOut)
	}
	if v == nil && grid.Folds > 0 && grid.Folds < len(e.count) {
		e.name, e.folds = fmt.Sprintf("%d folds", grid.Folds), s.Task.Deal(grid.Folds)
	}
	if len(e.count) < FewestReported {
		e.blocks = nil
	}
	view, err := factor.Reduction(ctx, s.Problem.L, s.Task.Labelled, s.Problem.Bias)
	if err != nil {
		return nil, err
	}
	asked, freedom := make([]examined, len(cells)), make([]float64, len(cells))
	if err := view.Each(ctx, cells, func(i int, c *deformed.Problem) error {
		var err error
		if asked[i], err = e.examine(ctx, c); err != nil {
			return err
		}
		freedom[i] = c.Freedom(ctx)
		if run.Compared != nil {
			run.Compared(i+1, len(cells))
		}
		return ctx.Err()
	}); err != nil {
		return nil, train.OfKind(train.ErrParameter, err)
	}
	tuning := &Tuning{HeldOut: e.name, Labels: len(e.count), Rank: factor.Rank()}
	tuning.judge(cells, asked, freedom)
	if wrong, baselines := e.again(cells, asked, freedom); e.numbers() {
		tuning.Numbers, tuning.Verdict = expectNumbers(wrong, baselines, s.Task.Unit, e.share())
	} else {
		tuning.Expected, tuning.Verdict = Expect(e.Worst(), wrong, baselines, nil, e.share(), 1)
	}
	recommended := tuning.Cells[tuning.Recommended]
	tuning.Recipe = s.Recipe
	tuning.Recipe.GammaA, tuning.Recipe.GammaI = recommended.GammaA, recommended.GammaI
	tuning.Recipe.Solver, tuning.Recipe.Precision, tuning.Recipe.Gram = given.Solver, given.Precision, given.Gram
	return tuning, nil
}

// cells lists the pairs of weights, and after them supervised machines.
func (g Grid) cells() ([]deformed.Gammas, error) {
	if g.GammaA == nil {
		g.GammaA = DefaultGrid()
	}
	if g.GammaI == nil {
		g.GammaI = DefaultGrid()
	}
	for _, weights := range [][]float64{g.GammaA, g.GammaI} {
		for k, v := range weights {
			if slices.Contains(weights[:k], v) {
				return nil, fault.Errorf("the grid has the weight %v twice: leave one of them out", v)
			}
		}
	}
	var cells, baselines []deformed.Gammas
	for _, a := range g.GammaA {
		for _, i := range g.GammaI {
			if !(a > 0) || !(i > 0) || math.IsInf(a, 1) || math.IsInf(i, 1) {
				return nil, fmt.Errorf("the grid has the weights %v and %v: they must be positive", a, i)
			}
			cells = append(cells, deformed.Gammas{A: a, I: i})
		}
		baselines = append(baselines, deformed.Gammas{A: a})
	}
	if len(cells) == 0 || g.Folds < 0 || g.Folds == 1 {
		return nil, fault.Errorf("the grid has %d cells, and labels are held out in %d folds: give at least one cell, and 0 or at least 2 folds", len(cells), g.Folds)
	}
	return append(cells, baselines...), nil
}

// examination asks machines about held-out labels. They are trained exactly, with the loss of a recipe.
type examination struct {
	*heldOut
	columns deformed.Columns
	cross   *gram.Cross // kernel values of validation points; nil without
	folds   [][]int     // of labelled points; nil means one by one
}

// examined is what the machines of a cell say of the labels that count.
type examined struct {
	error         float64 // of the labels that count
	standardError float64 // of it
	losses        []float64
	unseen        []heldOutEstimate // of the squared loss, without each block; nil where rounding leaves none
}

// examine trains all machines of a cell.
func (e examination) examine(ctx context.Context, c *deformed.Problem) (examined, error) {
	outputs, solutions := make([][]float64, len(e.columns.Targets)), make([]*deformed.Solution, len(e.columns.Targets))
	parallel.Do(ctx, len(outputs), func(_, column int) {
		machine := e.columns.Machine(c, column)
		at, values := machine.Solve(ctx, nil), make([]float64, e.Len())
		solutions[column] = at
		switch {
		case e.cross != nil: // all together
		case e.folds != nil:
			for _, fold := range e.folds {
				for i, v := range machine.HeldOut(ctx, at, fold) {
					values[fold[i]] = v
				}
			}
		default:
			values = machine.LeaveOneOut(ctx, at)
		}
		outputs[column] = values
	})
	if e.cross != nil {
		alpha, _, err := c.Expansions(ctx, solutions)
		if err != nil {
			return examined{}, err
		}
		for column, values := range outputs {
			for i := range values {
				values[i] = e.cross.Dot(i, alpha[column]) + solutions[column].B
			}
		}
	}
	known := examined{losses: e.losses(outputs, e.count)}
	known.error, known.standardError = e.measure(outputs)
	known.unseen = e.withoutBlocks(ctx, c.Smoother(ctx, e.columns), outputs, nil)
	return known, ctx.Err()
}

// measure returns the error of the labels that count and its standard error. Both follow from the errors of single labels. A root of a
// mean varies as its derivative has it.
func (e examination) measure(outputs [][]float64) (value, standardError float64) {
	value = e.Error(e.count, outputsAt(outputs, e.count))
	each := make([]float64, len(e.count))
	for at := range each {
		label := e.count[at : at+1]
		if each[at] = e.Error(label, outputsAt(outputs, label)); e.numbers() && value > 0 {
			each[at] *= each[at] / (2 * value)
		}
	}
	_, standardError = paired(each, make([]float64, len(each)))
	return value, standardError
}

// again makes the choice without each block of labels, and asks the recommended cell and the supervised
// machine about the block. It returns which labels the two get wrong, nil where neither can be
// asked.
func (e examination) again(cells []deformed.Gammas, all []examined, freedom []float64) (wrong, baselines []float64) {
	var asked []int
	for i := range cells {
		if all[i].unseen != nil {
			asked = append(asked, i)
		}
	}
	cells, freedom, all = of(cells, asked), of(freedom, asked), of(all, asked)
	for at, b := range e.blocks {
		losses := make([][]float64, len(asked))
		for k := range losses {
			losses[k] = all[k].unseen[at].losses
		}
		r := rank(cells, losses, freedom)
		if r.best < 0 || r.supervised < 0 {
			return nil, nil
		}
		wrong = append(wrong, e.wrong(all[r.recommended].unseen[at].outputs, b.labels)...)
		baselines = append(baselines, e.wrong(all[r.supervised].unseen[at].outputs, b.labels)...)
	}
	return wrong, baselines
}

// ranking is the places of cells among those of a list.
type ranking struct {
	best        int    // by loss, among those of the grid; −1 where it has none
	recommended int    // the smoothest of those of the grid that are close to the best
	supervised  int    // the best by loss among those with γI = 0; −1 where there are none
	close       []bool // of the grid
}

// rank ranks cells by their losses of held-out labels. Of cells of equal loss the smoother is better.
func rank(cells []deformed.Gammas, losses [][]float64, freedom []float64) ranking {
	r := ranking{best: -1, supervised: -1, close: make([]bool, len(cells))}
	better := func(i, j int) bool {
		if j < 0 {
			return true
		}
		x, y := mean(losses[i]), mean(losses[j])
		return x < y || x == y && freedom[i] < freedom[j]
	}
	for i, cell := range cells {
		switch {
		case cell.I > 0 && better(i, r.best):
			r.best = i
		case cell.I == 0 && better(i, r.supervised):
			r.supervised = i
		}
	}
	r.recommended = r.best
	for i, cell := range cells {
		if cell.I == 0 {
			continue
		}
		difference, standardError := paired(losses[i], losses[r.best])
		if r.close[i] = difference <= standardError; r.close[i] && freedom[i] < freedom[r.recommended] {
			r.recommended = i
		}
	}
	return r
}

// judge sets the cells and their places.
func (t *Tuning) judge(cells []deformed.Gammas, asked []examined, freedom []float64) {
	losses := make([][]float64, len(asked))
	for i := range asked {
		losses[i] = asked[i].losses
	}
	r := rank(cells, losses, freedom)
	for i, e := range asked {
		cell := TunedCell{GammaA: cells[i].A, GammaI: cells[i].I, Error: e.error, StandardError: e.standardError, Loss: mean(e.losses), Freedom: freedom[i], Close: r.close[i]}
		switch {
		case cell.GammaI > 0:
			t.Cells = append(t.Cells, cell)
		case i == r.supervised:
			t.Supervised = cell
		}
	}
	t.Best, t.Recommended = r.best, r.recommended
}
