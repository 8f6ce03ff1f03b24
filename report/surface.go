// Package report draws and writes what was found, for people.
package report

import (
	"fmt"
	"image/color"
	"io"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/palette"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"

	"lapsvm/dataset"
	"lapsvm/points"
)

// Surface is one picture of a classifier of points in the plane: its decision
// values as a coloured ground from the first class (blue, f ≤ −1) to the
// second (orange, f ≥ 1), the boundary f = 0, all points, and the labelled
// ones as large marks.
type Surface struct {
	Title string
	Data  *dataset.Dataset // two features, two classes; labelled rows get the large marks
	F     func(p *points.Points) ([]float64, error)
}

// cells is the number of grid points along either side of a surface.
const cells = 150

// DrawSurfaces draws surfaces side by side, as "svg" or "png".
func DrawSurfaces(w io.Writer, format string, surfaces []Surface) error {
	const side = 9 * vg.Centimeter
	width, height := vg.Length(len(surfaces))*side, side*0.86
	var canvas interface {
		vg.CanvasSizer
		io.WriterTo
	}
	switch format {
	case "svg":
		canvas = vgsvg.New(width, height)
	case "png":
		canvas = vgimg.PngCanvas{Canvas: vgimg.NewWith(vgimg.UseWH(width, height), vgimg.UseDPI(150))}
	default:
		return fmt.Errorf("pictures are written as svg or png, not %q", format)
	}
	tiles := draw.Tiles{Rows: 1, Cols: len(surfaces), PadX: vg.Centimeter / 2,
		PadLeft: vg.Centimeter / 3, PadRight: vg.Centimeter / 3, PadTop: vg.Centimeter / 5, PadBottom: vg.Centimeter / 5}
	area := draw.New(canvas)
	for k, s := range surfaces {
		p, err := s.plot()
		if err != nil {
			return err
		}
		p.Draw(tiles.At(area, k, 0))
	}
	_, err := canvas.WriteTo(w)
	return err
}

// The colours of the two classes, apart in hue and, as ground, in grey too.
var (
	blue   = color.NRGBA{0x1f, 0x5f, 0xa8, 0xff}
	orange = color.NRGBA{0xd9, 0x5f, 0x02, 0xff}
)

func (s Surface) plot() (*plot.Plot, error) {
	p := plot.New()
	p.Title.Text = s.Title
	p.HideAxes()
	field, err := newField(s)
	if err != nil {
		return nil, err
	}
	heat := plotter.NewHeatMap(field, ground{})
	heat.Rasterized = true
	heat.Min, heat.Max = -1, 1
	heat.Underflow, heat.Overflow = tint(-1), tint(1)
	boundary := plotter.NewContour(field, []float64{0}, nil)
	boundary.LineStyles = []draw.LineStyle{{Color: color.Black, Width: vg.Points(1.5)}}
	p.Add(heat, boundary)

	var plain plotter.XYs
	marks := make([]plotter.XYs, 2)
	row := make([]float64, 2)
	for i, y := range s.Data.Y {
		s.Data.Points.CopyRow(row, i)
		if y == dataset.Unlabelled {
			plain = append(plain, plotter.XY{X: row[0], Y: row[1]})
		} else {
			marks[y] = append(marks[y], plotter.XY{X: row[0], Y: row[1]})
		}
	}
	for _, layer := range []struct {
		at    plotter.XYs
		glyph draw.GlyphStyle
	}{
		{plain, draw.GlyphStyle{Color: color.Gray{0x40}, Radius: vg.Points(1.6), Shape: draw.CircleGlyph{}}},
		{marks[0], draw.GlyphStyle{Color: color.White, Radius: vg.Points(7), Shape: draw.CircleGlyph{}}},
		{marks[0], draw.GlyphStyle{Color: blue, Radius: vg.Points(5.5), Shape: draw.CircleGlyph{}}},
		{marks[1], draw.GlyphStyle{Color: color.White, Radius: vg.Points(7), Shape: draw.BoxGlyph{}}},
		{marks[1], draw.GlyphStyle{Color: orange, Radius: vg.Points(5.5), Shape: draw.BoxGlyph{}}},
	} {
		if len(layer.at) == 0 {
			continue
		}
		scatter, err := plotter.NewScatter(layer.at)
		if err != nil {
			return nil, err
		}
		scatter.GlyphStyle = layer.glyph
		p.Add(scatter)
	}
	return p, nil
}

// ground is the palette from blue over white to orange.
type ground struct{}

func (ground) Colors() []color.Color {
	colors := make([]color.Color, 801)
	for k := range colors {
		colors[k] = tint(float64(k)/400 - 1)
	}
	return colors
}

var _ palette.Palette = ground{}

// tint is the colour of a decision value between −1 and 1. Its strength grows
// with the root of the value, so that weak decisions show which side they are
// on.
func tint(f float64) color.Color {
	towards, share := orange, 0.75*math.Sqrt(math.Abs(f))
	if f < 0 {
		towards = blue
	}
	mix := func(c uint8) uint8 { return uint8(255 - share*(255-float64(c))) }
	return color.NRGBA{mix(towards.R), mix(towards.G), mix(towards.B), 0xff}
}

// field is a grid of decision values around the points of a surface.
type field struct {
	x, y []float64
	z    []float64
}

func newField(s Surface) (*field, error) {
	low, high := []float64{math.Inf(1), math.Inf(1)}, []float64{math.Inf(-1), math.Inf(-1)}
	row := make([]float64, 2)
	for i := range s.Data.Points.Len() {
		s.Data.Points.CopyRow(row, i)
		for j, v := range row {
			low[j], high[j] = min(low[j], v), max(high[j], v)
		}
	}
	f := &field{}
	axis := func(j int) (at []float64) {
		margin := 0.08*(high[j]-low[j]) + 1e-9
		for k := range cells {
			at = append(at, low[j]-margin+float64(k)/(cells-1)*(high[j]-low[j]+2*margin))
		}
		return at
	}
	f.x, f.y = axis(0), axis(1)
	grid := make([]float64, 0, 2*cells*cells)
	for _, y := range f.y {
		for _, x := range f.x {
			grid = append(grid, x, y)
		}
	}
	var err error
	f.z, err = s.F(points.Dense(cells*cells, 2, grid))
	return f, err
}

func (f *field) Dims() (c, r int)   { return len(f.x), len(f.y) }
func (f *field) X(c int) float64    { return f.x[c] }
func (f *field) Y(r int) float64    { return f.y[r] }
func (f *field) Z(c, r int) float64 { return f.z[r*len(f.x)+c] }
