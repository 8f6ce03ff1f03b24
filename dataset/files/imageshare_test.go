package files

import (
	"context"
	"fmt"
	"image"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"lapsvm/dataset"
	"lapsvm/internal/ranks/comm"
)

// photos returns images of two classes and without one, by their place in a folder.
func photos(t *testing.T, n int) map[string][]byte {
	t.Helper()
	all := map[string][]byte{}
	for i := range n {
		place := []string{"cats", "dogs", "unlabelled"}[i%3]
		all[fmt.Sprintf("%s/%02d.png", place, i)] = encoded(t, greys([]byte{byte(i), 51}, []byte{102, byte(255 - i)}))
	}
	return all
}

// Images of a folder are read by ranks as rows are: the same rows, classes and names as by one
// process, and the same error.
func TestRanksReadImages(t *testing.T) {
	good := photos(t, 17)
	with := func(more map[string][]byte) map[string][]byte {
		all := maps.Clone(good)
		maps.Copy(all, more)
		return all
	}
	for name, c := range map[string]struct {
		images map[string][]byte
		o      Options
	}{
		"a folder":            {good, Options{}},
		"fewer than ranks":    {photos(t, 2), Options{}},
		"classes kept":        {good, Options{Keep: true}},
		"some left out":       {good, Options{Skip: func(name string) bool { return strings.Contains(name, "3") }}},
		"colour":              {good, Options{Image: dataset.Image{Width: 3, Height: 2, Colour: true}}},
		"a class of the last": {with(map[string][]byte{"zebras/1.png": good["cats/00.png"]}), Options{}},
		"classes made one":    {with(map[string][]byte{"zebras/1.png": good["cats/00.png"], "Zebras/2.png": good["cats/00.png"]}), Options{FoldCase: true}},
		"a damaged one":       {with(map[string][]byte{"unlabelled/99.png": []byte("no image")}), Options{}},
		"two damaged ones":    {with(map[string][]byte{"cats/99.png": []byte("no image"), "unlabelled/99.png": []byte("nor this")}), Options{}},
		"one of no kind":      {with(map[string][]byte{"dogs/1.tiff": nil}), Options{}},
		"no images":           {map[string][]byte{"notes.txt": nil}, Options{}},
		"another size":        {good, Options{Features: 5}},
	} {
		t.Run(name, func(t *testing.T) {
			if c.o.Image.Width == 0 {
				c.o.Image = dataset.Image{Width: 2, Height: 2}
			}
			dir := folder(t, c.images)
			sharesAre(t, dir, []string{dir}, c.o)
		})
	}
}

// An image alone is the row of one rank.
func TestRanksReadOneImage(t *testing.T) {
	path := filepath.Join(folder(t, photos(t, 1)), "cats", "00.png")
	sharesAre(t, path, []string{path}, Options{})
}

// A rank decodes its own images alone: one that is damaged is seen by the rank whose row it is.
func TestRanksDecodeTheirOwnImages(t *testing.T) {
	const size = 3
	dir := folder(t, photos(t, 9))
	paths, err := ImagesBelow(dir)
	if err != nil {
		t.Fatal(err)
	}
	for rank := range size {
		damaged := filepath.Join(dir, paths[rank*3])
		whole, err := os.ReadFile(damaged)
		if err != nil || os.WriteFile(damaged, nil, 0o666) != nil {
			t.Fatal(err)
		}
		for r := range size {
			o := Options{}
			err := comm.Goroutines(t.Context(), size, func(ctx context.Context, c *comm.Comm) error {
				if c.Rank() != r {
					return nil
				}
				o.Ranks = dataset.NewRanks(ctx, c)
				all, err := imagesOf(dir, o)
				if err != nil {
					return err
				}
				o.Image.Width, o.Image.Height = o.Image.Size()
				o.Strict = true
				_, _, err = decodeImages(dir, all, o)
				if (err != nil) != (r == rank) {
					t.Errorf("rank %d finds %v, where one of rank %d is damaged", r, err, rank)
				}
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		if err := os.WriteFile(damaged, whole, 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// Image files in a list, and several folders, are shared likewise.
func TestRanksReadSeveralImages(t *testing.T) {
	a, b := folder(t, photos(t, 7)), folder(t, photos(t, 4))
	paths, err := ImagesBelow(a)
	if err != nil {
		t.Fatal(err)
	}
	for k, path := range paths {
		paths[k] = filepath.Join(a, path)
	}
	o := Options{Image: dataset.Image{Width: 2, Height: 2}}
	listed, err := ReadImages(paths, o)
	if err != nil {
		t.Fatal(err)
	}
	both, err := ReadFiles([]string{a, b}, o)
	if err != nil {
		t.Fatal(err)
	}
	for size := 2; size <= 4; size++ {
		got := make([]string, len(paths))
		err := comm.Goroutines(t.Context(), size, func(ctx context.Context, c *comm.Comm) error {
			o := o
			o.Ranks = dataset.NewRanks(ctx, c)
			d, err := ReadImages(paths, o)
			if err != nil {
				return err
			}
			for k, row := range d.Rows() {
				got[row] = rowText(d, k)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		for i, row := range got {
			if want := rowText(listed, i); row != want {
				t.Errorf("%d ranks, row %d: %s, want %s", size, i, row, want)
			}
		}
		parts, err := together(t, size, []string{a, b}, o)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range parts {
			for k, row := range d.Rows() {
				if a, b := rowText(d, k), rowText(both, row); a != b {
					t.Errorf("%d ranks, row %d of two folders: %s, want %s", size, row, a, b)
				}
			}
		}
	}
}

// Ranks whose folders differ, as on machines with copies of their own, are told so.
func TestRanksWithOtherImages(t *testing.T) {
	dirs := []string{folder(t, photos(t, 6)), folder(t, photos(t, 7))}
	for k, dir := range dirs { // the same name on two machines
		dirs[k] = filepath.Dir(dir)
	}
	var errs [2]error
	err := comm.Goroutines(t.Context(), 2, func(ctx context.Context, c *comm.Comm) error {
		_, errs[c.Rank()] = ReadFiles([]string{dirs[c.Rank()]}, Options{Ranks: dataset.NewRanks(ctx, c)})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for rank, err := range errs {
		if err == nil || !strings.Contains(err.Error(), "do not see the same images") {
			t.Errorf("rank %d: %v", rank, err)
		}
	}
}

// Of damaged images the first is named, on any number of threads.
func TestTheFirstDamagedImageIsNamed(t *testing.T) {
	images := photos(t, 30)
	for k, name := range slices.Sorted(maps.Keys(images)) {
		if k >= 4 {
			images[name] = nil
		}
	}
	large := image.NewGray(image.Rect(0, 0, 900, 900)) // takes longer to read than those behind it
	names := slices.Sorted(maps.Keys(images))
	images[names[4]] = encoded(t, large)[:900]
	dir := folder(t, images)
	for threads := 1; threads <= 8; threads++ {
		_, err := ReadFile(dir, Options{Threads: threads, Strict: true})
		if err == nil || !strings.Contains(err.Error(), names[4]) {
			t.Errorf("%d threads: %v, want %s", threads, err, names[4])
		}
	}
}

// namesAsVectors is an embedder of what pictures are called, which decodes them before.
type namesAsVectors struct{ asked map[string]int }

func (v namesAsVectors) Source() dataset.EmbeddedBy {
	return dataset.EmbeddedBy{Kind: "network", Name: "names.onnx", Hash: "ab"}
}

func (v namesAsVectors) Embed(inputs []string, _ bool) ([][]float32, error) {
	unmade, vectors := make(dataset.Unmade), make([][]float32, len(inputs))
	for i, path := range inputs {
		v.asked[path]++
		if _, err := ReadImages([]string{path}, Options{}); err != nil {
			unmade[i] = err
			continue
		}
		vectors[i] = []float32{float32(len(path)), float32(filepath.Base(path)[0])}
	}
	if len(unmade) > 0 {
		return vectors, unmade
	}
	return vectors, nil
}

// Images that cannot be read are left out of a folder, and listed, also where their vectors are made, and none of these is made twice.
func TestDamagedImagesHaveNoVectors(t *testing.T) {
	images := photos(t, 30)
	names := slices.Sorted(maps.Keys(images))
	bad := []string{names[0], names[7], names[len(names)-1]}
	for _, name := range bad {
		images[name] = []byte("no picture")
	}
	dir := folder(t, images)
	by := namesAsVectors{map[string]int{}}
	d, err := ReadFile(dir, Options{Embedder: by})
	if err != nil || d.Len() != len(names)-3 || d.Points.Dim() != 2 || len(d.Notes) != 1 || !strings.HasPrefix(d.Notes[0].Error(), "3 images cannot be read, and are left out") {
		t.Fatal(err, d)
	}
	for i := range d.Len() {
		path := filepath.Join(dir, d.Kept.Name(i))
		if got := d.Points.Row(i, nil); got[0] != float64(len(path)) || got[1] != float64(filepath.Base(path)[0]) {
			t.Errorf("%s has the vector %g", path, got)
		}
	}
	for path, times := range by.asked {
		if times != 1 {
			t.Errorf("%s was asked for %d times", path, times)
		}
	}
	if _, err := ReadFile(dir, Options{Embedder: by, Strict: true}); err == nil || !strings.Contains(err.Error(), bad[0]) {
		t.Error(err)
	}
	if _, err := ReadImages([]string{filepath.Join(dir, bad[0])}, Options{Embedder: by}); err == nil || !strings.Contains(err.Error(), "damaged") {
		t.Error(err)
	}
}

// Images that cannot be read are left out of a folder, and listed, on any number of ranks. Where none can be read, and where the options say so, they
// are an error.
func TestDamagedImagesAreLeftOut(t *testing.T) {
	images := photos(t, 30)
	names := slices.Sorted(maps.Keys(images))
	bad := []string{names[0], names[7], names[len(names)-1]}
	for _, name := range bad {
		images[name] = []byte("no picture")
	}
	dir := folder(t, images)
	for _, threads := range []int{1, 3} {
		d, err := ReadFile(dir, Options{Threads: threads})
		if err != nil || d.Len() != len(names)-3 || len(d.Notes) != 1 || !strings.HasPrefix(d.Notes[0].Error(), "3 images cannot be read, and are left out") {
			t.Fatal(err, d)
		}
		for k, name := range bad {
			if !strings.Contains(d.Notes[0].Error(), name) || slices.ContainsFunc(d.Kept.Rows, func(row []string) bool { return row[0] == name }) {
				t.Errorf("%d: %s in %v", k, name, d.Notes[0])
			}
		}
	}
	if _, err := ReadFile(dir, Options{Strict: true}); err == nil || !strings.Contains(err.Error(), bad[0]) {
		t.Error(err)
	}
	for _, name := range names {
		images[name] = nil
	}
	if _, err := ReadFile(folder(t, images), Options{}); err == nil || !strings.Contains(err.Error(), "images can be read") {
		t.Error(err)
	}
}
