package modelfile_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"lapsvm/internal/machines/modelfile"
	"lapsvm/internal/points/graph"
	"lapsvm/internal/testing/detector"
	"lapsvm/kernel"
	"lapsvm/points"
)

// withNeighbours returns models to whose expansions neighbours add, over points of every
// storage; some points are equal. The first is small.
func withNeighbours(t testing.TB) []*modelfile.Contents {
	rng := rand.New(rand.NewPCG(17, 60))
	bytes := func(n, d int) *points.Points {
		all := make([]uint8, n*d)
		for i := range all {
			all[i] = uint8(rng.IntN(256))
		}
		for i := 4; i < 12; i++ {
			copy(all[i*d:(i+1)*d], all[:d])
		}
		return points.DenseBytes(n, d, all)
	}
	single, double := make([]float32, 150*50), make([]float64, 150*3)
	for i := range single {
		single[i] = float32(rng.NormFloat64())
	}
	for i := range double {
		double[i] = rng.NormFloat64()
	}
	start, column, value := []int{0}, []int32(nil), []float64(nil)
	for range 90 {
		for j := range 40 {
			if rng.IntN(8) == 0 {
				column, value = append(column, int32(j)), append(value, 1+rng.Float64())
			}
		}
		start = append(start, len(column))
	}
	var all []*modelfile.Contents
	for k, p := range []*points.Points{bytes(20, 3), bytes(120, 40), points.Dense32(150, 50, single), points.Dense(150, 3, double), points.CSR(40, start, column, value)} {
		for _, kind := range []points.Standardise{points.AsIs, points.UnitNorm} {
			metric := []graph.Metric{graph.Euclidean, graph.Cosine}[k%2]
			all = append(all, neighbourModel(t, rng, p, kind, metric))
		}
	}
	return all
}

func neighbourModel(t testing.TB, rng *rand.Rand, p *points.Points, kind points.Standardise, metric graph.Metric) *modelfile.Contents {
	const k, machines = 4, 3
	scaling, err := points.FitScaling(t.Context(), kind, p)
	if err != nil {
		t.Fatal(err)
	}
	x := scaling.Apply(p)
	index, err := graph.NewIndex(context.Background(), x, k, k, metric, graph.Search{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	c := &modelfile.Contents{Kernel: kernel.Gaussian{Sigma: 1}, Scaling: scaling, Basis: x.Subset([]int{0, 3}), Classes: []string{"a", "b", "c"}, Bias: values(rng, machines),
		Local: &modelfile.Local{Points: x, Metric: metric, Neighbours: k - 1, Index: index.Parts(), Origin: &modelfile.Origin{}}}
	for i := range x.Len() {
		c.Local.Origin.Rows, c.Local.Origin.Class = append(c.Local.Origin.Rows, 2*i), append(c.Local.Origin.Class, i%4-1)
	}
	for range machines {
		c.Coefficients = append(c.Coefficients, values(rng, 2))
		residuals := make([]float32, x.Len())
		for i := range residuals {
			residuals[i] = float32(rng.NormFloat64())
		}
		residuals[1], residuals[2] = float32(math.Copysign(0, -1)), math.SmallestNonzeroFloat32
		c.Local.Residuals = append(c.Local.Residuals, residuals)
	}
	return c
}

// What neighbours add comes back with the bits of all values, in the storage of the
// points, and finds the same neighbours; written again it is the same file.
func TestNeighboursInAFile(t *testing.T) {
	for _, c := range withNeighbours(t) {
		p := c.Local.Points
		file := write(t, c)
		if v := binary.LittleEndian.Uint32(file[8:]); v != 10 {
			t.Errorf("version %d of a file with neighbours", v)
		}
		got := read(t, file)
		if !bytes.Equal(write(t, got), file) {
			t.Errorf("%v of %d columns: another file after reading", p.Storage(), p.Dim())
		}
		l := got.Local
		if l.Metric != c.Local.Metric || l.Neighbours != c.Local.Neighbours || !reflect.DeepEqual(l.Origin, c.Local.Origin) || !reflect.DeepEqual(l.Residuals, c.Local.Residuals) {
			t.Errorf("%v of %d columns: other neighbours", p.Storage(), p.Dim())
		}
		if l.Points.Storage() != p.Storage() || l.Points.Sparse() != p.Sparse() || !slices.Equal(l.Points.Squares(), p.Squares()) {
			t.Errorf("%v of %d columns came back as %v with other values", p.Storage(), p.Dim(), l.Points.Storage())
		}
		ctx := context.Background()
		var found [2]*graph.Neighbours
		for k, one := range []*modelfile.Local{c.Local, l} {
			index, err := graph.OpenIndex(ctx, one.Points, one.Metric, one.Index)
			if err != nil {
				t.Fatal(err)
			}
			if found[k], err = index.Nearest(ctx, one.Points, 2); err != nil {
				t.Fatal(err)
			}
		}
		if !reflect.DeepEqual(found[0], found[1]) {
			t.Errorf("%v of %d columns: the index finds others", p.Storage(), p.Dim())
		}
	}
}

// A file with bytes keeps them as bytes, and every exported field of the index.
func TestNeighboursTakeLittle(t *testing.T) {
	detector.Spare(t)
	rng := rand.New(rand.NewPCG(17, 61))
	const n, d, machines, k = 2000, 300, 3, 4
	all := make([]uint8, n*d)
	for i := range all {
		all[i] = uint8(rng.IntN(256))
	}
	c := neighbourModel(t, rng, points.DenseBytes(n, d, all), points.UnitNorm, graph.Euclidean)
	file := write(t, c)
	was, is := reflect.ValueOf(*c.Local.Index), reflect.ValueOf(*read(t, file).Local.Index)
	for k := range was.NumField() {
		if f := was.Type().Field(k); f.IsExported() && !reflect.DeepEqual(was.Field(k).Interface(), is.Field(k).Interface()) {
			t.Errorf("%s of the index differs", f.Name)
		}
	}
	if size := len(file); size > n*(d+4*machines+4)+40*n+8*33*d {
		t.Errorf("%d bytes for %d points of %d bytes", size, n, d)
	}
}

// Headers with impossible claims are refused, before or after the arrays they describe are read.
// Parts that do not fit together are refused too.
func TestDamagedNeighbours(t *testing.T) {
	detector.Spare(t)
	c := withNeighbours(t)[0]
	file := string(write(t, c))
	head := file[16 : 16+int(binary.LittleEndian.Uint32([]byte(file[12:])))]
	arrays := []byte(file[16+len(head) : len(file)-32])
	read(t, sealedAs(10, head, arrays))
	for _, version := range []byte{1, 4, 5, 11} {
		refused(t, "another version", sealedAs(version, head, arrays))
	}
	for from, others := range map[string][]string{
		`"metric":"euclidean"`:                {`"metric":"kernel"`, `"metric":""`},
		`"neighbours":3`:                      {`"neighbours":0`, `"neighbours":5`},
		`"rows":20`:                           {`"rows":19`, `"rows":21`, `"rows":4611686018427387904`, `"rows":-1`},
		`"cells":1,`:                          {`"cells":2,`, `"cells":-1,`, `"cells":21,`, `"depths":[0,0],`, `"cells":1,"depths":[0],`},
		`"looks":1,`:                          {`"looks":0,`, `"looks":-1,`},
		`"parts":[{"name":"cells"}]`:          {`"parts":[]`, `"parts":[{"name":"cells","skip":true},{"name":"more"}]`},
		`"width":3`:                           {`"width":4000000000`, `"width":-1`, `"width":2`},
		`"scale":`:                            {`"columns":2,"scale":`, `"directions":true,"scale":`},
		`"points":{"rows":20,"columns":3,"st`: {`"points":{"rows":20,"columns":2,"st`, `"points":{"rows":20,"columns":3,"sparse":true,"st`},
	} {
		for _, to := range others {
			if !strings.Contains(head, from) {
				t.Fatalf("no %s in the header %s", from, head)
			}
			damaged := sealedAs(10, strings.Replace(head, from, to, 1), arrays)
			if m, err := modelfile.Read(bytes.NewReader(damaged)); err == nil {
				if _, err = graph.OpenIndex(context.Background(), m.Local.Points, m.Local.Metric, m.Local.Index); err == nil {
					t.Errorf("%s in place of %s is taken", to, from)
				}
			}
		}
	}
	for name, damage := range map[string]func(l *modelfile.Local){
		"no origin": func(l *modelfile.Local) { l.Origin = nil },
		"no index":  func(l *modelfile.Local) { l.Index = nil },
		"machines":  func(l *modelfile.Local) { l.Residuals = l.Residuals[1:] },
		"residuals": func(l *modelfile.Local) {
			l.Residuals = [][]float32{l.Residuals[0][1:], l.Residuals[1], l.Residuals[2]}
		},
		"a residual of NaN": func(l *modelfile.Local) { l.Residuals[0] = slices.Repeat([]float32{float32(math.NaN())}, 20) },
		"metric":            func(l *modelfile.Local) { l.Metric = graph.Kernel },
		"classes":           func(l *modelfile.Local) { l.Origin.Class[3] = 3 },
		"a value of NaN":    func(l *modelfile.Local) { l.Points = points.Dense(20, 3, slices.Repeat([]float64{math.NaN()}, 60)) },
	} {
		c := withNeighbours(t)[0]
		damage(c.Local)
		if err := modelfile.Write(new(bytes.Buffer), c); err == nil {
			t.Errorf("%s: it is written", name)
		}
	}
}
