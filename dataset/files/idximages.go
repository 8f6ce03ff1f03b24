package files

import (
	"bufio"
	"context"
	"path/filepath"

	"lapsvm/dataset"
)

// MadeImages are grey images that are made as they are written.
type MadeImages struct {
	Count, Height, Width int
	Labels               []byte // one per image
	// Make fills to with the images from ≤ i < end, row after row, a byte per dot.
	Make func(ctx context.Context, to []byte, from, end int) error
}

// imagesAtATime is how many images are made between two writings.
const imagesAtATime = 8192

// WriteImages writes images to an idx file, and their labels to that beside it, as
// MNIST has them, compressed as the name tells. Both files are there whole or not at
// all. It fails where the name has no "images" in it, where Make does, and when ctx is
// done. Memory: that of 8,192 images.
func WriteImages(ctx context.Context, path string, images MadeImages) error {
	labels := labelsPath(path)
	if labels == "" {
		return &dataset.Error{File: path, Msg: dataset.Messagef("the name %q must contain \"images\", so that the labels can be written beside it; rename it, such as deformed-images-idx3-ubyte", filepath.Base(path))}
	}
	size := images.Height * images.Width
	return replace(ctx, output{labels, func(w *bufio.Writer) error {
		writeIDXHeader(w, true, images.Count)
		_, err := w.Write(images.Labels)
		return err
	}}, output{path, func(w *bufio.Writer) error {
		writeIDXHeader(w, true, images.Count, images.Height, images.Width)
		part := make([]byte, min(imagesAtATime, images.Count)*size)
		for from := 0; from < images.Count; from += imagesAtATime {
			end := min(from+imagesAtATime, images.Count)
			if err := images.Make(ctx, part[:(end-from)*size], from, end); err != nil {
				return err
			}
			if _, err := w.Write(part[:(end-from)*size]); err != nil {
				return err
			}
		}
		return nil
	}})
}
