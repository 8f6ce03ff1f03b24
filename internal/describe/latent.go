package describe

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"lapsvm/internal/numbers/linalg"
	"lapsvm/internal/numbers/parallel"
	"lapsvm/internal/numbers/vec"
	"lapsvm/points"
)

// The parts of a description of texts.
const (
	Latent      = "latent"       // columns of weights of words: where a row lies in the space of their first components
	RareWords   = "rare-words"   // columns of counts of words: as Latent, with words weighed by how rare they are
	WordVectors = "word-vectors" // the same columns: the mean of vectors that others learned for the words
	Vectors     = "vectors"      // the columns of a vector: scaled alike
	Numbers     = "numbers"      // all other columns: scaled each by what it is
)

func latentKind() columnKind {
	return columnKind{name: Latent, of: ofTexts, validate: validProjection(latentCount), describe: describeProjected,
		learn: func(ctx context.Context, g group, _ Fields, p *points.Points, seed uint64) (Part, error) {
			return learnLatent(ctx, false, g.columns, p, seed)
		}}
}

func rareWordKind() columnKind {
	return columnKind{name: RareWords, of: ofTexts, rows: "counts of words", validate: validProjection(latentCount), describe: describeProjected,
		learn: func(ctx context.Context, g group, _ Fields, p *points.Points, seed uint64) (part Part, err error) {
			if g.text.Counts {
				part, err = learnLatent(ctx, true, g.columns, p, seed)
			}
			return part, err
		}}
}

func wordVectorKind() columnKind {
	return columnKind{name: WordVectors, of: ofKnown, validate: validProjection(MostWordVector), describe: describeProjected,
		learn: func(_ context.Context, g group, _ Fields, _ *points.Points, _ uint64) (Part, error) {
			return Part{Components: ofSizeOne(g.text.Vectors)}, nil
		}}
}

func numberKind() columnKind {
	return columnKind{name: Numbers, of: ofOthers, validate: validNumbers, describe: describeScaled, learn: learnScaled}
}

func vectorKind() columnKind {
	return columnKind{name: Vectors, of: ofVectors, validate: validNumbers, describe: describeScaled, learn: learnScaled}
}

func learnScaled(ctx context.Context, g group, f Fields, p *points.Points, seed uint64) (Part, error) {
	return learnNumbers(ctx, g.columns, f.Together, p, seed)
}

// validNumbers is the rule for a part of columns that are scaled, and no more.
func validNumbers(p *Part, width int) error {
	if len(p.Components) > 0 {
		return fmt.Errorf("%s has components", p.Name)
	}
	return validScaling(p, width)
}

// Text is a group of columns from ≤ j < to that hold the weights of the words of a text, or of its
// pairs and triples of characters.
type Text struct {
	Columns [2]int
	Counts  bool      // how often a row has the word, see [Counts]
	Vectors []float32 // of each column, as many numbers for each; zeros where its word has none, and nil where no word has one
}

const (
	latentRows  = 20000 // rows that components of words are learned from
	latentCount = 50    // components of a group of columns
	numbersRows = 5000  // rows that scalings are learned from
	LeastKnown  = 1e-6  // share of its length that a row must have in the space of the components

	MostWordVector = 4096 // numbers of the vector of a word
)

// Fields says what the columns of a table are.
type Fields struct {
	Texts    []Text         // ascending, of a sparse table
	Joint    [][]int        // columns that one field becomes, or one place: they tell of one another, whatever the rows
	Together []points.Group // columns that belong together, see [points.FitScaling], and vectors
}

// LearnColumns learns a description of the columns of a table, which has texts or vectors. A group X of columns of a text becomes a part [Latent]: with the first 50 right singular vectors V of X,
//
//	z = xV / ‖xV‖
//
// and 0 where the row has nothing that the vectors know. So the inner product of two rows is the
// cosine of their angle in the space of the components. A group of counts becomes a part [RareWords] too, whose columns weigh by how rare they are, in X and in x, see [csr.weigh]. A group with vectors becomes a part [WordVectors], whose V has
// the vectors of the words as its rows. All other columns but those of vectors become
// one part [Numbers], the first. It has the scaling [points.Columns], which looks at the columns
// together that belong together. A vector becomes a part [Vectors]. What lies closer together than if its columns were independent weighs
// more, see weighColumns.
//
// The vectors are learned from at most 20,000 rows, which are drawn by the seed. The result depends
// on rows and seed, not on the number of threads. Cost: 8 products of the stored values of these
// rows with 60 columns. Memory: twice the stored values of the rows, and 60 numbers for each row and
// each column of a group; 5,000 rows of the other columns.
//
// LearnColumns fails for texts in a dense table, for groups that are none of its columns, for vectors of words that [OfColumns.Validate] refuses, and without texts and vectors. It fails
// where no row has a word of any text, or the width of a column is beyond float64, and once ctx is done.
func LearnColumns(ctx context.Context, f Fields, p *points.Points, seed uint64) (*OfColumns, error) {
	texts, together := f.Texts, f.Together
	if !p.Sparse() && len(texts) > 0 {
		return nil, errors.New("texts are described from sparse rows of the weights of words, and these rows are dense")
	}
	var vectors, others runs
	for _, g := range together {
		if g.Vector {
			vectors.add(g.Columns[0], g.Columns[len(g.Columns)-1]+1)
		}
	}
	if len(texts) == 0 && len(vectors) == 0 {
		return nil, errors.New("no columns of texts or vectors are named")
	}
	at := 0
	for _, text := range texts {
		g := text.Columns
		if g[0] < at || g[1] <= g[0] || g[1] > p.Dim() {
			return nil, fmt.Errorf("the columns %d to %d are no group of %d columns, or overlap the group before", g[0], g[1], p.Dim())
		}
		others.add(at, g[0])
		at = g[1]
	}
	others.add(at, p.Dim())
	others = others.without(vectors)
	sources := make([][]group, ofAll)
	if len(others) > 0 {
		sources[ofOthers] = []group{{columns: others}}
	}
	for _, v := range vectors {
		sources[ofVectors] = append(sources[ofVectors], group{columns: runs{v}})
	}
	for _, text := range texts {
		one := group{runs{text.Columns}, text}
		if sources[ofTexts] = append(sources[ofTexts], one); text.Vectors != nil {
			sources[ofKnown] = append(sources[ofKnown], one)
		}
	}
	d := &OfColumns{Columns: p.Dim()}
	for of, groups := range sources {
		before := len(d.Parts)
		for _, g := range groups {
			for _, k := range columnKinds() {
				if k.of != columnSource(of) {
					continue
				}
				part, err := k.learn(ctx, g, f, p, seed)
				if err != nil {
					return nil, err
				}
				if part.Name, part.Columns = k.name, g.columns; part.Dim() > 0 {
					d.Parts = append(d.Parts, part)
				}
			}
		}
		if columnSource(of) == ofTexts && len(groups) > 0 && len(d.Parts) == before {
			return nil, errors.New("no row has a word")
		}
	}
	if err := d.weighColumns(ctx, f, p, seed); err != nil {
		return nil, err
	}
	return d, d.Validate()
}

// ofSizeOne returns vectors times the power of two that brings the largest number to about 1.
func ofSizeOne(vectors []float32) []float32 {
	largest := 0.0
	for _, v := range vectors {
		largest = max(largest, math.Abs(float64(v)))
	}
	_, exponent := math.Frexp(largest)
	scaled := make([]float32, len(vectors))
	for k, v := range vectors {
		scaled[k] = float32(math.Ldexp(float64(v), -exponent))
	}
	return scaled
}

// learnLatent learns the part of some columns of a sparse table. The components of rare words have the weights of the columns.
//
// The space of the components is that of subspace iteration, as of [components]. The rows are not
// centred, because that would fill them.
func learnLatent(ctx context.Context, rare bool, columns runs, p *points.Points, seed uint64) (part Part, err error) {
	rows := sample(p.Len(), latentRows, rand.New(rand.NewPCG(seed, 0)))
	x := gathered(p, rows, columns)
	if len(x.value) == 0 {
		return part, nil
	}
	var weights []float64
	if rare {
		weights = x.weigh()
	}
	t := x.transposed()
	const more, iterations = 10, 3
	m := min(latentCount+more, x.rows(), t.rows())
	z := linalg.New(m, t.rows())
	random := rand.New(rand.NewPCG(seed, 1))
	for i := range z.Data {
		z.Data[i] = random.NormFloat64()
	}
	y, w := make([]float64, x.rows()*m), make([]float64, t.rows()*m) // one row for each row and each column
	for step := 0; ; step++ {
		if z, err = orthonormal(ctx, z); err != nil {
			return part, err
		}
		vec.Transpose(m, t.rows(), z.Data, t.rows(), w, m)
		if err = x.times(ctx, w, y, m); err != nil {
			return part, err
		}
		if step == iterations {
			break
		}
		if err = t.times(ctx, y, w, m); err != nil {
			return part, err
		}
		vec.Transpose(t.rows(), m, w, m, z.Data, t.rows())
	}
	wide, gram := linalg.New(x.rows(), m), linalg.New(m, m)
	copy(wide.Data, y)
	if err = linalg.Gemm(ctx, 1, wide.T(), wide, 0, gram); err != nil {
		return part, err
	}
	values, vectors, err := linalg.Eigen(ctx, gram)
	if err != nil {
		return part, err
	}
	count := 0
	for count < min(m, latentCount) && values[count] > 1e-10*values[0] {
		count++
	}
	all := linalg.New(m, t.rows())
	if err = linalg.Gemm(ctx, 1, vectors.T(), z, 0, all); err != nil {
		return part, err
	}
	part.Components = make([]float32, t.rows()*count)
	for c := range count {
		row := all.Row(c)
		largest := slices.MaxFunc(row, func(a, b float64) int { return cmp.Compare(math.Abs(a), math.Abs(b)) })
		for j, v := range row {
			if weights != nil {
				v *= weights[j]
			}
			part.Components[j*count+c] = float32(math.Copysign(1, largest) * v)
		}
	}
	return part, nil
}

// learnNumbers learns a part of columns that are no words, with the mean square norm 1.
func learnNumbers(ctx context.Context, columns runs, together []points.Group, p *points.Points, seed uint64) (part Part, err error) {
	rows := sample(p.Len(), numbersRows, rand.New(rand.NewPCG(seed, 0)))
	if len(rows) == 0 {
		return part, nil
	}
	var groups []points.Group
	for _, group := range together {
		places := points.Group{Vector: group.Vector}
		for _, j := range group.Columns {
			if place, ok := columns.place(j); ok {
				places.Columns = append(places.Columns, place)
			}
		}
		groups = append(groups, places)
	}
	x := spread(p, rows, columns)
	scaling, err := points.FitScaling(ctx, points.Columns, x, groups...)
	if err != nil {
		return part, err
	}
	squares := 0.0
	for _, s := range scaling.Apply(x).Squares() {
		squares += s
	}
	if squares == 0 {
		return part, nil // nothing differs
	}
	factor := math.Sqrt(float64(len(rows)) / squares)
	for j := range scaling.Factor {
		scaling.Factor[j] *= factor
	}
	part.Scaling = &scaling
	return part, nil
}

// spread copies some rows and columns of a table into a dense one.
func spread(p *points.Points, rows []int, columns runs) *points.Points {
	width := columns.width()
	values := make([]float64, len(rows)*width)
	var whole []float64
	if !p.Sparse() {
		whole = make([]float64, p.Dim())
	}
	for at, i := range rows {
		row := values[at*width : (at+1)*width]
		if whole == nil {
			columns.each(p, i, func(j int, v float64) { row[j] = v })
			continue
		}
		p.CopyRow(whole, i)
		for _, run := range columns {
			row = row[copy(row, whole[run[0]:run[1]]):]
		}
	}
	return points.Dense(len(rows), width, values)
}

// Apply describes the rows of a table, as [Description] has it.
func (d *OfColumns) Apply(ctx context.Context, p *points.Points) (*points.Points, error) {
	texts := slices.ContainsFunc(d.Parts, func(p Part) bool { return p.Scaling == nil })
	if p.Dim() != d.Columns {
		return nil, fmt.Errorf("a table of %d columns is no table of %d columns of words", p.Dim(), d.Columns)
	}
	if texts {
		p = Sparse(p)
	}
	n, dim := p.Len(), d.Dim()
	described := make([]float32, n*dim)
	scratch, most := make([][]float64, parallel.Threads(ctx)), 0
	for k := range d.Parts {
		most = max(most, d.Parts[k].Dim())
	}
	err := parallel.Run(ctx, (n+pieceRows-1)/pieceRows, func(w, piece int) {
		if scratch[w] == nil {
			scratch[w] = make([]float64, 2*most)
		}
		first, last := piece*pieceRows, min(n, (piece+1)*pieceRows)
		at := 0
		for k := range d.Parts {
			part := &d.Parts[k]
			m := part.Dim()
			kind, _ := columnKindOf(part.Name)
			kind.describe(part, p, first, last, func(i int) []float32 { return described[i*dim+at : i*dim+at+m] }, scratch[w])
			at += m
		}
	})
	if err != nil {
		return nil, err
	}
	return points.Dense32(n, dim, described), nil
}

// describeScaled is describe of columns that are scaled: their numbers, or these times the components.
func describeScaled(p *Part, table *points.Points, first, last int, dst func(i int) []float32, _ []float64) {
	rows := make([]int, last-first)
	for i := range rows {
		rows[i] = first + i
	}
	x, m := p.Scaling.Apply(spread(table, rows, p.Columns)), p.Dim()
	cut := make([]float64, len(rows)*x.Dim())
	for i := range rows {
		row := cut[i*x.Dim() : (i+1)*x.Dim()]
		x.CopyRow(row, i)
		for j, v := range row {
			row[j] = max(-Beyond, min(v, Beyond))
		}
	}
	described := cut
	if len(p.Components) > 0 {
		components := make([]float64, len(p.Components))
		vec.Widen(components, p.Components)
		described = make([]float64, len(rows)*m)
		alone := parallel.WithLimit(context.Background(), 1) // of pieces that are described at the same time
		_ = vec.Gemm(alone, false, false, len(rows), m, x.Dim(), 1, cut, x.Dim(), components, m, 0, described, m)
	}
	for i := range rows {
		vec.Narrow(dst(first+i), described[i*m:(i+1)*m])
	}
}

// describeProjected is describe of columns of words.
func describeProjected(p *Part, table *points.Points, first, last int, dst func(i int) []float32, scratch []float64) {
	for i := first; i < last; i++ {
		p.project(dst(i), table, i, scratch)
	}
}

// Terms returns the columns of a sparse table that parts [Latent] are learned of. Those of a part [RareWords] weigh as there; with both parts,
// they stand side by side. It is nil without such parts, and where numbers or vectors stand beside them.
func (d *OfColumns) Terms(p *points.Points) *points.Points {
	var columns runs
	rare := false
	for _, part := range d.Parts {
		if part.Scaling != nil {
			return nil
		}
		if rare = rare || part.Name == RareWords; part.Name == Latent {
			columns = append(columns, part.Columns...)
		}
	}
	switch width := columns.width(); {
	case rare && width == 0:
		return weighed(Sparse(p))
	case rare:
		return beside(Sparse(p), weighed(Sparse(p)))
	case width == 0:
		return nil
	case width == p.Dim():
		return Sparse(p)
	}
	start, index, value := make([]int, 1, p.Len()+1), []int32(nil), []float64(nil)
	for i := range p.Len() {
		columns.each(p, i, func(j int, v float64) { index, value = append(index, int32(j)), append(value, v) })
		start = append(start, len(index))
	}
	return points.CSR(columns.width(), start, index, value)
}

// project writes where row i of a table lies in the space of the components. Its scratch memory has
// room for two rows of components.
func (p *Part) project(dst []float32, table *points.Points, i int, scratch []float64) {
	m := len(dst)
	z, component := scratch[:m], scratch[m:2*m]
	clear(z)
	largest, square := 0.0, 0.0
	runs(p.Columns).each(table, i, func(_ int, v float64) { largest = max(largest, math.Abs(v)) })
	_, exponent := math.Frexp(largest)
	runs(p.Columns).each(table, i, func(j int, v float64) {
		v = math.Ldexp(v, -exponent)
		vec.Widen(component, p.Components[j*m:(j+1)*m])
		vec.Axpy(v, component, z)
		square += v * v
	})
	length := math.Sqrt(vec.Dot(z, z))
	if !(length > LeastKnown*math.Sqrt(square)) {
		return // zeros
	}
	vec.Divide(z, length)
	vec.Narrow(dst, z)
}
