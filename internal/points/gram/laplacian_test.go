package gram_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"lapsvm/internal/points/gram"
	"lapsvm/internal/points/graph"
	"lapsvm/kernel"
	"lapsvm/points"
)

// The Laplacian kernel is positive definite on points that all differ: with the
// rounding of float64 beside it, its matrix has a Cholesky factor.
func TestLaplacianIsPositiveDefinite(t *testing.T) {
	for _, d := range []int{1, 2, 30} {
		rng := rand.New(rand.NewPCG(95, uint64(d)))
		const n = 220
		h := half(t, dense(draw(rng, n, d)), kernel.Laplacian{Sigma: 3 * float64(d)}, gram.Double, 2)
		k := mat.NewSymDense(n, nil)
		row := make([]float64, n)
		for i := range n {
			h.Row(row, i)
			for j := i; j < n; j++ {
				k.SetSym(i, j, row[j])
			}
			k.SetSym(i, i, k.At(i, i)+1e-12) // some rows of zeros may be the same
		}
		var factor mat.Cholesky
		if !factor.Factorize(k) {
			t.Errorf("%d features: not positive definite", d)
		}
		h.Close()
	}
}

// In float32 a kernel value is off by at most the documented error: the rounding of the
// coordinates, by which float32 is chosen, and of the sums. The farther the points, the more the
// former; far enough, float64 takes over.
func TestLaplacianInSingle(t *testing.T) {
	rng := rand.New(rand.NewPCG(96, 1))
	const n, d = 200, 64
	for _, sigma := range []float64{400, 60, 20, 1} {
		rows := draw(rng, n, d)
		for i := range rows {
			for j := range rows[i] {
				rows[i][j] = 1e4 + 30*rows[i][j]
			}
		}
		k := kernel.Laplacian{Sigma: sigma}
		h, exact := half(t, dense(rows), k, gram.Single, 2), half(t, dense(rows), k, gram.Double, 2)
		row, want := make([]float64, n), make([]float64, n)
		const bound = 2e-5 + (64+2)*0x1p-24/math.E + 4e-7 // of the exponent, of the sum, of the map and the storage
		for i := range n {
			h.Row(row, i)
			exact.Row(want, i)
			for j, v := range row {
				if !(math.Abs(v-want[j]) <= bound) {
					t.Fatalf("sigma %v: K[%d,%d] = %v, in float64 %v", sigma, i, j, v, want[j])
				}
			}
		}
		h.Close()
		exact.Close()
	}
}

// An open width becomes the mean L1 distance between the neighbours found, in whatever metric.
// Points that are all equal have no width.
func TestLaplacianWidth(t *testing.T) {
	rng := rand.New(rand.NewPCG(97, 1))
	const n, d, neighbours = 90, 5, 4
	rows := draw(rng, n, d)
	for name, p := range map[string]*points.Points{"dense": dense(rows), "sparse": sparse(rows)} {
		for _, metric := range []graph.Metric{graph.Euclidean, graph.Cosine} {
			nb, err := graph.FindNeighbours(t.Context(), p, neighbours, metric)
			if err != nil {
				t.Fatal(err)
			}
			sum, count := 0.0, 0
			for i := range n {
				index, _ := nb.Row(i)
				for _, j := range index {
					distance := 0.0
					for k := range d {
						distance += math.Abs(rows[i][k] - rows[j][k])
					}
					if sum += distance; distance > 0 {
						count++
					}
				}
			}
			r := gram.Request{Kernel: kernel.Laplacian{}, Neighbours: neighbours}
			if metric == graph.Cosine {
				r.Neighbours, r.Found = 0, nb
			}
			for _, form := range []gram.Form{gram.FormHalf, gram.FormStreamed} {
				r.Form = form
				o, err := gram.Open(t.Context(), p, r)
				if err != nil {
					t.Fatal(err)
				}
				if got, want := o.Kernel.Parameters().Sigma, sum/float64(count); !(math.Abs(got-want) <= 1e-12*want) {
					t.Errorf("%s, %s, %s: the width is %v, want %v", name, metric, form, got, want)
				}
				o.Close()
			}
		}
	}
	for _, k := range []kernel.Kernel{kernel.Laplacian{}, kernel.Gaussian{}} {
		equal := points.Dense(4, 1, []float64{1, 1, 1, 1})
		if _, err := gram.Open(t.Context(), equal, gram.Request{Kernel: k, Neighbours: 2}); !errors.Is(err, gram.ErrNoWidth) {
			t.Errorf("%v of equal points: error %v", k, err)
		}
	}
	panics(t, "a width without neighbours", func() {
		_, _ = gram.Open(t.Context(), dense(rows), gram.Request{Kernel: kernel.Laplacian{}})
	})
	panics(t, "a width not chosen", func() { _, _ = gram.NewHalf(t.Context(), dense(rows), kernel.Laplacian{}, gram.Double) })
}
