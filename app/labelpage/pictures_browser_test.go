package labelpage_test

import (
	"bytes"
	"cmp"
	"flag"
	"image"
	"image/color"
	"image/png"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"lapsvm/internal/testing/chromium"
)

//go:generate go test -run TestPictures -pictures ../../docs/manual/pictures .

var pictures = flag.String("pictures", "", "folder to write the manual's pictures of the page to")

// TestPictures makes the manual's pictures of the page, of generated digits.
func TestPictures(t *testing.T) {
	if *pictures == "" {
		t.Skip("needs -pictures FOLDER")
	}
	if err := os.MkdirAll(*pictures, 0o777); err != nil {
		t.Fatal(err)
	}
	b := chromium.Start(t)
	p := enter(t, b, serveDigits(t, 1500, 20), "Ada")
	p.do(chromedp.EmulateViewport(1120, 720))
	p.learned(60)
	p.choose("audit")
	for range 24 {
		p.until("document.querySelector('.reason').classList.contains('blind') && !document.querySelector('.doing')")
		p.labels(1)
	}
	p.choose("suggest")
	p.until("document.getElementById('stage').dataset.row > 0 && !document.querySelector('.reason').classList.contains('blind')")
	p.saved()
	p.until("document.querySelector('.machine').textContent === 'The model has all 84 labels' && !document.querySelector('.doing')")
	p.key("p")
	p.until("document.querySelectorAll('.bars .chip').length > 0")
	p.picture("label")
	p.see("B", "batch")
	p.until("document.activeElement.matches('.batch-view .tile')")
	p.key("ArrowRight", "ArrowRight", "x", "ArrowRight")
	p.picture("batch")
	p.see("M", "map")
	p.until("document.querySelector('.legend').children.length > 0")
	// The ring goes to where the points predicted to be a seven are drawn.
	middle := value[[]float64](p, `(() => {
		const { width, height } = document.querySelector('.map-canvas');
		const { data } = document.querySelector('.map-canvas').getContext('2d').getImageData(0, 0, width, height);
		let [x, y, n] = [0, 0, 0];
		for (let at = 0; at < width * height; at++) {
			if (data[4 * at] !== 0x7a || data[4 * at + 1] !== 0x6c || data[4 * at + 2] !== 0xd8) continue;
			x += at % width;
			y += Math.floor(at / width);
			n++;
		}
		return [x / n - width / 2, y / n - height / 2];
	})()`)
	p.key("x")
	for axis, keys := range [][2]string{{"ArrowRight", "ArrowLeft"}, {"ArrowDown", "ArrowUp"}} {
		way := keys[0]
		if middle[axis] < 0 {
			way = keys[1]
		}
		for range int(math.Abs(middle[axis])/60 + 0.5) {
			p.key(way)
		}
	}
	p.key("+", "+", "Enter")
	p.until("document.querySelector('.region h2')")
	p.picture("region")
	p.see("R", "progress")
	p.picture("progress")
	p.see("L", "label")
	p.do(chromedp.EmulateViewport(390, 780, chromedp.EmulateMobile, chromedp.EmulateScale(1)))
	if _, err := chromedp.Call(p.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: "dark"}}}); err != nil {
		t.Fatal(err)
	}
	p.label("s")
	p.picture("narrow")
	p = enter(t, b, serveSeveral(t, posts(120)), "Ada")
	p.do(chromedp.EmulateViewport(1120, 720))
	topics := func() (keys []string) {
		for k := range 3 {
			if (p.row()-1)>>k%2 == 1 {
				keys = append(keys, strconv.Itoa(k+1))
			}
		}
		return keys
	}
	for range 20 {
		p.confirms(topics()...)
	}
	for len(topics()) < 2 {
		p.confirms(topics()...)
	}
	p.saved()
	p.until("!document.querySelector('.doing')")
	p.key("p")
	p.until("document.querySelectorAll('.bars .chip').length > 0")
	p.key(topics()[:2]...)
	p.key("x", map[bool]string{true: "2", false: "3"}[topics()[1] == "3"])
	p.picture("several")
}

// picture takes a picture of the page as it is, in few colours so that the file is
// small.
func (p *tab) picture(name string) {
	p.t.Helper()
	p.until("document.getElementById('toast').hidden && [...document.images].every((i) => i.complete)")
	p.do(chromedp.Sleep(300 * time.Millisecond))
	text, err := chromedp.Run(p.ctx, chromedp.CaptureScreenshot())
	if err != nil {
		p.t.Fatal(err)
	}
	full, err := png.Decode(bytes.NewReader(text))
	if err != nil {
		p.t.Fatal(err)
	}
	var file bytes.Buffer
	if err := (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&file, fewColours(full)); err != nil {
		p.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(*pictures, "label-"+name+".png"), file.Bytes(), 0o666); err != nil {
		p.t.Fatal(err)
	}
}

// fewColours paints an image in 256 colours: of every small cube of colours that
// occur together the most frequent one, for the most frequent cubes.
func fewColours(full image.Image) *image.Paletted {
	box := full.Bounds()
	at := func(x, y int) color.RGBA { return color.RGBAModel.Convert(full.At(x, y)).(color.RGBA) }
	cube := func(c color.RGBA) color.RGBA { return color.RGBA{c.R / 8, c.G / 8, c.B / 8, 255} }
	times := make(map[color.RGBA]int)
	for y := box.Min.Y; y < box.Max.Y; y++ {
		for x := box.Min.X; x < box.Max.X; x++ {
			times[at(x, y)]++
		}
	}
	together, chief := make(map[color.RGBA]int), make(map[color.RGBA]color.RGBA)
	for c, n := range times {
		k := cube(c)
		together[k] += n
		if old, is := chief[k]; !is || n > times[old] || n == times[old] && value24(c) < value24(old) {
			chief[k] = c
		}
	}
	cubes := slices.Collect(maps.Keys(together))
	slices.SortFunc(cubes, func(a, b color.RGBA) int {
		return cmp.Or(together[b]-together[a], value24(a)-value24(b))
	})
	palette := make(color.Palette, min(256, len(cubes)))
	for k := range palette {
		palette[k] = chief[cubes[k]]
	}
	few := image.NewPaletted(box, palette)
	nearest := make(map[color.RGBA]uint8)
	for y := box.Min.Y; y < box.Max.Y; y++ {
		for x := box.Min.X; x < box.Max.X; x++ {
			c := at(x, y)
			k, is := nearest[c]
			if !is {
				k = uint8(palette.Index(c))
				nearest[c] = k
			}
			few.SetColorIndex(x, y, k)
		}
	}
	return few
}

func value24(c color.RGBA) int { return int(c.R)<<16 | int(c.G)<<8 | int(c.B) }
