package dataset

import (
	"math"

	"lapsvm/dataset/internal/sparse"
)

// Thinned returns d with sparse points where these can be counts or weights of terms, whatever held them: the same rows are then described alike
// from a table of numbers and from a sparse matrix. So are dense rows of numbers of which less than a tenth are not 0 and none is negative, and of
// which each column has a 0. A square table stays, as it may be a kernel or distances. Ranks decide together. Else d is returned.
func (d *Dataset) Thinned(ranks *Ranks) (*Dataset, error) {
	p := d.Points
	if d.Encoding != nil || d.Image != nil || d.Featureless || p.Sparse() {
		return d, nil
	}
	type found struct {
		Rows, Stored int
		Dense        bool
		Zeros        []byte // a bit for each column that has a 0; empty where that does not matter
	}
	own := found{Rows: p.Len()}
	filled := make([]int, p.Dim()) // rows with a value in each column
	scratch := p.Scratch(1)
	for i := 0; i < p.Len() && !own.Dense; i++ {
		for j, v := range p.Row(i, scratch) {
			if math.Float64bits(v) == 0 {
				continue
			}
			filled[j]++
			own.Stored++
			if own.Dense = !(v > 0) || ranks == nil && sparse.Dense(own.Stored, p.Len(), p.Dim()); own.Dense {
				break
			}
		}
	}
	if !own.Dense {
		own.Zeros = make([]byte, (p.Dim()+7)/8)
		for j, n := range filled {
			if n < p.Len() {
				own.Zeros[j/8] |= 1 << (j % 8)
			}
		}
	}
	parts, err := All(ranks, own)
	if err != nil {
		return nil, err
	}
	all := found{Zeros: make([]byte, (p.Dim()+7)/8)}
	for _, part := range parts {
		all.Rows, all.Stored, all.Dense = all.Rows+part.Rows, all.Stored+part.Stored, all.Dense || part.Dense
		for k, bits := range part.Zeros {
			all.Zeros[k] |= bits
		}
	}
	if all.Dense || all.Rows == p.Dim() || sparse.Dense(all.Stored, all.Rows, p.Dim()) {
		return d, nil
	}
	for j := range filled {
		if all.Zeros[j/8]&(1<<(j%8)) == 0 {
			return d, nil
		}
	}
	var rows sparse.Rows
	for i := range p.Len() {
		sparse.Each(p, i, rows.Add)
		rows.EndRow()
	}
	thin := *d
	thin.Points = rows.CSR(p.Dim())
	return &thin, nil
}
