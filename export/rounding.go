package export

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"lapsvm/dataset"
	"lapsvm/internal/describe"
	"lapsvm/internal/machines/modelfile"
	"lapsvm/internal/machines/train"
	"lapsvm/internal/points/gram"
	"lapsvm/internal/system/fault"
	"lapsvm/points"
)

// Rounding is the precision of the points and scores of an ONNX graph, and the effect of float32
// as measured on points, in raw features, that follow from the model:
//
//   - up to 1,024 basis points; with a linear kernel, whose basis is weight vectors, normally
//     distributed points about the mean of the standardisation; where pictures are described, up to
//     200 pictures of waves;
//   - midpoints of as many pairs of these points;
//   - points on the lines between up to 256 pairs with different labels, on both sides of the
//     place where the label changes, at 1/4096 to 1/2048 of the line from there.
//
// A large basis has fewer trial points, so that the measurement takes seconds. Where none can be
// tried, with millions of features, described texts, places on a sphere or decision values that are not
// finite, the precision is float64.
type Rounding struct {
	Precision gram.Precision // precision of the graph's input and outputs
	Tried     int            // number of points tried; 0 where float64 was asked for
	Changed   int            // points with another label in float32, or with values beyond float32
	Largest   float64        // largest finite change of a decision value
}

// choose returns the precision of a graph; precision is the one asked for, 0 to decide by the
// labels; numbers are float64 then. It fails for Single where labels change.
func choose(ctx context.Context, c *modelfile.Contents, precision gram.Precision) (Rounding, error) {
	switch precision {
	case gram.Double:
		return Rounding{Precision: gram.Double}, nil
	case 0:
		if len(c.Classes) == 0 { // no label tells whether float32 is enough
			return Rounding{Precision: gram.Double}, nil
		}
	case gram.Single:
	default:
		return Rounding{}, fault.Errorf("unknown precision %d: choose 32 or 64", precision)
	}
	r, err := measured(ctx, c)
	switch {
	case ctx.Err() != nil:
		return r, ctx.Err()
	case precision == 0 && (err != nil || r.Tried == 0):
		return Rounding{Precision: gram.Double}, nil
	case err != nil:
		return r, fault.Errorf("float32 cannot be tried on the model's own points (%w): take precision 64", err)
	case r.Changed == 0:
		r.Precision = gram.Single
	case precision == gram.Single:
		return r, fault.Errorf("in float32 %d of %d points that were tried get other labels, and decision values differ by up to %.2g: take precision 64", r.Changed, r.Tried, r.Largest)
	default:
		r.Precision = gram.Double
	}
	return r, nil
}

// The sizes of a trial.
const (
	triedMost  = 1024    // basis points
	triedWork  = 1 << 32 // multiply-adds of these points with the basis; a trial has 8 times as many
	triedHeld  = 1 << 22 // numbers in these points, and in their decision values
	lineSteps  = 12      // halvings of a line
	linesShare = 4       // lines are a quarter of the basis points
)

// trial measures what float32 changes.
type trial struct {
	Rounding
	model *train.Predictor
	sets  map[string]int // the number that stands for each set of classes
}

// measured tries float32 on a model.
func measured(ctx context.Context, c *modelfile.Contents) (Rounding, error) {
	t := trial{sets: map[string]int{}, model: predictor(c)}
	rng := rand.New(rand.NewPCG(1, 32))
	sample := trialPoints(c, rng)
	if len(sample) == 0 {
		return t.Rounding, nil
	}
	labels, err := t.try(ctx, sample)
	if err != nil {
		return t.Rounding, err
	}
	middle := make([]line, len(sample))
	var crossing []line
	var first []int // labels of their first ends
	for k := range middle {
		middle[k] = line{sample[k], sample[rng.IntN(len(sample))]}
	}
	for range 8 * len(sample) { // pairs
		if i, j := rng.IntN(len(sample)), rng.IntN(len(sample)); labels[i] != labels[j] && linesShare*len(crossing) < len(sample) {
			crossing, first = append(crossing, line{sample[i], sample[j]}), append(first, labels[i])
		}
	}
	if _, err := t.try(ctx, between(middle, func(int) float64 { return 0.5 })); err != nil {
		return t.Rounding, err
	}
	err = t.tryLines(ctx, crossing, first)
	return t.Rounding, err
}

// line is two points.
type line [2][]float64

// between returns the points of lines at the places from 0 to 1.
func between(lines []line, at func(k int) float64) [][]float64 {
	rows := make([][]float64, len(lines))
	for k, l := range lines {
		rows[k] = make([]float64, len(l[0]))
		for j, v := range l[0] {
			rows[k][j] = v + at(k)*(l[1][j]-v)
		}
	}
	return rows
}

// tryLines bisects lines whose ends have different labels, and tries a point on either side of the
// change. The slice first holds the labels of the first ends.
func (t *trial) tryLines(ctx context.Context, lines []line, first []int) error {
	if len(lines) == 0 {
		return nil
	}
	low, step := make([]float64, len(lines)), 1.0
	for range lineSteps {
		step /= 2
		_, labels, err := t.predict(ctx, between(lines, func(k int) float64 { return low[k] + step }))
		if err != nil {
			return err
		}
		for k := range low {
			if labels[k] == first[k] {
				low[k] += step
			}
		}
	}
	for _, off := range []float64{-step, 2 * step} {
		if _, err := t.try(ctx, between(lines, func(k int) float64 { return min(max(0, low[k]+off), 1) })); err != nil {
			return err
		}
	}
	return nil
}

// try counts what float32 changes at points, and returns their labels in float64.
func (t *trial) try(ctx context.Context, rows [][]float64) ([]int, error) {
	exact, labels, err := t.predict(ctx, rows)
	if err != nil {
		return nil, err
	}
	narrow, beyond := make([][]float64, len(rows)), make([]bool, len(rows))
	for i, row := range rows {
		narrow[i] = slices.Clone(row)
		for j, v := range row {
			narrow[i][j] = float64(float32(v))
		}
		if beyond[i] = !finite(narrow[i]); beyond[i] {
			narrow[i] = row
		}
	}
	scores, others, err := t.predict(ctx, narrow)
	if err != nil {
		return nil, err
	}
	for i, row := range scores {
		for c, f := range row {
			row[c] = float64(float32(f))
			if change := math.Abs(row[c] - exact[i][c]); !beyond[i] && !math.IsInf(change, 0) {
				t.Largest = max(t.Largest, change)
			}
		}
		if beyond[i] || others[i] != labels[i] || !finite(row) {
			t.Changed++
		}
	}
	t.Tried += len(rows)
	return labels, nil
}

// predict returns decision values and labels of rows.
func (t *trial) predict(ctx context.Context, rows [][]float64) ([][]float64, []int, error) {
	scores, err := t.model.Scores(ctx, points.Dense(len(rows), t.model.Dim(), slices.Concat(rows...)))
	if err != nil {
		return nil, nil, err
	}
	labels := make([]int, len(scores))
	for i, classes := range t.model.Has(scores) {
		key := fmt.Sprint(classes)
		if _, seen := t.sets[key]; !seen {
			t.sets[key] = len(t.sets)
		}
		labels[i] = t.sets[key]
	}
	return scores, labels, nil
}

func finite(row []float64) bool {
	return !slices.ContainsFunc(row, func(v float64) bool { return math.IsInf(v, 0) || math.IsNaN(v) })
}

// trialPoints returns trial points in raw features: basis points that are drawn, or normally
// distributed points where the basis is weight vectors. Where points are described, the basis has no
// raw features: of a model of pictures they are pictures of waves, of one of texts there are none. Nor are
// there any of a mean whose leading machine forgets lengths, and of places, whose degrees are rounded before they are features.
func trialPoints(c *modelfile.Contents, rng *rand.Rand) [][]float64 {
	if slices.ContainsFunc(c.Encoding.All(), func(c dataset.Column) bool { return c.Kind == dataset.Latitude }) {
		return nil
	}
	if c.Views != nil && c.Scaling.Kind == points.UnitNorm { // other views see lengths
		return nil
	}
	if c.Description != nil {
		return trialPictures(c.Description, rng)
	}
	n, d := c.Basis.Len(), max(1, c.Basis.Dim(), 4*len(c.Bias)) // a machine costs more than a column
	most := min(triedMost, triedWork/n/d, triedHeld/d)
	if most == 0 {
		return nil
	}
	var rows [][]float64
	if kind := c.Kernel.Kind(); kind.Linear {
		width := 1.0
		if c.Scaling.Factor == nil {
			width = reach(c)
		}
		for range most {
			row := make([]float64, c.Basis.Dim())
			for j := range row {
				row[j] = width * rng.NormFloat64()
			}
			rows = append(rows, row)
		}
	} else {
		most = min(most, n)
		chosen := rng.Perm(n)[:most]
		slices.Sort(chosen)
		for _, i := range chosen {
			row := make([]float64, c.Basis.Dim())
			c.Basis.CopyRow(row, i)
			rows = append(rows, row)
		}
	}
	if c.Scaling.Factor != nil {
		for _, row := range rows {
			c.Scaling.Undo(row)
		}
	}
	return rows
}

// The most pictures that are tried, the most waves of one, and the largest mean in deviations.
const (
	picturesTried = 200
	wavesMost     = 4
	meanMost      = 1 << 12
)

// trialPictures returns pictures with the mean and the deviation of those that a description learned
// from. Each is a sum of up to four waves of random directions. There are none for pictures whose
// float32 have less than 12 of their 24 bits for differences, because such waves might all get one label.
func trialPictures(by describe.Description, rng *rand.Rand) [][]float64 {
	d, ok := by.(*describe.OfPictures)
	if !ok || math.Abs(d.Shift)*d.Factor > meanMost {
		return nil
	}
	s := d.Shape
	rows := make([][]float64, min(picturesTried, triedHeld/s.Inputs()))
	for i := range rows {
		rows[i] = slices.Repeat([]float64{d.Shift}, s.Inputs())
		waves := 1 + rng.IntN(wavesMost)
		size := math.Sqrt(2/float64(waves)) / d.Factor
		for range waves {
			across, down, phase := 9*rng.NormFloat64(), 9*rng.NormFloat64(), 2*math.Pi*rng.Float64()
			for k := range rows[i] {
				dot := k / s.Colours
				x, y := float64(dot%s.Width)/float64(s.Width), float64(dot/s.Width)/float64(s.Height)
				rows[i][k] += size * math.Sin(across*x+down*y+phase+float64(k%s.Colours))
			}
		}
	}
	return rows
}

// reach is 1 plus the largest distance of the decision boundary of a linear machine from the
// origin.
func reach(c *modelfile.Contents) float64 {
	most := 0.0
	for m, w := range weights(c) {
		norm := 0.0
		for _, v := range w {
			norm = math.Hypot(norm, v)
		}
		if norm > 0 {
			most = max(most, math.Abs(c.Bias[m])/norm)
		}
	}
	return 1 + most
}
