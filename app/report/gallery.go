package report

import (
	"bytes"
	"encoding/base64"
	"html/template"
	"image"
	"image/png"
)

// Gallery is a row of small pictures.
type Gallery struct {
	Name           string // anchor
	Title, Caption string
	Pictures       []Picture
}

// Picture is an image of a few dots with words below it. A page has the image as PNG
// within itself.
type Picture struct {
	Image  image.Image
	Title  string // such as the name of its file
	Detail string // shown smaller below; may be empty
}

// inline returns the image as the address of an element of an HTML page.
func (p Picture) inline() (template.URL, error) {
	var b bytes.Buffer
	if err := png.Encode(&b, p.Image); err != nil {
		return "", err
	}
	return template.URL("data:image/png;base64," + base64.StdEncoding.EncodeToString(b.Bytes())), nil
}

func (g Gallery) view() (galleryView, error) {
	v := galleryView{Gallery: g}
	for _, p := range g.Pictures {
		address, err := p.inline()
		if err != nil {
			return v, err
		}
		v.Pictures = append(v.Pictures, pictureView{p, address})
	}
	return v, nil
}
