package graph

import (
	"context"
	"fmt"
	"math"

	"lapsvm/internal/points/neighbours"
	"lapsvm/internal/system/fault"
	"lapsvm/points"
)

// Index finds the nearest of its points to new ones, approximately. It is immutable and
// safe for concurrent use.
type Index struct {
	metric Metric
	few    thinned
	index  *neighbours.Index
}

// NewIndex makes the index of points in a metric, Euclidean or Cosine. The recall asked is that of the k nearest to a
// new point, who can have up to most neighbours; Found tells what it is. It fails for a metric of given values, for points whose squared distances are
// beyond float64, and when ctx is done. Cost: 384·n·d multiply-adds for the measured recall, and 2·n·√n products of 32
// numbers at most.
func NewIndex(ctx context.Context, p *points.Points, k, most int, metric Metric, search Search) (*Index, error) {
	search, err := search.WithDefaults()
	if err != nil {
		return nil, err
	}
	if metric.Given() {
		return nil, fault.Errorf("there is no index by given values: choose euclidean or cosine")
	}
	s, err := newSpace(ctx, p, most, metric)
	if err != nil {
		return nil, err
	}
	if metric != Cosine && s.ranking != nil {
		return nil, fault.Errorf("the points are too large or too small for an index: scale them")
	}
	x := &Index{metric: metric, few: s.few}
	asked, err := s.asked(ctx, k, s.bytes(k), search)
	if err != nil {
		return nil, err
	}
	x.index, err = neighbours.NewIndex(ctx, asked, most)
	return x, err
}

// IndexParts is what an index is made of beside its points and metric, as plain data
// that can be kept: indices and numbers in slices.
type IndexParts = neighbours.Index

// Parts returns what the index is made of. It must not be changed.
func (x *Index) Parts() *IndexParts { return x.index }

// OpenIndex makes an index again, of its parts, its points and their metric. It fails
// where the parts do not fit the points and when ctx is done. Cost: one pass over the
// points; parts without cells, as older programs kept them, cost what [NewIndex] does.
func OpenIndex(ctx context.Context, p *points.Points, metric Metric, parts *IndexParts) (*Index, error) {
	if parts.Start == nil {
		return NewIndex(ctx, p, parts.K, parts.K, metric, Search{})
	}
	s, err := newSpace(ctx, p, parts.K, metric)
	if err != nil {
		return nil, err
	}
	x := &Index{metric: metric, few: s.few}
	x.index, err = parts.Attach(ctx, s.points, metric == Cosine)
	return x, err
}

// Found tells of the search: its recall was measured on points of the index, each left
// out.
func (x *Index) Found() Found {
	return Found{Approximate: true, Recall: x.index.Recall, RecallError: x.index.Error, Cells: len(x.index.Start) - 1, Looks: int(math.Ceil(float64(x.index.Looks))), Reason: "in the cells with the nearest centres"}
}

// Nearest returns the k nearest points of the index to every row of q, nearest first,
// and their distances, which are direct and in double as those of [FindNeighbours]; of
// equal points the first count. It fails for a k outside 1 to that of the index, for
// another number of columns and when ctx is done. What is found for a row does not depend on the others.
func (x *Index) Nearest(ctx context.Context, q *points.Points, k int) (*Neighbours, error) {
	if k < 1 || k > x.index.K {
		return nil, fmt.Errorf("the index finds from 1 to %d neighbours, not %d", x.index.K, k)
	}
	if x.metric == Cosine {
		q = points.Scaling{Kind: points.UnitNorm}.Apply(q)
	}
	index, distance, err := x.index.Nearest(ctx, q, k)
	if err != nil {
		return nil, err
	}
	if x.few.kept != nil {
		for c, j := range index {
			index[c] = int32(x.few.kept[j])
		}
	}
	return &Neighbours{K: k, Index: index, Distance: distance}, nil
}
