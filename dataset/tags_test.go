package dataset

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// Each word of lists is a feature, whatever the order of the words and however often one comes. A later table may have other words, none, or no list.
func TestTags(t *testing.T) {
	rows := []map[string]any{
		{"tags": []string{"red", "round"}, "x": 1, "label": "a"}, {"tags": []any{"round", "red", "round"}, "x": 2, "label": "b"}, {"tags": `[ "blue" ]`, "x": 4, "label": "a"},
		{"tags": []string{}, "x": 3, "label": "b"}, {"tags": nil, "x": 2, "label": "a"}, {"tags": `["b\u006cue", " "]`, "x": 9, "label": nil},
	}
	d, err := FromMaps(rows, TableOptions{})
	if err != nil {
		t.Fatal(err)
	}
	c := d.Encoding.Columns[0]
	if got := c.String(); c.Kind != Tags || got != "lists of words, 3 words: blue, red, round, 1 missing" || d.Encoding.Version() != 8 {
		t.Errorf("%s of version %d", got, d.Encoding.Version())
	}
	if want := []string{"tags=blue", "tags=red", "tags=round", "x"}; !slices.Equal(d.Features, want) {
		t.Errorf("%q, want %q", d.Features, want)
	}
	for i, want := range []string{"[0 1 1 1]", "[0 1 1 2]", "[1 0 0 4]", "[0 0 0 3]", "[0 0 0 2]", "[1 0 0 9]"} {
		if got := fmt.Sprint(d.Points.Row(i, nil)); got != want {
			t.Errorf("row %d: %s, want %s", i+1, got, want)
		}
	}
	later, err := FromMaps([]map[string]any{{"tags": []string{"green", "red", "grey"}, "x": 1}, {"tags": []any{}, "x": 1}, {"x": 1}}, TableOptions{Encoding: d.Encoding})
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(later.Points.Row(0, nil), later.Points.Row(1, nil), later.Points.Row(2, nil)); got != "[0 1 0 1] [0 0 0 1] [0 0 0 1]" {
		t.Error(got)
	}
	if len(later.Unseen) != 1 || later.Unseen[0] != (Unseen{"tags", 1, "green"}) || later.Missing.Columns[0] != 1 {
		t.Errorf("%+v, %+v", later.Unseen, later.Missing)
	}
	if _, err := FromMaps([]map[string]any{{"tags": "red", "x": 1}}, TableOptions{Encoding: d.Encoding}); err == nil || !strings.Contains(err.Error(), `"red" is no list of words such as ["a", "b"]`) {
		t.Error(err)
	}
	mixed, err := FromMaps([]map[string]any{{"tags": []string{"a"}, "x": 1, "label": "a"}, {"tags": "b", "x": 2, "label": "b"}, {"tags": "b", "x": 2, "label": "b"}, {"tags": `["a"]`, "x": 3, "label": "b"}}, TableOptions{})
	if err != nil || mixed.Encoding.Columns[0].Kind != Category {
		t.Errorf("lists and words: %+v, error %v", mixed, err)
	}
	asked, err := FromMaps(rows, TableOptions{Category: []string{"tags"}})
	if err != nil || asked.Encoding.Columns[0].Kind != Category {
		t.Errorf("asked for: %+v, error %v", asked, err)
	}
}
