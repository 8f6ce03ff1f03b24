package train

import (
	"cmp"
	"context"
	"math"
	"slices"

	"lapsvm/dataset"
	"lapsvm/internal/numbers/parallel"
	"lapsvm/internal/points/gram"
)

const (
	mostAsked = 100_000 // training points that tell which leads of landmarks decide
	seldom    = 10_000  // one of so many training points may be decided otherwise by its residual

	rowsTogether = 16384 // that one thread decides at a time
)

// DecisionsOf returns decision values that decide rows as those of [Predictor.ScoresOf] do, but for about one of 10,000. A row whose landmarks decide
// with a lead that residuals of training points do not overturn has the values of landmarks alone: its neighbours are not sought.
func (p *Predictor) DecisionsOf(ctx context.Context, d *dataset.Dataset) ([][]float64, error) {
	local := p.expansion.Local
	if local == nil || p.coding.Several() || p.coding.Columns() == 1 || p.leading != nil || p.beside != nil {
		return p.ScoresOf(ctx, d)
	}
	x, err := p.described(ctx, d)
	if err != nil {
		return nil, err
	}
	packed, err := p.pack(ctx)
	if err != nil {
		return nil, err
	}
	alone := *packed
	alone.Local = nil
	decides, err := p.decidingLead(ctx, &alone, local)
	if err != nil {
		return nil, err
	}
	scores := make([][]float64, x.Len())
	pieces := (x.Len() + rowsTogether - 1) / rowsTogether
	openOf := make([][]int, pieces)
	one := parallel.WithLimit(parallel.Unwatched(ctx), 1)
	failed := make([]error, pieces)
	err = parallel.Run(ctx, pieces, func(_, piece int) {
		from, to := piece*rowsTogether, min((piece+1)*rowsTogether, x.Len())
		outputs := zeroOutputs(len(p.expansion.Bias), to-from)
		if failed[piece] = alone.Values(one, outputs, p.scaling.Apply(x.Slice(from, to))); failed[piece] != nil {
			return
		}
		for k, row := range p.coding.Scores(outputs) {
			scores[from+k] = row
			if lead, _ := Lead(row); !(lead > decides) { // or not a number
				openOf[piece] = append(openOf[piece], from+k)
			}
		}
	})
	if err = cmp.Or(append(failed, err)...); err != nil {
		return nil, err
	}
	open := slices.Concat(openOf...)
	if len(open) == 0 {
		return scores, nil
	}
	rest, err := p.ScoresNear(ctx, x.Subset(open), nil)
	if err != nil {
		return p.ScoresOf(ctx, d) // which names the row
	}
	for k, i := range open {
		copy(scores[i], rest[k])
	}
	return scores, nil
}

// decidingLead returns the lead of landmarks above which one of [seldom] training points is decided otherwise with its residual.
func (p *Predictor) decidingLead(ctx context.Context, alone *gram.Packed, local *gram.Local) (float64, error) {
	n := local.Points.Len()
	rows := make([]int, min(n, mostAsked))
	for k := range rows {
		rows[k] = k * n / len(rows)
	}
	outputs := zeroOutputs(len(local.Residuals), len(rows))
	if err := alone.Values(ctx, outputs, local.Points.Subset(rows)); err != nil {
		return 0, err
	}
	scores := p.coding.Scores(outputs)
	before := p.Decide(scores)
	leads := make([]float64, len(rows))
	for k, row := range scores {
		leads[k], _ = Lead(row)
	}
	for c, residuals := range local.Residuals {
		for k, i := range rows {
			outputs[c][k] += float64(residuals[i])
		}
	}
	var overturned []float64
	for k, class := range p.Decide(p.coding.Scores(outputs)) {
		if class != before[k] {
			overturned = append(overturned, leads[k])
		}
	}
	slices.Sort(overturned)
	if at := len(overturned) - 1 - len(rows)/seldom; at >= 0 {
		return overturned[at], nil
	}
	return 0, nil
}

// Lead returns by how much the first class of a row of decision values leads: the largest value
// less the second. With two classes and with one it is the magnitude of the single value. It is NaN where a value is. Result
// second is the class with the second value, dataset.Unlabelled for one class.
func Lead(row []float64) (margin float64, second int) {
	first, second := 0, dataset.Unlabelled
	for c, v := range row[1:] {
		switch {
		case v > row[first]:
			first, second = c+1, first
		case second < 0 || v > row[second]:
			second = c + 1
		}
	}
	switch {
	case slices.ContainsFunc(row, math.IsNaN):
		margin = math.NaN()
	case len(row) > 2:
		margin = row[first] - row[second]
	default:
		margin = math.Abs(row[first])
	}
	return margin, second
}
