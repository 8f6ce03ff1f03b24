package graph

import (
	"context"
	"fmt"
	"math"

	"lapsvm/internal/numbers/parallel"
	"lapsvm/internal/points/neighbours"
)

const (
	// tuningNeighbour is the neighbour whose distance is the unit of a point.
	tuningNeighbour = 7
	// candidatesFor and moreCandidates are how many Euclidean neighbours are sought for one by SelfTuning, and at least beyond these.
	candidatesFor, moreCandidates = 4, 70
	// farthestTuned is what larger distances by SelfTuning count as.
	farthestTuned = 1e150
)

// Sought returns the metric in which a search finds what the neighbours by m are taken from:
// Euclidean for SelfTuning, whose units are known of searched points only.
func (m Metric) Sought() Metric {
	if m == SelfTuning {
		return Euclidean
	}
	return m
}

// Candidates returns how many neighbours a search must find where a graph of n points is to have k
// by m: for SelfTuning the larger of 4·k and k + 70, or all others. For other metrics it is k.
func (m Metric) Candidates(k, n int) int {
	if m != SelfTuning || k == 0 {
		return k
	}
	return max(k, min(max(candidatesFor*k, k+moreCandidates), n-1))
}

// Nearest returns the k nearest neighbours of every point by m, with their distances by m. nb are
// those that a search found, as many as m.Candidates asks for; more have no say. For metrics other
// than SelfTuning they are the first k of nb.
//
// SelfTuning measures the distance of two points in units that both have a say in,
//
//	d'(x, y) = ‖x − y‖ / √(s_x s_y),
//
// where s is the distance to the 7th nearest neighbour, or to the last where there are fewer. Of a
// point that 7 others are equal to, s is the distance to the nearest candidate that differs.
// Where no candidate does, s is the least of all points. Distances above 1e150 count as 1e150.
// Equally near points are taken by lower index. A neighbour by d' that is not among the candidates
// is missed. (Zelnik-Manor and Perona, "Self-tuning spectral clustering", 2005.)
//
// Of ranks that share the points, each gets the units of the points that its candidates are. Nearest
// fails when ctx is done, and panics where nb has too few neighbours. Cost: O(n·k) as a
// rule, as nearer candidates come first.
func (m Metric) Nearest(ctx context.Context, nb *Neighbours, k int) (*Neighbours, error) {
	all := nb.Len()
	if !nb.Ranks.Alone() {
		all = nb.Partition.Len()
	}
	many := m.Candidates(k, all)
	if many > nb.K {
		panic(fmt.Sprintf("graph: %d neighbours by the metric %s of %d found", k, m, nb.K))
	}
	if m != SelfTuning {
		return nb.First(k), nil
	}
	at := nb.columns()
	for i := range at.n {
		index, _ := nb.Row(i)
		for _, j := range index[:many] {
			if j := neighbours.Number(j); !at.own(j) {
				at.beyond = append(at.beyond, j)
			}
		}
	}
	at.settle()
	units, err := nb.units(ctx, many, at)
	if err != nil {
		return nil, err
	}
	tuned := &Neighbours{K: k, Index: make([]int32, at.n*k), Distance: make([]float64, at.n*k), Ranks: nb.Ranks, Partition: nb.Partition}
	err = parallel.Run(ctx, (at.n+pointsPerPiece-1)/pointsPerPiece, func(_, piece int) {
		for i := piece * pointsPerPiece; i < min((piece+1)*pointsPerPiece, at.n); i++ {
			index, distance := nb.Row(i)
			nearest, from := tuned.Index[i*k:(i+1)*k], tuned.Distance[i*k:(i+1)*k]
			for a, j := range index[:many] {
				// The product comes first, as it is the same in both directions.
				d := min(distance[a]/(units[i]*units[at.of(neighbours.Number(j))]), farthestTuned)
				place := min(a, k)
				for place > 0 && (d < from[place-1] || d == from[place-1] && j < nearest[place-1]) {
					place--
				}
				if place < k {
					copy(nearest[place+1:], nearest[place:min(a, k-1)])
					copy(from[place+1:], from[place:min(a, k-1)])
					nearest[place], from[place] = j, d
				}
			}
		}
	})
	return tuned, err
}

// units returns √s of SelfTuning for the own points and those of other ranks, by their columns.
func (nb *Neighbours) units(ctx context.Context, many int, at columns) ([]float64, error) {
	s := make([]float64, at.n, at.n+len(at.beyond))
	least := math.Inf(1)
	for i := range s {
		_, distance := nb.Row(i)
		s[i] = distance[min(tuningNeighbour, many)-1]
		for a := 0; s[i] == 0 && a < many; a++ {
			s[i] = distance[a]
		}
		if s[i] > 0 {
			least = min(least, s[i])
		}
	}
	leasts := []float64{-least}
	if err := nb.Ranks.Max(ctx, leasts); err != nil {
		return nil, err
	}
	if least = -leasts[0]; math.IsInf(least, 1) {
		least = 1 // all points are equal
	}
	for i, v := range s {
		s[i] = math.Sqrt(max(v, least))
	}
	if nb.Ranks.Alone() {
		return s, nil
	}
	h, err := newHalo(ctx, nb.Ranks, nb.Partition, at)
	if err != nil {
		return nil, err
	}
	s = s[:cap(s)]
	return s, h.fill64(ctx, s, 1)
}
