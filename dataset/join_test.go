package dataset

import (
	"slices"
	"testing"

	"lapsvm/points"
)

// Rows of a part are numbered after all rows of the parts before, of which some may not be selected.
func TestJoinOfSelections(t *testing.T) {
	part := func(total int, rows ...int) *Dataset {
		d := &Dataset{Points: points.Dense(len(rows), 1, make([]float64, len(rows))), Y: slices.Repeat([]int{Unlabelled}, len(rows)), Total: total}
		if total > 0 {
			d.Column = rows
		}
		return d
	}
	for _, c := range []struct {
		parts []*Dataset
		rows  []int
		total int
	}{
		{[]*Dataset{part(10, 3, 4), part(5, 0, 1, 4), part(2, 1)}, []int{3, 4, 10, 11, 14, 16}, 17},
		{[]*Dataset{part(0, 0, 1), part(0, 0)}, []int{0, 1, 2}, 0},
	} {
		d, err := Join(c.parts, []string{"a", "b", "c"})
		if err != nil || !slices.Equal(d.Rows(), c.rows) || d.Total != c.total {
			t.Errorf("the rows %v of %d, want %v of %d: %v", d.Rows(), d.Total, c.rows, c.total, err)
		}
	}
}
