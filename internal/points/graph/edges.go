package graph

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"lapsvm/dataset"
)

// OfEdges returns the graph of n points with given edges. Weights are divided by the mean of their
// magnitudes, so that their unit does not matter. It is nil where none are given. It panics for an edge to a point that is not there.
func OfEdges(n int, e dataset.Edges) *Adjacency {
	if !e.Given() {
		return nil
	}
	if err := e.Check(n); err != nil {
		panic("graph: " + err.Error())
	}
	unit := e.Unit()
	a := &Adjacency{Start: make([]int, n+1), Index: make([]int32, 2*e.Len()), Weight: make([]float64, 2*e.Len())}
	for k := range e.Len() {
		a.Start[e.From[k]+1]++
		a.Start[e.To[k]+1]++
	}
	for i := range n {
		a.Start[i+1] += a.Start[i]
	}
	// Edges ascend by their lower point and then by the other. So each row first gets its lower points,
	// in order, and then the others.
	next := slices.Clone(a.Start[:n])
	enter := func(i, j int32, w float64) {
		a.Index[next[i]], a.Weight[next[i]] = j, w/unit
		next[i]++
	}
	for k, j := range e.To {
		enter(j, e.From[k], e.Weight[k])
	}
	for k, i := range e.From {
		enter(i, e.To[k], e.Weight[k])
	}
	return a
}

// Joined returns W + weight·V of two graphs of the same points, without the entries that cancel. It
// panics where ranks share one of them, and for different numbers of points.
func Joined(w, v *Adjacency, weight float64) *Adjacency {
	if w.Len() != v.Len() || w.halo != nil || v.halo != nil {
		panic(fmt.Sprintf("graph: a graph of %d points joined with one of %d", w.Len(), v.Len()))
	}
	sum := &Adjacency{Start: make([]int, w.Len()+1)}
	add := func(j int32, value float64) {
		if value != 0 {
			sum.Index, sum.Weight = append(sum.Index, j), append(sum.Weight, value)
		}
	}
	for i := range w.Len() {
		wi, wv := w.Row(i)
		vi, vv := v.Row(i)
		for len(wi) > 0 || len(vi) > 0 {
			switch {
			case len(vi) == 0 || len(wi) > 0 && wi[0] < vi[0]:
				add(wi[0], wv[0])
				wi, wv = wi[1:], wv[1:]
			case len(wi) == 0 || vi[0] < wi[0]:
				add(vi[0], weight*vv[0])
				vi, vv = vi[1:], vv[1:]
			default:
				add(wi[0], wv[0]+weight*vv[0])
				wi, wv, vi, vv = wi[1:], wv[1:], vi[1:], vv[1:]
			}
		}
		sum.Start[i+1] = len(sum.Index)
	}
	return sum
}

// Split returns the graph without some of its edges, and the graph of these. The seed draws a share of them, each by itself.
func (a *Adjacency) Split(share float64, seed uint64) (kept, drawn *Adjacency) {
	rng, is, next := rand.New(rand.NewPCG(seed, 42)), make([]bool, len(a.Index)), slices.Clone(a.Start)
	for i := range a.Len() {
		for k := next[i]; k < a.Start[i+1]; k++ { // the edges to later points: those to lower ones were drawn in their rows
			j := a.Index[k]
			is[k] = rng.Float64() < share
			is[next[j]] = is[k]
			next[j]++
		}
	}
	part := func(of bool) *Adjacency {
		some := &Adjacency{Start: make([]int, a.Len()+1)}
		for i := range a.Len() {
			for k := a.Start[i]; k < a.Start[i+1]; k++ {
				if is[k] == of {
					some.Index, some.Weight = append(some.Index, a.Index[k]), append(some.Weight, a.Weight[k])
				}
			}
			some.Start[i+1] = len(some.Index)
		}
		return some
	}
	return part(false), part(true)
}

// Attracting returns the graph without its edges of negative weight, which is the graph itself where it
// has none.
func (a *Adjacency) Attracting() *Adjacency {
	if !slices.ContainsFunc(a.Weight, func(w float64) bool { return w < 0 }) {
		return a
	}
	weight := make([]float64, len(a.Weight))
	for k, w := range a.Weight {
		weight[k] = max(w, 0)
	}
	return Joined(&Adjacency{Start: make([]int, a.Len()+1)}, &Adjacency{Start: a.Start, Index: a.Index, Weight: weight}, 1)
}
