package report

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"image/color"
	"io"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"
)

// chart has six long curves with gaps.
func chart(title string, names ...string) Chart {
	rng := rand.New(rand.NewPCG(1, 2))
	c := Chart{Title: title, XTitle: "iteration", YTitle: "J & more", LogY: true,
		Levels: []Level{{"a level", 1e-3}}, Marks: []Level{{"a mark", 500}}}
	for k, name := range names {
		v := Curve{Name: name}
		for i := range 5000 {
			v.X = append(v.X, float64(i))
			v.Y = append(v.Y, math.Exp(-float64(i)/300/float64(k+1))*(0.5+rng.Float64()))
		}
		v.Y[100], v.Y[3000], v.Y[4000] = 0, math.NaN(), -1
		c.Curves = append(c.Curves, v)
	}
	return c
}

func drawCharts(t *testing.T, columns int, charts ...Chart) string {
	t.Helper()
	var b bytes.Buffer
	if err := DrawCharts(&b, columns, charts); err != nil {
		t.Fatal(err)
	}
	picture := b.String()
	for d := xml.NewDecoder(&b); ; {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			return picture
		} else if err != nil {
			t.Fatalf("the SVG is not well-formed: %v", err)
		}
	}
}

func TestDrawCharts(t *testing.T) {
	picture := drawCharts(t, 1, chart("one <chart>", "a", "b", "c", "d", "e", "f"))
	if len(picture) > 60_000 {
		t.Errorf("%d bytes", len(picture))
	}
	for _, want := range []string{"one &lt;chart&gt;", "J &amp; more", ">iteration<", ">a<", ">f<", ">a level<", ">a mark<", ">0.1<", ">1e-3<"} {
		if !strings.Contains(picture, want) {
			t.Errorf("the picture lacks %q", want)
		}
	}
	for _, bad := range []string{"NaN", "Inf"} {
		if strings.Contains(picture, bad) {
			t.Errorf("the picture has %s", bad)
		}
	}
}

func TestChartLegend(t *testing.T) {
	a, b, other := chart("first", "x1", "x2"), chart("second", "x1", "x2"), chart("third", "z1", "z2")
	if got := strings.Count(drawCharts(t, 2, a, b), ">x1<"); got != 1 {
		t.Errorf("charts that agree have %d legends, want 1", got)
	}
	if got := strings.Count(drawCharts(t, 2, a, b, other), ">x1<"); got != 2 {
		t.Errorf("with one that does not, they have %d legends, want 2", got)
	}
	alone := Chart{Curves: []Curve{{"alone", []float64{1, 2}, []float64{1, 2}}}}
	if strings.Contains(drawCharts(t, 1, alone), "alone") {
		t.Error("one curve alone has a legend")
	}
	// What is not to be seen is not named.
	a.Levels = []Level{{"below", -1}, {"undefined", math.NaN()}, {"seen", 0.5}}
	a.Curves = append(a.Curves, Curve{Name: "empty"})
	picture := drawCharts(t, 1, a)
	for _, name := range []string{"below", "undefined", "empty"} {
		if strings.Contains(picture, name) {
			t.Errorf("the legend has %q", name)
		}
	}
	if !strings.Contains(picture, "seen") {
		t.Error("the legend lacks a level that is seen")
	}
}

func TestChartOddities(t *testing.T) {
	nan := math.NaN()
	for name, c := range map[string]Chart{
		"nothing":        {},
		"nothing, log":   {LogY: true},
		"empty curve":    {Curves: []Curve{{Name: "a"}}},
		"one point":      {Curves: []Curve{{"a", []float64{3}, []float64{7}}}},
		"one point, log": {LogY: true, Curves: []Curve{{"a", []float64{0}, []float64{1e-30}}}},
		"only gaps":      {LogY: true, Curves: []Curve{{"a", []float64{1, 2}, []float64{0, nan}}}},
		"infinite":       {Curves: []Curve{{"a", []float64{1, math.Inf(1), 3, 4}, []float64{1, 2, math.Inf(-1), 5}}}},
		"constant":       {Curves: []Curve{{"a", []float64{1, 2}, []float64{4, 4}}}},
		"zero":           {Curves: []Curve{{"a", []float64{1, 2}, []float64{0, 0}}}},
		"fixed":          {YMin: 1, YMax: 2, Curves: []Curve{{"a", []float64{1, 2, 3}, []float64{0, 1.5, 7}}}},
		"outside":        {YMin: 1, YMax: 2, Curves: []Curve{{"a", []float64{1, 2, 3}, []float64{5, 6, 7}}}},
		"isolated":       {Curves: []Curve{{"a", []float64{1, 2, 3}, []float64{1, nan, 2}}}},
		"backwards":      {Curves: []Curve{{"a", []float64{3, 2, 1}, []float64{1, 4, 2}}}},
		"wide":           {LogY: true, Curves: []Curve{{"a", []float64{1, 2}, []float64{1e-200, 1e200}}}},
		"marks alone":    {Marks: []Level{{"m", 3}, {"n", 5}, {"o", nan}}, Levels: []Level{{"l", 2}}},
	} {
		t.Run(name, func(t *testing.T) {
			picture := drawCharts(t, 0, c)
			if strings.Contains(picture, "NaN") || strings.Contains(picture, "Inf") {
				t.Error("a coordinate is not finite")
			}
		})
	}
	c := Chart{LogY: true}
	v := Curve{Name: "every other value is a gap"}
	for i := range 10000 {
		v.X, v.Y = append(v.X, float64(i)), append(v.Y, float64(i%2)*(1+rand.Float64()))
	}
	c.Curves = []Curve{v, v, v, v}
	if n := len(drawCharts(t, 1, c)); n > 60_000 {
		t.Errorf("%d bytes", n)
	}
}

func TestChartErrors(t *testing.T) {
	line := Curve{X: []float64{1, 2}, Y: []float64{1, 2}}
	for want, charts := range map[string][]Chart{
		"give one or more":         nil,
		"give one Y for each X":    {{Curves: []Curve{{X: []float64{1, 2}, Y: []float64{1}}}}},
		"over several charts":      {{Curves: []Curve{line, line, line, line, line, line, line}}},
		"give a YMin above 0":      {{LogY: true, YMin: 0, YMax: 1}},
		`chart "second": curve "x`: {{}, {Title: "second", Curves: []Curve{{Name: "x", X: []float64{1}}}}},
	} {
		if err := DrawCharts(io.Discard, 1, charts); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
}

func TestThin(t *testing.T) {
	nan := plotter.XY{X: math.NaN(), Y: math.NaN()}
	rng := rand.New(rand.NewPCG(1, 2))
	var at plotter.XYs
	for i := range 12345 {
		at = append(at, plotter.XY{X: float64(i), Y: rng.Float64()})
	}
	at[777].Y, at[9999].Y = 5, -5
	at[0], at[6000] = nan, nan
	kept := thin(at, 400)
	if len(kept) < 350 || len(kept) > 410 {
		t.Errorf("%d points are left", len(kept))
	}
	has := map[plotter.XY]bool{}
	gaps, last := 0, -1.0
	for _, p := range kept {
		if isGap(p) {
			gaps++
			continue
		}
		has[p] = true
		if p.X <= last {
			t.Fatalf("x = %g comes after %g", p.X, last)
		}
		last = p.X
	}
	for _, i := range []int{1, 777, 9999, len(at) - 1} {
		if !has[at[i]] {
			t.Errorf("point %d is gone", i)
		}
	}
	// The first is a gap before the first point, which separates nothing but does no harm.
	if gaps < 1 || gaps > 2 {
		t.Errorf("%d gaps, want that in the middle", gaps)
	}
	if short := thin(at[:400], 400); len(short) != 400 {
		t.Errorf("a short curve has %d points left", len(short))
	}
}

func TestCurveLooks(t *testing.T) {
	looks := curveLooks()
	for i, a := range looks {
		for j, b := range looks[:i] {
			if d := math.Abs(lightness(a) - lightness(b)); d < 7 {
				t.Errorf("curves %d and %d differ by %.1f of 100 in lightness", i, j, d)
			}
			if fmt.Sprint(a.line.Dashes) == fmt.Sprint(b.line.Dashes) || a.glyph.Shape == b.glyph.Shape {
				t.Errorf("curves %d and %d look the same", i, j)
			}
		}
		if lightness(a) > 75 {
			t.Errorf("curve %d is hard to see on white", i)
		}
	}
}

// lightness is L* of CIELAB.
func lightness(l look) float64 {
	r, g, b, _ := l.line.Color.RGBA()
	linear := func(c uint32) float64 { return math.Pow(float64(c)/0xffff, 2.2) }
	y := 0.2126*linear(r) + 0.7152*linear(g) + 0.0722*linear(b)
	return max(0, 116*math.Cbrt(y)-16)
}

func TestHistogram(t *testing.T) {
	c := Histogram("h", []float64{0, 1, 3}, []float64{5, 2})
	if fmt.Sprint(c.X) != "[0 0 1 1 3 3]" || fmt.Sprint(c.Y) != "[0 5 5 2 2 0]" {
		t.Errorf("outline %v, %v", c.X, c.Y)
	}
	plain := Chart{Curves: []Curve{c, {"other", []float64{0, 3}, []float64{1, 1}}}}
	filled := plain
	filled.Filled = true
	// Two shades more, and no glyphs: six and two on the curves, two in the legend.
	if a, b := strings.Count(drawCharts(t, 1, plain), "fill:#"), strings.Count(drawCharts(t, 1, filled), "fill:#"); b != a+2-10 {
		t.Errorf("%d areas, with shades %d", a, b)
	}
	if got := drawCharts(t, 1, filled); !strings.Contains(got, ">h<") || !strings.Contains(got, "fill-opacity") {
		t.Error("a filled chart has no legend or no shade")
	}
	defer func() {
		if recover() == nil {
			t.Error("bars without edges: no panic")
		}
	}()
	Histogram("", []float64{1}, []float64{1})
}

// Dots have no line between them, in the legend neither, and none is left out.
func TestDots(t *testing.T) {
	const n = 20
	c := Chart{Curves: []Curve{{Name: "a"}, {Name: "b"}}}
	for i := range n {
		for k := range c.Curves {
			c.Curves[k].X, c.Curves[k].Y = append(c.Curves[k].X, float64(i)), append(c.Curves[k].Y, float64((7*i+k)%5))
		}
	}
	lines := func(picture string) int { return strings.Count(picture, "stroke:#00458A") }
	joined := drawCharts(t, 1, c)
	if lines(joined) < 2 {
		t.Fatalf("%d lines, so that the test tests nothing", lines(joined))
	}
	c.Dots = true
	apart := drawCharts(t, 1, c)
	if lines(apart) > 0 {
		t.Errorf("%d lines between dots", lines(apart))
	}
	if got := strings.Count(apart, "fill:#00458A"); got != n+1 { // and that of the legend
		t.Errorf("%d dots and legends for %d values", got, n)
	}
}

func TestWholeX(t *testing.T) {
	c := Chart{Curves: []Curve{{"a", []float64{1, 2, 3}, []float64{4, 4, 4}}}}
	if !strings.Contains(drawCharts(t, 1, c), ">1.5<") {
		t.Fatal("the axis has no fractions, so that the test tests nothing")
	}
	c.WholeX = true
	if got := drawCharts(t, 1, c); strings.Contains(got, ">1.5<") || strings.Contains(got, ">2.0<") || !strings.Contains(got, ">2<") {
		t.Error("an axis of counts has fractions")
	}
}

// The title of the Y axis stays beside its axis, below the legend, in fonts that are a
// quarter wider too.
func TestYTitleStaysBesideItsAxis(t *testing.T) {
	c := chart("", "a", "b")
	c.YTitle = "fewer errors than the SVM on the labels, percent points of unlabelled rows"
	p := c.plot()
	axis := p.DataCanvas(draw.NewCanvas(vgsvg.New(chartWidth, chartHeight), chartWidth, chartHeight)).Size().Y
	lines := strings.Split(p.Y.Label.Text, "\n")
	if len(lines) < 2 {
		t.Errorf("%d line", len(lines))
	}
	for _, line := range lines {
		if width := 1.25 * textStyle(9).Width(line); !(width <= axis) {
			t.Errorf("%q is %g long beside an axis of %g", line, width, axis)
		}
	}
	if picture := drawCharts(t, 1, c); !strings.Contains(picture, ">"+lines[0]+"<") {
		t.Errorf("the picture lacks %q", lines[0])
	}
}

// Charts and the other pictures of a page give the first groups the same colours.
func TestChartsHaveTheColoursOfGroups(t *testing.T) {
	for g := range 3 {
		c := Chart{}.look(g).line.Color.(color.RGBA)
		if want := fmt.Sprintf("--g%d: #%02x%02x%02x;", g, c.R, c.G, c.B); !strings.Contains(pageTemplate, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
	if c := (Chart{Rest: 1}).look(0).line.Color; c == (Chart{}).look(0).line.Color {
		t.Error("grey is a group's colour")
	}
}
