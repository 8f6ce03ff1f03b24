package train

import (
	"math"
	"slices"
	"testing"

	"lapsvm/dataset"
	"lapsvm/internal/machines/nystrom"
	"lapsvm/internal/points/gram"
	"lapsvm/internal/testing/detector"
)

// The loss of labels that are left out is that of trainings anew without each of them. A label
// counts as much as its weight says.
func TestLossOfLabelsLeftOut(t *testing.T) {
	detector.Spare(t)
	ctx := t.Context()
	d, r := fewLabels(200, 30)
	for _, i := range []int{2, 5} { // labels of the other class are wrong
		d.Y[i] = 1 - d.Y[i]
	}
	r.Precision, r.Tolerance, r.Calibrate = gram.Double, 1e-16, false
	for name, weights := range map[string][]float64{"equal": nil, "weighted": {3, 0.5, 4, 1, 2, 5, 0.25, 1}} {
		if d.Weights = nil; weights != nil {
			d.Weights = append(slices.Clone(weights), slices.Repeat([]float64{1}, len(d.Y)-len(weights))...)
		}
		p, err := Begin(ctx, d, r, Run{})
		if err != nil {
			t.Fatal(err)
		}
		space, err := nystrom.New(ctx, p.Geometry.Landmarks(), p.laplacian)
		if err != nil {
			t.Fatal(err)
		}
		one, err := p.solveReduced(ctx, space, p.Recipe.Leading(), nystrom.Options{Tolerance: r.Tolerance})
		if err != nil {
			t.Fatal(err)
		}
		got := p.leftOutLoss(ctx, one.solvedMember)
		one.columns.Close()
		p.Geometry.Close()

		want := 0.0
		for i := range 8 {
			without := *d
			without.Y = slices.Clone(d.Y)
			without.Y[i] = dataset.Unlabelled
			q, err := Begin(ctx, &without, r, Run{})
			if err != nil {
				t.Fatal(err)
			}
			m, err := q.minimise(ctx, nil, Run{})
			if err != nil {
				t.Fatal(err)
			}
			c := 1.0
			if weights != nil {
				c = weights[i]
			}
			for column, f := range m.F {
				e := max(0, 1-p.Problem.Targets[column][i]*f[i])
				want += c * e * e / 8
			}
			q.Geometry.Close()
		}
		if !(math.Abs(got-want) <= 1e-6*want) {
			t.Errorf("%s: the loss is %v, of trainings anew %v", name, got, want)
		}
	}
}
