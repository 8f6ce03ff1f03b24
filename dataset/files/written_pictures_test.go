package files

import (
	"fmt"
	"image"
	_ "image/png"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lapsvm/dataset"
)

// dotsOf returns the red, green and blue of a picture as it is read, at its own size as another program has it.
func dotsOf(t *testing.T, name, like string) []float64 {
	t.Helper()
	folder := filepath.Join(writtenFolder, "pictures")
	f, err := os.Open(filepath.Join(folder, like))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	size, _, err := image.DecodeConfig(f)
	if err != nil {
		t.Fatal(err)
	}
	d, err := ReadFile(filepath.Join(folder, name), Options{Image: dataset.Image{Width: size.Width, Height: size.Height, Colour: true, White: 255}})
	if err != nil {
		t.Fatal(err)
	}
	return d.Points.Row(0, nil)
}

// Pictures have the dots that other programs show: turned as the camera held, and in the colours of libwebp.
func TestWrittenPictures(t *testing.T) {
	type pair struct {
		name, like string
		most       float64 // by which a dot may differ: decoders of JPEG round otherwise
	}
	all := []pair{{"lossy.webp", "lossy.png", 0}, {"lossless.webp", "table.png", 0}, {"lossy.alpha.webp", "lossy.alpha.png", 0}, {"table.tiff", "table.png", 0}, {"lzw.tiff", "table.png", 0}, {"webp.6.webp", "png.6.png", 0}}
	for k := 1; k <= 8; k++ {
		all = append(all, pair{fmt.Sprintf("jpeg.%d.jpg", k), fmt.Sprintf("jpeg.%d.upright.png", k), 3})
	}
	for _, p := range all {
		got, want := dotsOf(t, p.name, p.like), dotsOf(t, p.like, p.like)
		worst := 0.0
		for i := range want {
			worst = max(worst, math.Abs(got[i]-want[i]))
		}
		if !(worst <= p.most) || len(got) != len(want) {
			t.Errorf("%s differs from %s by %v", p.name, p.like, worst)
		}
	}
	if _, err := ReadFile(filepath.Join(writtenFolder, "pictures", "fax.tiff"), Options{Image: dataset.Image{Width: 9, Height: 7}}); err == nil || !strings.Contains(err.Error(), "the compression of fax") {
		t.Error(err)
	}
}
