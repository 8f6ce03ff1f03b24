package report

import (
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// mostPoints is the number of points of a curve that are drawn at most.
const mostPoints = 400

// look is the style of a curve: hue, luminance, dashes and glyphs. Each of these
// alone tells curves apart.
type look struct {
	line  draw.LineStyle
	glyph draw.GlyphStyle
}

// curveLooks returns the looks of a chart's curves. The first three have the colours that a page gives its first three groups. The hues are those that the
// colour-blind tell apart, darkened or lightened until grey does too.
func curveLooks() []look {
	looks := make([]look, 0, 6)
	for _, l := range []struct {
		color  color.RGBA
		dashes []vg.Length
		shape  draw.GlyphDrawer
	}{
		{color.RGBA{0x00, 0x45, 0x8a, 0xff}, nil, draw.CircleGlyph{}},
		{color.RGBA{0xd5, 0x5e, 0x00, 0xff}, []vg.Length{7, 2.5}, star{corners: 4, turn: math.Pi / 4, waist: math.Sqrt2 / 2}},
		{color.RGBA{0x00, 0x78, 0x5a, 0xff}, []vg.Length{2, 1.5}, star{corners: 3, turn: math.Pi / 2, waist: 0.5}},
		{color.RGBA{0xe6, 0x9f, 0x00, 0xff}, []vg.Length{8, 2, 2, 2}, star{corners: 4, waist: math.Sqrt2 / 2}},
		{color.RGBA{0x00, 0x00, 0x00, 0xff}, []vg.Length{4, 1.5, 1, 1.5, 1, 1.5}, star{corners: 3, turn: -math.Pi / 2, waist: 0.5}},
		{color.RGBA{0xcc, 0x79, 0xa7, 0xff}, []vg.Length{13, 3}, star{corners: 5, turn: math.Pi / 2, waist: 0.4}},
	} {
		looks = append(looks, look{
			draw.LineStyle{Color: l.color, Width: vg.Points(1.4), Dashes: l.dashes},
			draw.GlyphStyle{Color: l.color, Radius: vg.Points(2.8), Shape: l.shape},
		})
	}
	return looks
}

// look returns the look of curve k.
func (c Chart) look(k int) look {
	l := curveLooks()[k]
	if k == c.Rest-1 {
		grey := color.RGBA{0x6b, 0x72, 0x7a, 0xff}
		l.line = draw.LineStyle{Color: grey, Width: l.line.Width}
		l.glyph.Color = grey
	}
	return l
}

// star is a filled polygon as a glyph: corners on a circle and, between them,
// corners on a narrower one.
type star struct {
	corners     int
	turn, waist float64
}

// DrawGlyph fills the polygon around pt.
func (s star) DrawGlyph(c *draw.Canvas, style draw.GlyphStyle, pt vg.Point) {
	var corners []vg.Point
	for k := range 2 * s.corners {
		r := 1.15 * float64(style.Radius)
		if k%2 == 1 {
			r *= s.waist
		}
		sin, cos := math.Sincos(s.turn + float64(k)*math.Pi/float64(s.corners))
		corners = append(corners, vg.Point{X: pt.X + vg.Length(r*cos), Y: pt.Y + vg.Length(r*sin)})
	}
	c.FillPolygon(style.Color, corners)
}

// trace is a curve on its way to the canvas.
type trace struct {
	points plotter.XYs // NaN where there is a gap
	look   look
	order  int // among the chart's curves
	filled bool
	dots   bool
}

func isGap(at plotter.XY) bool { return math.IsNaN(at.Y) }

// Plot draws the curve with a glyph here and there.
func (t trace) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	var seen, segment []vg.Point
	var path vg.Path
	stroke := func() {
		if len(segment) == 1 && c.Contains(segment[0]) {
			// A point between gaps is a dot.
			half := vg.Point{X: t.look.line.Width / 2}
			segment = []vg.Point{segment[0].Sub(half), segment[0].Add(half)}
		}
		for _, line := range c.ClipLinesXY(segment) {
			path.Move(line[0])
			for _, at := range line[1:] {
				path.Line(at)
			}
		}
		segment = nil
	}
	if t.filled {
		t.fill(c, p)
	}
	for _, at := range t.points {
		if isGap(at) {
			stroke()
			continue
		}
		pt := vg.Point{X: x(at.X), Y: y(at.Y)}
		segment = append(segment, pt)
		if c.Contains(pt) {
			seen = append(seen, pt)
		}
	}
	stroke()
	if t.dots {
		for _, pt := range seen {
			c.DrawGlyph(t.look.glyph, pt)
		}
		return
	}
	if len(path) > 0 {
		c.SetLineStyle(t.look.line)
		c.Stroke(path)
	}
	if t.filled {
		return
	}
	for _, pt := range t.sparse(seen) {
		c.DrawGlyph(t.look.glyph, pt)
	}
}

// fill shades the area between the curve and 0.
func (t trace) fill(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	red, green, blue, _ := t.look.line.Color.RGBA()
	shade := color.NRGBA{uint8(red >> 8), uint8(green >> 8), uint8(blue >> 8), 0x28}
	ground := y(max(p.Y.Min, 0))
	var area []vg.Point
	close := func() {
		if len(area) > 1 {
			area = append(area, vg.Point{X: area[len(area)-1].X, Y: ground}, vg.Point{X: area[0].X, Y: ground})
			c.FillPolygon(shade, c.ClipPolygonXY(area))
		}
		area = nil
	}
	for _, at := range t.points {
		if isGap(at) {
			close()
			continue
		}
		area = append(area, vg.Point{X: x(at.X), Y: y(at.Y)})
	}
	close()
}

// sparse returns some of the points for glyphs: all of a few, else about eight
// from left to right, where other curves do not have theirs.
func (t trace) sparse(pts []vg.Point) []vg.Point {
	const few, glyphs = 12, 8
	if len(pts) <= few {
		return pts
	}
	low, high := pts[0].X, pts[0].X
	for _, pt := range pts {
		low, high = min(low, pt.X), max(high, pt.X)
	}
	var some []vg.Point
	for k := range glyphs {
		place := (float64(k) + (float64(t.order)+0.5)/float64(len(curveLooks()))) / glyphs
		x := low + vg.Length(place)*(high-low)
		near := pts[0]
		for _, pt := range pts {
			if math.Abs(float64(pt.X-x)) < math.Abs(float64(near.X-x)) {
				near = pt
			}
		}
		if len(some) == 0 || some[len(some)-1] != near {
			some = append(some, near)
		}
	}
	return some
}

// thin leaves out points of a long curve, so that about most remain: the lowest
// and the highest of each of most/2 stretches, besides both ends. Gaps between
// points that remain do too.
func thin(at plotter.XYs, most int) plotter.XYs {
	if len(at) <= most {
		return at
	}
	var kept plotter.XYs
	last := -1 // the last point looked at for gaps
	keep := func(i int) {
		if i <= last {
			return
		}
		for _, between := range at[last+1 : i] {
			if isGap(between) {
				kept = append(kept, between)
				break
			}
		}
		kept, last = append(kept, at[i]), i
	}
	ends := make([]int, 0, 2)
	for i := range at {
		if !isGap(at[i]) {
			if len(ends) == 2 {
				ends[1] = i
			} else {
				ends = append(ends, i)
			}
		}
	}
	if len(ends) == 0 {
		return nil
	}
	keep(ends[0])
	stretches := most / 2
	for s := range stretches {
		low, high := -1, -1
		for i := s * len(at) / stretches; i < (s+1)*len(at)/stretches; i++ {
			if isGap(at[i]) {
				continue
			}
			if low < 0 || at[i].Y < at[low].Y {
				low = i
			}
			if high < 0 || at[i].Y > at[high].Y {
				high = i
			}
		}
		if low >= 0 {
			keep(min(low, high))
			keep(max(low, high))
		}
	}
	keep(ends[len(ends)-1])
	return kept
}
