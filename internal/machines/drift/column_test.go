package drift

import (
	"context"
	"fmt"
	"math"
	"reflect"
	"slices"
	"testing"

	"lapsvm/internal/ranks/comm"
	"lapsvm/points"
)

// compareAlone returns the report of a process alone.
func compareAlone(p *Profile, x *points.Points) *Report {
	r, _ := p.Compare(context.Background(), nil, x, nil, x.Len(), nil, nil) // which fails on ranks alone
	return r
}

// compared returns the report of one column of training values and of new ones.
func compared(training, now []float64) ColumnReport {
	p := Profile{Points: len(training), Columns: Columns(points.Dense(len(training), 1, training), nil)}
	return compareAlone(&p, points.Dense(len(now), 1, now)).Columns[0]
}

// parts is a number of values evenly spread over a range.
type parts []struct {
	count    int
	from, to float64
}

// values returns the values of all parts, in an order in which every part is everywhere.
func (p parts) values() []float64 {
	var all []float64
	for _, part := range p {
		for i := range part.count {
			all = append(all, part.from+(part.to-part.from)*float64(i)/float64(part.count))
		}
	}
	mixed := make([]float64, len(all))
	for i := range all {
		mixed[i] = all[i*7919%len(all)] // 7919 is a prime that no length here is a multiple of
	}
	return mixed
}

// What chance alone does not do, and what is much: a column has to show both.
func TestMuchOfAColumn(t *testing.T) {
	const n = 10_000
	even := parts{{n, 0, 1}}
	spiked := func(middle int) parts { // most values nearly zero, others far on both sides
		return parts{{middle, -0.01, 0.01}, {(n - middle) / 2, -1, -0.99}, {(n - middle) / 2, 0.99, 1}}
	}
	for name, c := range map[string]struct {
		training, now parts
		want          bool
	}{
		"the same":                         {even, even, false},
		"less than 5 % far":                {even, parts{{n - 499, 0, 1}, {499, 3, 4}}, false},
		"5 % far":                          {even, parts{{n - 500, 0, 1}, {500, 3, 4}}, true},
		"5 % far on two sides":             {even, parts{{n - 500, 0, 1}, {250, 3, 4}, {250, -4, -3}}, true},
		"10 % beyond the range, near":      {even, parts{{n - 1000, 0, 1}, {1000, 1, 1.4}}, false},
		"10 % beyond the range, far":       {even, parts{{n - 1000, 0, 1}, {1000, 1.6, 2}}, true},
		"10 % below the range, far":        {even, parts{{n - 1000, 0, 1}, {1000, -1, -0.6}}, true},
		"moved by less than half":          {even, parts{{n, 0.38, 1.38}}, false},
		"moved by more than half":          {even, parts{{n, 0.52, 1.38}}, true},
		"shrunken to less than a tenth":    {even, parts{{n, 0.7, 0.77}}, true},
		"shrunken, not to a tenth":         {parts{{n, -1, 1}}, parts{{n, -0.15, 0.15}}, false},
		"shrunken to a tenth":              {parts{{n, -1, 1}}, parts{{n, -0.09, 0.09}}, true},
		"fewer at the ends, but not many":  {spiked(4000), spiked(8400), false},
		"many fewer at the ends":           {spiked(4000), spiked(9400), true},
		"no spread is left":                {parts{{3000, 0, 0}, {3500, -1, -0.99}, {3500, 0.99, 1}}, parts{{n, 0, 0}}, false},
		"no spread is left, and elsewhere": {even, parts{{n, 0.7, 0.7}}, true},
	} {
		r := compared(c.training.values(), c.now.values())
		if r.Drifted != c.want {
			t.Errorf("%s: drifted %v, %g far and %g apart", name, r.Drifted, r.Outside, r.Apart)
		}
		if chance := r.Chance >= level; chance != (name == "the same") {
			t.Errorf("%s: it has the chance %g", name, r.Chance)
		}
	}
}

// Four of eight new values lie beyond all eight old ones, on one side: of all orders of
// the sixteen the share of those with as many, on either side, is counted. The chance is twice that,
// as the shape of the distribution could have told too, and for ten columns ten times it.
func TestChanceOfValuesFarOut(t *testing.T) {
	const n, far = 8, 4
	as, all := 0, 0
	for order := range 1 << (2 * n) { // bit i: the i-th least is a new one
		low, high, fresh := 0, 0, 0
		for i := range 2 * n {
			fresh += order >> i & 1
		}
		if fresh != n {
			continue
		}
		for order>>low&1 == 1 {
			low++
		}
		for order>>(2*n-1-high)&1 == 1 {
			high++
		}
		all++
		if max(low, high) >= far {
			as++
		}
	}
	exact := float64(as) / float64(all)
	training, now := make([]float64, n), make([]float64, n)
	for i := range n {
		training[i], now[i] = float64(i), float64(i)
		if i >= n-far {
			now[i] = 100 + float64(i)
		}
	}
	got := compared(training, now).Chance
	if !(got >= 2*exact && got <= 2.01*exact) {
		t.Errorf("the chance is %g, want twice %g", got, exact)
	}
	now[0], now[1], now[2], now[3] = 100, 101, -100, -101 // six of them, never more than four on a side
	now[4], now[5], now[6], now[7] = 102, 103, 3, 4
	if again := compared(training, now).Chance; again != got {
		t.Errorf("with two on the other side too the chance is %g, want %g", again, got)
	}
}

// The k-th decile is the least value that k tenths of the values or more are up to.
func TestDeciles(t *testing.T) {
	for n := 1; n <= 35; n++ {
		values := parts{{n, 3, 5}}.values()
		got := Columns(points.Dense(n, 1, values), nil)[0].Deciles
		for k := 1; k < 10; k++ {
			want := math.Inf(1)
			for _, v := range values {
				upTo := 0
				for _, other := range values {
					if other <= v {
						upTo++
					}
				}
				if 10*upTo >= k*n {
					want = min(want, v)
				}
			}
			if got[k] != want {
				t.Errorf("%d values: decile %d is %g, want %g", n, k, got[k], want)
			}
		}
		if got[0] != slices.Min(values) || got[10] != slices.Max(values) {
			t.Errorf("%d values: they are from %g to %g, want %g to %g", n, got[0], got[10], slices.Min(values), slices.Max(values))
		}
	}
}

// A hundredth of the rows is not above Low, and a hundredth not below High.
func TestHundredths(t *testing.T) {
	for n, want := range map[int]Rows{1: {Low: 1, Median: 1, High: 1}, 99: {Low: 1, Median: 50, High: 99}, 100: {Low: 2, Median: 50, High: 99}, 250: {Low: 3, Median: 125, High: 248}} {
		var values []float64
		for i := range n {
			values = append(values, float64(n-i))
		}
		want.Measure, want.Count, want.Largest = Length, n, float64(n)
		if got := NewRows(Length, values); *got != want {
			t.Errorf("%d rows: %+v, want %+v", n, *got, want)
		}
	}
}

// Ranks report what a process alone reports: the columns of all rows, and far rows by their numbers
// among all.
func TestRanksCompareAsOneProcess(t *testing.T) {
	const n, columns, size = 90, 2, 3
	training, now := make([]float64, 0, n*columns), make([]float64, 0, n*columns)
	var near, measure []float64
	for i := range n {
		training = append(training, float64(i), float64(i%7))
		now = append(now, float64(i)+40, float64(i%5)-3)
		near, measure = append(near, 1+float64(i)/n), append(measure, 1+float64(i%30))
	}
	p := Profile{Points: n, Columns: Columns(points.Dense(n, columns, training), nil), Rows: NewRows(Distance, near), Classes: []int{50, 40}}
	x := points.Dense(n, columns, now)
	want, err := p.Compare(t.Context(), nil, x, nil, n, measure, []int{30, 60})
	if err != nil || want.Rows.Far == 0 {
		t.Fatal(want.Rows, err)
	}
	if err := comm.Goroutines(t.Context(), size, func(ctx context.Context, c *comm.Comm) error {
		var rows []int
		var own []float64
		for i := c.Rank(); i < n; i += size {
			rows, own = append(rows, i), append(own, measure[i])
		}
		got, err := p.Compare(ctx, c, x.Subset(rows), rows, n, own, []int{10, 20})
		if err == nil && !reflect.DeepEqual(got, want) {
			err = fmt.Errorf("rank %d reports %+v, one process %+v", c.Rank(), got.Rows, want.Rows)
		}
		return err
	}); err != nil {
		t.Error(err)
	}
}

// The chance of the worst of several columns is that of one of them, times their number.
func TestChanceOfManyColumns(t *testing.T) {
	for name, now := range map[string][]float64{"far": parts{{180, 0, 1}, {6, 3, 4}}.values(), "moved": parts{{186, 0.3, 1.2}}.values()} {
		const columns = 3
		training := parts{{300, 0, 1}}.values()
		repeated := func(values []float64) *points.Points {
			var all []float64
			for _, v := range values {
				for range columns {
					all = append(all, v)
				}
			}
			return points.Dense(len(values), columns, all)
		}
		one := compared(training, now)
		p := Profile{Points: len(training), Columns: Columns(repeated(training), nil)}
		for _, c := range compareAlone(&p, repeated(now)).Columns {
			if !(one.Chance < 1.0/columns) || !(math.Abs(c.Chance-columns*one.Chance) <= 1e-9*c.Chance) {
				t.Errorf("%s: %s", name, fmt.Sprintf("column %d has the chance %g, alone %g", c.Feature, c.Chance, one.Chance))
			}
		}
	}
}
