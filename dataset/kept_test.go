package dataset

import (
	"reflect"
	"testing"
)

// Columns are found by name before number. Of nothing kept there is nothing to find, name, pick or repeat.
func TestKept(t *testing.T) {
	k := Kept{Names: []string{"id", "1", "town"}, Rows: [][]string{{"a", "b", "Ulm"}, {"c", "d", "Bonn"}}}
	for name, want := range map[string]int{"town": 2, "1": 1, "3": 2, "0": -1, "4": -1, "x": -1} {
		if at := k.Find(name); at != want {
			t.Errorf("%q is column %d, not %d", name, at, want)
		}
	}
	if some, want := k.Only([]int{2, 0}), (Kept{Names: []string{"town", "id"}, Rows: [][]string{{"Ulm", "a"}, {"Bonn", "c"}}}); !reflect.DeepEqual(some, want) || some.Name(1) != "Bonn, c" {
		t.Errorf("%+v", some)
	}
	var none Kept
	if none.Find("1") != -1 || none.Name(7) != "" || none.Row(7) != nil || none.Series() != nil || !reflect.DeepEqual(none.subset([]int{1}), none) || !reflect.DeepEqual(k.Only(nil), none) {
		t.Error("something is kept of nothing")
	}
}
