package dataset

import (
	"math/rand/v2"
	"reflect"
	"testing"
)

// Edges are made of arcs as it is documented: both directions are averaged, repeats are added, loops
// and weights of 0 are left out.
func TestNewEdges(t *testing.T) {
	e, c := NewEdges([]Arc{{3, 1, 2}, {0, 1, 1}, {1, 0, 3}, {2, 2, 1}, {1, 2, -1}, {1, 2, -1}, {0, 3, 1}, {3, 0, -1}})
	want := Edges{From: []int32{0, 1, 1}, To: []int32{1, 2, 3}, Weight: []float64{2, -2, 2}}
	if !reflect.DeepEqual(e, want) || c != (EdgeCounts{Loops: 1, Zero: 1, OneWay: 2, BothWays: 2, Negative: 1}) {
		t.Errorf("%+v, %+v", e, c)
	}
	if err := e.Check(4); err != nil {
		t.Error(err)
	}
	if err := e.Check(3); err == nil {
		t.Error("an edge to row 4 of 3")
	}
}

// The edges among some rows are those that both of their rows are among, wherever these are now.
func TestEdgesAmong(t *testing.T) {
	const n = 20
	rng := rand.New(rand.NewPCG(1, 1))
	weight := make(map[[2]int]float64)
	var arcs []Arc
	for range 60 {
		i, j := rng.IntN(n), rng.IntN(n)
		if i >= j || weight[[2]int{i, j}] != 0 {
			continue
		}
		weight[[2]int{i, j}] = rng.Float64()
		arcs = append(arcs, Arc{i, j, weight[[2]int{i, j}]})
	}
	e, _ := NewEdges(arcs)
	rows := rng.Perm(n)[:12]
	got, count := e.Among(rows), 0
	for k := range got.Len() {
		i, j := rows[got.From[k]], rows[got.To[k]]
		if want := weight[[2]int{min(i, j), max(i, j)}]; want == 0 || want != got.Weight[k] {
			t.Errorf("an edge of weight %v between the rows %d and %d, want %v", got.Weight[k], i, j, want)
		}
	}
	for pair := range weight {
		var has [2]bool
		for _, row := range rows {
			has[0], has[1] = has[0] || row == pair[0], has[1] || row == pair[1]
		}
		if has[0] && has[1] {
			count++
		}
	}
	if count != got.Len() || count == 0 {
		t.Errorf("%d edges, want %d", got.Len(), count)
	}
	d := &Dataset{Edges: e}
	if (Edges{}).Among(rows).Given() || d.Edges.Len() != len(weight) {
		t.Error("edges of nothing")
	}
}
