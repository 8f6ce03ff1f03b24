package label

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"lapsvm/internal/vec"
)

// pool is the points that suggestions are drawn from, with what labels leave unknown of
// them. A label is taken as a measurement of f with a noise of variance 1, where f has the
// covariance Q⁻¹. After the labels L
//
//	Σ = Q⁻¹ − Q⁻¹_·L (S_LL + I)⁻¹ Q⁻¹_L·
//
// and one more, of point k, takes ‖Σ_k‖²/(1 + Σ_kk) from the sum of the variances of all
// points. Only what belongs to the points of the pool is kept: the diagonals of Σ and Σ²,
// and one column of each for every label, by whose products they have changed.
type pool struct {
	points     []int
	at         map[int]int // of a point, its number among these
	covariance covariance
	own        []float64 // the diagonal of Σ
	square     []float64 // that of Σ²
	taken      []int     // numbers of the points whose labels are known, in this order
	steps      []step
	start      [2][]float64 // the diagonals without labels
}

// step is what a label changes: Σ ← Σ − ssᵀ and Σ² ← Σ² − stᵀ − tsᵀ + τssᵀ, where
// s = Σ_k/√d, t = Σ²_k/√d, τ = Σ²_kk/d and d = 1 + Σ_kk.
type step struct {
	s, t []float64
	tau  float64
}

// poolPoints is how many points are drawn where there are more: two thousand say as much
// of where labels are wanted as all do.
const poolPoints = 2000

// newPool draws points, the labelled ones among them.
func (l *Labelling) newPool(ctx context.Context, labelled []int) (*pool, error) {
	p := &pool{at: make(map[int]int)}
	r := rand.New(rand.NewPCG(l.o.Seed, 18))
	for _, i := range r.Perm(l.Len())[:min(l.Len(), poolPoints)] {
		p.points = append(p.points, i)
	}
	p.points = append(p.points, labelled...)
	slices.Sort(p.points)
	p.points = slices.Compact(p.points)
	for k, i := range p.points {
		p.at[i] = k
	}
	leading := slices.Index(l.ground.Recipe.Machines(), l.ground.Recipe.Leading())
	var err error
	if p.covariance, err = l.inverses[leading].covariance(ctx, p.points); err != nil {
		return nil, err
	}
	p.own, p.square, err = p.covariance.Variances(ctx)
	p.start = [2][]float64{slices.Clone(p.own), slices.Clone(p.square)}
	return p, err
}

// known returns the pool after the labels there are: what it was before with those that
// came since, or, where one was withdrawn, from the beginning.
func (l *Labelling) known(ctx context.Context) (*pool, error) {
	var labelled []int
	for _, one := range l.answer.LeftOut {
		labelled = append(labelled, one.Point)
	}
	among := l.pool != nil
	for _, i := range labelled {
		if !among {
			break
		}
		_, among = l.pool.at[i]
	}
	if !among {
		var err error
		if l.pool, err = l.newPool(ctx, labelled); err != nil {
			l.pool = nil
			return nil, err
		}
	}
	p := l.pool
	for _, k := range p.taken {
		if _, has := slices.BinarySearch(labelled, p.points[k]); !has {
			p.reset()
			break
		}
	}
	for _, i := range labelled {
		if k := p.at[i]; !slices.Contains(p.taken, k) {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			p.take(ctx, k)
		}
	}
	return p, ctx.Err()
}

func (p *pool) reset() {
	p.taken, p.steps = nil, nil
	copy(p.own, p.start[0])
	copy(p.square, p.start[1])
}

// take is told the label of a point, whatever it is. Cost: a column, and 4·p
// multiply-adds for every label before.
func (p *pool) take(ctx context.Context, k int) {
	s, t := make([]float64, len(p.points)), make([]float64, len(p.points))
	p.covariance.Column(ctx, s, t, k)
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
		p.own[j] -= v * v
		p.square[j] += v * (one.tau*v - 2*t[j])
	}
	p.taken, p.steps = append(p.taken, k), append(p.steps, one)
}

// mark returns what [pool.back] goes back to.
func (p *pool) mark() mark {
	return mark{len(p.steps), slices.Clone(p.own), slices.Clone(p.square)}
}

// back forgets the labels that it was told since.
func (p *pool) back(to mark) {
	p.steps, p.taken, p.own, p.square = p.steps[:to.labels], p.taken[:to.labels], to.own, to.square
}

// mark is a state of a pool.
type mark struct {
	labels      int
	own, square []float64
}

// gain is by how much the label of a point lowers the variance of all.
func (p *pool) gain(k int) float64 {
	return math.Max(p.square[k], 0) / (1 + math.Max(p.own[k], 0))
}
