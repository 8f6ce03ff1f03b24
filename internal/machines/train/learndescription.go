package train

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"lapsvm/dataset"
	"lapsvm/internal/describe"
	"lapsvm/internal/points/gram"
	"lapsvm/internal/system/fault"
	"lapsvm/points"
)

// describedRows is how many rows ranks learn a description from.
const describedRows = 20000

// LearnDescription returns descriptions that it learns of the points of d, side by side; nil names stand for all that d has. Each follows from the points and
// the seed, whatever stands beside it. Pictures that are all learned from are described on the way: described is then d by these descriptions, else nil.
// Ranks that share d learn from 20,000 rows, drawn by the seed. It
// fails for unknown names, for points that are no pictures or have no texts, and for equal pictures.
func LearnDescription(ctx context.Context, d *dataset.Dataset, names []string, seed uint64) (by describe.Description, described *dataset.Dataset, err error) {
	if err := DescribedBy(names...).check(); err != nil {
		return nil, nil, OfKind(ErrParameter, err)
	}
	if err := checkPoints(d); err != nil {
		return nil, nil, OfKind(ErrData, err)
	}
	sample := d.Points
	if !d.Ranks().Alone() {
		drawn, err := d.Gather(ctx, gram.DrawRows(d.Len(), describedRows, seed), true)
		if err != nil {
			return nil, nil, err
		}
		sample = drawn.Points
	}
	by, numbers, err := learningOf(d, names)(ctx, d, sample, names, seed)
	switch {
	case err != nil:
		return nil, nil, ofDescription(ctx, err)
	case numbers != nil && d.Ranks().Alone():
		return by, d.As(numbers, by), nil
	case names == nil:
		return by, nil, nil
	}
	is := func(p *describe.Part, name string) bool { return name == p.Name || name == PartName(d.Encoding, p) }
	for _, name := range names {
		if len(describe.Only(by, func(p *describe.Part) bool { return is(p, name) }).List()) == 0 {
			first := ""
			if kind, _ := ofColumn(name); kind == describe.WordVectors {
				first = "give word-vectors FILE, or "
			}
			return nil, nil, OfKind(ErrData, fault.Errorf("these data have nothing that %s describes: "+first+"describe them by %s", name, DescribedBy(PartNames(d.Encoding, by)...)))
		}
	}
	return describe.Only(by, func(p *describe.Part) bool {
		return slices.ContainsFunc(names, func(name string) bool { return is(p, name) })
	}), nil, nil
}

// learning learns descriptions of rows of one kind from a sample of the points of d. Of pictures that are all learned from it also returns
// the numbers that describe them.
type learning func(ctx context.Context, d *dataset.Dataset, sample *points.Points, names []string, seed uint64) (describe.Description, *points.Points, error)

// learningOf returns what learns descriptions with some names, nil meaning those of what the rows are.
func learningOf(d *dataset.Dataset, names []string) learning {
	switch {
	case len(names) > 0 && describe.Alone(names[0]):
		return learnAlone
	case len(names) > 0 && slices.Contains(describe.Pictures(), names[0]), len(names) == 0 && !d.Image.None():
		return learnPictures
	}
	return learnColumns
}

func learnAlone(ctx context.Context, d *dataset.Dataset, sample *points.Points, names []string, seed uint64) (describe.Description, *points.Points, error) {
	if d.Featureless || d.Points.Sparse() {
		return nil, nil, fault.Errorf("the description %s is of tables of numbers, and these rows are sparse or without features: describe them by none", names[0])
	}
	by, err := describe.LearnAlone(ctx, names[0], sample, seed, d.Encoding.Together()...)
	return by, nil, err
}

func learnPictures(ctx context.Context, d *dataset.Dataset, sample *points.Points, names []string, seed uint64) (describe.Description, *points.Points, error) {
	if d.Image.None() {
		return nil, nil, fault.Errorf("the description %s is of pictures, and these rows are not known to be pictures: say their shape (image-shape HxW), or describe them by none", DescribedBy(names...))
	}
	if names == nil {
		names = describe.Pictures()
	}
	return describe.Learn(ctx, names, shapeOf(d.Image), sample, seed)
}

func learnColumns(ctx context.Context, d *dataset.Dataset, sample *points.Points, names []string, seed uint64) (describe.Description, *points.Points, error) {
	if terms(d, sample) { // of which all ranks think alike
		sample = describe.Sparse(sample)
	} else if !HasParts(d.Encoding) {
		return nil, nil, fault.Errorf("the description %s is of tables with text or vectors, or of sparse rows or counts, and no column of these data is one%s: name one (text), or describe them by none", DescribedBy(names...), leftOut(d.Encoding))
	}
	by, err := describe.LearnColumns(ctx, describe.Fields{Texts: textsOf(d, sample), Joint: d.Encoding.Joint(), Together: d.Encoding.Together()}, sample, seed)
	return by, nil, err
}

// leftOut lists the columns of a table that count for nothing, each with the reason, "" where there are none.
func leftOut(e *dataset.Encoding) string {
	var columns []string
	for _, c := range e.All() {
		if c.Reason != "" {
			columns = append(columns, fmt.Sprintf("%q (%s)", c.Name, c.Reason))
		}
	}
	if columns == nil {
		return ""
	}
	return ", without those left out, " + strings.Join(columns, ", ")
}

// textsOf returns the groups of columns of the texts of d, with the vectors of their words. Terms that no table tells of are one
// group, of counts if those of a sample are.
func textsOf(d *dataset.Dataset, sample *points.Points) (texts []describe.Text) {
	e := d.Encoding
	if e == nil {
		return []describe.Text{{Columns: [2]int{0, d.Points.Dim()}, Counts: describe.Counts(sample)}}
	}
	vectors := e.TextVectors()
	for k, columns := range e.Texts() {
		texts = append(texts, describe.Text{Columns: columns, Vectors: vectors[k]})
	}
	return texts
}

// shapeOf returns the shape of pictures.
func shapeOf(m dataset.Image) describe.Shape {
	width, height := m.Size()
	colours := 1
	if m.Colour {
		colours = 3
	}
	return describe.Shape{Width: width, Height: height, Colours: colours}
}
