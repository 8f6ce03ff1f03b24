package describe

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"lapsvm/internal/numbers/vec"
	"lapsvm/points"
)

const (
	weighedRows      = 1000 // most rows that the weights of parts are found on
	weighedNeighbour = 10   // neighbours that the local dimension is found by
	leastGap         = 1e-3 // added to squared distances, so that equal pictures leave them above 0
)

// weigh multiplies the components of a part of pictures. numbers has its numbers for n rows, less their means. With the mean square norm 1,
// t(1) ≤ … ≤ t(k) are the squared distances of a row to its k = 10 nearest others, plus 0.001. With means over the rows the part gets the
// mean square norm
//
//	w = 1/(g·m),   g = mean t(1),   1/m = mean ½ ln t(k)/t(j) over j < k
//
// m is the local dimension of the points (MacKay and Ghahramani, 2005, on Levina and Bickel, "Maximum likelihood estimation of intrinsic dimension", 2004). So a part that is
// mostly noise counts for little beside others: even the nearest rows are far apart, and they differ in many ways. Alone a part has the same
// norm. At most 1,000 rows are drawn. Cost: a product of them by one another.
func (p *Part) weigh(ctx context.Context, numbers []float32, n int, random *rand.Rand) error {
	length := len(p.Mean)
	if rows := sample(n, weighedRows, random); len(rows) < n {
		some := make([]float32, 0, len(rows)*length)
		for _, row := range rows {
			some = append(some, numbers[row*length:(row+1)*length]...)
		}
		numbers, n = some, len(rows)
	}
	gap, inverse, err := gaps(ctx, p, numbers, n)
	if err != nil {
		return err
	}
	factor := float32(math.Sqrt(inverse / gap))
	for i := range p.Components {
		p.Components[i] *= factor
	}
	return nil
}

// gaps returns g and 1/m of a part over n rows. Where 1/m is less than 0.001, as that of equal rows is, it counts as 0.001.
func gaps(ctx context.Context, p *Part, numbers []float32, n int) (gap, inverse float64, err error) {
	length, m := len(p.Mean), p.Dim()
	rows := make([]float32, n*m)
	if err := vec.Gemm(ctx, false, false, n, m, length, 1, numbers, length, p.Components, m, 0, rows, m); err != nil {
		return 0, 0, err
	}
	return gapsOf(ctx, rows, n, m)
}

// gapsOf returns g and 1/m of the n rows of m numbers.
func gapsOf(ctx context.Context, rows []float32, n, m int) (gap, inverse float64, err error) {
	products := make([]float32, n*n)
	if err := vec.Gemm(ctx, false, true, n, n, m, 1, rows, m, rows, m, 0, products, n); err != nil {
		return 0, 0, err
	}
	k := min(weighedNeighbour, n-1)
	nearest := make([]float64, 0, k+1)
	for i := range n {
		nearest = nearest[:0]
		for j, product := range products[i*n : (i+1)*n] {
			if j == i {
				continue
			}
			t := max(0, float64(products[i*n+i])+float64(products[j*n+j])-2*float64(product)) + leastGap
			if len(nearest) == k && t >= nearest[k-1] {
				continue
			}
			at, _ := slices.BinarySearch(nearest, t)
			nearest = slices.Insert(nearest[:min(len(nearest), k-1)], at, t)
		}
		gap += nearest[0]
		for _, t := range nearest[:k-1] {
			inverse += math.Log(nearest[k-1]/t) / 2 / float64(k-1)
		}
	}
	return gap / float64(n), max(inverse/float64(n), 1e-3), nil
}

// weighColumns gives the numbers and the vectors of a table, which have the mean square norm 1, their weights beside its texts, whose rows have
// length 1. A part gets the mean square norm
//
//	w ∝ g'm'/(g·m)
//
// with g and m of [Part.weigh], and g' and m' of rows whose columns are in an order of their own each: by how much closer together rows lie than
// if no column told of another. So noise counts for little, however few columns it has. The columns of one field share an order.
// The geometric mean of the texts is 1, or that of all parts without a text. Cost: two products of 1,000 rows by one another for each part.
func (d *OfColumns) weighColumns(ctx context.Context, f Fields, p *points.Points, seed uint64) error {
	rows := sample(p.Len(), weighedRows, rand.New(rand.NewPCG(seed, 3)))
	scaled := slices.ContainsFunc(d.Parts, func(p Part) bool { return p.Scaling != nil })
	if len(d.Parts) < 2 || !scaled || len(rows) < 2 {
		return nil
	}
	described, err := d.Apply(ctx, p.Subset(rows))
	if err != nil {
		return err
	}
	random := rand.New(rand.NewPCG(seed, 4))
	var logs, ofTexts []float64
	at, row := 0, described.Scratch(1)
	for k := range d.Parts {
		part := &d.Parts[k]
		m := part.Dim()
		numbers := make([]float32, len(rows)*m)
		for i := range rows {
			vec.Narrow(numbers[i*m:(i+1)*m], described.Row(i, row)[at:at+m])
		}
		at += m
		shuffled := part.shuffled(numbers, f.Joint, random)
		own, err := closeness(ctx, numbers, m)
		if err != nil {
			return err
		}
		other, err := closeness(ctx, shuffled, m)
		if err != nil {
			return err
		}
		logs = append(logs, math.Log(own/other))
		if part.Scaling == nil {
			ofTexts = append(ofTexts, math.Log(own/other))
		}
	}
	if ofTexts == nil {
		ofTexts = logs
	}
	unit := 0.0
	for _, log := range ofTexts {
		unit += log / float64(len(ofTexts))
	}
	for k, log := range logs {
		if s := d.Parts[k].Scaling; s != nil {
			for j := range s.Factor {
				s.Factor[j] *= math.Exp((log - unit) / 2)
			}
		}
	}
	return nil
}

// closeness returns 1/(g·m) of rows of m numbers, in the unit of their root mean squared distance from their mean. It is 1 of equal rows. It overwrites them.
func closeness(ctx context.Context, rows []float32, m int) (float64, error) {
	n := len(rows) / m
	_, squares := centre(rows, m)
	if squares == 0 {
		return 1, nil
	}
	factor := float32(math.Sqrt(float64(n) / squares))
	for i := range rows {
		rows[i] *= factor
	}
	gap, inverse, err := gapsOf(ctx, rows, n, m)
	return inverse / gap, err
}

// shuffled returns what a part says of rows, each column in an order of its own. Joint columns of the table share an order. The rows of a text have length 1 again.
func (p *Part) shuffled(rows []float32, joint [][]int, random *rand.Rand) []float32 {
	m := p.Dim()
	n := len(rows) / m
	leader := make([]int, m) // the column whose order each has
	for j := range leader {
		leader[j] = j
	}
	if p.Scaling != nil {
		for _, columns := range joint {
			if first, ok := runs(p.Columns).place(columns[0]); ok {
				for _, j := range columns {
					place, _ := runs(p.Columns).place(j)
					leader[place] = first
				}
			}
		}
	}
	orders, others := make([][]int, m), make([]float32, len(rows))
	for j, first := range leader {
		if orders[first] == nil {
			orders[first] = random.Perm(n)
		}
		for i, from := range orders[first] {
			others[i*m+j] = rows[from*m+j]
		}
	}
	if p.Scaling == nil {
		for i := range n {
			row, square := others[i*m:(i+1)*m], 0.0
			for _, v := range row {
				square += float64(v) * float64(v)
			}
			for j := range row {
				row[j] /= float32(max(math.Sqrt(square), LeastKnown))
			}
		}
	}
	return others
}
