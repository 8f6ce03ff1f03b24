package files

import (
	"bytes"
	"reflect"
	"slices"
	"testing"

	"lapsvm/dataset"
)

// A table of text alone has the text of its columns in every format of tables, whatever they hold:
// no feature, no label.
func TestTextAlone(t *testing.T) {
	want := [][]string{{"1", "a", "0.5"}, {"2", "label", ""}, {"3", "", "-2"}}
	all := []dataset.Series{{Name: "row", Text: []string{"1", "2", "3"}}, {Name: "label", Text: []string{"a", "label", ""}}, {Name: "weight", Text: []string{"0.5", "", "-2"}}}
	for format, lines := range map[string][]int{CSV: {2, 3, 4}, TSV: {2, 3, 4}, JSONL: {1, 2, 3}, JSON: {2, 3, 4}, Parquet: {0, 0, 0}, Arrow: {0, 0, 0}} {
		var file bytes.Buffer
		if err := WriteSeries(&file, format, all); err != nil {
			t.Fatal(err)
		}
		d, err := Read(&file, "t", Options{Format: format, TextAlone: true})
		if err != nil {
			t.Errorf("%s: %v", format, err)
			continue
		}
		if !slices.Equal(d.Kept.Names, []string{"row", "label", "weight"}) || !reflect.DeepEqual(d.Kept.Rows, want) || d.Points.Dim() != 0 || len(d.Classes) > 0 || d.Y[0] != dataset.Unlabelled {
			t.Errorf("%s: %v %v, classes %v", format, d.Kept.Names, d.Kept.Rows, d.Classes)
		}
		for i, line := range lines {
			if d.Line(i) != line {
				t.Errorf("%s: row %d is on line %d, not %d", format, i+1, d.Line(i), line)
			}
		}
	}
}
