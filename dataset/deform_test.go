package dataset

import (
	"bytes"
	"math/rand/v2"
	"testing"
)

// Deformed images depend on image and seed alone, keep about the ink of the image, and
// differ from it and from one another.
func TestDeform(t *testing.T) {
	const width, height = 28, 20
	image := make([]float64, width*height)
	ink := 0.0
	for r := 6; r < 14; r++ {
		for c := 9; c < 19; c++ {
			image[r*width+c] = 0.8
			ink += 0.8 * 255
		}
	}
	f := NewDeformer(width, height)
	draw := func(seed uint64) []byte {
		to := make([]byte, width*height)
		f.Deform(to, image, 1, rand.New(rand.NewPCG(seed, 0)))
		return to
	}
	mean := 0.0
	for seed := range uint64(50) {
		got := draw(seed)
		if !bytes.Equal(got, draw(seed)) {
			t.Fatalf("seed %d gives two images", seed)
		}
		if bytes.Equal(got, draw(seed+1)) {
			t.Errorf("seeds %d and %d give one image", seed, seed+1)
		}
		for _, v := range got {
			mean += float64(v) / 50
		}
	}
	if !(mean > 0.8*ink) || !(mean < 1.25*ink) {
		t.Errorf("deformed images have ink %v, the image %v", mean, ink)
	}
	f.Deform(make([]byte, width*height), make([]float64, width*height), 1, rand.New(rand.NewPCG(1, 1)))
}

// The weights of a spline sum to 1, so that a field with one value everywhere is a shift.
func TestSplines(t *testing.T) {
	for _, w := range splines(11) {
		if sum := w[0] + w[1] + w[2] + w[3]; !(sum > 1-1e-12 && sum < 1+1e-12) {
			t.Errorf("weights sum to %v", sum)
		}
	}
}
