package describe

import (
	"math"

	"lapsvm/points"
)

// Sides are brought to leastSide … greatestSide pixels, each by itself, before a picture is
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
	from, to       Shape
	shift, factor  float64
	by             placing
	across, down   resampling
	values         []float64
	pixels         []float32 // a plane for each colour
	half           []float32 // a plane with lines of the prepared width
	edge           []int     // pixels at the border
	border, ground []float32
}

func newReader(s Shape, shift, factor float64, by placing) *reader {
	to := Prepared(s)
	r := &reader{
		from: s, to: to, shift: shift, factor: factor, by: by,
		across: newResampling(s.Width, to.Width), down: newResampling(s.Height, to.Height),
		pixels: make([]float32, s.Inputs()), half: make([]float32, s.Height*to.Width), ground: make([]float32, s.Colours),
	}
	if by != asTheyAre {
		r.edge = Border(s)
	}
	return r
}

// read writes the picture in row i of a table, a plane of pixels for each colour, one after the
// other: shifted, multiplied and brought to the prepared size. What is outside of the picture is ground.
func (r *reader) read(dst []float32, p *points.Points, i int) placed {
	r.values = row(p, i, r.values)
	w, h, colours := r.from.Width, r.from.Height, r.from.Colours
	for c := range colours {
		for k := range w * h {
			r.pixels[c*w*h+k] = float32(min(max((r.values[k*colours+c]-r.shift)*r.factor, -Beyond), Beyond))
		}
	}
	var at placed
	if r.by != asTheyAre {
		if at = r.place(); r.by == framed {
			at = placed{plain: at.plain}
		}
		r.down = r.down[:0].framed(h, r.to.Height, at.row)
		r.across = r.across[:0].framed(w, r.to.Width, at.column)
	}
	size := r.to.Width * r.to.Height
	for c := range colours {
		plane := dst[c*size : (c+1)*size]
		for k := range plane {
			plane[k] = r.ground[c]
		}
		for y := range h {
			if at.slant != 0 {
				r.across = r.across[:0].framed(w, r.to.Width, at.column+float64(at.slant*(float64(y)-float64(h-1)/2-at.row)))
			}
			r.across.line(r.half[y*r.to.Width:(y+1)*r.to.Width], r.pixels[(c*h+y)*w:(c*h+y+1)*w])
		}
		for _, t := range r.down {
			in, out := r.half[int(t.from)*r.to.Width:][:r.to.Width], plane[int(t.to)*r.to.Width:][:r.to.Width]
			for x, v := range in {
				out[x] += float32(t.weight * v)
			}
		}
	}
	return at
}

// row returns row i of a table, zeros included. It may write to scratch.
func row(p *points.Points, i int, scratch []float64) []float64 {
	if len(scratch) < p.Dim() {
		scratch = make([]float64, p.Dim())
	}
	p.CopyRow(scratch[:p.Dim()], i)
	return scratch[:p.Dim()]
}

// contribution is what one of a line's pixels gives to a pixel of the resampled line.
type contribution struct {
	from, to int32
	weight   float32
}

// resampling has the shares of the pixels of a line. Those that a resampled pixel gets have the sum 1, less what lies beyond the ends of the line.
type resampling []contribution

// newResampling brings a line to another length. A longer line is interpolated linearly between the centres of pixels. A shorter
// one has the means over its pixels, which may be parts of pixels.
func newResampling(from, to int) resampling {
	var r resampling
	step := float64(from) / float64(to)
	if to < from {
		return r.means(from, to, 0, step)
	}
	for t := range to {
		r.between(from, t, min(max((float64(t)+0.5)*step-0.5, 0), float64(from-1)))
	}
	return r
}

// framed adds the shares of a line in a frame FrameSide times as long, so many pixels to the right of the line's middle.
func (r resampling) framed(from, to int, right float64) resampling {
	step := FrameSide * float64(from) / float64(to)
	begin := float64(from)/2 + right - step*float64(to)/2
	if step > 1 {
		return r.means(from, to, begin, step)
	}
	for t := range to {
		r.between(from, t, begin+float64((float64(t)+0.5)*step)-0.5)
	}
	return r
}

// means adds the shares by which new pixels are means over steps of a line, the first from a place on.
func (r resampling) means(from, to int, begin, step float64) resampling {
	for t := range to {
		least, most := begin+float64(float64(t)*step), begin+float64(float64(t+1)*step)
		for k := max(int(least), 0); k < from && float64(k) < most; k++ {
			r.add(k, t, (min(most, float64(k+1))-max(least, float64(k)))/step)
		}
	}
	return r
}

// between adds the shares of the two pixels around the place of a new pixel.
func (r *resampling) between(from, to int, place float64) {
	k := int(math.Floor(place))
	part := place - float64(k)
	if k >= 0 && k < from {
		r.add(k, to, 1-part)
	}
	if k+1 >= 0 && k+1 < from {
		r.add(k+1, to, part)
	}
}

// Resampling returns the weights by which a line of pixels is brought to another length, row after
// row: dot t of the new line is the sum over x of the weight (x, t) times dot x.
func Resampling(from, to int) []float32 {
	weights := make([]float32, from*to)
	for _, s := range newResampling(from, to) {
		weights[int(s.from)*to+int(s.to)] = s.weight
	}
	return weights
}

func (r *resampling) add(from, to int, weight float64) {
	if weight > 0 {
		*r = append(*r, contribution{int32(from), int32(to), float32(weight)})
	}
}

// line resamples a line.
func (r resampling) line(dst, src []float32) {
	clear(dst)
	for _, t := range r {
		dst[t.to] += float32(t.weight * src[t.from])
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
