// Package graph builds the neighbour graph of a set of points and its
// Laplacian: nearest neighbours, exact or where they are many approximate, edge
// weights, the Laplacian and its powers as an operator, and the graph's health.
package graph

import (
	"fmt"
	"math"
	"slices"

	"lapsvm/internal/system/fault"
	"lapsvm/kernel"
	"lapsvm/points"
)

// Metric is the distance in which neighbours are sought.
type Metric string

// The metrics. The empty Metric is Euclidean.
const (
	Euclidean Metric = "euclidean" // ‖x − y‖
	Cosine    Metric = "cosine"    // 1 − ⟨x, y⟩/(‖x‖·‖y‖); 1 where either is zero
	Kernel    Metric = "kernel"    // √(x_ii + x_jj − 2x_ij), of n points with n values each, which are those of a kernel with all points
	Distances Metric = "distances" // x_ij, of n points with n values each, which are distances to all points

	// SelfTuning is ‖x − y‖/√(s_x s_y), where s is the Euclidean distance of a point to its 7th
	// nearest neighbour, as [Metric.Nearest] tells.
	SelfTuning Metric = "self-tuning"
)

// Given reports whether the points are a square table, of whose values the metric is.
func (m Metric) Given() bool { return m == Kernel || m == Distances }

// MetricOf returns the metric of the points of a kernel whose values are given, "" for others.
func MetricOf(k kernel.Kernel) Metric {
	switch {
	case kernel.OfFeatures(k):
		return ""
	case k.Kind().Statistic == points.Entries:
		return Distances
	}
	return Kernel
}

// Weights is the rule that turns the distance of two neighbours into the
// weight of their edge.
type Weights string

// The rules. The empty Weights is Heat.
const (
	Heat     Weights = "heat"     // exp(−distance²/(2t²)), t = Options.HeatWidth
	Binary   Weights = "binary"   // 1
	Distance Weights = "distance" // the distance itself; duplicates get no edge
)

// MaxDegree is the largest power of a Laplacian. Its largest eigenvalue is then up to
// 2¹⁰⁰ times that of the Laplacian, far beyond what double precision tells apart.
const MaxDegree = 100

// LargestEdgeWeight is the largest weight of given edges beside those of neighbours.
const LargestEdgeWeight = 1e6

// leastWidth is the least heat width, and its inverse the largest.
const leastWidth = 1e-300

// Options describes a graph and its Laplacian. The zero value is its default.
type Options struct {
	Neighbours   int     // k; 0 means 10, or n−1 where there are fewer than 11 points
	Metric       Metric  // default Euclidean
	Weights      Weights // default Heat
	HeatWidth    float64 // t, in the unit of the distances, from 1e-300 to 1e300; 0 means the mean of all non-zero neighbour distances
	Unnormalised bool    // D − W in place of I − D^−½ W D^−½
	Recall       float64 // share of the nearest neighbours that are to be found where exact search takes long, as in Search; 0 means DefaultRecall
	EdgesAlone   bool    // the edges that are given, and none of neighbours; those still set an open width of the kernel
	EdgeWeight   float64 // of given edges beside those of neighbours, whose largest weight by Heat is 1; given weights have the mean magnitude 1; 0 means 1
	Degree       int     // p, the power of the Laplacian, up to MaxDegree; 0 means 2
}

// WithDefaults returns the options with every default for n points filled in,
// except HeatWidth, which depends on the distances. It fails for values
// outside their range.
func (o Options) WithDefaults(n int) (Options, error) {
	if o.Neighbours == 0 {
		o.Neighbours = max(1, min(10, n-1))
	}
	if o.Metric == "" {
		o.Metric = Euclidean
	}
	if o.Weights == "" {
		o.Weights = Heat
	}
	if o.Degree == 0 {
		o.Degree = 2
	}
	if o.Recall == 0 {
		o.Recall = DefaultRecall
	}
	if _, err := (Search{Recall: o.Recall}).WithDefaults(); err != nil {
		return o, err
	}
	switch {
	case o.Neighbours < 1:
		return o, fmt.Errorf("the graph needs at least 1 neighbour, not %d", o.Neighbours)
	case o.Metric != Euclidean && o.Metric != Cosine && !o.Metric.Given() && o.Metric != SelfTuning:
		return o, fault.Errorf("unknown metric %q: choose euclidean, cosine, kernel, distances or self-tuning", o.Metric)
	case o.Weights != Heat && o.Weights != Binary && o.Weights != Distance:
		return o, fault.Errorf("unknown edge weights %q: choose heat, binary or distance", o.Weights)
	case o.HeatWidth != 0 && !(o.HeatWidth >= leastWidth && o.HeatWidth <= 1/leastWidth):
		return o, fmt.Errorf("the heat width must be between %g and %g, or 0 for the mean neighbour distance, not %v", leastWidth, 1/leastWidth, o.HeatWidth)
	case !(o.EdgeWeight >= 0) || o.EdgeWeight > LargestEdgeWeight:
		return o, fmt.Errorf("the weight of given edges must be between 0, which leaves it open, and %g, not %v", LargestEdgeWeight, o.EdgeWeight)
	case o.Degree < 1 || o.Degree > MaxDegree:
		return o, fmt.Errorf("the degree of the Laplacian must be between 1 and %d, not %d", MaxDegree, o.Degree)
	}
	return o, nil
}

// Adjacency is a symmetric sparse matrix W of edge weights: row i holds the
// weights Weight[Start[i]:Start[i+1]] of the edges to the points
// Index[Start[i]:Start[i+1]], in ascending order. Where ranks share a graph
// ([Connect]), each has the rows of its own points, and columns from Len()
// on are points of others.
type Adjacency struct {
	Start  []int
	Index  []int32
	Weight []float64
	halo   *halo // nil where there are no other ranks
}

// Len returns the number of points.
func (a *Adjacency) Len() int { return len(a.Start) - 1 }

// Row returns the neighbours of point i and the weights of the edges to them,
// without copying.
func (a *Adjacency) Row(i int) (index []int32, weight []float64) {
	return a.Index[a.Start[i]:a.Start[i+1]], a.Weight[a.Start[i]:a.Start[i+1]]
}

// At returns W_ij.
func (a *Adjacency) At(i, j int) float64 {
	index, weight := a.Row(i)
	if k, found := slices.BinarySearch(index, int32(j)); found {
		return weight[k]
	}
	return 0
}

// Degree returns Σ_j W_ij, the diagonal of D.
func (a *Adjacency) Degree(i int) float64 {
	_, weight := a.Row(i)
	var s float64
	for _, v := range weight {
		s += v
	}
	return s
}

// InverseDegrees returns the mean of Σ_j |W_ij| over it, of every point, and 1 of a point without an edge.
func (a *Adjacency) InverseDegrees() []float64 {
	inverse, sum := make([]float64, a.Len()), 0.0
	for i := range inverse {
		inverse[i] = a.magnitude(i)
		sum += inverse[i] / float64(a.Len())
	}
	for i, d := range inverse {
		if inverse[i] = 1; d > 0 {
			inverse[i] = sum / d
		}
	}
	return inverse
}

// magnitude returns Σ_j |W_ij|.
func (a *Adjacency) magnitude(i int) float64 {
	_, weight := a.Row(i)
	var s float64
	for _, v := range weight {
		s += math.Abs(v)
	}
	return s
}
