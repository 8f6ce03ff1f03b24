package selection

import (
	"slices"
	"testing"

	"lapsvm/dataset"
	"lapsvm/points"
)

// A fraction of a class that is a whole number of rows gives exactly that number, however its
// product rounds. So m folds of a class of q·m rows cover the class.
func TestWholeFractions(t *testing.T) {
	set := func(size int) *dataset.Dataset {
		d := &dataset.Dataset{Classes: []string{"a", "b"}, Points: points.Dense(2*size, 1, make([]float64, 2*size))}
		for i := range 2 * size {
			d.Y = append(d.Y, i%2)
		}
		return d
	}
	below := 0
	for m := 2; m <= 60; m++ {
		for q := 1; q <= 2; q++ {
			size := q * m
			if float64(size)*(1/float64(m)) < float64(q) {
				below++
			}
			splits, err := Splits(set(size), Plan{Labelled: 2, TestFraction: 1 / float64(m), Repeats: m, Seed: 1})
			if err != nil {
				t.Fatal(err)
			}
			var tested []int
			for s := range splits {
				if len(s.Test) != 2*q {
					t.Fatalf("a fraction of 1/%d of %d rows per class has %d test rows", m, size, len(s.Test))
				}
				tested = append(tested, s.Test...)
			}
			slices.Sort(tested)
			if tested = slices.Compact(tested); len(tested) != 2*size {
				t.Errorf("%d folds of %d rows per class test %d rows", m, size, len(tested))
			}
		}
	}
	if below == 0 {
		t.Error("no product is rounded down: nothing is tested")
	}
	for percent := 1; percent < 99; percent++ {
		splits, err := Splits(set(100), Plan{Labelled: 2, TestFraction: float64(percent) / 100})
		if err != nil {
			t.Fatal(err)
		}
		if got := len(slices.Collect(splits)[0].Test); got != 2*percent {
			t.Errorf("%d %% of 100 rows in each of two classes are %d rows", percent, got)
		}
	}
}
