package labelpage

import (
	"slices"
	"strconv"

	"lapsvm/dataset"
)

// NewContent finds out what the rows of a data set show. The data set d must have been
// read with all columns kept. Rows of images have their files in files. The columns in
// ids name the rows.
func NewContent(d *dataset.Dataset, files, ids []string) *Content {
	c := &Content{Data: d, Kind: Vectors, Label: -1, Files: files}
	switch {
	case files != nil || !d.Image.None():
		if c.Kind = Images; !d.Kept.None() {
			c.Names = d.Kept.Column(0)
		}
	case !d.Kept.None() && len(d.Kept.Names) >= featuresOf(d):
		c.table(ids)
	}
	return c
}

// featuresOf returns the number of columns of a table besides its labels.
func featuresOf(d *dataset.Dataset) int {
	if d.Encoding != nil {
		return len(d.Encoding.Columns)
	}
	return d.Points.Dim()
}

// table makes the content of a table.
func (c *Content) table(ids []string) {
	d := c.Data
	c.Kind, c.Table = Tables, d.Kept
	c.Label = labelColumn(d)
	for k, name := range d.Kept.Names {
		if k != c.Label {
			c.Columns = append(c.Columns, name)
		}
	}
	c.Fields = make([][]string, len(d.Kept.Rows))
	for i, row := range d.Kept.Rows {
		if c.Fields[i] = row; c.Label >= 0 {
			c.Fields[i] = slices.Delete(slices.Clone(row), c.Label, c.Label+1)
		}
	}
	for _, id := range ids {
		if at := d.Kept.Find(id); at >= 0 && c.Names == nil {
			c.Names = d.Kept.Column(at)
		}
	}
	longest := 0
	for k, name := range c.Columns {
		if !d.Encoding.IsText(name) {
			continue
		}
		length := 0
		for _, fields := range c.Fields {
			length += len(fields[k])
		}
		if length >= longest {
			c.Kind, c.Text, longest = Texts, k, length
		}
	}
}

// labelColumn returns the column of the labels of a table, −1 where there is none.
func labelColumn(d *dataset.Dataset) int {
	names := d.Kept.Names
	if at := slices.Index(names, d.Label); at >= 0 && d.Label != "" {
		return at
	}
	if n, err := strconv.Atoi(d.Label); err == nil && n >= 1 && n <= len(names) {
		return n - 1
	}
	named := d.Features != nil
	if d.Encoding != nil {
		named = d.Encoding.Named
	}
	if named || len(names) == featuresOf(d) {
		return -1
	}
	return len(names) - 1
}
