package describe

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"lapsvm/points"
)

// columnKind is a description of columns of a table, as it is before it has learned.
type columnKind struct {
	name string
	of   columnSource
	rows string // that it is of, for people; "" for those of a table with text

	// learn learns the part of one group of columns, without a name. A part that gives nothing is left out.
	learn func(ctx context.Context, g group, f Fields, p *points.Points, seed uint64) (Part, error)
	// whole learns the description of all columns, which stands alone; nil for others.
	whole func(ctx context.Context, p *points.Points, seed uint64, together ...points.Group) (*OfColumns, error)
	// validate reports a part of so many columns that cannot have been learned.
	validate func(p *Part, width int) error
	// describe writes what a part says of rows first ≤ i < last of a table to dst(i). It has scratch memory for two rows of components.
	describe func(p *Part, table *points.Points, first, last int, dst func(i int) []float32, scratch []float64)
}

// columnSource is the columns that a description is of.
type columnSource int

// The sources, in the order of their parts.
const (
	ofOthers  columnSource = iota // all columns that are of no text and no vector, in one part
	ofVectors                     // each vector
	ofTexts                       // each text
	ofKnown                       // each text that has vectors of its words
	ofAll                         // all columns, alone
)

// group is columns that become one part, with the text that they are of.
type group struct {
	columns runs
	text    Text
}

// columnKinds are the descriptions of columns there are.
func columnKinds() []columnKind {
	return []columnKind{latentKind(), wordVectorKind(), numberKind(), vectorKind(), rareWordKind(), factorKind(), halfWhitenedKind()}
}

// columnKindOf returns the description of columns with a name; ok is false where it has none.
func columnKindOf(name string) (k columnKind, ok bool) {
	all := columnKinds()
	if at := slices.IndexFunc(all, func(k columnKind) bool { return k.name == name }); at >= 0 {
		return all[at], true
	}
	return k, false
}

// Columns lists the descriptions of the columns of a table with texts.
func Columns() (names []string) {
	for _, k := range columnKinds() {
		if k.rows == "" {
			names = append(names, k.name)
		}
	}
	return names
}

// Others says which descriptions there are of rows that no table with texts tells of, such as "; of a table of numbers factors".
func Others() (text string) {
	for _, k := range columnKinds() {
		if k.rows != "" {
			text += fmt.Sprintf("; of %s %s", k.rows, k.name)
		}
	}
	return text
}

// Names lists all descriptions there are.
func Names() []string {
	names := Pictures()
	for _, k := range columnKinds() {
		names = append(names, k.name)
	}
	return names
}

// OfEach reports whether a description has a part for each text or each vector, and not one for all.
func OfEach(name string) bool {
	k, ok := columnKindOf(name)
	return ok && k.of != ofOthers && k.of != ofAll
}

// Alone reports whether a description stands beside no other. [LearnAlone] learns it.
func Alone(name string) bool {
	k, _ := columnKindOf(name)
	return k.whole != nil
}

// LearnAlone learns a description of all columns of a table that stands alone.
func LearnAlone(ctx context.Context, name string, p *points.Points, seed uint64, together ...points.Group) (*OfColumns, error) {
	k, _ := columnKindOf(name)
	return k.whole(ctx, p, seed, together...)
}

// OfColumns is what LearnColumns or LearnFactors learned of the columns of a table, plain data.
type OfColumns struct {
	Columns int
	Parts
}

func (d *OfColumns) of(parts Parts) Description { return &OfColumns{d.Columns, parts} }

// Inputs returns the number of columns of the table.
func (d *OfColumns) Inputs() int { return d.Columns }

// Needed returns the description as one of those columns alone that a part reads, and reports which these are.
func (d *OfColumns) Needed() (of *OfColumns, needed []bool) {
	needed = make([]bool, d.Columns)
	for k := range d.Parts {
		for _, run := range d.Parts[k].Columns {
			for j := run[0]; j < run[1]; j++ {
				needed[j] = true
			}
		}
	}
	places := make([]int, d.Columns+1) // among those needed
	for j, is := range needed {
		if places[j+1] = places[j]; is {
			places[j+1]++
		}
	}
	other := *d
	other.Columns, other.Parts = places[d.Columns], slices.Clone(d.Parts)
	for k := range other.Parts {
		runs := slices.Clone(other.Parts[k].Columns)
		for at, run := range runs {
			runs[at] = [2]int{places[run[0]], places[run[1]]}
		}
		other.Parts[k].Columns = runs
	}
	return &other, needed
}

// Validate returns an error for a description that neither LearnColumns nor LearnFactors can have learned.
func (d *OfColumns) Validate() error {
	if len(d.Parts) == 0 {
		return errors.New("a description without parts")
	}
	for k := range d.Parts {
		p := &d.Parts[k]
		at := 0
		for _, run := range p.Columns {
			if run[0] < at || run[1] <= run[0] || run[1] > d.Columns {
				return fmt.Errorf("%s of the columns %d to %d, of %d", p.Name, run[0], run[1], d.Columns)
			}
			at = run[1]
		}
		width := runs(p.Columns).width()
		if width == 0 {
			return fmt.Errorf("%s of no columns", p.Name)
		}
		if len(p.Filters) > 0 || len(p.Mean) > 0 {
			return fmt.Errorf("%s has filters or a mean", p.Name)
		}
		kind, ok := columnKindOf(p.Name)
		if !ok {
			return fmt.Errorf("no part of a table is called %q", p.Name)
		}
		if err := kind.validate(p, width); err != nil {
			return err
		}
	}
	return nil
}

// validProjection returns the rule for a part of components, at most so many.
func validProjection(most int) func(p *Part, width int) error {
	return func(p *Part, width int) error {
		if p.Scaling != nil || len(p.Components) == 0 || len(p.Components)%width != 0 || p.Dim() > most {
			return fmt.Errorf("%s has components of %d numbers for %d columns", p.Name, len(p.Components), width)
		}
		if !allFinite(p.Components) {
			return fmt.Errorf("%s has numbers that are not finite", p.Name)
		}
		return nil
	}
}

// validScaling is the rule for a part of columns that are scaled.
func validScaling(p *Part, width int) error {
	if p.Scaling == nil || p.Scaling.Kind != points.Columns {
		return fmt.Errorf("%s has no scaling of columns", p.Name)
	}
	for _, numbers := range [][]float64{p.Scaling.Shift, p.Scaling.Factor, p.Scaling.Centre, p.Scaling.Width} {
		if len(numbers) != width || slices.ContainsFunc(numbers, func(x float64) bool { return !finite(x) }) {
			return fmt.Errorf("%s has a scaling of %d columns in place of %d, or one that is not finite", p.Name, len(numbers), width)
		}
	}
	return nil
}
