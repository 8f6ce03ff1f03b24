package train

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"lapsvm/dataset"
	"lapsvm/internal/describe"
	"lapsvm/internal/points/gram"
)

// Descriptions are the names of what points are described by, side by side, as [describe.Names] has
// them. nil is open: the choice decides, and [Fit] takes none. Without a name, points stay the
// features that they are.
type Descriptions []string

// The words of descriptions that are none, and of those that are open.
const (
	undescribed     = "none"
	openDescription = "auto"
)

func (d *Descriptions) String() string {
	switch {
	case *d == nil:
		return openDescription
	case len(*d) == 0:
		return undescribed
	}
	return strings.Join(*d, ",")
}

// Set takes auto, none, or names separated by commas.
func (d *Descriptions) Set(text string) error {
	switch text {
	case openDescription:
		*d = nil
		return nil
	case undescribed, "":
		*d = Descriptions{}
		return nil
	}
	*d = strings.Split(text, ",")
	return d.check()
}

// check reports names that no description has, and names given twice.
func (d Descriptions) check() error {
	for k, name := range d {
		if !slices.Contains(describe.Names(), name) {
			return fmt.Errorf("unknown description %q: there are %s, %s and %s", name, openDescription, undescribed, strings.Join(describe.Names(), ", "))
		}
		if slices.Contains(d[:k], name) {
			return fmt.Errorf("the description %s is given twice", name)
		}
	}
	return nil
}

// empty reports whether there are none, which JSON leaves out.
func (d *Descriptions) empty() bool { return *d != nil && len(*d) == 0 }

// MarshalJSON writes an array of names, or auto.
func (d *Descriptions) MarshalJSON() ([]byte, error) {
	if *d == nil {
		return json.Marshal(openDescription)
	}
	return json.Marshal([]string(*d))
}

// UnmarshalJSON reads an array of names, or one text as the flag takes it.
func (d *Descriptions) UnmarshalJSON(text []byte) error {
	var word string
	if json.Unmarshal(text, &word) == nil {
		return d.Set(word)
	}
	var names []string
	if err := json.Unmarshal(text, &names); err != nil {
		return err
	}
	if *d = names; names == nil {
		*d = Descriptions{}
	}
	return d.check()
}

// describedRows is how many rows ranks learn a description from.
const describedRows = 20000

// Describe returns d with its points described as the recipe asks. d stays as it is where the recipe
// asks for nothing, and where the points of d are described already. What is learnt of the points
// follows from them and from the seed. Ranks that share d learn it from 20,000 rows, drawn by the
// seed, and describe their own rows. It fails for points that are no pictures of at least 8 dots a side.
func Describe(ctx context.Context, d *dataset.Dataset, r Recipe, run Run) (*dataset.Dataset, error) {
	if len(r.Describe) == 0 || d.Description != nil {
		return d, nil
	}
	ctx = run.watch(ctx, "describing")
	if err := checkPoints(d); err != nil {
		return nil, OfKind(ErrData, err)
	}
	sample := d
	if !d.Ranks().Alone() {
		var err error
		if sample, err = d.Gather(ctx, gram.DrawRows(d.Len(), describedRows, r.Seed), true); err != nil {
			return nil, err
		}
	}
	if d.Image == nil {
		return nil, OfKind(ErrData, fmt.Errorf("the description %s is of pictures, and these rows are not known to be pictures: say their shape, or describe them by none", r.Describe.String()))
	}
	learnt, err := describe.Learn(ctx, r.Describe, shapeOf(d.Image), sample.Points, r.Seed)
	if err != nil {
		return nil, ofDescription(ctx, err)
	}
	return Described(ctx, d, learnt)
}

// Described returns d with its points described, as they are with a nil description. What describes
// the columns of d stays.
func Described(ctx context.Context, d *dataset.Dataset, by *describe.Description) (*dataset.Dataset, error) {
	if by == nil || d.Description != nil {
		return d, nil
	}
	p, err := by.Apply(ctx, d.Points)
	if err != nil {
		return nil, ofDescription(ctx, err)
	}
	other := *d
	other.Points, other.Description = p, by
	return &other, nil
}

// ofDescription gives an error of a description its kind, unless ctx is done.
func ofDescription(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return OfKind(ErrData, err)
}

// shapeOf returns the shape of pictures.
func shapeOf(m *dataset.Image) describe.Shape {
	width, height := m.Size()
	colours := 1
	if m.Colour {
		colours = 3
	}
	return describe.Shape{Width: width, Height: height, Colours: colours}
}
