package describe

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"lapsvm/internal/numbers/linalg"
	"lapsvm/points"
)

// noise returns a picture of normal numbers, one half of it flat.
func noise(s Shape, seed uint64) []float32 {
	random := rand.New(rand.NewPCG(seed, 1))
	picture := make([]float32, s.Inputs())
	for k := range picture {
		if k%(s.Width*s.Height) > s.Width*s.Height/2 {
			picture[k] = float32(random.NormFloat64())
		}
	}
	return picture
}

func near(t *testing.T, name string, got []float32, want []float64, tolerance float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: %d numbers in place of %d", name, len(got), len(want))
	}
	for k := range want {
		if !(math.Abs(float64(got[k])-want[k]) <= tolerance) {
			t.Fatalf("%s: number %d is %g in place of %g", name, k, got[k], want[k])
		}
	}
}

// naiveGradients evaluates the formulas of gradients.
func naiveGradients(s Shape, picture []float32) []float64 {
	at := func(c, x, y int) float64 {
		return float64(picture[(c*s.Height+min(max(y, 0), s.Height-1))*s.Width+min(max(x, 0), s.Width-1)])
	}
	across, down := s.Width/4, s.Height/4
	cell := make([][9]float64, across*down)
	for y := range s.Height {
		for x := range s.Width {
			var gx, gy float64
			for c := range s.Colours {
				if dx, dy := at(c, x+1, y)-at(c, x-1, y), at(c, x, y+1)-at(c, x, y-1); math.Hypot(dx, dy) > math.Hypot(gx, gy) {
					gx, gy = dx, dy
				}
			}
			theta := math.Mod(math.Atan2(gy, gx)+2*math.Pi, math.Pi)
			for k := range 9 {
				apart := math.Abs(theta - float64(k)*math.Pi/9)
				apart = min(apart, math.Pi-apart) / (math.Pi / 9)
				cell[y*down/s.Height*across+x*across/s.Width][k] += math.Hypot(gx, gy) * max(0, 1-apart)
			}
		}
	}
	length := func(v []float64) float64 {
		sum := 1.0
		for _, x := range v {
			sum += x * x
		}
		return math.Sqrt(sum)
	}
	var all []float64
	for y := range down - 1 {
		for x := range across - 1 {
			block := slices.Concat(cell[y*across+x][:], cell[y*across+x+1][:], cell[(y+1)*across+x][:], cell[(y+1)*across+x+1][:])
			norm := length(block)
			for k := range block {
				block[k] = min(block[k]/norm, 0.2)
			}
			norm = length(block)
			for k := range block {
				block[k] /= norm
			}
			all = append(all, block...)
		}
	}
	return all
}

func TestGradientsFormula(t *testing.T) {
	for _, s := range []Shape{{24, 24, 1}, {28, 28, 1}, {30, 25, 3}, {48, 33, 1}} {
		picture := noise(s, 1)
		g := newGradients(s)
		numbers := make([]float32, g.numbers())
		for range 2 { // the second time with used memory
			g.describe(numbers, picture)
		}
		near(t, "gradients", numbers, naiveGradients(s, picture), 1e-5)
	}
}

// naivePatches evaluates the formulas of patches.
func naivePatches(s Shape, filters, picture []float32) []float64 {
	across, down, length := s.Width-5, s.Height-5, 36*s.Colours
	sums := make([]float64, 4*2*192)
	for y := range down {
		for x := range across {
			var patch []float64
			for c := range s.Colours {
				for k := range 36 {
					patch = append(patch, float64(picture[(c*s.Height+y+k/6)*s.Width+x+k%6]))
				}
			}
			var mean, variance float64
			for _, v := range patch {
				mean += v / float64(length)
			}
			for _, v := range patch {
				variance += (v - mean) * (v - mean) / float64(length)
			}
			quadrant := 0
			if x >= across/2 {
				quadrant++
			}
			if y >= down/2 {
				quadrant += 2
			}
			for k := range 192 {
				z := 0.0
				for j, v := range patch {
					z += float64(filters[k*length+j]) * (v - mean) / math.Sqrt(variance+0.01)
				}
				sums[quadrant*384+k] += max(0, z-2)
				sums[quadrant*384+192+k] += max(0, -z-2)
			}
		}
	}
	for k, v := range sums {
		sums[k] = math.Sqrt(v)
	}
	return sums
}

func TestPatchesFormula(t *testing.T) {
	for _, s := range []Shape{{24, 24, 1}, {25, 27, 3}} {
		picture := noise(s, 2)
		random := rand.New(rand.NewPCG(1, 1))
		filters := make([]float32, 192*36*s.Colours)
		for k := range filters {
			filters[k] = float32(random.NormFloat64() / 3)
		}
		p := newPatches(s, filters)
		numbers := make([]float32, p.numbers())
		for range 2 {
			p.describe(numbers, picture)
		}
		near(t, "patches", numbers, naivePatches(s, filters, picture), 2e-3)
	}
}

// No filter finds a patch that is left out, not even a filter that looks like it.
func TestFlatPatches(t *testing.T) {
	s := Shape{30, 30, 1}
	random := rand.New(rand.NewPCG(4, 1))
	picture := make([]float32, s.Inputs())
	for k := range picture {
		picture[k] = float32(0.5 + 0.0172*random.NormFloat64())
	}
	normal := newNormaliser(s)
	normal.look(picture)
	const length, norm = 36, 2
	filters := make([]float32, FilterCount*length)
	for d := range slices.Chunk(filters, length) {
		normal.patch(d, random.IntN(normal.across), random.IntN(normal.down))
		square := float32(0)
		for _, v := range d {
			square += v * v
		}
		for j := range d {
			d[j] *= norm / float32(math.Sqrt(float64(square)))
		}
	}
	p := newPatches(s, filters)
	numbers := make([]float32, p.numbers())
	p.describe(numbers, picture)
	near(t, "flat patches", numbers, naivePatches(s, filters, picture), 3e-3)
	left, found := 0, 0
	for _, factor := range p.normal.factor {
		if factor == 0 {
			left++
		}
	}
	for _, v := range numbers {
		if v > 0.1 {
			found++
		}
	}
	if all := len(p.normal.factor); left < all/5 || left > 4*all/5 || found < 20 {
		t.Errorf("%d of %d patches are left out, %d numbers are above 0.1", left, all, found)
	}
	clear(picture)
	p.describe(numbers, picture)
	if largest := slices.Max(numbers); largest != 0 {
		t.Errorf("nothing to be seen is described by %g", largest)
	}
}

// W·E[zzᵀ + 0.3·I]·W is the identity.
func TestWhitener(t *testing.T) {
	const n, length = 500, 12
	random := rand.New(rand.NewPCG(3, 1))
	z := make([]float32, n*length)
	for i := range n {
		common := random.NormFloat64()
		for j := range length {
			z[i*length+j] = float32(common + random.NormFloat64()*float64(j)/10)
		}
	}
	w, err := whitener(t.Context(), z, length)
	if err != nil {
		t.Fatal(err)
	}
	for a := range length {
		for b := range length {
			sum, want := 0.0, 0.0
			if a == b {
				want = 1
			}
			for i := range length {
				for j := range length {
					moment := 0.0
					for k := range n {
						moment += float64(z[k*length+i]) * float64(z[k*length+j]) / n
					}
					if i == j {
						moment += 0.3
					}
					sum += float64(w[a*length+i]) * moment * float64(w[j*length+b])
				}
			}
			if !(math.Abs(sum-want) < 1e-4) {
				t.Fatalf("element (%d, %d) is %g", a, b, sum)
			}
		}
	}
}

// Directions are those of the formula, evaluated in float64 from the same start.
func TestDirections(t *testing.T) {
	const n, length, count = 120, 5, 6
	random := rand.New(rand.NewPCG(8, 1))
	x := make([]float32, n*length)
	for i := range x {
		x[i] = float32(random.NormFloat64())
	}
	got, err := directions(t.Context(), x, length, count, rand.New(rand.NewPCG(9, 1)))
	if err != nil {
		t.Fatal(err)
	}
	random = rand.New(rand.NewPCG(9, 1))
	want := make([]float64, count*length)
	for i := range want {
		want[i] = random.NormFloat64()
	}
	unit := func() {
		for k := range count {
			square := 0.0
			for j := range length {
				square += want[k*length+j] * want[k*length+j]
			}
			for j := range length {
				want[k*length+j] /= math.Sqrt(square)
			}
		}
	}
	unit()
	for range 5 {
		next := slices.Clone(want)
		for i := range n {
			nearest, largest := 0, 0.0
			for k := range count {
				dot := 0.0
				for j := range length {
					dot += want[k*length+j] * float64(x[i*length+j])
				}
				if math.Abs(dot) > math.Abs(largest) {
					nearest, largest = k, dot
				}
			}
			for j := range length {
				next[nearest*length+j] += largest * float64(x[i*length+j])
			}
		}
		want = next
		unit()
	}
	near(t, "directions", got, want, 1e-4)
}

// The components are orthogonal directions of the largest variance: those of an exact
// eigendecomposition.
func TestComponents(t *testing.T) {
	const n, length = 400, 30
	random := rand.New(rand.NewPCG(4, 1))
	x, exact := make([]float32, n*length), linalg.New(n, length)
	for i := range n {
		for j := range length {
			x[i*length+j] = 3 + float32(random.NormFloat64()*math.Pow(0.7, float64(j)))
		}
	}
	var kept int
	raw := slices.Clone(x)
	mean, components, err := components(t.Context(), x, length, random)
	if err != nil {
		t.Fatal(err)
	}
	kept = len(components) / length
	for i, v := range raw {
		exact.Data[i] = float64(v) - float64(mean[i%length])
	}
	gram := linalg.New(length, length)
	if err := linalg.Gemm(t.Context(), 1, exact.T(), exact, 0, gram); err != nil {
		t.Fatal(err)
	}
	values, vectors, err := linalg.Eigen(t.Context(), gram)
	if err != nil {
		t.Fatal(err)
	}
	total, before, sum := 0.0, 0.0, 0.0
	for k, v := range values {
		total += v
		if k < kept {
			sum += v
		}
		if k < kept-1 {
			before += v
		}
	}
	if !(sum >= keptShare*total && before < keptShare*total) {
		t.Errorf("%d components hold %g of the variance, one less %g", kept, sum/total, before/total)
	}
	factor := math.Sqrt(n / sum)
	for c := range kept {
		dot, largest := 0.0, float32(0)
		for j := range length {
			v := components[j*kept+c]
			dot += float64(v) * vectors.Row(j)[c]
			if max(v, -v) > max(largest, -largest) {
				largest = v
			}
		}
		if !(math.Abs(math.Abs(dot)-factor) < 1e-4*factor) {
			t.Errorf("component %d has the product %g with the exact one of length %g", c, dot, factor)
		}
		if largest < 0 {
			t.Errorf("component %d has the largest entry %g", c, largest)
		}
	}
}

// A picture that is enlarged is interpolated; one that is made smaller has the means over areas.
func TestResampling(t *testing.T) {
	for _, c := range []struct{ from, to int }{{1, 24}, {16, 24}, {24, 24}, {49, 48}, {200, 48}, {96, 48}} {
		r := newResampling(c.from, c.to)
		src, dst, want := make([]float32, c.from), make([]float32, c.to), make([]float64, c.to)
		for k := range src {
			src[k] = float32((k*7 + 3) % 11)
		}
		step := float64(c.from) / float64(c.to)
		const fine = 5000
		for k := range want {
			if c.to >= c.from {
				at := min(max((float64(k)+0.5)*step-0.5, 0), float64(c.from-1))
				low := int(at)
				want[k] = float64(src[low])*(1-at+float64(low)) + float64(src[min(low+1, c.from-1)])*(at-float64(low))
				continue
			}
			for q := range fine {
				want[k] += float64(src[int((float64(k)+(float64(q)+0.5)/fine)*step)]) / fine
			}
		}
		r.line(dst, src)
		near(t, "line", dst, want, 5e-3)
	}
}

// A picture of colours is read as planes, whole and resampled.
func TestReader(t *testing.T) {
	s := Shape{30, 12, 3}
	values := make([]float64, s.Inputs())
	for k := range values {
		values[k] = float64(k % 3) // a plane of zeros, one of ones, one of twos
	}
	values[3*(30*5+17)+1] = 9 // column 17, row 5, green
	r := newReader(s, 1, 2, asTheyAre)
	picture := make([]float32, r.to.Inputs())
	r.read(picture, points.Dense(1, len(values), values), 0)
	if r.to != (Shape{30, 24, 3}) {
		t.Fatal(r.to)
	}
	for k, v := range picture {
		c, y, x := k/(30*24), k/30%24, k%30
		want := float32(2 * (c - 1))
		if c == 1 && x == 17 { // rows 10 and 11 are ¼ of a row around row 5
			want += 16 * []float32{9: 0.25, 10: 0.75, 11: 0.75, 12: 0.25, 23: 0}[y]
		}
		if v != want {
			t.Errorf("colour %d, column %d, row %d: %g in place of %g", c, x, y, v, want)
		}
	}
}
