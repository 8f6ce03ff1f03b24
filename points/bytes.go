package points

import "lapsvm/internal/numbers/vec"

// ByteRows returns the numbers of a table of bytes as they are stored, row after row,
// and what every row is divided by as it is read, nil for 1: inner products of such
// rows follow from those of bytes, which are exact. ok is false for all other tables,
// those that are scaled column by column among them, and for rows of more than
// vec.MostBytes. Neither may be changed.
func (p *Points) ByteRows() (values []uint8, norm []float64, ok bool) {
	if p.Sparse() || p.storage != Uint8 || p.d > vec.MostBytes {
		return nil, nil, false
	}
	if p.scaled != nil {
		norm = p.scaled.norm
	}
	return p.byte, norm, p.scaled == nil || norm != nil
}

// byteRow returns row i of a table of bytes as it is stored.
func (p *Points) byteRow(i int) []uint8 { return p.byte[i*p.d : (i+1)*p.d] }

// wholeNumbers reports whether the values of a dense table are the bytes it holds.
func (p *Points) wholeNumbers() bool {
	return !p.Sparse() && p.storage == Uint8 && p.scaled == nil
}

// byteDistances is [Points.SquaredDistancesTo] for two tables of whole numbers, or of
// such rows of unit length. The first are exact, whatever is summed first.
func (p *Points) byteDistances(dst []float64, i int, q *Points, others []int32) {
	x := p.byteRow(i)
	for k, j := range others {
		if k+1 < len(others) {
			q.fetch(int(others[k+1]))
		}
		dot := float64(vec.DotBytes(x, q.byteRow(int(j))))
		if p.scaled != nil {
			dot /= p.scaled.norm[i] * q.scaled.norm[j]
		}
		dst[k] = max(p.square[i]+q.square[j]-dot-dot, 0)
	}
}
