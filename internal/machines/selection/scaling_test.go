package selection

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"lapsvm/dataset"
	"lapsvm/dataset/files"
	"lapsvm/internal/machines/train"
	"lapsvm/internal/points/graph"
	"lapsvm/kernel"
	"lapsvm/points"
)

// table is n rows of values by column, of which the first labelled have labels of
// two classes.
func table(n, labelled int, value func(i, class int) []float64) *dataset.Dataset {
	var all []float64
	d := &dataset.Dataset{Classes: []string{"a", "b"}}
	width := 0
	for i := range n {
		row := value(i, i%2)
		width, all = len(row), append(all, row...)
		d.Y = append(d.Y, dataset.Unlabelled)
		if i < labelled {
			d.Y[i] = i % 2
		}
	}
	d.Points = points.Dense(n, width, all)
	return d
}

func TestUnits(t *testing.T) {
	rng := rand.New(rand.NewPCG(41, 1))
	normal := func() float64 { return rng.NormFloat64() }
	var before []float64
	direction := make([]float64, 40*64)
	for k := range direction {
		direction[k] = normal()
	}
	tables := map[string]struct {
		different bool
		row       func(i, class int) []float64
	}{
		"two units": {true, func(_, c int) []float64 { return []float64{1e3 * normal(), float64(c) + normal()} }},
		"wine": {true, func(int, int) []float64 {
			return []float64{13 + normal(), 2 + 0.3*normal(), 750 + 300*normal(), 100 + 14*normal(), 0.3 + 0.1*normal()}
		}},
		"with indicators": {true, func(i, c int) []float64 {
			return []float64{40 + 12*normal(), 38 + 11*normal(), float64(i % 3 / 2), float64(c)}
		}},
		"log-normal": {true, func(int, int) []float64 {
			return []float64{math.Exp(normal()), math.Exp(2*normal() + 5), math.Exp(normal() + 1)}
		}},
		"time in seconds": {true, func(int, int) []float64 { return []float64{1.7e9 + 3600*rng.Float64(), normal(), 0.1 * normal()} }},
		"date of a month": {true, func(i, c int) []float64 { return []float64{20240101 + float64(i%30), normal(), float64(c) + normal()} }},
		"one unit": {false, func(int, int) []float64 {
			return []float64{5.8 + 0.8*normal(), 3 + 0.4*normal(), 3.7 + 1.7*normal(), 1.2 + 0.7*normal()}
		}},
		"one column": {false, func(int, int) []float64 { return []float64{1e6 * normal()} }},
		"indicators": {false, func(i, c int) []float64 { return []float64{float64(i % 2), float64(i % 3 / 2), 0, float64(c)} }},
		"standardised": {false, func(int, int) []float64 {
			return []float64{normal(), normal(), normal(), math.Sqrt(3) * (2*rng.Float64() - 1)}
		}},
		"constant": {false, func(int, int) []float64 { return []float64{1e6, normal(), normal()} }},
		"image": {false, func(i, _ int) []float64 {
			row := make([]float64, 64)
			for j := range row {
				row[j] = math.Floor(max(0, 16-math.Abs(float64(j%8)-3.5)*2) * rng.Float64())
			}
			row[0] = 0
			if i == 3 {
				row[0] = 1 // at the edge one image has a dot
			}
			return row
		}},
		"embedding": {false, func(int, int) []float64 {
			row := make([]float64, 64)
			for k := range 40 {
				v := normal()
				for j := range row {
					row[j] += v * direction[k*64+j]
				}
			}
			return row
		}},
		"principal components": {false, func(i, _ int) []float64 {
			row := make([]float64, 20)
			for j := range row {
				if row[j] = 100 * math.Pow(0.6, float64(j)) * normal(); i%2 == 1 {
					row[j] = -before[j] // so that the means are 0
				}
			}
			before = row
			return row
		}},
		"unit norm": {false, func(i, _ int) []float64 {
			row := []float64{100 * normal(), normal(), 0.1 * normal()}
			size := math.Hypot(math.Hypot(row[0], row[1]), row[2])
			return []float64{row[0] / size, row[1] / size, row[2] / size}
		}},
	}
	for name, c := range tables {
		rng = rand.New(rand.NewPCG(41, uint64(len(name)))) // whatever the order
		d := table(500, 20, c.row)
		if different, why := units(d); different != c.different || why == "" {
			t.Errorf("%s: different %v, %s", name, different, why)
		}
		part := d.Subset([]int{0, 7, 10, 11, 20, 33, 41, 48, 57, 60, 61, 75, 80, 99, 101, 110, 131, 144, 150, 170, 200, 202, 230, 300, 400})
		if different, why := units(part); c.different && !different {
			t.Errorf("%s: a part of it has %s", name, why)
		}
	}
}

// TestOfOneLength has rows of nearly equal squared lengths. Only unit vectors have one length that says something.
func TestOfOneLength(t *testing.T) {
	for name, c := range map[string]struct {
		same bool
		row  func(i float64) []float64
	}{
		"unit vectors": {true, func(i float64) []float64 { return []float64{math.Cos(i), math.Sin(i)} }},
		"a sector":     {true, func(i float64) []float64 { return []float64{math.Cos(i / 100), math.Sin(i / 100)} }},
		"of six digits": {true, func(i float64) []float64 {
			return []float64{math.Round(1e6*math.Cos(i)) / 1e5, math.Round(1e6*math.Sin(i)) / 1e5}
		}},
		"a narrow sector":           {true, func(i float64) []float64 { return []float64{math.Cos(i / 1e4), math.Sin(i / 1e4)} }},
		"a large constant, rounded": {false, func(i float64) []float64 { return []float64{1e9, i / 1e4} }},
		"two lengths":               {false, func(i float64) []float64 { return []float64{1 + math.Mod(i, 2), 0} }},
		"a large constant":          {false, func(i float64) []float64 { return []float64{1.7e9, i / 20} }},
		"a large number":            {false, func(i float64) []float64 { return []float64{1e15 + i, i} }},
		"squares that underflow":    {false, func(i float64) []float64 { return []float64{i * 1e-300, 1e-300} }},
		"squares that overflow":     {false, func(i float64) []float64 { return []float64{i * 1e300, i} }},
		"no value but 0":            {false, func(float64) []float64 { return []float64{0, 0} }},
	} {
		var values []float64
		for i := range 20 {
			values = append(values, c.row(float64(i))...)
		}
		if same := ofOneLength(points.Dense(20, 2, values)); same != c.same {
			t.Errorf("%s: %v", name, same)
		}
	}
}

func TestScaleLeavesWhatIsGiven(t *testing.T) {
	rng := rand.New(rand.NewPCG(41, 2))
	d := table(100, 8, func(_, c int) []float64 { return []float64{1e3 * rng.NormFloat64(), float64(4*c) + rng.NormFloat64()} })
	square := table(20, 8, func(i, _ int) []float64 {
		row := make([]float64, 20)
		row[i] = float64(1 + 1000*i)
		return row
	})
	sparse := *d
	sparse.Points = points.CSR(2, make([]int, 101), nil, nil)
	images := *d
	images.Image = dataset.Image{Width: 2, Height: 1}
	for name, c := range map[string]struct {
		d    *dataset.Dataset
		r    train.Recipe
		want points.Standardise
	}{
		"open":         {d, train.Recipe{}, points.Columns},
		"by rule":      {d, train.Recipe{RulesOfThumb: true}, points.Columns},
		"supervised":   {d, train.Recipe{Supervised: true}, points.Columns},
		"linear":       {d, train.Recipe{Kernel: kernel.Linear{}}, points.Columns},
		"as asked":     {d, train.Recipe{Standardise: points.MinMax}, points.MinMax},
		"none":         {d, train.Recipe{Standardise: points.AsIs}, points.AsIs},
		"width":        {d, train.Recipe{Kernel: kernel.Gaussian{Sigma: 2}}, points.AsIs},
		"heat":         {d, train.Recipe{Graph: graph.Options{HeatWidth: 2}}, points.AsIs},
		"kernel given": {square, train.Recipe{Kernel: kernel.Precomputed{}}, points.AsIs},
		"sparse":       {&sparse, train.Recipe{}, points.AsIs},
		"images":       {&images, train.Recipe{}, points.AsIs},
	} {
		got, err := Scale(t.Context(), c.d, c.r, train.Run{})
		if err != nil || got.Standardise != c.want || (got.StandardiseReason == "") != (c.r.Standardise != "") {
			t.Errorf("%s: %s because %q, %v", name, got.Standardise, got.StandardiseReason, err)
		}
	}
}

// Columns in different units have one scaling, whatever labels say: indicators tell the classes here, and by their ranges numbers would count for less.
func TestScaleIsOfTheUnits(t *testing.T) {
	for _, labelled := range []int{2, 60} {
		rng := rand.New(rand.NewPCG(41, 3))
		d := table(300, labelled, func(_, c int) (row []float64) {
			for range 6 {
				bit := float64(c)
				if rng.IntN(4) == 0 {
					bit = 1 - bit
				}
				row = append(row, bit)
			}
			for range 10 {
				row = append(row, 100*rng.NormFloat64())
			}
			return row
		})
		got, err := Scale(t.Context(), d, train.Recipe{}, train.Run{})
		if err != nil || got.Standardise != points.Columns || got.StandardiseReason != "the columns differ in unit" {
			t.Errorf("%d labels: %s because %q, %v", labelled, got.Standardise, got.StandardiseReason, err)
		}
	}
}

// Where held-out labels and the graph say so, columns in one unit are scaled: those with the classes vary less than many of noise here. Without these
// the columns stay.
func TestScaleOneUnitByEvidence(t *testing.T) {
	for _, c := range []struct {
		labelled, noise int
		supervised      bool
		want            points.Standardise
		told            string
	}{
		{6, 16, false, points.Columns, "6 held-out labels and the graph speak for"},
		{60, 16, false, points.Columns, "60 held-out labels and the graph speak for"},
		{2, 16, false, points.AsIs, ""},
		{60, 0, false, points.AsIs, ""},
		{20, 16, true, points.Columns, "20 held-out labels speak for"},
	} {
		rng := rand.New(rand.NewPCG(41, 4))
		d := table(200, c.labelled, func(_, class int) []float64 {
			var row []float64
			for range 4 {
				row = append(row, float64(2*class)+rng.NormFloat64())
			}
			for range c.noise {
				row = append(row, 4*rng.NormFloat64())
			}
			return row
		})
		got, err := Scale(t.Context(), d, train.Recipe{Supervised: c.supervised}, train.Run{})
		if err != nil || got.Standardise != c.want || !strings.Contains(got.StandardiseReason, c.told) {
			t.Errorf("%+v: %s because %q, %v", c, got.Standardise, got.StandardiseReason, err)
		}
	}
}

// Tables with text take the linear kernel where none is given.
func TestScaleTakesLinearKernelForText(t *testing.T) {
	d := table(4, 4, func(i, c int) []float64 { return []float64{1, float64(c)} })
	d.Encoding = &dataset.Encoding{Columns: []dataset.Column{{Kind: dataset.Text, Words: []string{"a", "b"}, IDF: []float64{1, 1}}}}
	d.Points = points.CSR(2, []int{0, 1, 2, 3, 4}, []int32{0, 1, 0, 1}, []float64{1, 1, 1, 1})
	got, err := Scale(t.Context(), d, train.Recipe{}, train.Run{})
	if linear := (kernel.Linear{}); err != nil || got.Kernel != kernel.Kernel(linear) || got.Standardise != points.AsIs {
		t.Errorf("%+v, %v", got, err)
	}
	if got, err := Scale(t.Context(), d, train.Recipe{Kernel: kernel.Gaussian{}}, train.Run{}); err != nil || got.Kernel != kernel.Kernel(kernel.Gaussian{}) {
		t.Errorf("given: %+v, %v", got, err)
	}
}

// A vector beside other columns is scaled with them, whatever the units look like. Alone it is judged
// as other points are.
func TestScaleVectors(t *testing.T) {
	var beside, baselines strings.Builder
	rng := rand.New(rand.NewPCG(3, 1))
	for i := range 40 {
		vector := fmt.Sprintf("\"[%g, %g, %g]\"", rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64())
		fmt.Fprintf(&beside, "%g,%s,%d\n", rng.NormFloat64(), vector, i%2)
		fmt.Fprintf(&baselines, "%s,%d\n", vector, i%2)
	}
	for _, c := range []struct {
		text   string
		scaled points.Standardise
		reason string
	}{
		{"n,v,label\n" + beside.String(), points.Columns, "a vector stands beside other columns"},
		{"v,label\n" + baselines.String(), points.AsIs, "the columns have one unit"},
	} {
		d, err := files.Read(strings.NewReader(c.text), "a.csv", files.Options{})
		if err != nil {
			t.Fatal(err)
		}
		r, err := Scale(t.Context(), d, train.Recipe{RulesOfThumb: true}, train.Run{})
		if err != nil || r.Standardise != c.scaled || r.StandardiseReason != c.reason {
			t.Errorf("%s: %q, want %q, error %v", r.Standardise, r.StandardiseReason, c.reason, err)
		}
	}
}
