package functionspace

import (
	"context"
	"math"

	"lapsvm/internal/numbers/linalg"
	"lapsvm/internal/numbers/parallel"
	"lapsvm/internal/numbers/vec"
)

// ΦᵀLᵖΦ only preconditions. It is a sum of squares of rows,
//
//	(L^(p/2)Φ)ᵀ(L^(p/2)Φ)   of even p,   (GL^((p−1)/2)Φ)ᵀ(GL^((p−1)/2)Φ)   of odd p
//
// with a row of G for every edge. So some of the points, of odd p with an edge of each, are enough for about the squares of all
// functions of m landmarks, where they are many times m.
const (
	roughRows  = 32 // points for every landmark
	roughPower = 3  // the highest for which a row is made of the neighbours of neighbours at most
)

// samplesRough reports whether ΦᵀLᵖΦ is made of some of the points. Ranks have no rows of Φ of other ranks.
func (s *Space) samplesRough() bool {
	return s.ranks.Alone() && s.power.Degree() <= roughPower && s.k.Len() >= roughRows*s.k.Rank()
}

// sampleRough makes about ΦᵀLᵖΦ, of points that lie evenly in their order.
func (s *Space) sampleRough(ctx context.Context) error {
	n, m, p := s.k.Len(), s.k.Rank(), s.power.Degree()
	points := roughRows * m
	s.rough = linalg.New(m, m)
	const atOnce = 1024
	rows := make([]float64, min(atOnce, points)*m)
	err := parallel.Run(parallel.WithLimit(ctx, 1), (points+atOnce-1)/atOnce, func(_, part int) {
		from, to := part*atOnce, min((part+1)*atOnce, points)
		_ = parallel.Step(ctx, to-from, func(_, k int) {
			i := int((2*int64(from+k) + 1) * int64(n) / (2 * int64(points)))
			if row := rows[k*m : (k+1)*m]; p%2 == 0 {
				s.powerRow(row, i, p/2)
			} else {
				s.edgeRow(row, i, from+k, p/2)
			}
		})
		_ = vec.Syrk(ctx, true, true, m, to-from, float64(n)/float64(points), rows, m, 1, s.rough.Data, m) // it fails when ctx is done
	})
	if err == nil {
		err = ctx.Err()
	}
	linalg.Mirror(ctx, s.rough)
	return err
}

// edgeRow writes a row of GL^powerΦ into dst, of an edge of point i that a number tells. It is scaled to stand for all edges of
// the point, each of which another point has too.
func (s *Space) edgeRow(dst []float64, i, number, power int) {
	type edge struct {
		to   int
		a, b float64
	}
	var edges []edge
	s.l.Differences(i, func(j int, a, b float64) { edges = append(edges, edge{j, a, b}) })
	if len(edges) == 0 {
		clear(dst)
		return
	}
	e, scale := edges[number%len(edges)], math.Sqrt(float64(len(edges))/2)
	other := make([]float64, len(dst))
	s.powerRow(dst, i, power)
	s.powerRow(other, e.to, power)
	vec.Axpby(-scale*e.b, other, scale*e.a, dst)
}

// powerRow writes row i of L^power·Φ into dst, of power 0 or 1.
func (s *Space) powerRow(dst []float64, i, power int) {
	if power == 0 {
		s.k.Row(dst, i)
		return
	}
	clear(dst)
	row := make([]float64, len(dst))
	s.l.Entries(i, func(j int, v float64) {
		s.k.Row(row, j)
		vec.Axpy(v, row, dst)
	})
}
