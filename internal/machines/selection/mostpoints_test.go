package selection

import (
	"math/rand/v2"
	"testing"

	"lapsvm/dataset"
	"lapsvm/internal/machines/train"
	"lapsvm/points"
)

// Of many points of two columns a training takes as many as keep the graph of the choice. It takes all of ten columns, up to two million, fewer points, and where
// a number is given.
func TestFewColumnsTakeFewPoints(t *testing.T) {
	groups := func(n, columns int) *dataset.Dataset {
		rng := rand.New(rand.NewPCG(3, uint64(columns)))
		d := &dataset.Dataset{Classes: []string{"left", "right"}}
		values := make([]float64, 0, n*columns)
		for i := range n {
			class := i % 2
			if values = append(values, rng.NormFloat64()+4*float64(class)); i < 20 {
				d.Y = append(d.Y, class)
			} else {
				d.Y = append(d.Y, dataset.Unlabelled)
			}
			for range columns - 1 {
				values = append(values, rng.NormFloat64())
			}
		}
		d.Points = points.Dense(n, columns, values)
		return d
	}
	for _, c := range []struct{ n, columns, asked, low, high int }{
		{20000, 2, 0, 4000, 6000},
		{20000, 2, 9000, 9000, 9000},
		{20000, 10, 0, 0, 0},
		{7000, 2, 0, 0, 0},
		{2_000_002, 10, 0, mostTrained, mostTrained},
	} {
		_, r, err := Fill(t.Context(), groups(c.n, c.columns), train.Recipe{MostPoints: c.asked}, train.Run{})
		if err != nil {
			t.Fatal(err)
		}
		if r.MostPoints < c.low || r.MostPoints > c.high {
			t.Errorf("%+v: %d points take part", c, r.MostPoints)
		}
		if c.columns == 10 && r.Pending.Fewer != fewTrained || c.asked > 0 && r.Pending.Fewer > 0 {
			t.Errorf("%+v: %d points may serve", c, r.Pending.Fewer)
		}
	}
}
