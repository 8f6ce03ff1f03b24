package dataset

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// Edges are given edges between the rows of a data set: edge k joins the rows From[k] < To[k] with the
// weight Weight[k], in ascending order, each pair once. A positive weight says how much the two are
// alike. A negative one says that they are not of one class. The zero value is that of rows between which no edges are given.
type Edges struct {
	From, To []int32
	Weight   []float64
	Names    []string // of the rows, by which edges of new rows find them; nil for their numbers
}

// Arc is an edge from a row to another as it is written. Its weight is finite.
type Arc struct {
	From, To int
	Weight   float64
}

// EdgeCounts tells what [NewEdges] made of arcs.
type EdgeCounts struct {
	Loops    int // arcs from a row to itself, left out
	Zero     int // edges of weight 0, left out
	OneWay   int // edges that are written in one direction
	BothWays int // edges that are written in both directions
	Negative int // edges of negative weight
}

// NewEdges makes edges of arcs. The weights of equal arcs are added. An edge written in both directions
// gets the mean of the two weights, one written in one direction has its weight. Cost: a sort.
func NewEdges(arcs []Arc) (Edges, EdgeCounts) {
	all := len(arcs)
	arcs = slices.DeleteFunc(slices.Clone(arcs), func(a Arc) bool { return a.From == a.To })
	counts := EdgeCounts{Loops: all - len(arcs)}
	low := func(a Arc) (int, int) { return min(a.From, a.To), max(a.From, a.To) }
	slices.SortStableFunc(arcs, func(a, b Arc) int {
		ai, aj := low(a)
		bi, bj := low(b)
		return cmp.Or(cmp.Compare(ai, bi), cmp.Compare(aj, bj), cmp.Compare(a.From, b.From))
	})
	e := Edges{From: []int32{}}
	for k := 0; k < len(arcs); {
		i, j := low(arcs[k])
		var sum [2]float64 // upwards and downwards
		var is [2]bool
		for ; k < len(arcs); k++ {
			if a, b := low(arcs[k]); a != i || b != j {
				break
			}
			way := 0
			if arcs[k].From > arcs[k].To {
				way = 1
			}
			sum[way], is[way] = sum[way]+arcs[k].Weight, true
		}
		weight := sum[0] + sum[1]
		if is[0] && is[1] {
			weight = sum[0]/2 + sum[1]/2
			counts.BothWays++
		} else {
			counts.OneWay++
		}
		switch {
		case weight == 0:
			counts.Zero++
			continue
		case weight < 0:
			counts.Negative++
		}
		e.From, e.To, e.Weight = append(e.From, int32(i)), append(e.To, int32(j)), append(e.Weight, weight)
	}
	return e, counts
}

// Given reports whether edges are given, of which there may be none between rows selected from others.
func (e Edges) Given() bool { return e.From != nil }

// Len returns the number of edges.
func (e Edges) Len() int { return len(e.From) }

// Unit returns the mean magnitude of the weights.
func (e Edges) Unit() float64 {
	unit := 0.0
	for _, w := range e.Weight {
		unit += math.Abs(w) / float64(e.Len())
	}
	return unit
}

// Check reports an edge that rows of the given number cannot have.
func (e Edges) Check(rows int) error {
	for k := range e.Len() {
		switch i, j, w := e.From[k], e.To[k], e.Weight[k]; {
		case i < 0 || i >= j || int(j) >= rows:
			return fmt.Errorf("edge %d joins the rows %d and %d of %d", k+1, i+1, j+1, rows)
		case w == 0 || math.IsNaN(w) || math.IsInf(w, 0):
			return fmt.Errorf("edge %d has the weight %v", k+1, w)
		}
	}
	return nil
}

// Among returns the edges between the given rows, numbered by their places. A row that is
// given twice has its edges at its first place.
func (e Edges) Among(rows []int) Edges {
	if !e.Given() {
		return e
	}
	at := make(map[int32]int, len(rows))
	for k, i := range rows {
		if _, twice := at[int32(i)]; !twice {
			at[int32(i)] = k
		}
	}
	var arcs []Arc
	for k := range e.From {
		i, first := at[e.From[k]]
		j, second := at[e.To[k]]
		if first && second {
			arcs = append(arcs, Arc{i, j, e.Weight[k]})
		}
	}
	among, _ := NewEdges(arcs)
	return among
}
