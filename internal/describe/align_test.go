package describe

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"lapsvm/points"
)

// placeOf is the definition: centre and slant of what differs from the ground of each colour, summed over all pixels.
func placeOf(s Shape, values []float64) (ground []float64, column, row, slant float64) {
	at := func(x, y, c int) float64 { return values[(y*s.Width+x)*s.Colours+c] }
	for c := range s.Colours {
		var border []float64
		for y := range s.Height {
			for x := range s.Width {
				if min(x, s.Width-1-x, y, s.Height-1-y) == 0 {
					border = append(border, at(x, y, c))
				}
			}
		}
		slices.Sort(border)
		n := len(border)
		ground = append(ground, (border[(n-1)/2]+border[n/2])/2)
	}
	mean := func(of func(x, y float64) float64) float64 {
		sum, weights := 0.0, 0.0
		for y := range s.Height {
			for x := range s.Width {
				for c := range s.Colours {
					w := math.Pow(at(x, y, c)-ground[c], 2)
					sum += w * of(float64(x)-float64(s.Width-1)/2, float64(y)-float64(s.Height-1)/2)
					weights += w
				}
			}
		}
		return sum / weights
	}
	column, row = mean(func(x, _ float64) float64 { return x }), mean(func(_, y float64) float64 { return y })
	if high := mean(func(_, y float64) float64 { return (y - row) * (y - row) }); high > 0 {
		slant = mean(func(x, y float64) float64 { return (x - column) * (y - row) }) / high
	}
	return ground, column, row, min(max(slant, -MostSlant), MostSlant)
}

// An aligned picture has the value at the place that each of its pixels stands for.
func TestAligned(t *testing.T) {
	for _, s := range []Shape{{9, 12, 1}, {12, 8, 3}, {28, 30, 1}, {60, 50, 1}, {1, 9, 1}, {9, 1, 3}} {
		random := rand.New(rand.NewPCG(5, 6))
		values := make([]float64, s.Inputs())
		for k := range values {
			values[k] = random.NormFloat64()
			if x := k / s.Colours % s.Width; x > s.Width/2 {
				values[k] = float64(k % s.Colours)
			}
		}
		ground, column, row, slant := placeOf(s, values)
		r := newReader(s, 0, 1, aligned)
		got := make([]float32, r.to.Inputs())
		r.read(got, points.Dense(1, len(values), values), 0)
		value := func(x, y, c int) float64 {
			if x < 0 || y < 0 || x >= s.Width || y >= s.Height {
				return 0
			}
			return values[(y*s.Width+x)*s.Colours+c] - ground[c]
		}
		weights := func(at, step float64, dot int) float64 { // of a pixel in a new one
			if step <= 1 {
				return max(0, 1-math.Abs(at-float64(dot)))
			}
			return max(0, min(at+step/2, float64(dot)+0.5)-max(at-step/2, float64(dot)-0.5)) / step
		}
		across, down := 1.2*float64(s.Width)/float64(r.to.Width), 1.2*float64(s.Height)/float64(r.to.Height)
		want := make([]float64, len(got))
		for k := range want {
			c, y, x := k/(r.to.Width*r.to.Height), k/r.to.Width%r.to.Height, k%r.to.Width
			want[k] = ground[c]
			fromMiddle := (float64(x) + 0.5 - float64(r.to.Width)/2) * across
			line := float64(s.Height-1)/2 + row + (float64(y)+0.5-float64(r.to.Height)/2)*down
			for dotY := range s.Height {
				on := float64(s.Width-1)/2 + column + slant*(float64(dotY)-float64(s.Height-1)/2-row) + fromMiddle
				for dotX := range s.Width {
					want[k] += weights(line, down, dotY) * weights(on, across, dotX) * value(dotX, dotY, c)
				}
			}
		}
		near(t, "aligned", got, want, 1e-4)
	}
}

// A picture that is moved by whole pixels on its ground is described by the same numbers, and one without anything to be seen stays plain.
func TestMovedPictures(t *testing.T) {
	s := Shape{30, 26, 1}
	draw := func(left, top int) []float64 {
		values := make([]float64, s.Inputs())
		for k := range values {
			values[k] = 3
		}
		for y := range 12 {
			for x := range 9 {
				values[(top+y)*s.Width+left+x] += float64((x*5 + y*y) % 7)
			}
		}
		return values
	}
	r := newReader(s, 0, 1, aligned)
	first, second := make([]float32, r.to.Inputs()), make([]float64, r.to.Inputs())
	other := make([]float32, r.to.Inputs())
	r.read(first, points.Dense(1, s.Inputs(), draw(2, 3)), 0)
	r.read(other, points.Dense(1, s.Inputs(), draw(17, 11)), 0)
	for k, v := range other {
		second[k] = float64(v)
	}
	near(t, "moved", first, second, 1e-5)

	plain := make([]float64, s.Inputs())
	at := r.read(first, points.Dense(1, s.Inputs(), plain), 0)
	if at != (placed{}) || slices.Max(first) != 0 || slices.Min(first) != 0 {
		t.Errorf("nothing lies at %+v", at)
	}
}

// scattered returns pictures of a cross or a box at random places of a plain ground, or of a noisy one, or always at the same place.
func scattered(n int, s Shape, places int, noise float64) []float64 {
	random := rand.New(rand.NewPCG(3, 4))
	values := make([]float64, n*s.Inputs())
	for i := range n {
		left, top := s.Width/2-4, s.Height/2-4
		if places > 0 {
			left, top = left+random.IntN(2*places+1)-places, top+random.IntN(2*places+1)-places
		}
		picture := values[i*s.Inputs() : (i+1)*s.Inputs()]
		for k := range picture {
			picture[k] = 100 + noise*random.NormFloat64()
		}
		for y := range 9 {
			for x := range 9 {
				if i%2 == 0 && (x == 4 || y == 4) || i%2 == 1 && (min(x, y) == 0 || max(x, y) == 8) {
					picture[(top+y)*s.Width+left+x] -= 60 + 20*random.Float64()
				}
			}
		}
	}
	return values
}

// Pictures are aligned where what they show lies anywhere on a plain ground, and the same on any number of threads.
func TestWhatIsAligned(t *testing.T) {
	s := Shape{24, 24, 1}
	for _, c := range []struct {
		name   string
		places int
		noise  float64
		want   bool
	}{
		{"anywhere on a plain ground", 7, 2, true},
		{"anywhere on a noisy ground", 7, 60, false},
	} {
		d, _, err := Learn(t.Context(), []string{HOG}, s, points.Dense(200, s.Inputs(), scattered(200, s, c.places, c.noise)), 1)
		if err != nil {
			t.Fatal(err)
		}
		if d.Aligned != c.want {
			t.Errorf("%s: aligned %t", c.name, d.Aligned)
		}
	}
	few, _, err := Learn(t.Context(), []string{HOG}, s, points.Dense(9, s.Inputs(), scattered(9, s, 7, 2)), 1)
	if err != nil {
		t.Fatal(err)
	}
	if few.Aligned {
		t.Error("nine pictures are aligned")
	}
}

// Whether pictures are aligned is decided by all kinds of them, also where these take turns: each fourth is on a plain ground.
func TestWhatIsAlignedInTurns(t *testing.T) {
	s := Shape{24, 24, 1}
	n := 4 * alignedRows
	noisy := scattered(n, s, 7, 60)
	for i, plain := 0, scattered(n/4, s, 7, 2); i < n; i += 4 {
		copy(noisy[i*s.Inputs():(i+1)*s.Inputs()], plain[i/4*s.Inputs():])
	}
	p := points.Dense(n, s.Inputs(), noisy)
	rows := make([]int, n)
	for i := range rows {
		rows[i] = i
	}
	d := &OfPictures{Shape: s, Shift: 96, Factor: 1.0 / 18} // of the plain ones
	if is, err := alignable(t.Context(), d, p, rows, rand.New(rand.NewPCG(1, 2))); err != nil || is {
		t.Errorf("aligned %t, %v", is, err)
	}
}
