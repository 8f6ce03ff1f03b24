// Package report draws and writes results for people: decision surfaces
// ([DrawSurfaces]) as SVG and PNG, charts ([DrawCharts]) and heat maps
// ([HeatMap]) as SVG, tables ([Table]) as CSV. A page ([Page]) puts them into one
// HTML file. The package knows nothing of training: its callers compute what is
// shown.
package report

import (
	"bytes"
	"errors"
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

// Surface is one picture of a classifier of points in the plane. The coloured
// ground shows its decision values from the first class (blue, f ≤ −1) to the
// second (orange, f ≥ 1), and a line the boundary f = 0. All points are drawn,
// the labelled ones as large marks: circles, boxes, and triangles for all further
// classes. Without F only the points are drawn.
type Surface struct {
	Title string
	Data  *dataset.Dataset // two features; labelled rows get the large marks
	F     func(p *points.Points) ([]float64, error)
}

// cells is the number of grid points along either side of a surface.
const cells = 150

// DrawSurfaces draws surfaces in rows of the given number of columns, as "svg"
// or "png". With columns ≤ 0 they are all in one row.
func DrawSurfaces(w io.Writer, format string, columns int, surfaces []Surface) error {
	if len(surfaces) == 0 {
		return errors.New("there is no surface to draw: give one or more")
	}
	if columns <= 0 || columns > len(surfaces) {
		columns = len(surfaces)
	}
	rows := (len(surfaces) + columns - 1) / columns
	const side = 9 * vg.Centimeter
	width, height := vg.Length(columns)*side, vg.Length(rows)*side*0.86
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
	tiles := draw.Tiles{Rows: rows, Cols: columns, PadX: vg.Centimeter / 2, PadY: vg.Centimeter / 2,
		PadLeft: vg.Centimeter / 3, PadRight: vg.Centimeter / 3, PadTop: vg.Centimeter / 5, PadBottom: vg.Centimeter / 5}
	area := draw.New(canvas)
	area.FillPolygon(color.White, []vg.Point{area.Min, {X: area.Max.X, Y: area.Min.Y}, area.Max, {X: area.Min.X, Y: area.Max.Y}})
	for k, s := range surfaces {
		p, err := s.plot()
		if err != nil {
			return err
		}
		p.Draw(tiles.At(area, k%columns, k/columns))
	}
	var b bytes.Buffer
	if _, err := canvas.WriteTo(&b); err != nil {
		return err
	}
	picture := b.Bytes()
	if format == "svg" {
		picture = mendImages(picture)
	}
	_, err := w.Write(picture)
	return err
}

// mendImages corrects how vgsvg writes the grounds of an SVG picture: they are to
// fill their place whatever its sides, and they are PNG images.
func mendImages(svg []byte) []byte {
	svg = bytes.ReplaceAll(svg, []byte("<image "), []byte(`<image preserveAspectRatio="none" `))
	return bytes.ReplaceAll(svg, []byte(`"data:image/jpg;`), []byte(`"data:image/png;`))
}

// The colours of the two classes, apart in hue and, as ground, in grey too, and
// that of marks of further classes.
var (
	blue   = color.NRGBA{0x1f, 0x5f, 0xa8, 0xff}
	orange = color.NRGBA{0xd9, 0x5f, 0x02, 0xff}
	dark   = color.NRGBA{0x22, 0x22, 0x22, 0xff}
)

func (s Surface) plot() (*plot.Plot, error) {
	p := plot.New()
	sans(p)
	p.Title.Text = s.Title
	p.HideAxes()
	if s.Data.Points.Len() == 0 {
		return nil, fmt.Errorf("surface %q has no points: give data with one or more rows", s.Title)
	}
	field := newField(s.Data)
	if s.F != nil {
		if err := field.evaluate(s.F); err != nil {
			return nil, err
		}
		heat := plotter.NewHeatMap(field, ground{})
		heat.Rasterized = true
		heat.Min, heat.Max = -1, 1
		heat.Underflow, heat.Overflow = tint(-1), tint(1)
		boundary := plotter.NewContour(field, []float64{0}, nil)
		boundary.LineStyles = []draw.LineStyle{{Color: color.Black, Width: vg.Points(1.5)}}
		p.Add(heat, boundary)
	}

	var plain plotter.XYs
	var marks [3]plotter.XYs
	row := make([]float64, 2)
	for i, y := range s.Data.Y {
		s.Data.Points.CopyRow(row, i)
		if y == dataset.Unlabelled {
			plain = append(plain, plotter.XY{X: row[0], Y: row[1]})
		} else {
			class := min(y, len(marks)-1)
			marks[class] = append(marks[class], plotter.XY{X: row[0], Y: row[1]})
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
		{marks[2], draw.GlyphStyle{Color: color.White, Radius: vg.Points(6.5), Shape: draw.PyramidGlyph{}}},
		{marks[2], draw.GlyphStyle{Color: dark, Radius: vg.Points(5), Shape: draw.PyramidGlyph{}}},
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
	p.X.Min, p.X.Max = field.x[0], field.x[cells-1]
	p.Y.Min, p.Y.Max = field.y[0], field.y[cells-1]
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
// with the root of the value, so that the side of weak decisions is visible.
func tint(f float64) color.Color {
	towards, share := orange, 0.75*math.Sqrt(math.Abs(f))
	if f < 0 {
		towards = blue
	}
	mix := func(c uint8) uint8 { return uint8(255 - share*(255-float64(c))) }
	return color.NRGBA{mix(towards.R), mix(towards.G), mix(towards.B), 0xff}
}

// field is a grid of decision values around points.
type field struct {
	x, y []float64
	z    []float64
}

// newField lays the grid around the points of d.
func newField(d *dataset.Dataset) *field {
	low, high := []float64{math.Inf(1), math.Inf(1)}, []float64{math.Inf(-1), math.Inf(-1)}
	row := make([]float64, 2)
	for i := range d.Points.Len() {
		d.Points.CopyRow(row, i)
		for j, v := range row {
			low[j], high[j] = min(low[j], v), max(high[j], v)
		}
	}
	axis := func(j int) (at []float64) {
		margin := 0.08*(high[j]-low[j]) + 1e-9
		for k := range cells {
			at = append(at, low[j]-margin+float64(k)/(cells-1)*(high[j]-low[j]+2*margin))
		}
		return at
	}
	return &field{x: axis(0), y: axis(1)}
}

// evaluate fills in the values of a function.
func (f *field) evaluate(values func(p *points.Points) ([]float64, error)) (err error) {
	grid := make([]float64, 0, 2*cells*cells)
	for _, y := range f.y {
		for _, x := range f.x {
			grid = append(grid, x, y)
		}
	}
	f.z, err = values(points.Dense(cells*cells, 2, grid))
	return err
}

func (f *field) Dims() (c, r int)   { return len(f.x), len(f.y) }
func (f *field) X(c int) float64    { return f.x[c] }
func (f *field) Y(r int) float64    { return f.y[r] }
func (f *field) Z(c, r int) float64 { return f.z[r*len(f.x)+c] }
