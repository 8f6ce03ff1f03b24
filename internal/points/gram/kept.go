package gram

import (
	"context"
	"slices"

	"lapsvm/internal/numbers/linalg"
	"lapsvm/internal/numbers/tall"
	"lapsvm/internal/numbers/vec"
	"lapsvm/internal/points/checkpoint"
	"lapsvm/kernel"
	"lapsvm/points"
)

// keptLandmarks is what is kept of landmarks beside their numbers: R, Δ and Φ.
type keptLandmarks struct {
	Rows      []int
	Precision Precision
}

// LandmarksKept makes the matrix of p from drawn landmarks, with their numbers in rows, as
// [LandmarksAt] and [Landmarks.Transform] do. The folder r.Search.Keep keeps the result; nil keeps nothing. Ranks
// open the folder together. The request gives the number and the seed of the draw, the precision
// and the order. Kernels of a program's own are not kept: nothing identifies them.
func LandmarksKept(ctx context.Context, p, drawn *points.Points, rows []int, k kernel.Kernel, r Request) (*Landmarks, error) {
	made := func() (*Landmarks, error) {
		l, err := LandmarksAt(ctx, drawn, rows, k, r.Precision)
		if err != nil {
			return nil, err
		}
		return l.Transform(ctx, p, r.Order)
	}
	if r.Search.Keep == nil || kernel.Custom(k) {
		return made()
	}
	var kept keptLandmarks
	part := checkpoint.Part{Name: "landmarks", Contents: &kept, Settings: struct {
		Kernel     string
		Parameters kernel.Parameters
		Landmarks  int
		Seed       uint64
		Precision  Precision
		Ordered    bool
	}{k.Kind().Name, k.Parameters(), r.Landmarks, r.Search.Seed, r.Precision, r.Order != nil}}
	var l *Landmarks
	there, err := r.Search.Keep.Read(ctx, part, func() ([]any, error) {
		var err error
		l, err = reserveLandmarks(p, k, len(kept.Rows), kept.Precision)
		if err != nil {
			return nil, err
		}
		l.rows, l.order = slices.Clone(kept.Rows), r.Order
		return l.numbers(), nil
	})
	if err != nil {
		if l != nil {
			l.Close()
		}
		return nil, err
	}
	if there {
		at := make([]int, len(l.rows))
		for r, row := range l.rows {
			at[r], _ = slices.BinarySearch(rows, row)
		}
		l.basis = drawn.Subset(at)
		return l, nil
	}
	if l, err = made(); err != nil {
		return nil, err
	}
	kept = keptLandmarks{l.rows, l.Precision()}
	if err := r.Search.Keep.Write(ctx, part, l.numbers()...); err != nil {
		l.Close()
		return nil, err
	}
	return l, nil
}

// reserveLandmarks returns landmarks whose numbers are to be filled in.
func reserveLandmarks(p *points.Points, k kernel.Kernel, m int, precision Precision) (*Landmarks, error) {
	l := &Landmarks{kernel: k, root: linalg.New(m, m), precision: precision, delta: make([]float64, p.Len())}
	var err error
	if precision == Double {
		l.double, err = reserveFeatures[float64](p.Len(), m)
	} else {
		l.single, err = reserveFeatures[float32](p.Len(), m)
	}
	return l, err
}

// numbers returns R, Δ and Φ.
func (l *Landmarks) numbers() []any {
	all := []any{l.root.Data, l.delta}
	if l.double != nil {
		return append(all, allOf(l.double))
	}
	return append(all, allOf(l.single))
}

func allOf[T vec.Float](phi *tall.Matrix[T]) []T { return phi.Rows(0, phi.Len()) }
