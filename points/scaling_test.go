package points_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"lapsvm/internal/testing/drawn"
	"lapsvm/points"
)

// fit learns a scaling and applies it to q, row after row.
func fit(t *testing.T, kind points.Standardise, p, q *points.Points) [][]float64 {
	t.Helper()
	s, err := points.FitScaling(t.Context(), kind, p)
	if err != nil {
		t.Fatal(err)
	}
	scaled := s.Apply(q)
	rows := make([][]float64, scaled.Len())
	for i := range rows {
		rows[i] = make([]float64, scaled.Dim())
		scaled.CopyRow(rows[i], i)
	}
	return rows
}

func TestScalingFormulas(t *testing.T) {
	for seed := range uint64(20) {
		rng := rand.New(rand.NewPCG(31, seed))
		n, d := 1+rng.IntN(9), 1+rng.IntN(5)
		train, later := drawn.Rows(rng, n, d), drawn.Rows(rng, 3, d)
		zscore, minmax := fit(t, points.ZScore, drawn.Dense(train, d), drawn.Dense(later, d)), fit(t, points.MinMax, drawn.Dense(train, d), drawn.Dense(later, d))
		for j := range d {
			mean, variance, low, high := 0.0, 0.0, math.Inf(1), math.Inf(-1)
			for i := range n {
				mean += train[i][j] / float64(n)
				low, high = min(low, train[i][j]), max(high, train[i][j])
			}
			for i := range n {
				variance += (train[i][j] - mean) * (train[i][j] - mean) / float64(n)
			}
			for i, row := range later {
				wantZ, wantM := (row[j]-mean)/math.Sqrt(variance), (row[j]-low)/(high-low)
				if low == high {
					wantZ, wantM = 0, 0
				}
				if !(math.Abs(zscore[i][j]-wantZ) <= 1e-12*(1+math.Abs(wantZ))) {
					t.Errorf("seed %d: z-score %v, naively %v", seed, zscore[i][j], wantZ)
				}
				if !(math.Abs(minmax[i][j]-wantM) <= 1e-12*(1+math.Abs(wantM))) {
					t.Errorf("seed %d: min-max %v, naively %v", seed, minmax[i][j], wantM)
				}
			}
		}
	}
}

// A constant column becomes 0 whatever its value and however many the points,
// and an offset that dwarfs the spread costs no more digits than the data has.
func TestScalingConstantAndFarColumns(t *testing.T) {
	const n = 100_000
	rng := rand.New(rand.NewPCG(32, 1))
	values := make([]float64, 0, 3*n)
	e := make([]float64, n)
	mean, variance := 0.0, 0.0
	for i := range e {
		e[i] = float64(rng.IntN(1<<20)) / (1 << 20) // exact beside 2²⁷
		mean += e[i] / n
		values = append(values, 0.1, -1e300, 1<<27+e[i])
	}
	for _, v := range e {
		variance += (v - mean) * (v - mean) / n
	}
	p := points.Dense(n, 3, values)
	for _, kind := range []points.Standardise{points.ZScore, points.MinMax} {
		for i, row := range fit(t, kind, p, p) {
			if row[0] != 0 || row[1] != 0 {
				t.Fatalf("%s: constant columns became %v and %v in row %d", kind, row[0], row[1], i)
			}
			if want := (e[i] - mean) / math.Sqrt(variance); kind == points.ZScore && !(math.Abs(row[2]-want) <= 1e-6) {
				t.Fatalf("%s: far column became %v in row %d, want %v", kind, row[2], i, want)
			}
		}
	}
}

// Columns so narrow or wide that they cannot be scaled are an error that names them.
func TestScalingExtremeWidth(t *testing.T) {
	for _, high := range []float64{5e-324, math.MaxFloat64} {
		p := points.Dense(2, 2, []float64{0, -high, 1, high})
		for _, kind := range []points.Standardise{points.ZScore, points.MinMax} {
			_, err := points.FitScaling(t.Context(), kind, p)
			if column := (points.ColumnError{}); !errors.As(err, &column) || column.Column != 1 {
				t.Errorf("%s of values up to %v: error %v, want one of the second column", kind, high, err)
			}
		}
	}
}

// Undo gives raw values back.
func TestScalingUndo(t *testing.T) {
	rng := rand.New(rand.NewPCG(32, 1))
	const n = 60
	values := make([]float64, 4*n)
	for i := range n {
		copy(values[4*i:], []float64{1e3 + rng.NormFloat64(), math.Exp(3 * rng.NormFloat64()), 5, float64(i % 2)})
	}
	p := points.Dense(n, 4, values)
	for _, kind := range []points.Standardise{points.AsIs, points.ZScore, points.MinMax, points.Columns} {
		s, err := points.FitScaling(t.Context(), kind, p)
		if err != nil {
			t.Fatal(err)
		}
		scaled := s.Apply(p)
		for i := range n {
			row := make([]float64, 4)
			scaled.CopyRow(row, i)
			s.Undo(row)
			for j, v := range row {
				if want := values[4*i+j]; !(math.Abs(v-want) <= 1e-12*(1+math.Abs(want))) {
					t.Errorf("%s, row %d, column %d: %v, was %v", kind, i, j, v, want)
				}
			}
		}
	}
}

// Standardising is right for columns whose variance is beyond float64.
func TestScalingExtremeColumns(t *testing.T) {
	const n = 7
	for _, kind := range []points.Standardise{points.ZScore, points.MinMax, points.Columns} {
		for _, scale := range []float64{0x1p-1000, 0x1p-540, 0x1p540, 0x1p1010} {
			values := make([]float64, 2*n)
			for i := range n {
				values[2*i] = float64(i*i) - 3
				values[2*i+1] = values[2*i] * scale
			}
			p := points.Dense(n, 2, values)
			for i, row := range fit(t, kind, p, p) {
				if !(math.Abs(row[0]-row[1]) <= 1e-14) {
					t.Errorf("%s, scale %v, row %d: %v, want %v", kind, scale, i, row[1], row[0])
				}
			}
		}
	}
}

func TestUnitNorm(t *testing.T) {
	rng := rand.New(rand.NewPCG(33, 1))
	const d = 6
	rows := drawn.Rows(rng, 9, d)
	clear(rows[3])
	for j := range d { // lengths whose squares are beyond float64
		rows[5][j] *= 1e-200
		rows[6][j] *= 1e200
	}
	for name, p := range drawn.Both(rows, d) {
		s, err := points.FitScaling(t.Context(), points.UnitNorm, p)
		if err != nil {
			t.Fatal(err)
		}
		q := s.Apply(p)
		if q.Sparse() != p.Sparse() {
			t.Errorf("%s: storage changed", name)
		}
		for i, row := range rows {
			largest, square := 0.0, 0.0
			for _, v := range row {
				largest = max(largest, math.Abs(v))
			}
			for _, v := range row {
				if largest > 0 {
					square += (v / largest) * (v / largest)
				}
			}
			got := make([]float64, d)
			q.CopyRow(got, i)
			for j, v := range row {
				want := 0.0
				if largest > 0 {
					want = v / largest / math.Sqrt(square)
				}
				if !(math.Abs(got[j]-want) <= 1e-15) {
					t.Errorf("%s: row %d, column %d is %v, want %v", name, i, j, got[j], want)
				}
			}
		}
		hold(t, "left as it was", p, rows, d)
	}
}

func TestAsIsIsTheTableItself(t *testing.T) {
	p := points.Dense(1, 2, []float64{1, 2})
	for _, kind := range []points.Standardise{"", points.AsIs} {
		s, err := points.FitScaling(t.Context(), kind, p)
		if err != nil {
			t.Fatal(err)
		}
		if s.Apply(p) != p {
			t.Errorf("%q made another table", kind)
		}
	}
	if (points.Scaling{}).Apply(p) != p {
		t.Error("the zero Scaling made another table")
	}
}

func TestScalingRefusals(t *testing.T) {
	s := points.CSR(2, []int{0, 1}, []int32{1}, []float64{5})
	for _, c := range []struct {
		kind points.Standardise
		p    *points.Points
	}{
		{points.ZScore, s}, {points.MinMax, s}, {"l2", s}, {"l2", points.Dense(1, 1, []float64{1})},
		{points.ZScore, points.Dense(0, 2, nil)}, {points.MinMax, points.Dense(0, 2, nil)},
	} {
		if scaling, err := points.FitScaling(t.Context(), c.kind, c.p); err == nil {
			t.Errorf("%s of a table with %d rows, sparse %v: learnt %v", c.kind, c.p.Len(), c.p.Sparse(), scaling)
		}
	}
	z, err := points.FitScaling(t.Context(), points.ZScore, points.Dense(2, 1, []float64{1, 3}))
	if err != nil {
		t.Fatal(err)
	}
	panics(t, "another number of columns", func() { z.Apply(points.Dense(1, 2, []float64{1, 2})) })
	// What was learnt from dense points can be applied to sparse ones.
	q := z.Apply(points.CSR(1, []int{0, 0, 1}, []int32{0}, []float64{4}))
	if got := []float64{q.DenseRow(0)[0], q.DenseRow(1)[0]}; !slices.Equal(got, []float64{-2, 2}) {
		t.Errorf("sparse 0 and 4 became %v, want −2 and 2", got)
	}
}
