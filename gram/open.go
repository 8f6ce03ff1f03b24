package gram

import (
	"context"
	"errors"
	"fmt"

	"lapsvm/graph"
	"lapsvm/internal/size"
	"lapsvm/kernel"
	"lapsvm/objective"
	"lapsvm/points"
)

// Form is a way of having a Gram matrix.
type Form string

// The forms that [Choose] knows.
const (
	FormHalf     Form = "half"
	FormStreamed Form = "streamed"
	FormFeatures Form = "features"
)

// Choice is the form for a Gram matrix, what it takes, and why it was chosen.
type Choice struct {
	Form   Form
	Bytes  int64 // memory on top of the points
	Reason string
}

// Choose decides how to have the Gram matrix of p in the given memory, in
// bytes, 0 meaning any: by its features for the linear kernel, where a product
// with the points reads less than one with the matrix; else half of it stored;
// else computed anew for every product, unless rows says that whole rows are
// needed. It fails where nothing fits.
func Choose(p *points.Points, k kernel.Kernel, precision Precision, memory int64, rows bool) (Choice, error) {
	n, half := p.Len(), HalfBytes(p.Len(), precision)
	sides := int64(0)
	if !p.Sparse() {
		sides = 2 * int64(p.Stored()) * int64(precision/8)
	}
	allowed := "any memory"
	if memory > 0 {
		allowed = size.Text(memory)
	}
	if k.Kind().Linear && 4*p.Stored() < n*n {
		return Choice{FormFeatures, 0, fmt.Sprintf("the linear kernel multiplies by the %d stored values of the points", p.Stored())}, nil
	}
	if memory <= 0 || half+sides <= memory {
		return Choice{FormHalf, half + sides, fmt.Sprintf("half of the matrix takes %s of %s", size.Text(half), allowed)}, nil
	}
	if sides > memory || rows {
		return Choice{}, fmt.Errorf("the Gram matrix of %d points takes %s, but %s may be used: take fewer points, precision 32, the solver pcg, or allow more memory",
			n, size.Text(half+sides), allowed)
	}
	return Choice{FormStreamed, sides, fmt.Sprintf("half of the matrix would take %s of %s, so every product computes it anew", size.Text(half), allowed)}, nil
}

// Matrix is an operator that holds memory until it is closed.
type Matrix interface {
	objective.Operator
	Close()
}

// Opened is a Gram matrix with what was found on the way.
type Opened struct {
	Matrix
	Choice     Choice
	Kernel     kernel.Kernel     // with its width chosen
	Neighbours *graph.Neighbours // nil if none were asked for
}

// ErrNoWidth is that of points which have no scale.
var ErrNoWidth = errors.New("all neighbouring points are equal, so no kernel width can be chosen: give sigma, or look for constant data")

// Open makes the Gram matrix of p in the form of the given choice, and finds the
// neighbours asked for: in one pass where half of the matrix is stored and its
// kernel sees inner products, else beforehand. A kernel whose width is open gets
// the mean distance between the neighbours, which must then be asked for or be
// there: that distance which belongs to its statistic. It fails with
// [ErrNoWidth] where they are all equal. See [Build] for the rest.
func Open(ctx context.Context, p *points.Points, r Request, choice Choice) (*Opened, error) {
	o := &Opened{Choice: choice, Kernel: r.Kernel}
	statistic := r.Kernel.Kind().Statistic
	together := choice.Form == FormHalf && statistic == points.Products
	var err error
	if r.Neighbours > 0 && !together {
		if o.Neighbours, err = graph.FindNeighbours(ctx, p, r.Neighbours, graph.Euclidean); err != nil {
			return nil, err
		}
		r.Neighbours = 0
	}
	if kernel.Open(r.Kernel) {
		switch {
		case r.Found != nil:
			r.Kernel, err = withWidth(r.Kernel, r.Found.In(p, statistic))
		case r.Neighbours > 0: // the pass leaves distances
		case o.Neighbours == nil:
			panic("gram: a kernel width to be chosen without neighbours")
		case statistic == points.Products:
			r.Kernel, err = withWidth(r.Kernel, o.Neighbours)
		default:
			r.Kernel, err = withWidth(r.Kernel, o.Neighbours.In(p, statistic))
		}
		if err != nil {
			return nil, err
		}
	}
	o.Kernel = r.Kernel
	switch choice.Form {
	case FormHalf:
		err = o.half(ctx, p, r)
	case FormFeatures:
		o.Matrix = NewFeatures(p)
	default:
		o.Matrix, err = NewStreamed(ctx, p, o.Kernel, r.Precision)
	}
	if err != nil {
		return nil, err
	}
	return o, nil
}

// half builds half of the matrix, finds the neighbours that are still asked for,
// and then the width that is still open.
func (o *Opened) half(ctx context.Context, p *points.Points, r Request) error {
	h, nb, err := Build(ctx, p, r)
	if err != nil {
		return err
	}
	o.Matrix = h
	if nb != nil {
		o.Neighbours = nb
	}
	if kernel.Open(r.Kernel) {
		if o.Kernel, err = withWidth(r.Kernel, nb); err == nil {
			err = h.mapDistances(ctx, o.Kernel)
		}
	}
	if err != nil {
		h.Close()
	}
	return err
}

// withWidth returns k with the mean distance of neighbours for its width.
func withWidth(k kernel.Kernel, nb *graph.Neighbours) (kernel.Kernel, error) {
	width := nb.MeanDistance()
	if width == 0 {
		return nil, ErrNoWidth
	}
	return kernel.WithWidth(k, width), nil
}
