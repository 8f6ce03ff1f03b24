package points_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"lapsvm/internal/testing/drawn"
	"lapsvm/points"
)

// hold checks that p holds these rows, and that its squares are theirs.
func hold(t *testing.T, name string, p *points.Points, rows [][]float64, d int) {
	t.Helper()
	if p.Len() != len(rows) || p.Dim() != d || len(p.Squares()) != len(rows) {
		t.Fatalf("%s: %d×%d with %d squares, want %d×%d", name, p.Len(), p.Dim(), len(p.Squares()), len(rows), d)
	}
	got := make([]float64, d)
	for i, want := range rows {
		for j := range got {
			got[j] = math.NaN() // zeros must be written too
		}
		p.CopyRow(got, i)
		if !slices.Equal(got, want) {
			t.Errorf("%s: row %d is %v, want %v", name, i, got, want)
		}
		square := 0.0
		for _, v := range want {
			square += v * v
		}
		if p.Squares()[i] != square {
			t.Errorf("%s: ‖x_%d‖² = %v, naively %v", name, i, p.Squares()[i], square)
		}
	}
}

func TestTables(t *testing.T) {
	for seed := range uint64(20) {
		rng := rand.New(rand.NewPCG(21, seed))
		n, d := rng.IntN(8), rng.IntN(6)
		rows := drawn.Rows(rng, n, d)
		for name, p := range drawn.Both(rows, d) {
			hold(t, name, p, rows, d)
			if p.Sparse() != (name == "sparse") {
				t.Errorf("%s: Sparse() = %v", name, p.Sparse())
			}
			if n == 0 {
				continue
			}
			pick := make([]int, rng.IntN(10)) // rows in any order, some more than once
			want := make([][]float64, len(pick))
			for k := range pick {
				pick[k] = rng.IntN(n)
				want[k] = rows[pick[k]]
			}
			hold(t, "subset of "+name, p.Subset(pick), want, d)

			mean := p.Mean()
			for j := range d {
				s := 0.0
				for i := range n {
					s += rows[i][j]
				}
				if !(math.Abs(mean[j]-s/float64(n)) <= 1e-15*float64(n)) {
					t.Errorf("seed %d, %s: mean %v of column %d, naively %v", seed, name, mean[j], j, s/float64(n))
				}
			}
		}
		p := drawn.Dense(rows, d)
		if p.Stored() != n*d {
			t.Errorf("seed %d: %d values stored of %d×%d", seed, p.Stored(), n, d)
		}
		for i := range n {
			if !slices.Equal(p.DenseRow(i), rows[i]) {
				t.Errorf("seed %d: DenseRow(%d) = %v, want %v", seed, i, p.DenseRow(i), rows[i])
			}
		}
		wide := make([][]float64, n)
		for i := range wide {
			wide[i] = append(slices.Clone(rows[i]), 0, 0)
		}
		hold(t, "widened", drawn.Sparse(rows, d).Widen(d+2), wide, d+2)
		hold(t, "widened by nothing", drawn.Sparse(rows, d).Widen(d), rows, d)
	}
}

func TestSparseRow(t *testing.T) {
	p := points.CSR(5, []int{0, 2, 2, 3}, []int32{1, 4, 0}, []float64{3, -1, 0})
	index, value := p.SparseRow(0)
	if !slices.Equal(index, []int32{1, 4}) || !slices.Equal(value, []float64{3, -1}) {
		t.Errorf("row 0 is %v, %v", index, value)
	}
	if index, value = p.SparseRow(1); len(index) != 0 || len(value) != 0 {
		t.Errorf("row 1 is %v, %v, want nothing", index, value)
	}
	if index, value = p.SparseRow(2); !slices.Equal(index, []int32{0}) || !slices.Equal(value, []float64{0}) {
		t.Errorf("row 2 is %v, %v", index, value)
	}
	if p.Stored() != 3 {
		t.Errorf("%d entries stored, want 3", p.Stored())
	}
}

func TestEmptyTables(t *testing.T) {
	for name, p := range map[string]*points.Points{
		"zero value": {}, "dense": points.Dense(0, 3, nil), "sparse": points.CSR(3, []int{0}, nil, nil),
	} {
		if p.Len() != 0 || len(p.Mean()) != p.Dim() || p.Subset(nil).Len() != 0 || p.Stored() != 0 {
			t.Errorf("%s: %d rows, mean %v, %d rows in an empty subset", name, p.Len(), p.Mean(), p.Subset(nil).Len())
		}
		if slices.ContainsFunc(p.Mean(), func(v float64) bool { return v != 0 }) {
			t.Errorf("%s: mean %v, want zeros", name, p.Mean())
		}
		if _, _, found := p.FirstNotFinite(); found {
			t.Errorf("%s: found a value that is not finite", name)
		}
	}
}

func TestFirstNotFinite(t *testing.T) {
	for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		rows := [][]float64{{1, 0, 2}, {0, 3, bad}, {bad, 1, 1}}
		for name, p := range drawn.Both(rows, 3) {
			if row, col, found := p.FirstNotFinite(); !found || row != 1 || col != 2 {
				t.Errorf("%s, %v: found %v at (%d, %d), want (1, 2)", name, bad, found, row, col)
			}
			if _, _, found := p.Subset([]int{0}).FirstNotFinite(); found {
				t.Errorf("%s: found a value that is not finite among %v", name, rows[0])
			}
		}
	}
	largest := drawn.Both([][]float64{{math.MaxFloat64, -math.MaxFloat64, 5e-324}}, 3)
	for name, p := range largest {
		if row, col, found := p.FirstNotFinite(); found {
			t.Errorf("%s: called finite value (%d, %d) not finite", name, row, col)
		}
	}
}

func TestTablesPanic(t *testing.T) {
	d, s := points.Dense(2, 2, []float64{1, 2, 3, 4}), points.CSR(2, []int{0, 1}, []int32{1}, []float64{5})
	for name, call := range map[string]func(){
		"dense, too few values":     func() { points.Dense(2, 2, make([]float64, 3)) },
		"dense, negative shape":     func() { points.Dense(-1, -1, make([]float64, 1)) },
		"no offsets":                func() { points.CSR(2, nil, nil, nil) },
		"first offset":              func() { points.CSR(2, []int{1, 1}, []int32{0}, []float64{1}) },
		"last offset":               func() { points.CSR(2, []int{0, 2}, []int32{0}, []float64{1}) },
		"offset beyond the entries": func() { points.CSR(2, []int{0, 9, 1}, []int32{0}, []float64{1}) },
		"descending offsets":        func() { points.CSR(2, []int{0, 1, 0, 1}, []int32{0}, []float64{1}) },
		"fewer values than columns": func() { points.CSR(2, []int{0, 2}, []int32{0, 1}, []float64{1}) },
		"column twice":              func() { points.CSR(2, []int{0, 2}, []int32{1, 1}, []float64{1, 2}) },
		"descending columns":        func() { points.CSR(2, []int{0, 2}, []int32{1, 0}, []float64{1, 2}) },
		"column too large":          func() { points.CSR(2, []int{0, 1}, []int32{2}, []float64{1}) },
		"negative column":           func() { points.CSR(2, []int{0, 1}, []int32{-1}, []float64{1}) },
		"negative columns":          func() { points.CSR(-1, []int{0}, nil, nil) },
		"dense row of sparse":       func() { s.DenseRow(0) },
		"sparse row of dense":       func() { d.SparseRow(0) },
		"copy, too short":           func() { d.CopyRow(make([]float64, 1), 0) },
		"widen dense":               func() { d.Widen(3) },
		"widen to fewer":            func() { s.Widen(1) },
	} {
		panics(t, name, call)
	}
}
