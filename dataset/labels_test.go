package dataset

import (
	"slices"
	"testing"

	"lapsvm/points"
)

// Of all labels a part keeps those of its own rows, with their places among all.
func TestLabelsOfAPart(t *testing.T) {
	for rank := range 3 {
		l := NewLabels(&Origin{Own: Part{rank, 3}.Range(8)}, false, LabelRules{})
		for _, text := range []string{"b", "a", "c", "b", "c", "a", "a", "c"} {
			if err := l.Add([]byte(text)); err != nil {
				t.Fatal(err)
			}
		}
		d := &Dataset{Points: points.Dense(1, 1, []float64{0})}
		if err := l.Finish(d); err != nil {
			t.Fatal(err)
		}
		want := [][]int{{1, 0}, {2, 1, 2}, {0, 0, 2}}[rank]
		rows := [][]int{{0, 1}, {2, 3, 4}, {5, 6, 7}}[rank]
		if !slices.Equal(d.Y, want) || !slices.Equal(d.Rows(), rows) || d.Total != 8 || !slices.Equal(d.Classes, []string{"a", "b", "c"}) {
			t.Errorf("part %d: the labels %v of the rows %v of %d, want %v of %v", rank, d.Y, d.Rows(), d.Total, want, rows)
		}
	}
}
