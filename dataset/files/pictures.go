package files

import (
	"bytes"
	"context"
	"fmt"
	"image"

	"lapsvm/dataset"
	"lapsvm/points"
)

// Picture is the content of an image file, and what errors call it.
type Picture struct {
	Name    string
	Content []byte
}

// ReadPictures reads image files in memory as [ReadImages] reads those on a disk, in the size and the colours of o.Image. It reads one after another,
// within room. The rows have no labels and no names. It fails at the first that cannot be read, and when ctx is done.
func ReadPictures(ctx context.Context, all []Picture, room *ImageRoom, o Options) (*dataset.Dataset, error) {
	n, d := len(all), o.Image.Dim()
	origin := dataset.Origin{File: "pictures", Memory: o.memory(), Check: o.Check}
	if err := origin.Take(8*n*d, fmt.Sprintf("%d pictures of %d features", n, d)); err != nil {
		return nil, err
	}
	values := make([]float64, n*d)
	for i, p := range all {
		if o.Check != nil {
			if err := o.Check(i + 1); err != nil {
				return nil, err
			}
		}
		if err := room.decode(ctx, p.Name, bytes.NewReader(p.Content), func(img image.Image) { reduce(values[i*d:(i+1)*d], img, o.Image) }); err != nil {
			return nil, err
		}
	}
	set := &dataset.Dataset{Points: points.Dense(n, d, values), Image: o.Image}
	for range all {
		set.Y = append(set.Y, dataset.Unlabelled)
	}
	return set, nil
}
