package report

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"image/png"
	"io"
	"math"
	"strings"
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
	if err := DrawSurfaces(&picture, "png", 0, s); err != nil {
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
	if err := DrawSurfaces(&picture, "svg", 0, s[:1]); err != nil {
		t.Fatal(err)
	}
	for d := xml.NewDecoder(&picture); ; {
		if _, err := d.Token(); err == io.EOF {
			break
		} else if err != nil {
			t.Fatalf("the SVG is not well-formed: %v", err)
		}
	}
	if err := DrawSurfaces(io.Discard, "pdf", 0, s); err == nil {
		t.Error("pdf: no error")
	}
	failure := errors.New("no values")
	s[0].F = func(*points.Points) ([]float64, error) { return nil, failure }
	if err := DrawSurfaces(io.Discard, "svg", 0, s); !errors.Is(err, failure) {
		t.Errorf("error %v, want %v", err, failure)
	}
}

func TestSurfaceGrid(t *testing.T) {
	s := surface(func(x, y float64) float64 { return x })
	alone := Surface{Title: "alone", Data: s.Data}
	size := func(columns int, surfaces ...Surface) (width, height float64) {
		var picture bytes.Buffer
		if err := DrawSurfaces(&picture, "svg", columns, surfaces); err != nil {
			t.Fatal(err)
		}
		var head struct {
			ViewBox string `xml:"viewBox,attr"`
		}
		if err := xml.Unmarshal(picture.Bytes(), &head); err != nil {
			t.Fatal(err)
		}
		if _, err := fmt.Sscan(head.ViewBox, new(float64), new(float64), &width, &height); err != nil {
			t.Fatalf("viewBox %q: %v", head.ViewBox, err)
		}
		return width, height
	}
	w, h := size(0, s)
	for _, c := range []struct {
		columns      int
		across, down float64
	}{{0, 3, 1}, {-1, 3, 1}, {1, 1, 3}, {2, 2, 2}, {3, 3, 1}, {9, 3, 1}} {
		gotW, gotH := size(c.columns, s, alone, s)
		if math.Abs(gotW-c.across*w) > 1 || math.Abs(gotH-c.down*h) > 1 {
			t.Errorf("%d columns: %v×%v points, where one surface has %v×%v", c.columns, gotW, gotH, w, h)
		}
	}
	if err := DrawSurfaces(io.Discard, "svg", 0, nil); err == nil {
		t.Error("no surfaces: no error")
	}
	if err := DrawSurfaces(io.Discard, "svg", 0, []Surface{{Data: s.Data.Subset(nil)}}); err == nil {
		t.Error("no points: no error")
	}
}

func TestSurfaceGround(t *testing.T) {
	s := surface(func(x, y float64) float64 { return x })
	draw := func(s Surface) string {
		var picture bytes.Buffer
		if err := DrawSurfaces(&picture, "svg", 0, []Surface{s}); err != nil {
			t.Fatal(err)
		}
		return picture.String()
	}
	// The ground fills its place and is what it says.
	with := draw(s)
	for _, want := range []string{`<image preserveAspectRatio="none" `, `"data:image/png;base64,iVBOR`} {
		if !strings.Contains(with, want) {
			t.Errorf("the picture lacks %s", want)
		}
	}
	s.F = nil
	if strings.Contains(draw(s), "<image") {
		t.Error("points alone have a ground")
	}
}

func TestSurfaceClasses(t *testing.T) {
	s := surface(func(x, y float64) float64 { return x })
	s.F = nil
	for _, labels := range [][]int{{}, {0}, {1}, {0, 1}, {0, 1, 2}, {4, 5}} {
		for i := range s.Data.Y {
			s.Data.Y[i] = dataset.Unlabelled
		}
		copy(s.Data.Y, labels)
		var picture bytes.Buffer
		if err := DrawSurfaces(&picture, "svg", 0, []Surface{s}); err != nil {
			t.Fatal(err)
		}
		further := 0
		for _, y := range labels {
			if y > 1 {
				further++
			}
		}
		if got := strings.Count(picture.String(), "fill:#222222"); got != further {
			t.Errorf("labels %v: %d marks of further classes, want %d", labels, got, further)
		}
	}
}
