package describe

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"lapsvm/points"
)

// The mean square norm of a part is 1/(g·m), by the squared distances of each picture to its ten nearest. It is the same alone and beside others.
func TestWeigh(t *testing.T) {
	s, n := Shape{28, 28, 1}, 150
	p := points.DenseBytes(n, s.Inputs(), drawings(n, s, 4))
	all := learned(t, Pictures(), s, p, 1)
	x := applied(t, t.Context(), all, p)
	for k, name := range Pictures() {
		alone := applied(t, t.Context(), learned(t, []string{name}, s, p, 1), p)
		beside := OnlyOf(all, x, func(q *Part) bool { return q == &all.Parts[k] })
		for i := range n {
			if !slices.Equal(slices.Clone(beside.Row(i, beside.Scratch(1))), alone.Row(i, alone.Scratch(1))) {
				t.Fatalf("%s beside others has other numbers than alone", name)
			}
		}
		norm := norm(alone)
		gap, inverse := 0.0, 0.0
		for i := range n {
			var t []float64
			for j := range n {
				if j != i {
					t = append(t, alone.SquaredDistance(i, alone, j)/norm+0.001)
				}
			}
			slices.Sort(t)
			gap += t[0] / float64(n)
			for j := range 9 {
				inverse += math.Log(math.Sqrt(t[9]/t[j])) / 9 / float64(n)
			}
		}
		if want := inverse / gap; !(math.Abs(norm-want) < 1e-3*want) {
			t.Errorf("%s has a mean square norm of %g, not %g", name, norm, want)
		}
	}
}

// norm returns the mean square norm of points.
func norm(x *points.Points) (mean float64) {
	for _, v := range x.Squares() {
		mean += v / float64(x.Len())
	}
	return mean
}

// Where the nearest pictures are equal, nothing tells parts apart, and each counts as much.
func TestWeighEqual(t *testing.T) {
	s, n := Shape{28, 28, 1}, 40
	p := points.DenseBytes(n, s.Inputs(), slices.Repeat(drawings(2, s, 4), n/2))
	d := learned(t, Pictures(), s, p, 1)
	x := applied(t, t.Context(), d, p)
	for k := range d.Parts {
		if got := norm(OnlyOf(d, x, func(q *Part) bool { return q == &d.Parts[k] })); !(math.Abs(got-1) < 1e-2) {
			t.Errorf("%s has a mean square norm of %g", d.Parts[k].Name, got)
		}
	}
}

// The mean square norms of the parts of a table are as g'm'/(g·m), where the texts have 1.
func TestWeighColumns(t *testing.T) {
	n := 300
	p := texts(n, 62, 10, 4, 6)
	fields := Fields{Texts: textsOf([2]int{4, 64}), Joint: [][]int{{2, 3}}, Together: []points.Group{{Columns: []int{64, 65}, Vector: true}}}
	d, err := LearnColumns(t.Context(), fields, p, 1)
	if err != nil {
		t.Fatal(err)
	}
	x := applied(t, t.Context(), d, p)
	random := rand.New(rand.NewPCG(1, 4)) // as LearnColumns has it
	var weights, norms []float64
	at := 0
	for k := range d.Parts {
		part := &d.Parts[k]
		m := part.Dim()
		rows, norm := make([]float32, n*m), 0.0
		for i := range n {
			for j, v := range x.DenseRow(i)[at : at+m] {
				rows[i*m+j] = float32(v)
				norm += v * v / float64(n)
			}
		}
		at += m
		shuffled := part.shuffled(rows, fields.Joint, random)
		weights, norms = append(weights, naiveCloseness(rows, m)/naiveCloseness(shuffled, m)), append(norms, norm)
	}
	for k, w := range weights[:2] {
		if want := w / weights[2]; !(math.Abs(norms[k]-want) < 1e-3*want) {
			t.Errorf("%s have the mean square norm %g, want %g", d.Parts[k].Name, norms[k], want)
		}
	}
}

// naiveCloseness returns 1/(g·m) of rows less their mean, in the scale in which the mean of their squares is 1.
func naiveCloseness(rows []float32, m int) float64 {
	n := len(rows) / m
	x := make([]float64, len(rows))
	for j := range m {
		mean := 0.0
		for i := range n {
			mean += float64(rows[i*m+j]) / float64(n)
		}
		for i := range n {
			x[i*m+j] = float64(rows[i*m+j]) - mean
		}
	}
	square := 0.0
	for _, v := range x {
		square += v * v / float64(n)
	}
	gap, inverse := 0.0, 0.0
	for i := range n {
		var t []float64
		for j := range n {
			s := 0.001
			for c := range m {
				s += math.Pow(x[i*m+c]-x[j*m+c], 2) / square
			}
			if j != i {
				t = append(t, s)
			}
		}
		slices.Sort(t)
		gap += t[0] / float64(n)
		for j := range 9 {
			inverse += math.Log(math.Sqrt(t[9]/t[j])) / 9 / float64(n)
		}
	}
	return inverse / gap
}

// Shuffled rows have the values of each column, joint columns keep their rows, and those of a text have length 1.
func TestShuffled(t *testing.T) {
	const n, m = 50, 4
	rows := make([]float32, n*m)
	for i := range rows {
		rows[i] = float32(i + 1)
	}
	numbers := Part{Name: Numbers, Columns: [][2]int{{0, 2}, {5, 7}}, Scaling: new(points.Scaling)}
	numbers.Scaling.Kind = points.Columns
	got := numbers.shuffled(rows, [][]int{{1, 5}, {2, 3}}, rand.New(rand.NewPCG(1, 1)))
	seen, moved := make(map[float32]bool), [m]int{}
	for i := range n {
		row := got[i*m : (i+1)*m]
		for j, v := range row {
			if int(v-1)%m != j {
				t.Fatalf("%g in column %d", v, j)
			}
			seen[v] = true
			if v != rows[i*m+j] {
				moved[j]++
			}
		}
		if row[2] != row[1]+1 {
			t.Fatalf("columns 1 and 5 of the table have %g and %g", row[1], row[2])
		}
		if row[0]+1 == row[1] && row[2]+1 == row[3] {
			moved[0]--
		}
	}
	if len(seen) != n*m || slices.Min(moved[:]) < n/2 {
		t.Errorf("%d values, moved %d", len(seen), moved)
	}
	text := Part{Name: Latent, Columns: [][2]int{{0, 1}}, Components: make([]float32, m)}
	got = text.shuffled(rows, nil, rand.New(rand.NewPCG(1, 1)))
	for i := range n {
		square := 0.0
		for _, v := range got[i*m : (i+1)*m] {
			square += float64(v) * float64(v)
		}
		if !(math.Abs(square-1) < 1e-6) {
			t.Errorf("row %d of a text has the squared length %g", i, square)
		}
	}
}

// A part has one weight in any order of the pictures, also where two kinds take turns.
func TestWeighTurns(t *testing.T) {
	const n, length = 3 * weighedRows, 4
	random := rand.New(rand.NewPCG(8, 8))
	weight := func(order func(i int) int) float64 {
		numbers := make([]float32, n*length)
		for i := range n {
			width := float32(1)
			if order(i)%3 == 0 {
				width = 0.01 // near one another
			}
			for j := range length {
				numbers[i*length+j] = width * float32(random.NormFloat64())
			}
		}
		p := Part{Mean: make([]float32, length), Components: []float32{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}}
		if err := p.weigh(t.Context(), numbers, n, rand.New(rand.NewPCG(1, 1))); err != nil {
			t.Fatal(err)
		}
		return float64(p.Components[0])
	}
	shuffled := random.Perm(n)
	inTurns, other := weight(func(i int) int { return i }), weight(func(i int) int { return shuffled[i] })
	if !(math.Abs(inTurns-other) < 0.1*other) {
		t.Errorf("in turns a part is weighed by %g, in another order by %g", inTurns, other)
	}
}
