package functionspace

import (
	"context"
	"math"
	"slices"

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
	roughPower = 5  // the highest for which a row is made of the neighbours of neighbours of two points at most
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
			x := []element{{i, 1}}
			if p%2 == 1 {
				x = s.edge(i, from+k)
			}
			s.multiplyRow(rows[k*m:(k+1)*m], s.times(x, p/2))
		})
		_ = vec.Syrk(ctx, true, true, m, to-from, float64(n)/float64(points), rows, m, 1, s.rough.Data, m) // it fails when ctx is done
	})
	if err == nil {
		err = ctx.Err()
	}
	linalg.Mirror(ctx, s.rough)
	return err
}

// element is an element of a sparse row of n.
type element struct {
	at int
	by float64
}

// edge returns the row of G of an edge of point i that a number tells; none of a point alone. It is scaled to stand for all edges of
// the point, each of which another point has too.
func (s *Space) edge(i, number int) []element {
	var edges [][]element
	s.l.Differences(i, func(j int, a, b float64) { edges = append(edges, []element{{i, a}, {j, -b}}) })
	if len(edges) == 0 {
		return nil
	}
	e, scale := edges[number%len(edges)], math.Sqrt(float64(len(edges))/2)
	e[0].by, e[1].by = scale*e[0].by, scale*e[1].by
	return e
}

// times returns a sparse row times L^power.
func (s *Space) times(x []element, power int) []element {
	for range power {
		var next []element
		for _, e := range x {
			s.l.Entries(e.at, func(j int, v float64) { next = append(next, element{j, e.by * v}) })
		}
		slices.SortStableFunc(next, func(a, b element) int { return a.at - b.at })
		x = next[:0]
		for _, e := range next {
			if k := len(x) - 1; k >= 0 && x[k].at == e.at {
				x[k].by += e.by
			} else {
				x = append(x, e)
			}
		}
	}
	return x
}

// multiplyRow computes dst = xΦ of a sparse row.
func (s *Space) multiplyRow(dst []float64, x []element) {
	clear(dst)
	const ahead = 2 // rows lie anywhere in memory
	for k, e := range x {
		if k+ahead < len(x) {
			s.k.FetchRow(x[k+ahead].at)
		}
		s.k.AddRow(dst, e.by, e.at)
	}
}
