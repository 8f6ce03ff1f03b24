package gram

import (
	"context"

	"lapsvm/internal/numbers/objective"
	"lapsvm/internal/numbers/parallel"
	"lapsvm/internal/points/graph"
	"lapsvm/internal/system/fault"
	"lapsvm/kernel"
	"lapsvm/points"
)

// Matrix is an operator that holds memory until it is closed.
type Matrix interface {
	objective.Operator
	Close()
}

// Request says what [Open] is to make.
type Request struct {
	Kernel     kernel.Kernel     // its width may be open
	Precision  Precision         // storage; default Single
	Form       Form              // default FormHalf, and FormPrecomputed for the kernel of that name
	Neighbours int               // if positive, find so many Euclidean neighbours of every point too
	WidthAlone bool              // these serve an open width, and nothing else: the matrix is made as if none were asked for
	Search     graph.Search      // how they are sought where they are not found in one pass with the matrix; its Keep keeps FormLandmarks too
	Found      *graph.Neighbours // those found already, by any metric, for an open width; nil for none
	Landmarks  int               // of FormLandmarks: at most so many, drawn by the seed of the search
	Order      []int32           // of all points, in which FormLandmarks lays them out; nil for that of the search
	// Begin is called with the part that begins, PartNeighbours or PartMatrix, and returns the
	// context of that part; it may be nil.
	Begin func(ctx context.Context, part string) context.Context
}

// The parts of making a Gram matrix, in words. Where one pass makes both it is PartBoth.
const (
	PartNeighbours = "neighbours"
	PartTerms      = "neighbours by terms"
	PartBoth       = "neighbours and Gram matrix"
	PartMatrix     = "Gram matrix"
	PartLandmarks  = "landmarks"
)

// begin says that a part begins.
func (r Request) begin(ctx context.Context, part string) context.Context {
	if r.Begin == nil {
		return ctx
	}
	return r.Begin(ctx, part)
}

// Opened is a Gram matrix with what was found on the way.
type Opened struct {
	Matrix
	Landmarks  *Landmarks        // the same matrix, of FormLandmarks; nil for another form
	Kernel     kernel.Kernel     // with its width chosen
	Neighbours *graph.Neighbours // nil if none were asked for
	Search     graph.Found       // how they were found
}

// ErrNoWidth is that of points which have no scale.
var ErrNoWidth = fault.Errorf("all neighbouring points are equal, so no kernel width can be chosen: give sigma, or look for constant data")

// Open makes the Gram matrix of p, and finds the neighbours asked for. It does both in one pass
// where half of the matrix is stored and its kernel sees inner products. Otherwise the neighbours
// are found first. A kernel with an open width gets the mean distance between the neighbours, in
// the distance of its statistic. The neighbours must then be asked for or given. The matrix is, to
// the bit, that of the same request with the width given.
//
// It fails with [ErrNoWidth] if all neighbours are equal, if there are too few points for the
// neighbours asked, where [NewHalf] does, and when ctx is done. It panics where the kernel cannot
// be had in the form of r, or its width is open and there are no neighbours. Cost: that of the
// form, and n²·d/2 multiply-adds for neighbours unless one pass serves both.
func Open(ctx context.Context, p *points.Points, r Request) (*Opened, error) {
	if r.Precision == 0 {
		r.Precision = Single
	}
	f := formOf(r.Form, p, r.Kernel)
	statistic, made := r.Kernel.Kind().Statistic, &Opened{}
	var err error
	together := f.name == FormHalf && r.Neighbours > 0 && !r.WidthAlone && statistic == points.Products && p.Plain() == p
	inPart := ctx
	if together {
		inPart = r.begin(ctx, PartBoth)
		if made, err = onePass(inPart, p, r); err != nil || made.Matrix != nil {
			return made, err
		}
	}
	if r.Neighbours > 0 && made.Neighbours == nil {
		finding := parallel.Share(inPart, 0, 0.5)
		if inPart = parallel.Share(inPart, 0.5, 1); !together {
			finding = r.begin(ctx, PartNeighbours)
		}
		if made.Neighbours, made.Search, err = graph.Find(finding, p, r.Neighbours, graph.Euclidean, r.Search); err != nil {
			return nil, err
		}
	}
	if made.Kernel = r.Kernel; kernel.Open(r.Kernel) {
		nb := made.Neighbours
		switch {
		case nb == nil && r.Found == nil:
			panic("gram: a kernel width to be chosen without neighbours")
		case nb == nil:
			nb = r.Found.In(p, statistic)
		case statistic != points.Products:
			nb = nb.In(p, statistic)
		}
		if made.Kernel, err = withWidth(ctx, r.Kernel, nb); err != nil {
			return nil, err
		}
	}
	if together && r.Precision == Single && !p.Sparse() { // the neighbours have a say in the type of the products
		r.Kernel = made.Kernel
		if again, err := onePass(inPart, p, r); err != nil || again.Matrix != nil {
			return again, err
		}
	}
	if r.Order == nil && !r.WidthAlone {
		r.Order = made.Search.Order
	}
	if part := PartMatrix; !together {
		if f.name == FormLandmarks {
			part = PartLandmarks
		}
		inPart = r.begin(ctx, part)
	}
	if err = f.open(inPart, p, made.Kernel, r, made); err != nil {
		return nil, err
	}
	return made, nil
}

// withWidth returns k with the mean distance of neighbours for its width.
func withWidth(ctx context.Context, k kernel.Kernel, nb *graph.Neighbours) (kernel.Kernel, error) {
	width, err := nb.MeanDistance(ctx)
	if err != nil {
		return nil, err
	}
	if width == 0 {
		return nil, ErrNoWidth
	}
	k = kernel.WithWidth(k, width)
	return k, k.Validate()
}
