package dataset_test

import (
	"maps"
	"reflect"
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

// Features of one category are joint, and so are the coordinates of a place. The numbers of a vector are not.
func TestJoint(t *testing.T) {
	var rows []map[string]any
	for i := range 12 {
		rows = append(rows, map[string]any{"lon": 10 + i, "colour": []string{"red", "green", "blue"}[i%3], "size": i, "vec": []float64{float64(i), 1, float64(i % 4)}, "lat": 50 - i, "flag": []string{"yes", "no"}[i%2]})
	}
	d, err := dataset.FromMaps(rows, dataset.TableOptions{Coordinates: []string{"lat", "lon"}, MayLackLabels: true})
	if err != nil {
		t.Fatal(err)
	}
	var got [][]string
	for _, columns := range d.Encoding.Joint() {
		var names []string
		for _, j := range columns {
			names = append(names, d.Encoding.Features()[j])
		}
		slices.Sort(names)
		got = append(got, names)
	}
	want := [][]string{{"cos(lat)cos(lon)", "cos(lat)sin(lon)", "sin(lat)"}, {"colour=blue", "colour=green", "colour=red"}}
	if !reflect.DeepEqual(got, want) || (*dataset.Encoding)(nil).Joint() != nil {
		t.Errorf("joint are %q, want %q", got, want)
	}
}
