package lapsvm

import (
	"context"
	"errors"
	"math"
	"slices"

	"lapsvm/dataset"
	"lapsvm/internal/machines/drift"
	"lapsvm/internal/machines/modelfile"
	"lapsvm/internal/machines/train"
	"lapsvm/internal/points/gram"
	"lapsvm/points"
)

// Profile returns the summary of the training points that [Model.Drift] compares others
// with. It is nil for a model file of an older program. It must not be changed.
func (m *Model) Profile() *drift.Profile { return m.profile }

// Drift reports how the points of d differ from the training points, and returns the
// decision values of d, which it computes on the way. It compares
//
//   - the ranges of the columns, before any scaling;
//   - the distance of every row to the nearest basis point, or with a [Model.Local] to the
//     nearest training point;
//   - the shares of the predicted classes;
//   - the shares of missing values of a table, and of values that the training did not have.
//
// Distances are between scaled points: ‖x − y‖, or ‖x − y‖₁ for a kernel of that distance.
// With the kernels linear and precomputed, which have no basis points, the length of the
// scaled row takes the place of the distance. Where the scaling makes all lengths 1, it is
// the length before.
//
// The report is nil for a model file of an older program that has no [Model.Profile]. Drift
// fails where [Model.Scores] does. Cost: that of Scores, a comparison for each kernel value,
// and one pass over the points.
//
// Where ranks share d, the report is on the rows of all, and the decision values are those of the
// rank's own rows.
func (m *Model) Drift(ctx context.Context, d *dataset.Dataset) (report *drift.Report, scores [][]float64, err error) {
	return m.drift(ctx, d, func([][]float64) error { return nil })
}

// drift is Drift with decision values that are moved.
func (m *Model) drift(ctx context.Context, d *dataset.Dataset, move func(scores [][]float64) error) (report *drift.Report, scores [][]float64, err error) {
	if err := d.CheckPoints(); err != nil {
		return nil, nil, train.OfKind(ErrData, err)
	}
	if m.profile == nil {
		if scores, err = m.Scores(ctx, d.Points); err != nil {
			return nil, nil, err
		}
		return nil, scores, move(scores)
	}
	p, err := m.predictor.Describe(ctx, d.Points)
	if err != nil {
		return nil, nil, err
	}
	scores, measure, err := m.measure(ctx, p, d.Points, m.enough())
	if err != nil {
		return nil, nil, err
	}
	if err := move(scores); err != nil {
		return nil, nil, err
	}
	if report, err = m.profile.Compare(ctx, d.Ranks(), d.Points, d.Own(), d.Len(), measure, m.countClasses(scores, nil)); err != nil {
		return nil, nil, err
	}
	for k := range report.Columns {
		m.inUnits(&report.Columns[k])
	}
	if len(d.Missing.Columns) == len(m.profile.Missing) && d.Missing.Rows > 0 {
		report.Missing = drift.CompareMissing(m.profile.Missing, m.profile.MissingOf, d.Missing.Columns, d.Missing.Rows)
		rare, unseen := m.unseen(d.Unseen)
		report.Unseen = drift.CompareMissing(rare, m.profile.MissingOf, unseen, d.Missing.Rows)
	}
	return report, scores, nil
}

// unseen returns for every column of the encoding how many rows have a value that the training did not have, and how many
// training rows were at most the only ones with their value. Of the same source as large a share of rows has a new value. There are at most as
// many such rows as values. Of a text this is not known, and half of the rows are taken.
func (m *Model) unseen(all []dataset.Unseen) (rare, rows []int) {
	columns := m.encoding.Columns
	rare, rows = make([]int, len(columns)), make([]int, len(columns))
	for k := range columns {
		c := &columns[k]
		if at := slices.IndexFunc(all, func(u dataset.Unseen) bool { return u.Column == c.Name }); at >= 0 {
			rows[k] = all[at].Rows
			if rare[k] = min(len(c.Values), m.profile.MissingOf); c.Kind == dataset.Text {
				rare[k] = m.profile.MissingOf / 2
			}
		}
	}
	return rare, rows
}

// ScoresFar returns the decision values of points, as [Model.Scores] does, and for every
// point whether it is far from the training points, as [Model.Drift] judges rows. A point is
// far where its distance is more than twice the 99th percentile of the distances between
// training points. A length is also far below half the 1st percentile. far is nil for a
// model file of an older program that has no [Model.Profile]. ScoresFar fails where Scores
// does. Cost: that of Scores, and a comparison for each kernel value.
func (m *Model) ScoresFar(ctx context.Context, p *points.Points) (scores [][]float64, far []bool, err error) {
	if m.profile == nil || m.profile.Rows == nil {
		scores, err = m.Scores(ctx, p)
		return scores, nil, err
	}
	described, err := m.predictor.Describe(ctx, p)
	if err != nil {
		return nil, nil, err
	}
	scores, measure, err := m.measure(ctx, described, p, m.enough())
	if err != nil {
		return nil, nil, err
	}
	far = make([]bool, len(measure))
	for i, v := range measure {
		far[i] = m.profile.Rows.Far(v)
	}
	return scores, far, nil
}

// enough asks for distances no more exactly than it takes to tell which rows are far.
func (m *Model) enough() *gram.Nearest {
	near := &gram.Nearest{}
	if m.profile.Rows != nil {
		near.Enough = m.profile.Rows.Limit()
	}
	return near
}

// measure returns the decision values of points, described and as they were read, and of every row its distance or length:
// see [Model.Drift]. near says how distances are asked for.
func (m *Model) measure(ctx context.Context, p, asRead *points.Points, near *gram.Nearest) (scores [][]float64, measure []float64, err error) {
	byLength := m.measures() != drift.Distance
	if byLength {
		near = nil
	}
	if scores, err = m.predictor.ScoresNear(ctx, p, near); err == nil {
		scores, err = m.predictor.Mean(ctx, scores, asRead)
	}
	if err != nil {
		return nil, nil, err
	}
	if !byLength {
		return scores, near.Distance, nil
	}
	if s := m.predictor.Scaling(); s.Kind != points.UnitNorm {
		p = s.Apply(p)
	}
	measure = make([]float64, p.Len())
	for i, square := range p.Squares() {
		measure[i] = math.Sqrt(square)
	}
	return scores, measure, nil
}

func (m *Model) measures() drift.Measure {
	if m.Kernel().Kind().Linear {
		return drift.Length
	}
	return drift.Distance
}

// newProfile makes the profile of the data that the model was trained on, as they are described. Where decision
// values are not finite the profile has columns alone. It fails when ctx is done.
func (m *Model) newProfile(ctx context.Context, d *dataset.Dataset) (*drift.Profile, error) {
	profile := &drift.Profile{Points: d.Points.Len()}
	if p := d.AsRead(); p != nil && !d.Featureless {
		profile.Columns = drift.Columns(p, measured(d.Encoding))
	}
	profile.Missing, profile.MissingOf = d.Missing.Columns, d.Missing.Rows
	sample := drift.Sample(d.Points.Len())
	asRead := d.AsRead()
	if asRead != nil {
		asRead = asRead.Subset(sample)
	}
	scores, measure, err := m.measure(ctx, d.Points.Subset(sample), asRead, &gram.Nearest{Self: m.keptSelves(sample)})
	if errors.Is(err, ErrData) {
		return profile, nil
	}
	if err != nil {
		return nil, err
	}
	if !d.Featureless { // of which new rows are means, and so shorter
		profile.Rows = drift.NewRows(m.measures(), measure)
	}
	// Labelled points may have been chosen by their class.
	var open []int
	for k, i := range sample {
		if d.Y[i] == dataset.Unlabelled {
			open = append(open, k)
		}
	}
	if 2*len(open) < len(sample) {
		open = nil
	}
	if !m.kind().shares {
		return profile, nil
	}
	profile.Classes = m.countClasses(scores, open)
	if m.origin != nil {
		m.withoutSelf(scores, d.Points.Subset(sample), sample)
		profile.Without = m.countClasses(scores, open)
	}
	return profile, nil
}

// measured returns the features of a table whose ranges mean something; nil means all features.
func measured(e *dataset.Encoding) []int {
	if !e.Learnt() {
		return nil
	}
	features, at := []int{}, 0
	for k := range e.Columns {
		c := &e.Columns[k]
		for range c.Width() {
			if c.Measured() {
				features = append(features, at)
			}
			at++
		}
	}
	return features
}

// selves returns for each of some rows of the training data the point of o made from it, −1
// for none. It returns nil where o is nil.
func selves(o *modelfile.Origin, rows []int) []int {
	if o == nil {
		return nil
	}
	self := make([]int, len(rows))
	for k, i := range rows {
		at, found := slices.BinarySearch(o.Rows, i)
		if self[k] = at; !found {
			self[k] = -1
		}
	}
	return self
}

// keptSelves returns selves for the points that distances are measured to: those of the Local
// where there is one, else the basis points.
func (m *Model) keptSelves(rows []int) []int {
	if m.local != nil {
		return selves(m.local, rows)
	}
	return selves(m.origin, rows)
}

// withoutSelf subtracts from the decision values of training rows what each row adds to its
// own value. A basis point adds α_j·k(x_j, x_j). With a Local each row also adds e_j/k, being
// its own nearest neighbour.
func (m *Model) withoutSelf(scores [][]float64, p *points.Points, rows []int) {
	k, coefficients := m.Kernel(), m.expansion().Coefficients
	squares := m.predictor.Scaling().Apply(p).Squares()
	localRows := selves(m.local, rows)
	for i, j := range selves(m.origin, rows) {
		value := []float64{points.Self(k.Kind().Statistic, squares[i])}
		k.Map(value, squares[i], squares[i:i+1])
		for c := range scores[i] {
			terms := m.predictor.Coding().Terms(c)
			if j >= 0 {
				scores[i][c] -= ofClass(terms, func(machine int) float64 { return coefficients[machine][j] }) * value[0]
			}
			if l := m.Local(); l != nil && localRows[i] >= 0 {
				scores[i][c] -= ofClass(terms, func(machine int) float64 { return float64(l.Residuals[machine][localRows[i]]) }) / float64(l.Neighbours)
			}
		}
	}
}

// countClasses counts the predictions of every class by the decision values of some rows; nil
// means all rows. For a single class it counts the rows inside and those outside.
func (m *Model) countClasses(scores [][]float64, rows []int) []int {
	counts := make([]int, max(len(m.classes), 2))
	add := func(class int) {
		if class == dataset.Unlabelled {
			class = 1
		}
		counts[class]++
	}
	classes := m.Decide(scores)
	if rows == nil {
		for _, class := range classes {
			add(class)
		}
	}
	for _, k := range rows {
		add(classes[k])
	}
	return counts
}

// profileOf returns the profile with distances to the basis of m, which is a subset of the
// larger basis that the profile was made with.
func (m *Model) profileOf(ctx context.Context, larger *points.Points, rows []int) (*drift.Profile, error) {
	if m.profile == nil || m.profile.Rows == nil {
		return m.profile, nil
	}
	sample := drift.Sample(larger.Len())
	near := &gram.Nearest{Self: make([]int, len(sample))}
	for k, i := range sample {
		at, found := slices.BinarySearch(rows, i)
		if near.Self[k] = at; !found {
			near.Self[k] = -1
		}
	}
	if err := m.predictor.Near(ctx, larger.Subset(sample), near); err != nil {
		return nil, err
	}
	profile := *m.profile
	profile.Rows = drift.NewRows(drift.Distance, near.Distance)
	return &profile, nil
}

// inUnits converts the report on a column to the units of the table. A column beside text is
// scaled by its range; all other columns have these units already.
func (m *Model) inUnits(r *drift.ColumnReport) {
	c := m.Column(r.Feature)
	if c == nil || !m.encoding.HasText() {
		return
	}
	low, high := c.Range()
	for _, values := range []*[11]float64{&r.Deciles, &r.Now} {
		for k, v := range values {
			values[k] = low + v*(high-low)
		}
	}
	r.Factor = drift.Factor(r.Deciles, r.Now)
}

// Column returns the table column that the feature of this index (from 0) is the value of. It
// is nil if the column became several features, and if the training data was no encoded table. It must not be changed.
func (m *Model) Column(feature int) *dataset.Column {
	if !m.encoding.Learnt() || feature < 0 {
		return nil
	}
	at := 0
	for k := range m.encoding.Columns {
		c := &m.encoding.Columns[k]
		if at == feature && c.Width() == 1 {
			return c
		}
		at += c.Width()
	}
	return nil
}
