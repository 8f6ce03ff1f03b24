package files

import (
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	_ "image/gif"
	_ "image/jpeg"
	_ "image/png"
	"io/fs"
	"slices"
	"sync/atomic"

	_ "golang.org/x/image/bmp"
	_ "golang.org/x/image/tiff"
	_ "golang.org/x/image/webp"

	"lapsvm/dataset"
	"lapsvm/internal/numbers/parallel"
	"lapsvm/internal/system/fault"
	"lapsvm/points"
)

// Images is the name of the format of this file.
const Images = "images" // a folder of images, one sub-folder for each class, or an image; read only

func imagesFormat() Format {
	return Format{
		Name:     Images,
		Endings:  []string{"png", "jpg", "jpeg", "gif", "bmp", "webp", "tif", "tiff"},
		Holds:    "folder of images, with a sub-folder for each class, or one image",
		named:    func(base string) bool { return readableKind(base) != nil }, // so that the error is about images
		readPath: readImages,
	}
}

// maxPixels is the size up to which images are decoded; a larger one, which may
// have a few bytes in its file, is an error.
const maxPixels = 100e6

// readImageFiles makes a data set of images, rows in their order, of ranks each the rows of its
// own. place is what an error about all of them names.
//
// Every image is brought to the size that o.Image tells, without keeping its
// proportions, each dot being the mean over the area it covers; transparent
// parts become white. Features are from 0, black, to o.Image.Brightest(), white, row by
// row from the top, in colour the three values of each dot together; luma is 0.299 red +
// 0.587 green + 0.114 blue. Of an animation, and of a TIFF file of several pages, the first picture is taken. A picture stands as
// the orientation that a camera noted has it.
func readImageFiles(place string, all []imageFile, o Options) (*dataset.Dataset, error) {
	width, height := o.Image.Size()
	if width < 1 || height < 1 || width > dataset.MaxImageSide || height > dataset.MaxImageSide {
		panic(fmt.Sprintf("files: images of %d×%d dots", width, height))
	}
	o.Image.Width, o.Image.Height = width, height
	if _, needs := o.Encoding.NeedsEmbedder(); needs || o.Embedder != nil {
		if err := o.sameImages(place, all); err != nil {
			return nil, err
		}
		if o.Embedder != nil {
			o.Embedder = &remembered{o.Embedder, map[string][]float32{}}
		}
		return readableImages(place, all, o, embedImages)
	}
	if o.Features == 0 {
		o.Features = len(o.Columns)
	}
	if d := o.Image.Dim(); o.Features > 0 && d != o.Features {
		return nil, &dataset.Error{File: place, Msg: fault.Columns.Messagef("images of %d×%d dots have %d features, but %d are expected; give the size they were read with (%s)", width, height, d, o.Features, dataset.Option{Name: "Image"})}
	}
	if err := o.sameImages(place, all); err != nil {
		return nil, err
	}
	return readableImages(place, all, o, decodeImages)
}

// readableImages makes a data set of the images that are rows of this rank, by a function that also returns the unreadable ones. It is asked
// again without these, and a note lists them.
func readableImages(place string, all []imageFile, o Options, read func(string, []imageFile, Options) (*dataset.Dataset, []unreadImage, error)) (*dataset.Dataset, error) {
	set, unread, err := read(place, all, o)
	if _, err := o.Ranks.Settle(0, err); err != nil {
		return nil, err
	}
	left, err := dataset.All(o.Ranks, unread)
	if err != nil {
		return nil, err
	}
	if unread = slices.Concat(left...); len(unread) > 0 {
		whole := slices.Clone(all)
		for k := len(unread) - 1; k >= 0; k-- {
			whole = slices.Delete(whole, unread[k].At, unread[k].At+1)
		}
		if len(whole) == 0 {
			return nil, &dataset.Error{File: place, Msg: dataset.Messagef("none of the %d images can be read: %s", len(all), unread[0].Why)}
		}
		o.Strict = true // the others can
		set, _, err = read(place, whole, o)
		if _, err := o.Ranks.Settle(0, err); err != nil {
			return nil, err
		}
		set.Notes = append(set.Notes, unreadNote(unread))
	}
	return set, validNames(set, place)
}

// decodeImages makes a data set of the images that are rows of this rank, in the size of o.Image. Images that cannot be read are left out, or
// the error is that of the first of them, see [Options].Strict.
func decodeImages(place string, all []imageFile, o Options) (set *dataset.Dataset, unread []unreadImage, err error) {
	origin := dataset.Origin{File: place, Memory: o.memory(), Own: o.Ranks.Part().Range(len(all)), Check: o.Check}
	if set, err = nameImages(all, &origin, o); err != nil {
		return nil, nil, err
	}
	from, to := origin.Own.Between(len(all))
	n, d := to-from, o.Image.Dim()
	if err := origin.Take(8*n*d, fmt.Sprintf("%d images of %d features", n, d)); err != nil {
		return nil, nil, err
	}
	room := newImageRoom(&origin, o.Memory)
	values := make([]float64, n*d)
	failures, hues := make([]error, n), make([]hue, n)
	strict := o.Strict || len(all) == 1
	var good atomic.Int64 // images before the first that failed; where one is enough later images are not needed
	good.Store(int64(n))
	parallel.Do(parallel.WithLimit(context.Background(), o.Threads), n, func(_, i int) {
		if strict && int64(i) > good.Load() {
			return
		}
		if failures[i] = room.Decode(context.Background(), all[from+i].path, func(img image.Image) { hues[i] = reduce(values[i*d:(i+1)*d], img, o.Image) }); failures[i] == nil {
			return
		}
		for least := good.Load(); int64(i) < least && !good.CompareAndSwap(least, int64(i)); {
			least = good.Load()
		}
	})
	for i, failed := range failures[good.Load():] {
		i += int(good.Load())
		if failed != nil && (strict || fatal(failed)) {
			return nil, nil, failed
		}
		if failed != nil {
			unread = append(unread, unreadImage{from + i, failed.Error()})
		}
	}
	if unread != nil {
		return nil, unread, nil
	}
	set.Points, set.Image = points.Dense(n, d, values), o.Image
	if !o.Image.Colour && o.Encoding == nil && o.Features == 0 && differ(hues) {
		set.Notes = append(set.Notes, dataset.Note{Message: dataset.Messagef("the images differ in colour, and are read in grey: %s reads red, green and blue", dataset.Option{Name: "Image.Colour"})})
	}
	return set, nil, nil
}

// fatal reports whether no other image is read after the error of one.
func fatal(err error) bool {
	return errors.Is(err, dataset.ErrMemory) || errors.Is(err, fs.ErrNotExist)
}

// unreadImage is an image that is left out: its place, and why it cannot be read.
type unreadImage struct {
	At  int
	Why string
}

// unreadNote notes the images that cannot be read.
func unreadNote(all []unreadImage) dataset.Note {
	const most = 10
	format, args := "%d images cannot be read, and are left out (%s stops at the first):", []any{len(all), dataset.Option{Name: "Strict"}}
	if len(all) == 1 {
		format, args = "an image cannot be read, and is left out (%s stops at it):", args[1:]
	}
	for _, u := range all[:min(most, len(all))] {
		format += "\n  %s"
		args = append(args, u.Why)
	}
	if more := len(all) - most; more > 0 {
		format += "\n  and %d more"
		args = append(args, more)
	}
	return dataset.Note{Message: dataset.Messagef(format, args...), Doubtful: true}
}

// hue is the mean of red and of blue over the dots of an image, each less its luma, where white is 1.
type hue [2]float64

// manyHues is the least deviation of hues that is worth a word.
const manyHues = 0.05

// differ reports whether images differ in colour, and not in brightness alone: red or blue less luma have a deviation of 0.05 or more over
// the images.
func differ(hues []hue) bool {
	for c := range 2 {
		var sum, squares float64
		for _, h := range hues {
			sum, squares = sum+h[c], squares+h[c]*h[c]
		}
		n := float64(len(hues))
		if squares/n-sum/n*sum/n >= manyHues*manyHues {
			return true
		}
	}
	return false
}

// reduce writes the features of an image. It returns the hue of one that becomes grey.
func reduce(features []float64, img image.Image, m dataset.Image) (h hue) {
	width, height := m.Size()
	channels := 1
	if m.Colour {
		channels = 3
	}
	box := img.Bounds()
	across, down := shares(box.Dx(), width), shares(box.Dy(), height)
	line, white := onWhite(img)
	values, narrow := make([]float64, 3*box.Dx()), make([]float64, channels*width)
	for y := range box.Dy() {
		line(values, y)
		if !m.Colour {
			for x := range box.Dx() {
				// Whole weights of sum 2¹⁶, so that grey is kept exactly.
				luma := (19595*values[3*x] + 38470*values[3*x+1] + 7471*values[3*x+2]) / 65536
				h[0] += values[3*x] - luma
				h[1] += values[3*x+2] - luma
				values[x] = luma
			}
		}
		clear(narrow)
		for x, parts := range across {
			for _, part := range parts {
				for c := range channels {
					narrow[part.to*channels+c] += part.share * values[x*channels+c]
				}
			}
		}
		for _, part := range down[y] {
			row := features[part.to*len(narrow):][:len(narrow)]
			for k, v := range narrow {
				row[k] += part.share * v
			}
		}
	}
	for k, v := range features { // sums of shares may round beyond white
		features[k] = min(v, white) / white
	}
	if m.Brightest() != 1 {
		for k, v := range features {
			features[k] = v * m.Brightest()
		}
	}
	for c := range h {
		h[c] /= white * float64(box.Dx()*box.Dy())
	}
	return h
}

// part is the share that a dot has in a dot of the result.
type part struct {
	to    int
	share float64
}

// shares returns for each of the dots along a side its share in dots of the
// result. The shares in a dot of the result add up to 1.
func shares(dots, result int) [][]part {
	all := make([][]part, dots)
	for k := range dots {
		// In units of which a dot has result and a dot of the result has dots.
		begin, end := k*result, (k+1)*result
		for to := begin / dots; to*dots < end; to++ {
			covered := min(end, (to+1)*dots) - max(begin, to*dots)
			all[k] = append(all[k], part{to, float64(covered) / float64(dots)})
		}
	}
	return all
}

// onWhite returns a function that writes the red, green and blue values of a
// line of an image that lies on white, from 0 to those of white.
func onWhite(img image.Image) (read func(line []float64, y int), white float64) {
	box := img.Bounds()
	deep := false // 16 bits
	switch img.ColorModel() {
	case color.Gray16Model, color.RGBA64Model, color.NRGBA64Model:
		deep = true
	}
	if deep {
		strip := image.NewRGBA64(image.Rect(0, 0, box.Dx(), 1))
		return func(line []float64, y int) {
			draw.Draw(strip, strip.Rect, image.White, image.Point{}, draw.Src)
			draw.Draw(strip, strip.Rect, img, image.Pt(box.Min.X, box.Min.Y+y), draw.Over)
			for x := range box.Dx() {
				for c := range 3 {
					line[3*x+c] = float64(int(strip.Pix[8*x+2*c])<<8 | int(strip.Pix[8*x+2*c+1]))
				}
			}
		}, 1<<16 - 1
	}
	strip := image.NewRGBA(image.Rect(0, 0, box.Dx(), 1))
	return func(line []float64, y int) {
		draw.Draw(strip, strip.Rect, image.White, image.Point{}, draw.Src)
		draw.Draw(strip, strip.Rect, img, image.Pt(box.Min.X, box.Min.Y+y), draw.Over)
		for x := range box.Dx() {
			for c := range 3 {
				line[3*x+c] = float64(strip.Pix[4*x+c])
			}
		}
	}, 1<<8 - 1
}
