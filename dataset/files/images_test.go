package files

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"image"
	"image/color"
	"image/draw"
	"image/gif"
	"image/jpeg"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"lapsvm/dataset"
)

// folder makes a folder of images and returns its path.
func folder(t *testing.T, files map[string][]byte) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "photos")
	for name, data := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func encoded(t *testing.T, img image.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// greys is a grey image of the given rows.
func greys(rows ...[]byte) *image.Gray {
	img := image.NewGray(image.Rect(0, 0, len(rows[0]), len(rows)))
	for y, row := range rows {
		copy(img.Pix[y*img.Stride:], row)
	}
	return img
}

func TestImages(t *testing.T) {
	grey := encoded(t, greys([]byte{0, 51}, []byte{102, 255}))
	dir := folder(t, map[string][]byte{
		"b/2.png": grey, "b/deep/1.PNG": grey, "a/3.png": encoded(t, greys([]byte{255, 255}, []byte{255, 255})), "unlabelled/0.png": grey, "unlabeled/0.png": grey,
		"_unlabelled/x/y.png": grey, "loose.png": grey, "b/readme.txt": nil, ".hidden/4.png": nil, "a/.5.png": nil, "דג/6.png": grey,
	})
	d, err := ReadFile(dir, Options{Image: dataset.Image{Width: 2, Height: 2}})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := labels(d), []string{"", "a", "b", "b", "", "", "", "דג"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if got, want := d.Points.DenseRow(0), []float64{0, 51.0 / 255, 102.0 / 255, 1}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if got := d.Points.DenseRow(1); !slices.Equal(got, []float64{1, 1, 1, 1}) {
		t.Errorf("%v", got)
	}
	if d, err = ReadFile(dir, Options{}); err != nil || d.Points.Dim() != 32*32 || d.Points.DenseRow(0)[15] != 0 || d.Points.DenseRow(0)[16] != 51.0/255 {
		t.Errorf("%v, %v", d, err)
	}
	if d, err = ReadFile(dir, Options{Format: Images, Image: dataset.Image{Width: 1, Height: 1, Colour: true}}); err != nil || d.Points.Dim() != 3 || math.Abs(d.Points.DenseRow(0)[1]-102.0/255) > 1e-15 {
		t.Errorf("%v, %v", d, err)
	}
}

// Images of several hues are read in grey with a note, which names the option. Those of one hue, of several brightnesses, in colour, or read for a model have none.
func TestHues(t *testing.T) {
	plain := func(colours ...color.NRGBA) string {
		all := make(map[string][]byte)
		for k, c := range colours {
			img := image.NewNRGBA(image.Rect(0, 0, 3, 2))
			for at := range 6 {
				img.SetNRGBA(at%3, at/3, c)
			}
			all[fmt.Sprintf("%d.png", k)] = encoded(t, img)
		}
		return folder(t, all)
	}
	hues := plain(color.NRGBA{200, 60, 60, 255}, color.NRGBA{60, 130, 60, 255}, color.NRGBA{60, 60, 250, 255})
	brown := plain(color.NRGBA{100, 80, 60, 255}, color.NRGBA{100, 80, 60, 255})
	grey := plain(color.NRGBA{20, 20, 20, 255}, color.NRGBA{250, 250, 250, 255})
	small := dataset.Image{Width: 2, Height: 1}
	for _, c := range []struct {
		name, dir string
		o         Options
		notes     int
	}{
		{"hues", hues, Options{Image: small}, 1},
		{"hues in colour", hues, Options{Image: dataset.Image{Width: 2, Height: 1, Colour: true}}, 0},
		{"hues for a model", hues, Options{Image: small, Features: 2}, 0},
		{"brown", brown, Options{Image: small}, 0},
		{"grey", grey, Options{Image: small}, 0},
	} {
		d, err := ReadFile(c.dir, c.o)
		if err != nil {
			t.Fatal(err)
		}
		if len(d.Notes) != c.notes || c.notes > 0 && !strings.Contains(d.Notes[0].Error(), "Options.Image.Colour") {
			t.Errorf("%s: %v", c.name, d.Notes)
		}
	}
}

// TestImageKinds: the same picture of four flat quarters as every kind.
func TestImageKinds(t *testing.T) {
	quarters := []color.NRGBA{{255, 0, 0, 255}, {0, 255, 0, 255}, {0, 0, 255, 255}, {0, 0, 0, 0}} // the last is transparent
	img := image.NewNRGBA(image.Rect(0, 0, 16, 16))
	for k, c := range quarters {
		draw.Draw(img, image.Rect(k%2*8, k/2*8, k%2*8+8, k/2*8+8), image.NewUniform(c), image.Point{}, draw.Src)
	}
	white := image.NewRGBA64(img.Rect)
	draw.Draw(white, img.Rect, image.White, image.Point{}, draw.Src)
	draw.Draw(white, img.Rect, img, image.Point{}, draw.Over)
	var asJPEG, asGIF bytes.Buffer
	if err := jpeg.Encode(&asJPEG, white, &jpeg.Options{Quality: 100}); err != nil {
		t.Fatal(err)
	}
	if err := gif.Encode(&asGIF, white, nil); err != nil {
		t.Fatal(err)
	}
	bmp := "BM" + "\x46\x00\x00\x00\x00\x00\x00\x00\x36\x00\x00\x00" + "\x28\x00\x00\x00\x02\x00\x00\x00\x02\x00\x00\x00\x01\x00\x18\x00" +
		strings.Repeat("\x00", 24) + "\xff\x00\x00\xff\xff\xff\x00\x00" + "\x00\x00\xff\x00\xff\x00\x00\x00" // blue, white; red, green, from below
	dir := folder(t, map[string][]byte{"1.png": encoded(t, img), "2.png": encoded(t, white), "3.jpeg": asJPEG.Bytes(), "4.gif": asGIF.Bytes(), "5.bmp": []byte(bmp)})
	want := []float64{1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 1}
	d, err := ReadFile(dir, Options{Image: dataset.Image{Width: 2, Height: 2, Colour: true}})
	if err != nil {
		t.Fatal(err)
	}
	for i, row := range values(d.Points) {
		for k, v := range row {
			tolerance := 0.0
			if i == 2 || i == 3 { // JPEG loses a little, and GIF chooses among 256 colours
				tolerance = 0.02
			}
			if math.Abs(v-want[k]) > tolerance {
				t.Errorf("image %d: %v, want %v", i+1, row, want)
				break
			}
		}
	}
	if d, err = ReadFile(dir, Options{Image: dataset.Image{Width: 2, Height: 2}}); err != nil {
		t.Fatal(err)
	}
	luma := []float64{19595.0 / 65536, 38470.0 / 65536, 7471.0 / 65536, 1}
	if got := d.Points.DenseRow(0); !slices.EqualFunc(got, luma, func(a, b float64) bool { return math.Abs(a-b) < 1e-15 }) {
		t.Errorf("%v, want %v", got, luma)
	}
}

// TestShares: the shares of every dot of the result add up to 1, and a mean is
// the mean over the covered area.
func TestShares(t *testing.T) {
	for dots := 1; dots < 20; dots++ {
		for result := 1; result < 20; result++ {
			sums := make([]float64, result)
			for _, parts := range shares(dots, result) {
				for _, p := range parts {
					sums[p.to] += p.share
				}
			}
			for _, sum := range sums {
				if math.Abs(sum-1) > 1e-14 {
					t.Fatalf("%d to %d: %v", dots, result, sums)
				}
			}
		}
	}
	features := make([]float64, 2)
	reduce(features, greys([]byte{0, 255, 102}), dataset.Image{Width: 2, Height: 1})
	if want := []float64{255 / 3.0 / 255, (255/3.0 + 102*2/3.0) / 255}; math.Abs(features[0]-want[0]) > 1e-15 || math.Abs(features[1]-want[1]) > 1e-15 {
		t.Errorf("%v, want %v", features, want)
	}
	box := greys([]byte{0, 0, 0}, []byte{0, 255, 51}).SubImage(image.Rect(1, 1, 3, 2)) // does not begin at 0
	clear(features)
	reduce(features, box, dataset.Image{Width: 2, Height: 1})
	if !slices.Equal(features, []float64{1, 51.0 / 255}) {
		t.Errorf("%v", features)
	}
}

// BenchmarkImages reads pictures of 256×256 dots.
func BenchmarkImages(b *testing.B) {
	const images = 50
	img := image.NewNRGBA(image.Rect(0, 0, 256, 256))
	for k := range img.Pix {
		img.Pix[k] = byte(k * k >> 7)
	}
	var data bytes.Buffer
	if err := png.Encode(&data, img); err != nil {
		b.Fatal(err)
	}
	dir := b.TempDir()
	for k := range images {
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprint(k, ".png")), data.Bytes(), 0o666); err != nil {
			b.Fatal(err)
		}
	}
	for b.Loop() {
		if _, err := ReadFile(dir, Options{}); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(images*b.N)/b.Elapsed().Seconds(), "rows/s")
}

func TestImageErrors(t *testing.T) {
	good := encoded(t, greys([]byte{1, 2}))
	huge := bytes.Clone(good) // the header claims 60000×60000
	binary.BigEndian.PutUint32(huge[16:], 60000)
	binary.BigEndian.PutUint32(huge[20:], 60000)
	binary.BigEndian.PutUint32(huge[29:], crc32.ChecksumIEEE(huge[12:29]))
	for _, c := range []struct {
		files map[string][]byte
		o     Options
		want  string // behind the folder's name
	}{
		{map[string][]byte{"a/x.png": good, "a/y.png": good[:len(good)-20]}, Options{Strict: true}, "/a/y.png: the image is damaged or no image (png: invalid format: unexpected EOF); remove or replace it"},
		{map[string][]byte{"a/x.png": {}}, Options{}, "/a/x.png: the image is damaged or no image (the file is empty); remove or replace it"},
		{map[string][]byte{"a/x.png": huge}, Options{}, "/a/x.png: the image has 60000×60000 dots; scale it down to at most 100 million"},
		{map[string][]byte{"a/x.heic": good}, Options{}, "/a/x.heic: images of this kind are not read; save it as PNG, JPEG, GIF, BMP, TIFF or WebP"},
		{map[string][]byte{"a/x.txt": good}, Options{}, ": the folder holds no images (1 other files); give one of PNG, JPEG, GIF, BMP, TIFF or WebP files, with a sub-folder for each class"},
		{map[string][]byte{"a/x.png": good}, Options{Features: 784}, ": images of 32×32 dots have 1024 features, but 784 are expected; give the size they were read with (Options.Image)"},
	} {
		dir := folder(t, c.files)
		_, err := ReadFile(dir, c.o)
		checkError(t, err, dir+c.want)
	}
	_, err := ReadFile("none", Options{Format: Images})
	checkError(t, err, "none: there is no such image or folder of images; check the name and the folder")
	_, err = Read(strings.NewReader("x"), "f", Options{Format: Images})
	checkError(t, err, "f: images are read from a folder; give its name")
	checkError(t, WriteFile(t.Context(), "f", mustRead(t, "a.csv", "1,a\n", Options{}), WriteOptions{Format: Images}), "f: images are read, but not written; choose another format")
}
