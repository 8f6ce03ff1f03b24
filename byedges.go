package lapsvm

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"lapsvm/calibrate"
	"lapsvm/dataset"
	"lapsvm/internal/machines/drift"
	"lapsvm/internal/machines/modelfile"
	"lapsvm/internal/machines/train"
	"lapsvm/internal/system/fault"
	"lapsvm/points"
)

// Featureless reports whether the model was trained on rows without a feature, of which edges alone are known. [Model.Features]
// are then the names of these rows, where they had some.
func (m *Model) Featureless() bool { return m.featureless }

// FeaturelessRows returns n new rows for a model of rows without a feature. Without edges each has the bias for its decision value.
func (m *Model) FeaturelessRows(n int) *points.Points {
	return points.CSR(m.Dim(), make([]int, n+1), nil, nil)
}

// JoinedRows returns how many training rows new rows may be joined to, see [Model.ScoresByEdges], and their names, nil
// where they go by their numbers. There are none of a model that was trained without given edges, and of a file of an older program.
func (m *Model) JoinedRows() (names []string, n int) {
	switch {
	case m.featureless:
		return m.Features(), m.Dim()
	case m.attachment == nil:
		return nil, 0
	}
	return slices.Clone(m.attachment.Names), len(m.attachment.Values[0])
}

// EdgesUnused reports whether the model was trained with given edges and goes without them, as it is supervised. Its training found that they do not
// help, or a supervised one was asked for. It has no [Model.JoinedRows].
func (m *Model) EdgesUnused() bool { return m.training.Unused }

// ScoresByEdges is [Model.Scores] of new rows p that edges join to the rows trained on, for a model that was trained with given edges.
// An arc joins the new row From to the training row To, both from 0 on. With the decision value g_i of the features of row i, f_j of training
// row j and the bias b, the decision value of row i is
//
//	f_i = b + t_i (g_i − b) + (1 − t_i) Σ_j w_ij (f_j − b) / Σ_j |w_ij|
//
// where [train.EdgesWeigh.OfFeatures] has the share t_i of the features: it is what the norms of the training leave to them beside its edges. A row without
// an arc has g_i. Rows without a feature have t = 0: the mean of the rows that they are joined to, where weights are positive.
//
// Repeated arcs are added. A row has no say in the decision of another. It fails with [ErrParameter] for a model without [Model.JoinedRows], for arcs of other rows and for
// weights that are not finite, and where Scores does. (Delalleau, Bengio, Le Roux, "Efficient Non-Parametric Function Induction in
// Semi-Supervised Learning", 2005.)
func (m *Model) ScoresByEdges(ctx context.Context, p *points.Points, arcs []dataset.Arc) ([][]float64, error) {
	scores, err := m.Scores(ctx, p)
	if err != nil {
		return nil, err
	}
	return scores, m.attach(ctx, scores, arcs)
}

// IntervalsByEdges is [Model.Intervals] of new rows without a feature, whose numbers are those of [Model.ScoresByEdges]. Of a row without an arc nothing
// is known, so it may be as any row trained on: its ends are further out by
//
//	the ⌈n·level⌉-th smallest of |f_j − b|, see [calibrate.Rank]
//
// with the n decision values f_j of the rows trained on and the bias b. IntervalsByEdges fails with [ErrParameter] for a model of features, and
// where ScoresByEdges and Intervals do.
func (m *Model) IntervalsByEdges(ctx context.Context, p *points.Points, arcs []dataset.Arc, level float64) (values, low, high []float64, err error) {
	if !m.featureless {
		return nil, nil, nil, train.OfKind(ErrParameter, fault.Errorf("intervals are about features, which edges move: take the one or the other"))
	}
	if _, low, high, err = m.Intervals(ctx, p, level); err != nil {
		return nil, nil, nil, err
	}
	scores, err := m.ScoresByEdges(ctx, p, arcs)
	if err != nil {
		return nil, nil, nil, err
	}
	trained, err := m.joined(ctx)
	if err != nil {
		return nil, nil, nil, err
	}
	b, apart := m.expansion().Bias[0], make([]float64, len(trained))
	for j, f := range trained {
		apart[j] = math.Abs(f[0] - b)
	}
	slices.Sort(apart)
	further := slices.Repeat([]float64{apart[calibrate.Rank(level, len(apart))-1]}, p.Len())
	for _, a := range arcs {
		further[a.From] = 0
	}
	values = train.ValuesOf(scores)
	for i, v := range values { // Intervals has them about b
		low[i], high[i] = low[i]+v-b-further[i], high[i]+v-b+further[i]
	}
	return values, low, high, nil
}

// DriftByEdges is [Model.Drift] of rows that edges join to the rows trained on: the decision values are those of [Model.ScoresByEdges].
// Where it fails for the arcs, so does DriftByEdges.
func (m *Model) DriftByEdges(ctx context.Context, d *dataset.Dataset, arcs []dataset.Arc) (report *drift.Report, scores [][]float64, err error) {
	return m.drift(ctx, d, func(scores [][]float64) error { return m.attach(ctx, scores, arcs) })
}

// newAttachment returns what the model keeps of rows trained on with given edges, whose decision values the training has. It is nil of other models, and of rows
// without a feature, of which the expansion has them.
func (m *Model) newAttachment(d *dataset.Dataset) *modelfile.Attachment {
	if m.training.Edges == nil {
		return nil
	}
	j := &modelfile.Attachment{Names: d.Edges.Names, Values: make([][]float64, m.Machines())}
	for _, row := range m.training.Scores {
		for machine, f := range m.predictor.Coding().Outputs(row) {
			j.Values[machine] = append(j.Values[machine], f)
		}
	}
	return j
}

// joined returns the decision values [row][class] of the rows trained on.
func (m *Model) joined(ctx context.Context) ([][]float64, error) {
	if m.attachment != nil {
		return m.predictor.Coding().Scores(m.attachment.Values), nil
	}
	n := m.Dim()
	start, index, value := make([]int, n+1), make([]int32, n), make([]float64, n)
	for i := range n {
		start[i+1], index[i], value[i] = i+1, int32(i), 1
	}
	return m.Scores(ctx, points.CSR(n, start, index, value))
}

// attach moves decision values [row][class] of features to those of [Model.ScoresByEdges].
func (m *Model) attach(ctx context.Context, scores [][]float64, arcs []dataset.Arc) error {
	_, known := m.JoinedRows()
	if known == 0 {
		return train.OfKind(ErrParameter, errors.New("the model was trained without given edges, and decides rows by their features alone"))
	}
	rows := make([]map[int]float64, len(scores))
	for k, a := range arcs {
		if a.From < 0 || a.From >= len(scores) || a.To < 0 || a.To >= known || math.IsNaN(a.Weight) || math.IsInf(a.Weight, 0) {
			return train.OfKind(ErrParameter, fmt.Errorf("arc %d joins the new row %d of %d to the training row %d of %d with the weight %v", k+1, a.From+1, len(scores), a.To+1, known, a.Weight))
		}
		if rows[a.From] == nil {
			rows[a.From] = make(map[int]float64)
		}
		rows[a.From][a.To] += a.Weight
	}
	of, err := m.joined(ctx)
	if err != nil {
		return err
	}
	bias := make([][]float64, m.Machines())
	for machine, b := range m.expansion().Bias {
		bias[machine] = []float64{b}
	}
	b, weigh := m.predictor.Coding().Scores(bias)[0], m.training.Edges
	if m.featureless { // nothing is beside edges
		weigh = new(train.EdgesWeigh)
	}
	for i, row := range rows {
		var to []int
		largest := 0.0
		for j, w := range row {
			if w != 0 {
				to, largest = append(to, j), max(largest, math.Abs(w))
			}
		}
		if len(to) == 0 {
			continue
		}
		slices.Sort(to)
		sum, mean := 0.0, make([]float64, len(b)) // in units of the largest, which no sum of weights overflows
		for _, j := range to {
			w := row[j] / largest
			sum += math.Abs(w)
			for c := range mean {
				mean[c] += w * (of[j][c] - b[c])
			}
		}
		t := weigh.OfFeatures(sum * largest)
		for c := range mean {
			scores[i][c] = b[c] + t*(scores[i][c]-b[c]) + (1-t)*mean[c]/sum
		}
	}
	return nil
}
