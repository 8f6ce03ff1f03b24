package describe

import "math"

// HOG is the description by oriented gradients.
const HOG = "hog"

// The settings of oriented gradients.
const (
	Orientations = 9
	cellSide     = 4   // pixels of a cell, about
	Cut          = 0.2 // the greatest number of a block, before its second division
	Faint        = 1.0 // a block's norm, in deviations of values, that counts as faint
)

// Cells returns the cell of each pixel along a side of a prepared picture, in ascending order from 0.
func Cells(side int) []int {
	cells := make([]int, side)
	for k := range cells {
		cells[k] = k * (side / cellSide) / side
	}
	return cells
}

// gradients describes pictures by oriented gradients (Dalal and Triggs, 2005).
//
// With g = (∂x, ∂y) I, differences of neighbours, each pixel has the magnitude ‖g‖ and the
// orientation θ = atan(∂y/∂x) between 0 and π. Of several colours that of the largest ‖g‖
// counts. The magnitude is shared linearly between the two of 9 orientations kπ/9 that are next
// to θ. Each cell of about 4×4 pixels has the 9 sums over its pixels. A block is 2×2 cells, 36 sums v:
//
//	u = min(v/√(‖v‖² + ε²), 0.2),   u/√(‖u‖² + ε²),   ε = 1
//
// A picture has the numbers of all its blocks, which overlap.
type gradients struct {
	s            Shape
	across, down int       // cells
	column, row  []int     // the cell of each column and row of pixels
	cells        []float32 // down×across×Orientations
}

func newGradients(s Shape) *gradients {
	g := &gradients{s: s, across: s.Width / cellSide, down: s.Height / cellSide, column: Cells(s.Width), row: Cells(s.Height)}
	g.cells = make([]float32, g.across*g.down*Orientations)
	return g
}

// blockLength is how many numbers a block has.
const blockLength = 4 * Orientations

func (g *gradients) numbers() int { return (g.across - 1) * (g.down - 1) * blockLength }

func (g *gradients) describe(dst, picture []float32) {
	g.gather(picture)
	for y := range g.down - 1 {
		for x := range g.across - 1 {
			block := dst[:blockLength]
			dst = dst[blockLength:]
			const pair = 2 * Orientations // of cells in a row, which lie side by side
			copy(block[:pair], g.cells[(y*g.across+x)*Orientations:])
			copy(block[pair:], g.cells[((y+1)*g.across+x)*Orientations:])
			divide(block)
			for k, v := range block {
				block[k] = min(v, Cut)
			}
			divide(block)
		}
	}
}

// divide divides numbers by √(‖v‖² + ε²).
func divide(v []float32) {
	square := float32(Faint * Faint)
	for _, x := range v {
		square += float32(x * x)
	}
	factor := 1 / float32(math.Sqrt(float64(square)))
	for k := range v {
		v[k] *= factor
	}
}

// gather sums the magnitudes of each cell and orientation.
func (g *gradients) gather(picture []float32) {
	clear(g.cells)
	w, h := g.s.Width, g.s.Height
	for y := range h {
		above, below := max(y-1, 0)*w, min(y+1, h-1)*w
		cells := g.cells[g.row[y]*g.across*Orientations:]
		for x := range w {
			left, right := y*w+max(x-1, 0), y*w+min(x+1, w-1)
			var dx, dy, square float32
			for plane := picture; len(plane) > 0; plane = plane[w*h:] {
				px, py := plane[right]-plane[left], plane[below+x]-plane[above+x]
				if s := float32(px*px) + float32(py*py); s > square {
					dx, dy, square = px, py, s
				}
			}
			if square == 0 {
				continue
			}
			cell := cells[g.column[x]*Orientations:][:Orientations]
			k, part := orientation(dx, dy)
			size := float32(math.Sqrt(float64(square)))
			second := float32(size * part)
			cell[k] += size - second
			if k++; k == Orientations {
				k = 0
			}
			cell[k] += second
		}
	}
}

// orientation returns k < 9 and the part of a step with θ = (k + part)·π/9.
func orientation(dx, dy float32) (k int, part float32) {
	theta := math.Atan2(float64(dy), float64(dx))
	if theta < 0 {
		theta += math.Pi
	}
	at := theta * (Orientations / math.Pi)
	k = int(at)
	part = float32(at - float64(k))
	if k >= Orientations { // θ = π
		k -= Orientations
	}
	return k, part
}
