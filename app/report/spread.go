package report

import (
	"fmt"
	"slices"
	"strings"
)

// Lane is a histogram with a name, and perhaps another one below its ground line.
type Lane struct {
	Name  string
	Note  string // at the right of the name
	Group int    // for shape and colour; or [Others]
	Up    []float64
	Down  []float64 // as many bars, or nil
	Ticks []string  // words below, from left to right at even distances; nil for those of the spread
}

// Spread is histograms below one another. Each is as high as the others, so that rare groups can be seen.
type Spread struct {
	Lanes    []Lane
	Up, Down string   // what bars above and below the ground line are, where there are both
	Ticks    []string // words below the last lane
}

// The height of the bars on a side of few lanes, and of more.
const (
	laneHigh = 30
	laneLow  = 16
	fewLanes = 5
)

// Draw draws the lanes into a figure that has name, title and caption.
func (s Spread) Draw(f Figure) Figure {
	var k ink
	k.shapes()
	k.hatch()
	y := 0.0
	if s.Down != "" {
		k.bar(4, 4, 10, 8, "full soft")
		k.text(18, 12, "small", s.Up)
		x := 30 + width(s.Up, "small")
		k.hatched(x, 4, 10, 8)
		k.text(x+14, 12, "small", s.Down)
		y = 20
	}
	high := float64(laneHigh)
	if len(s.Lanes) > fewLanes && s.Down == "" {
		high = laneLow
	}
	var said []string
	ticks := func(words []string) {
		for i, t := range words {
			class, x := "tiny middle", 4+float64(inkWidth-8)*float64(i)/float64(max(len(words)-1, 1))
			switch i {
			case 0:
				class = "tiny"
			case len(words) - 1:
				class = "tiny end"
			}
			k.text(x, y+9, class, cut(t, class, inkWidth/float64(len(words))-4))
		}
		if words != nil {
			y += 13
		}
	}
	for _, l := range s.Lanes {
		x := 4.0
		if l.Group != Others {
			k.shape(l.Group, x+4, y+10, 4, "dot", "")
			x += 13
		}
		note := cut(l.Note, "small", inkWidth/2)
		k.text(x, y+14, "strong", cut(l.Name, "strong", inkWidth-4-x-8-width(note, "small")))
		k.text(inkWidth-4, y+14, "small end", note)
		y += 20
		most := 0.0
		for _, bars := range [][]float64{l.Up, l.Down} {
			for _, v := range bars {
				most = max(most, v)
			}
		}
		step := float64(inkWidth-8) / float64(max(len(l.Up), 1))
		draw := func(bars []float64, down bool) {
			for i, v := range bars {
				if v <= 0 {
					continue
				}
				h, x := max(high*v/most, 0.5), 4+float64(i)*step+0.5
				if down {
					k.hatched(x, y+high, step-1, h)
				} else {
					k.bar(x, y+high-h, step-1, h, "full "+laneColour(l.Group))
				}
			}
		}
		draw(l.Up, false)
		draw(l.Down, true)
		k.line(4, y+high, inkWidth-4, y+high, "rule")
		y += high
		if l.Down != nil {
			y += high
		}
		ticks(l.Ticks)
		y += 5
		said = append(said, strings.TrimSpace(l.Name+" "+l.Note)+": "+laneWords(l))
	}
	ticks(s.Ticks)
	f.Alt = strings.Join(said, "; ") + "."
	return k.finish(f, y+2)
}

func laneColour(group int) string {
	if group == Others {
		return "soft"
	}
	return colour(group)
}

// laneWords says where a lane is high.
func laneWords(l Lane) string {
	peak := func(bars []float64) string {
		if len(bars) == 0 || slices.Max(bars) == 0 {
			return "empty"
		}
		return fmt.Sprintf("highest in part %d of %d", slices.Index(bars, slices.Max(bars))+1, len(bars))
	}
	if l.Down == nil {
		return peak(l.Up)
	}
	return peak(l.Up) + ", below " + peak(l.Down)
}
