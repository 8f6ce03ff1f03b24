package train

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"lapsvm/dataset"
	"lapsvm/internal/describe"
	"lapsvm/internal/points/gram"
)

// Descriptions are the names of what points are described by, side by side, separated by commas. They are names of
// [describe.Names]. The empty Descriptions are open: the choice decides, and [Fit] takes Undescribed.
type Descriptions string

// Undescribed leaves points the features that they are.
const Undescribed Descriptions = "none"

// openDescriptions is the word for descriptions that are left open.
const openDescriptions = "auto"

// DescribedBy returns the descriptions of some names, Undescribed of none.
func DescribedBy(names ...string) Descriptions {
	return cmp.Or(Descriptions(strings.Join(names, ",")), Undescribed)
}

// Names lists the descriptions, none where they are open or Undescribed.
func (d Descriptions) Names() []string {
	if d == "" || d == Undescribed {
		return nil
	}
	return strings.Split(string(d), ",")
}

// check reports names that no description has, names given twice, and descriptions of columns beside those of
// pictures.
func (d Descriptions) check() error {
	names := d.Names()
	for k, name := range names {
		if !slices.Contains(describe.Names(), name) {
			return fmt.Errorf("unknown description %q: there are %s, %s and %s", name, openDescriptions, Undescribed, strings.Join(describe.Names(), ", "))
		}
		if slices.Contains(names[:k], name) {
			return fmt.Errorf("the description %s is given twice", name)
		}
		if slices.Contains(describe.Pictures(), name) != slices.Contains(describe.Pictures(), names[0]) {
			return fmt.Errorf("pictures have no %s, and tables with text no %s: give those of one", alternatives(describe.Columns()), alternatives(describe.Pictures()))
		}
	}
	return nil
}

// descriptions are those of a recipe, as flags and JSON have them.
type descriptions Descriptions

func (d *descriptions) String() string { return string(cmp.Or(*d, openDescriptions)) }

func (d *descriptions) Set(text string) error {
	if *d = descriptions(cmp.Or(text, string(Undescribed))); text == openDescriptions {
		*d = ""
	}
	return Descriptions(*d).check()
}

// empty reports whether there are none, which JSON leaves out.
func (d *descriptions) empty() bool { return Descriptions(*d) == Undescribed }

// MarshalJSON writes an array of names, or auto.
func (d *descriptions) MarshalJSON() ([]byte, error) {
	if *d == "" {
		return json.Marshal(openDescriptions)
	}
	return json.Marshal(Descriptions(*d).Names())
}

// UnmarshalJSON reads an array of names, or a text as the flag takes it.
func (d *descriptions) UnmarshalJSON(text []byte) error {
	var word string
	if json.Unmarshal(text, &word) == nil {
		return d.Set(word)
	}
	var names []string
	if err := json.Unmarshal(text, &names); err != nil {
		return err
	}
	return d.Set(strings.Join(names, ","))
}

// describedRows is how many rows ranks learn a description from.
const describedRows = 20000

// Describe returns d with its points described as the recipe asks. d stays as it is where the recipe
// asks for nothing, and where the points of d are described already. It fails where [LearnDescription] does.
func Describe(ctx context.Context, d *dataset.Dataset, r Recipe, run Run) (*dataset.Dataset, error) {
	names := r.Describe.Names()
	if names == nil || d.Description != nil {
		return d, nil
	}
	ctx = run.watch(ctx, "describing")
	learnt, err := LearnDescription(ctx, d, names, r.Seed)
	if err != nil {
		return nil, err
	}
	return Described(ctx, d, learnt)
}

// LearnDescription learns descriptions of the points of d, side by side; nil names stand for all that d has. Each follows from the points and
// the seed, whatever stands beside it. Ranks that share d learn from 20,000 rows, drawn by the seed. It
// fails for unknown names, for points that are no pictures or have no texts, and for equal pictures.
func LearnDescription(ctx context.Context, d *dataset.Dataset, names []string, seed uint64) (*describe.Description, error) {
	if err := DescribedBy(names...).check(); err != nil {
		return nil, OfKind(ErrParameter, err)
	}
	texts := d.Image == nil
	if len(names) > 0 {
		texts = !slices.Contains(describe.Pictures(), names[0])
	}
	switch {
	case texts && !d.Encoding.HasText():
		return nil, OfKind(ErrData, fmt.Errorf("the description %s is of tables with text, and no column of these data is text: name one (text), or describe them by none", DescribedBy(names...)))
	case !texts && d.Image == nil:
		return nil, OfKind(ErrData, fmt.Errorf("the description %s is of pictures, and these rows are not known to be pictures: say their shape (image-shape HxW), or describe them by none", DescribedBy(names...)))
	}
	if err := checkPoints(d); err != nil {
		return nil, OfKind(ErrData, err)
	}
	sample := d
	if !d.Ranks().Alone() {
		var err error
		if sample, err = d.Gather(ctx, gram.DrawRows(d.Len(), describedRows, seed), true); err != nil {
			return nil, err
		}
	}
	var learnt *describe.Description
	var err error
	if texts {
		learnt, err = describe.LearnTexts(ctx, textsOf(d.Encoding), sample.Points, seed, d.Encoding.Together()...)
	} else {
		if names == nil {
			names = describe.Pictures()
		}
		learnt, err = describe.Learn(ctx, names, shapeOf(d.Image), sample.Points, seed)
	}
	if err != nil {
		return nil, ofDescription(ctx, err)
	}
	if names == nil {
		return learnt, nil
	}
	only, lacking := learnt.Only(names...)
	if lacking != "" {
		first := ""
		if lacking == describe.WordVectors {
			first = "give word-vectors FILE, or "
		}
		return nil, OfKind(ErrData, fmt.Errorf("these data have nothing that %s describes: %sdescribe them by %s", lacking, first, strings.Join(learnt.Names(), ",")))
	}
	return only, nil
}

// textsOf returns the groups of columns of the texts of an encoding, with the vectors of their words.
func textsOf(e *dataset.Encoding) (texts []describe.Text) {
	vectors := e.TextVectors()
	for k, columns := range e.Texts() {
		texts = append(texts, describe.Text{Columns: columns, Vectors: vectors[k]})
	}
	return texts
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
	other.Points, other.Undescribed, other.Description = p, d.Points, by
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
