package learn

import (
	"strings"
	"testing"

	"lapsvm/app/summary"
)

// The class with the fewest rows is named where there is one.
func TestFewestPredicted(t *testing.T) {
	for _, c := range []struct {
		circle, square int
		want           string
	}{
		{4, 4, "8 unlabelled points are predicted: 4 as circle, 4 as square; least sure of square (mean lead 0.25)\n"},
		{4, 3, "7 unlabelled points are predicted: 4 as circle, 3 as square; fewest as square, least sure of square (mean lead 0.25)\n"},
	} {
		var b strings.Builder
		printPredicted(&b, []summary.PredictedClass{{Name: "circle", Points: c.circle, Lead: 0.5}, {Name: "square", Points: c.square, Lead: 0.25}})
		if b.String() != c.want {
			t.Errorf("%q, want %q", b.String(), c.want)
		}
	}
}
