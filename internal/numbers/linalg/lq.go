package linalg

import (
	"context"
	"fmt"
	"math"

	"lapsvm/internal/numbers/vec"
)

// lqWidth is the number of rows of a block of [LQ].
const lqWidth = 16

// LQ reduces a k×m matrix to lower triangular form by Householder's reflections
// of its columns,
//
//	A = L·H,   Hᵀ = I − VᵀTV,
//
// V being min(k, m)×m with the reflectors as rows, v_ii = 1 and v_ij = 0 for
// j < i, and T upper triangular. It overwrites a by L and, above its diagonal, by
// the rest of V; v gets the whole of it, and T is returned. Cost for k ≤ m:
// 2k²m − ⅔k³ flops for L and k²m for T.
func LQ(ctx context.Context, a, v Matrix) (t Matrix, err error) {
	a.mustBePlain("LQ")
	v.mustBePlain("LQ")
	m, reflectors := a.Cols, min(a.Rows, a.Cols)
	if v.Rows != reflectors || v.Cols != m {
		panic(fmt.Sprintf("linalg: LQ of %d×%d with reflectors %d×%d", a.Rows, m, v.Rows, v.Cols))
	}
	tau := make([]float64, reflectors)
	for first := 0; first < reflectors; first += lqWidth {
		count := min(lqWidth, reflectors-first)
		block := a.Block(first, count, first, m-first)
		for i := range count {
			row := block.Row(i)[i:]
			tau[first+i] = reflector(row)
			diagonal := row[0]
			row[0] = 1
			for j := i + 1; j < count; j++ {
				other := block.Row(j)[i:]
				vec.Axpy(-tau[first+i]*vec.Dot(row, other), row, other)
			}
			row[0] = diagonal
		}
		Reflectors(v.Block(first, count, 0, m), a.Block(first, count, 0, m), first)
		rest := a.Rows - first - count
		if rest == 0 {
			break
		}
		// X ← XHᵀ = X − ((XVᵀ)T)V
		panel := v.Block(first, count, first, m-first)
		t, err := blockFactor(ctx, panel, tau[first:first+count])
		if err != nil {
			return Matrix{}, err
		}
		x := a.Block(first+count, rest, first, m-first)
		products, factors := New(rest, count), New(rest, count)
		if err := Gemm(ctx, 1, x, panel.T(), 0, products); err != nil {
			return Matrix{}, err
		}
		if err := Gemm(ctx, 1, products, t, 0, factors); err != nil {
			return Matrix{}, err
		}
		if err := Gemm(ctx, -1, factors, panel, 1, x); err != nil {
			return Matrix{}, err
		}
	}
	return blockFactor(ctx, v, tau)
}

// Reflectors writes the whole of V into v from where [LQ] left it in a; first is
// the place of the first row's 1.
func Reflectors(v, a Matrix, first int) {
	for i := range v.Rows {
		row, one := v.Row(i), first+i
		clear(row[:one])
		row[one] = 1
		copy(row[one+1:], a.Row(i)[one+1:])
	}
}

// reflector turns a row x into (β, v_1, v_2, …) with x·(I − τvᵀv) = (β, 0, …, 0)
// for v = (1, v_1, v_2, …), and returns τ; 0 where x is so already.
func reflector(x []float64) (tau float64) {
	norm := Norm(x[1:])
	if norm == 0 {
		return 0
	}
	alpha := x[0]
	beta := -math.Copysign(math.Hypot(alpha, norm), alpha)
	for i := range x[1:] {
		x[1+i] /= alpha - beta // no less than the norm
	}
	x[0] = beta
	return (beta - alpha) / beta
}

// blockFactor returns T of reflectors that are the rows of v:
// T_ij = −τ_j Σ_k T_ik v_kv_jᵀ, T_jj = τ_j.
func blockFactor(ctx context.Context, v Matrix, tau []float64) (Matrix, error) {
	k := v.Rows
	products, t := New(k, k), New(k, k)
	if err := Syrk(ctx, 1, v, 0, products); err != nil {
		return Matrix{}, err
	}
	column := make([]float64, k)
	for j, x := range tau {
		for i := range j {
			column[i] = products.Data[i*k+j]
		}
		for i := range j {
			t.Data[i*k+j] = -x * vec.Dot(t.Row(i)[i:j], column[i:j])
		}
		t.Data[j*k+j] = x
	}
	return t, nil
}

// Reflect computes X ← HᵀX = X − Vᵀ(T(VX)) for the V that [LQ] left in a, or the whole of
// it, and T. Cost: 4·k·m flops per column.
func Reflect(ctx context.Context, a, t, x Matrix) error {
	k, rest := a.Rows, a.Cols-a.Rows
	corner, v := New(k, k), a.Block(0, k, k, rest) // V is both, side by side
	Reflectors(corner, a.Block(0, k, 0, k), 0)
	first, last := x.Block(0, k, 0, x.Cols), x.Block(k, rest, 0, x.Cols)
	vx, tvx := New(k, x.Cols), New(k, x.Cols)
	for _, p := range []struct {
		factor float64
		x, y   Matrix
		beta   float64
		into   Matrix
	}{
		{1, corner, first, 0, vx},
		{1, v, last, 1, vx},
		{1, t, vx, 0, tvx},
		{-1, corner.T(), tvx, 1, first},
		{-1, v.T(), tvx, 1, last},
	} {
		if err := Gemm(ctx, p.factor, p.x, p.y, p.beta, p.into); err != nil {
			return err
		}
	}
	return nil
}

// Norm returns ‖x‖ without overflow or underflow on the way.
func Norm(x []float64) float64 {
	if square := vec.Dot(x, x); square > 0x1p-900 && square < 0x1p1000 {
		return math.Sqrt(square)
	}
	largest := 0.0
	for _, v := range x {
		largest = max(largest, math.Abs(v)) // NaN where one is
	}
	if largest == 0 || math.IsInf(largest, 1) || math.IsNaN(largest) {
		return largest
	}
	sum := 0.0
	for _, v := range x {
		sum += v / largest * (v / largest)
	}
	return largest * math.Sqrt(sum)
}
