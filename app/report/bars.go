package report

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// Bar is a named size with a curve beside it.
type Bar struct {
	Name   string
	Value  float64 // its length, 0 or above
	Error  float64 // how far the value may be off on either side, a line along the bar; 0 for none
	Beside float64 // another length, marked across the bar; 0 for none
	Text   string  // the value in words
	Words  string  // what the curve says; may be empty
	Group  int     // of the words, for their shape and colour; or [Others] for none
	Curve  Steps   // may be empty
}

// Steps are what a curve goes through.
type Steps struct {
	Names   []string
	At      []float64 // places of numbers; nil of categories, which have no distances
	Heights []float64
}

// Bars are sizes below one another, the curves on one scale so that small effects look small.
type Bars struct {
	Bars []Bar
	Most float64 // the value of a bar of full length; 0 for the largest there is
}

// The places of bars and curves.
const (
	barsRow   = 52
	barsLeft  = 4
	barsRight = 196 // of the longest bar
	curveLeft = 222
	curveTop  = 4
	curveHigh = 26
)

// Draw draws the bars into a figure that has name, title and caption.
func (b Bars) Draw(f Figure) Figure {
	var k ink
	k.shapes()
	most, low, high, right := b.Most, math.Inf(1), math.Inf(-1), float64(inkWidth-barsLeft)
	var said []string
	for _, bar := range b.Bars {
		if most = max(most, bar.Value+bar.Error); bar.Beside > 0 {
			most = max(most, bar.Beside)
		}
		if bar.Curve.Heights != nil { // which has its place beside the bars
			right = barsRight
		}
		for _, v := range bar.Curve.Heights {
			low, high = min(low, v), max(high, v)
		}
		words := bar.Name + " " + bar.Text
		if bar.Words != "" {
			words += ", " + bar.Words
		}
		said = append(said, words)
	}
	row := barsRow
	if !slices.ContainsFunc(b.Bars, func(b Bar) bool { return b.Words != "" || b.Curve.Heights != nil }) {
		row -= 16
	}
	y := 0.0
	for _, bar := range b.Bars {
		k.text(barsLeft, y+13, "strong", cut(bar.Name, "strong", right-barsLeft-8-width(bar.Text, "soft")))
		k.text(right, y+13, "soft end", bar.Text)
		k.bar(barsLeft, y+18, right-barsLeft, 7, "ground")
		if most > 0 {
			k.bar(barsLeft, y+18, max((right-barsLeft)*bar.Value/most, 0.5), 7, "full "+barColour(bar.Group))
		}
		if bar.Error > 0 {
			from, to := barsLeft+(right-barsLeft)*max(bar.Value-bar.Error, 0)/most, barsLeft+(right-barsLeft)*(bar.Value+bar.Error)/most
			k.line(from, y+28, to, y+28, "rule")
			k.line(from, y+25, from, y+31, "rule")
			k.line(to, y+25, to, y+31, "rule")
		}
		if bar.Beside > 0 {
			x := barsLeft + (right-barsLeft)*bar.Beside/most
			k.line(x, y+15, x, y+28, "beside")
		}
		below := 0.0
		if x := float64(barsLeft); bar.Words != "" {
			if bar.Group != Others {
				k.shape(bar.Group, x+4, y+38, 3.6, "dot", "")
				x += 12
			}
			for i, line := range lines(bar.Words, "small", right-x, 2) {
				below = float64(12 * i)
				k.text(x, y+42+below, "small", line)
			}
		}
		bar.Curve.draw(&k, y, low, high, bar.Group)
		y += float64(row) + below
	}
	f.Alt = strings.Join(said, "; ") + "."
	return k.finish(f, y)
}

func barColour(group int) string {
	if group == Others {
		return "ink"
	}
	return colour(group)
}

// draw draws the curve of a row of bars: a line of numbers, or a step of each category.
func (s Steps) draw(k *ink, y, low, high float64, group int) {
	n := len(s.Heights)
	if n < 2 || !(high > low) {
		return
	}
	const wide = inkWidth - 4 - curveLeft
	up := func(v float64) float64 { return y + curveTop + curveHigh*(high-v)/(high-low) }
	var names []string
	for i, name := range s.Names {
		names = append(names, fmt.Sprintf("%s: %.3g", name, s.Heights[i]))
	}
	fmt.Fprintf(k, `<g><title>%s</title>`, escape(strings.Join(names, ", ")))
	k.bar(curveLeft, y+curveTop, wide, curveHigh, "ground")
	if low < 0 && high > 0 {
		k.line(curveLeft, up(0), curveLeft+wide, up(0), "zero")
	}
	var path strings.Builder
	if s.At == nil {
		step := float64(wide) / float64(n)
		for i, v := range s.Heights {
			x := curveLeft + float64(i)*step
			fmt.Fprintf(&path, "%s%s %sh%s", map[bool]string{true: "M", false: "L"}[i == 0], dots(x), dots(up(v)), dots(step))
		}
	} else {
		for i, v := range s.Heights {
			x := curveLeft + wide*(s.At[i]-s.At[0])/(s.At[n-1]-s.At[0])
			fmt.Fprintf(&path, "%s%s %s", map[bool]string{true: "M", false: "L"}[i == 0], dots(x), dots(up(v)))
		}
		k.text(curveLeft, y+curveTop+curveHigh+9, "tiny", cut(s.Names[0], "tiny", wide/2-2))
		k.text(curveLeft+wide, y+curveTop+curveHigh+9, "tiny end", cut(s.Names[n-1], "tiny", wide/2-2))
	}
	fmt.Fprintf(k, `<path d="%s" class="curve %s"/></g>`, path.String(), strings.Replace(barColour(group), "g", "l", 1))
}
