package report

import (
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

// HeatMap is a table of numbers as coloured cells, light where they are small.
type HeatMap struct {
	Title, XTitle, YTitle string
	X, Y                  []string          // names of columns and rows
	Z                     [][]float64       // [row][column]
	Marks                 map[[2]int]string // [row, column]: text below a cell's number
}

// heatGrid is the map as the plotter wants it.
type heatGrid struct{ HeatMap }

func (g heatGrid) Dims() (c, r int)   { return len(g.HeatMap.X), len(g.HeatMap.Y) }
func (g heatGrid) X(c int) float64    { return float64(c) }
func (g heatGrid) Y(r int) float64    { return float64(r) }
func (g heatGrid) Z(c, r int) float64 { return g.HeatMap.Z[r][c] }

// Draw draws the map into a figure that has name, title and caption, in the colours of its page. The cells named outlined by their marks
// have a frame.
func (h HeatMap) Draw(f Figure, outlined ...string) Figure {
	var k ink
	const high = 30
	left := 0.0
	for _, name := range h.Y {
		left = max(left, width(name, "small"))
	}
	left = min(left, inkWidth/4) + 10
	low, most := h.limits()
	wide := (inkWidth - 4 - left) / float64(len(h.X))
	k.text(4, 12, "small", cut(h.YTitle+" down, "+h.XTitle+" across", "small", inkWidth-8))
	for c, name := range h.X {
		k.text(left+(float64(c)+0.5)*wide, 30, "small middle", cut(name, "small", wide-2))
	}
	var said []string
	for r, row := range h.Z {
		y := float64(36 + r*high)
		k.text(left-6, y+high/2+4, "small end", cut(h.Y[r], "small", left-10))
		for c, z := range row {
			x, mark := left+float64(c)*wide, h.Marks[[2]int{r, c}]
			fmt.Fprintf(&k, `<g><title>%s</title>`, escape(fmt.Sprintf("%s %s, %s %s: %.3g %s", h.YTitle, h.Y[r], h.XTitle, h.X[c], z, mark)))
			k.bar(x+1, y+1, wide-2, high-2, "ground")
			fmt.Fprintf(&k, `<rect x="%s" y="%s" width="%s" height="%s" fill-opacity="%s"/>`, dots(x+1), dots(y+1), dots(wide-2), dots(high-2), dots(0.4*(z-low)/(most-low)))
			if slices.Contains(outlined, mark) {
				k.bar(x+1, y+1, wide-2, high-2, "frame beside")
			}
			text := fmt.Sprintf("%.3g", z)
			if mark == "" {
				k.text(x+wide/2, y+high/2+4, "middle", cut(text, "plain", wide-2))
			} else {
				k.text(x+wide/2, y+high/2, "middle", cut(text, "plain", wide-2))
				k.text(x+wide/2, y+high/2+10, "tiny middle", cut(mark, "tiny", wide-3))
				said = append(said, fmt.Sprintf("%s at %s %s, %s %s: %.3g", mark, h.YTitle, h.Y[r], h.XTitle, h.X[c], z))
			}
			k.WriteString("</g>")
		}
	}
	f.Alt = fmt.Sprintf("A grid of %d by %d cells, from %.3g to %.3g", len(h.Y), len(h.X), low, most)
	if len(said) > 0 {
		f.Alt += "; " + strings.Join(said, "; ")
	}
	f.Alt += "."
	return k.finish(f, float64(40+high*len(h.Y)))
}

// limits returns the least and the greatest number, and another greatest where all are the same.
func (h HeatMap) limits() (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for _, row := range h.Z {
		for _, z := range row {
			low, high = math.Min(low, z), math.Max(high, z)
		}
	}
	if !(high > low) {
		high = low + 1
	}
	return low, high
}

// DrawSVG writes the map as SVG.
func (h HeatMap) DrawSVG(w io.Writer) error {
	p := plot.New()
	sans(p)
	p.Title.Text, p.X.Label.Text, p.Y.Label.Text = h.Title, h.XTitle, h.YTitle
	low, high := h.limits()
	// One hue from white on: luminance tells the values apart, in grey too.
	light := make(shades, 64)
	for i := range light {
		t := float64(i) / float64(len(light)-1)
		light[i] = color.RGBA{R: uint8(255 - 175*t), G: uint8(255 - 125*t), B: uint8(255 - 60*t), A: 255}
	}
	m := plotter.NewHeatMap(heatGrid{h}, light)
	m.Min, m.Max = low, high
	p.Add(m)
	for r, row := range h.Z {
		for c, z := range row {
			texts := []string{fmt.Sprintf("%.3g", z)}
			if mark := h.Marks[[2]int{r, c}]; mark != "" {
				texts = append(texts, mark)
			}
			for k, text := range texts {
				l, err := plotter.NewLabels(plotter.XYLabels{XYs: plotter.XYs{{X: float64(c), Y: float64(r)}}, Labels: []string{text}})
				if err != nil {
					return err
				}
				style := &l.TextStyle[0]
				style.Font = sansFont(9)
				style.XAlign, style.YAlign = draw.XCenter, draw.YCenter
				if k > 0 {
					style.Font.Size = vg.Points(7)
				}
				l.Offset = vg.Point{Y: vg.Points(float64(len(texts)-1)*4 - float64(k)*10)}
				p.Add(l)
			}
		}
	}
	p.NominalX(h.X...)
	p.NominalY(h.Y...)
	canvas := vgsvg.New(vg.Length(len(h.X))*1.6*vg.Centimeter+3*vg.Centimeter, vg.Length(len(h.Y))*1.1*vg.Centimeter+3*vg.Centimeter)
	const margin = 0.2 * vg.Centimeter
	p.Draw(draw.Crop(draw.New(canvas), margin, -margin, margin, -margin))
	_, err := canvas.WriteTo(w)
	return err
}

// shades is a list of colours as a palette.
type shades []color.Color

func (s shades) Colors() []color.Color { return s }
