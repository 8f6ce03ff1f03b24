package files

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/gif"
	_ "image/png"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

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
		all = append(all, pair{fmt.Sprintf("png.%d.png", k), fmt.Sprintf("jpeg.%d.upright.png", k), 8})
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
	if _, err := ReadFile(filepath.Join(writtenFolder, "pictures", "fax.tiff"), Options{Image: dataset.Image{Width: 9, Height: 7}}); err == nil || !strings.Contains(err.Error(), "TIFF files of this kind (compression of fax machines) are not read") {
		t.Error(err)
	}
}

// EXIF data and the directory of TIFF may be behind the picture, however large it is.
func TestOrientationBehindAPicture(t *testing.T) {
	read := func(name string) []byte {
		content, err := os.ReadFile(filepath.Join(writtenFolder, "pictures", name))
		if err != nil {
			t.Fatal(err)
		}
		return content
	}
	const dots = 3 << 20 // bytes
	size := binary.LittleEndian.AppendUint32(nil, dots)
	webp := read("webp.6.webp")
	webp = slices.Insert(webp, bytes.Index(webp, []byte("EXIF")), slices.Concat([]byte("JUNK"), size, make([]byte, dots))...)
	png := read("png.6.png")
	chunk := slices.Concat(binary.BigEndian.AppendUint32(nil, dots), []byte("juNk"), make([]byte, dots+4))
	png = slices.Insert(png, bytes.Index(png, []byte("eXIf"))-4, chunk...)
	fax := read("fax.tiff")
	at := binary.LittleEndian.Uint32(fax[4:])
	directory := slices.Clone(fax[at:])
	fax = slices.Concat(fax, make([]byte, dots))
	binary.LittleEndian.PutUint32(fax[4:], uint32(len(fax)))
	fax = append(fax, directory...)

	for kind, content := range map[string][]byte{"webp": webp, "png": png} {
		if v := orientationOf(bytes.NewReader(content), kind); v != 6 {
			t.Errorf("%s: %d, want 6", kind, v)
		}
	}
	if err := readableTIFF(bytes.NewReader(fax)); err == nil || !strings.Contains(err.Error(), "compression of fax machines") {
		t.Error(err)
	}
}

// Pictures of kinds that are not read are told by their first bytes, whatever they are called, and by the ends of their names.
func TestPicturesOfOtherKinds(t *testing.T) {
	animated := append([]byte("RIFF\x1a\x00\x00\x00WEBPVP8X\x0a\x00\x00\x00"), 2, 0, 0, 0, 8, 0, 0, 6, 0, 0)
	for _, c := range []struct{ name, content, want string }{
		{"phone.jpg", "\x00\x00\x00\x18ftypheic\x00\x00\x00\x00mif1heic", "HEIC, AVIF and films are not read; save the image as PNG or JPEG"},
		{"page.jpg", "\x00\x00\x00\x1cftypavif\x00\x00\x00\x00mif1avifmiaf", "HEIC, AVIF and films are not read; save the image as PNG or JPEG"},
		{"page.avif", "\x00\x00\x00\x1cftypavif\x00\x00\x00\x00mif1avifmiaf", "images of this kind are not read"},
		{"phone.heic", "\x00\x00\x00\x18ftypheic\x00\x00\x00\x00mif1heic", "images of this kind are not read"},
		{"moving.webp", string(animated), "animated WebP files are not read"},
		{"empty.png", "", "the file is empty"},
	} {
		path := filepath.Join(t.TempDir(), c.name)
		if err := os.WriteFile(path, []byte(c.content), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := ReadFile(path, Options{}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.name, err, c.want)
		}
	}
}

// The first picture of an animation may cover a part of its screen. What it leaves is white, as a browser shows it on a white page.
func TestPictureOnAScreen(t *testing.T) {
	part := image.NewPaletted(image.Rect(2, 1, 4, 3), color.Palette{color.Black, color.White})
	var b bytes.Buffer
	if err := gif.EncodeAll(&b, &gif.GIF{Image: []*image.Paletted{part}, Delay: []int{0}, Config: image.Config{Width: 5, Height: 4}}); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "a.gif")
	if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	d, err := ReadFile(path, Options{Image: dataset.Image{Width: 5, Height: 4}})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := d.Points.Row(0, nil), []float64{1, 1, 1, 1, 1, 1, 1, 0, 0, 1, 1, 1, 0, 0, 1, 1, 1, 1, 1, 1}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// A decoder that goes on reading beyond its time ends with an error.
func TestDecodingEnds(t *testing.T) {
	in := &timed{ctx: t.Context(), r: strings.NewReader(strings.Repeat("x", 2000)), end: time.Now().Add(time.Hour)}
	if n, err := in.Read(make([]byte, 2000)); n != 512 || err != nil {
		t.Error(n, err)
	}
	in.end = time.Now().Add(-time.Second)
	if _, err := in.Read(make([]byte, 1)); !errors.Is(err, errDecodingTime) {
		t.Error(err)
	}
}

// Orientations of damaged files are read without a fault, and are none that a viewer does not know.
func FuzzOrientation(f *testing.F) {
	for name, kind := range map[string]string{"jpeg.6.jpg": "jpeg", "png.6.png": "png", "webp.6.webp": "webp", "table.tiff": "tiff"} {
		content, err := os.ReadFile(filepath.Join(writtenFolder, "pictures", name))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(content, kind)
	}
	f.Fuzz(func(t *testing.T, content []byte, kind string) {
		if v := orientationOf(bytes.NewReader(content), kind); v < 1 || v > 8 {
			t.Error(v)
		}
	})
}
