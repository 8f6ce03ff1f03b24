package describe

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"lapsvm/internal/numbers/parallel"
	"lapsvm/internal/numbers/vec"
	"lapsvm/points"
)

// mostRows is the number of rows that descriptions learn from.
const mostRows = 5000

// Learn learns descriptions of the pictures of a table, by their names and in that order. It
// learns from at most 5,000 rows, which are drawn by the seed. The result depends on the
// rows and the seed, not on the number of threads. Of a table without more rows Learn also returns what
// Apply gives, else nil. It fails for unknown names, a shape that does not fit, pictures that do not
// differ, and once ctx is done.
func Learn(ctx context.Context, names []string, s Shape, p *points.Points, seed uint64) (*OfPictures, *points.Points, error) {
	if err := s.Validate(); err != nil {
		return nil, nil, err
	}
	if p.Dim() != s.Inputs() {
		return nil, nil, fmt.Errorf("rows of %d values are no pictures of %d×%d dots and %d colours", p.Dim(), s.Width, s.Height, s.Colours)
	}
	if len(names) == 0 {
		return nil, nil, errors.New("no description is named")
	}
	rows := sample(p.Len(), mostRows, rand.New(rand.NewPCG(seed, 0)))
	shift, factor, err := contrast(ctx, p, rows)
	if err != nil {
		return nil, nil, err
	}
	d := &OfPictures{Shape: s, Shift: shift, Factor: factor}
	if d.Aligned, err = alignable(ctx, d, p, rows, rand.New(rand.NewPCG(seed, 2))); err != nil {
		return nil, nil, err
	}
	to := Prepared(s)
	size := to.Inputs()
	pictures := make([]float32, len(rows)*size)
	readers := make([]*reader, parallel.Threads(ctx))
	err = parallel.Step(ctx, len(rows), func(w, i int) {
		if readers[w] == nil {
			readers[w] = newReader(s, shift, factor, d.placing())
		}
		readers[w].read(pictures[i*size:(i+1)*size], p, rows[i])
	})
	if err != nil {
		return nil, nil, err
	}
	kinds := make([]*kind, len(names))
	for k, name := range names {
		if kinds[k], err = find(name); err != nil {
			return nil, nil, err
		}
		if slices.Contains(names[:k], name) {
			return nil, nil, fmt.Errorf("%s is named twice", name)
		}
	}
	d.Parts = make([]Part, len(names))
	tables, errs := make([][]float32, len(names)), make([]error, len(names))
	side := min(len(names), parallel.Threads(ctx)) // parts that are learned at the same time, as much of each keeps one goroutine busy
	each := parallel.WithLimit(ctx, parallel.Threads(ctx)/side)
	parallel.Do(parallel.WithLimit(ctx, side), len(names), func(_, k int) {
		part, numbers, err := kinds[k].part(each, to, pictures, seed)
		if d.Parts[k], errs[k] = part, err; err != nil || len(rows) < p.Len() {
			return
		}
		length, m := len(part.Mean), part.Dim()
		tables[k] = make([]float32, len(rows)*m)
		errs[k] = vec.Gemm(each, false, false, len(rows), m, length, 1, numbers, length, part.Components, m, 0, tables[k], m)
	})
	if err := cmp.Or(errs...); err != nil {
		return nil, nil, err
	}
	if len(rows) < p.Len() {
		return d, nil, nil
	}
	return d, sideBySide(len(rows), tables), nil
}

// part learns the description of prepared pictures. It also returns their numbers less the means.
func (k *kind) part(ctx context.Context, s Shape, pictures []float32, seed uint64) (part Part, numbers []float32, err error) {
	part.Name = k.name
	random := rand.New(rand.NewPCG(seed, 1))
	if part.Filters, err = k.learn(ctx, s, pictures, random); err != nil {
		return part, nil, err
	}
	numbers, length, err := described(ctx, pictures, s.Inputs(), func() describer { return k.open(s, part.Filters) })
	if err != nil {
		return part, nil, err
	}
	if part.Mean, part.Components, err = components(ctx, numbers, length, random); err != nil {
		return part, nil, err
	}
	if part.Components == nil {
		return part, nil, fmt.Errorf("%s says the same of all pictures", k.name)
	}
	return part, numbers, part.weigh(ctx, numbers, len(numbers)/length, random)
}

// described returns the numbers of prepared pictures of some size, and how many each has. open opens a describer for each goroutine.
func described(ctx context.Context, pictures []float32, size int, open func() describer) (numbers []float32, length int, err error) {
	n, describers := len(pictures)/size, make([]describer, parallel.Threads(ctx))
	describers[0] = open()
	length = describers[0].numbers()
	numbers = make([]float32, n*length)
	return numbers, length, parallel.Step(ctx, n, func(w, i int) {
		if describers[w] == nil {
			describers[w] = open()
		}
		describers[w].describe(numbers[i*length:(i+1)*length], pictures[i*size:(i+1)*size])
	})
}

// sideBySide returns n rows of several tables, one beside the other.
func sideBySide(n int, tables [][]float32) *points.Points {
	var all []float32
	for i := range n {
		for _, table := range tables {
			m := len(table) / n
			all = append(all, table[i*m:(i+1)*m]...)
		}
	}
	return points.Dense32(n, len(all)/n, all)
}

// sample returns at most count of n rows in ascending order: one of each of count ranges.
func sample(n, count int, random *rand.Rand) []int {
	rows := make([]int, min(n, count))
	for i := range rows {
		from, to := i*n/len(rows), (i+1)*n/len(rows)
		rows[i] = from + random.IntN(to-from)
	}
	return rows
}

// contrast returns the shift and the factor that give the values of some rows the mean 0 and the
// deviation 1.
func contrast(ctx context.Context, p *points.Points, rows []int) (shift, factor float64, err error) {
	if len(rows) < 2 {
		return 0, 0, fmt.Errorf("descriptions are learned from two pictures or more, not from %d", len(rows))
	}
	type extremes struct{ least, most float64 }
	ends := make([]extremes, len(rows))
	scratch := make([][]float64, parallel.Threads(ctx))
	err = parallel.Step(ctx, len(rows), func(w, i int) {
		scratch[w] = row(p, rows[i], scratch[w])
		ends[i] = extremes{slices.Min(scratch[w]), slices.Max(scratch[w])}
	})
	if err != nil {
		return 0, 0, err
	}
	least, most := ends[0].least, ends[0].most
	for _, e := range ends {
		least, most = min(least, e.least), max(most, e.most)
	}
	if !(least < most) {
		return 0, 0, fmt.Errorf("all dots of %d pictures have the value %g: nothing can be learned from them", len(rows), least)
	}
	middle, half := least/2+most/2, most/2-least/2
	type sums struct{ first, second float64 }
	of := make([]sums, len(rows))
	err = parallel.Step(ctx, len(rows), func(w, i int) {
		scratch[w] = row(p, rows[i], scratch[w])
		for _, x := range scratch[w] {
			t := (x - middle) / half
			of[i].first += t
			of[i].second += t * t
		}
	})
	if err != nil {
		return 0, 0, err
	}
	var first, second float64
	for _, s := range of {
		first, second = first+s.first, second+s.second
	}
	count := float64(len(rows)) * float64(p.Dim())
	first, second = first/count, second/count
	return middle + half*first, 1 / (half * math.Sqrt(second-first*first)), nil
}
