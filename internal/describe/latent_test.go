package describe

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"lapsvm/internal/numbers/parallel"
	"lapsvm/points"
)

// texts returns n sparse rows of the weights of d words, with some columns of numbers before them.
// A row has words of one of a few topics, and length 1. Every 50th row has no word.
func texts(n, d, words, numbers int, seed uint64) *points.Points {
	random := rand.New(rand.NewPCG(seed, 3))
	const topics = 8
	start, index, value := []int{0}, []int32(nil), []float64(nil)
	for i := range n {
		for j := range numbers {
			if v := random.NormFloat64() * float64(j); v > 0 {
				index, value = append(index, int32(j)), append(value, v)
			}
		}
		row := map[int32]float64{}
		for range words {
			u := random.Float64()
			j := int(u * u * u * float64(d)) // few words are frequent
			if random.IntN(3) > 0 {
				j = (j/topics*topics + i%topics) % d
			}
			row[int32(numbers+j)]++
		}
		if i%50 == 7 {
			clear(row)
		}
		columns, square := []int32(nil), 0.0
		for j, v := range row {
			columns = append(columns, j)
			square += v * v
		}
		slices.Sort(columns)
		for _, j := range columns {
			index, value = append(index, j), append(value, row[j]/math.Sqrt(square))
		}
		start = append(start, len(index))
	}
	return points.CSR(numbers+d, start, index, value)
}

// textsOf returns groups of columns without vectors.
func textsOf(groups ...[2]int) (texts []Text) {
	for _, g := range groups {
		texts = append(texts, Text{Columns: g})
	}
	return texts
}

func learnedTexts(t testing.TB, groups [][2]int, p *points.Points, seed uint64) *OfColumns {
	t.Helper()
	d, err := LearnColumns(t.Context(), Fields{Texts: textsOf(groups...)}, p, seed)
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Validate(); err != nil {
		t.Fatal(err)
	}
	return d
}

// The components are orthonormal and span what the first eigenvectors of XᵀX span, which power
// iteration without any randomness finds; rows have length 1 and the direction xV.
func TestLatentFormula(t *testing.T) {
	const n, width = 300, 120
	p := texts(n, width, 12, 0, 1)
	d := learnedTexts(t, [][2]int{{0, width}}, p, 2)
	part := &d.Parts[0]
	m := part.Dim()
	if m != latentCount || part.Name != Latent || d.Inputs() != width || d.Dim() != m {
		t.Fatalf("%s of %d components of %d columns", part.Name, m, d.Inputs())
	}
	v := func(j, c int) float64 { return float64(part.Components[j*m+c]) }
	row := make([]float64, width)
	strength := make([]float64, m) // ‖Xv_c‖
	for c := range m {
		for e := range c + 1 {
			dot := 0.0
			for j := range width {
				dot += v(j, c) * v(j, e)
			}
			if want := map[bool]float64{true: 1}[c == e]; !(math.Abs(dot-want) < 1e-5) {
				t.Errorf("components %d and %d have the product %g", c, e, dot)
			}
		}
	}
	x := applied(t, t.Context(), d, p)
	for i := range n {
		p.CopyRow(row, i)
		z, length := make([]float64, m), 0.0
		for c := range m {
			for j := range width {
				z[c] += row[j] * v(j, c)
			}
			length += z[c] * z[c]
			strength[c] += z[c] * z[c]
		}
		for c := range m {
			if want := z[c] / max(math.Sqrt(length), 1e-9); !(math.Abs(x.At(i, c)-want) < 1e-6) {
				t.Fatalf("row %d, component %d: %g, want %g", i, c, x.At(i, c), want)
			}
		}
		if square := x.Squares()[i]; !(math.Abs(square-1) < 1e-5) && !(i%50 == 7 && square == 0) {
			t.Errorf("row %d has length² %g", i, square)
		}
	}
	// The first component by power iteration.
	u := make([]float64, width)
	for j := range u {
		u[j] = 1
	}
	var most float64
	for range 300 {
		next := make([]float64, width)
		for i := range n {
			p.CopyRow(row, i)
			dot := 0.0
			for j := range row {
				dot += row[j] * u[j]
			}
			for j := range row {
				next[j] += dot * row[j]
			}
		}
		square := 0.0
		for _, y := range next {
			square += y * y
		}
		most = math.Sqrt(square)
		for j := range next {
			u[j] = next[j] / most
		}
	}
	dot := 0.0
	for j := range width {
		dot += u[j] * v(j, 0)
	}
	if !(math.Abs(math.Abs(dot)-1) < 1e-6) || !(math.Abs(strength[0]-most) < 1e-5*most) {
		t.Errorf("the first component differs: %g, strength %g, want %g", dot, strength[0], most)
	}
	if !slices.IsSortedFunc(strength[:10], func(a, b float64) int {
		if a >= b*(1-1e-9) {
			return -1
		}
		return 1
	}) {
		t.Errorf("strengths %g", strength[:10])
	}
}

// A row has the same bits alone and in a batch, and what is learned is the same on any number of
// threads.
func TestLatentSameBits(t *testing.T) {
	p := texts(500, 200, 10, 3, 4)
	groups := [][2]int{{3, 103}, {103, 203}}
	d := learnedTexts(t, groups, p, 5)
	var parts []string
	for _, p := range d.Parts {
		parts = append(parts, p.Name)
	}
	if !slices.Equal(parts, []string{Numbers, Latent, Latent}) || d.Dim() != 3+2*latentCount || !slices.Equal(d.Names(), []string{Numbers, Latent}) {
		t.Fatalf("parts %s of %d numbers, called %s", parts, d.Dim(), d.Names())
	}
	whole := applied(t, t.Context(), d, p)
	for _, threads := range []int{1, 3} {
		ctx := parallel.WithLimit(t.Context(), threads)
		again, err := LearnColumns(ctx, Fields{Texts: textsOf(groups...)}, p, 5)
		if err != nil || !reflect.DeepEqual(d, again) {
			t.Errorf("another description on %d threads: %v", threads, err)
		}
		if x := applied(t, ctx, d, p); !bytes.Equal(bits(x, 0, 500), bits(whole, 0, 500)) {
			t.Errorf("other bits on %d threads", threads)
		}
	}
	for _, i := range []int{0, 7, 15, 16, 499} {
		if x := applied(t, t.Context(), d, p.Slice(i, i+1)); !bytes.Equal(bits(x, 0, 1), bits(whole, i, i+1)) {
			t.Errorf("row %d has other bits alone", i)
		}
	}
	if other := learnedTexts(t, groups, p, 6); slices.Equal(other.Parts[1].Components, d.Parts[1].Components) {
		t.Error("the same components by another seed")
	}
}

// Numbers and vectors are parts of their own on both sides of the words, and the numbers of a vector have one factor, as columns have that belong together. Words
// have a mean square norm of 1 over the rows that have words.
func TestPartsOfColumns(t *testing.T) {
	p := texts(400, 62, 10, 4, 6)
	d, err := LearnColumns(t.Context(), Fields{Texts: textsOf([2]int{4, 64}), Together: []points.Group{{Columns: []int{1, 2, 3}, Vector: true}, {Columns: []int{0, 65}}}}, p, 1)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for k := range d.Parts {
		names = append(names, d.Parts[k].Name)
	}
	if !slices.Equal(names, []string{Numbers, Vectors, Latent}) || !slices.Equal(d.Parts[0].Columns, [][2]int{{0, 1}, {64, 66}}) || !slices.Equal(d.Parts[1].Columns, [][2]int{{1, 4}}) || d.Validate() != nil {
		t.Fatalf("parts %q, the first of %d", names, d.Parts[0].Columns)
	}
	if of := d.Parts[0].Scaling.Factor; of[0] != of[2] || of[0] == of[1] {
		t.Errorf("numbers by %g", of)
	}
	if of := d.Parts[1].Scaling.Factor; of[0] != of[1] || of[0] != of[2] {
		t.Errorf("a vector by %g", of)
	}
	x, words := applied(t, t.Context(), d, p), 0.0
	for i := range 400 {
		for _, v := range x.DenseRow(i)[6:] {
			words += v * v / 392
		}
	}
	if !(math.Abs(words-1) < 1e-5) {
		t.Errorf("words have the mean square norm %g", words)
	}
}

// Few rows, rows of nothing, words that the sample lacks and columns of one value are described.
func TestStrangeTexts(t *testing.T) {
	few := texts(4, 500, 6, 1, 8)
	d := learnedTexts(t, [][2]int{{1, 501}}, few, 1)
	if m := d.Parts[len(d.Parts)-1].Dim(); m < 1 || m > 4 {
		t.Errorf("%d components of 4 rows", m)
	}
	applied(t, t.Context(), d, few)
	equal := points.CSR(3, []int{0, 1, 2, 3}, []int32{1, 1, 1}, []float64{1, 1, 1})
	d = learnedTexts(t, [][2]int{{0, 3}}, equal, 1)
	if d.Dim() != 1 {
		t.Errorf("%d components of equal rows", d.Dim())
	}
	x := applied(t, t.Context(), d, points.CSR(3, []int{0, 1, 2, 2}, []int32{1, 2}, []float64{0.5, 1}))
	if x.At(0, 0) != 1 || x.At(1, 0) != 0 || x.At(2, 0) != 0 {
		t.Errorf("a known word %g, an unknown one %g, none %g; want 1, 0, 0", x.At(0, 0), x.At(1, 0), x.At(2, 0))
	}
	constant := points.CSR(2, []int{0, 2, 4}, []int32{0, 1, 0, 1}, []float64{7, 1, 7, 1})
	if d := learnedTexts(t, [][2]int{{1, 2}}, constant, 1); len(d.Parts) != 1 || d.Parts[0].Name != Latent {
		t.Errorf("%d parts beside a constant number, the first %s", len(d.Parts), d.Parts[0].Name)
	}
}

// The unit of the weights changes nothing, and numbers far beyond those of the sample stay finite.
func TestUnitsOfTexts(t *testing.T) {
	p := texts(200, 60, 8, 2, 3)
	x := applied(t, t.Context(), learnedTexts(t, [][2]int{{2, 62}}, p, 1), p)
	for _, exponent := range []int{-900, 30, 900} {
		start, index, value := []int{0}, []int32(nil), []float64(nil)
		for i := range p.Len() {
			in, va := p.SparseRow(i)
			for k, j := range in {
				v := va[k]
				if j >= 2 {
					v = math.Ldexp(v, exponent)
				}
				index, value = append(index, j), append(value, v)
			}
			start = append(start, len(index))
		}
		q := points.CSR(62, start, index, value)
		if y := applied(t, t.Context(), learnedTexts(t, [][2]int{{2, 62}}, q, 1), q); !bytes.Equal(bits(x, 0, 200), bits(y, 0, 200)) {
			t.Errorf("other bits of words times 2^%d", exponent)
		}
	}
	far := points.CSR(62, []int{0, 2}, []int32{1, 5}, []float64{1e300, 1})
	applied(t, t.Context(), learnedTexts(t, [][2]int{{2, 62}}, p, 1), far)
}

func TestLearnColumnsErrors(t *testing.T) {
	p := texts(20, 10, 3, 0, 1)
	for want, c := range map[string]struct {
		groups [][2]int
		p      *points.Points
	}{
		"these rows are dense":    {[][2]int{{0, 2}}, points.Dense(2, 2, make([]float64, 4))},
		"no columns of texts":     {nil, p},
		"no group of 10 columns":  {[][2]int{{0, 11}}, p},
		"overlap":                 {[][2]int{{0, 5}, {4, 10}}, p},
		"columns 3 to 2":          {[][2]int{{3, 2}}, p},
		"no row has a word":       {[][2]int{{0, 2}}, points.CSR(2, []int{0, 0}, nil, nil)},
		"columns 1 to 3 are no g": {[][2]int{{1, 3}}, points.CSR(2, []int{0, 0}, nil, nil)},
	} {
		if _, err := LearnColumns(t.Context(), Fields{Texts: textsOf(c.groups...)}, c.p, 1); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
	d := learnedTexts(t, [][2]int{{0, 10}}, p, 1)
	if _, err := d.Apply(t.Context(), points.CSR(9, []int{0}, nil, nil)); err == nil {
		t.Error("rows of too few columns are described")
	}
}

func TestValidateTexts(t *testing.T) {
	good := func() *OfColumns { return learnedTexts(t, [][2]int{{2, 12}}, texts(30, 10, 3, 2, 1), 1) }
	for name, damage := range map[string]func(d *OfColumns){
		"no parts":   func(d *OfColumns) { d.Parts = nil },
		"columns":    func(d *OfColumns) { d.Columns = 11 },
		"negative":   func(d *OfColumns) { d.Columns = -1 },
		"overlap":    func(d *OfColumns) { d.Parts[1].Columns = [][2]int{{2, 8}, {7, 11}} },
		"no columns": func(d *OfColumns) { d.Parts[1].Columns = nil },
		"name":       func(d *OfColumns) { d.Parts[1].Name = "hog" },
		"mean":       func(d *OfColumns) { d.Parts[1].Mean = make([]float32, 10) },
		"components": func(d *OfColumns) { d.Parts[1].Components = d.Parts[1].Components[1:] },
		"none":       func(d *OfColumns) { d.Parts[1].Components = nil },
		"too many":   func(d *OfColumns) { d.Parts[1].Components = make([]float32, 10*(latentCount+1)) },
		"NaN":        func(d *OfColumns) { d.Parts[1].Components[3] = float32(math.NaN()) },
		"scaling":    func(d *OfColumns) { d.Parts[0].Scaling = nil },
		"infinite":   func(d *OfColumns) { d.Parts[0].Scaling.Factor[1] = math.Inf(1) },
		"short":      func(d *OfColumns) { d.Parts[0].Scaling.Width = nil },
		"kind":       func(d *OfColumns) { d.Parts[0].Scaling.Kind = points.ZScore },
	} {
		d := good()
		if damage(d); d.Validate() == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// Texts at size: time of learning and of describing.
func BenchmarkTexts(b *testing.B) {
	for _, n := range []int{20_000, 200_000} {
		p := texts(n, 10_000, 100, 0, 1)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			var learning, applying time.Duration
			for b.Loop() {
				begin := time.Now()
				d := learnedTexts(b, [][2]int{{0, 10_000}}, p, 1)
				learning += time.Since(begin)
				begin = time.Now()
				applied(b, b.Context(), d, p)
				applying += time.Since(begin)
			}
			b.ReportMetric(learning.Seconds()/float64(b.N), "learn-s")
			b.ReportMetric(applying.Seconds()/float64(b.N), "apply-s")
		})
	}
}

// Terms are the columns that latent parts are learned of. Rows of which numbers are known too have none.
func TestTerms(t *testing.T) {
	p := texts(60, 30, 6, 3, 5)
	all := learnedTexts(t, [][2]int{{3, 15}, {20, 33}}, p, 1)
	if all.Terms(p) != nil {
		t.Error("numbers stand beside terms")
	}
	terms := Only(all, func(p *Part) bool { return p.Name == Latent }).Terms(p)
	if terms.Dim() != 25 || terms.Len() != p.Len() {
		t.Fatalf("%d rows of %d terms", terms.Len(), terms.Dim())
	}
	row, got := make([]float64, 33), make([]float64, 25)
	for i := range p.Len() {
		p.CopyRow(row, i)
		terms.CopyRow(got, i)
		if want := slices.Concat(row[3:15], row[20:33]); !slices.Equal(got, want) {
			t.Errorf("row %d: %v, want %v", i, got, want)
		}
	}
	if Only(all, func(p *Part) bool { return p.Name == Numbers }).Terms(p) != nil {
		t.Error("numbers are terms")
	}
	if whole := learnedTexts(t, [][2]int{{0, 15}, {15, 33}}, p, 1); whole.Terms(p) != p {
		t.Error("a table of texts alone is copied")
	}
}
