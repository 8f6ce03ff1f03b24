package nystrom

import (
	"context"
	"math"
	"slices"

	"lapsvm/internal/numbers/linalg"
	"lapsvm/internal/numbers/parallel"
	"lapsvm/internal/numbers/vec"
	"lapsvm/internal/points/graph"
	"lapsvm/internal/ranks/comm"
)

// ΦᵀLᵖΦ only preconditions. It is a sum of squares of rows,
//
//	(L^(p/2)Φ)ᵀ(L^(p/2)Φ)   of even p,   (GL^((p−1)/2)Φ)ᵀ(GL^((p−1)/2)Φ)   of odd p
//
// with a row of G for every edge. So some of the points, of odd p with an edge of each, are enough for about the squares of all
// functions of m landmarks, where they are many times m.
const (
	coarseRows  = 32 // points for every landmark
	coarsePower = 5  // the highest for which a row is made of the neighbours of neighbours of two points at most
)

// samplesCoarse reports whether ΦᵀLᵖΦ is made of some of the points.
func (s *Space) samplesCoarse() bool {
	return s.power.Degree() <= coarsePower && s.partition.Len() >= coarseRows*s.k.Rank()
}

// sampleCoarse makes about ΦᵀLᵖΦ, of points that lie evenly in the order of all. The rank that has the point has its row.
func (s *Space) sampleCoarse(ctx context.Context) error {
	n, m, p := s.partition.Len(), s.k.Rank(), s.power.Degree()
	rank := s.ranks.Rank()
	first, _ := s.partition.Range(rank)
	points := coarseRows * m
	s.coarse = linalg.New(m, m)
	const atOnce = 1024
	rows := make([]float64, min(atOnce, points)*m)
	err := parallel.Run(parallel.WithLimit(ctx, 1), (points+atOnce-1)/atOnce, func(_, part int) {
		from, to := part*atOnce, min((part+1)*atOnce, points)
		x, owner := make(graph.Sparse, to-from), make([]int, to-from)
		for k := range x {
			i := int((2*int64(from+k) + 1) * int64(n) / (2 * int64(points)))
			if owner[k] = s.partition.Owner(i); owner[k] != rank {
				continue
			}
			if x[k] = []graph.Element{{At: i - first, By: 1}}; p%2 == 1 {
				x[k] = s.edge(i-first, from+k)
			}
		}
		for range p / 2 {
			_ = s.l.MulSparse(ctx, x) // where it fails, ctx is done
		}
		if s.multiplySparse(ctx, rows, x) != nil || s.collect(ctx, rows, x, owner) != nil {
			return
		}
		_ = vec.Syrk(ctx, true, true, m, to-from, float64(n)/float64(points), rows, m, 1, s.coarse.Data, m)
	})
	if err == nil {
		err = s.ranks.Sum(ctx, s.coarse.Data)
	}
	linalg.Mirror(ctx, s.coarse)
	return err
}

// edge returns the row of G of an edge of point i that a number tells; none of a point alone. It is scaled to stand for all edges of
// the point, each of which another point has too.
func (s *Space) edge(i, number int) []graph.Element {
	var edges [][]graph.Element
	s.l.Differences(i, func(j int, a, b float64) {
		edges = append(edges, []graph.Element{{At: i, By: a}, {At: j, By: -b}})
	})
	if len(edges) == 0 {
		return nil
	}
	e, scale := edges[number%len(edges)], math.Sqrt(float64(len(edges))/2)
	e[0].By, e[1].By = scale*e[0].By, scale*e[1].By
	return e
}

// multiplySparse computes dst = xΦ. Of ranks each row is a sum of the rows that they get.
func (s *Space) multiplySparse(ctx context.Context, dst []float64, x graph.Sparse) error {
	if err := s.l.Home(ctx, x); err != nil {
		return err
	}
	m := s.k.Rank()
	return parallel.Step(ctx, len(x), func(_, row int) {
		sum := dst[row*m : (row+1)*m]
		clear(sum)
		const ahead = 2 // rows lie anywhere in memory
		for k, e := range x[row] {
			if k+ahead < len(x[row]) {
				s.k.FetchRow(x[row][k+ahead].At)
			}
			s.k.AddRow(sum, e.By, e.At)
		}
	})
}

// collect adds up the parts of rows on the rank that owns a row, and clears them on others.
func (s *Space) collect(ctx context.Context, rows []float64, x graph.Sparse, owner []int) error {
	if s.ranks.Alone() {
		return ctx.Err()
	}
	m, away := s.k.Rank(), make([][]byte, s.ranks.Size())
	for k, r := range owner {
		if row := rows[k*m : (k+1)*m]; r != s.ranks.Rank() && len(x[k]) > 0 {
			away[r] = append(append(away[r], comm.Bytes([]float64{float64(k)})...), comm.Bytes(row)...)
			clear(row)
		}
	}
	received, err := s.ranks.AllToAll(ctx, away)
	if err != nil {
		return err
	}
	for _, bytes := range received {
		for row := range slices.Chunk(comm.Numbers[float64](bytes), 1+m) {
			vec.Axpy(1, row[1:], rows[int(row[0])*m:(int(row[0])+1)*m])
		}
	}
	return nil
}
