package modelfile_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"lapsvm/internal/describe"
	"lapsvm/internal/machines/drift"
	"lapsvm/internal/machines/modelfile"
	"lapsvm/internal/testing/drawn"
	"lapsvm/kernel"
	"lapsvm/points"
)

// describedTable is a model of a table with two numbers, one that is constant, and texts of five words.
func describedTable(t testing.TB) *modelfile.Contents {
	rng := rand.New(rand.NewPCG(23, 4))
	start, column, value := []int{0}, []int32(nil), []float64(nil)
	for i := range 12 {
		for j := range 8 {
			switch {
			case j == 2:
				column, value = append(column, 2), append(value, 7)
			case j < 2:
				column, value = append(column, int32(j)), append(value, rng.NormFloat64())
			case (i+j)%3 == 0:
				column, value = append(column, int32(j)), append(value, 0.5+rng.Float64())
			}
		}
		start = append(start, len(column))
	}
	p := points.CSR(8, start, column, value)
	d, err := describe.LearnColumns(context.Background(), describe.Fields{Texts: []describe.Text{{Columns: [2]int{3, 8}, Vectors: []float32{1, 2, -1, 0.5, 0, 0, 3, 1, 1, 1}}}}, p, 1)
	if err != nil {
		t.Fatal(err)
	}
	return described(t, d, p, rng)
}

// describedPictures is a model of pictures of 8×8 dots.
func describedPictures(t testing.TB, names ...string) *modelfile.Contents {
	p := drawn.Bars(9, 8, 2).Points
	d, _, err := describe.Learn(context.Background(), names, describe.Shape{Width: 8, Height: 8, Colours: 1}, p, 1)
	if err != nil {
		t.Fatal(err)
	}
	return described(t, d, p, rand.New(rand.NewPCG(29, 4)))
}

// described is a model of what d describes, with three of the points in its basis.
func described(t testing.TB, d describe.Description, p *points.Points, rng *rand.Rand) *modelfile.Contents {
	x, err := d.Apply(context.Background(), p.Slice(0, 3))
	if err != nil {
		t.Fatal(err)
	}
	profile := &drift.Profile{Points: p.Len(), Columns: drift.Columns(p, []int{p.Dim() - 1})} // a column of the features
	return &modelfile.Contents{Kernel: kernel.Gaussian{Sigma: 1}, Description: d, Basis: x, Classes: []string{"a", "b"},
		Coefficients: [][]float64{values(rng, 3)}, Bias: []float64{0.5}, Profile: profile}
}

// A description comes back with all its bits, and the file is of version 6. Written again it is the same file.
func TestDescriptionInAFile(t *testing.T) {
	aligned := describedPictures(t, "hog")
	aligned.Description.(*describe.OfPictures).Aligned = true
	for k, c := range []*modelfile.Contents{describedTable(t), describedPictures(t, "hog"), describedPictures(t, "hog", "patches"), aligned} {
		file := write(t, c)
		if v := binary.LittleEndian.Uint32(file[8:]); v != 6 {
			t.Errorf("%d: version %d", k, v)
		}
		got := read(t, file)
		if !reflect.DeepEqual(got.Description, c.Description) || !bytes.Equal(write(t, got), file) {
			t.Errorf("%d: another description after reading", k)
		}
		for length := 8; length < len(file); length += len(file) / 60 {
			if err := refusedFile(t, fmt.Sprintf("description %d cut to %d of %d bytes", k, length, len(file)), file[:length]); !strings.Contains(err.Error(), "cut short") {
				t.Errorf("%d cut to %d of %d bytes: %v", k, length, len(file), err)
			}
		}
	}
}

// Descriptions that fit neither themselves nor the basis are refused, and before memory is taken for what they
// claim.
func TestDescriptionSection(t *testing.T) {
	file := func(description string, numbers int) []byte {
		return sealedAs(6, `{"kernel":{"name":"linear"},"basis":{"rows":1,"columns":2},"machines":1,"classes":["a","b"],"description":`+description+`}`, make([]byte, 8*2+8+8+numbers))
	}
	for _, description := range []string{
		`{"version":1,"width":8,"height":8,"colours":1,"factor":1,"parts":[]}`,
		`{"version":1,"width":8,"height":8,"colours":1,"factor":1,"parts":[{"name":"sift","mean":3,"components":6}]}`,
		`{"version":1,"width":8,"height":8,"colours":1,"factor":1,"parts":[{"name":"hog","mean":-3,"components":6}]}`,
		`{"version":1,"width":8,"height":8,"colours":1,"factor":1,"parts":[{"name":"hog","mean":3,"components":1152921504606846976}]}`,
		`{"version":1,"width":8,"height":8,"colours":1,"factor":1,"parts":[{"name":"hog","mean":3,"components":200000000}]}`,
		`{"version":1,"width":16777216,"height":16777216,"colours":1,"factor":1,"parts":[{"name":"hog","mean":3,"components":6}]}`,
		`{"version":1,"width":8,"height":8,"colours":2,"factor":1,"parts":[{"name":"hog","mean":3,"components":6}]}`,
		`{"version":1,"width":8,"height":8,"colours":1,"factor":1,"aligned":true,"parts":[{"name":"hog","mean":3,"components":6}]}`,
		`{"version":2,"width":8,"height":8,"colours":1,"factor":1,"parts":[{"name":"hog","mean":3,"components":6}]}`,
		`{"version":1,"columns":-4,"parts":[{"name":"latent","components":8,"columns":[[0,4]]}]}`,
		`{"version":1,"columns":4,"parts":[{"name":"latent","components":8,"columns":[[0,5]]}]}`,
		`{"version":1,"columns":4,"parts":[{"name":"latent","components":8,"columns":[[3,1]]}]}`,
		`{"version":1,"columns":4,"parts":[{"name":"latent","components":8,"columns":[[0,1152921504606846976]]}]}`,
		`{"version":1,"columns":4,"parts":[{"name":"numbers","columns":[[0,4]],"standardise":"columns","scaled":3}]}`,
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		refused(t, description, file(description, 64))
		runtime.ReadMemStats(&after)
		if got := after.TotalAlloc - before.TotalAlloc; got > 2<<20 {
			t.Errorf("%s: %d bytes were allocated", description, got)
		}
	}
	if err := refused(t, "a later description", file(`{"version":3,"columns":4,"parts":[]}`, 64)); !strings.Contains(err.Error(), "newer lapsvm") {
		t.Errorf("a later description: %v", err)
	}
}
