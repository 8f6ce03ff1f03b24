package export

import (
	"fmt"
	"slices"

	"lapsvm/internal/describe"
)

// patches adds numbers, those of describe.Patches.
func (g *graph) patches(s describe.Shape, filters []float32, picture string) {
	length := describe.PatchSide * describe.PatchSide * s.Colours
	both := slices.Clone(filters) // and their opposites
	for _, v := range filters {
		both = append(both, -v)
	}
	g.transposed("filters", both, 2*describe.FilterCount, length)
	g.single("each", 1/float32(length))
	g.single("flat_square", describe.Flat*describe.Flat)
	g.singles("threshold", []float32{-describe.Threshold}, 1)
	g.integers("along", 1)
	g.reshape("values", picture, s.Inputs())
	var sums []string
	for quadrant := range 4 {
		sums = append(sums, g.quadrant(quadrant, s))
	}
	g.node("sums", "Concat", sums, attribute{"axis", 1})
	g.node("numbers", "Sqrt", []string{"sums"})
}

// quadrant adds the sums of what the filters say of the patches of a quadrant beyond the threshold.
func (g *graph) quadrant(quadrant int, s describe.Shape) string {
	defer g.scope(fmt.Sprintf("%d_", quadrant))()
	const side = describe.PatchSide
	var places []int64
	for x, y := range describe.Quadrant(quadrant, s.Width-side+1, s.Height-side+1) {
		for c := range s.Colours {
			for k := range side * side {
				places = append(places, int64((c*s.Height+y+k/side)*s.Width+x+k%side))
			}
		}
	}
	length := side * side * s.Colours
	g.places("places", places, len(places)/length, length)
	g.node("patches", "Gather", []string{"values", "places"}, attribute{"axis", 1}) // N×patches×length
	g.node("mean", "ReduceMean", []string{"patches"}, attribute{"axes", []int64{2}}, attribute{"keepdims", 1})
	g.node("centred", "Sub", []string{"patches", "mean"})
	g.node("squares", "ReduceSumSquare", []string{"centred"}, attribute{"axes", []int64{2}}, attribute{"keepdims", 1})
	g.node("variance", "Mul", []string{"squares", "each"})
	g.node("variance_flat", "Add", []string{"variance", "flat_square"})
	g.node("deviation", "Sqrt", []string{"variance_flat"})
	g.node("normal", "Div", []string{"centred", "deviation"})
	g.reshape("rows", "normal", length) // of all pictures: one product, and onnxruntime takes the Relu into it
	g.node("excess", "Gemm", []string{"rows", "filters", "threshold"})
	g.node("beyond_rows", "Relu", []string{"excess"})
	g.reshape("beyond", "beyond_rows", len(places)/length, 2*describe.FilterCount)
	g.node("sums", "ReduceSum", []string{"beyond", "along"}, attribute{"keepdims", 0})
	return g.name("sums")
}
