package report

import (
	"errors"
	"fmt"
	"image/color"
	"io"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"
)

// Chart is a set of curves over one axis.
type Chart struct {
	Title, XTitle, YTitle string
	WholeX                bool    // X counts something: its axis has whole numbers alone
	LogY                  bool    // values ≤ 0 and NaN are gaps
	YMin, YMax            float64 // fixed range where YMax > YMin; else fitted to curves and levels with a little room
	Curves                []Curve // at most six
	Rest                  int     // place of the curve of what is in no group, from 1, which is grey; 0 for none
	Levels                []Level // horizontal lines
	Marks                 []Level // vertical lines
	Filled                bool    // areas between curves and 0 are shaded, and curves have no glyphs: for histograms
	Dots                  bool    // curves are their points alone, without lines between: for what has no order
}

// Curve is a line through points in their order. Values that are not finite
// are gaps. A curve without points is not drawn, but keeps its place in the
// order of colours, so that charts side by side can use the same ones.
type Curve struct {
	Name string
	X, Y []float64
}

// Histogram returns the outline of bars: heights[k] between edges[k] and
// edges[k+1]. It panics unless there is one edge more than heights.
func Histogram(name string, edges, heights []float64) Curve {
	if len(edges) != len(heights)+1 {
		panic(fmt.Sprintf("report: a histogram of %d bars between %d edges", len(heights), len(edges)))
	}
	c := Curve{Name: name, X: []float64{edges[0]}, Y: []float64{0}}
	for k, h := range heights {
		c.X, c.Y = append(c.X, edges[k], edges[k+1]), append(c.Y, h, h)
	}
	c.X, c.Y = append(c.X, edges[len(heights)]), append(c.Y, 0)
	return c
}

// Level is a line across a chart.
type Level struct {
	Name string
	At   float64
}

// longestYTitle is the longest line of the title of the Y axis. The axis is about
// 0.6·chartHeight long or more. The rest is for wider fonts, on machines without the font
// that the picture asks for.
const longestYTitle = chartHeight * 0.48

// The sizes of a chart; title and legend come on top of its height.
const (
	chartWidth  = 9 * vg.Centimeter
	chartHeight = 6 * vg.Centimeter
	chartGap    = 0.4 * vg.Centimeter
)

// DrawCharts draws charts in rows of the given number of columns, as SVG. With columns ≤
// 0 they are all in one row. Charts with the same names share one legend above them all;
// others have their own.
func DrawCharts(w io.Writer, columns int, charts []Chart) error {
	if len(charts) == 0 {
		return errors.New("there is no chart to draw: give one or more")
	}
	for _, c := range charts {
		if err := c.check(); err != nil {
			return fmt.Errorf("chart %q: %w", c.Title, err)
		}
	}
	if columns <= 0 || columns > len(charts) {
		columns = len(charts)
	}
	width := vg.Length(columns)*(chartWidth+chartGap) + chartGap
	shared, agree := commonEntries(charts)
	agree = agree && len(charts) > 1
	top := newLegend(nil, 0)
	if agree {
		top = newLegend(shared, width-2*chartGap)
		top.height += chartGap / 2
	}

	heads := make([]heading, len(charts))
	var rows []vg.Length // the heights of the headings of each row
	for k, c := range charts {
		entries := c.entries()
		if agree {
			entries = nil
		}
		heads[k] = heading{wrap(textStyle(10), c.Title, chartWidth), newLegend(entries, chartWidth)}
		if k%columns == 0 {
			rows = append(rows, 0)
		}
		last := &rows[len(rows)-1]
		*last = max(*last, heads[k].height())
	}
	height := top.height
	for _, h := range rows {
		height += h + chartHeight + chartGap
	}

	canvas := vgsvg.New(width, height)
	area := draw.New(canvas)
	area.FillPolygon(color.White, []vg.Point{area.Min, {X: area.Max.X, Y: area.Min.Y}, area.Max, {X: area.Min.X, Y: area.Max.Y}})
	y := area.Max.Y - chartGap/2
	top.draw(&area, vg.Point{X: chartGap, Y: y})
	y -= top.height
	for r, h := range rows {
		for k := r * columns; k < min((r+1)*columns, len(charts)); k++ {
			x := chartGap + vg.Length(k%columns)*(chartWidth+chartGap)
			heads[k].draw(&area, vg.Point{X: x, Y: y})
			charts[k].plot().Draw(draw.Canvas{Canvas: canvas, Rectangle: vg.Rectangle{
				Min: vg.Point{X: x, Y: y - h - chartHeight}, Max: vg.Point{X: x + chartWidth, Y: y - h}}})
		}
		y -= h + chartHeight + chartGap
	}
	_, err := canvas.WriteTo(w)
	return err
}

// check returns an error for a chart that cannot be drawn.
func (c Chart) check() error {
	if most := len(curveLooks()); len(c.Curves) > most {
		return fmt.Errorf("%d curves, but no more than %d can be told apart: spread them over several charts", len(c.Curves), most)
	}
	for _, v := range c.Curves {
		if len(v.X) != len(v.Y) {
			return fmt.Errorf("curve %q has %d values of X and %d of Y: give one Y for each X", v.Name, len(v.X), len(v.Y))
		}
	}
	if c.LogY && c.YMax > c.YMin && c.YMin <= 0 {
		return fmt.Errorf("a logarithmic axis cannot begin at %g: give a YMin above 0, or no range", c.YMin)
	}
	return nil
}

// shows reports whether a value has a place on the Y axis.
func (c Chart) shows(y float64) bool {
	return !math.IsNaN(y) && !math.IsInf(y, 0) && (!c.LogY || y > 0)
}

// points returns the curve's points, those that are gaps as NaN.
func (c Chart) points(v Curve) plotter.XYs {
	at := make(plotter.XYs, len(v.X))
	for i, x := range v.X {
		at[i] = plotter.XY{X: x, Y: v.Y[i]}
		if !c.shows(v.Y[i]) || math.IsNaN(x) || math.IsInf(x, 0) {
			at[i] = plotter.XY{X: math.NaN(), Y: math.NaN()}
		}
	}
	return at
}

// ranges returns the ends of both axes.
func (c Chart) ranges() (xLow, xHigh, yLow, yHigh float64) {
	var xs, ys []float64
	for _, v := range c.Curves {
		for _, at := range c.points(v) {
			if !isGap(at) {
				xs, ys = append(xs, at.X), append(ys, at.Y)
			}
		}
	}
	for _, l := range c.Levels {
		if c.shows(l.At) {
			ys = append(ys, l.At)
		}
	}
	for _, m := range c.Marks {
		if !math.IsNaN(m.At) && !math.IsInf(m.At, 0) {
			xs = append(xs, m.At)
		}
	}
	if len(xs) == 0 {
		xs = []float64{0, 1}
	}
	xLow, xHigh = slices.Min(xs), slices.Max(xs)
	if xLow == xHigh {
		half := max(0.5, 0.05*math.Abs(xLow))
		xLow, xHigh = xLow-half, xHigh+half
	}
	switch {
	case c.YMax > c.YMin:
		return xLow, xHigh, c.YMin, c.YMax
	case len(ys) == 0 && c.LogY:
		return xLow, xHigh, 0.1, 1
	case len(ys) == 0:
		return xLow, xHigh, 0, 1
	}
	yLow, yHigh = slices.Min(ys), slices.Max(ys)
	if c.LogY {
		room := math.Pow(yHigh, 0.04) / math.Pow(yLow, 0.04)
		if yLow == yHigh {
			room = 2
		}
		return xLow, xHigh, max(yLow/room, math.SmallestNonzeroFloat64), min(yHigh*room, math.MaxFloat64)
	}
	room := 0.04 * (yHigh - yLow)
	if yLow == yHigh {
		room = max(0.05*math.Abs(yLow), 1e-9)
	}
	// Values that are never negative get an axis that is never negative.
	if yLow >= 0 {
		return xLow, xHigh, max(0, yLow-room), yHigh + room
	}
	return xLow, xHigh, yLow - room, yHigh + room
}

// plot returns the chart without title and legend.
func (c Chart) plot() *plot.Plot {
	p := plot.New()
	sans(p)
	p.X.Label.Text, p.Y.Label.Text = c.XTitle, strings.Join(wrap(textStyle(9), c.YTitle, longestYTitle), "\n")
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = c.ranges()
	p.X.Padding, p.Y.Padding = vg.Points(4), vg.Points(4)
	p.X.Tick.Length, p.Y.Tick.Length = vg.Points(4), vg.Points(4)
	for most := 6; most > 0; most-- {
		ticks := linearTicks(p.X.Min, p.X.Max, most)
		if c.WholeX {
			ticks = slices.DeleteFunc(ticks, func(t plot.Tick) bool { return math.Abs(t.Value-math.Round(t.Value)) > 1e-9 })
			for k := range ticks {
				ticks[k].Label = strings.TrimSuffix(ticks[k].Label, ".0")
			}
		}
		p.X.Tick.Marker = plot.ConstantTicks(ticks)
		var taken vg.Length
		for _, t := range ticks {
			taken += p.X.Tick.Label.Width(t.Label + "  ")
		}
		if taken < chartWidth*2/3 {
			break
		}
	}
	if c.LogY {
		p.Y.Scale = plot.LogScale{}
		p.Y.Tick.Marker = plot.ConstantTicks(logTicks(p.Y.Min, p.Y.Max))
	} else {
		p.Y.Tick.Marker = plot.ConstantTicks(linearTicks(p.Y.Min, p.Y.Max, 6))
	}
	grid := plotter.NewGrid()
	grid.Vertical = draw.LineStyle{Color: color.Gray{0xe4}, Width: vg.Points(0.5)}
	grid.Horizontal = grid.Vertical
	p.Add(grid)
	for k, l := range c.Levels {
		if c.shows(l.At) {
			p.Add(crossLine{at: l.At, line: levelLine(k)})
		}
	}
	for k, m := range c.Marks {
		p.Add(crossLine{at: m.At, line: markLine(k), upright: true})
	}
	for k, v := range c.Curves {
		p.Add(trace{points: thin(c.points(v), mostPoints), look: c.look(k), order: k, filled: c.Filled, dots: c.Dots})
	}
	return p
}

// crossLine is a line across a plot.
type crossLine struct {
	at      float64
	line    draw.LineStyle
	upright bool
}

// Plot draws the line where it is in range.
func (a crossLine) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	if a.upright {
		if a.at >= p.X.Min && a.at <= p.X.Max {
			c.StrokeLine2(a.line, x(a.at), c.Min.Y, x(a.at), c.Max.Y)
		}
	} else if a.at >= p.Y.Min && a.at <= p.Y.Max {
		c.StrokeLine2(a.line, c.Min.X, y(a.at), c.Max.X, y(a.at))
	}
}

// levelLine is the line of the k-th level: thin, dark and dashed.
func levelLine(k int) draw.LineStyle {
	dashes := [][]vg.Length{{5, 3}, {10, 3}, {5, 3, 1, 3}}
	return draw.LineStyle{Color: color.Gray{0x40}, Width: vg.Points(0.8), Dashes: dashes[k%len(dashes)]}
}

// markLine is the line of the k-th mark: thin, dark and dotted.
func markLine(k int) draw.LineStyle {
	dashes := [][]vg.Length{{1, 2}, {1, 5}, {1, 1, 1, 4}}
	return draw.LineStyle{Color: color.Gray{0x40}, Width: vg.Points(0.8), Dashes: dashes[k%len(dashes)]}
}
