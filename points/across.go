package points

import "lapsvm/internal/vec"

// SquaredDistancesTo writes ‖p_i − q_j‖² for every j of others into dst, as
// [Points.SquaredDistances] does within one table. It panics when dst is too short or the
// tables' columns differ.
func (p *Points) SquaredDistancesTo(dst []float64, i int, q *Points, others []int32) {
	if p.Sparse() || q.Sparse() || p.d != q.d {
		for k, j := range others {
			dst[k] = p.SquaredDistance(i, q, int(j))
		}
		return
	}
	x := p.DenseRow(i)
	for k, j := range others {
		if k+1 < len(others) { // rows lie anywhere: fetch how the next begins
			next := q.DenseRow(int(others[k+1]))
			vec.Prefetch(next[:min(len(next), fetched)])
		}
		dst[k] = vec.SquaredDistance(x, q.DenseRow(int(j)))
	}
}
