package report

import (
	"bytes"
	"encoding/xml"
	"errors"
	"image/png"
	"io"
	"testing"

	"lapsvm/dataset"
	"lapsvm/points"
)

func surface(f func(x, y float64) float64) Surface {
	d := dataset.TwoMoons(50, 0.1, 1)
	for i := 2; i < 50; i++ {
		d.Y[i] = dataset.Unlabelled
	}
	return Surface{Title: "a title", Data: d, F: func(p *points.Points) ([]float64, error) {
		z := make([]float64, p.Len())
		for i := range z {
			z[i] = f(p.DenseRow(i)[0], p.DenseRow(i)[1])
		}
		return z, nil
	}}
}

func TestDrawSurfaces(t *testing.T) {
	s := []Surface{surface(func(x, y float64) float64 { return 3 * x }), surface(func(x, y float64) float64 { return 0.5 }), surface(func(x, y float64) float64 { return 0 })}
	var picture bytes.Buffer
	if err := DrawSurfaces(&picture, "png", s); err != nil {
		t.Fatal(err)
	}
	img, err := png.Decode(bytes.NewReader(picture.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	// The first ground is blue on its left and orange on its right.
	at := func(x, y float64) (r, b uint32) {
		bounds := img.Bounds()
		r, _, b, _ = img.At(int(x*float64(bounds.Dx())), int(y*float64(bounds.Dy()))).RGBA()
		return r, b
	}
	if r, b := at(0.03, 0.5); r >= b {
		t.Errorf("red %d, blue %d where f < 0", r, b)
	}
	if r, b := at(0.29, 0.5); r <= b {
		t.Errorf("red %d, blue %d where f > 0", r, b)
	}
	picture.Reset()
	if err := DrawSurfaces(&picture, "svg", s[:1]); err != nil {
		t.Fatal(err)
	}
	for d := xml.NewDecoder(&picture); ; {
		if _, err := d.Token(); err == io.EOF {
			break
		} else if err != nil {
			t.Fatalf("the SVG is not well-formed: %v", err)
		}
	}
	if err := DrawSurfaces(io.Discard, "pdf", s); err == nil {
		t.Error("pdf: no error")
	}
	failure := errors.New("no values")
	s[0].F = func(*points.Points) ([]float64, error) { return nil, failure }
	if err := DrawSurfaces(io.Discard, "svg", s); !errors.Is(err, failure) {
		t.Errorf("error %v, want %v", err, failure)
	}
}
