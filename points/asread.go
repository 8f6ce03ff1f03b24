package points

import "lapsvm/internal/numbers/vec"

// asRead is a scaling applied to the rows of a table of bytes or float32 whenever they are
// read, so that the table keeps its storage. The values have the bits of the scaled float64
// table.
type asRead struct {
	Scaling
	norm  []float64       // ‖x_i‖, 1 for 0: the divisor of every row, of UnitNorm
	curve []*[256]float64 // [column][byte] value of a byte in a straightened column; nil for other columns
}

// asRead returns the scaling (ZScore, MinMax or Columns) in the form applied while p is read. It
// returns nil where the scaled table must be float64. That is a table of float64, a table scaled
// already, or one of float32 with columns to straighten: asinh takes longer than
// everything else done with a value.
func (s Scaling) asRead(p *Points) *asRead {
	if p.Sparse() || p.storage == Float64 || p.scaled != nil {
		return nil
	}
	l := &asRead{Scaling: s}
	for j, width := range s.Width {
		if width == 0 {
			continue
		}
		if p.storage != Uint8 {
			return nil
		}
		if l.curve == nil {
			l.curve = make([]*[256]float64, p.d)
		}
		l.curve[j] = new([256]float64)
		for v := range l.curve[j] {
			l.curve[j][v] = s.straight(j, float64(v))
		}
	}
	return l
}

// readBy returns the table whose rows are scaled as they are read.
func (p *Points) readBy(l *asRead) *Points {
	q := *p
	q.scaled, q.square = l, make([]float64, p.n)
	q.setSquares()
	return &q
}

// apply scales row i.
func (l *asRead) apply(row []float64, i int) {
	if l.norm != nil {
		vec.Divide(row, l.norm[i])
		return
	}
	for j, curve := range l.curve {
		if curve != nil {
			row[j] = curve[uint8(row[j])]
		}
	}
	vec.Affine(row, l.Shift, l.Factor)
}

// value scales the value v in row i and column j; nil leaves it as it is.
func (l *asRead) value(v float64, i, j int) float64 {
	switch {
	case l == nil:
		return v
	case l.norm != nil:
		return v / l.norm[i]
	}
	return (l.straight(j, v) - l.Shift[j]) * l.Factor[j]
}

// slice returns the scaling of the rows from ≤ i < to.
func (l *asRead) slice(from, to int) *asRead {
	if l == nil || l.norm == nil {
		return l
	}
	return &asRead{Scaling: l.Scaling, norm: l.norm[from:to]}
}

// subset returns the scaling of some rows.
func (l *asRead) subset(rows []int) *asRead {
	if l == nil || l.norm == nil {
		return l
	}
	return &asRead{Scaling: l.Scaling, norm: pick(l.norm, 1, rows)}
}

// bytes returns the memory that belongs to the table alone.
func (l *asRead) bytes() int64 { return 8 * int64(len(l.norm)) }
