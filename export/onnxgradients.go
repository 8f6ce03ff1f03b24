package export

import (
	"math"

	"lapsvm/internal/describe"
)

// gradients adds numbers, those of describe.HOG.
func (g *graph) gradients(s describe.Shape, picture string) {
	dx, dy, square := "dx", "dy", "square"
	g.difference(dx, picture, 3, s.Width)
	g.difference(dy, picture, 2, s.Height)
	g.node("dx_square", "Mul", []string{dx, dx})
	g.node("dy_square", "Mul", []string{dy, dy})
	g.node(square, "Add", []string{"dx_square", "dy_square"})
	if s.Colours > 1 { // the colour of the largest
		g.node("colour", "ArgMax", []string{square}, attribute{"axis", 1}, attribute{"keepdims", 1})
		for _, of := range []*string{&dx, &dy, &square} {
			out := *of + "_largest"
			g.node(out, "GatherElements", []string{*of, "colour"}, attribute{"axis", 1})
			*of = out
		}
	}
	g.node("size", "Sqrt", []string{square})
	g.shares(dx, dy, square)

	across, down := g.cells("cells_across", s.Width), g.cells("cells_down", s.Height)
	g.node("columns", "MatMul", []string{"share", "cells_across"})
	g.node("columns_down", "Transpose", []string{"columns"}, attribute{"perm", []int64{0, 3, 1, 2}})
	g.node("cells", "MatMul", []string{"columns_down", "cells_down"}) // N×across×9×down
	g.node("cells_last", "Transpose", []string{"cells"}, attribute{"perm", []int64{0, 3, 1, 2}})
	const all = describe.Orientations
	g.reshape("cells_in_line", "cells_last", across*down*all)
	var places []int64 // of the numbers of blocks
	for y := range down - 1 {
		for x := range across - 1 {
			for _, cell := range [4]int{y*across + x, y*across + x + 1, (y+1)*across + x, (y+1)*across + x + 1} {
				for k := range all {
					places = append(places, int64(cell*all+k))
				}
			}
		}
	}
	g.places("places", places, len(places)/(4*all), 4*all)
	g.node("sums", "Gather", []string{"cells_in_line", "places"}, attribute{"axis", 1})
	g.single("faint_square", describe.Faint*describe.Faint)
	g.single("most", describe.Cut)
	g.divided("divided", "sums")
	g.node("cut", "Min", []string{"divided", "most"})
	g.divided("blocks", "cut")
	g.reshape("numbers", "blocks", len(places))
}

// difference adds out, the difference of the two neighbours of each dot along an axis of pictures.
func (g *graph) difference(out, picture string, axis, side int) {
	after, before := make([]int64, side), make([]int64, side)
	for k := range side {
		after[k], before[k] = int64(min(k+1, side-1)), int64(max(k-1, 0))
	}
	g.integers(out+"_places_after", after...)
	g.integers(out+"_places_before", before...)
	g.node(out+"_after", "Gather", []string{picture, out + "_places_after"}, attribute{"axis", axis})
	g.node(out+"_before", "Gather", []string{picture, out + "_places_before"}, attribute{"axis", axis})
	g.node(out, "Sub", []string{out + "_after", out + "_before"})
}

// shares adds share, N×9×height×width, what gradients give to each orientation. atan(∂y/∂x)·9/π, from −4.5 to
// 4.5, is at some distance from the orientation k in a circle of 9. The orientation gets the part
// of the size that the distance lacks to 1.
func (g *graph) shares(dx, dy, square string) {
	const all = describe.Orientations
	steps := make([]float32, all)
	for k := range steps {
		steps[k] = float32(k)
		if k > all/2 {
			steps[k] -= all
		}
	}
	g.singles("steps", steps, 1, all, 1, 1)
	g.single("zero", 0)
	g.single("one", 1)
	g.single("circle", all)
	g.single("steps_of_radians", all/math.Pi)
	g.node("flat", "Equal", []string{square, "zero"})
	g.node("divisor", "Where", []string{"flat", "one", dx})
	g.node("slope", "Div", []string{dy, "divisor"})
	g.node("radians", "Atan", []string{"slope"})
	g.node("orientation", "Mul", []string{"radians", "steps_of_radians"})
	g.node("apart", "Sub", []string{"orientation", "steps"})
	g.node("one_way", "Abs", []string{"apart"})
	g.node("other_way", "Sub", []string{"circle", "one_way"})
	g.node("distance", "Min", []string{"one_way", "other_way"})
	g.node("nearness", "Sub", []string{"one", "distance"})
	g.node("part", "Relu", []string{"nearness"})
	g.node("share", "Mul", []string{"part", "size"})
}

// cells adds the matrix that sums the pixels of a line in its cells, and returns how many cells there are.
func (g *graph) cells(out string, side int) int {
	of := describe.Cells(side)
	count := of[side-1] + 1
	sums := make([]float32, side*count)
	for k, cell := range of {
		sums[k*count+cell] = 1
	}
	g.singles(out, sums, side, count)
	return count
}

// divided adds out, the blocks v over √(‖v‖² + ε²).
func (g *graph) divided(out, v string) {
	g.node(out+"_square", "ReduceSumSquare", []string{v}, attribute{"axes", []int64{2}}, attribute{"keepdims", 1})
	g.node(out+"_square_faint", "Add", []string{out + "_square", "faint_square"})
	g.node(out+"_norm", "Sqrt", []string{out + "_square_faint"})
	g.node(out, "Div", []string{v, out + "_norm"})
}
