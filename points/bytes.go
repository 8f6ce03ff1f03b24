package points

import "lapsvm/internal/numbers/vec"

// ByteRows returns the values of a table of bytes as they are stored, row after row, and the
// divisor norm of every row; nil means 1. Inner products of rows follow from those of the bytes,
// which are exact. ok is false for tables of other storage, for tables scaled column by column,
// and for rows of more than 32,768 values. The slices must not be changed.
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

// byteDistances is [Points.SquaredDistancesTo] for two tables of whole numbers, whose distances
// are exact, or of whole numbers scaled to unit length.
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
