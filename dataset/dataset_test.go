package dataset

import (
	"slices"
	"testing"
)

func TestSortClasses(t *testing.T) {
	for _, c := range []struct {
		names, want []string
		at          []int
	}{
		{[]string{"10", "9", "-1", "1e1", "2.5"}, []string{"-1", "2.5", "9", "10", "1e1"}, []int{3, 2, 0, 4, 1}},
		{[]string{"10", "9", "b"}, []string{"10", "9", "b"}, []int{0, 1, 2}},
		{[]string{"1", "01", "001"}, []string{"001", "01", "1"}, []int{2, 1, 0}},
		{nil, []string{}, []int{}},
	} {
		sorted, at := sortClasses(c.names)
		if !slices.Equal(sorted, c.want) || !slices.Equal(at, c.at) {
			t.Errorf("sortClasses(%q) = %q, %v", c.names, sorted, at)
		}
	}
}
