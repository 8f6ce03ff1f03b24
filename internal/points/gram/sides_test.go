package gram_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"lapsvm/internal/numbers/parallel"
	"lapsvm/internal/points/gram"
	"lapsvm/kernel"
	"lapsvm/points"
)

// images returns rows of bytes that are zero at many places, around three patterns, as bright
// as given.
func images(rng *rand.Rand, n, d, bright int) []uint8 {
	values := make([]uint8, n*d)
	for i := range n {
		for j := range d {
			if v := ((i%3+1)*j*7)%300 + rng.IntN(120) - 150 + bright; v > 0 {
				values[i*d+j] = uint8(min(v, 255))
			}
		}
	}
	return values
}

// written returns bytes over a number, in a storage.
func written(n, d int, bytes []uint8, q float64, storage points.Storage) *points.Points {
	double, single := make([]float64, n*d), make([]float32, n*d)
	for k, v := range bytes {
		double[k], single[k] = float64(v)/q, float32(v)/float32(q)
	}
	switch storage {
	case points.Float32:
		return points.Dense32(n, d, single)
	case points.Uint8:
		return points.DenseBytes(n, d, bytes)
	}
	return points.Dense(n, d, double)
}

// Kernel values of points that are whole multiples of a number, with a basis of such points, are
// nearer to the values of float64 than values by float32 are. That holds for any number and
// storage, also for rows of unit length, and for bright images, whose products cancel. In float64
// the values differ by rounding alone.
func TestMultiplesAreAccurate(t *testing.T) {
	const n, m, d = 250, 60, 200
	for name, c := range map[string]struct {
		q       float64
		bright  int
		storage points.Storage
		scaling points.Scaling
	}{
		"bytes":            {1, 0, points.Uint8, points.Scaling{}},
		"over 255":         {255, 0, points.Float64, points.Scaling{}},
		"over 17":          {17, 0, points.Float64, points.Scaling{}},
		"over 255, bright": {255, 150, points.Float64, points.Scaling{}},
		"float32 over 255": {255, 0, points.Float32, points.Scaling{}},
		"unit length":      {1, 0, points.Uint8, points.Scaling{Kind: points.UnitNorm}},
	} {
		rng := rand.New(rand.NewPCG(81, 2))
		basis := c.scaling.Apply(written(n, d, images(rng, n, d, c.bright), c.q, c.storage))
		x := c.scaling.Apply(written(m, d, images(rng, m, d, c.bright), c.q, c.storage))
		size := math.Sqrt(basis.Squares()[0] / d)
		width := math.Sqrt(basis.SquaredDistance(0, basis, 3))
		for _, k := range []kernel.Kernel{kernel.Gaussian{Sigma: width}, kernel.Polynomial{Degree: 5, Gamma: 1 / basis.Squares()[0], Coef0: 1}} {
			e := gram.Expansion{Kernel: k, Basis: basis, Coefficients: draw(rng, 2, n), Bias: []float64{0.5, -1}}
			// One more point, which is no multiple and has no weight, has all go by float32.
			other := e
			other.Basis = points.Stack(basis, points.Dense(1, d, slices.Repeat([]float64{size, 0.34567 * size}, d/2)))
			other.Coefficients = [][]float64{append(slices.Clone(e.Coefficients[0]), 0), append(slices.Clone(e.Coefficients[1]), 0)}
			want, got, float, double := zeros(2, m), zeros(2, m), zeros(2, m), zeros(2, m)
			for _, v := range []struct {
				e         gram.Expansion
				dst       [][]float64
				precision gram.Precision
			}{{other, want, gram.Double}, {e, got, gram.Single}, {other, float, gram.Single}, {e, double, gram.Double}} {
				if err := v.e.Values(t.Context(), v.dst, x, v.precision); err != nil {
					t.Fatal(err)
				}
			}
			off, offFloat, offDouble, all := 0.0, 0.0, 0.0, 0.0
			for machine := range want {
				for i, v := range want[machine] {
					offDouble = math.Hypot(offDouble, double[machine][i]-v)
					off, offFloat, all = math.Hypot(off, got[machine][i]-v), math.Hypot(offFloat, float[machine][i]-v), math.Hypot(all, v)
				}
			}
			t.Logf("%s, %v: off by %.1e of the values, by float32 %.1e, in float64 %.1e", name, k, off/all, offFloat/all, offDouble/all)
			if !(off <= offFloat) || !(off <= 1e-6*all) || offFloat == 0 || !(offDouble <= 1e-14*all) {
				t.Errorf("%s, %v: off by %.1e, by float32 %.1e, in float64 %.1e, of values of %.1e", name, k, off, offFloat, offDouble, all)
			}
		}
	}
}

// A kernel value does not depend on neighbouring rows, multiples or not, nor on the threads, the
// storage or the packing. Nor does the distance to the basis, which is 0 for points of the basis.
func TestMultiplesBesideOthers(t *testing.T) {
	const n, m, d = 250, 230, 160
	rng := rand.New(rand.NewPCG(82, 2))
	bytes := images(rng, n+m, d, 0)
	basis := written(n, d, bytes[:n*d], 255, points.Float64)
	copy(bytes[n*d:], bytes[:d]) // the first point is one of the basis
	rows := written(m, d, bytes[n*d:], 255, points.Float64)
	mixed := make([]float64, 0, m*d)
	for i := range m {
		mixed = append(mixed, rows.DenseRow(i)...)
		if i%3 == 1 || i > 200 {
			mixed[i*d+rng.IntN(d)] += 0.001
		}
	}
	x := points.Dense(m, d, mixed)
	for at, k := range []kernel.Kernel{kernel.Gaussian{Sigma: 6}, kernel.Polynomial{Degree: 2, Gamma: 0.1, Coef0: 1}, kernel.Laplacian{Sigma: 60}, kernel.Gaussian{Sigma: 5}} {
		precision := gram.Single
		if at == 3 {
			precision = gram.Double
		}
		e := gram.Expansion{Kernel: k, Basis: basis, Coefficients: draw(rng, 2, n), Bias: []float64{0.5, -1}}
		packed, err := e.Pack(t.Context(), precision)
		if err != nil {
			t.Fatal(err)
		}
		want, near := zeros(2, m), &gram.Nearest{}
		if err := packed.ValuesNear(t.Context(), want, x, near); err != nil {
			t.Fatal(err)
		}
		if near.Distance[0] != 0 {
			t.Errorf("%v: a point of the basis is %v from it", k, near.Distance[0])
		}
		for i, v := range near.Distance {
			least := math.Inf(1)
			for j := range n {
				least = min(least, x.Distance(k.Kind().Statistic, i, basis, j))
			}
			if !(math.Abs(v-least) <= 1e-4*least) {
				t.Errorf("%v: point %d is %v from the basis, want %v", k, i, v, least)
			}
		}
		unpacked := zeros(2, m)
		if err := e.Values(t.Context(), unpacked, x, precision); err != nil {
			t.Fatal(err)
		}
		for c := range want {
			if !slices.Equal(want[c], unpacked[c]) {
				t.Errorf("%v: machine %d has other values without packing", k, c)
			}
		}
		for _, part := range [][2]int{{0, 1}, {1, 2}, {0, 16}, {3, 14}, {200, m}, {0, m}, {190, 200}} {
			for _, threads := range []int{1, 3} {
				some, distances := zeros(2, part[1]-part[0]), &gram.Nearest{}
				if err := packed.ValuesNear(parallel.WithLimit(t.Context(), threads), some, x.Slice(part[0], part[1]), distances); err != nil {
					t.Fatal(err)
				}
				what := fmt.Sprintf("%v: points %v on %d threads", k, part, threads)
				for c := range some {
					if !slices.Equal(some[c], want[c][part[0]:part[1]]) {
						t.Errorf("%s: machine %d has other values", what, c)
					}
				}
				if !slices.Equal(distances.Distance, near.Distance[part[0]:part[1]]) {
					t.Errorf("%s: other distances", what)
				}
			}
		}
	}
}

// Bytes give the same bits as float64 of the same values, also as rows of unit length.
func TestMultiplesInAnyStorage(t *testing.T) {
	const n, m, d = 100, 30, 150
	rng := rand.New(rand.NewPCG(83, 2))
	basis, x := images(rng, n, d, 0), images(rng, m, d, 0)
	for _, scaling := range []points.Scaling{{}, {Kind: points.UnitNorm}} {
		e := gram.Expansion{Kernel: kernel.Gaussian{Sigma: 1000}, Coefficients: draw(rng, 1, n), Bias: []float64{0}}
		if scaling.Kind == points.UnitNorm {
			e.Kernel = kernel.Gaussian{Sigma: 0.7}
		}
		var values [][]float64
		for _, storage := range []points.Storage{points.Uint8, points.Float64} {
			e.Basis = scaling.Apply(written(n, d, basis, 1, storage))
			got := zeros(1, m)
			if err := e.Values(t.Context(), got, scaling.Apply(written(m, d, x, 1, storage)), gram.Single); err != nil {
				t.Fatal(err)
			}
			values = append(values, got[0])
		}
		if !slices.Equal(values[0], values[1]) {
			t.Errorf("%v: bytes and float64 of the same values have other values", scaling.Kind)
		}
	}
}
