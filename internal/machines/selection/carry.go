package selection

import (
	"context"
	"fmt"
	"math"

	"lapsvm/dataset"
	"lapsvm/internal/machines/train"
	"lapsvm/internal/points/graph"
	"lapsvm/kernel"
	"lapsvm/points"
)

// carried returns the recipe for all points, given one chosen on some of them. All points lie
// closer together, so two settings change. A width that was the mean distance of neighbours is
// measured anew. Neighbours, k for m points, become k·∛(n/m) for n: they reach less far than
// before, and are more. The weights stay, and so do settings given by the caller. Choices to be
// compared again on many points are left to [comparison.meet]. Cost: where that width was chosen, a
// search of neighbours.
func (c *comparison) carried(ctx context.Context, d *dataset.Dataset, r train.Recipe) (train.Recipe, error) {
	m := c.geometry.Len()
	if c.part || m >= c.points || r.Supervised {
		return r, nil
	}
	r = r.Clone()
	choice := r.Choice
	if c.asked.Graph.Neighbours == 0 {
		growth := math.Cbrt(float64(c.points) / float64(m))
		scale := func(k int) int { return int(math.Round(growth * float64(k))) }
		r.Graph.Neighbours, choice.Neighbours = scale(r.Graph.Neighbours), scale(choice.Neighbours)
		for i := range r.Members {
			r.Members[i].Neighbours = scale(r.Members[i].Neighbours)
		}
	}
	if c.nearest >= 0 && r.Kernel == c.kernels[c.nearest] {
		_, p, err := train.NewFrame(ctx, d, c.recipe, nil)
		if err != nil {
			return r, train.OfKind(train.ErrParameter, err)
		}
		k, err := c.nearestKernel(ctx, p, nil)
		if err != nil {
			return r, train.OfKind(train.ErrData, err)
		}
		if k.Validate() == nil {
			r.Kernel, choice.Sigma = k, k.Parameters().Sigma
		}
	}
	choice.Reason += fmt.Sprintf("; with neighbours and widths as %d points have them", c.points)
	return r, nil
}

// nearestKernel returns the kernel with the mean distance of the 5 nearest neighbours of p as its
// width, in the kernel's own distance. nb are known neighbours, or nil.
func (c *comparison) nearestKernel(ctx context.Context, p *points.Points, nb *graph.Neighbours) (kernel.Kernel, error) {
	k := min(widthNeighbours, p.Len()-1)
	if nb == nil || nb.K < k {
		var err error
		if nb, _, err = graph.Find(ctx, p, k, graph.Euclidean, graph.Search{Recall: c.recipe.Graph.Recall, Seed: c.recipe.Seed}); err != nil {
			return nil, err
		}
	}
	nb = nb.First(k)
	if statistic := c.recipe.Kernel.Kind().Statistic; statistic != points.Products {
		nb = nb.In(p, statistic)
	}
	width, err := nb.MeanDistance(ctx)
	return kernel.WithWidth(c.recipe.Kernel, width), err
}
