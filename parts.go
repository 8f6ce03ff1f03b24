package lapsvm

import (
	"fmt"
	"slices"

	"lapsvm/dataset"
	"lapsvm/points"
)

// partsAcross is into how many parts a picture is cut at most, on each side.
const partsAcross = 7

func channels(shape dataset.Image) int {
	if shape.Colour {
		return 3
	}
	return 1
}

// partsOf are the parts of a picture that are not of its median colour.
func partsOf(shape dataset.Image, p *points.Points, i int) *players {
	s, row, colours := &players{like: p}, dense(p, i), channels(shape)
	ground := make([]float64, colours)
	for c := range ground {
		var of []float64
		for j := c; j < len(row); j += colours {
			of = append(of, row[j])
		}
		slices.Sort(of)
		ground[c] = of[len(of)/2]
	}
	down, across := min(partsAcross, shape.Height), min(partsAcross, shape.Width)
	owner := make([][]int, down*across)
	for k := range owner {
		at := Part{Top: k / across * shape.Height / down, Left: k % across * shape.Width / across}
		at.Height, at.Width = (k/across+1)*shape.Height/down-at.Top, (k%across+1)*shape.Width/across-at.Left
		for j := range at.Height * at.Width * colours {
			dot := (at.Top+j/colours/at.Width)*shape.Width + at.Left + j/colours%at.Width
			if row[dot*colours+j%colours] != ground[j%colours] {
				owner[k] = []int{len(s.reasons)}
				s.reasons = append(s.reasons, Reason{What: OfPart, Column: "part", Value: at.String(), Part: &at})
				break
			}
		}
	}
	partOf := func(at, parts, side int) int { return ((at+1)*parts - 1) / side }
	for j, v := range row {
		y, x := j/colours/shape.Width, j/colours%shape.Width
		s.entries = append(s.entries, entry{j, v, ground[j%colours], owner[partOf(y, down, shape.Height)*across+partOf(x, across, shape.Width)]})
	}
	return s
}

// String says where the part is, in dots from 1.
func (p Part) String() string {
	return fmt.Sprintf("rows %d–%d, columns %d–%d", p.Top+1, p.Top+p.Height, p.Left+1, p.Left+p.Width)
}
