package selection

import "lapsvm/internal/machines/train"

// rival is the kernel with the most evidence and the next one of another width, and the odds between the two. It is zero where one width was compared.
type rival struct {
	leading, next role
	odds          float64
}

// rivalOf finds the rival among machines with graphs.
func (a *comparison) rivalOf(machines []measured) (r rival) {
	if a.held == nil || len(machines) == 0 {
		return rival{}
	}
	sums := make(map[role]float64)
	leading := machines[0].kernel
	for i, w := range weightsOf(a.logScores(machines, -1)) {
		sums[machines[i].kernel] += w
	}
	for _, k := range a.kernels.roles() {
		if sums[k] > sums[leading] {
			leading = k
		}
	}
	for _, k := range a.kernels.roles() {
		if k != leading && sums[k] > 0 && (r.odds == 0 || sums[leading]/sums[k] < r.odds) {
			r = rival{leading, k, sums[leading] / sums[k]}
		}
	}
	return r
}

// tell writes the rival of the width that was taken into a choice.
func (r rival) tell(c *train.Choice, k kernels) {
	if r.odds == 0 || c.Sigma == 0 {
		return
	}
	if c.OtherSigma, c.SigmaOdds = k[r.next].Parameters().Sigma, r.odds; c.OtherSigma == c.Sigma { // a mean may lead by another kernel
		c.OtherSigma, c.SigmaOdds = k[r.leading].Parameters().Sigma, 1/r.odds
	}
}
