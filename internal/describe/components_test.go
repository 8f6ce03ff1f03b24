package describe

import (
	"math"
	"math/rand/v2"
	"testing"

	"lapsvm/internal/numbers/linalg"
)

// Rows are orthonormal and span those before, whether these are far apart, nearly dependent, equal or zero.
func TestOrthonormal(t *testing.T) {
	const m, length = 20, 70
	for name, change := range map[string]func(a linalg.Matrix, random *rand.Rand){
		"apart":  func(linalg.Matrix, *rand.Rand) {},
		"scaled": func(a linalg.Matrix, _ *rand.Rand) { a.Row(3)[0] *= 1e150 },
		"near": func(a linalg.Matrix, random *rand.Rand) {
			for j, v := range a.Row(4) {
				a.Row(9)[j] = v + 1e-6*random.NormFloat64()
			}
		},
		"equal": func(a linalg.Matrix, _ *rand.Rand) { copy(a.Row(9), a.Row(4)) },
		"zero":  func(a linalg.Matrix, _ *rand.Rand) { clear(a.Row(9)) },
	} {
		random := rand.New(rand.NewPCG(2, 7))
		a := linalg.New(m, length)
		for i := range a.Data {
			a.Data[i] = random.NormFloat64()
		}
		change(a, random)
		before := append([]float64(nil), a.Data...)
		q, err := orthonormal(t.Context(), a)
		if err != nil {
			t.Fatal(err)
		}
		dot := func(x, y []float64) (sum float64) {
			for k, v := range x {
				sum += v * y[k]
			}
			return sum
		}
		for i := range m {
			for j := range i + 1 {
				want := 0.0
				if i == j {
					want = 1
				}
				if got := dot(q.Row(i), q.Row(j)); !(math.Abs(got-want) < 1e-7) {
					t.Errorf("%s: rows %d and %d have the product %g", name, i, j, got)
				}
			}
			row := before[i*length : (i+1)*length]
			size := math.Sqrt(dot(row, row))
			for k := range m {
				part := dot(row, q.Row(k))
				for j, v := range q.Row(k) {
					row[j] -= part * v
				}
			}
			if rest := math.Sqrt(dot(row, row)); !(rest <= 1e-7*size) {
				t.Errorf("%s: row %d is %g of its length outside", name, i, rest/size)
			}
		}
	}
}
