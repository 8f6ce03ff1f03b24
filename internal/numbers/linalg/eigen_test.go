package linalg

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"
)

func TestEigen(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 5))
	for _, n := range []int{0, 1, 2, 3, 17, 60} {
		for name, element := range map[string]func(i, j int) float64{
			"normal":   func(int, int) float64 { return random.NormFloat64() },
			"diagonal": func(i, j int) float64 { return float64(i%3) * float64(max(0, 1-(i-j)*(i-j))) },
			"rank one": func(i, j int) float64 { return float64(i+1) * float64(j+1) },
			"large":    func(i, j int) float64 { return 0x1p500 * random.NormFloat64() },
			"graded":   func(i, j int) float64 { return math.Pow(0.1, float64(max(i, j))) },
			"zero":     func(int, int) float64 { return 0 },
		} {
			a := New(n, n)
			norm := 0.0
			for i := range n {
				for j := range i + 1 {
					v := element(i, j)
					a.Row(i)[j], a.Row(j)[i] = v, v
					norm = max(norm, math.Abs(v)*float64(n))
				}
			}
			copied := New(n, n)
			copy(copied.Data, a.Data)
			values, v, err := Eigen(t.Context(), copied)
			if err != nil {
				t.Fatal(err)
			}
			for c := range n {
				if c > 0 && !(values[c-1] >= values[c]) {
					t.Errorf("%s %d: %g before %g", name, n, values[c-1], values[c])
				}
				for i := range n {
					product, dot := 0.0, 0.0
					for j := range n {
						product += a.Row(i)[j] * v.Row(j)[c]
						dot += v.Row(j)[i] * v.Row(j)[c]
					}
					if want := values[c] * v.Row(i)[c]; !(math.Abs(product-want) <= 1e-14*norm) {
						t.Fatalf("%s %d: (Av)_%d is %g, λv_%d %g", name, n, i, product, i, want)
					}
					if i == c {
						dot--
					}
					if !(math.Abs(dot) < 1e-13) {
						t.Fatalf("%s %d: eigenvectors %d and %d are %g off", name, n, i, c, dot)
					}
				}
			}
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := Eigen(ctx, New(3, 3)); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
