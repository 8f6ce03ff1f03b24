package points_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"lapsvm/internal/numbers/vec"
	"lapsvm/internal/testing/detector"
	"lapsvm/points"
)

// stored is a table in bytes or float32 beside the same in float64.
type stored struct {
	name       string
	got, plain *points.Points
}

// storedTables draws tables of n×d: among their columns constant ones, indicators and
// some of long tails, and a row of zeros.
func storedTables(rng *rand.Rand, n, d int) []stored {
	bytes, single := make([]uint8, n*d), make([]float32, n*d)
	for k := range bytes {
		switch j := k % d; {
		case k/d == n/2:
		case j%5 == 1:
			bytes[k], single[k] = 7, 0.1
		case j%5 == 2:
			bytes[k] = uint8(rng.IntN(2))
			single[k] = float32(bytes[k])
		case j%5 == 3:
			bytes[k] = uint8(min(255, math.Exp(rng.NormFloat64())))
			single[k] = float32(math.Exp(2 * rng.NormFloat64()))
		default:
			bytes[k], single[k] = uint8(rng.IntN(256)), float32(rng.NormFloat64())
		}
	}
	wide := func(f func(k int) float64) *points.Points {
		values := make([]float64, n*d)
		for k := range values {
			values[k] = f(k)
		}
		return points.Dense(n, d, values)
	}
	return []stored{
		{"uint8", points.DenseBytes(n, d, bytes), wide(func(k int) float64 { return float64(bytes[k]) })},
		{"float32", points.Dense32(n, d, single), wide(func(k int) float64 { return float64(single[k]) })},
	}
}

// scaled returns every table with every scaling, learnt from the table itself.
func scaled(t *testing.T, tables []stored) []stored {
	t.Helper()
	all := slices.Clone(tables)
	for _, s := range tables {
		for _, kind := range []points.Standardise{points.AsIs, points.UnitNorm, points.ZScore, points.MinMax, points.Columns} {
			one, err := points.FitScaling(t.Context(), kind, s.got)
			if err != nil {
				t.Fatal(err)
			}
			other, err := points.FitScaling(t.Context(), kind, s.plain)
			if err != nil {
				t.Fatal(err)
			}
			if fmt.Sprint(one) != fmt.Sprint(other) {
				t.Fatalf("%s, %s: learnt %v, want %v", s.name, kind, one, other)
			}
			all = append(all, stored{s.name + " " + string(kind), one.Apply(s.got), one.Apply(s.plain)})
		}
	}
	return all
}

// Whatever a table is stored in and however it is scaled as it is read, all that can
// be asked of it has the bits of the float64 table.
func TestStorage(t *testing.T) {
	detector.Spare(t)
	for _, path := range vec.Paths() {
		t.Run(path, func(t *testing.T) {
			defer vec.Use(path)()
			rng := rand.New(rand.NewPCG(17, 0))
			for _, size := range []struct{ n, d int }{{1, 1}, {9, 5}, {200, 33}, {411, 7}, {3, 300}} {
				for _, s := range scaled(t, storedTables(rng, size.n, size.d)) {
					t.Run(fmt.Sprintf("%s %dx%d", s.name, size.n, size.d), func(t *testing.T) { sameTable(t, rng, s.got, s.plain) })
				}
			}
		})
	}
}

func sameTable(t *testing.T, rng *rand.Rand, p, q *points.Points) {
	t.Helper()
	n, d := p.Len(), p.Dim()
	same := func(what string, got, want []float64) {
		t.Helper()
		for k := range want {
			if len(got) != len(want) || math.Float64bits(got[k]) != math.Float64bits(want[k]) {
				t.Fatalf("%s: %v, want %v at %d", what, got, want, k)
			}
		}
	}
	draw := func(count int) []float64 {
		x := make([]float64, count)
		for i := range x {
			x[i] = rng.NormFloat64()
		}
		return x
	}
	scratch := p.Scratch(n)
	same("Rows", p.Rows(0, n, scratch), q.Rows(0, n, nil))
	for i := range n {
		row := make([]float64, d)
		p.CopyRow(row, i)
		same("CopyRow", row, q.Row(i, nil))
		same("Row", p.Row(i, scratch), row)
		same("At", []float64{p.At(i, i%d)}, []float64{q.At(i, i%d)})
	}
	same("Squares", p.Squares(), q.Squares())
	same("Mean", p.Mean(), q.Mean())
	i0, j1 := n/3, n-n/4
	for _, other := range [][2]*points.Points{{p, q}, {q, q}} {
		for _, statistic := range []points.Statistic{points.Products, points.L1} {
			got, want := make([]float64, n*n), make([]float64, n*n)
			p.Pairs(statistic, got, n, i0, n, other[0], 0, j1)
			q.Pairs(statistic, want, n, i0, n, other[1], 0, j1)
			same("Pairs", got, want)
			other[0].Pairs(statistic, got, n, i0, n, p, 0, j1)
			same("Pairs, the other way", got, want)
		}
		for range 20 {
			i, j := rng.IntN(n), rng.IntN(n)
			same("SquaredDistance", []float64{p.SquaredDistance(i, other[0], j)}, []float64{q.SquaredDistance(i, other[1], j)})
			same("Differences", p.Differences(nil, i, other[0], j), q.Differences(nil, i, other[1], j))
			same("Distance", []float64{p.Distance(points.Products, i, other[0], j)}, []float64{q.Distance(points.Products, i, other[1], j)})
			if p.EqualRows(i, j) != q.EqualRows(i, j) {
				t.Fatalf("EqualRows(%d, %d) is %v", i, j, p.EqualRows(i, j))
			}
		}
	}
	others := make([]int32, n)
	for k := range others {
		others[k] = int32(rng.IntN(n))
	}
	got, want := make([]float64, n), make([]float64, n)
	p.SquaredDistances(got, n/2, others)
	q.SquaredDistances(want, n/2, others)
	same("SquaredDistances", got, want)
	a, w := draw(n), draw(d)
	sum, sums := draw(d), make([]float64, d)
	copy(sums, sum)
	p.AddCombination(sum, i0, n, a[i0:])
	q.AddCombination(sums, i0, n, a[i0:])
	same("AddCombination", sum, sums)
	p.DotsWith(got, i0, n, w)
	q.DotsWith(want, i0, n, w)
	same("DotsWith", got, want)
	pr, pc, pv := p.LargestValue()
	qr, qc, qv := q.LargestValue()
	if pr != qr || pc != qc || pv != qv {
		t.Fatalf("LargestValue is %d, %d, %v, want %d, %d, %v", pr, pc, pv, qr, qc, qv)
	}
	pr, pc, pf := p.FirstNotFinite()
	if qr, qc, qf := q.FirstNotFinite(); pr != qr || pc != qc || pf != qf {
		t.Fatalf("FirstNotFinite is %d, %d, %v, want %d, %d, %v", pr, pc, pf, qr, qc, qf)
	}
	same("Plain", p.Plain().Rows(0, n, nil), q.Plain().Rows(0, n, nil))
	rows := []int{n - 1, 0, n / 2, 0}
	same("Subset", p.Subset(rows).Rows(0, 4, nil), q.Subset(rows).Rows(0, 4, nil))
	same("Subset's Squares", p.Subset(rows).Squares(), q.Subset(rows).Squares())
	same("Slice", p.Slice(i0, n).Rows(0, n-i0, nil), q.Slice(i0, n).Rows(0, n-i0, nil))
	same("Slice's Squares", p.Slice(i0, n).Squares(), q.Slice(i0, n).Squares())
	same("Stack", points.Stack(p, p.Slice(i0, n)).Rows(0, 2*n-i0, nil), points.Stack(q, q.Slice(i0, n)).Rows(0, 2*n-i0, nil))
	for _, kind := range []points.Standardise{points.UnitNorm, points.ZScore, points.Columns} {
		s, err := points.FitScaling(t.Context(), kind, q)
		if err != nil {
			continue
		}
		again, err := points.FitScaling(t.Context(), kind, p)
		if err != nil || fmt.Sprint(s) != fmt.Sprint(again) {
			t.Fatalf("%s: learnt %v (%v), want %v", kind, again, err, s)
		}
		same("scaled", s.Apply(p).Rows(0, n, nil), s.Apply(q).Rows(0, n, nil))
	}
	raw, by := p.AsStored()
	same("AsStored", by.Apply(raw).Rows(0, n, nil), q.Rows(0, n, nil))
	if single, ok := p.Singles(0, n, nil); ok {
		for k, v := range q.Rows(0, n, nil) {
			if float64(single[k]) != v {
				t.Fatalf("Singles: %v, want %v", single[k], v)
			}
		}
	} else if raw == p && p.Storage() != points.Float64 {
		t.Fatal("no Singles of a table that is not scaled")
	}
}

// Products with sparse tables, either way.
func TestStorageSparse(t *testing.T) {
	rng := rand.New(rand.NewPCG(17, 1))
	const n, d = 30, 12
	for _, s := range scaled(t, storedTables(rng, n, d)) {
		start, index, value := []int{0}, []int32(nil), []float64(nil)
		for range n {
			for j := range d {
				if rng.IntN(3) == 0 {
					index, value = append(index, int32(j)), append(value, rng.NormFloat64())
				}
			}
			start = append(start, len(index))
		}
		c := points.CSR(d, start, index, value)
		for _, statistic := range []points.Statistic{points.Products, points.L1} {
			got, want := make([]float64, 2*n*n), make([]float64, 2*n*n)
			s.got.Pairs(statistic, got, n, 0, n, c, 0, n)
			s.plain.Pairs(statistic, want, n, 0, n, c, 0, n)
			c.Pairs(statistic, got[n*n:], n, 0, n, s.got, 0, n)
			c.Pairs(statistic, want[n*n:], n, 0, n, s.plain, 0, n)
			if !slices.Equal(got, want) {
				t.Fatalf("%s: %v of sparse points differ", s.name, statistic)
			}
		}
		if got, want := s.got.SquaredDistance(3, c, 4), s.plain.SquaredDistance(3, c, 4); got != want {
			t.Fatalf("%s: %v, want %v", s.name, got, want)
		}
	}
}

// Bytes and float32 stay what they are, also scaled, in parts and together, and their
// memory is counted so.
func TestStorageStays(t *testing.T) {
	const n, d = 100, 50
	rng := rand.New(rand.NewPCG(17, 2))
	for k, s := range storedTables(rng, n, d) {
		size := int64(n * d * []int{1, 4}[k])
		check := func(what string, p *points.Points, most int64) {
			t.Helper()
			if p.Storage() != s.got.Storage() || p.Bytes() > most {
				t.Errorf("%s, %s: storage %d of %d bytes, want %d of at most %d", s.name, what, p.Storage(), p.Bytes(), s.got.Storage(), most)
			}
		}
		check("as it is", s.got, size+8*n)
		check("together", points.Stack(s.got, s.got), 2*(size+8*n))
		for _, kind := range []points.Standardise{points.UnitNorm, points.ZScore, points.MinMax} {
			scaling, err := points.FitScaling(t.Context(), kind, s.got)
			if err != nil {
				t.Fatal(err)
			}
			p := scaling.Apply(s.got)
			check(string(kind), p, size+16*n)
			check("some of "+string(kind), p.Subset([]int{1, 2}), size/50+32)
			check("a part of "+string(kind), p.Slice(1, 3), size/50+32)
		}
	}
	if s := points.Float32.Size() + points.Float64.Size() + points.Uint8.Size(); s != 13 {
		t.Errorf("sizes add up to %d", s)
	}
}

func TestStoragePanics(t *testing.T) {
	sparse := points.CSR(1, []int{0}, nil, nil)
	for name, call := range map[string]func(){
		"too few float32":  func() { points.Dense32(2, 2, make([]float32, 3)) },
		"too many bytes":   func() { points.DenseBytes(1, 2, make([]uint8, 3)) },
		"rows of CSR":      func() { sparse.Rows(0, 0, nil) },
		"other columns":    func() { points.Stack(points.Dense(1, 1, []float64{1}), points.Dense(1, 2, []float64{1, 2})) },
		"sparse and dense": func() { points.Stack(points.Dense(1, 1, []float64{1}), sparse) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			call()
		}()
	}
}

// Rough distances are those of the rows, but for a rounding error of their lengths.
func TestRoughDistances(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	for _, s := range scaled(t, storedTables(rng, 40, 37)) {
		others := make([]int32, s.got.Len())
		for j := range others {
			others[j] = int32(j)
		}
		got, want := make([]float64, len(others)), make([]float64, len(others))
		for i := range others {
			s.got.RoughDistancesTo(got, i, s.got, others)
			s.plain.SquaredDistances(want, i, others)
			for j := range others {
				if !(math.Abs(got[j]-want[j]) <= 1e-14*(s.plain.Squares()[i]+s.plain.Squares()[j])) {
					t.Fatalf("%s: %v of %d and %d, want %v", s.name, got[j], i, j, want[j])
				}
			}
		}
	}
}
