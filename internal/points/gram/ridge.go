package gram

import (
	"context"
	"fmt"
	"math"

	"lapsvm/internal/numbers/linalg"
	"lapsvm/internal/numbers/vec"
)

// Ridge is the functions φ(x)ᵀw of landmarks that have about given values y at points, by
// ridge regression,
//
//	w = (ΦᵀΦ + λI)⁻¹Φᵀy
//
// Points are added part by part, so that Φ is never whole.
type Ridge struct {
	products linalg.Matrix // ΦᵀΦ
	right    linalg.Matrix // Φᵀy, [landmark][machine]
}

// NewRidge returns a regression without points, for the given numbers of landmarks and machines.
func NewRidge(landmarks, machines int) *Ridge {
	return &Ridge{linalg.New(landmarks, landmarks), linalg.New(landmarks, machines)}
}

// Add adds points with their values [machine][point]. It fails when ctx is done. It panics
// where the lengths do not fit. Cost: n·m²/2 multiply-adds.
func (r *Ridge) Add(ctx context.Context, part *Landmarks, values [][]float64) error {
	n, m := part.Len(), part.Rank()
	if m != r.products.Rows || len(values) != r.right.Cols {
		panic(fmt.Sprintf("gram: a regression on %d landmarks for %d machines, and %d and %d", r.products.Rows, r.right.Cols, m, len(values)))
	}
	ones := make([]float64, n)
	for i := range ones {
		ones[i] = 1
	}
	products, err := part.Products(ctx, ones, part.Precision())
	if err != nil {
		return err
	}
	vec.Axpy(1, products.Data, r.products.Data)
	panel, sums := make([]float64, n*vec.MaxPanel), make([]float64, m*vec.MaxPanel)
	for from := 0; from < len(values); from += vec.MaxPanel {
		some := values[from:min(from+vec.MaxPanel, len(values))]
		clear(panel)
		for c, y := range some {
			for i, v := range y[:n] {
				panel[i*vec.MaxPanel+c] = v
			}
		}
		part.ToLandmarks(ctx, vec.MaxPanel, [][]float64{sums}, [][]float64{panel})
		for j := range m {
			vec.Axpy(1, sums[j*vec.MaxPanel:j*vec.MaxPanel+len(some)], r.right.Row(j)[from:from+len(some)])
		}
	}
	return ctx.Err()
}

// Fit returns the weights w [machine][landmark] for λ = scale·tr(ΦᵀΦ)/m. For some of the points
// that were added, with their values [machine][point], it also returns the value of each function
// with that point left out:
//
//	y_i − (y_i − φ_iᵀw)/(1 − h_i),   h_i = φ_iᵀ(ΦᵀΦ + λI)⁻¹φ_i
//
// Both are nil where λ is too small for the rounding of ΦᵀΦ. It fails when ctx is done. Cost: m³/6
// multiply-adds, and m²/2 for each of the points.
func (r *Ridge) Fit(ctx context.Context, scale float64, some *Landmarks, values [][]float64) (w, leftOut [][]float64, err error) {
	m, machines := r.products.Rows, r.right.Cols
	u := linalg.New(m, m)
	copy(u.Data, r.products.Data)
	trace := 0.0
	for j := range m {
		trace += u.Row(j)[j]
	}
	for j := range m {
		u.Row(j)[j] += scale * trace / float64(m)
	}
	definite, err := linalg.Cholesky(ctx, u)
	if err != nil || !definite {
		return nil, nil, err
	}
	x := linalg.New(m, machines)
	copy(x.Data, r.right.Data)
	if err := linalg.SolveUpper(ctx, u.T(), x); err != nil {
		return nil, nil, err
	}
	if err := linalg.SolveUpper(ctx, u, x); err != nil {
		return nil, nil, err
	}
	for c := range machines {
		column := make([]float64, m)
		for j := range column {
			column[j] = x.Row(j)[c]
		}
		w, leftOut = append(w, column), append(leftOut, make([]float64, some.Len()))
	}
	phi := some.transposed()
	for c := range machines {
		linalg.MulVec(ctx, leftOut[c], phi.T(), w[c])
	}
	if err := linalg.SolveUpper(ctx, u.T(), phi); err != nil {
		return nil, nil, err
	}
	leverage := make([]float64, some.Len())
	for j := range m {
		for i, v := range phi.Row(j) {
			leverage[i] += v * v
		}
	}
	for c, out := range leftOut {
		for i, f := range out {
			out[i] = values[c][i] - (values[c][i]-f)/math.Max(1-leverage[i], 1e-6)
		}
	}
	return w, leftOut, ctx.Err()
}

// transposed returns Φᵀ in float64.
func (l *Landmarks) transposed() linalg.Matrix {
	m := l.Rank()
	phi := linalg.New(m, l.Len())
	for i := range l.Len() {
		if l.double != nil {
			for j, v := range l.double.Rows(i, i+1) {
				phi.Row(j)[i] = v
			}
			continue
		}
		for j, v := range l.single.Rows(i, i+1) {
			phi.Row(j)[i] = float64(v)
		}
	}
	return phi
}
