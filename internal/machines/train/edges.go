package train

import (
	"cmp"
	"context"
	"math"

	"lapsvm/dataset"
	"lapsvm/internal/numbers/linalg"
	"lapsvm/internal/points/gram"
	"lapsvm/internal/points/graph"
	"lapsvm/internal/system/fault"
)

// EdgesOf returns the graph of the edges that are given between rows of d, nil meaning all rows. It is
// nil where none are given.
func EdgesOf(d *dataset.Dataset, rows []int) *graph.Adjacency {
	if rows != nil {
		return graph.OfEdges(len(rows), d.Edges.Among(rows))
	}
	return graph.OfEdges(d.Points.Len(), d.Edges)
}

// checkEdges reports edges that the rows of d cannot have, and neighbours of rows without a feature. It also reports a recipe that weighs edges
// where none are given.
func (r Recipe) checkEdges(d *dataset.Dataset) error {
	switch {
	case d.Featureless && !r.Graph.EdgesAlone && !r.Supervised:
		return OfKind(ErrParameter, fault.Errorf("the rows have no feature, so none is near another: take the given edges alone (%s)", fault.Option{In: "Recipe", Name: "Neighbours", Value: 0}))
	case d.Edges.Given():
		return OfKind(ErrData, d.Edges.Check(d.Points.Len()))
	case r.Supervised:
	case r.Graph.EdgesAlone:
		return OfKind(ErrParameter, fault.Errorf("the graph has no neighbours, but no edges are given: give them (%s), or a number of neighbours", fault.Option{In: "Dataset", Name: "Edges"}))
	case r.Graph.EdgeWeight > 0:
		return OfKind(ErrParameter, fault.Errorf("given edges have a weight, but there are none: give them (%s), or leave the weight out", fault.Option{In: "Dataset", Name: "Edges"}))
	}
	return nil
}

// OpenEdgeWeight reports whether the weight of the edges of d is open.
func (r Recipe) OpenEdgeWeight(d *dataset.Dataset) bool {
	return d.Edges.Given() && !r.Supervised && !r.Graph.EdgesAlone && r.Graph.EdgeWeight == 0
}

// weighEdges returns the recipe with the weight of the edges of d, where that is open.
func (r Recipe) weighEdges(d *dataset.Dataset) Recipe {
	if r.OpenEdgeWeight(d) {
		r.Graph.EdgeWeight = 1
	}
	return r
}

// EdgesWeigh is what given edges count beside features in a training, and so in the decisions of new rows that edges join to the rows
// trained on. See [EdgesWeigh.OfFeatures].
type EdgesWeigh struct {
	Unit    float64       `json:"unit"` // c, what an edge counts, for 1 of its given weight
	Members []EdgesBeside `json:"members"`
}

// EdgesBeside is what stands beside given edges in a member of a mean.
type EdgesBeside struct {
	Weight float64 `json:"weight"`
	Beside float64 `json:"beside"` // D; 0 too of a member of the labels alone
	Alone  bool    `json:"alone,omitempty"`
}

// OfFeatures returns the share t of its features in the value of a new row, whose edges to rows trained on have the magnitudes |w_j|, sum in all:
//
//	t = Σ_m ω_m D_m / (D_m + c Σ_j |w_j|)   and the value   b + t (g − b) + (1 − t) Σ_j w_j h_j / Σ_j |w_j|
//
// with the value g of the features and f_j = b + h_j of training row j. So every member m, of weight ω_m, minimises D_m (h − (g − b))² + c Σ_j |w_j| (h − sign(w_j) h_j)².
// D has two parts.
//
//   - The ambient norm of a function that is known at the rows trained on grows by (h − (g − b))²/s. s is what their kernel values leave open of
//     that of the row. Beside γI/d of an edge of weight 1, of a normalised Laplacian and the mean degree d, it counts γA d/(γI s).
//   - Its edges of neighbours hold the row to about g. They weigh as much as at a row trained on, in the mean.
//
// A member of the labels alone has t = 1.
func (w *EdgesWeigh) OfFeatures(sum float64) float64 {
	t := 0.0
	for _, m := range w.Members {
		if m.Alone {
			t += m.Weight
		} else {
			t += m.Weight / (1 + w.Unit*sum/m.Beside) // by D = 0 it is 0
		}
	}
	return t
}

// edgesWeigh returns what given edges count in the graphs of the members. It is nil where there are none and of rows without features.
func (p *Problem) edgesWeigh(ctx context.Context) (*EdgesWeigh, error) {
	r := p.Recipe
	if !p.data.Edges.Given() || p.data.Featureless || r.Supervised {
		return nil, nil
	}
	w := &EdgesWeigh{Unit: cmp.Or(r.Graph.EdgeWeight, 1) / p.data.Edges.Unit()}
	given, open := 0.0, math.Inf(1)
	for _, v := range p.data.Edges.Weight {
		given += 2 * w.Unit * math.Abs(v) / float64(p.Geometry.Len())
	}
	if !p.Related() {
		var err error
		if open, err = p.openVariance(ctx); err != nil {
			return nil, err
		}
	}
	of := make(map[int]float64) // by the number of neighbours
	for _, m := range r.Machines() {
		one := EdgesBeside{Weight: cmp.Or(m.Weight, 1), Alone: m.GammaI == 0}
		if !one.Alone {
			if r.ByEdges {
				w.Members = append(w.Members, one)
				continue
			}
			if _, known := of[m.Neighbours]; !known && !r.Graph.EdgesAlone {
				var err error
				if of[m.Neighbours], err = p.Geometry.MeanDegree(ctx, m.Neighbours); err != nil {
					return nil, err
				}
			}
			degree := 1.0
			if !r.Graph.Unnormalised {
				degree = of[m.Neighbours] + given
			}
			one.Beside = min(of[m.Neighbours]+m.GammaA/m.GammaI*degree/open, math.MaxFloat64)
		}
		w.Members = append(w.Members, one)
	}
	return w, nil
}

// openRows is how many rows, drawn by the seed, tell what kernel values leave open of one another.
const openRows = 500

// openVariance returns the mean of what the kernel's values at the other rows leave open of that at a row, s_i = 1/(K⁻¹)_ii.
func (p *Problem) openVariance(ctx context.Context) (float64, error) {
	x := p.Geometry.Points()
	x = x.Subset(gram.DrawRows(x.Len(), openRows, p.Recipe.Seed))
	cross, err := gram.NewCross(ctx, x, x, p.Recipe.Kernel)
	if err != nil {
		return 0, err
	}
	n := x.Len()
	u, err := definite(ctx, n, func(dst []float64, i int) { copy(dst, cross.Row(i)) })
	if err != nil {
		return 0, err
	}
	inverse, err := linalg.CholeskyInverse(ctx, u)
	if err != nil {
		return 0, err
	}
	sum := 0.0
	for i := range n {
		sum += 1 / inverse.Row(i)[i] / float64(n)
	}
	return sum, nil
}

// definite returns the factor U of a kernel matrix of n rows, K + εI = UᵀU, with the least ε of 1e-8, 1e-7, … of the mean of its diagonal
// by which it is positive definite. With the first it is as a matrix of single precision has it.
func definite(ctx context.Context, n int, row func(dst []float64, i int)) (linalg.Matrix, error) {
	for jitter := 1e-8; ; jitter *= 10 {
		k, trace := linalg.New(n, n), 0.0
		for i := range n {
			row(k.Row(i), i)
			trace += k.Row(i)[i]
		}
		for i := range n {
			k.Row(i)[i] += jitter * trace / float64(n)
		}
		if ok, err := linalg.Cholesky(ctx, k); ok || err != nil || jitter >= 1 {
			return k, err
		}
	}
}
