package describe

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"lapsvm/internal/numbers/parallel"
	"lapsvm/internal/numbers/vec"
	"lapsvm/points"
)

// Shape is that of the pictures in a table: a row has Width×Height pixels, row by row from the top.
// A pixel has Colours values, 1 or 3, next to each other.
type Shape struct{ Width, Height, Colours int }

// Inputs returns the number of values of a picture.
func (s Shape) Inputs() int { return s.Width * s.Height * s.Colours }

// maxSide is the largest width and height of a picture.
const maxSide = 1 << 14

// Validate returns an error for a shape that no picture has.
func (s Shape) Validate() error {
	if s.Width < 1 || s.Height < 1 || s.Width > maxSide || s.Height > maxSide {
		return fmt.Errorf("pictures of %d×%d dots: sides have 1 to %d", s.Width, s.Height, maxSide)
	}
	if s.Colours != 1 && s.Colours != 3 {
		return fmt.Errorf("pictures of %d colours: they have 1 or 3", s.Colours)
	}
	return nil
}

// kind is a description as it is before it has learned.
type kind struct {
	name string

	// learn returns the filters, or nil for none, from pictures of the given shape.
	learn func(ctx context.Context, s Shape, pictures []float32, random *rand.Rand) ([]float32, error)

	// open returns a describer of pictures of the given shape.
	open func(s Shape, filters []float32) describer

	// filters returns how many numbers the filters have for the given shape.
	filters func(s Shape) int
}

// describer computes the numbers of a picture. It has scratch memory, for one goroutine.
type describer interface {
	numbers() int
	describe(dst, picture []float32)
}

// kinds returns the descriptions of pictures there are.
func kinds() []kind {
	return []kind{{
		name:    HOG,
		learn:   func(context.Context, Shape, []float32, *rand.Rand) ([]float32, error) { return nil, nil },
		open:    func(s Shape, _ []float32) describer { return newGradients(s) },
		filters: func(Shape) int { return 0 },
	}, {
		name:    Patches,
		learn:   learnFilters,
		open:    func(s Shape, filters []float32) describer { return newPatches(s, filters) },
		filters: func(s Shape) int { return FilterCount * patchLength(s) },
	}, {
		name:    RawPixels,
		learn:   func(context.Context, Shape, []float32, *rand.Rand) ([]float32, error) { return nil, nil },
		open:    func(s Shape, _ []float32) describer { return rawPixels(s.Inputs()) },
		filters: func(Shape) int { return 0 },
	}}
}

// Pictures lists the descriptions of pictures.
func Pictures() (names []string) {
	for _, k := range kinds() {
		names = append(names, k.name)
	}
	return names
}

// find returns the description with a name.
func find(name string) (*kind, error) {
	for _, k := range kinds() {
		if k.name == name {
			return &k, nil
		}
	}
	return nil, fmt.Errorf("no description is called %q: there are %s", name, strings.Join(Pictures(), ", "))
}

// OfPictures is what Learn learned of pictures, plain data.
type OfPictures struct {
	Shape         Shape
	Shift, Factor float64 // of values: (x − Shift)·Factor has mean 0 and deviation 1 over the sample
	Aligned       bool    // pictures are moved so that what is seen has its centre in the middle, and made upright
	Parts
}

func (d *OfPictures) of(parts Parts) Description {
	some := *d
	some.Parts = parts
	return &some
}

// Inputs returns the number of values of a picture.
func (d *OfPictures) Inputs() int { return d.Shape.Inputs() }

// Terms returns nil: pictures have no words.
func (d *OfPictures) Terms(*points.Points) *points.Points { return nil }

// Validate returns an error for a description that Learn cannot have learned.
func (d *OfPictures) Validate() error {
	if len(d.Parts) == 0 {
		return fmt.Errorf("a description without parts")
	}
	if err := d.Shape.Validate(); err != nil {
		return err
	}
	if !finite(d.Shift) || !finite(d.Factor) || d.Factor <= 0 {
		return fmt.Errorf("values are shifted by %g and multiplied by %g", d.Shift, d.Factor)
	}
	prepared := Prepared(d.Shape)
	for k := range d.Parts {
		p := &d.Parts[k]
		kind, err := find(p.Name)
		if err != nil {
			return err
		}
		if slices.ContainsFunc(d.Parts[:k], func(other Part) bool { return other.Name == p.Name }) {
			return fmt.Errorf("%s is described twice", p.Name)
		}
		if want := kind.filters(prepared); len(p.Filters) != want {
			return fmt.Errorf("%s has filters of %d numbers in place of %d", p.Name, len(p.Filters), want)
		}
		if !allFinite(p.Filters) || !allFinite(p.Mean) || !allFinite(p.Components) {
			return fmt.Errorf("%s has numbers that are not finite", p.Name)
		}
		if want := kind.open(prepared, p.Filters).numbers(); len(p.Mean) != want {
			return fmt.Errorf("%s has a mean of %d numbers in place of %d", p.Name, len(p.Mean), want)
		}
		if len(p.Components) == 0 || len(p.Components)%len(p.Mean) != 0 || p.Dim() > maxComponents {
			return fmt.Errorf("%s has components of %d numbers for %d each", p.Name, len(p.Components), len(p.Mean))
		}
	}
	return nil
}

// Rows are described in pieces, and pieces are brought to components together.
const (
	pieceRows = 16
	chunkRows = 64 * pieceRows
)

// Apply describes the pictures of a table with Inputs columns. The result is dense, of float32,
// with Dim columns. The bits of a row depend on the row alone. Values more than 1,024 deviations
// from the mean of the sample count as so many. Beside the result it needs memory for the numbers
// of 1,024 pictures, some 12 MB. Cost of a picture of 28×28: 50,000 multiply-adds for hog, at most 4
// million for patches, of which flat ones cost nothing. It fails for another number of columns, and once
// ctx is done.
func (d *OfPictures) Apply(ctx context.Context, p *points.Points) (*points.Points, error) {
	if p.Dim() != d.Inputs() {
		return nil, fmt.Errorf("rows of %d values are no pictures of %d×%d dots and %d colours", p.Dim(), d.Shape.Width, d.Shape.Height, d.Shape.Colours)
	}
	n, dim, numbers := p.Len(), d.Dim(), 0
	for k := range d.Parts {
		numbers += len(d.Parts[k].Mean)
	}
	workers := make([]*worker, parallel.Threads(ctx))
	raw := make([]float32, min(n, chunkRows)*numbers)
	described := make([]float32, n*dim)
	pieces := (n + pieceRows - 1) / pieceRows
	for from := 0; from < n; from += chunkRows {
		rows := min(chunkRows, n-from)
		part := parallel.Part(ctx, from/pieceRows, pieces)
		err := parallel.Run(part, (rows+pieceRows-1)/pieceRows, func(w, piece int) {
			if workers[w] == nil {
				workers[w] = d.newWorker()
			}
			for i := piece * pieceRows; i < min(rows, (piece+1)*pieceRows); i++ {
				workers[w].describe(raw[i*numbers:(i+1)*numbers], p, from+i)
			}
		})
		if err != nil {
			return nil, err
		}
		in, out := 0, 0
		for k := range d.Parts {
			length, m := len(d.Parts[k].Mean), d.Parts[k].Dim()
			err := vec.Gemm(ctx, false, false, rows, m, length, 1, raw[in:], numbers, d.Parts[k].Components, m, 0, described[from*dim+out:], dim)
			if err != nil {
				return nil, err
			}
			in, out = in+length, out+m
		}
	}
	return points.Dense32(n, dim, described), nil
}

// worker describes pictures on one goroutine.
type worker struct {
	d       *OfPictures
	reader  *reader
	picture []float32
	parts   []describer
}

func (d *OfPictures) newWorker() *worker {
	r := newReader(d.Shape, d.Shift, d.Factor, d.placing())
	w := &worker{d: d, reader: r, picture: make([]float32, r.to.Inputs())}
	for k := range d.Parts {
		kind, err := find(d.Parts[k].Name)
		if err != nil {
			panic("describe: " + err.Error())
		}
		w.parts = append(w.parts, kind.open(r.to, d.Parts[k].Filters))
	}
	return w
}

// describe writes the numbers of row i less their means, part after part.
func (w *worker) describe(dst []float32, p *points.Points, i int) {
	w.reader.read(w.picture, p, i)
	for k, part := range w.parts {
		mean := w.d.Parts[k].Mean
		numbers := dst[:len(mean)]
		part.describe(numbers, w.picture)
		for j, m := range mean {
			numbers[j] -= m
		}
		dst = dst[len(mean):]
	}
}
