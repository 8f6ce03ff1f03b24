package export

import (
	"math/rand/v2"
	"testing"

	"lapsvm/internal/machines/modelfile"
	"lapsvm/kernel"
	"lapsvm/points"
)

// Basis points of two kinds that take turns are both tried.
func TestTrialPointsTurns(t *testing.T) {
	const n = 4 * triedMost
	values := make([]float64, n)
	for i := range values {
		values[i] = float64(i % 2)
	}
	c := &modelfile.Contents{Kernel: kernel.Gaussian{Sigma: 1}, Basis: points.Dense(n, 1, values), Bias: []float64{0}}
	rows := trialPoints(c, rand.New(rand.NewPCG(1, 32)))
	count := 0
	for _, row := range rows {
		if row[0] == 1 {
			count++
		}
	}
	if len(rows) != triedMost || count < triedMost/3 || count > 2*triedMost/3 {
		t.Errorf("%d of %d points are of the second kind", count, len(rows))
	}
}
