package gram

import (
	"context"
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
	if _, linear := k.(kernel.Linear); linear && 4*p.Stored() < n*n {
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

// Open makes the Gram matrix of p in the form of the given choice. A Gaussian
// kernel of width 0 gets the mean distance between the neighbours, which must
// then be asked for. See [Build] for the rest.
func Open(ctx context.Context, p *points.Points, r Request, choice Choice) (*Opened, error) {
	o := &Opened{Choice: choice, Kernel: r.Kernel}
	gaussian, isGaussian := r.Kernel.(kernel.Gaussian)
	open := isGaussian && gaussian.Sigma == 0
	if open && r.Neighbours < 1 {
		panic("gram: a kernel width to be chosen without neighbours")
	}
	if choice.Form == FormHalf {
		if open {
			r.Kernel = nil
		}
		h, nb, err := Build(ctx, p, r)
		if err != nil {
			return nil, err
		}
		o.Matrix, o.Neighbours = h, nb
		if open {
			if err := o.chooseWidth(); err != nil {
				h.Close()
				return nil, err
			}
			err = h.Gaussian(ctx, o.Kernel.(kernel.Gaussian).Sigma)
		}
		return o, err
	}
	var err error
	if r.Neighbours > 0 {
		if o.Neighbours, err = graph.FindNeighbours(ctx, p, r.Neighbours, graph.Euclidean); err != nil {
			return nil, err
		}
		if open {
			if err := o.chooseWidth(); err != nil {
				return nil, err
			}
		}
	}
	if choice.Form == FormFeatures {
		o.Matrix = NewFeatures(p)
		return o, nil
	}
	o.Matrix, err = NewStreamed(ctx, p, o.Kernel, r.Precision)
	return o, err
}

func (o *Opened) chooseWidth() (err error) {
	o.Kernel, err = GaussianOf(o.Neighbours.MeanDistance())
	return err
}

// GaussianOf returns the Gaussian kernel whose width is a distance found in the
// data. It fails for the distance 0, which only equal points have.
func GaussianOf(distance float64) (kernel.Kernel, error) {
	if distance == 0 {
		return nil, fmt.Errorf("all neighbouring points are equal, so no kernel width can be chosen: give sigma, or look for constant data")
	}
	return kernel.Gaussian{Sigma: distance}, nil
}
