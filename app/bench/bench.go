// Package bench measures how fast the operations that training is made of run,
// against the limits of this machine measured in the same run.
package bench

import (
	"context"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"time"

	"lapsvm"
	"lapsvm/dataset"
	"lapsvm/internal/machines/solve"
	"lapsvm/internal/numbers/linalg"
	"lapsvm/internal/numbers/objective"
	"lapsvm/internal/numbers/parallel"
	"lapsvm/internal/numbers/vec"
	"lapsvm/internal/points/gram"
	"lapsvm/internal/points/graph"
	"lapsvm/kernel"
	"lapsvm/points"
)

// Plan is the choice of measurements.
type Plan struct {
	N, D     int   // points and features of the operations
	Cholesky int   // size of the matrix that is factored
	Predict  int   // points that are predicted
	Many     int   // points of manyColumns features whose index new points are sought in
	Runs     int   // of each operation; the median counts
	Training []int // numbers of points of whole trainings
	// Each is about the longest time of one run of an operation. All sizes are divided
	// by a power of 2, up to 32, to keep to it; 0 leaves the sizes as they are.
	Each   time.Duration
	Report func(name string)
}

// Full is the plan for MNIST's shape.
func Full() Plan {
	return Plan{N: 11900, D: 784, Cholesky: 4000, Predict: 10000, Many: 200000, Runs: 5, Training: []int{3000, 6000, 12000, 24000}}
}

// Quick is a plan that takes about half a minute, on a slow machine with smaller sizes.
func Quick() Plan {
	return Plan{N: 6000, D: 784, Cholesky: 2000, Predict: 3000, Many: 50000, Runs: 5, Training: []int{1500, 3000, 6000}, Each: time.Second / 2}
}

// Result is a measurement. Keys name operations; those that end in _1thread are
// measured on one thread, the others on as many as the context allows.
type Result struct {
	Processor string             `json:"processor,omitempty"` // what the caller knows of it; Run does not
	System    string             `json:"system"`              // such as linux/arm64
	Path      string             `json:"path"`                // of the kernels: avx512, avx2, neon or go
	Threads   int                `json:"threads"`
	N         int                `json:"n"`
	D         int                `json:"d"`
	Limits    map[string]float64 `json:"limits"`  // flop/s and bytes/s
	Rates     map[string]float64 `json:"rates"`   // the same units
	Shares    map[string]float64 `json:"shares"`  // rate over its limit
	Seconds   map[string]float64 `json:"seconds"` // median of the runs
	Ratios    map[string]float64 `json:"ratios"`
	// Training are whole trainings: neighbours, Gram matrix, conjugate gradient.
	Training []Training `json:"training"`
	Exponent float64    `json:"exponent"` // e of seconds ∝ n^e, by least squares in logarithms
}

// Training is one whole training on generated points.
type Training struct {
	N          int     `json:"n"`
	Products   float64 `json:"products"` // seconds for neighbours and Gram matrix
	Solve      float64 `json:"solve"`    // seconds for the iterations
	Seconds    float64 `json:"seconds"`  // of the whole fit
	Iterations float64 `json:"iterations"`
	Limit      float64 `json:"limit"` // seconds that products and iterations take at their limits
}

// Run measures all of the plan. It stops with the context's error between two
// operations.
func Run(ctx context.Context, p Plan) (*Result, error) {
	p, err := p.sized(ctx)
	if err != nil {
		return nil, err
	}
	r := &Result{System: runtime.GOOS + "/" + runtime.GOARCH, Path: vec.Path(), Threads: parallel.Threads(ctx), N: p.N, D: p.D, Limits: map[string]float64{}, Rates: map[string]float64{},
		Shares: map[string]float64{}, Seconds: map[string]float64{}, Ratios: map[string]float64{}}
	b := &bencher{ctx: ctx, plan: p, r: r}
	b.limits()
	b.operations()
	b.training()
	if b.err != nil {
		return nil, b.err
	}
	return r, nil
}

type bencher struct {
	ctx  context.Context
	plan Plan
	r    *Result
	err  error
}

// failed reports whether to stop, keeping the first error.
func (b *bencher) failed(err error) bool {
	if b.err == nil {
		b.err = err
	}
	if b.err == nil {
		b.err = b.ctx.Err()
	}
	return b.err != nil
}

// key names an operation on a number of threads.
func (b *bencher) key(ctx context.Context, name string) string {
	if parallel.Threads(ctx) == 1 && b.r.Threads > 1 {
		return name + "_1thread"
	}
	return name
}

// limited are the contexts to measure under: of one thread and of all.
func (b *bencher) limited() []context.Context {
	if b.r.Threads == 1 {
		return []context.Context{b.ctx}
	}
	return []context.Context{parallel.WithLimit(b.ctx, 1), b.ctx}
}

// The limits.
const (
	fma32     = "fma_float32"
	fma64     = "fma_float64"
	bandwidth = "read_bandwidth"
)

func (b *bencher) limits() {
	b.report("limits")
	buffer := make([]float32, 128<<20)
	for i := range buffer {
		buffer[i] = 1
	}
	const long = 400 * time.Millisecond
	for _, ctx := range b.limited() {
		b.r.Limits[b.key(ctx, fma32)] = vec.PeakFMA32(ctx, long)
		b.r.Limits[b.key(ctx, fma64)] = vec.PeakFMA64(ctx, long)
		b.r.Limits[b.key(ctx, bandwidth)] = vec.ReadBandwidth(ctx, buffer, 2*long)
	}
}

func (b *bencher) report(name string) {
	if b.plan.Report != nil {
		b.plan.Report(name)
	}
}

// measure records the median time of do for an amount of work, and its share
// of a limit.
func (b *bencher) measure(ctx context.Context, name, limit string, work float64, do func() error) {
	if b.failed(nil) {
		return
	}
	key := b.key(ctx, name)
	b.report(key)
	begin := time.Now()
	if b.failed(do()) { // a warm-up
		return
	}
	var seconds []float64
	for len(seconds) < b.plan.Runs && (len(seconds) == 0 || !b.plan.late(begin)) {
		start := time.Now()
		if b.failed(do()) {
			return
		}
		seconds = append(seconds, time.Since(start).Seconds())
	}
	slices.Sort(seconds)
	median := seconds[len(seconds)/2]
	b.r.Seconds[key] = median
	b.r.Rates[key] = work / median
	b.r.Shares[key] = work / median / b.r.Limits[b.key(ctx, limit)]
}

func (b *bencher) operations() {
	n, d := b.plan.N, b.plan.D
	table := generate(n, d, 1).Points
	gaussian := kernel.Gaussian{Sigma: math.Sqrt(float64(d)) / 2}
	build := func(ctx context.Context, neighbours int, precision gram.Precision) func() error {
		return func() error {
			o, err := gram.Open(ctx, table, gram.Request{Kernel: gaussian, Neighbours: neighbours, Precision: precision})
			if err == nil {
				o.Close()
			}
			return err
		}
	}
	products := float64(n) * float64(n) * float64(d) // flops of half a matrix
	for _, ctx := range b.limited() {
		b.measure(ctx, "gram_float32", fma32, products, build(ctx, 0, gram.Single))
		b.measure(ctx, "gram_float64", fma64, products, build(ctx, 0, gram.Double))
		b.measure(ctx, "neighbours", fma32, products, func() error {
			_, err := graph.FindNeighbours(ctx, table, 10, graph.Euclidean)
			return err
		})
		b.measure(ctx, "gram_and_neighbours", fma32, products, build(ctx, 10, gram.Single))
		b.products(ctx, table, gaussian)
		b.cholesky(ctx)
		b.predict(ctx, table, gaussian)
	}
	b.newPoints()
	all := b.r.Seconds
	b.r.Ratios["gram_and_neighbours_over_gram"] = all["gram_and_neighbours"] / all["gram_float32"]
	b.r.Ratios["product_16_columns_over_1"] = all["product_float32_16_columns"] / all["product_float32"]
	for _, name := range []string{"gram_float32", "gram_float64", "neighbours", "gram_and_neighbours", "product_float32", "product_float32_16_columns", "cholesky", "prediction", "new_points"} {
		if one, found := all[name+"_1thread"]; found {
			b.r.Ratios[name+"_speedup"] = one / all[name]
		}
	}
}

// products measures K·v and K times 16 columns.
func (b *bencher) products(ctx context.Context, table *points.Points, k kernel.Kernel) {
	if b.failed(nil) {
		return
	}
	h, err := gram.NewHalf(ctx, table, k, gram.Single)
	if b.failed(err) {
		return
	}
	defer h.Close()
	n := table.Len()
	src, dst := make([][]float64, 16), make([][]float64, 16)
	for c := range src {
		src[c], dst[c] = make([]float64, n), make([]float64, n)
		for i := range src[c] {
			src[c][i] = math.Sin(float64(i + c))
		}
	}
	bytes := 2 * float64(n) * float64(n)
	const repeats = 10
	for _, c := range []struct {
		name    string
		columns int
	}{{"product_float32", 1}, {"product_float32_16_columns", 16}} {
		b.measure(ctx, c.name, bandwidth, repeats*bytes, func() error {
			for range repeats {
				if err := h.Mul(ctx, dst[:c.columns], src[:c.columns]); err != nil {
					return err
				}
			}
			return nil
		})
		b.r.Seconds[b.key(ctx, c.name)] /= repeats
	}
}

// cholesky measures Cholesky's factorization.
func (b *bencher) cholesky(ctx context.Context) {
	n := b.plan.Cholesky
	rng := rand.New(rand.NewPCG(3, 3))
	original, work := linalg.New(n, n), linalg.New(n, n)
	for i := range n {
		for j := range i {
			original.Data[j*n+i] = rng.Float64() / float64(n)
		}
		original.Data[i*n+i] = 2
	}
	flops := float64(n) * float64(n) * float64(n) / 3
	b.measure(ctx, "cholesky", fma64, flops, func() error {
		copy(work.Data, original.Data)
		_, err := linalg.Cholesky(ctx, work)
		return err
	})
}

// predict measures kernel expansions.
func (b *bencher) predict(ctx context.Context, basis *points.Points, k kernel.Kernel) {
	x := generate(b.plan.Predict, b.plan.D, 2).Points
	coefficients, out := make([]float64, basis.Len()), make([]float64, x.Len())
	for j := range coefficients {
		coefficients[j] = math.Cos(float64(j))
	}
	flops := 2 * float64(x.Len()) * float64(basis.Len()) * float64(b.plan.D)
	b.measure(ctx, "prediction", fma32, flops, func() error {
		return gram.Expansion{Kernel: k, Basis: basis, Coefficients: [][]float64{coefficients}, Bias: []float64{0}}.Values(ctx, [][]float64{out}, x, gram.Single)
	})
}

// manyColumns is how many features many points have.
const manyColumns = 20

// newPoints measures the search of the 5 nearest of many points for a quarter as many new ones. Its work is the products with
// centres of cells, and with the points of the cells that a new point looks into.
func (b *bencher) newPoints() {
	if b.failed(nil) {
		return
	}
	n := b.plan.Many
	many, x := generate(n, manyColumns, 5).Points, generate(n/4, manyColumns, 6).Points
	index, err := graph.NewIndex(b.ctx, many, 5, 5, graph.Euclidean, graph.Search{Seed: 1})
	if b.failed(err) {
		return
	}
	found := index.Found()
	compared := float64(found.Cells) + float64(found.Looks)*float64(n)/float64(found.Cells)
	for _, ctx := range b.limited() {
		b.measure(ctx, "new_points", fma32, 2*float64(x.Len())*compared*manyColumns, func() error {
			_, err := index.Nearest(ctx, x, 5)
			return err
		})
	}
}

// training measures whole trainings on points of MNIST's shape, with the
// paper's parameters and stability check for it, and the exponent of their
// growth.
func (b *bencher) training() {
	for _, n := range b.plan.Training {
		if b.failed(nil) {
			return
		}
		b.report("training")
		d := generate(n, b.plan.D, 4)
		for i := min(80, n/2); i < n; i++ {
			d.Y[i] = dataset.Unlabelled
		}
		t := lapsvm.Trainer{Recipe: lapsvm.Recipe{Kernel: kernel.Polynomial{Degree: 9}, GammaA: 1e-6, GammaI: 0.1, Bias: objective.NoBias,
			Standardise: points.UnitNorm, Graph: graph.Options{Neighbours: 20, Degree: 3}, Stop: solve.Stability}}
		start := time.Now()
		m, err := t.Fit(b.ctx, d)
		if b.failed(err) {
			return
		}
		s := m.Training()
		squares := float64(n) * float64(n)
		b.r.Training = append(b.r.Training, Training{
			N: n, Products: s.Seconds.Graph + s.Seconds.Gram, Solve: s.Seconds.Solve, Seconds: time.Since(start).Seconds(), Iterations: s.Iterations,
			Limit: squares*float64(b.plan.D)/b.r.Limits[fma32] + s.Iterations*2*squares/b.r.Limits[bandwidth],
		})
	}
	b.r.Exponent = exponent(b.r.Training)
}

// exponent fits seconds = c·n^e.
func exponent(runs []Training) float64 {
	var x, y, xx, xy, count float64
	for _, r := range runs {
		u, v := math.Log(float64(r.N)), math.Log(r.Seconds)
		x, y, xx, xy, count = x+u, y+v, xx+u*u, xy+u*v, count+1
	}
	return (count*xy - x*y) / (count*xx - x*x)
}

// generate draws n points of d features around two curved sheets of dimension
// 8, one per class: as images do, they fill little of their space. Rows
// alternate between the classes.
func generate(n, d int, seed uint64) *dataset.Dataset {
	const sheet = 8
	frame := rand.New(rand.NewPCG(99, 99)) // the sheets are the same for every seed
	basis := make([]float64, 2*2*sheet*d)
	for k := range basis {
		basis[k] = frame.NormFloat64()
	}
	rng := rand.New(rand.NewPCG(seed, 0))
	values := make([]float64, n*d)
	y := make([]int, n)
	for i := range n {
		y[i] = i % 2
		row := values[i*d : (i+1)*d]
		for s := range sheet {
			z := 2*rng.Float64() - 1
			for part, weight := range []float64{z, math.Cos(2 * z)} {
				vec.Axpy(weight, basis[((y[i]*sheet+s)*2+part)*d:][:d], row)
			}
		}
		for j := range row {
			row[j] = math.Abs(row[j] + 0.2*rng.NormFloat64())
		}
	}
	return &dataset.Dataset{Points: points.Dense(n, d, values), Y: y, Classes: []string{"0", "1"}}
}
