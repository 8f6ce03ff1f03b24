package gram

import (
	"context"
	"fmt"
	"math"
	"slices"

	"lapsvm/internal/numbers/linalg"
	"lapsvm/internal/numbers/parallel"
	"lapsvm/internal/numbers/tall"
	"lapsvm/internal/numbers/vec"
	"lapsvm/internal/points/tiles"
	"lapsvm/internal/system/fault"
	"lapsvm/kernel"
	"lapsvm/points"
)

// Landmarks is a Gram matrix made of a few of the points, the landmarks Z:
//
//	K̂ = ΦΦᵀ + Δ,   Φ = K_nZ R⁻¹,   K_ZZ = RᵀR,   Δ = diag(K − ΦΦᵀ)
//
// ΦΦᵀ is Nyström's approximation of K, and with Δ the diagonal is right. Δ_ii is at
// least a small part of K_ii, so that K̂ has an inverse. Where K_ii is about 0, that of the first landmark
// serves in its place. (Snelson and Ghahramani, "Sparse
// Gaussian Processes using Pseudo-inputs", NIPS 2005.)
//
// Its products work on panels: some columns of n or m numbers, interleaved, see
// [tall.Matrix]. Points may be laid out in an order in which near ones are near to one
// another in memory: see [Landmarks.Order].
type Landmarks struct {
	kernel    kernel.Kernel
	basis     *points.Points // Z
	rows      []int          // of the points that they were drawn of, which the landmarks are
	root      linalg.Matrix  // R, upper triangular
	precision Precision
	order     []int32 // of the points, in which Φ and Δ are laid out; nil for their own
	delta     []float64
	single    *tall.Matrix[float32] // Φ; one of the two is nil
	double    *tall.Matrix[float64]
	panel     []float64 // scratch of Mul
}

// landmarks is the row of the matrix made of a few points.
func landmarks() form {
	return form{
		name: FormLandmarks, approximate: true,
		bytes: func(p *points.Points, precision Precision, m int) int64 {
			return int64(p.Len()) * int64(min(m, p.Len())) * int64(precision/8)
		},
		open: func(ctx context.Context, p *points.Points, k kernel.Kernel, r Request, o *Opened) (err error) {
			rows := DrawRows(p.Len(), r.Landmarks, r.Search.Seed)
			o.Landmarks, err = LandmarksKept(ctx, p, p.Subset(rows), rows, k, r)
			o.Matrix = o.Landmarks
			return err
		},
	}
}

// leastDelta is Δ_ii/K_ii at least: more than rounding leaves of a difference of sums of
// so many products.
func leastDelta(precision Precision) float64 {
	if precision == Double {
		return 1e-8
	}
	return 1e-4
}

// NewLandmarks makes the matrix from at most m of the points, drawn by a seed. Landmarks that the
// others determine are left out. The zero precision is Single; the precision becomes Double where
// half of the drawn points or more are left out. Points are laid out in the given order, each once;
// nil is the order of p. It fails for a kernel that is zero or not finite on the landmarks, where
// the system does not give the memory, and when ctx is done. It panics for a kernel whose width is
// open or whose values are given. Cost: n·m·d + n·m²/2 multiply-adds; n·m numbers in the precision.
func NewLandmarks(ctx context.Context, p *points.Points, k kernel.Kernel, m int, seed uint64, precision Precision, order []int32) (*Landmarks, error) {
	l, err := DrawLandmarks(ctx, p, k, m, seed, precision)
	if err != nil {
		return nil, err
	}
	return l.Transform(ctx, p, order)
}

// DrawLandmarks draws the landmarks of [NewLandmarks], of no points yet: [Landmarks.Transform]
// makes the matrices of some. Cost: m²·d + m³/3 multiply-adds.
func DrawLandmarks(ctx context.Context, p *points.Points, k kernel.Kernel, m int, seed uint64, precision Precision) (*Landmarks, error) {
	rows := DrawRows(p.Len(), m, seed)
	return LandmarksAt(ctx, p.Subset(rows), rows, k, precision)
}

// LandmarksAt is [DrawLandmarks] of points that are drawn already, with their numbers.
func LandmarksAt(ctx context.Context, drawn *points.Points, rows []int, k kernel.Kernel, precision Precision) (*Landmarks, error) {
	if precision != Double {
		precision = Single
	}
	if kernel.Open(k) || inTable(k) {
		panic("gram: landmarks of a kernel whose width is open, or whose values are given")
	}
	largest, at := Self(drawn, k)
	if !(largest > 0) || math.IsInf(largest, 0) {
		return nil, fault.Errorf("the kernel (%v) of point %d with itself is %v: scale the points, or choose another kernel", k, rows[at]+1, largest)
	}
	cross, err := NewCross(parallel.Unwatched(ctx), drawn, drawn, k)
	if err != nil {
		return nil, err
	}
	u := linalg.FromSlice(len(rows), len(rows), cross.values)
	pivots, rank, err := linalg.PivotedCholesky(ctx, u, leastDelta(Double)/16*largest)
	if err != nil {
		return nil, err
	}
	if 2*rank <= len(rows) {
		precision = Double // takes no more memory than all in single would
	}
	for rank > 1 && u.Row(rank - 1)[rank-1]*u.Row(rank - 1)[rank-1] <= leastDelta(precision)/16*largest {
		rank--
	}
	l := &Landmarks{kernel: k, root: linalg.New(rank, rank), precision: precision}
	for r := range rank {
		copy(l.root.Row(r)[r:], u.Row(r)[r:rank])
		l.rows = append(l.rows, rows[pivots[r]])
	}
	l.basis = drawn.Subset(pivots[:rank])
	return l, nil
}

// Transform returns the matrix that the same landmarks make of points of as many columns, laid
// out in an order; nil is their own. It
// fails where the system does not give the memory, and when ctx is done. Cost: n·m·d +
// n·m²/2 multiply-adds; n·m numbers in the precision.
func (l *Landmarks) Transform(ctx context.Context, p *points.Points, order []int32) (*Landmarks, error) {
	out := &Landmarks{kernel: l.kernel, basis: l.basis, rows: l.rows, root: l.root, precision: l.precision, order: order, delta: make([]float64, p.Len())}
	var err error
	if out.precision == Double {
		out.double, err = features[float64](ctx, out, p)
	} else {
		out.single, err = features[float32](ctx, out, p)
	}
	if err != nil {
		return nil, err
	}
	return out, nil
}

// reserveFeatures reserves Φ.
func reserveFeatures[T tiles.Float](n, m int) (*tall.Matrix[T], error) {
	phi, err := tall.New[T](n, m)
	if err != nil {
		return nil, fault.Errorf("%d landmarks: %w; take fewer, or allow more memory", m, err)
	}
	return phi, nil
}

// features computes Φ, and Δ on the way.
func features[T tiles.Float](ctx context.Context, l *Landmarks, p *points.Points) (*tall.Matrix[T], error) {
	m, precision := l.Rank(), l.precision
	phi, err := reserveFeatures[T](p.Len(), m)
	if err != nil {
		return nil, err
	}
	root := make([]T, m*m)
	for i, v := range l.root.Data {
		root[i] = T(v)
	}
	right, err := layOut(ctx, l.basis, l.kernel, precision, p.Sparse())
	if err != nil {
		return nil, err
	}
	alone := parallel.WithLimit(ctx, 1)
	least, largest := leastDelta(precision), l.root.Row(0)[0]*l.root.Row(0)[0]
	rows := func(x *points.Points, first int) func(i0, i1, j0, j1 int, tile any) {
		return func(i0, i1, j0, j1 int, tile any) {
			block := phi.Rows(first+i0, first+i1)
			for i := range i1 - i0 {
				to := block[i*m+j0 : i*m+j1]
				switch tile := tile.(type) {
				case []float32:
					convert(to, tile[i*tileSize:])
				case []float64:
					convert(to, tile[i*tileSize:])
				}
			}
			if j1 < m || vec.Trsm(alone, false, true, false, false, i1-i0, m, 1, root, m, block, m) != nil {
				return
			}
			for i := range i1 - i0 {
				square := 0.0
				for _, v := range block[i*m : (i+1)*m] {
					square += float64(v) * float64(v)
				}
				self, _ := Self(x.Slice(i0+i, i0+i+1), l.kernel)
				l.delta[first+i0+i] = math.Max(self-square, least*math.Max(self, least*largest))
			}
		}
	}
	n := p.Len()
	for from := 0; from < n && err == nil; from += rowsPerChunk {
		to := min(from+rowsPerChunk, n)
		x := p.Slice(from, to)
		if l.order != nil {
			x = p.Subset(indices(l.order[from:to]))
		}
		part := parallel.Share(ctx, float64(from)/float64(n), float64(to)/float64(n))
		err = right.cross(part, x, rows(x, from), func(int, int) {}, nil)
	}
	if err != nil {
		phi.Close()
		return nil, err
	}
	return phi, nil
}

func indices(numbers []int32) []int {
	all := make([]int, len(numbers))
	for k, i := range numbers {
		all[k] = int(i)
	}
	return all
}

// convert converts as many values as dst has.
func convert[T, S tiles.Float](dst []T, src []S) {
	if same, ok := any(src).([]T); ok {
		copy(dst, same)
		return
	}
	for k := range dst {
		dst[k] = T(src[k])
	}
}

// Drawn returns the same landmarks of no points.
func (l *Landmarks) Drawn() *Landmarks {
	return &Landmarks{kernel: l.kernel, basis: l.basis, rows: l.rows, root: l.root, precision: l.precision}
}

// Len returns the number of points, n.
func (l *Landmarks) Len() int { return len(l.delta) }

// Rank returns the number of landmarks, m.
func (l *Landmarks) Rank() int { return l.root.Rows }

// Precision returns that of Φ.
func (l *Landmarks) Precision() Precision { return l.precision }

// Points returns the numbers of the landmarks among the points they were drawn from.
func (l *Landmarks) Points() []int { return l.rows }

// Order returns the points in the order of their layout, or nil for their own order. Row k of Φ,
// element k of Δ and row k of a panel belong to point Order()[k]. It must not be changed.
func (l *Landmarks) Order() []int32 { return l.order }

// At returns the point that row k belongs to.
func (l *Landmarks) At(k int) int {
	if l.order == nil {
		return k
	}
	return int(l.order[k])
}

// Delta returns the diagonal of Δ, n values. It must not be changed.
func (l *Landmarks) Delta() []float64 { return l.delta }

// Close gives the memory of Φ back.
func (l *Landmarks) Close() {
	if l.single != nil {
		l.single.Close()
	}
	if l.double != nil {
		l.double.Close()
	}
	l.single, l.double = nil, nil
}

// Precise is landmarks with Φ in single precision whose products of panels are formed in double
// precision. The products have about 15 digits in place of 6, and take about twice as long.
type Precise struct {
	*Landmarks
	phi *tall.Precise
}

// Precise returns l with products of panels formed in double precision. It panics where Φ is in
// double precision already. It has no memory of its own; close l alone.
func (l *Landmarks) Precise() Precise {
	if l.single == nil {
		panic("gram: Precise of landmarks in double precision")
	}
	return Precise{l, tall.NewPrecise(l.single)}
}

// Mul is [Landmarks.Mul] in double precision.
func (p Precise) Mul(ctx context.Context, dst, src [][]float64) error { return p.mul(ctx, dst, src, p) }

// ToLandmarks is [Landmarks.ToLandmarks] in double precision.
func (p Precise) ToLandmarks(ctx context.Context, width int, dst, x [][]float64) {
	p.phi.Trans(ctx, width, dst, x)
}

// AddFromLandmarks is [Landmarks.AddFromLandmarks] in double precision.
func (p Precise) AddFromLandmarks(ctx context.Context, width int, dst [][]float64, s float64, u [][]float64) {
	p.phi.Add(ctx, width, dst, s, u)
}

// ToLandmarks computes dst[p] = Φᵀx[p], panels of m rows of panels of n rows, of the given width, in one pass
// over Φ. It uses scratch memory, and leaves dst undefined once ctx is done, as all products
// of panels do. Cost: 16·n·m multiply-adds for every 16 columns of all.
func (l *Landmarks) ToLandmarks(ctx context.Context, width int, dst, x [][]float64) {
	if l.single != nil {
		l.single.Trans(ctx, width, dst, x)
		return
	}
	l.double.Trans(ctx, width, dst, x)
}

// AddFromLandmarks computes dst[p] += s·Φu[p], panels of n rows of panels of m rows, in one
// pass over Φ, at the same cost.
func (l *Landmarks) AddFromLandmarks(ctx context.Context, width int, dst [][]float64, s float64, u [][]float64) {
	if l.single != nil {
		l.single.Add(ctx, width, dst, s, u)
		return
	}
	l.double.Add(ctx, width, dst, s, u)
}

// Columns writes the columns from ≤ j < from+width of Φ into a panel of n rows.
func (l *Landmarks) Columns(ctx context.Context, width int, dst []float64, from int) {
	if l.single != nil {
		l.single.Panel(ctx, width, dst, from)
		return
	}
	l.double.Panel(ctx, width, dst, from)
}

// AddRow adds a times row k of Φ to dst, m numbers.
func (l *Landmarks) AddRow(dst []float64, a float64, k int) {
	x, m := []float64{a}, len(dst)
	if l.single != nil {
		vec.MulTileTrans(1, m, l.single.Rows(k, k+1), m, dst, x)
		return
	}
	vec.MulTileTrans(1, m, l.double.Rows(k, k+1), m, dst, x)
}

// FetchRow brings row k of Φ into the cache, while the caller goes on.
func (l *Landmarks) FetchRow(k int) {
	if l.single != nil {
		vec.Prefetch(l.single.Rows(k, k+1))
		return
	}
	vec.Prefetch(l.double.Rows(k, k+1))
}

// Products returns ΦᵀDΦ of a diagonal matrix of n values that are not negative, m×m, with
// sums in a precision. Cost: n·m²/2 multiply-adds.
func (l *Landmarks) Products(ctx context.Context, diagonal []float64, precision Precision) (linalg.Matrix, error) {
	switch {
	case l.double != nil:
		return tall.Products[float64](ctx, l.double, diagonal)
	case precision == Double:
		return tall.Products[float64](ctx, l.single, diagonal)
	}
	return tall.Products[float32](ctx, l.single, diagonal)
}

// Mul computes dst[c] = K̂·src[c] for all columns, 16 of them in one pass over Φ. It fails
// when ctx is done. It panics when the numbers or lengths of the columns differ.
func (l *Landmarks) Mul(ctx context.Context, dst, src [][]float64) error {
	return l.mul(ctx, dst, src, l)
}

// mul is Mul by products of panels.
func (l *Landmarks) mul(ctx context.Context, dst, src [][]float64, phi interface {
	ToLandmarks(ctx context.Context, width int, dst, x [][]float64)
	AddFromLandmarks(ctx context.Context, width int, dst [][]float64, s float64, u [][]float64)
}) error {
	n := l.Len()
	if len(dst) != len(src) {
		panic(fmt.Sprintf("gram: Mul of %d columns into %d", len(src), len(dst)))
	}
	l.panel = grow(l.panel, n*vec.MaxPanel)
	u := make([]float64, l.Rank()*vec.MaxPanel)
	for from := 0; from < len(src); from += vec.MaxPanel {
		to := min(from+vec.MaxPanel, len(src))
		clear(l.panel)
		for c, x := range src[from:to] {
			if len(x) != n || len(dst[from+c]) != n {
				panic(fmt.Sprintf("gram: Mul of columns of length %d and %d, want %d", len(x), len(dst[from+c]), n))
			}
			for i := range x {
				l.panel[i*vec.MaxPanel+c] = x[l.At(i)]
			}
		}
		phi.ToLandmarks(ctx, vec.MaxPanel, [][]float64{u}, [][]float64{l.panel})
		for i, d := range l.delta {
			for c := range to - from {
				l.panel[i*vec.MaxPanel+c] *= d
			}
		}
		phi.AddFromLandmarks(ctx, vec.MaxPanel, [][]float64{l.panel}, 1, [][]float64{u})
		for c, y := range dst[from:to] {
			for i := range y {
				y[l.At(i)] = l.panel[i*vec.MaxPanel+c]
			}
		}
	}
	return ctx.Err()
}

// Expansion returns the functions φ(x)ᵀw + b of weights [machine][landmark]: expansions in
// the landmarks, of the coefficients R⁻¹w, and which of the points these are, ascending.
func (l *Landmarks) Expansion(ctx context.Context, weights [][]float64, bias []float64) (e Expansion, rows []int, err error) {
	order := make([]int, l.Rank())
	for r := range order {
		order[r] = r
	}
	slices.SortFunc(order, func(a, b int) int { return l.rows[a] - l.rows[b] })
	for _, r := range order {
		rows = append(rows, l.rows[r])
	}
	e = Expansion{Kernel: l.kernel, Basis: l.basis.Subset(order), Bias: bias}
	for _, w := range weights {
		w = slices.Clone(w)
		if err := linalg.SolveUpper(ctx, l.root, linalg.FromSlice(l.Rank(), 1, w)); err != nil {
			return e, rows, err
		}
		coefficients := make([]float64, len(w))
		for k, r := range order {
			coefficients[k] = w[r]
		}
		e.Coefficients = append(e.Coefficients, coefficients)
	}
	return e, rows, nil
}
