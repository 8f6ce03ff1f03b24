package selection

import (
	"context"
	"reflect"
	"slices"
	"testing"

	"lapsvm/dataset"
	"lapsvm/internal/machines/train"
	"lapsvm/internal/points/graph"
	"lapsvm/internal/ranks/comm"
	"lapsvm/points"
)

// at is a graph.
func at(kernel role, metric graph.Metric, neighbours, degree int) candidate {
	return candidate{kernel, metric, 0, train.Member{Neighbours: neighbours, LaplacianDegree: degree}, false}
}

// Graphs are beside one another that differ by one step of one kind.
func TestGraphsBeside(t *testing.T) {
	const e, s = graph.Euclidean, graph.SelfTuning
	var machines []candidate
	for _, kernel := range []role{whole, nearest} {
		for _, metric := range []graph.Metric{e, s} {
			for _, neighbours := range []int{2, 7, 40, 90} {
				for _, degree := range []int{1, 5} {
					for _, weight := range []float64{1, 2} {
						c := at(kernel, metric, neighbours, degree)
						c.GammaA, c.GammaI = weight, 3
						machines = append(machines, c)
					}
				}
			}
		}
	}
	g := newGraphs(machines)
	if len(g.all) != 2*2*4*2 {
		t.Fatalf("%d graphs of %d machines", len(g.all), len(machines))
	}
	if got, want := g.middle(), []candidate{at(0, e, 40, 5), at(0, s, 40, 5), at(1, e, 40, 5), at(1, s, 40, 5)}; !slices.Equal(got, want) {
		t.Errorf("in the middle are %v, want %v", got, want)
	}
	g.known = []candidate{at(0, e, 40, 1), at(1, s, 2, 1)}
	got, want := g.adjacent([]candidate{at(0, e, 2, 1), at(0, e, 40, 1)}), []candidate{at(0, e, 2, 5), at(0, e, 7, 1), at(0, e, 40, 5), at(0, e, 90, 1), at(0, s, 2, 1), at(0, s, 40, 1), at(1, e, 2, 1), at(1, e, 40, 1), at(1, s, 40, 1)}
	if !slices.Equal(got, want) {
		t.Errorf("beside are %v, want %v", got, want)
	}
}

// A climb begins in the middle, and ends where all beside the two leading graphs is measured.
func TestClimb(t *testing.T) {
	var a *comparison
	var machines []measured
	for seed := range uint64(4) {
		a = comparisonOn(t, labelledMoons(60+10*int(seed), 12, false), train.Recipe{Seed: seed}, train.Run{}, somePoints, 0)
		var err error
		if machines, err = a.hillClimb(t.Context(), new(counter)); err != nil {
			t.Fatal(err)
		}
		all, known := newGraphs(a.machines), newGraphs(candidatesOf(machines)).all
		for _, g := range all.middle() {
			if !slices.Contains(known, g) {
				t.Errorf("%v in the middle is not measured", g)
			}
		}
		all.known = known
		if left := all.adjacent(a.leading(machines, 2)); len(left) > 0 {
			t.Errorf("beside the leading graphs are left %v", left)
		}
		if len(known) >= len(all.all) || len(machines) != 4*len(known) {
			t.Errorf("%d of %d graphs with %d machines", len(known), len(all.all), len(machines))
		}
	}
	list := candidatesOf(machines)
	again, err := a.measure(t.Context(), list, new(counter))
	if err != nil || len(again) != len(machines) {
		t.Fatalf("%d machines, %v", len(again), err)
	}
	for _, m := range again {
		if i := slices.Index(list, m.candidate); !reflect.DeepEqual(machines[i], m) {
			t.Errorf("%v is measured differently when climbing", m.candidate)
		}
	}
}

// Of many points 400 are climbed. Then the promising machines are measured on all. So are all machines of a part, which has one graph
// of a kernel.
func TestFewFirst(t *testing.T) {
	for _, c := range []struct {
		n, most int
		few     bool
	}{{400, somePoints, false}, {401, somePoints, true}, {1604, 401, true}, {1700, 400, false}} {
		d := labelledMoons(c.n, 12, false)
		a := comparisonOn(t, d, train.Recipe{Seed: 1}, train.Run{}, c.most, 0)
		few, err := a.screeningSample(t.Context())
		if err != nil || (few != nil) != c.few || few != nil && few.geometry.Len() != 400 {
			t.Fatalf("%d of %d points: %+v, %v", a.geometry.Len(), c.n, few, err)
		}
		a.screening = few
		got, err := a.screen(t.Context(), new(counter))
		if err != nil {
			t.Fatal(err)
		}
		if few == nil {
			if (len(got) == len(a.machines)) != (c.most < c.n) {
				t.Errorf("%d of %d points: %d of %d machines", a.geometry.Len(), c.n, len(got), len(a.machines))
			}
			continue
		}
		if len(few.machines) != len(a.machines) || len(few.task.Labelled) != len(a.task.Labelled) {
			t.Errorf("few of %d points have %d machines of %d and %d labels", a.geometry.Len(), len(few.machines), len(a.machines), len(few.task.Labelled))
		}
		first, err := few.hillClimb(t.Context(), new(counter))
		if err != nil {
			t.Fatal(err)
		}
		list, want := candidatesOf(got), few.promising(first)
		if len(want) == 0 || len(want) >= climbers*len(choiceIntrinsic()) {
			t.Errorf("%d of %d machines are promising", len(want), len(first))
		}
		for _, m := range first {
			if in := slices.Contains(want, m.candidate); in != slices.Contains(list, m.candidate) {
				t.Errorf("%v is measured on all points: %v", m.candidate, !in)
			}
		}
		if len(list) != len(want) {
			t.Errorf("%d machines are measured on all points, %d are promising", len(list), len(want))
		}
	}
}

// An open metric is chosen, a given one kept. A heat width is in the unit of one metric.
func TestMetricIsChosen(t *testing.T) {
	d := labelledMoons(90, 12, false)
	for _, c := range []struct {
		r    train.Recipe
		want []graph.Metric
	}{
		{train.Recipe{}, []graph.Metric{graph.Euclidean, graph.SelfTuning}},
		{train.Recipe{Graph: graph.Options{Metric: graph.Euclidean}}, []graph.Metric{graph.Euclidean}},
		{train.Recipe{Graph: graph.Options{Metric: graph.SelfTuning}}, []graph.Metric{graph.SelfTuning}},
		{train.Recipe{Graph: graph.Options{Metric: graph.Cosine}}, []graph.Metric{graph.Cosine}},
		{train.Recipe{Graph: graph.Options{HeatWidth: 0.3}}, []graph.Metric{""}},
	} {
		c.r.Standardise = points.AsIs
		r, err := ChosenBy(t.Context(), d, c.r, train.Run{})
		if err != nil || !slices.Contains(c.want, r.Graph.Metric) {
			t.Errorf("%+v: metric %q, %v", c.r.Graph, r.Graph.Metric, err)
		}
	}
	a := comparisonOn(t, d, train.Recipe{Seed: 1, Standardise: points.AsIs}, train.Run{}, somePoints, 0)
	alike := func(c, o candidate) bool { c.metric = o.metric; return c == o }
	machines, err := a.measure(t.Context(), []candidate{{nearest, graph.Euclidean, 0, train.Member{Neighbours: 5, LaplacianDegree: 2, GammaA: 1e-2, GammaI: 1}, false}, {nearest, graph.SelfTuning, 0, train.Member{Neighbours: 5, LaplacianDegree: 2, GammaA: 1e-2, GammaI: 1}, false}}, new(counter))
	if err != nil || len(machines) != 2 || !alike(machines[0].candidate, machines[1].candidate) || slices.Equal(machines[0].losses, machines[1].losses) {
		t.Fatalf("%+v, %v", machines, err)
	}
	for i, m := range machines {
		given := train.Recipe{Seed: 1, Standardise: points.AsIs, Graph: graph.Options{Metric: m.metric}}
		baselines, err := comparisonOn(t, d, given, train.Run{}, somePoints, 0).measure(t.Context(), []candidate{m.candidate}, new(counter))
		if err != nil || len(baselines) != 1 || !slices.Equal(baselines[0].losses, machines[i].losses) {
			t.Errorf("%s: losses %v, with the metric given %v", m.metric, m.losses, baselines)
		}
	}
}

// Ranks compare metrics as one process does: of so few rows rank 0 trains alone.
func TestMetricOfRanks(t *testing.T) {
	d := labelledMoons(90, 12, false)
	_, alone, err := Fill(t.Context(), d, train.Recipe{Standardise: points.AsIs}, train.Run{})
	if err != nil {
		t.Fatal(err)
	}
	err = comm.Goroutines(t.Context(), 2, func(ctx context.Context, c *comm.Comm) error {
		s, err := d.Part(dataset.Part{Rank: c.Rank(), Parts: 2}).Share(ctx, c)
		if err != nil {
			return err
		}
		_, r, err := Fill(ctx, s, train.Recipe{Standardise: points.AsIs}, train.Run{})
		if err != nil {
			return err
		}
		if r.Graph.Metric != alone.Graph.Metric {
			t.Errorf("metric %q, alone %q", r.Graph.Metric, alone.Graph.Metric)
		}
		_, err = train.Fit(ctx, s, r, train.Run{})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// The members of a mean share kernel and metric, those of the largest weight together.
func TestMembersShareTheirGround(t *testing.T) {
	a := comparisonOn(t, labelledMoons(90, 12, false), train.Recipe{Seed: 1}, train.Run{}, somePoints, 0)
	of := func(metric graph.Metric, weight float64) measured {
		c := at(0, metric, 5, 2)
		c.GammaA, c.GammaI = weight, 1
		return measured{candidate: c, scale: 1}
	}
	some := []measured{of(graph.Euclidean, 1), of(graph.SelfTuning, 1), of(graph.SelfTuning, 2)}
	for _, c := range []struct {
		evidence []float64
		want     []int
	}{{[]float64{0, -0.1, -0.1}, []int{1, 2}}, {[]float64{0, -1, -1}, []int{0}}} {
		var got []int
		for _, m := range a.members(some, c.evidence) {
			got = append(got, slices.IndexFunc(some, func(o measured) bool { return o.candidate == m.candidate }))
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("evidence %v: members %v, want %v", c.evidence, got, c.want)
		}
	}
}
