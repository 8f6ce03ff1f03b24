package label

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"lapsvm/internal/machines/deformed"
	"lapsvm/internal/machines/geometry"
	"lapsvm/internal/numbers/vec"
	"lapsvm/internal/points/gram"
)

// pool is the points that suggestions are taken from, with the variance that labels leave them.
// A label counts as a measurement of f with noise of variance 1, where f has the covariance
// Q⁻¹. After the labels L the covariance is
//
//	Σ = Q⁻¹ − Q⁻¹_·L (S_LL + I)⁻¹ Q⁻¹_L·
//
// and a label of point k lowers the sum of the variances of all points by ‖Σ_k‖²/(1 + Σ_kk). The
// pool keeps the diagonals of Σ and Σ² for its points. For every label it also keeps one column
// of each matrix, from which the changes of the diagonals follow.
type pool struct {
	points     []int
	at         map[int]int // point → its number in the pool
	covariance *deformed.Covariance
	stand      map[int]int // labelled point outside the pool → number of its nearest point in the pool
	variance   []float64   // the diagonal of Σ
	square     []float64   // the diagonal of Σ²
	taken      []int       // numbers of the labelled points, in the order in which labels were taken
	steps      []step
	start      [2][]float64 // the diagonals without labels
}

// step is what a label changes: Σ ← Σ − ssᵀ and Σ² ← Σ² − stᵀ − tsᵀ + τssᵀ, where
// s = Σ_k/√d, t = Σ²_k/√d, τ = Σ²_kk/d and d = 1 + Σ_kk.
type step struct {
	s, t []float64
	tau  float64
}

// inverting is the cost of the inverse of a pool in that of labels taken, for each of its points, as measured.
const inverting = 0.2

// poolPoints is the number of points drawn for a pool where there is no whole inverse. So many
// points show where labels are needed.
const poolPoints = 1500

// newPool returns a pool of all points where there is a whole inverse. Else it draws points,
// with the covariance of a geometry of their own by the same recipe.
func (l *Labelling) newPool(ctx context.Context, s *stage) (*pool, error) {
	p := &pool{at: make(map[int]int), stand: make(map[int]int)}
	n := l.prepared()
	p.points = indices(n)
	if l.trained() || l.ground.Geometry.Landmarks() != nil {
		p.points = rand.New(rand.NewPCG(l.o.Seed, 18)).Perm(n)[:min(n, poolPoints)]
		slices.Sort(p.points)
	}
	var err error
	if p.covariance, err = l.covariance(ctx, p.points, s); err != nil {
		return nil, err
	}
	for k, i := range p.points {
		p.at[i] = k
	}
	p.variance, p.square, err = p.covariance.Variances(ctx)
	p.start = [2][]float64{slices.Clone(p.variance), slices.Clone(p.square)}
	return p, err
}

// covariance returns that of some points without labels: of all where there is a whole inverse, else by a geometry of their own by the same
// recipe.
func (l *Labelling) covariance(ctx context.Context, points []int, s *stage) (*deformed.Covariance, error) {
	r, leading := l.ground.Recipe, l.ground.Recipe.Leading()
	if l.alone != nil {
		w, err := alone{l.ground.Geometry, leading.GammaA, r.Bias}.among(ctx, points)
		if err != nil {
			return nil, err
		}
		return w.Covariance(indices(len(points))), nil
	}
	if l.inverses != nil {
		if w, is := l.inverses[slices.Index(r.Machines(), leading)].(whole); is {
			return w.Covariance(points), nil
		}
	}
	graph := r.Graph
	graph.Neighbours = min(leading.Neighbours, len(points)-1)
	leading.Neighbours = graph.Neighbours
	g, err := geometry.New(ctx, l.ground.Geometry.Points().Subset(points), geometry.Options{Kernel: r.Kernel, Precision: gram.Double, Graph: graph})
	if err != nil {
		return nil, err
	}
	defer g.Close()
	watched, inverted := s.over(ctx, inverting*float64(len(points)))
	w, err := invertWhole(watched, g, leading, r.Bias)
	if err != nil {
		return nil, err
	}
	inverted()
	return w.Covariance(indices(len(points))), nil
}

// list returns the points, none of no pool.
func (p *pool) list() []int {
	if p == nil {
		return nil
	}
	return p.points
}

// indices returns 0 … n − 1.
func indices(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}

// number returns the number of a point in the pool, or that of its nearest point in the pool.
func (p *pool) number(l *Labelling, point int) int {
	if k, among := p.at[point]; among {
		return k
	}
	k, ok := p.stand[point]
	if !ok {
		x, row := l.ground.Geometry.Points(), point
		all, least := x, math.Inf(1)
		distances, others := make([]float64, len(p.points)), make([]int32, len(p.points))
		for j, i := range p.points {
			others[j] = int32(i)
		}
		if row >= all.Len() {
			x, row = l.newcomers.Load().points, row-all.Len()
		}
		x.SquaredDistancesTo(distances, row, all, others)
		for j, d := range distances {
			if d < least {
				k, least = j, d
			}
		}
		p.stand[point] = k
	}
	return k
}

// currentPool returns the pool after the present labels. It adds the labels that came since the last
// call. Where a label was withdrawn it begins anew. A label of a point outside the pool counts
// for the nearest point of the pool.
func (l *Labelling) currentPool(ctx context.Context, s *stage) (*pool, error) {
	if l.pool == nil {
		var err error
		if l.pool, err = l.newPool(ctx, s); err != nil {
			l.pool = nil
			return nil, err
		}
	}
	p := l.pool
	wanted := make(map[int]bool)
	var order []int
	for _, one := range l.answer.LeftOut {
		if k := p.number(l, one.Point); !wanted[k] {
			wanted[k] = true
			order = append(order, k)
		}
	}
	if slices.ContainsFunc(p.taken, func(k int) bool { return !wanted[k] }) {
		p.taken, p.steps = nil, nil
		copy(p.variance, p.start[0])
		copy(p.square, p.start[1])
	}
	order = slices.DeleteFunc(order, func(k int) bool { return slices.Contains(p.taken, k) })
	for some := range slices.Chunk(order, together) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		p.take(ctx, some...)
		s.add(float64(len(some)))
	}
	return p, ctx.Err()
}

// together is how many labels are taken at a time: their rows of the covariance stay in the cache.
const together = 32

// take updates the pool for labels, of any class, of points. Cost of each: a column, and 4·p
// multiply-adds for each earlier label, with p points in the pool.
func (p *pool) take(ctx context.Context, points ...int) {
	columns, squares := make([][]float64, len(points)), make([][]float64, len(points))
	for c := range points {
		columns[c], squares[c] = make([]float64, len(p.points)), make([]float64, len(p.points))
	}
	p.covariance.Columns(ctx, columns, squares, points)
	for c, k := range points {
		s, t := columns[c], squares[c]
		for _, b := range p.steps {
			vec.Axpy(b.tau*b.s[k]-b.t[k], b.s, t)
			vec.Axpy(-b.s[k], b.t, t)
			vec.Axpy(-b.s[k], b.s, s)
		}
		d := 1 + math.Max(s[k], 0)
		root := 1 / math.Sqrt(d)
		for j := range s {
			s[j] *= root
			t[j] *= root
		}
		one := step{s, t, math.Max(t[k]*root, 0)}
		for j, v := range s {
			p.variance[j] -= v * v
			p.square[j] += v * (one.tau*v - 2*t[j])
		}
		p.taken, p.steps = append(p.taken, k), append(p.steps, one)
	}
}

// mark returns the present state, for [pool.back].
func (p *pool) mark() mark {
	return mark{len(p.steps), slices.Clone(p.variance), slices.Clone(p.square)}
}

// back undoes the labels taken since the mark.
func (p *pool) back(to mark) {
	p.steps, p.taken, p.variance, p.square = p.steps[:to.labels], p.taken[:to.labels], to.variance, to.square
}

// mark is a state of a pool.
type mark struct {
	labels           int
	variance, square []float64
}

// gain returns the decrease of the sum of all variances by a label of point k.
func (p *pool) gain(k int) float64 {
	return math.Max(p.square[k], 0) / (1 + math.Max(p.variance[k], 0))
}
