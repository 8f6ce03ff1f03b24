package solve

import (
	"context"
	"math"

	"lapsvm/internal/numbers/linalg"
	"lapsvm/internal/numbers/objective"
	"lapsvm/internal/numbers/vec"
	"lapsvm/internal/system/fault"
)

// fullSystem is the n(+1)×n(+1) system with an intrinsic norm. It is kept
// transposed, column after column: the columns L·K_j come out of the Laplacian
// one by one, and LU solves with the transpose as easily.
type fullSystem struct {
	p        *objective.Problem
	n, m     int         // points, size of the system
	constant []float64   // row j: column j of γA I + γI L K, then that of vᵀ
	kl       [][]float64 // the rows of K of the labelled points
	u        []float64   // γI L1 where the bias is in the norm, else zero; nil without a bias
	lu       linalg.Matrix
	swaps    []int
}

// columnsPerProduct is how many columns of K the Laplacian gets at once.
const columnsPerProduct = 32

func newFullSystem(ctx context.Context, p *objective.Problem, k objective.Rows) (*fullSystem, error) {
	n := k.Len()
	s := &fullSystem{p: p, n: n, m: n}
	var l1 []float64 // L·1
	if p.Bias != objective.NoBias {
		s.m++
		ones := make([]float64, n)
		for i := range ones {
			ones[i] = 1
		}
		l1 = make([]float64, n)
		if err := p.L.Mul(ctx, [][]float64{l1}, [][]float64{ones}); err != nil {
			return nil, err
		}
		s.u = make([]float64, n)
		if p.Bias == objective.BiasInNorm {
			for i, v := range l1 {
				s.u[i] = p.GammaI * v
			}
		}
	}
	s.constant = make([]float64, n*s.m)
	src, dst := make([][]float64, columnsPerProduct), make([][]float64, columnsPerProduct)
	for c := range src {
		src[c], dst[c] = make([]float64, n), make([]float64, n)
	}
	for j0 := 0; j0 < n; j0 += columnsPerProduct {
		count := min(columnsPerProduct, n-j0)
		for c := range count {
			k.Row(src[c], j0+c)
		}
		if err := p.L.Mul(ctx, dst[:count], src[:count]); err != nil {
			return nil, err
		}
		for c := range count {
			j := j0 + c
			row := s.constant[j*s.m : (j+1)*s.m]
			for i, v := range dst[c] {
				row[i] = p.GammaI * v
			}
			row[j] += p.GammaA
			if p.Bias != objective.NoBias {
				row[n] = p.GammaA
				if p.Bias == objective.BiasOutside {
					row[n] += p.GammaI * vec.Dot(l1, src[c])
				}
			}
		}
	}
	s.kl = make([][]float64, len(p.Labelled))
	for l, i := range p.Labelled {
		s.kl[l] = make([]float64, n)
		k.Row(s.kl[l], i)
	}
	s.lu = linalg.New(s.m, s.m)
	return s, nil
}

func (s *fullSystem) factor(ctx context.Context, curvature []float64) error {
	copy(s.lu.Data, s.constant)
	if s.u != nil {
		last := s.lu.Data[s.n*s.m:]
		copy(last, s.u)
		last[s.n] = 0
		for k, i := range s.p.Labelled {
			if d := curvature[k]; d > 0 {
				last[i] += d
			}
		}
		if !curved(curvature) {
			last[s.n] = -s.p.GammaA
		}
	}
	for k, i := range s.p.Labelled {
		if d := curvature[k]; d > 0 {
			for j, v := range s.kl[k] {
				s.lu.Data[j*s.m+i] += d * v
			}
		}
	}
	var err error
	s.swaps, err = luOf(ctx, s.lu, s.p)
	return err
}

// luOf factors a matrix of Newton's method.
func luOf(ctx context.Context, a linalg.Matrix, p *objective.Problem) (swaps []int, err error) {
	swaps, ok, err := linalg.LU(ctx, a)
	if err == nil && !ok {
		err = fault.Errorf("the Newton matrix is singular: raise gamma-a (now %v), or use pcg", p.GammaA)
	}
	return swaps, err
}

func (s *fullSystem) solve(x []float64) { linalg.LUSolve(s.lu.T(), s.swaps, x) }

func (s *fullSystem) refines() bool { return true }

// blockSystem is the system without an intrinsic norm. Where D_i is 0 the solution is
// α_i = t_i/γA; H are those of these points where it is not 0. On the others, E, it is
//
//	(K_EE + γA D⁻¹) α_E + b·1 = D⁻¹t_E − K_EH α_H,   γA (1ᵀα_E + 1ᵀα_H) = ω.
//
// With S = K_EE + γA D⁻¹ symmetric positive definite, b follows from the second equation, and
// α_E is S⁻¹ times the rest.
type blockSystem struct {
	p     *objective.Problem
	k     objective.Rows
	n     int
	kl    [][]float64 // K between labelled points
	e     []int       // labelled points in E, as positions in p.Labelled
	d     []float64   // D of every labelled point
	chol  linalg.Matrix
	lu    linalg.Matrix // where Cholesky failed
	swaps []int
	ones  []float64 // S⁻¹·1
	right []float64
}

func newBlockSystem(p *objective.Problem, k objective.Rows) *blockSystem {
	s := &blockSystem{p: p, k: k, n: k.Len()}
	row := make([]float64, s.n)
	for _, i := range p.Labelled {
		k.Row(row, i)
		kl := make([]float64, len(p.Labelled))
		for l, j := range p.Labelled {
			kl[l] = row[j]
		}
		s.kl = append(s.kl, kl)
	}
	return s
}

func (s *blockSystem) factor(ctx context.Context, curvature []float64) error {
	s.e, s.d = s.e[:0], curvature
	for k, d := range curvature {
		if d > 0 {
			s.e = append(s.e, k)
		}
	}
	m := len(s.e)
	if m == 0 {
		return nil
	}
	fill := func() linalg.Matrix {
		a := linalg.New(m, m)
		for r, k := range s.e {
			for c, l := range s.e {
				a.Data[r*m+c] = s.kl[k][l]
			}
			a.Data[r*m+r] += s.p.GammaA / curvature[k]
		}
		return a
	}
	s.chol, s.swaps = fill(), nil
	ok, err := linalg.Cholesky(ctx, s.chol)
	if err != nil {
		return err
	}
	if !ok {
		s.lu = fill()
		if s.swaps, err = luOf(ctx, s.lu, s.p); err != nil {
			return err
		}
	}
	s.ones = make([]float64, m)
	for k := range s.ones {
		s.ones[k] = 1
	}
	s.solveBlock(s.ones)
	s.right = make([]float64, m)
	return nil
}

func (s *blockSystem) solveBlock(x []float64) {
	if s.swaps != nil {
		linalg.LUSolve(s.lu, s.swaps, x)
		return
	}
	linalg.CholeskySolve(s.chol, x)
}

func (s *blockSystem) solve(x []float64) {
	for r, k := range s.e {
		s.right[r] = x[s.p.Labelled[k]] / s.d[k]
		x[s.p.Labelled[k]] = 0
	}
	bounded := 0.0 // 1ᵀα_H
	for h, i := range s.p.Labelled {
		if x[i] == 0 {
			continue
		}
		x[i] /= s.p.GammaA
		bounded += x[i]
		for r, k := range s.e {
			s.right[r] -= s.kl[k][h] * x[i]
		}
	}
	if len(s.e) == 0 {
		if s.p.Bias != objective.NoBias {
			x[s.n] = x[s.n]/-s.p.GammaA + bounded
		}
		return
	}
	omega := 0.0
	if s.p.Bias != objective.NoBias {
		omega = x[s.n]/s.p.GammaA - bounded
		x[s.n] = 0
	}
	s.solveBlock(s.right)
	b := 0.0
	if s.p.Bias != objective.NoBias {
		// 1ᵀ(S⁻¹y − b S⁻¹1) = ω/γA
		b = (sum(s.right) - omega) / sum(s.ones)
		if math.IsNaN(b) || math.IsInf(b, 0) {
			b = 0
		}
		x[s.n] = b
	}
	for r, k := range s.e {
		x[s.p.Labelled[k]] = s.right[r] - b*s.ones[r]
	}
}

// refines is false: the block is well conditioned, and its right side is not
// zero outside E for a residual.
func (s *blockSystem) refines() bool { return false }
