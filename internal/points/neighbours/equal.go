package neighbours

import (
	"context"
	"math/rand/v2"
	"slices"

	"lapsvm/internal/numbers/parallel"
	"lapsvm/points"
)

// Equal returns the groups of two or more equal points of p, each ascending, in the
// order of their second points. It fails when ctx is done. Cost: n·d multiply-adds, and
// a map of n keys.
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
	first := make(map[float64][]int, p.Len()) // key → the first point of every group with it
	group := make(map[int]int)                // first point → index in groups
	for i, key := range keys {
		if i%perStep == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		at := slices.IndexFunc(first[key], func(j int) bool { return p.EqualRows(i, j) })
		if at < 0 {
			first[key] = append(first[key], i)
			continue
		}
		j := first[key][at]
		g, found := group[j]
		if !found {
			g = len(groups)
			group[j] = g
			groups = append(groups, []int{j})
		}
		groups[g] = append(groups[g], i)
	}
	return groups, nil
}
