package describe

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"lapsvm/internal/numbers/parallel"
	"lapsvm/points"
)

// The settings of aligned pictures.
const (
	FrameSide   = 1.2 // of the frame, in sides of the picture: what is moved stays inside
	MostSlant   = 1   // columns a line, to either side
	plainGround = 1.0 / 3
	alignedRows = 400  // most pictures by which it is decided whether to align
	farthest    = 1.02 // g of aligned pictures, of that at rest
)

// placing says from where pictures are read.
type placing int

const (
	asTheyAre placing = iota // the picture
	framed                   // a frame around the picture's middle
	aligned                  // a frame around what is seen, made upright
)

// placing returns from where the description reads pictures.
func (d *OfPictures) placing() placing {
	if d.Aligned {
		return aligned
	}
	return asTheyAre
}

// placed is where the picture of a reader lies.
type placed struct {
	column, row float64 // of its centre of mass, from the middle of the picture
	slant       float64 // columns by which what is seen leans to the right, for each row
	plain       float64 // how much the border varies, beside the picture
}

// place subtracts the ground from the pixels of a picture, and returns where what is seen lies.
//
// The ground g of a colour is the median of the values at the border. Dot (x, y) with the values v weighs w = Σ (v − g)² over
// colours, and with means by these weights
//
//	column = x̄,   row = ȳ,   slant = Σ w(x − x̄)(y − ȳ)/Σ w(y − ȳ)²   within ±1
//
// x and y are counted from the middle of the picture. plain is the median of |v − g| at the border over √(mean (v − g)²) of the picture,
// the largest of its colours.
func (r *reader) place() placed {
	w, h := r.from.Width, r.from.Height
	var sum, sx, sy, sxy, syy, plain float64
	for c := range r.from.Colours {
		pixels := r.pixels[c*w*h : (c+1)*w*h]
		r.border = r.border[:0]
		for _, k := range r.edge {
			r.border = append(r.border, pixels[k])
		}
		ground := median(r.border)
		r.ground[c] = ground
		before := sum
		for y := range h {
			fy := float64(y) - float64(h-1)/2
			var line, first, second float64
			for x, v := range pixels[y*w : (y+1)*w] {
				v -= ground
				pixels[y*w+x] = v
				weight, fx := float64(v)*float64(v), float64(x)-float64(w-1)/2
				line += weight
				first += float64(weight * fx)
			}
			second = float64(line * fy)
			sum, sx, sy = sum+line, sx+first, sy+second
			sxy, syy = sxy+float64(first*fy), syy+float64(second*fy)
		}
		for k, v := range r.border {
			r.border[k] = max(v-ground, ground-v)
		}
		if own := sum - before; own > 0 {
			plain = max(plain, float64(median(r.border))/math.Sqrt(own/float64(w*h)))
		}
	}
	if sum == 0 {
		return placed{}
	}
	x, y := sx/sum, sy/sum
	p := placed{column: x, row: y, plain: plain}
	if wide := syy/sum - float64(y*y); wide > 0 {
		p.slant = min(max((sxy/sum-float64(x*y))/wide, -MostSlant), MostSlant)
	}
	return p
}

// Border lists the pixels at the border of pictures, ascending.
func Border(s Shape) (pixels []int) {
	for k := range s.Width * s.Height {
		if x, y := k%s.Width, k/s.Width; x == 0 || y == 0 || x == s.Width-1 || y == s.Height-1 {
			pixels = append(pixels, k)
		}
	}
	return pixels
}

// median returns the median of values, which it sorts.
func median(values []float32) float32 {
	slices.Sort(values)
	n := len(values)
	return values[(n-1)/2]/2 + values[n/2]/2
}

// alignable reports whether pictures are described better aligned. They show something on a plain ground: the border varies less than a third as
// much as the picture, in the median picture. And g of [Part.weigh] by oriented gradients grows by 2 % at most when
// they are aligned in the same frame. Some hundred pictures tell g to a hundredth or two. So no label is needed. At most 400 of the rows are looked at, drawn of more; fewer than
// ten stay as they are.
func alignable(ctx context.Context, d *OfPictures, p *points.Points, rows []int, random *rand.Rand) (bool, error) {
	if len(rows) > alignedRows {
		some := sample(len(rows), alignedRows, random)
		for k, i := range some {
			some[k] = rows[i]
		}
		rows = some
	}
	n := len(rows)
	if n < fewestFound {
		return false, nil
	}
	size := Prepared(d.Shape).Inputs()
	plain, pictures := make([]float64, n), make([]float32, n*size)
	var gap [2]float64
	for k, by := range [...]placing{framed, aligned} {
		readers := make([]*reader, parallel.Threads(ctx))
		err := parallel.Step(ctx, n, func(w, i int) {
			if readers[w] == nil {
				readers[w] = newReader(d.Shape, d.Shift, d.Factor, by)
			}
			plain[i] = readers[w].read(pictures[i*size:(i+1)*size], p, rows[i]).plain
		})
		if err != nil {
			return false, err
		}
		if slices.Sort(plain); plain[n/2] >= plainGround {
			return false, nil
		}
		part := Part{Name: HOG}
		numbers, length, err := described(ctx, pictures, size, func() describer { return newGradients(Prepared(d.Shape)) })
		if err != nil {
			return false, err
		}
		if part.Mean, part.Components, err = components(ctx, numbers, length, random); err != nil || part.Components == nil {
			return false, err
		}
		if gap[k], _, err = gaps(ctx, &part, numbers, n); err != nil {
			return false, err
		}
	}
	return gap[1] < farthest*gap[0], nil
}
