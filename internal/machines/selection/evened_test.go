package selection

import (
	"math"
	"testing"

	"lapsvm/internal/testing/golden"
)

// Classes of equal shares have their modularity. Of cuts through a ring, all with two edges across, that of unequal shares gains on the even one
// and does not overtake it.
func TestEvened(t *testing.T) {
	const n = 64
	var edges []golden.Edge
	for i := range n {
		j := (i + 1) % n
		edges = append(edges, golden.Edge{I: i, J: j, Weight: 1}, golden.Edge{I: j, J: i, Weight: 1})
	}
	w := golden.Graph(t, n, edges)
	cut := func(few int) []int {
		class := make([]int, n)
		for i := range few {
			class[i] = 1
		}
		return class
	}
	for _, few := range []int{n / 2, n / 4, 4} {
		share := float64(few) / n
		q, most := w.Modularity(cut(few), 2)
		if want := 2 * share * (1 - share); !(math.Abs(most-want) <= 1e-12) {
			t.Errorf("%d of %d: at most %v, want %v", few, n, most, want)
		}
		if got, want := evened(w, cut(few), 2), q*math.Sqrt(0.5/most); !(math.Abs(got-want) <= 1e-12) {
			t.Errorf("%d of %d: %v, want %v", few, n, got, want)
		}
	}
	if got, _ := w.Modularity(cut(n/2), 2); evened(w, cut(n/2), 2) != got {
		t.Errorf("even classes have %v, want %v", evened(w, cut(n/2), 2), got)
	}
	if got := evened(w, cut(0), 2); got != 0 {
		t.Errorf("one class has %v", got)
	}
	even, quarter, four := evened(w, cut(n/2), 2), evened(w, cut(n/4), 2), evened(w, cut(4), 2)
	if !(even > quarter && quarter > four && four > 0) {
		t.Errorf("%v, %v, %v: the even cut leads", even, quarter, four)
	}
}
