package gram

import (
	"context"
	"math"
	"runtime"

	"lapsvm/internal/numbers/parallel"
	"lapsvm/internal/numbers/vec"
	"lapsvm/internal/points/graph"
	"lapsvm/internal/points/neighbours"
	"lapsvm/internal/points/tiles"
	"lapsvm/kernel"
	"lapsvm/points"
)

// neighboursOfScale is how many neighbours at least tell the scale of the points.
const neighboursOfScale = 5

// onePass makes half of the matrix and finds the Euclidean neighbours in one pass of inner
// products, from which the kernel is computed. The pass is in float32 where float32 suffices for
// the kernel and tells neighbours apart. With an open width the matrix holds distances until the
// width is known.
//
// onePass leaves out what must be computed separately, the matrix or the neighbours too. That is so
// where products do not suffice for the kernel. It is also so where float32 distances would give
// other bits than the same request with its width given.
func onePass(ctx context.Context, p *points.Points, r Request) (*Opened, error) {
	if err := graph.CheckNeighbours(p, r.Neighbours); err != nil {
		return nil, err
	}
	open := kernel.Open(r.Kernel)
	if r.Precision == Double || p.Sparse() {
		if open && r.Precision == Single {
			return &Opened{}, nil
		}
		return passIn[float64](ctx, p, nil, r)
	}
	src, err := newSource[float32](ctx, p, r.Kernel)
	if err != nil {
		return nil, err
	}
	largest, k := src.left.Largest(), r.Kernel
	scale := neighbours.NewScale(p, min(max(r.Neighbours, neighboursOfScale), p.Len()-1))
	if open { // about so wide
		k = kernel.WithWidth(k, math.Sqrt(scale.Mean))
	}
	switch {
	case suffices[float32](p, largest, k) && scale.SingleResolves(largest, p.Dim()):
		return passIn(ctx, p, src, r)
	case open:
		return &Opened{}, nil
	}
	return passIn[float64](ctx, p, nil, r)
}

// passIn is onePass in T, with p laid out unless src is nil.
func passIn[T tiles.Float](ctx context.Context, p *points.Points, src *source[T], r Request) (*Opened, error) {
	var err error
	if src == nil {
		if src, err = newSource[T](ctx, p, r.Kernel); err != nil {
			return nil, err
		}
	}
	if !kernel.Open(r.Kernel) && !suffices[T](p, src.left.Largest(), r.Kernel) {
		return &Opened{}, nil
	}
	const mapAt = 0.95 // of the time, about
	h, nb, err := build(parallel.Share(ctx, 0, mapAt), p, src, r.Neighbours, r.Precision)
	if err != nil {
		return nil, err
	}
	o := &Opened{Matrix: h, Kernel: r.Kernel, Neighbours: nb}
	if nb != nil {
		o.Search = graph.Found{Recall: 1, Reason: "found in one pass with the Gram matrix"}
	}
	if !kernel.Open(r.Kernel) {
		return o, nil
	}
	if o.Kernel, err = withWidth(ctx, r.Kernel, nb); err == nil {
		if !suffices[T](p, src.left.Largest(), o.Kernel) {
			h.Close() // the width is less than the scale promised
			return &Opened{Neighbours: nb}, nil
		}
		err = h.mapDistances(parallel.Share(ctx, mapAt, 1), o.Kernel)
	}
	if err != nil {
		h.Close()
		return nil, err
	}
	return o, nil
}

// build computes half of the matrix of p, laid out in src. With k > 0 it also finds the k nearest
// neighbours from the same inner products. Where so many points are equal that the pass would find
// too many candidates, the neighbours are found beforehand. With a kernel of open width the matrix
// holds distances.
func build[T tiles.Float](ctx context.Context, p *points.Points, src *source[T], k int, precision Precision) (*Half, *graph.Neighbours, error) {
	var search *neighbours.Search[T]
	var nb *graph.Neighbours
	const fillAt, rankAt = 0.45, 0.9 // of the time, about
	filling := parallel.Share(ctx, 0, rankAt)
	if k > 0 {
		repeats, err := graph.HasRepeats(ctx, p, k)
		if err == nil && repeats {
			nb, err = graph.FindNeighbours(parallel.Share(ctx, 0, fillAt), p, k, graph.Euclidean)
			filling = parallel.Share(ctx, fillAt, rankAt)
		}
		if err != nil {
			return nil, nil, err
		}
		if !repeats {
			search = neighbours.New(p, src.right.Squares(), k, nil)
		}
	}
	h, err := newHalf(p.Len(), precision)
	if err != nil {
		return nil, nil, err
	}
	if err := fill(filling, h, src, search); err != nil {
		h.Close()
		return nil, nil, err
	}
	if err := h.checkDiagonal(src.kernel); err != nil {
		h.Close()
		return nil, nil, err
	}
	if search == nil {
		return h, nb, nil
	}
	index, distance, err := search.Ranked(parallel.Share(ctx, rankAt, 1))
	if err != nil {
		h.Close()
		return nil, nil, err
	}
	return h, &graph.Neighbours{K: k, Index: index, Distance: distance}, nil
}

// fill computes all tiles, and lets search read them before they are mapped.
func fill[T tiles.Float](ctx context.Context, h *Half, src *source[T], search *neighbours.Search[T]) error {
	defer runtime.KeepAlive(h)
	type scratch struct {
		search neighbours.Scratch[T]
		dots   []T
	}
	all := make([]scratch, parallel.Threads(ctx))
	direct, _ := h.stored.([]T) // nil where the storage is of another type
	return tiles.Each(ctx, src.left.Blocks(), func(worker, tile, bi, bj, next int) {
		w := &all[worker]
		var dots []T
		if direct != nil {
			dots = direct[tile*tileLength : (tile+1)*tileLength]
		} else {
			if w.dots == nil {
				w.dots = make([]T, tileLength)
			}
			dots = w.dots
		}
		src.statistics(dots, bi, bj, next)
		i0, i1 := src.left.Span(bi)
		j0, j1 := src.left.Span(bj)
		if search != nil {
			search.Add(&w.search, dots, tileSize, i0, i1, j0, j1)
		}
		src.symmetric(dots, bi, bj)
		if direct == nil { // float64 products into float32 storage
			vec.Narrow(h.stored.([]float32)[tile*tileLength:(tile+1)*tileLength], any(dots).([]float64))
		}
	})
}

// mapDistances turns a matrix that was built for a kernel of open width, and
// holds distances, into the Gram matrix of k.
func (h *Half) mapDistances(ctx context.Context, k kernel.Kernel) error {
	defer runtime.KeepAlive(h)
	if h.single != nil {
		return mapDistances(ctx, h.stored.([]float32), k)
	}
	return mapDistances(ctx, h.stored.([]float64), k)
}

func mapDistances[S tiles.Float](ctx context.Context, values []S, k kernel.Kernel) error {
	squared := k.Kind().Statistic == points.Products
	return parallel.Run(ctx, len(values)/tileLength, func(_, tile int) {
		var products []S
		for r := range tileSize {
			row := values[tile*tileLength+r*tileSize : tile*tileLength+(r+1)*tileSize]
			if !squared {
				mapRow(k, row, 0, row)
				continue
			}
			mapSquared(k, &products, row)
		}
	})
}
