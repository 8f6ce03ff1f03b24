package report

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// Dot is a point of a [Map].
type Dot struct {
	X, Y     float64 // from 0 to 1
	Group    int     // that it is given; or [Others]
	Labelled bool
	Unsure   bool   // shown hollow
	Contrary bool   // a label that the machine decides otherwise; crossed
	Title    string // shown where a pointer rests
}

// Map shows points in the plane by groups: each has a colour, a shape and, where it lies, its name.
type Map struct {
	Groups []string // at most [Groups]
	Counts []int    // of each group among all points, of which the dots may be a sample
	Sized  bool     // groups are steps of a size: one shape that grows, and no names on the map
	Dots   []Dot
	Unsure string // what hollow dots are, for the legend
	What   string // what is given to labelled dots
	// Pictures are those of dots, made where they are shown: some of them, far from one another. Nil for none.
	Pictures []func() Picture
}

// mapMargin is the room around a map.
const mapMargin = 8

// Draw draws the map into a figure that has name, title and caption.
func (m Map) Draw(f Figure) Figure {
	var k ink
	k.shapes()
	bottom := 0.0
	for _, d := range m.Dots {
		bottom = max(bottom, d.Y)
	}
	side := float64(inkWidth - 2*mapMargin)
	size := 4.0
	for _, than := range []int{200, 500, 1000} {
		if len(m.Dots) > than {
			size -= 0.7
		}
	}
	at := func(d Dot) (x, y float64) { return mapMargin + side*d.X, mapMargin + side*d.Y }
	order := make([]int, len(m.Dots)) // those that tell more lie above
	for i := range order {
		order[i] = i
	}
	weight := func(d Dot) int {
		w := 0
		for k, is := range []bool{d.Group != Others, !d.Unsure, d.Labelled, d.Contrary} {
			if is {
				w += 1 << k
			}
		}
		return w
	}
	slices.SortStableFunc(order, func(a, b int) int { return weight(m.Dots[a]) - weight(m.Dots[b]) })
	some := [3]bool{} // labelled, unsure, contrary
	for _, i := range order {
		d := m.Dots[i]
		x, y := at(d)
		m.dot(&k, d, x, y, size)
		some[0], some[1], some[2] = some[0] || d.Labelled, some[1] || d.Unsure, some[2] || d.Contrary
	}
	if m.Pictures != nil {
		m.pictures(&k, at)
	}
	if !m.Sized && len(m.Groups) > 1 {
		m.names(&k, at)
	}
	height := m.legend(&k, 2*mapMargin+side*bottom+8, some)
	f.Alt = m.alt(some)
	return k.finish(f, height)
}

// dot draws one.
func (m Map) dot(k *ink, d Dot, x, y, size float64) {
	class, group := "dot", d.Group
	if d.Labelled {
		class, size = class+" given", 1.5*size
	}
	if d.Unsure {
		class += " hollow"
	}
	if m.Sized {
		m.sized(k, group, x, y, size, class, d.Title)
		return
	}
	k.shape(group, x, y, size, class, d.Title)
	if d.Contrary {
		r := size + 1.5
		fmt.Fprintf(k, `<path d="M%s %sl%s %sm0-%sl-%s %s" class="cross"/>`, dots(x-r), dots(y-r), dots(2*r), dots(2*r), dots(2*r), dots(2*r), dots(2*r))
	}
}

// sized draws a circle whose size tells its group too.
func (m Map) sized(k *ink, group int, x, y, size float64, class, title string) {
	scale := 0.7 + 0.6*float64(group)/float64(max(len(m.Groups)-1, 1))
	fmt.Fprintf(k, `<use href="#g0" transform="translate(%s %s) scale(%s)" class="s%d %s"`, dots(x), dots(y), dots(size*scale), max(group, 0), class)
	if title != "" {
		fmt.Fprintf(k, `><title>%s</title></use>`, escape(title))
		return
	}
	k.WriteString("/>")
}

// Pictures on a map.
const (
	mapPictures = 30
	pictureSide = 26.0
)

// pictures shows some dots as what they are, with a frame in the colour of their group.
func (m Map) pictures(k *ink, at func(Dot) (x, y float64)) {
	var taken [][2]float64
	for i, d := range m.Dots {
		x, y := at(d)
		if len(taken) == mapPictures {
			break
		}
		if slices.ContainsFunc(taken, func(p [2]float64) bool {
			return math.Abs(p[0]-x) < 1.5*pictureSide && math.Abs(p[1]-y) < 1.5*pictureSide
		}) {
			continue
		}
		address, err := m.Pictures[i]().inline()
		if err != nil {
			continue
		}
		taken = append(taken, [2]float64{x, y})
		x, y = max(1, min(x-pictureSide/2, inkWidth-pictureSide-1)), max(1, y-pictureSide/2)
		fmt.Fprintf(k, `<image href="%s" x="%s" y="%s" width="%s" height="%s"/>`, address, dots(x), dots(y), dots(pictureSide), dots(pictureSide))
		fmt.Fprintf(k, `<rect x="%s" y="%s" width="%s" height="%s" class="frame %s"/>`, dots(x), dots(y), dots(pictureSide), dots(pictureSide), strings.Replace(colour(max(min(d.Group, Groups-1), Others)), "g", "l", 1))
		m.dot(k, Dot{Group: d.Group}, x+pictureSide, y, 4)
	}
}

// names writes the name of each group at its middle dot, which has the least distance to the others.
func (m Map) names(k *ink, at func(Dot) (x, y float64)) {
	type place struct{ x, y, half float64 }
	var taken []place
	for g, name := range m.Groups {
		var all []Dot
		for _, d := range m.Dots {
			if d.Group == g {
				all = append(all, d)
			}
		}
		if len(all) == 0 {
			continue
		}
		best, least := all[0], math.Inf(1)
		step := (len(all) + 199) / 200
		for i := 0; i < len(all); i += step {
			sum := 0.0
			for j := 0; j < len(all); j += step {
				sum += math.Hypot(all[i].X-all[j].X, all[i].Y-all[j].Y)
			}
			if sum < least {
				best, least = all[i], sum
			}
		}
		words := cut(name, "name", 110)
		half := width(words, "name")/2 + 3
		x, y := at(best)
		x = max(half, min(x, inkWidth-half))
		for slices.ContainsFunc(taken, func(p place) bool { return math.Abs(p.y-y) < 13 && math.Abs(p.x-x) < p.half+half }) {
			y += 4
		}
		taken = append(taken, place{x, y, half})
		k.text(x, y+4, "name", words)
	}
}

// legend says what dots mean, from y down, and returns where it ends.
func (m Map) legend(k *ink, y float64, some [3]bool) float64 {
	x := float64(mapMargin)
	entry := func(words string, draw func(x, y float64)) {
		words = cut(words, "words", inkWidth-40)
		if w := 20 + width(words, "words"); x > mapMargin && x+w > inkWidth {
			x, y = mapMargin, y+17
		}
		draw(x+5, y)
		k.text(x+15, y+4, "words", words)
		x += 26 + width(words, "words")
	}
	for g, name := range m.Groups {
		words := cut(name, "words", 160)
		if m.Counts != nil {
			words = fmt.Sprintf("%s (%d)", words, m.Counts[g])
		}
		entry(words, func(x, y float64) { m.dot(k, Dot{Group: g}, x, y, 4.5) })
	}
	if slices.ContainsFunc(m.Dots, func(d Dot) bool { return d.Group == Others }) {
		entry("others", func(x, y float64) { m.dot(k, Dot{Group: Others}, x, y, 4.5) })
	}
	x, y = mapMargin, y+17
	first := 0
	for k, is := range some {
		if is {
			first = k
			break
		}
	}
	if some[0] {
		entry(m.What, func(x, y float64) { m.dot(k, Dot{Labelled: true}, x, y, 3) })
	}
	if some[1] {
		entry(m.Unsure, func(x, y float64) { m.dot(k, Dot{Unsure: true}, x, y, 4.5) })
	}
	if some[2] {
		entry("decided otherwise than labelled", func(x, y float64) { m.dot(k, Dot{Labelled: true, Contrary: true}, x, y, 3) })
	}
	if !some[first] {
		y -= 17
	}
	return y + 14
}

// alt says in words what the map shows.
func (m Map) alt(some [3]bool) string {
	var parts []string
	for g, name := range m.Groups {
		n := 0
		for _, d := range m.Dots {
			if d.Group == g {
				n++
			}
		}
		parts = append(parts, fmt.Sprintf("%s %d", name, n))
	}
	labelled, unsure, contrary := 0, 0, 0
	for _, d := range m.Dots {
		if d.Labelled {
			labelled++
		}
		if d.Unsure {
			unsure++
		}
		if d.Contrary {
			contrary++
		}
	}
	text := fmt.Sprintf("A map of %d points, near to one another where they are alike: %s.", len(m.Dots), strings.Join(parts, ", "))
	if some[0] {
		text += fmt.Sprintf(" %d with a label.", labelled)
	}
	if some[1] {
		text += fmt.Sprintf(" %d unsure.", unsure)
	}
	if some[2] {
		text += fmt.Sprintf(" %d decided otherwise than labelled.", contrary)
	}
	return text
}
