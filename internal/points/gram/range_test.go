package gram_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"lapsvm/internal/points/gram"
	"lapsvm/kernel"
	"lapsvm/points"
)

// Values of kernels of differences are right whatever the unit of the points, and
// whatever one of them that lies far from all others.
func TestKernelsOfExtremePoints(t *testing.T) {
	const n, d = 30, 3
	rng := rand.New(rand.NewPCG(81, 1))
	rows := make([]float64, n*d)
	for k := range rows {
		rows[k] = rng.NormFloat64()
	}
	for _, scale := range []float64{0x1p-990, 0x1p-400, 0x1p-60, 1, 0x1p60, 0x1p400, 0x1p990} {
		for _, outlier := range []float64{0, 1e9, 0x1p990} {
			values := make([]float64, n*d)
			for k, v := range rows {
				values[k] = v * scale
			}
			if outlier != 0 {
				values[0] = outlier
			}
			p := points.Dense(n, d, values)
			for _, k := range []kernel.Kernel{kernel.Gaussian{Sigma: 0.7 * scale}, kernel.Laplacian{Sigma: 0.7 * scale}} {
				want := func(i, j int) float64 {
					sum := 0.0
					for c := range d {
						step := math.Abs(values[i*d+c]-values[j*d+c]) / (0.7 * scale)
						if _, gaussian := k.(kernel.Gaussian); gaussian {
							step *= step / 2
						}
						sum += step
					}
					return math.Exp(-sum)
				}
				for _, precision := range []gram.Precision{gram.Single, gram.Double} {
					h, err := gram.NewHalf(t.Context(), p, k, precision)
					if err != nil {
						t.Fatal(err)
					}
					cross, err := gram.NewCross(t.Context(), p, p, k)
					if err != nil {
						t.Fatal(err)
					}
					row := make([]float64, n)
					for i := range n {
						h.Row(row, i)
						for j := range n {
							if w := want(i, j); !(math.Abs(row[j]-w) <= 2e-5) || !(math.Abs(cross.Row(i)[j]-w) <= 2e-5) {
								t.Fatalf("%v, outlier %v, %d bits: k(%d, %d) is %v, and %v of the rectangle, want %v", k, outlier, precision, i, j, row[j], cross.Row(i)[j], w)
							}
						}
					}
					h.Close()
				}
			}
		}
	}
}

// A decision value far from the basis is that of exact arithmetic, though it is beyond
// float32, or products are beyond float64.
func TestValuesOfExtremePoints(t *testing.T) {
	basis := points.Dense(2, 2, []float64{1, -1, 0.5, 2})
	for _, c := range []struct {
		k    kernel.Kernel
		x    []float64
		want float64
	}{
		{kernel.Gaussian{Sigma: 1}, []float64{1e300, 1e300}, 0.25},
		{kernel.Gaussian{Sigma: 1}, []float64{-1e39, 1e39}, 0.25},
		{kernel.Laplacian{Sigma: 1}, []float64{1e300, -1e300}, 0.25},
		{kernel.Linear{}, []float64{1e100, 1e100}, 5e100}, // 1·0 + 2·2.5
		{kernel.Polynomial{Degree: 3}, []float64{0, 1e20}, (-1 + 2*8) * 1e60},
	} {
		e := gram.Expansion{Kernel: c.k, Basis: basis, Coefficients: [][]float64{{1, 2}}, Bias: []float64{0.25}}
		packed, err := e.Pack(t.Context(), gram.Single)
		if err != nil {
			t.Fatal(err)
		}
		got := [][]float64{make([]float64, 2)}
		if err := packed.Values(t.Context(), got, points.Dense(2, 2, append([]float64{0, 0}, c.x...))); err != nil {
			t.Fatal(err)
		}
		if !(math.Abs(got[0][1]-c.want) <= 1e-12*math.Abs(c.want)) {
			t.Errorf("%v at %v: %v, want %v", c.k, c.x, got[0][1], c.want)
		}
		if math.IsNaN(got[0][0]) {
			t.Errorf("%v at 0: %v", c.k, got[0][0])
		}
	}
}

// A kernel so narrow that no two points have anything in common is found out, and
// equal points are none.
func TestAlone(t *testing.T) {
	p := points.Dense(4, 1, []float64{0, 3, 3, 10})
	for _, c := range []struct {
		k     kernel.Kernel
		alone bool
	}{
		{kernel.Gaussian{Sigma: 1e-300}, true}, {kernel.Gaussian{Sigma: 0.1}, true}, {kernel.Gaussian{Sigma: 1}, false},
		{kernel.Laplacian{Sigma: 0.01}, true}, {kernel.Laplacian{Sigma: 0.1}, false}, {kernel.Linear{}, false},
	} {
		if nearest, alone := gram.Alone(p, c.k); alone != c.alone || alone && nearest != 3 {
			t.Errorf("%v: alone %v, the nearest %v apart", c.k, alone, nearest)
		}
	}
	if _, alone := gram.Alone(points.Dense(2, 1, []float64{1, 1}), kernel.Gaussian{Sigma: 1}); alone {
		t.Error("equal points are alone")
	}
}
