package dataset

import "fmt"

// Image describes the features of an image: Width×Height grey or coloured dots, row by row from
// the top. A coloured dot has three values, red, green and blue, next to each other.
type Image struct {
	Width, Height int     // of the result, in dots, at most MaxImageSide; 0 means 32
	Colour        bool    // red, green and blue of every dot in place of its luma
	White         float64 // the value of white, where black is 0; 0 means 1
}

// None reports whether m is the zero value, which a [Dataset] has whose rows are no images.
func (m Image) None() bool { return m == Image{} }

// MaxImageSide is the largest width and height of a result.
const MaxImageSide = 1 << 14

// defaultSide is the width and height that 0 stands for.
const defaultSide = 32

// Size returns the width and the height with the default filled in.
func (m Image) Size() (width, height int) {
	width, height = m.Width, m.Height
	if width == 0 {
		width = defaultSide
	}
	if height == 0 {
		height = defaultSide
	}
	return width, height
}

// Dim returns the number of features: Width·Height, three times as many in
// colour.
func (m Image) Dim() int {
	width, height := m.Size()
	return m.values() * width * height
}

// values returns how many values a dot has.
func (m Image) values() int {
	if m.Colour {
		return 3
	}
	return 1
}

// Brightest returns the value of white, with the default filled in.
func (m Image) Brightest() float64 {
	if m.White == 0 {
		return 1
	}
	return m.White
}

// OfImages returns d with its rows taken for images of the given size and colours. A White of 0 becomes
// the largest feature. It fails where the rows have another number of features.
func (d *Dataset) OfImages(m Image) (*Dataset, error) {
	m.Width, m.Height = m.Size()
	if d.Points.Dim() != m.Dim() {
		colours := "grey"
		if m.Colour {
			colours = "coloured"
		}
		return nil, fmt.Errorf("the rows have %d features, and %s images %d dots wide and %d high have %d", d.Points.Dim(), colours, m.Width, m.Height, m.Dim())
	}
	if m.White == 0 {
		_, _, m.White = d.Points.LargestValue()
		m.White = max(m.White, 0)
	}
	images := *d
	images.Image = m
	return &images, nil
}
