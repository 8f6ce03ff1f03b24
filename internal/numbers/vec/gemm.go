package vec

import (
	"context"
	"sync"

	"lapsvm/internal/numbers/parallel"
)

// The products below follow the classical scheme (Goto and van de Geijn,
// Anatomy of high-performance matrix multiplication, ACM TOMS 34(3), 2008).
// Panels of kc×nr of the right matrix pass through the first-level cache;
// blocks of mc×kc of the left one stay in the second. Every element of C is a
// chain of fused multiply-adds over up to kc terms, times alpha, added to its
// previous value, block after block. So its bits depend neither on its place
// nor on the split into tasks.

const (
	mc = 192  // most rows of a task, a multiple of every mr
	nc = 4096 // most columns of a packed right block
)

// panels says where a block's panels lie: panel q starts at data[q·step],
// element (r, p) of it s·r + sk·p further on. Without padding, a cut-off last
// panel lies in edge instead, packed.
type panels[T Float] struct {
	data        []T
	s, sk, step int
	edge        []T
}

// triangle restricts a product to one half of C, diagonal included.
type triangle int8

const (
	full triangle = iota
	upper
	lower
)

// block is one product of packed or viewed panels at a single depth step.
type block[T Float] struct {
	kern        *micro[T]
	tiles       tiles[T] // of kern
	depth       int
	alpha       T
	add         bool
	left, right panels[T]
	c           []T
	ldc         int
	buf         []T // one tile, for what crosses an edge
	tri         triangle
	row, col    int    // place of c[0] in the whole matrix, for tri
	ahead       [2][]T // memory to be brought into the second-level cache meanwhile,
	portion     int    // so much of both for every tile
}

// run computes the first m rows and n columns, panel by panel. Deep panels
// keep a right one in the first-level cache while the left ones pass; shallow
// ones fit there together, and then C is better written along its rows.
func (b *block[T]) run(m, n int) {
	mr, nr := b.kern.mr, b.kern.nr
	if b.depth <= shallow {
		for i := 0; i < m; i += mr {
			for j := 0; j < n; j += nr {
				b.one(i, min(mr, m-i), j, min(nr, n-j))
			}
		}
		return
	}
	for j := 0; j < n; j += nr {
		for i := 0; i < m; i += mr {
			b.one(i, min(mr, m-i), j, min(nr, n-j))
		}
	}
}

const shallow = 96

// one computes the tile at row i and column j.
func (b *block[T]) one(i, rows, j, cols int) {
	mr, nr := b.kern.mr, b.kern.nr
	for k, ahead := range &b.ahead {
		if fetch := min(b.portion, len(ahead)); fetch > 0 {
			Prefetch(ahead[:fetch])
			b.ahead[k] = ahead[fetch:]
		}
	}
	crosses := false
	if b.tri != full {
		first, last := b.col+j-(b.row+i+rows-1), b.col+j+cols-1-(b.row+i) // col − row
		if b.tri == upper && last < 0 || b.tri == lower && first > 0 {
			return
		}
		crosses = b.tri == upper && first < 0 || b.tri == lower && last > 0
	}
	left, rsa, csa := b.left.data, b.left.s, b.left.sk
	if rows < mr && b.left.edge != nil {
		left, rsa, csa = b.left.edge, 1, mr
	} else {
		left = left[i/mr*b.left.step:]
	}
	right, rsb := b.right.data, b.right.sk
	if cols < nr && b.right.edge != nil {
		right, rsb = b.right.edge, nr
	} else {
		right = right[j/nr*b.right.step:]
	}
	tile := b.tiles.forRows(rows)
	if rows == tile.rows && cols == nr && !crosses {
		tile.sum(b.depth, left, rsa, csa, right, rsb, b.c[i*b.ldc+j:], b.ldc, b.alpha, b.add)
		return
	}
	tile.sum(b.depth, left, rsa, csa, right, rsb, b.buf, nr, b.alpha, false)
	b.merge(i, j, rows, cols)
}

// merge brings a tile from buf to C, as far as it belongs there.
func (b *block[T]) merge(i, j, rows, cols int) {
	nr := b.kern.nr
	for r := range rows {
		from, to := 0, cols
		d := b.row + i + r - b.col - j // column of the diagonal, in this tile
		switch b.tri {
		case upper:
			from = min(max(from, d), cols)
		case lower:
			to = max(min(to, d+1), 0)
		}
		if from >= to {
			continue
		}
		dst := b.c[(i+r)*b.ldc+j+from : (i+r)*b.ldc+j+to]
		src := b.buf[r*nr+from : r*nr+to]
		if !b.add {
			copy(dst, src)
			continue
		}
		for q, v := range src {
			dst[q] += v
		}
	}
}

// space is scratch for one task.
type space[T Float] struct {
	left, right []T
	tile        [12 * 32]T
	strip, tri  []T
}

var (
	spaces32 = sync.Pool{New: func() any { return new(space[float32]) }}
	spaces64 = sync.Pool{New: func() any { return new(space[float64]) }}
)

func spaces[T Float]() *sync.Pool {
	var z T
	if _, single := any(z).(float32); single {
		return &spaces32
	}
	return &spaces64
}

func getSpace[T Float]() *space[T]  { return spaces[T]().Get().(*space[T]) }
func putSpace[T Float](s *space[T]) { spaces[T]().Put(s) }

// product is C = alpha·A·B + beta·C over views; tri restricts it to half of C.
type product[T Float] struct {
	m, n, k     int
	alpha, beta T
	a, b        matrix[T]
	c           []T
	ldc         int
	tri         triangle
}

// fewPanels right ones do not pay for packing left rows that lie one after the other.
const fewPanels = 4

// alone is a context for small work, which more threads would not speed up.
var alone = parallel.WithLimit(context.Background(), 1)

// run computes the product, or a part of it once ctx is done. Packed right
// blocks are shared by all tasks.
func (g *product[T]) run(ctx context.Context) {
	if g.m == 0 || g.n == 0 {
		return
	}
	work := g.k != 0 && g.alpha != 0
	if g.beta != 1 && !(work && g.beta == 0) {
		g.scale()
	}
	if !work {
		return
	}
	if float64(g.m)*float64(g.n)*float64(g.k) < 1<<18 {
		ctx = alone
	}
	kern := kernels[T]()
	step := depthStep(g.k)
	shared := getSpace[T]()
	defer putSpace(shared)
	few := g.a.cs == 1 && g.n <= fewPanels*kern.nr // step packs one side of such alone
	if g.m <= mc && g.n > 2*kern.nr && !few {
		g.flat(ctx, kern, shared)
		return
	}
	for j := 0; j < g.n; j += nc {
		n := min(nc, g.n-j)
		for p := 0; p < g.k; p += step {
			g.step(ctx, kern, shared, j, n, p, min(step, g.k-p))
		}
	}
}

// flat computes a product of few rows. The left matrix is packed once. Every
// task takes a range of columns over the whole depth, and packs its part of the
// right matrix into its own cache.
func (g *product[T]) flat(ctx context.Context, kern *micro[T], shared *space[T]) {
	mr, nr := kern.mr, kern.nr
	padded := roundUp(g.m, mr)
	step := depthStep(g.k)
	shared.left = grow(shared.left, padded*g.k)
	left := shared.left
	err := parallel.Step(ctx, tasks(g.k, step), func(_, t int) {
		p := t * step
		kern.pack(left[padded*p:], mr, g.m, min(step, g.k-p), g.a.from(0, p))
	})
	if err != nil {
		return
	}
	cols := roundUp(min(16*nr, max(2*nr, tasks(g.n, 3*parallel.Threads(ctx)))), nr)
	_ = parallel.Step(ctx, tasks(g.n, cols), func(_, t int) {
		j := t * cols
		n := min(cols, g.n-j)
		if g.tri == lower && j >= g.m {
			return
		}
		ws := getSpace[T]()
		defer putSpace(ws)
		b := block[T]{kern: kern, tiles: kern.products, alpha: g.alpha, c: g.c[j:], ldc: g.ldc, buf: ws.tile[:], tri: g.tri, col: j}
		for p := 0; p < g.k; p += step {
			b.depth, b.add = min(step, g.k-p), p > 0 || g.beta != 0
			b.left = panels[T]{data: left[padded*p:], s: 1, sk: mr, step: mr * b.depth}
			b.right = g.packRight(kern, ws, p, b.depth, j, n)
			b.run(g.m, n)
		}
	})
}

// packRight returns panels of columns j … j+n, in ws where they need packing.
func (g *product[T]) packRight(kern *micro[T], ws *space[T], p, depth, j, n int) panels[T] {
	nr := kern.nr
	m := g.b.from(p, j).t() // n × depth
	if m.rs != 1 || g.m > 2*kern.mr {
		ws.right = grow(ws.right, roundUp(n, nr)*depth)
		kern.pack(ws.right, nr, n, depth, m)
		return panels[T]{data: ws.right, s: 1, sk: nr, step: nr * depth}
	}
	// Too few rows to pay for packing: read B where it lies.
	right := panels[T]{data: m.data, s: 1, sk: m.cs, step: nr}
	if rest := n % nr; rest > 0 {
		ws.right = grow(ws.right, nr*depth)
		right.edge = ws.right
		kern.pack(right.edge, nr, rest, depth, m.from(n-rest, 0))
	}
	return right
}

// step adds the share of columns j … j+n and of depth p … p+depth to many
// rows: the right block is packed once, for all tasks.
func (g *product[T]) step(ctx context.Context, kern *micro[T], shared *space[T], j, n, p, depth int) {
	mr, nr := kern.mr, kern.nr
	shared.right = grow(shared.right, roundUp(n, nr)*depth)
	right := panels[T]{data: shared.right, s: 1, sk: nr, step: nr * depth}
	const chunk = 8 // panels per packing task
	w := chunk * nr
	bm := g.b.from(p, j).t()
	err := parallel.Step(ctx, tasks(n, w), func(_, t int) {
		kern.pack(right.data[t*w*depth:], nr, min(w, n-t*w), depth, bm.from(t*w, 0))
	})
	if err != nil {
		return
	}

	// Tasks are blocks of rows times ranges of columns, a few per thread.
	rows, cols, threads := min(mc, roundUp(g.m, mr)), roundUp(n, nr), parallel.Threads(ctx)
	for threads > 1 && tasks(g.m, rows)*tasks(n, cols) < 3*threads {
		if rows > 8*mr {
			rows = roundUp(rows/2, mr)
		} else if cols > 8*nr {
			cols = roundUp(cols/2, nr)
		} else {
			break
		}
	}
	across := tasks(n, cols)
	_ = parallel.Step(ctx, tasks(g.m, rows)*across, func(_, t int) {
		i0, j0 := t/across*rows, t%across*cols
		m, n := min(rows, g.m-i0), min(cols, n-j0)
		if g.tri == upper && j+j0+n <= i0 || g.tri == lower && j+j0 >= i0+m {
			return
		}
		ws := getSpace[T]()
		defer putSpace(ws)
		b := block[T]{
			kern: kern, tiles: kern.products, depth: depth, alpha: g.alpha, add: p > 0 || g.beta != 0,
			c: g.c[i0*g.ldc+j+j0:], ldc: g.ldc, buf: ws.tile[:],
			tri: g.tri, row: i0, col: j + j0,
			right: right,
		}
		b.right.data = right.data[j0/nr*right.step:]
		am := g.a.from(i0, p)
		if am.cs == 1 && n <= fewPanels*nr {
			// Each row is read a few times only, and along its storage.
			b.left = panels[T]{data: am.data, s: am.rs, sk: 1, step: mr * am.rs}
			if rest := m % mr; rest > 0 {
				ws.left = grow(ws.left, mr*depth)
				b.left.edge = ws.left
				kern.pack(b.left.edge, mr, rest, depth, am.from(m-rest, 0))
			}
		} else {
			ws.left = grow(ws.left, roundUp(m, mr)*depth)
			kern.pack(ws.left, mr, m, depth, am)
			b.left = panels[T]{data: ws.left, s: 1, sk: mr, step: mr * depth}
		}
		b.run(m, n)
	})
}

func tasks(n, size int) int { return (n + size - 1) / size }

// scale multiplies C, or its half, by beta; zero overwrites whatever is there.
func (g *product[T]) scale() {
	for i := range g.m {
		row := g.c[i*g.ldc : i*g.ldc+g.n]
		switch g.tri {
		case upper:
			row = row[min(i, g.n):]
		case lower:
			row = row[:min(i+1, g.n)]
		}
		if g.beta == 0 {
			clear(row)
			continue
		}
		for j := range row {
			row[j] *= g.beta
		}
	}
}

// Gemm computes the matrix product
//
//	C = alpha·op(A)·op(B) + beta·C
//
// where op(A) is m×k, op(B) k×n, C m×n, and op(X) is Xᵀ where the flag says so. With beta = 0 the old contents of C do not
// matter, NaN or not. C must not overlap A or B. Inner products of the rows
// of two tables are Gemm with transB. The bits of the result do not depend on
// the threads. Once ctx is done it ends within a block or so and returns its
// error, C being undefined. Cost: m·n·k multiply-adds and packing. It panics on
// short slices or strides.
func Gemm[T Float](ctx context.Context, transA, transB bool, m, n, k int, alpha T, a []T, lda int, b []T, ldb int, beta T, c []T, ldc int) error {
	if transA {
		check("Gemm", "a", k, m, len(a), lda)
	} else {
		check("Gemm", "a", m, k, len(a), lda)
	}
	if transB {
		check("Gemm", "b", n, k, len(b), ldb)
	} else {
		check("Gemm", "b", k, n, len(b), ldb)
	}
	check("Gemm", "c", m, n, len(c), ldc)
	g := product[T]{m: m, n: n, k: k, alpha: alpha, beta: beta, a: view(a, lda, transA), b: view(b, ldb, transB), c: c, ldc: ldc}
	g.run(ctx)
	return ctx.Err()
}
