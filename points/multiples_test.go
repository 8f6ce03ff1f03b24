package points_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"lapsvm/points"
)

// Multiples finds bytes divided by any number, or by the length of their row, in every storage.
// The same values give the same unit, and common factors go into the unit.
func TestMultiples(t *testing.T) {
	const n, d = 40, 61
	rng := rand.New(rand.NewPCG(61, 1))
	bytes := make([]uint8, n*d)
	for k := range bytes {
		if rng.IntN(3) > 0 {
			bytes[k] = uint8(rng.IntN(256))
		}
	}
	bytes[0], bytes[1] = 1, 255 // so that the first has nothing in common
	for j := range d {
		bytes[d+j] = 7 * (bytes[d+j] % 36)
		bytes[2*d+j] = 0
	}
	bytes[d], bytes[d+1] = 7, 14
	table := points.DenseBytes(n, d, bytes)
	got, again := make([]uint8, d), make([]uint8, d)
	for _, q := range []float64{1, 255, 256, 17, 1e-3, 3e7, 1.0 / 3} {
		double, single := make([]float64, n*d), make([]float32, n*d)
		for k, v := range bytes {
			double[k], single[k] = float64(v)/q, float32(v)/float32(q)
		}
		for name, p := range map[string]*points.Points{"float64": points.Dense(n, d, double), "float32": points.Dense32(n, d, single)} {
			for i := range n {
				unit, ok := p.Multiples(got, i, points.RoundedSingle, nil)
				if !ok {
					t.Fatalf("%s, over %v: row %d has no multiples", name, q, i)
				}
				common := 1.0
				if i == 1 {
					common = 7
				}
				if i != 2 && !(math.Abs(unit*q/common-1) <= 1e-7) || i == 2 && unit != 1 {
					t.Errorf("%s, over %v: the unit of row %d is %v", name, q, i, unit)
				}
				if _, ok := p.Multiples(again, i, points.RoundedDouble, nil); ok != (name == "float64" || i == 2 || exactly(q)) {
					t.Errorf("%s, over %v: row %d has multiples but for a rounding to float64: %v", name, q, i, ok)
				}
				for j, k := range got {
					if i < 3 && float64(k)*common != float64(bytes[i*d+j]) || math.Abs(unit*float64(k)-p.At(i, j)) > 0x1p-23*p.At(i, j) {
						t.Fatalf("%s, over %v: (%d, %d) is %d times %v, from %d", name, q, i, j, k, unit, bytes[i*d+j])
					}
				}
			}
		}
	}
	for _, scaling := range []points.Scaling{{}, {Kind: points.UnitNorm}} {
		read := scaling.Apply(table)
		values := make([]float64, 0, n*d)
		for i := range n {
			values = append(values, read.DenseRow(i)...)
		}
		own := points.Dense(n, d, values)
		for at := range 2 * n {
			i, rounding := at/2, [2]float64{points.RoundedSingle, points.RoundedDouble}[at%2]
			unit, ok := read.Multiples(got, i, rounding, nil)
			same, also := own.Multiples(again, i, rounding, nil)
			if !ok || !also || unit != same || !slices.Equal(got, again) {
				t.Errorf("row %d of bytes, %v: unit %v, as float64 %v", i, scaling.Kind, unit, same)
			}
		}
	}
}

// exactly reports whether bytes over q are multiples of a number when they are rounded to float32.
func exactly(q float64) bool { return q == 1 || q == 256 || q == 1.0/3 }

// Rows with other values are told from multiples.
func TestNoMultiples(t *testing.T) {
	for name, row := range map[string][]float64{
		"negative":         {1, -1, 2},
		"between":          {1, 1.5, 2.25, 255},
		"beyond a byte":    {1, 256},
		"a little off":     {1, 2 + 1e-6, 255},
		"not a number":     {1, math.NaN()},
		"infinite":         {1, math.Inf(1)},
		"beyond float32":   {1e300, 1e300},
		"anything":         {0.1234567, 0.7654321, 0.42424},
		"far below others": {1e-30, 1},
	} {
		if unit, ok := points.Dense(1, len(row), row).Multiples(make([]uint8, len(row)), 0, points.RoundedSingle, nil); ok {
			t.Errorf("%s: %v are multiples of %v", name, row, unit)
		}
	}
}

func BenchmarkMultiples(b *testing.B) {
	const d = 784
	rng := rand.New(rand.NewPCG(62, 1))
	row := make([]float64, d)
	for j := range row {
		row[j] = float64(rng.IntN(256)) / 255
	}
	p, dst := points.Dense(1, d, row), make([]uint8, d)
	for b.Loop() {
		if _, ok := p.Multiples(dst, 0, points.RoundedDouble, nil); !ok {
			b.Fatal("no multiples")
		}
	}
}
