package dataset

import (
	"lapsvm/dataset/internal/sparse"
	"lapsvm/internal/system/size"
	"lapsvm/points"
)

// Which rows are sparse.
const (
	rarest    = 0.01    // the share of values other than 0 below which a large table is sparse, whatever it holds
	smallSize = 1 << 24 // values of a table that is not large
	mostFull  = 0.01    // the most that full columns may hold of the values other than 0, where these are counts
)

// StoredByValue returns d with points that are sparse or dense by their values alone, whatever held them: the same rows are then described alike
// from a table of numbers and from a sparse matrix. Tables with words, and rows without a feature, stay as they are.
//
// Rows are sparse where less than a tenth of their values are not 0 and these can be counts or weights of terms. Then none is negative, and columns
// without a 0 hold less than a hundredth of them. Pictures are none, nor is a square table, which may be a kernel or distances. Other rows of few values are
// dense, as measurements are, unless they are large and more than 99 of 100 of their values are 0.
//
// A dense table of more than room bytes is not made: rows that were sparse stay so then, with a note. Ranks decide together.
func (d *Dataset) StoredByValue(ranks *Ranks, room int64) (*Dataset, error) {
	p := d.Points
	if d.Encoding != nil || d.Featureless || !p.Sparse() && !d.Image.None() {
		return d, nil
	}
	own := storedBy(p, ranks == nil)
	own.Tight = 8*int64(p.Len())*int64(p.Dim()) > room
	parts, err := All(ranks, own)
	if err != nil {
		return nil, err
	}
	all := together(parts, p.Dim())
	dense := all.dense(p.Dim(), !d.Image.None())
	if dense != p.Sparse() {
		return d, nil
	}
	other := *d
	if dense && all.Tight {
		other.Notes = nil
		other.Notes = append(other.Notes, d.Notes...)
		other.doubt("a column without a 0 or a negative value says that these are measurements. A dense table of them would take %s. So they stay sparse, and are taken for weights of terms; allow more with %s, or leave out such columns",
			size.Text(8*int64(all.Rows)*int64(p.Dim())), Option{Name: "Memory"})
		return &other, nil
	}
	var rows sparse.Rows
	for i := range p.Len() {
		sparse.Each(p, i, rows.Add)
		rows.EndRow()
	}
	if dense {
		other.Points = rows.Full(p.Dim())
	} else {
		other.Points = rows.CSR(p.Dim())
	}
	return &other, nil
}

// storage is what tells how rows are stored.
type storage struct {
	Rows, Stored int
	Negative     bool // some value is, or is −0 or not a number
	Full         bool // so many values are not 0 that the rows are dense: the rest was not looked at
	Tight        bool // there is no room for dense rows
	Zeros        []byte
}

// storedBy looks at rows, at those of a process that is alone no further than needed.
func storedBy(p *points.Points, alone bool) storage {
	own := storage{Rows: p.Len(), Zeros: make([]byte, (p.Dim()+7)/8)}
	filled := make([]int, p.Dim()) // rows with a value in each column
	for i := 0; i < p.Len() && !own.Full; i++ {
		sparse.Each(p, i, func(j int32, v float64) {
			filled[j]++
			own.Stored++
			own.Negative = own.Negative || !(v > 0)
		})
		own.Full = alone && sparse.Dense(own.Stored, p.Len(), p.Dim())
	}
	for j, n := range filled {
		if n < p.Len() {
			own.Zeros[j/8] |= 1 << (j % 8)
		}
	}
	return own
}

// together returns what is known of the rows of all ranks.
func together(parts []storage, d int) storage {
	all := storage{Zeros: make([]byte, (d+7)/8)}
	for _, part := range parts {
		all.Rows, all.Stored = all.Rows+part.Rows, all.Stored+part.Stored
		all.Negative, all.Full, all.Tight = all.Negative || part.Negative, all.Full || part.Full, all.Tight || part.Tight
		for k, bits := range part.Zeros {
			all.Zeros[k] |= bits
		}
	}
	return all
}

// dense reports whether rows of d columns are dense.
func (s *storage) dense(d int, pictures bool) bool {
	if s.Full || sparse.Dense(s.Stored, s.Rows, d) {
		return true
	}
	full := 0 // columns
	for j := range d {
		if s.Zeros[j/8]&(1<<(j%8)) == 0 {
			full++
		}
	}
	counts := !s.Negative && !pictures && s.Rows != d && float64(full)*float64(s.Rows) <= mostFull*float64(s.Stored)
	size := float64(s.Rows) * float64(d)
	return !counts && (size <= smallSize || float64(s.Stored) >= rarest*size)
}
