package functionspace

import (
	"context"

	"lapsvm/internal/numbers/linalg"
	"lapsvm/internal/numbers/parallel"
	"lapsvm/internal/numbers/vec"
)

// ΦᵀLᵖΦ only preconditions. It is a sum of squares of rows,
//
//	(L^(p/2)Φ)ᵀ(L^(p/2)Φ)   of even p,   (GL^((p−1)/2)Φ)ᵀ(GL^((p−1)/2)Φ)   of odd p
//
// with a row of G for every edge. So some of the points, with their edges, are enough for about the squares of all
// functions of m landmarks, where they are many times m.
const (
	roughRows  = 64 // points for every landmark, of an even power
	roughEdges = 16 // of an odd one; each has several edges
	roughParts = 4  // how many times as many points there must be, for some of them to stand for all
	roughPower = 3  // the highest for which a row is made of the neighbours of neighbours at most
)

// samplesRough reports whether ΦᵀLᵖΦ is made of some of the points. Ranks have no rows of Φ of other ranks.
func (s *Space) samplesRough() bool {
	return s.ranks.Alone() && s.power.Degree() <= roughPower && s.k.Len() > roughParts*roughRows*s.k.Rank()
}

// sampleRough makes about ΦᵀLᵖΦ, of points that lie evenly in their order.
func (s *Space) sampleRough(ctx context.Context) error {
	n, m, p := s.k.Len(), s.k.Rank(), s.power.Degree()
	odd := p%2 == 1
	points, scale := roughRows*m, 1.0
	if odd {
		points, scale = roughEdges*m, 0.5
	}
	s.rough = linalg.New(m, m)
	const atOnce = 256
	rows := make([][]float64, atOnce) // of every point, one after the other
	err := parallel.Run(parallel.WithLimit(ctx, 1), (points+atOnce-1)/atOnce, func(_, part int) {
		from, to := part*atOnce, min((part+1)*atOnce, points)
		_ = parallel.Step(ctx, to-from, func(_, k int) {
			i := int((2*int64(from+k) + 1) * int64(n) / (2 * int64(points)))
			rows[k] = s.roughOf(rows[k][:0], i, p/2, odd)
		})
		var all []float64
		for k := range to - from {
			all = append(all, rows[k]...)
		}
		if len(all) > 0 {
			_ = vec.Syrk(ctx, true, true, m, len(all)/m, scale*float64(n)/float64(points), all, m, 1, s.rough.Data, m) // it fails when ctx is done
		}
	})
	if err == nil {
		err = ctx.Err()
	}
	linalg.Mirror(ctx, s.rough)
	return err
}

// roughOf appends the rows of a point.
func (s *Space) roughOf(dst []float64, i, power int, odd bool) []float64 {
	m := s.k.Rank()
	own, other := make([]float64, m), make([]float64, m)
	s.powerRow(own, i, power)
	if !odd {
		return append(dst, own...)
	}
	s.l.Differences(i, func(j int, a, b float64) {
		s.powerRow(other, j, power)
		dst = append(dst, own...)
		last := dst[len(dst)-m:]
		vec.Axpby(-b, other, a, last)
	})
	return dst
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
