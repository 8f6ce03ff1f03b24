package describe

import (
	"math"

	"lapsvm/points"
)

// Sides are brought to leastSide … greatestSide dots, each by itself, before a picture is
// described.
const (
	leastSide    = 24
	greatestSide = 48
)

// Beyond is the greatest magnitude that a value counts as, in deviations of the sample.
const Beyond = 1 << 10

// Prepared returns the shape in which pictures are described.
func Prepared(s Shape) Shape {
	s.Width = min(max(s.Width, leastSide), greatestSide)
	s.Height = min(max(s.Height, leastSide), greatestSide)
	return s
}

// reader reads pictures of a table for one goroutine.
type reader struct {
	from, to      Shape
	shift, factor float64
	across, down  resampling
	values        []float64
	single, half  []float32
}

func newReader(s Shape, shift, factor float64) *reader {
	to := Prepared(s)
	return &reader{
		from: s, to: to, shift: shift, factor: factor,
		across: newResampling(s.Width, to.Width), down: newResampling(s.Height, to.Height),
		single: make([]float32, s.Width), half: make([]float32, to.Width),
	}
}

// read writes the picture in row i of a table, a plane of dots for each colour, one after the
// other: shifted, multiplied and brought to the prepared size.
func (r *reader) read(dst []float32, p *points.Points, i int) {
	r.values = row(p, i, r.values)
	clear(dst)
	plane, colours := r.to.Width*r.to.Height, r.from.Colours
	for c := range colours {
		for y := range r.from.Height {
			line := r.values[y*r.from.Width*colours:]
			for x := range r.single {
				r.single[x] = float32(min(max((line[x*colours+c]-r.shift)*r.factor, -Beyond), Beyond))
			}
			r.across.line(r.half, r.single)
			for _, t := range r.down[y] {
				out := dst[c*plane+t.to*r.to.Width:]
				for x, v := range r.half {
					out[x] += float32(t.weight * v)
				}
			}
		}
	}
}

// row returns row i of a table, zeros included. It may write to scratch.
func row(p *points.Points, i int, scratch []float64) []float64 {
	if len(scratch) < p.Dim() {
		scratch = make([]float64, p.Dim())
	}
	p.CopyRow(scratch[:p.Dim()], i)
	return scratch[:p.Dim()]
}

// share is what one of a line's dots gives to a dot of the resampled line.
type share struct {
	to     int
	weight float32
}

// resampling has the shares of every dot of a line. The shares that a resampled dot gets have the sum 1.
// A longer line is interpolated linearly between the centres of dots. A shorter one has the means
// over its dots, which may be parts of dots.
type resampling [][]share

func newResampling(from, to int) resampling {
	r := make(resampling, from)
	step := float64(from) / float64(to)
	for t := range to {
		begin, end := float64(t)*step, float64(t+1)*step
		if to >= from {
			centre := min(max((begin+end)/2-0.5, 0), float64(from-1))
			k := int(centre)
			part := centre - float64(k)
			r.add(k, t, 1-part)
			r.add(k+1, t, part)
			continue
		}
		for k := int(begin); k < from && float64(k) < end; k++ {
			r.add(k, t, (min(end, float64(k+1))-max(begin, float64(k)))/step)
		}
	}
	return r
}

// Resampling returns the weights by which a line of dots is brought to another length, row after
// row: dot t of the new line is the sum over x of the weight (x, t) times dot x.
func Resampling(from, to int) []float32 {
	weights := make([]float32, from*to)
	for x, shares := range newResampling(from, to) {
		for _, s := range shares {
			weights[x*to+s.to] = s.weight
		}
	}
	return weights
}

func (r resampling) add(from, to int, weight float64) {
	if weight > 0 && from < len(r) {
		r[from] = append(r[from], share{to, float32(weight)})
	}
}

// line resamples a line.
func (r resampling) line(dst, src []float32) {
	if len(dst) == len(src) {
		copy(dst, src)
		return
	}
	clear(dst)
	for x, v := range src {
		for _, t := range r[x] {
			dst[t.to] += float32(t.weight * v)
		}
	}
}

func finite(x float64) bool { return math.Abs(x) <= math.MaxFloat64 }

func allFinite(x []float32) bool {
	for _, v := range x {
		if !finite(float64(v)) {
			return false
		}
	}
	return true
}
