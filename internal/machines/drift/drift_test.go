package drift_test

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"lapsvm/internal/machines/drift"
	"lapsvm/points"
)

// compare returns the report of a process alone.
func compare(p drift.Profile, x *points.Points, measure []float64, classes []int) *drift.Report {
	r, _ := p.Compare(context.Background(), nil, x, nil, x.Len(), measure, classes) // which fails on ranks alone
	return r
}

// table draws n rows of kinds of columns that real tables have: bell-shaped, with
// heavy tails, whole numbers, rare ones, mostly zero, and constant.
func table(rng *rand.Rand, n int) *points.Points {
	const d = 7
	values := make([]float64, 0, n*d)
	for range n {
		rare, spike := 0.0, 0.0
		if rng.IntN(50) == 0 {
			rare = 1
		}
		if rng.IntN(10) == 0 {
			spike = 7 * rng.Float64()
		}
		values = append(values, 4000+500*rng.NormFloat64(), math.Tan(math.Pi*(rng.Float64()-0.5)), math.Exp(2*rng.NormFloat64()), float64(rng.IntN(4)), rare, spike, 5)
	}
	return points.Dense(n, d, values)
}

// with returns p with another value in column j of the rows from a given one on.
func with(p *points.Points, j, from int, change func(v float64) float64) *points.Points {
	values := make([]float64, 0, p.Len()*p.Dim())
	for i := range p.Len() {
		values = append(values, p.DenseRow(i)...)
		if i >= from {
			values[i*p.Dim()+j] = change(values[i*p.Dim()+j])
		}
	}
	return points.Dense(p.Len(), p.Dim(), values)
}

// drifted names the columns that drifted.
func drifted(r *drift.Report) (columns []int) {
	for _, c := range r.Columns {
		if c.Drifted {
			columns = append(columns, c.Feature)
		}
	}
	return columns
}

// Rows from the source of the training do not alarm, whatever the distribution and
// the numbers of rows; neither do their measures nor their classes.
func TestNoAlarmOnTheSameSource(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	sizes := []int{1, 2, 5, 20, 100, 1000}
	alarms, runs := 0, 0
	for range 40 {
		for _, n := range sizes[2:] {
			training := table(rng, n)
			p := drift.Profile{Points: n, Columns: drift.Columns(training, nil)}
			draw := func(m int) (measures []float64, classes []int) {
				classes = make([]int, 3)
				for range m {
					measures = append(measures, math.Exp(1.5*rng.NormFloat64()))
					classes[min(2, rng.IntN(6))]++
				}
				return measures, classes
			}
			measures, classes := draw(min(n, 2000))
			p.Rows, p.Classes = drift.NewRows(drift.Distance, measures), classes
			if err := p.Validate(training.Dim(), 3); err != nil {
				t.Fatal(err)
			}
			for _, m := range sizes {
				measures, classes = draw(m)
				runs++
				if r := compare(p, table(rng, m), measures, classes); r.Drifted() {
					alarms++
					t.Logf("%d rows after %d: columns %v, rows %v, classes %v", m, n, drifted(r), r.Rows.Drifted, r.Classes.Drifted)
				}
			}
		}
	}
	if alarms > 1 {
		t.Errorf("%d alarms in %d comparisons", alarms, runs)
	}
}

func TestColumnsFarFromTheTraining(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 1))
	p := drift.Profile{Points: 300, Columns: drift.Columns(table(rng, 300), nil)}
	now := table(rng, 300)
	for name, c := range map[string]struct {
		p      *points.Points
		column int
		factor float64 // 0 where none is to be seen
	}{
		"another unit":                {with(now, 0, 0, func(v float64) float64 { return v / 1000 }), 0, 1e-3},
		"in a tenth of the rows":      {with(now, 0, 270, func(v float64) float64 { return 1000 * v }), 0, 0},
		"ten deviations":              {with(now, 0, 0, func(v float64) float64 { return v + 5000 }), 0, 0},
		"around zero, smaller":        {with(now, 1, 0, func(v float64) float64 { return v / 1000 }), 1, 1e-3},
		"a constant that is another":  {with(now, 6, 0, func(v float64) float64 { return 6 }), 6, 0},
		"the other half of the range": {with(now, 3, 0, func(v float64) float64 { return 3 }), 3, 0},
	} {
		r := compare(p, c.p, nil, nil)
		got := drifted(r)
		if len(got) != 1 || got[0] != c.column || r.Columns[0].Feature != c.column {
			t.Errorf("%s: columns %v drifted", name, got)
			continue
		}
		if f := r.Columns[0].Factor; !(math.Abs(f-c.factor) <= 0.3*c.factor) {
			t.Errorf("%s: the factor %g", name, f)
		}
	}
	two := with(with(now, 0, 0, func(v float64) float64 { return v + 5000 }), 2, 0, func(v float64) float64 { return 1e6 * (v + 1) })
	if got := drifted(compare(p, two, nil, nil)); len(got) != 2 || got[0] != 2 {
		t.Errorf("columns %v drifted, want 2 first", got)
	}
}

// One row cannot tell much against few; against many it can.
func TestOneRow(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 1))
	far := with(table(rng, 1), 0, 0, func(v float64) float64 { return 1000 * v })
	few := drift.Profile{Points: 50, Columns: drift.Columns(table(rng, 50), nil), Rows: drift.NewRows(drift.Distance, append(make([]float64, 40), 1, 2, 3))}
	if r := compare(few, far, []float64{20}, nil); r.Drifted() {
		t.Error("one row against 50 is an alarm")
	}
	if r := compare(few, far, []float64{31}, nil); !r.Rows.Drifted || r.Rows.Worst[0] != (drift.Row{Index: 0, Value: 31}) {
		t.Error("a row ten times beyond all is none")
	}
	many := drift.Profile{Points: 50000, Columns: drift.Columns(table(rng, 50000), nil)}
	if r := compare(many, far, nil, nil); len(drifted(r)) != 1 {
		t.Error("one row against 50,000 is no alarm")
	}
}

// Rows are far where more of them are than chance has it; the worst come first.
func TestFarRows(t *testing.T) {
	var training, now []float64
	for i := range 1000 {
		training = append(training, float64(i)/1000)
		now = append(now, float64(i)/1000)
	}
	rows := drift.NewRows(drift.Distance, training)
	p := drift.Profile{Points: 1000, Rows: rows}
	one := points.Dense(1000, 0, nil)
	if r := compare(p, one, now, nil).Rows; r.Drifted || r.Far != 0 {
		t.Errorf("%d rows of the same are far", r.Far)
	}
	for i := range 40 {
		now[10*i] = 2.5 + float64(i)/100
	}
	r := compare(p, one, now, nil).Rows
	if !r.Drifted || r.Far != 40 || r.Worst[0].Index != 390 || r.Worst[1].Index != 380 || len(r.Worst) != 10 {
		t.Errorf("%d rows are far, the worst %v", r.Far, r.Worst)
	}
	lengths := drift.Profile{Points: 1000, Rows: drift.NewRows(drift.Length, []float64{1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1})}
	short := make([]float64, 1000)
	if r := compare(lengths, one, short, nil).Rows; !r.Drifted || r.Far != 1000 {
		t.Errorf("%d rows of length 0 are far", r.Far)
	}
	if drift.NewRows(drift.Distance, []float64{1, math.Inf(1)}) != nil {
		t.Error("infinite distances are known")
	}
}

func TestClassesMoved(t *testing.T) {
	for name, c := range map[string]struct {
		training, without, now []int
		want                   bool
	}{
		"one class alone":         {[]int{100, 100}, nil, []int{0, 100}, true},
		"few rows":                {[]int{100, 100}, nil, []int{0, 9}, false},
		"little of many":          {[]int{1000, 1000}, nil, []int{45000, 55000}, false},
		"between two readings":    {[]int{190, 10}, []int{100, 100}, []int{700, 300}, false},
		"outside of two readings": {[]int{190, 10}, []int{180, 20}, []int{700, 300}, true},
		"of twenty classes":       {[]int{50, 50, 50, 50, 50, 50, 50, 50, 50, 50}, nil, []int{100, 0, 50, 50, 50, 50, 50, 50, 50, 50}, true},
	} {
		p := drift.Profile{Points: 1, Classes: c.training, Without: c.without}
		r := compare(p, points.Dense(1, 0, nil), nil, c.now).Classes
		if r.Drifted != c.want {
			t.Errorf("%s: drifted %v, moved %g", name, r.Drifted, r.Moved)
		}
	}
	if drift.CompareShares([]int{0, 0}, []int{1, 1}) != nil {
		t.Error("shares of nothing")
	}
}

func TestMissingMoved(t *testing.T) {
	r := drift.CompareMissing([]int{0, 10, 500}, 1000, []int{300, 12, 505}, 1000)
	if !r[0].Drifted || r[1].Drifted || r[2].Drifted {
		t.Errorf("%+v", r)
	}
}

// Of many columns the largest value of a row is kept, dense or sparse.
func TestManyColumns(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 1))
	const n, d = 60, drift.MostColumns + 1
	values, start, index := make([]float64, n*d), []int{0}, []int32{}
	for i := range values {
		values[i] = 255 * rng.Float64()
		index = append(index, int32(i%d))
		if i%d == d-1 {
			start = append(start, i+1)
		}
	}
	small := make([]float64, len(values))
	for i, v := range values {
		small[i] = v / 255
	}
	for _, p := range []*points.Points{points.Dense(n, d, values), points.CSR(d, start, index, values)} {
		profile := drift.Profile{Points: n, Columns: drift.Columns(p, nil)}
		if len(profile.Columns) != 1 || profile.Columns[0].Feature != drift.WholeRow {
			t.Fatalf("%d columns are kept", len(profile.Columns))
		}
		if r := compare(profile, p, nil, nil); r.Drifted() {
			t.Error("the training itself is an alarm")
		}
		r := compare(profile, points.CSR(d, start, index, small), nil, nil)
		if !r.Drifted() || !(math.Abs(255*r.Columns[0].Factor-1) <= 0.01) {
			t.Errorf("images from 0 to 1 are none: %+v", r.Columns[0])
		}
	}
}

func TestProfileIsChecked(t *testing.T) {
	good := func() drift.Profile {
		return drift.Profile{Points: 3, Columns: []drift.Column{{Feature: 1}}, Rows: drift.NewRows(drift.Distance, []float64{1}), Classes: []int{1, 2},
			Missing: []int{1}, MissingOf: 2}
	}
	for name, change := range map[string]func(p *drift.Profile){
		"":           func(*drift.Profile) {},
		"no points":  func(p *drift.Profile) { p.Points = 0 },
		"too many":   func(p *drift.Profile) { p.Points = math.MaxInt },
		"feature":    func(p *drift.Profile) { p.Columns[0].Feature = 2 },
		"whole rows": func(p *drift.Profile) { p.Columns = append(p.Columns, drift.Column{Feature: drift.WholeRow}) },
		"order":      func(p *drift.Profile) { p.Columns[0].Deciles[3] = 1 },
		"infinite":   func(p *drift.Profile) { p.Columns[0].Deciles[10] = math.Inf(1) },
		"classes":    func(p *drift.Profile) { p.Classes = []int{1} },
		"readings":   func(p *drift.Profile) { p.Without = []int{-1, 4} },
		"measure":    func(p *drift.Profile) { p.Rows.Measure = "x" },
		"descending": func(p *drift.Profile) { p.Rows.Low = 2 },
		"missing":    func(p *drift.Profile) { p.Missing[0] = 3 },
	} {
		p := good()
		change(&p)
		if err := p.Validate(2, 2); (err == nil) != (name == "") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A sample is spread over all rows, and has rows of every kind of a table whose rows take turns.
func TestSampleOfRowsThatTakeTurns(t *testing.T) {
	const most = 2000
	for _, n := range []int{0, 1, 1999, 2000, 2001, 3999, 20_000, 1_000_003} {
		rows := drift.Sample(n)
		if len(rows) != min(n, most) {
			t.Errorf("%d of %d rows", len(rows), n)
		}
		for k, row := range rows {
			if row < k*n/len(rows) || row >= (k+1)*n/len(rows) {
				t.Errorf("row %d of %d rows is %d", k, n, row)
			}
		}
		for _, kinds := range []int{2, 5, 10} {
			if n < 10*most {
				continue
			}
			of := make([]int, kinds)
			for _, row := range rows {
				of[row%kinds]++
			}
			if even := len(rows) / kinds; slices.Min(of) < even*3/4 {
				t.Errorf("%d rows of %d kinds: %d", n, kinds, of)
			}
		}
	}
}
