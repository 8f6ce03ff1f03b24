package dataset

import (
	"math"
	"math/rand/v2"
)

// The standard deviations of a deformation: of an image that is moved as a whole, and of
// the displacements of its parts, in shares of its width.
const (
	deformAngle = 0.12 // radians
	deformScale = 0.08 // of the logarithm
	deformShear = 0.10
	deformShift = 0.03
	deformPart  = 0.04
)

// deformCells is the number of cells of a side in which displacements vary.
const deformCells = 4

// Deformer draws deformed images of one size: each is rotated, scaled, sheared and
// shifted a little, and then its parts are displaced by a smooth random field, cubic
// splines on a grid of 4×4 cells. It is for one goroutine.
type Deformer struct {
	width, height int
	column, row   [][4]float64 // weights of the four grid points around each column and row
	grid          [2][(deformCells + 3) * (deformCells + 3)]float64
}

// NewDeformer returns the deformer of images of width×height dots.
func NewDeformer(width, height int) *Deformer {
	return &Deformer{width: width, height: height, column: splines(width), row: splines(height)}
}

// splines returns the weights of cubic B-splines for count dots over the cells.
func splines(count int) [][4]float64 {
	all := make([][4]float64, count)
	for k := range all {
		_, t := math.Modf((float64(k) + 0.5) / float64(count) * deformCells)
		all[k] = [4]float64{(1 - t) * (1 - t) * (1 - t) / 6, (3*t*t*t - 6*t*t + 4) / 6, (-3*t*t*t + 3*t*t + 3*t + 1) / 6, t * t * t / 6}
	}
	return all
}

// Deform writes a deformed image of from, grey values from 0 to white row after row,
// into to as bytes from 0 to 255. What lies outside is 0. It depends on the image and
// on what is drawn alone. Cost: some 50 operations a dot.
func (f *Deformer) Deform(to []byte, from []float64, white float64, rng *rand.Rand) {
	angle, shear := deformAngle*rng.NormFloat64(), deformShear*rng.NormFloat64()
	sx, sy := math.Exp(deformScale*rng.NormFloat64()), math.Exp(deformScale*rng.NormFloat64())
	w, h := float64(f.width), float64(f.height)
	dx, dy := deformShift*w*rng.NormFloat64(), deformShift*h*rng.NormFloat64()
	for c := range f.grid {
		for k := range f.grid[c] {
			f.grid[c][k] = deformPart * 2 * w * rng.NormFloat64() // splines halve the deviation
		}
	}
	sin, cos := math.Sincos(angle)
	for r := range f.height {
		for c := range f.width {
			x, y := float64(c)-(w-1)/2, float64(r)-(h-1)/2
			ex, ey := f.displacement(c, r)
			u := sx*(cos*x-sin*y) + shear*y + dx + ex + (w-1)/2
			v := sy*(sin*x+cos*y) + dy + ey + (h-1)/2
			to[r*f.width+c] = byte(min(max(f.at(from, u, v)/white*255+0.5, 0), 255))
		}
	}
}

// displacement returns how far the dot in a column and row is displaced.
func (f *Deformer) displacement(column, row int) (x, y float64) {
	c, r := column*deformCells/f.width, row*deformCells/f.height
	for b, wy := range f.row[row] {
		at := (r+b)*(deformCells+3) + c
		for a, wx := range f.column[column] {
			x += wx * wy * f.grid[0][at+a]
			y += wx * wy * f.grid[1][at+a]
		}
	}
	return x, y
}

// at returns the value between the four dots around a place, 0 outside.
func (f *Deformer) at(from []float64, u, v float64) float64 {
	c, r := math.Floor(u), math.Floor(v)
	s, t := u-c, v-r
	return (1-t)*((1-s)*f.dot(from, c, r)+s*f.dot(from, c+1, r)) + t*((1-s)*f.dot(from, c, r+1)+s*f.dot(from, c+1, r+1))
}

func (f *Deformer) dot(from []float64, c, r float64) float64 {
	if !(c >= 0 && r >= 0 && c < float64(f.width) && r < float64(f.height)) {
		return 0
	}
	return from[int(r)*f.width+int(c)]
}
