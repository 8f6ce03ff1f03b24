package report

import (
	"cmp"
	"image/color"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// entry is a line of a chart and its name.
type entry struct {
	place int // in the order of legends: curves, levels, marks
	name  string
	look  look // without a glyph's shape where there is none
}

// firstLevel is the place of a chart's first level; its curves come before, its
// marks after twice that.
const firstLevel = 1000

// entries returns the chart's lines that have a name.
func (c Chart) entries() []entry {
	var list []entry
	xLow, xHigh, yLow, yHigh := c.ranges()
	for k, v := range c.Curves {
		if v.Name != "" && slices.ContainsFunc(v.Y, c.shows) {
			l := c.look(k)
			if c.Filled {
				l.glyph.Shape = nil
			}
			if c.Dots {
				l.line.Width = 0
			}
			list = append(list, entry{k, v.Name, l})
		}
	}
	for k, l := range c.Levels {
		if l.Name != "" && l.At >= yLow && l.At <= yHigh {
			list = append(list, entry{firstLevel + k, l.Name, look{line: levelLine(k)}})
		}
	}
	for k, m := range c.Marks {
		if m.Name != "" && m.At >= xLow && m.At <= xHigh {
			list = append(list, entry{2*firstLevel + k, m.Name, look{line: markLine(k)}})
		}
	}
	return list
}

// commonEntries returns the entries of all charts, if no line has one name in
// one chart and another name in another.
func commonEntries(charts []Chart) ([]entry, bool) {
	at := map[int]entry{}
	var list []entry
	for _, c := range charts {
		for _, e := range c.entries() {
			first, ok := at[e.place]
			if ok && first.name != e.name {
				return nil, false
			}
			if !ok {
				at[e.place] = e
				list = append(list, e)
			}
		}
	}
	slices.SortFunc(list, func(a, b entry) int { return cmp.Compare(a.place, b.place) })
	return list, true
}

// legend is entries in lines that fit a width.
type legend struct {
	entries []entry
	texts   [][]string // the lines of each entry's name
	at      []vg.Point // the top left of each entry, from the legend's own
	height  vg.Length
}

// The sizes of a legend.
const (
	legendLine  = 11 * vg.Length(1) // height of a line
	legendStub  = 24 * vg.Length(1) // length of the sample of a line
	legendSpace = 4 * vg.Length(1)  // between sample and name
	legendGap   = 12 * vg.Length(1) // between entries
)

// newLegend lays entries out. One curve alone needs no legend.
func newLegend(entries []entry, width vg.Length) legend {
	if len(entries) == 0 || len(entries) == 1 && entries[0].place < firstLevel {
		return legend{}
	}
	l := legend{entries: entries}
	style := textStyle(8)
	var x, y vg.Length
	tallest := 0
	for _, e := range entries {
		lines := wrap(style, e.name, width-legendStub-legendSpace)
		wide := legendStub + legendSpace
		for _, line := range lines {
			wide = max(wide, legendStub+legendSpace+style.Width(line))
		}
		if x > 0 && x+wide > width {
			x, y, tallest = 0, y+vg.Length(tallest)*legendLine, 0
		}
		l.texts, l.at = append(l.texts, lines), append(l.at, vg.Point{X: x, Y: -y})
		x += wide + legendGap
		tallest = max(tallest, len(lines))
	}
	l.height = y + vg.Length(tallest)*legendLine + 4
	return l
}

// draw draws the legend below and right of a point.
func (l legend) draw(c *draw.Canvas, corner vg.Point) {
	style := textStyle(8)
	for k, e := range l.entries {
		at := corner.Add(l.at[k])
		middle := at.Y - legendLine/2
		c.StrokeLine2(e.look.line, at.X, middle, at.X+legendStub, middle)
		if e.look.glyph.Shape != nil {
			c.DrawGlyph(e.look.glyph, vg.Point{X: at.X + legendStub/2, Y: middle})
		}
		for n, line := range l.texts[k] {
			c.FillText(style, vg.Point{X: at.X + legendStub + legendSpace, Y: at.Y - vg.Length(n)*legendLine - 1.5}, line)
		}
	}
}

// heading is the text and legend above a chart.
type heading struct {
	title  []string
	legend legend
}

// titleLine is the height of a line of a title.
const titleLine = 13 * vg.Length(1)

func (h heading) height() vg.Length {
	return vg.Length(len(h.title))*titleLine + 3 + h.legend.height
}

// draw draws the heading below and right of a point.
func (h heading) draw(c *draw.Canvas, corner vg.Point) {
	for _, line := range h.title {
		c.FillText(textStyle(10), corner, line)
		corner.Y -= titleLine
	}
	corner.Y -= 3
	h.legend.draw(c, corner)
}

// textStyle is black text of a size in points, placed by its top left.
func textStyle(size float64) text.Style {
	return text.Style{Color: color.Black, Font: sansFont(size), XAlign: text.XLeft, YAlign: text.YTop, Handler: plot.DefaultTextHandler}
}

func sansFont(size float64) font.Font {
	return font.Font{Typeface: "Liberation", Variant: "Sans", Size: vg.Points(size)}
}

// sans gives all texts of a plot the font of charts.
func sans(p *plot.Plot) {
	p.Title.TextStyle.Font = sansFont(10)
	p.Title.Padding = vg.Points(3)
	for _, a := range []*plot.Axis{&p.X, &p.Y} {
		a.Label.TextStyle.Font = sansFont(9)
		a.Label.Padding = vg.Points(2)
		a.Tick.Label.Font = sansFont(8)
	}
}

// wrap breaks a text between words into lines of at most the given width.
func wrap(style text.Style, s string, width vg.Length) []string {
	var lines []string
	for _, word := range strings.Fields(s) {
		if n := len(lines); n > 0 && style.Width(lines[n-1]+" "+word) <= width {
			lines[n-1] += " " + word
		} else {
			lines = append(lines, word)
		}
	}
	return lines
}
