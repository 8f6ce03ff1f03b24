package graph

import (
	"fmt"
	"math"

	"lapsvm/internal/parallel"
)

// Laplacian is the operator x ↦ Lᵖ·x of a graph, with
//
//	L = D − W               unnormalised, or
//	L = I − D^−½ W D^−½     normalised,
//
// D the diagonal matrix of the degrees Σ_j W_ij. An isolated point, whose
// degree is 0, has a row and a column of zeros in both. The power is applied
// by p products and never formed, for it would fill up.
type Laplacian struct {
	w        *Adjacency
	diagonal []float64
	off      []float64 // L_ij beside w.Index
	degree   int
	threads  int
	scratch  [][]float64
}

// NewLaplacian makes the operator Lᵖ, p = degree ≥ 1, of the graph w, keeping
// w. It panics if degree is below 1. Products use at most threads goroutines,
// 0 meaning all processors.
func NewLaplacian(w *Adjacency, unnormalised bool, degree, threads int) *Laplacian {
	if degree < 1 {
		panic(fmt.Sprintf("graph: Laplacian of degree %d", degree))
	}
	n := w.Len()
	l := &Laplacian{w: w, diagonal: make([]float64, n), off: make([]float64, len(w.Index)), degree: degree, threads: threads}
	root := make([]float64, n)
	for i := range n {
		d := w.Degree(i)
		root[i] = math.Sqrt(d)
		switch {
		case unnormalised:
			l.diagonal[i] = d
		case d > 0:
			l.diagonal[i] = 1
		}
	}
	for i := range n {
		index, weight := w.Row(i)
		for k, j := range index {
			v := weight[k]
			if !unnormalised {
				v /= root[i] * root[j]
			}
			l.off[w.Start[i]+k] = -v
		}
	}
	return l
}

// Len returns the number of points.
func (l *Laplacian) Len() int { return l.w.Len() }

// rowsPerPiece is how many rows of a product are handed to a thread at once.
const rowsPerPiece = 2048

// Mul computes dst[c] = Lᵖ·src[c] for every column c; dst and src must not
// overlap. Cost: p·nnz(W) multiply-adds per column. It uses scratch memory of
// the operator, so it is not safe for concurrent use. It panics when the
// numbers or lengths of the columns differ.
func (l *Laplacian) Mul(dst, src [][]float64) {
	if len(dst) != len(src) {
		panic(fmt.Sprintf("graph: Mul of %d columns into %d", len(src), len(dst)))
	}
	if l.degree > 1 {
		for len(l.scratch) < len(src) {
			l.scratch = append(l.scratch, make([]float64, l.Len()))
		}
	}
	for c := range src {
		if len(dst[c]) != l.Len() || len(src[c]) != l.Len() {
			panic(fmt.Sprintf("graph: Mul of columns of length %d and %d, want %d", len(src[c]), len(dst[c]), l.Len()))
		}
	}
	// The products alternate between dst and scratch so that the last one
	// lands in dst.
	from := src
	for step := range l.degree {
		to := dst
		if (l.degree-step)%2 == 0 {
			to = l.scratch[:len(src)]
		}
		l.once(to, from)
		from = to
	}
}

// once computes dst = L·src.
func (l *Laplacian) once(dst, src [][]float64) {
	n := l.Len()
	if l.threads == 1 || n <= rowsPerPiece {
		for c := range src {
			l.rows(dst[c], src[c], 0, n)
		}
		return
	}
	pieces := (n + rowsPerPiece - 1) / rowsPerPiece
	parallel.Do(pieces, l.threads, func(_, piece int) {
		for c := range src {
			l.rows(dst[c], src[c], piece*rowsPerPiece, min((piece+1)*rowsPerPiece, n))
		}
	})
}

func (l *Laplacian) rows(dst, src []float64, i0, i1 int) {
	start := l.w.Start
	for i := i0; i < i1; i++ {
		s := l.diagonal[i] * src[i]
		off := l.off[start[i]:start[i+1]]
		for k, j := range l.w.Index[start[i]:start[i+1]] {
			s += off[k] * src[j]
		}
		dst[i] = s
	}
}
