// Package nystrom trains where the Gram matrix does not fit, on the values f of the function
// at the points themselves. With landmarks, K̂ = ΦΦᵀ + Δ ([Landmarks]), the objective of a
// machine without a bias is
//
//	½ Σ_i c_i·loss(y_i, f_i) + ½ fᵀQf,   Q = γA K̂⁻¹ + γI Lᵖ
//
// and K̂⁻¹ = Δ⁻¹ − Δ⁻¹Φ(I + ΦᵀΔ⁻¹Φ)⁻¹ΦᵀΔ⁻¹ costs O(n·m). Equations Qx = b are solved by conjugate
// gradient with a preconditioner of two levels. One level is for differences between neighbours,
// the other for functions that landmarks can express,
//
//	P = q(L) + Φ (γA I + γI ΦᵀLᵖΦ)⁻¹ Φᵀ,   q(x) ≈ 1/(γI xᵖ + γA/median Δ)
//
// with a polynomial q. Without either level it does not converge in any practical number of
// iterations; with both it takes about ten, whatever n is.
//
// As in package deformed, all points but the labelled ones can be eliminated: their columns of Q⁻¹
// make a [deformed.Problem]. The problem gives exact machines for any loss, and exact outputs of points
// whose labels are held out. With a guess of that problem, such as one of a part of the points, [Space.Together] finds
// the machines in about a column for each.
//
// Ranks that share the points ([comm.Comm], which the Laplacian knows) hold the rows of their own
// points: Φ, Δ, panels, outputs. Sums over points run over all ranks. So m×m and l×l matrices, and
// machines, are the same on all ranks. Labelled points are given by their numbers among the points
// of all ranks.
package nystrom

import (
	"context"

	"lapsvm/internal/numbers/linalg"
	"lapsvm/internal/numbers/parallel"
	"lapsvm/internal/numbers/vec"
	"lapsvm/internal/points/gram"
	"lapsvm/internal/points/graph"
	"lapsvm/internal/ranks/comm"
	"lapsvm/internal/system/fault"
)

// scalars is a number for every column of a panel, and 0 for those that it has not.
type scalars [vec.MaxPanel]float64

// Landmarks is the Gram matrix K̂ = ΦΦᵀ + Δ of n points and m landmarks, as a [Space] works with it.
// A method does what the method of [gram.Landmarks] does. [gram.Precise] is another such matrix.
type Landmarks interface {
	Len() int  // n
	Rank() int // m
	Precision() gram.Precision
	Order() []int32
	At(row int) int
	Delta() []float64
	ToLandmarks(ctx context.Context, width int, dst, x [][]float64)
	AddFromLandmarks(ctx context.Context, width int, dst [][]float64, s float64, u [][]float64)
	Columns(ctx context.Context, width int, dst []float64, from int)
	AddRow(dst []float64, a float64, k int)
	FetchRow(k int)
	Products(ctx context.Context, diagonal []float64, precision gram.Precision) (linalg.Matrix, error)
}

// Space is functions on points, with the norms of landmarks and of a Laplacian. It uses
// scratch memory: one goroutine at a time.
type Space struct {
	ranks       *comm.Comm
	partition   comm.Partition // the points of every rank
	k           Landmarks
	power       *graph.Laplacian // Lᵖ
	l           *graph.Laplacian // L
	inner       linalg.Matrix    // U of UᵀU = I + ΦᵀΔ⁻¹Φ
	coarse      linalg.Matrix    // ΦᵀLᵖΦ, or about that
	medianDelta float64          // the median of Δ
	ones        []float64        // K̂⁻¹1
	root        []float64        // Δ^−½ of a [Diagonal]; nil else
	between     []float64        // scratch of multiply, n rows
	at          []int32          // of every point, its row in panels; nil where that is its index
	width       int              // of the panels at work, see [Space.fit]
	panel       []float64        // scratch, n rows
	landmark    []float64        // scratch, m rows
	weights     []float64        // m rows, w of what was explained last
}

// Memory is what a [Space] and a [Problem] take in bytes, beside landmarks and Laplacian.
type Memory struct {
	Solving   int64 // while columns are solved for, with the columns
	Functions int64 // while functions are made of them, with the columns and the functions
	Columns   int64 // the columns alone, which are outside the Go heap on systems with huge pages
}

// Bytes estimates the memory for n points, m landmarks, so many columns, of which so many are solved for together, and so many machines.
// Newton's method has no columns, and its machines together.
func Bytes(n, m, columns, together, machines int, precision gram.Precision) Memory {
	const (
		solving   = 7 // panels of float64: of functions, residuals, conjugate gradient, and one that others are made in
		newton    = 3 // more of Newton's method: functions, their products with Q, and the products of a direction
		functions = 3 // panels of float64 while functions are made
		matrices  = 6 // of m² numbers: R, two factors, one that is made, of rows that are scaled
		point     = 28
	)
	points, landmarks := int64(n), int64(m)
	panel := 8 * points * int64(vec.StepWidth(together))
	fixed := point*points + matrices*8*landmarks*landmarks
	b := Memory{Columns: int64(precision/8) * points * int64(columns+min(columns, mostLeading))}
	b.Solving, b.Functions = fixed+solving*panel+b.Columns, fixed+functions*panel+b.Columns+16*points*int64(machines)
	if columns == 0 {
		b.Solving += newton*panel + 16*points
		b.Functions += (solving + newton - functions) * panel // which the panels are made into
	}
	return b
}

// New prepares the space of landmarks and the power of a Laplacian, which it keeps. It
// fails with [ErrRounding] where the landmarks cannot be told apart, and when ctx is done. Cost: 3/2·n·m²
// multiply-adds and p·m products with L.
func New(ctx context.Context, k Landmarks, power *graph.Laplacian) (*Space, error) {
	n := k.Len()
	s := &Space{partition: comm.Partition{0, n}, k: k}
	if d, is := k.(*Diagonal); is {
		s.root = d.root
	}
	if order := k.Order(); order != nil {
		s.at = make([]int32, n)
		for row, i := range order {
			s.at[i] = int32(row)
		}
	}
	if ranks, partition := power.Ranks(); ranks != nil {
		s.ranks, s.partition = ranks, partition
	}
	var err error
	if s.medianDelta, err = s.ranks.Median(ctx, k.Delta()); err != nil {
		return nil, err
	}
	const first = 0.3 // of the time, for the factor
	if err = s.factorInner(parallel.Share(ctx, 0, first)); err != nil {
		return nil, err
	}
	if err = s.SetPower(parallel.Share(ctx, first, 1), power); err != nil {
		return nil, err
	}
	s.fit(1)
	x := make([]float64, n*s.width)
	for i := range n {
		x[i*s.width] = 1
	}
	s.inverse(ctx, s.panel, x)
	s.ones = s.column(s.panel, 0)
	return s, ctx.Err()
}

// fit makes the panels at work as narrow as some columns allow, up to 16: what a step of the first level
// and a pass over Φ take goes by the width. Panels of another width are lost.
func (s *Space) fit(columns int) {
	s.width = vec.StepWidth(columns)
	n, m := s.k.Len()*s.width, s.k.Rank()*s.width
	s.panel, s.landmark, s.weights = resized(s.panel, n), resized(s.landmark, m), resized(s.weights, m)
}

// resized returns room for as many numbers, which are undefined.
func resized[T float32 | float64](x []T, size int) []T {
	if cap(x) < size {
		return make([]T, size)
	}
	return x[:size]
}

// SetPower gives the space another power of a Laplacian, as [New] does, and keeps what is of the
// landmarks alone. No problem that the space has made may be used any more. It fails when ctx is done. Cost:
// n·m² multiply-adds and p·m products with L; where n is 32·m or more some 20·m³ multiply-adds.
func (s *Space) SetPower(ctx context.Context, power *graph.Laplacian) error {
	if order := s.k.Order(); order != nil {
		power = power.Ordered(order)
	}
	s.power, s.l = power, power.Once()
	if s.root != nil { // no function is on landmarks
		s.coarse = linalg.New(s.k.Rank(), s.k.Rank())
		return ctx.Err()
	}
	if s.samplesCoarse() {
		return s.sampleCoarse(ctx)
	}
	return s.multiplyCoarse(ctx)
}

// multiplyPower computes dst = Lᵖx, or of a [Diagonal] Δ^−½LᵖΔ^−½x.
func (s *Space) multiplyPower(ctx context.Context, dst, x []float64) {
	if s.root == nil {
		s.power.MulPanel(ctx, s.width, dst, x)
		return
	}
	s.between = resized(s.between, len(x))
	s.times(ctx, s.between, x)
	s.power.MulPanel(ctx, s.width, dst, s.between)
	s.times(ctx, dst, dst)
}

// times computes dst = Δ^−½x.
func (s *Space) times(ctx context.Context, dst, x []float64) {
	width := s.width
	s.each(ctx, func(_, from, to int) {
		for i := from; i < to; i++ {
			for c := i * width; c < (i+1)*width; c++ {
				dst[c] = s.root[i] * x[c]
			}
		}
	})
}

// factorInner factors I + ΦᵀΔ⁻¹Φ, in double precision: its largest eigenvalue may be 1e8,
// and the least are about 1.
func (s *Space) factorInner(ctx context.Context) error {
	inverse := make([]float64, s.k.Len())
	for i, v := range s.k.Delta() {
		inverse[i] = 1 / v
	}
	var err error
	if s.inner, err = s.products(ctx, inverse, gram.Double); err != nil {
		return err
	}
	for i := range s.inner.Rows {
		s.inner.Row(i)[i]++
	}
	definite, err := linalg.Cholesky(ctx, s.inner)
	if err == nil && !definite {
		err = fault.Rounding.Errorf("%w, as %d landmarks cannot be told apart in this precision: take fewer%s", ErrRounding, s.k.Rank(), s.k.Precision().OrDouble())
	}
	return err
}

// products returns ΦᵀDΦ of a diagonal matrix of the points of all ranks.
func (s *Space) products(ctx context.Context, diagonal []float64, precision gram.Precision) (linalg.Matrix, error) {
	p, err := s.k.Products(ctx, diagonal, precision)
	if err == nil {
		err = s.ranks.Sum(ctx, p.Data)
	}
	return p, err
}

// multiplyCoarse computes ΦᵀLᵖΦ, two panels of columns of Φ at a time.
func (s *Space) multiplyCoarse(ctx context.Context) error {
	s.fit(vec.MaxPanel)
	n, m, width := s.k.Len(), s.k.Rank(), s.width
	s.coarse = linalg.New(m, m)
	x, products, sums := make([]float64, n*width), [][]float64{s.panel, make([]float64, n*width)}, [][]float64{s.landmark, make([]float64, m*width)}
	pairWidth := 2 * width
	err := parallel.Run(parallel.WithLimit(ctx, 1), (m+pairWidth-1)/pairWidth, func(_, pair int) {
		for p, product := range products {
			if from := pair*pairWidth + p*width; from < m {
				s.k.Columns(ctx, width, x, from)
				s.multiplyPower(ctx, product, x)
			}
		}
		s.k.ToLandmarks(ctx, width, sums, products)
		for p, sum := range sums {
			from := pair*pairWidth + p*width
			for i := 0; from < m && i < m; i++ {
				copy(s.coarse.Row(i)[from:min(from+width, m)], sum[i*width:])
			}
		}
	})
	if err == nil {
		err = s.ranks.Sum(ctx, s.coarse.Data)
	}
	for i := range m {
		for j := range i {
			mean := (s.coarse.Row(i)[j] + s.coarse.Row(j)[i]) / 2
			s.coarse.Row(i)[j], s.coarse.Row(j)[i] = mean, mean
		}
	}
	return err
}

// inverse computes dst = K̂⁻¹x, where dst is another panel.
func (s *Space) inverse(ctx context.Context, dst, x []float64) {
	s.explain(ctx, dst, x)
	s.divide(ctx, dst, s.k.Delta())
}

// explain computes the residual e = x − Φw of functions, and leaves in s.weights
//
//	w = (I + ΦᵀΔ⁻¹Φ)⁻¹ΦᵀΔ⁻¹x = ΦᵀK̂⁻¹x,   e = ΔK̂⁻¹x
//
// Small Δ leave little of x − Φw, so w is refined by what is left.
func (s *Space) explain(ctx context.Context, e, x []float64) {
	w, more, width := s.weights, s.landmark, s.width
	clear(w)
	const rounds = 2
	for round := range rounds {
		s.each(ctx, func(_, from, to int) { copy(e[from*width:to*width], x[from*width:to*width]) })
		if round > 0 {
			s.k.AddFromLandmarks(ctx, width, [][]float64{e}, -1, [][]float64{w})
		}
		s.divide(ctx, e, s.k.Delta())
		s.k.ToLandmarks(ctx, width, [][]float64{more}, [][]float64{e})
		_ = s.ranks.Sum(ctx, more) // where it fails, ctx is done
		vec.Axpy(-1, w, more)
		s.solveFactored(ctx, s.inner, more)
		vec.Axpy(1, more, w)
	}
	s.each(ctx, func(_, from, to int) { copy(e[from*width:to*width], x[from*width:to*width]) })
	s.k.AddFromLandmarks(ctx, width, [][]float64{e}, -1, [][]float64{w})
}

// divide divides the rows of a panel.
func (s *Space) divide(ctx context.Context, x, by []float64) {
	width := s.width
	s.each(ctx, func(_, from, to int) {
		for i := from; i < to; i++ {
			row := x[i*width : (i+1)*width]
			for c := range row {
				row[c] /= by[i]
			}
		}
	})
}

// solveFactored solves UᵀU·x = b in place, b being a panel.
func (s *Space) solveFactored(ctx context.Context, u linalg.Matrix, b []float64) {
	x := linalg.FromSlice(u.Rows, s.width, b)
	if linalg.SolveUpper(ctx, u.T(), x) == nil {
		_ = linalg.SolveUpper(ctx, u, x) // it fails when ctx is done, which callers see
	}
}

// rowsPerPiece is how many rows of a panel are handed to a goroutine at once.
const rowsPerPiece = 1024

// each calls do for pieces of the rows of a panel, until ctx is done.
func (s *Space) each(ctx context.Context, do func(piece, from, to int)) {
	n := s.k.Len()
	_ = parallel.Step(ctx, s.pieces(), func(_, piece int) { do(piece, piece*rowsPerPiece, min((piece+1)*rowsPerPiece, n)) })
}

func (s *Space) pieces() int { return (s.k.Len() + rowsPerPiece - 1) / rowsPerPiece }

// subtract subtracts a number from every column of a panel.
func (s *Space) subtract(ctx context.Context, x []float64, by *scalars) {
	width := s.width
	s.each(ctx, func(_, from, to int) {
		for i := from * width; i < to*width; i += width {
			row := x[i : i+width]
			for c, v := range by[:width] {
				row[c] -= v
			}
		}
	})
}

// elsewhere is the row of a point of another rank.
const elsewhere = -1

// rows returns the rows in panels of points.
func (s *Space) rows(points []int) []int {
	rows := make([]int, len(points))
	first, _ := s.partition.Range(s.ranks.Rank())
	for k, i := range points {
		rows[k] = i - first
		switch {
		case rows[k] < 0 || rows[k] >= s.k.Len():
			rows[k] = elsewhere
		case s.at != nil:
			rows[k] = int(s.at[rows[k]])
		}
	}
	return rows
}

// gather returns rows of a panel, of whichever rank they are.
func (s *Space) gather(ctx context.Context, panel []float64, rows []int) []float64 {
	width := s.width
	values := make([]float64, len(rows)*width)
	for k, i := range rows {
		if i != elsewhere {
			copy(values[k*width:(k+1)*width], panel[i*width:])
		}
	}
	_ = s.ranks.Sum(ctx, values) // where it fails, ctx is done
	return values
}

// values returns a column of a panel in the order of the points.
func (s *Space) values(panel []float64, c int) []float64 {
	x := make([]float64, s.k.Len())
	for row := range x {
		x[s.k.At(row)] = panel[row*s.width+c]
	}
	return x
}

// column returns a column of a panel.
func (s *Space) column(panel []float64, c int) []float64 {
	x := make([]float64, len(panel)/s.width)
	for i := range x {
		x[i] = panel[i*s.width+c]
	}
	return x
}
