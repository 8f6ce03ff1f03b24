package train

import (
	"cmp"
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"lapsvm/dataset"
	"lapsvm/internal/describe"
	"lapsvm/internal/points/gram"
	"lapsvm/internal/points/graph"
	"lapsvm/internal/system/fault"
	"lapsvm/points"
)

// Descriptions are the names of what points are described by, side by side, separated by commas. They are names of
// [describe.Names]. That of one text or vector among several is latent:COLUMN or vectors:COLUMN, in quotes as CSV has it where
// the name of the column has a comma. The empty Descriptions are open: the choice decides, and [Fit] takes Undescribed.
type Descriptions string

// Undescribed leaves points the features that they are.
const Undescribed Descriptions = "none"

// openDescriptions is the word for descriptions that are left open.
const openDescriptions = "auto"

// DescribedBy returns the descriptions of some names, Undescribed of none.
func DescribedBy(names ...string) Descriptions {
	if len(names) == 0 {
		return Undescribed
	}
	var text strings.Builder
	w := csv.NewWriter(&text)
	_ = w.Write(names) // to memory
	w.Flush()
	return Descriptions(strings.TrimSuffix(text.String(), "\n"))
}

// Names lists the descriptions, none where they are open or Undescribed.
func (d Descriptions) Names() []string {
	if d == "" || d == Undescribed {
		return nil
	}
	if names, err := csv.NewReader(strings.NewReader(string(d))).Read(); err == nil {
		return names
	}
	return strings.Split(string(d), ",") // check says what is wrong with it
}

// Text lists the descriptions for people, such as "hog, patches and dots", "" for none.
func (d Descriptions) Text() string {
	names := d.Names()
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " and " + names[last]
}

// ofColumn takes the name of the description of a column apart.
func ofColumn(name string) (description, column string) {
	description, column, _ = strings.Cut(name, ":")
	return description, column
}

// check reports names that no description has, names given twice, and descriptions of columns beside those of
// pictures.
func (d Descriptions) check() error {
	names := d.Names()
	for k, name := range names {
		kind, column := ofColumn(name)
		if !slices.Contains(describe.Names(), kind) || column != "" && !describe.OfEach(kind) {
			return fmt.Errorf("unknown description %q: there are %s, %s and %s, and of one text or vector NAME:COLUMN", name, openDescriptions, Undescribed, strings.Join(describe.Names(), ", "))
		}
		if slices.Contains(names[:k], name) || column != "" && slices.Contains(names, kind) {
			return fmt.Errorf("the description %s is given twice", name)
		}
		if describe.Alone(kind) && len(names) > 1 {
			return fmt.Errorf("the description %s stands alone", kind)
		}
		if slices.Contains(describe.Pictures(), kind) != slices.Contains(describe.Pictures(), names[0]) {
			return fault.Errorf("pictures have no %s, and tables with text no %s: give those of one", alternatives(describe.Columns()), alternatives(describe.Pictures()))
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
	for _, name := range Descriptions(*d).Names() {
		if kind, _ := ofColumn(name); !slices.Contains(describe.Names(), kind) {
			return fmt.Errorf("takes %s, not %q", alternatives(append([]string{openDescriptions, string(Undescribed)}, describe.Names()...)), name)
		}
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
	return d.Set(string(DescribedBy(names...)))
}

// picturesFound is how many rows tell whether they are pictures.
const picturesFound = 300

// Pictured returns d as pictures of the shape that [describe.FindShape] sees in some rows. The seed draws the
// rows. d stays as it is without such a shape, with columns that are not numbers, and where its pictures are known
// or described. It fails where ranks cannot share rows.
func Pictured(ctx context.Context, d *dataset.Dataset, seed uint64) (*dataset.Dataset, error) {
	if !d.OfNumbers() {
		return d, nil
	}
	rows := gram.DrawRows(d.Len(), picturesFound, seed)
	var sample *points.Points
	if d.Ranks().Alone() {
		sample = d.Points.Subset(rows)
	} else {
		shared, err := d.Gather(ctx, rows, true)
		if err != nil {
			return nil, err
		}
		sample = shared.Points
	}
	s, found := describe.FindShape(sample)
	if !found {
		return d, nil
	}
	_, _, white := sample.LargestValue()
	return d.OfImages(dataset.Image{Width: s.Width, Height: s.Height, Colour: s.Colours == 3, White: max(white, 0)})
}

// Describe returns d with its points described as the recipe asks. Where no shape of pictures is known, [Pictured]
// finds it. Data stay as they are where the recipe asks for nothing, and where they are described already. Describe
// fails where [LearnDescription] does.
func Describe(ctx context.Context, d *dataset.Dataset, r Recipe, run Run) (*dataset.Dataset, error) {
	names := r.Describe.Names()
	if names == nil || d.Described() {
		return d, nil
	}
	ctx = run.Watch(ctx, "describing")
	if slices.Contains(describe.Pictures(), names[0]) {
		var err error
		if d, err = Pictured(ctx, d, r.Seed); err != nil {
			return nil, err
		}
	}
	by, described, err := LearnDescription(ctx, d, names, r.Seed)
	if err != nil || described != nil {
		return described, err
	}
	return Described(ctx, d, by)
}

// HasParts reports whether a table has columns to describe: a text, or a vector. The encoding may be nil.
func HasParts(e *dataset.Encoding) bool {
	return slices.ContainsFunc(e.All(), func(c dataset.Column) bool {
		return (c.Kind == dataset.Text || c.Kind == dataset.Vector) && c.Width() > 0
	})
}

// terms reports whether points, of d or a sample of it, can be weights of terms, such as a bag of words: sparse rows that no table tells of, or dense rows of counts.
func terms(d *dataset.Dataset, p *points.Points) bool {
	return d.Untold() && p.Dim() > 0 && (p.Sparse() || describe.Counts(p))
}

// rareTerms is how many columns there are to each that a row stores, where columns are taken for terms.
const rareTerms = 10

// HasTerms reports whether the points of d are taken for weights of terms: sparse rows that no table tells of, with few of many columns
// each. Two of them share few columns, as texts do.
func HasTerms(d *dataset.Dataset) bool {
	return d.Points.Sparse() && terms(d, d.Points) && float64(d.Points.Dim())*float64(d.Points.Len()) >= rareTerms*float64(d.Points.Stored())
}

// PartName returns the name of a part of a description: that of a text or a vector with its column.
func PartName(e *dataset.Encoding, p *describe.Part) string {
	if !describe.OfEach(p.Name) || len(p.Columns) == 0 {
		return p.Name
	}
	at := 0
	for k := range e.All() {
		if at += e.Columns[k].Width(); at > p.Columns[0][0] {
			return p.Name + ":" + e.Columns[k].Name
		}
	}
	return p.Name
}

// PartNames lists the parts of a description by [PartName].
func PartNames(e *dataset.Encoding, d describe.Description) (names []string) {
	all := d.List()
	for k := range all {
		if name := PartName(e, &all[k]); !slices.Contains(names, name) { // a text has two parts
			names = append(names, name)
		}
	}
	return names
}

// NamesOf lists the names of the parts of a description that some has. Where it has all texts or vectors, they have one
// name.
func NamesOf(e *dataset.Encoding, all, some describe.Description) (names []string) {
	have := PartNames(e, some)
	parts := some.List()
	for k := range parts {
		name := parts[k].Name
		lacks := slices.ContainsFunc(all.List(), func(p describe.Part) bool { return p.Name == name && !slices.Contains(have, PartName(e, &p)) })
		if lacks {
			name = PartName(e, &parts[k])
		}
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// Described returns d with its points described, as they are with a nil description. What describes
// the columns of d stays.
func Described(ctx context.Context, d *dataset.Dataset, by describe.Description) (*dataset.Dataset, error) {
	if by == nil || d.Described() {
		return d, nil
	}
	p, err := by.Apply(ctx, d.Points)
	if err != nil {
		return nil, ofDescription(ctx, err)
	}
	return d.As(p, by), nil
}

// TermsOf returns the given rows of d, nil meaning all, by the terms that [describe.Latent] is learned of, see [describe.OfColumns.Terms]. Graphs have
// neighbours by these beside those by the description. It is nil for other points than texts so described, where ranks share d, and unless all rows of d are
// compared with one another in less than a second.
func TermsOf(d *dataset.Dataset, rows []int) *points.Points {
	p := d.AsRead()
	if !d.Described() || p == nil || !d.Ranks().Alone() || !graph.Quick(p) {
		return nil
	}
	if p = d.Description().Terms(p); p == nil || rows == nil {
		return p
	}
	return p.Subset(rows)
}

// ofDescription gives an error of a description its kind, unless ctx is done.
func ofDescription(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return OfKind(ErrData, err)
}
