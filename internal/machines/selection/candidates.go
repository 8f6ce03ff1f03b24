package selection

import (
	"cmp"
	"context"
	"maps"
	"math"
	"math/rand/v2"
	"slices"

	"lapsvm/internal/machines/train"
	"lapsvm/internal/points/gram"
	"lapsvm/internal/points/graph"
	"lapsvm/kernel"
	"lapsvm/points"
)

// candidate is a machine that may be chosen.
type candidate struct {
	kernel role         // of its kernel
	metric graph.Metric // of the neighbours in its graph
	edges  float64      // the weight of given edges in its graph; 0 without, or where there are no others
	train.Member
	centred bool // see [train.Centre]
}

// supervised reports whether the candidate has no graph.
func (c candidate) supervised() bool { return c.Neighbours == 0 }

// graph returns the candidate without its weights: its kernel and graph, with the power of the
// Laplacian.
func (c candidate) graph() candidate {
	return candidate{kernel: c.kernel, metric: c.metric, edges: c.edges, Member: train.Member{Neighbours: c.Neighbours, LaplacianDegree: c.LaplacianDegree}}
}

// ground is what all members of a mean share.
type ground struct {
	kernel role
	metric graph.Metric
	edges  float64
}

func (c candidate) ground() ground { return ground{c.kernel, c.metric, c.edges} }

// role is what a kernel is among those that are compared. It means the same on any points, whose scale gives the width.
type role int

// The roles, in the order in which machines are measured.
const (
	whole     role = iota // that of the recipe, which leaves nothing open
	nearest               // as wide as neighbours are apart
	median                // as wide as points are apart
	half                  // half as wide as that
	quadruple             // four times as wide as that
	between               // the geometric mean of nearest and median, for numbers
	ridge                 // linear, for numbers
)

// kernels is the kernels that are compared by their roles. Those without a valid width are missing.
type kernels map[role]kernel.Kernel

// roles returns the roles that there are, ascending.
func (k kernels) roles() []role { return slices.Sorted(maps.Keys(k)) }

// middle returns the kernel of the points' own scale.
func (k kernels) middle() kernel.Kernel {
	for _, r := range []role{median, whole, nearest} {
		if one, is := k[r]; is {
			return one
		}
	}
	return nil
}

// candidates is the machines that are compared, and what their kernels and metrics are.
type candidates struct {
	kernels   kernels
	metrics   []graph.Metric // of graphs
	machines  []candidate    // with graphs; none for a supervised recipe
	baselines []candidate    // supervised ones
}

// What is compared where it is open, ascending.
func choiceNeighbours() []int    { return []int{2, 3, 5, 10, 20} }
func choiceDegrees() []int       { return []int{1, 2, 5} }
func choiceEdges() []float64     { return []float64{0.1, 1, 10} }         // weights of given edges
func choiceIntrinsic() []float64 { return []float64{1e-4, 1e-2, 1, 100} } // γI

// unlikeDegrees is the degrees that are compared where rows are [train.Recipe.Unlike]. Labels are many edges apart there. A function of a large degree has a low peak at
// a label of few edges. Beside a high peak a label of many edges takes the rows that are far from both.
func unlikeDegrees() []int { return []int{2, 5, 10} }

// choiceAlone is γA of supervised machines.
func choiceAlone() []float64 { return []float64{1e-6, 1e-4, 1e-2, 1, 100} }

// choiceShrinkage is γA of supervised machines for numbers. With the last a machine is the mean of the labels.
func choiceShrinkage() []float64 { return []float64{1e-6, 1e-4, 1e-2, 0.1, 1, 10, 100, 1e4} }

// neighbours returns the numbers of neighbours that are compared on n points.
func (a *comparison) neighbours(n int) []int {
	neighbours := choiceNeighbours()
	if a.isPart() || a.edgesAlone() || a.onAllEdges() {
		neighbours = []int{ReferenceNeighbours}
	}
	if a.unlike && a.edgesAlone() { // which have none
		neighbours = []int{min(ReferenceNeighbours, n-1)}
	}
	if k := a.recipe.Graph.Neighbours; k > 0 {
		neighbours = []int{k}
	}
	return slices.DeleteFunc(neighbours, func(k int) bool { return k >= n })
}

// list lists the candidates: machines with graphs, of the kernels as wide as neighbours are apart
// and as points are, and then supervised ones, of all kernels.
func (a *comparison) list(neighbours []int) {
	degrees, ambient, intrinsic, baselines := choiceDegrees(), train.DefaultGammaA, choiceIntrinsic(), choiceAlone()
	if a.kind().functions {
		baselines = choiceShrinkage()
	}
	if a.isPart() {
		degrees = []int{middling(degrees)} // the graph says little about that of all
	}
	switch {
	case a.unlike:
		degrees = unlikeDegrees()
	case !a.onAllEdges():
	case a.points > chosenPoints:
		degree, gammaI := edgesGraph()
		degrees, intrinsic = []int{degree}, []float64{gammaI}
	default:
		degrees = degrees[1:] // the labels are many edges apart
	}
	if p := a.asked.Graph.Degree; p > 0 {
		degrees = []int{p}
	}
	if v := a.asked.GammaA; v > 0 {
		ambient, baselines = v, []float64{v}
	}
	if v := a.asked.GammaI; v > 0 {
		intrinsic = []float64{v}
	}
	for _, kernel := range a.kernels.roles() {
		if a.recipe.Supervised || !kernel.withGraphs() || a.recipe.ByEdges && a.kernels[kernel] != a.kernels.middle() {
			continue
		}
		for _, metric := range a.metrics {
			for _, edges := range a.weights() {
				for _, k := range neighbours {
					for _, p := range degrees {
						for _, gammaI := range intrinsic {
							one := candidate{kernel, metric, edges, train.Member{Neighbours: k, LaplacianDegree: p, GammaA: ambient, GammaI: gammaI}, false}
							if a.machines = append(a.machines, one); a.centres {
								one.centred = true
								a.machines = append(a.machines, one)
							}
						}
					}
				}
			}
		}
	}
	for _, kernel := range a.kernels.roles() {
		if kernel == between {
			continue
		}
		for _, gammaA := range baselines {
			a.baselines = append(a.baselines, candidate{kernel, "", 0, train.Member{GammaA: gammaA}, false})
		}
	}
}

// edgesLandmarks is the number of landmarks of machines that given edges are judged by.
const edgesLandmarks = 100

// edgesGraph is what labels left out choose most often of the graphs of many points, where given edges say much of the classes. It is the largest degree, as labels are many
// edges apart there, and the middling γI.
func edgesGraph() (degree int, intrinsic float64) {
	return slices.Max(choiceDegrees()), middling(choiceIntrinsic())
}

// onAllEdges reports whether there are given edges between so many points that only few graphs are compared.
func (a *comparison) onAllEdges() bool { return a.edges != nil && a.points > manyPoints }

// edgesAlone reports whether graphs have the edges that are given, and no others.
func (a *comparison) edgesAlone() bool { return a.edges != nil && a.recipe.Graph.EdgesAlone }

// weights returns the weights of given edges that are compared.
func (a *comparison) weights() []float64 {
	switch {
	case a.edges == nil || a.edgesAlone():
		return []float64{0}
	case a.recipe.Graph.EdgeWeight > 0:
		return []float64{a.recipe.Graph.EdgeWeight}
	}
	return choiceEdges()
}

// middling returns the middle one of values that are compared.
func middling[T any](values []T) T { return values[len(values)/2] }

// choiceWidths is the multiples of the median distance that are widths.
func choiceWidths() map[role]float64 { return map[role]float64{median: 1, half: 0.5, quadruple: 4} }

// withGraphs reports whether the kernel is one of machines with graphs.
func (r role) withGraphs() bool { return r == nearest || r == median || r == between || r == whole }

// widths lists the kernel with the scales of the points for its width, in the distance that belongs
// to it: the mean distance of neighbours, and multiples of the median distance. For numbers machines with graphs have the geometric mean
// of the first two as well: as narrow as neighbours are apart they are near their bias between rows.
func (a *comparison) widths(ctx context.Context, metric graph.Metric) error {
	a.kernels = make(kernels)
	if !kernel.Open(a.recipe.Kernel) {
		a.kernels[whole] = a.recipe.Kernel
		return nil
	}
	p, n, statistic := a.geometry.Points(), a.geometry.Len(), a.recipe.Kernel.Kind().Statistic
	nb := a.geometry.Neighbours()
	if metric == graph.Cosine {
		nb = nil
	}
	narrow, err := a.nearestKernel(ctx, p, nb)
	if err != nil {
		return err
	}
	if narrow.Validate() == nil {
		a.kernels[nearest] = narrow
	}
	rng := rand.New(rand.NewPCG(a.recipe.Seed, 18))
	var distances []float64
	for range 20000 {
		if i, j := rng.IntN(n), rng.IntN(n); i != j {
			distances = append(distances, p.Between(statistic, i, j))
		}
	}
	if len(distances) > 0 {
		distance := middle(distances)
		for r, multiple := range choiceWidths() {
			if k := kernel.WithWidth(a.recipe.Kernel, multiple*distance); k.Validate() == nil {
				a.kernels[r] = k
			}
		}
		if a.kind().functions && a.kernels[nearest] != nil && a.kernels[median] != nil {
			a.kernels[between] = kernel.WithWidth(a.recipe.Kernel, math.Sqrt(narrow.Parameters().Sigma)*math.Sqrt(distance))
		}
	}
	if a.kernels.middle() == nil {
		return gram.ErrNoWidth
	}
	if a.kind().functions && a.asked.Kernel == nil {
		a.kernels[ridge] = kernel.Linear{}
	}
	return nil
}

// middle returns what would be x[len(x)/2] of sorted numbers, none of them NaN. It leaves them in another order, and does not sort them
// (Hoare, "Algorithm 65: Find", 1961).
func middle(x []float64) float64 {
	k := len(x) / 2
	for from, to := 0, len(x)-1; from < to; {
		pivot, i, j := x[from+(to-from)/2], from, to
		for i <= j {
			for x[i] < pivot {
				i++
			}
			for pivot < x[j] {
				j--
			}
			if i <= j {
				x[i], x[j] = x[j], x[i]
				i, j = i+1, j-1
			}
		}
		if k > j {
			from = i
		}
		if k < i {
			to = j
		}
	}
	return x[k]
}

// nearestKernel returns the kernel with the mean distance of the nearest neighbours of p as its
// width, of as many as are middling in a graph, in the kernel's own distance. nb are known neighbours, or nil.
func (a *comparison) nearestKernel(ctx context.Context, p *points.Points, nb *graph.Neighbours) (kernel.Kernel, error) {
	k := min(middling(choiceNeighbours()), p.Len()-1)
	if nb == nil || nb.K < k {
		var err error
		if nb, _, err = graph.Find(ctx, p, k, cmp.Or(graph.MetricOf(a.recipe.Kernel), graph.Euclidean), graph.Search{Recall: a.recipe.Graph.Recall, Seed: a.recipe.Seed}); err != nil {
			return nil, err
		}
	}
	nb = nb.First(k)
	if statistic := a.recipe.Kernel.Kind().Statistic; statistic != points.Products {
		nb = nb.In(p, statistic)
	}
	width, err := nb.MeanDistance(ctx)
	return kernel.WithWidth(a.recipe.Kernel, width), err
}

// openMetric reports whether the metric of the graph is compared. A heat width has the unit of one metric.
func (a *comparison) openMetric() bool {
	g := a.asked.Graph
	return g.Metric == "" && a.points <= mostWhole && g.HeatWidth == 0 && !a.recipe.Supervised && kernel.OfFeatures(a.recipe.Kernel) && (a.edges == nil || a.points <= fewPoints && !a.edgesAlone())
}
