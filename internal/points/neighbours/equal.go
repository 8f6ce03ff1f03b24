package neighbours

import (
	"cmp"
	"context"
	"math/rand/v2"
	"slices"

	"lapsvm/internal/numbers/parallel"
	"lapsvm/points"
)

// Equal returns the groups of two or more equal points of p, each ascending, in the
// order of their second points. It fails when ctx is done. Cost: n·d multiply-adds, and
// the sorting of n numbers.
func Equal(ctx context.Context, p *points.Points) (groups [][]int, err error) {
	// Equal points have equal inner products with any vector; others hardly
	// ever with one that has nothing to do with them.
	rng := rand.New(rand.NewPCG(1, 1))
	direction := make([]float64, p.Dim())
	for j := range direction {
		direction[j] = rng.NormFloat64()
	}
	keys := make([]float64, p.Len())
	err = parallel.Step(ctx, (p.Len()+perStep-1)/perStep, func(_, piece int) {
		from, end := piece*perStep, min((piece+1)*perStep, p.Len())
		p.DotsWith(keys[from:end], from, end, direction)
	})
	if err != nil {
		return nil, err
	}
	order := make([]int, p.Len())
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int { return cmp.Or(cmp.Compare(keys[i], keys[j]), i-j) })
	for len(order) > 0 {
		end := 1
		for end < len(order) && cmp.Compare(keys[order[end]], keys[order[0]]) == 0 {
			end++
		}
		same := order[:end]
		order = order[end:]
		if end == 1 {
			continue
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		var found [][]int // of these
		for _, i := range same {
			at := slices.IndexFunc(found, func(g []int) bool { return p.EqualRows(i, g[0]) })
			if at < 0 {
				at, found = len(found), append(found, nil)
			}
			found[at] = append(found[at], i)
		}
		for _, g := range found {
			if len(g) > 1 {
				groups = append(groups, g)
			}
		}
	}
	slices.SortFunc(groups, func(a, b []int) int { return a[1] - b[1] })
	return groups, nil
}
