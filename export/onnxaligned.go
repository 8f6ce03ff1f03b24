package export

import "lapsvm/internal/describe"

// aligned adds the pictures in planes, N×colours×height×width, as describe.Description reads those that it aligns, and returns their name.
func (g *graph) aligned(s, to describe.Shape, planes string) string {
	defer g.scope("aligned_")()
	ground := g.ground(s, planes)
	g.node("seen", "Sub", []string{planes, ground})
	column, row, slant := g.placed(s)
	g.node("rows_on", "Sub", []string{"rows", row})
	g.node("leaning", "Mul", []string{slant, "rows_on"})
	g.node("right", "Add", []string{column, "leaning"}) // N×1×height×1
	g.reshape("right_of_lines", "right", 1, s.Height, 1, 1)
	g.reshape("lines_seen", "seen", s.Colours, s.Height, 1, s.Width)
	g.node("lines_wide", "MatMul", []string{"lines_seen", g.frame("across", "right_of_lines", s.Width, to.Width, false)})
	g.reshape("wide", "lines_wide", s.Colours, s.Height, to.Width)
	g.node("high", "MatMul", []string{g.frame("down", row, s.Height, to.Height, true), "wide"})
	g.node("picture", "Add", []string{"high", ground})
	return g.name("picture")
}

// ground adds the medians of the pixels at the border, N×colours×1×1, and returns their name.
func (g *graph) ground(s describe.Shape, planes string) string {
	var border []int64
	for _, k := range describe.Border(s) {
		border = append(border, int64(k))
	}
	g.reshape("plane", planes, s.Colours, s.Width*s.Height)
	g.integers("border_places", border...)
	g.node("border", "Gather", []string{"plane", "border_places"}, attribute{"axis", 2})
	n := int64(len(border))
	g.integers("smaller_half", n/2+1)
	g.node("ascending", "TopK", []string{"border", "smaller_half"}, attribute{"axis", 2}, attribute{"largest", 0})
	g.integers("middle_places", (n-1)/2, n/2)
	g.node("middle", "Gather", []string{"ascending", "middle_places"}, attribute{"axis", 2})
	g.node("medians", "ReduceMean", []string{"middle"}, attribute{"axes", []int64{2}}, attribute{"keepdims", 1})
	return g.reshape("ground", "medians", s.Colours, 1, 1)
}

// placed adds rows, counted from the middle, and the centre and the slant of what is seen, N×1×1×1, and returns their names.
func (g *graph) placed(s describe.Shape) (column, row, slant string) {
	fromMiddle := func(n int) []float32 {
		places := make([]float32, n)
		for k := range places {
			places[k] = float32(k) - float32(n-1)/2
		}
		return places
	}
	g.singles("columns", fromMiddle(s.Width), s.Width)
	g.singles("rows", fromMiddle(s.Height), s.Height, 1)
	g.integers("over_columns", 3)
	g.integers("over_rows", 2)
	g.single("tiny", 1e-30)
	g.node("weights", "ReduceSumSquare", []string{"seen"}, attribute{"axes", []int64{1}}, attribute{"keepdims", 1})
	g.node("by_column", "Mul", []string{"weights", "columns"})
	g.node("lines", "ReduceSum", []string{"weights", "over_columns"}, attribute{"keepdims", 1})
	g.node("line_columns", "ReduceSum", []string{"by_column", "over_columns"}, attribute{"keepdims", 1})
	g.node("line_rows", "Mul", []string{"lines", "rows"})
	g.node("line_both", "Mul", []string{"line_columns", "rows"})
	g.node("line_squares", "Mul", []string{"line_rows", "rows"})
	g.node("sum", "ReduceSum", []string{"lines", "over_rows"}, attribute{"keepdims", 1})
	g.node("weight", "Max", []string{"sum", "tiny"})
	mean := func(out, of string) string {
		g.node(out+"_sum", "ReduceSum", []string{of, "over_rows"}, attribute{"keepdims", 1})
		g.node(out, "Div", []string{out + "_sum", "weight"})
		return g.name(out)
	}
	column, row = mean("column", "line_columns"), mean("row", "line_rows")
	g.node("column_row", "Mul", []string{column, row})
	g.node("row_square", "Mul", []string{row, row})
	g.node("covariance", "Sub", []string{mean("both", "line_both"), "column_row"})
	g.node("variance", "Sub", []string{mean("square", "line_squares"), "row_square"})
	g.node("variance_least", "Max", []string{"variance", "tiny"})
	g.node("steep", "Div", []string{"covariance", "variance_least"})
	g.single("left_most", -describe.MostSlant)
	g.single("right_most", describe.MostSlant)
	g.node("slant", "Clip", []string{"steep", "left_most", "right_most"})
	return column, row, g.name("slant")
}

// frame adds weights and returns their name. They bring lines of pixels to a frame that lies so many pixels further on. They are matrices of
// from × to, or of to × from where lines run down.
func (g *graph) frame(out, on string, from, to int, down bool) string {
	defer g.scope(out + "_")()
	old, latest := []int{from, 1}, []int{1, to}
	if down {
		old, latest = []int{1, from}, []int{to, 1}
	}
	step := describe.FrameSide * float64(from) / float64(to)
	begins, dots, after := make([]float32, to), make([]float32, from), make([]float32, from)
	for t := range begins {
		begins[t] = float32(float64(from)/2 + step*(float64(t)-float64(to)/2))
		if step <= 1 {
			begins[t] += float32(step/2 - 0.5)
		}
	}
	for k := range dots {
		dots[k], after[k] = float32(k), float32(k+1)
	}
	g.singles("begins", begins, latest...)
	g.singles("dots", dots, old...)
	g.node("least", "Add", []string{on, "begins"})
	if step <= 1 { // between two pixels
		g.single("one", 1)
		g.node("apart", "Sub", []string{"least", "dots"})
		g.node("distance", "Abs", []string{"apart"})
		g.node("near", "Sub", []string{"one", "distance"})
		g.node("shares", "Relu", []string{"near"})
		return g.name("shares")
	}
	g.singles("dots_after", after, old...)
	g.single("step", float32(step))
	g.node("most", "Add", []string{"least", "step"})
	g.node("end", "Min", []string{"most", "dots_after"})
	g.node("begin", "Max", []string{"least", "dots"})
	g.node("overlap", "Sub", []string{"end", "begin"})
	g.node("covered", "Relu", []string{"overlap"})
	g.node("shares", "Div", []string{"covered", "step"})
	return g.name("shares")
}
