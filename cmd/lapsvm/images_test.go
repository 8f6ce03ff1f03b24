package main

import (
	"fmt"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A model of images remembers their size and colour: predict needs no flags, and
// flags that differ are refused.
func TestImagesAreReadAsInTraining(t *testing.T) {
	folder := t.TempDir()
	for class, c := range map[string]color.NRGBA{"red": {200, 30, 30, 255}, "blue": {20, 40, 220, 255}} {
		if err := os.MkdirAll(filepath.Join(folder, "photos", class), 0o777); err != nil {
			t.Fatal(err)
		}
		for k := range 4 {
			img := image.NewNRGBA(image.Rect(0, 0, 9, 7))
			for at := range 63 {
				img.SetNRGBA(at%9, at/9, color.NRGBA{c.R + uint8(3*k), c.G + uint8(at%9), c.B, 255})
			}
			f, err := os.Create(filepath.Join(folder, "photos", class, fmt.Sprintf("%d.png", k)))
			if err != nil {
				t.Fatal(err)
			}
			if err := png.Encode(f, img); err != nil {
				t.Fatal(err)
			}
			if err := f.Close(); err != nil {
				t.Fatal(err)
			}
		}
	}
	photos, model := filepath.Join(folder, "photos"), filepath.Join(folder, "m.lapsvm")
	must := func(args ...string) string {
		t.Helper()
		code, stdout, stderr := lapsvmRun(t, t.Context(), "", args...)
		if code != exitDone {
			t.Fatal(stderr)
		}
		return stdout
	}
	must("train", photos, "-o", model, "--image-size", "5x3", "--image-colour", "--neighbours", "2")
	want := "label\n" + strings.Repeat("blue\n", 4) + strings.Repeat("red\n", 4)
	for _, flags := range [][]string{nil, {"--image-size", "5x3", "--image-colour"}} {
		if got := must(append([]string{"predict", model, photos}, flags...)...); got != want {
			t.Errorf("%v: %q", flags, got)
		}
	}
	if got := must("info", model); !strings.Contains(got, "images            5×3, colour\n") {
		t.Errorf("info: %s", got)
	}
	if got := must("info", model, "--json"); !strings.Contains(got, `"image":{"width":5,"height":3,"colour":true}`) {
		t.Errorf("info: %s", got)
	}
	if code, _, stderr := lapsvmRun(t, t.Context(), "", "predict", model, photos, "--image-size", "8x8"); code != exitData || !strings.Contains(stderr, "images of 8×8 dots have 64 features, but 45 are expected") {
		t.Errorf("exit %d, %s", code, stderr)
	}
}
