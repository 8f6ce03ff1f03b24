package describe

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"lapsvm/internal/numbers/parallel"
	"lapsvm/internal/numbers/vec"
	"lapsvm/points"
)

// drawings returns n pictures of a shape as bytes: bent images of a few crosses and boxes.
func drawings(n int, s Shape, seed uint64) []uint8 {
	random := rand.New(rand.NewPCG(seed, 7))
	plane := s.Width * s.Height
	values, from, to := make([]uint8, n*s.Inputs()), make([]float64, plane), make([]byte, plane)
	for i := range n {
		for c := range s.Colours {
			clear(from)
			w, h := s.Width, s.Height
			for k := range w * h {
				x, y := k%w, k/w
				box := x >= w/4 && x <= 3*w/4 && y >= h/4 && y <= 3*h/4 && !(x > w/3 && x < 2*w/3 && y > h/3 && y < 2*h/3)
				cross := (x-w/2)*(x-w/2) <= w/8 || (y-h/2)*(y-h/2) <= h/8
				if i%2 == 0 && box || i%2 == 1 && cross || i%3 == c {
					from[k] = float64(1+(i+c)%4) / 4
				}
			}
			bend(to, from, s.Width, random)
			for k, v := range to {
				values[i*s.Inputs()+k*s.Colours+c] = v
			}
		}
	}
	return values
}

// bend moves the pixels of a picture with values from 0 to 1 along waves, each by about a twelfth of
// its width, and returns bytes.
func bend(to []byte, from []float64, width int, random *rand.Rand) {
	height := len(from) / width
	phases := [4]float64{}
	for k := range phases {
		phases[k] = 2 * math.Pi * random.Float64()
	}
	waves := func(x, y int, first, second float64) float64 {
		a, b := 2*math.Pi*float64(x)/float64(width), 2*math.Pi*float64(y)/float64(height)
		return float64(width) / 24 * (math.Sin(a+first) + math.Sin(b+second))
	}
	for y := range height {
		for x := range width {
			fx, fy := float64(x)+waves(x, y, phases[0], phases[1]), float64(y)+waves(x, y, phases[2], phases[3])
			x0, y0 := int(math.Floor(fx)), int(math.Floor(fy))
			sum := 0.0
			for k, weight := range [4]float64{(1 - fx + float64(x0)) * (1 - fy + float64(y0)), (fx - float64(x0)) * (1 - fy + float64(y0)), (1 - fx + float64(x0)) * (fy - float64(y0)), (fx - float64(x0)) * (fy - float64(y0))} {
				if i, j := x0+k%2, y0+k/2; i >= 0 && i < width && j >= 0 && j < height {
					sum += weight * from[j*width+i]
				}
			}
			to[y*width+x] = byte(255*sum + 0.5)
		}
	}
}

// widen returns bytes times a factor as a table of float64.
func widen(n, d int, values []uint8, factor float64) *points.Points {
	wide := make([]float64, len(values))
	for i, v := range values {
		wide[i] = float64(v) * factor
	}
	return points.Dense(n, d, wide)
}

func learned(t testing.TB, names []string, s Shape, p *points.Points, seed uint64) *OfPictures {
	t.Helper()
	d, _, err := Learn(t.Context(), names, s, p, seed)
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Validate(); err != nil {
		t.Fatal(err)
	}
	return d
}

func applied(t testing.TB, ctx context.Context, d Description, p *points.Points) *points.Points {
	t.Helper()
	x, err := d.Apply(ctx, p)
	if err != nil {
		t.Fatal(err)
	}
	if x.Len() != p.Len() || x.Dim() != d.Dim() || x.Storage() != points.Float32 {
		t.Fatalf("%d×%d of %v for %d rows and %d numbers", x.Len(), x.Dim(), x.Storage(), p.Len(), d.Dim())
	}
	if row, col, found := x.FirstNotFinite(); found {
		t.Fatalf("row %d has %g", row, x.At(row, col))
	}
	return x
}

// bits returns the rows from ≤ i < to as they are stored.
func bits(p *points.Points, from, to int) []byte {
	var all []byte
	for i := from; i < to; i++ {
		all = p.AppendStored(all, i)
	}
	return all
}

// A row has the same bits alone and in a batch, on any number of threads and in any storage.
func TestSameBits(t *testing.T) {
	s := Shape{20, 28, 1}
	const n = 1100 // more than a chunk
	values := drawings(n, s, 1)
	p := points.DenseBytes(n, s.Inputs(), values)
	d := learned(t, Pictures(), s, p.Slice(0, 60), 3)
	whole := applied(t, t.Context(), d, p)
	for _, threads := range []int{1, 3} {
		if x := applied(t, parallel.WithLimit(t.Context(), threads), d, p); !bytes.Equal(bits(x, 0, n), bits(whole, 0, n)) {
			t.Errorf("other bits on %d threads", threads)
		}
	}
	for _, i := range []int{0, 1, 15, 16, n - 1} {
		if x := applied(t, t.Context(), d, p.Slice(i, i+1)); !bytes.Equal(bits(x, 0, 1), bits(whole, i, i+1)) {
			t.Errorf("row %d has other bits alone", i)
		}
	}
	for _, count := range []int{2, 5, 7, 13, 33, 65} {
		if x := applied(t, t.Context(), d, p.Slice(3, 3+count)); !bytes.Equal(bits(x, 0, count), bits(whole, 3, 3+count)) {
			t.Errorf("a row has other bits among %d", count)
		}
	}
	single := make([]float32, 40*s.Inputs())
	start, index, value := []int{0}, []int32(nil), []float64(nil)
	for i := range 40 {
		for j := range s.Inputs() {
			v := values[i*s.Inputs()+j]
			single[i*s.Inputs()+j] = float32(v)
			if v != 0 {
				index, value = append(index, int32(j)), append(value, float64(v))
			}
		}
		start = append(start, len(index))
	}
	for name, q := range map[string]*points.Points{
		"float64": widen(40, s.Inputs(), values[:40*s.Inputs()], 1),
		"float32": points.Dense32(40, s.Inputs(), single),
		"sparse":  points.CSR(s.Inputs(), start, index, value),
	} {
		if x := applied(t, t.Context(), d, q); !bytes.Equal(bits(x, 0, 40), bits(whole, 0, 40)) {
			t.Errorf("other bits from %s", name)
		}
	}
}

// What is learned depends on the seed, and not on the number of threads.
func TestDeterministic(t *testing.T) {
	s := Shape{16, 16, 3}
	p := points.DenseBytes(80, s.Inputs(), drawings(80, s, 2))
	d := learned(t, Pictures(), s, p, 5)
	again, _, err := Learn(parallel.WithLimit(t.Context(), 1), Pictures(), s, p, 5)
	if err != nil {
		t.Fatal(err)
	}
	other := learned(t, Pictures(), s, p, 6)
	for k, part := range d.Parts {
		if !slices.Equal(part.Filters, again.Parts[k].Filters) || !slices.Equal(part.Mean, again.Parts[k].Mean) || !slices.Equal(part.Components, again.Parts[k].Components) {
			t.Errorf("%s: another on one thread", part.Name)
		}
		if part.Filters != nil && slices.Equal(part.Filters, other.Parts[k].Filters) {
			t.Errorf("%s: the seed does nothing", part.Name)
		}
	}
}

// The unit of values does not matter: pictures from 0 to 1, from −1 to 1 and as bytes are
// described alike.
func TestUnits(t *testing.T) {
	s := Shape{24, 24, 1}
	values := drawings(60, s, 3)
	want := applied(t, t.Context(), learned(t, Pictures(), s, points.DenseBytes(60, s.Inputs(), values), 1), points.DenseBytes(60, s.Inputs(), values))
	for _, factor := range []float64{1. / 256, 0x1p900, 0x1p-900} {
		p := widen(60, s.Inputs(), values, factor)
		x := applied(t, t.Context(), learned(t, Pictures(), s, p, 1), p)
		for i := range x.Len() {
			if dist := math.Sqrt(x.SquaredDistance(i, want, i)); !(dist < 1e-3) {
				t.Errorf("values times %g: row %d is %g away", factor, i, dist)
			}
		}
	}
}

// Described rows of the sample have mean 0.
func TestCentred(t *testing.T) {
	s := Shape{28, 28, 1}
	p := points.DenseBytes(150, s.Inputs(), drawings(150, s, 4))
	d := learned(t, Pictures(), s, p, 1)
	x := applied(t, t.Context(), d, p)
	for _, m := range x.Mean() {
		if !(math.Abs(m) < 1e-5) {
			t.Errorf("a mean of %g", m)
		}
	}
}

// Odd pictures are described too.
func TestStrangePictures(t *testing.T) {
	for _, s := range []Shape{{1, 1, 1}, {1, 40, 1}, {3, 200, 3}, {23, 25, 1}, {49, 47, 3}, {30, 61, 1}} {
		p := points.DenseBytes(30, s.Inputs(), drawings(30, s, 5))
		d, _, err := Learn(t.Context(), Pictures(), s, p, 1)
		if s.Width*s.Height == 1 {
			if err == nil || !strings.Contains(err.Error(), "hog says the same of all pictures") {
				t.Errorf("%v: %v", s, err)
			}
			continue
		}
		if err != nil {
			t.Fatal(s, err)
		}
		if err := d.Validate(); err != nil {
			t.Error(s, err)
		}
		for _, v := range []float64{0, 7, -1e300, 1e300} {
			row := make([]float64, s.Inputs())
			for j := range row {
				row[j] = v
			}
			applied(t, t.Context(), d, points.Dense(1, len(row), row))
			row[0], row[len(row)-1] = 1e300, -1e300
			applied(t, t.Context(), d, points.Dense(1, len(row), row))
		}
		applied(t, t.Context(), d, p)
		if empty := applied(t, t.Context(), d, p.Slice(0, 0)); empty.Dim() != d.Dim() {
			t.Errorf("%v: no rows have %d columns", s, empty.Dim())
		}
	}
}

func TestLearnErrors(t *testing.T) {
	s := Shape{24, 24, 1}
	p := points.DenseBytes(40, s.Inputs(), drawings(40, s, 6))
	equal := points.DenseBytes(5, s.Inputs(), bytes.Repeat([]byte{9}, 5*s.Inputs()))
	same := points.DenseBytes(2, s.Inputs(), bytes.Repeat(drawings(1, s, 6), 2))
	for _, c := range []struct {
		names []string
		s     Shape
		p     *points.Points
		want  string
	}{
		{[]string{"sift"}, s, p, `no description is called "sift": there are hog, patches, dots`},
		{nil, s, p, "no description is named"},
		{[]string{"hog", "hog"}, s, p, "hog is named twice"},
		{Pictures(), Shape{24, 25, 1}, p, "rows of 576 values are no pictures of 24×25 dots and 1 colours"},
		{Pictures(), Shape{24, 12, 2}, p, "pictures of 2 colours: they have 1 or 3"},
		{Pictures(), Shape{0, 576, 1}, p, "sides have 1 to 16384"},
		{Pictures(), s, p.Slice(0, 0), "two pictures or more, not from 0"},
		{Pictures(), s, p.Slice(0, 1), "two pictures or more, not from 1"},
		{Pictures(), s, equal, "all dots of 5 pictures have the value 9"},
		{Pictures(), s, same, "hog says the same of all pictures"},
	} {
		if _, _, err := Learn(t.Context(), c.names, c.s, c.p, 1); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v in place of %q", err, c.want)
		}
	}
	two := learned(t, Pictures(), s, p.Slice(0, 2), 1)
	if two.Dim() != len(Pictures()) {
		t.Errorf("two pictures have %d components", two.Dim())
	}
	if _, err := two.Apply(t.Context(), points.DenseBytes(1, 3, make([]byte, 3))); err == nil {
		t.Error("a row of 3 values is a picture")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := Learn(ctx, Pictures(), s, p, 1); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if _, err := two.Apply(ctx, p); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func TestValidate(t *testing.T) {
	s := Shape{24, 24, 1}
	d := learned(t, Pictures(), s, points.DenseBytes(40, s.Inputs(), drawings(40, s, 6)), 1)
	nan := float32(math.NaN())
	for name, change := range map[string]func(d *OfPictures){
		"shape":      func(d *OfPictures) { d.Shape.Width = 0 },
		"wider":      func(d *OfPictures) { d.Shape.Width = 32 },
		"colours":    func(d *OfPictures) { d.Shape.Colours = 3 },
		"shift":      func(d *OfPictures) { d.Shift = math.Inf(1) },
		"factor":     func(d *OfPictures) { d.Factor = 0 },
		"no parts":   func(d *OfPictures) { d.Parts = nil },
		"name":       func(d *OfPictures) { d.Parts[0].Name = "HOG" },
		"twice":      func(d *OfPictures) { d.Parts[1] = d.Parts[0] },
		"filters":    func(d *OfPictures) { d.Parts[1].Filters = d.Parts[1].Filters[1:] },
		"no filters": func(d *OfPictures) { d.Parts[1].Filters = nil },
		"mean":       func(d *OfPictures) { d.Parts[0].Mean = d.Parts[0].Mean[1:] },
		"components": func(d *OfPictures) { d.Parts[0].Components = d.Parts[0].Components[1:] },
		"none":       func(d *OfPictures) { d.Parts[0].Components = nil },
		"too many":   func(d *OfPictures) { d.Parts[0].Components = make([]float32, len(d.Parts[0].Mean)*(maxComponents+1)) },
		"not finite": func(d *OfPictures) { d.Parts[1].Filters = append([]float32{nan}, d.Parts[1].Filters[1:]...) },
	} {
		changed := *d
		changed.Parts = slices.Clone(d.Parts)
		if change(&changed); changed.Validate() == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if err := d.Validate(); err != nil {
		t.Error(err)
	}
}

// Cost of a table of pictures, without its file, and of one picture. The share of the peak is that
// of the filters and the components, all other work counting nothing. Flat patches, which are left out, count as done.
func BenchmarkApply(b *testing.B) {
	s := Shape{28, 28, 1}
	peak := vec.PeakFMA32(b.Context(), 300*time.Millisecond)
	for _, names := range [][]string{{"hog"}, {"patches"}, {"hog", "patches"}} {
		for _, n := range []int{1, 4096} {
			b.Run(fmt.Sprintf("%s/%d", strings.Join(names, "+"), n), func(b *testing.B) {
				p := points.DenseBytes(n, s.Inputs(), drawings(n, s, 8))
				d := learned(b, names, s, points.DenseBytes(200, s.Inputs(), drawings(200, s, 9)), 1)
				operations := 0
				for _, part := range d.Parts {
					operations += 2 * len(part.Components)
					operations += 2 * len(part.Filters) * 23 * 23
				}
				for b.Loop() {
					if _, err := d.Apply(b.Context(), p); err != nil {
						b.Fatal(err)
					}
				}
				pictures := float64(b.N * n)
				b.ReportMetric(float64(b.Elapsed().Microseconds())/pictures, "µs/picture")
				b.ReportMetric(100*float64(operations)*pictures/b.Elapsed().Seconds()/peak, "%peak")
			})
		}
	}
}

// Learn gives the bits that Apply gives, and OnlyOf those of the part alone.
func TestOnlyOf(t *testing.T) {
	s := Shape{Width: 14, Height: 13, Colours: 1}
	p := widen(40, s.Inputs(), drawings(40, s, 3), 1)
	d, described, err := Learn(t.Context(), Pictures(), s, p, 1)
	if err != nil {
		t.Fatal(err)
	}
	all, err := d.Apply(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 40 {
		if x, y := described.Row(i, nil), all.Row(i, nil); !slices.Equal(x, y) {
			t.Fatalf("learned from: row %d is %v, described %v", i, x, y)
		}
	}
	for _, name := range Pictures() {
		kept := func(p *Part) bool { return p.Name == name }
		alone, err := Only(d, kept).Apply(t.Context(), p)
		if err != nil {
			t.Fatal(err)
		}
		got := OnlyOf(d, all, kept)
		if got.Len() != 40 || got.Dim() != alone.Dim() || got.Dim() == all.Dim() {
			t.Fatalf("%s: %d×%d of %d columns, alone %d", name, got.Len(), got.Dim(), all.Dim(), alone.Dim())
		}
		for i := range 40 {
			if x, y := got.Row(i, nil), alone.Row(i, nil); !slices.Equal(x, y) {
				t.Fatalf("%s: row %d is %v, alone %v", name, i, x, y)
			}
		}
	}
}
