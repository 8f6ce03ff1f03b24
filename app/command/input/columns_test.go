package input

import "testing"

// Numbers in labels are as they are spelt, unless that takes many digits.
func TestBrief(t *testing.T) {
	for number, want := range map[string]string{"15": "15", "-3.25": "-3.25", "1250000": "1250000", "-4.741835117340088": "-4.74184", "3.3694865703582764": "3.36949", "none of these": "none of these"} {
		if got := Brief(number); got != want {
			t.Errorf("%s is told as %s, want %s", number, got, want)
		}
	}
}

// A number among words is a class that may be a slip. One of several numbers is none, and so is one among words that have one label each.
func TestOnlyNumber(t *testing.T) {
	for _, c := range []struct {
		classes []string
		counts  []int
		want    int
	}{
		{[]string{"3.5", "a", "b"}, []int{1, 4, 3}, 0},
		{[]string{"a", "b"}, []int{4, 3}, -1},
		{[]string{"1", "2", "a"}, []int{1, 1, 4}, -1},
		{[]string{"1", "a"}, []int{2, 4}, -1},
		{[]string{"1", "a", "b"}, []int{1, 1, 1}, -1},
	} {
		if got := onlyNumber(c.classes, c.counts); got != c.want {
			t.Errorf("%v with %v labels: %d, want %d", c.classes, c.counts, got, c.want)
		}
	}
}
