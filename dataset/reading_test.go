package dataset_test

import (
	"maps"
	"slices"
	"testing"

	"lapsvm/dataset"
)

// What a Reading says of words is what rows with these words become, missing and unseen ones too.
func TestReadingOfWords(t *testing.T) {
	column := func(fields ...any) (rows []map[string]any) {
		for i := range 4 * len(fields) {
			rows = append(rows, map[string]any{"c": fields[i%len(fields)], "x": i})
		}
		return rows
	}
	for name, c := range map[string]struct {
		rows          []map[string]any
		known, others []string
	}{
		"words":        {column("red", "grün", "", "Red"), []string{"red", "grün", "Red"}, []string{"", "NA", "blue", "grun", " red"}},
		"mixed":        {column("2", "3.50", "more"), []string{"2", "2.0", "2.000000", "3.5", "3.50", "3.500", "more"}, []string{"?", "4", "More"}},
		"codes":        {column("01532", "1099", "k"), []string{"01532", "1532", "1532.0", "1099", "1099.00"}, []string{"1533", "null"}},
		"two spelling": {column("1", "1.0", "7e-7", "1e300"), []string{"1", "1.0", "7e-7", "7e-07", "1e300", "1e+300"}, []string{"1.00", "2", "nan"}},
		"flags":        {column("yes", "No", nil, "Yes"), []string{"yes", "YES", "yeſ", "true", "False", "no"}, []string{"", "none", "N/A"}},
		"truths":       {column(true, false, false, nil), []string{"true", "FALSE"}, []string{"", "null"}},
	} {
		o := dataset.TableOptions{MayLackLabels: true}
		if name == "two spelling" || name == "codes" {
			o.Category = []string{"c"}
		}
		d, err := dataset.FromMaps(c.rows, o)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		k := slices.IndexFunc(d.Encoding.Columns, func(c dataset.Column) bool { return c.Name == "c" })
		r, err := d.Encoding.Reading(k)
		if err != nil || r.Fill != nil {
			t.Fatalf("%s: %+v, error %v", name, r, err)
		}
		for _, word := range slices.Concat(c.known, c.others, slices.Collect(maps.Keys(r.Places))) {
			place, known := r.Places[word]
			if !known {
				place = r.Other
			}
			if slices.Contains(c.known, word) != known && slices.Contains(slices.Concat(c.known, c.others), word) {
				t.Errorf("%s: %q is known: %v", name, word, known)
			}
			row, err := dataset.FromMaps([]map[string]any{{"c": word, "x": 1}}, dataset.TableOptions{Encoding: d.Encoding, MayLackLabels: true})
			if err != nil {
				t.Fatal(err)
			}
			for j, v := range row.Points.DenseRow(0)[:d.Encoding.Columns[k].Width()] {
				if want := map[bool]float64{true: 1}[j == place]; v != want {
					t.Errorf("%s: feature %d of %q is %g, want %g", name, j, word, v, want)
				}
			}
		}
	}
}
