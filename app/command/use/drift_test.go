package use

import (
	"reflect"
	"slices"
	"strings"
	"testing"
)

// The keys of --drift are those of the manual, and stay.
func TestDriftKeys(t *testing.T) {
	keys := func(v any) (names []string) {
		for _, f := range reflect.VisibleFields(reflect.TypeOf(v)) {
			if name := f.Tag.Get("json"); name != "" {
				names = append(names, name)
			}
		}
		slices.Sort(names)
		return names
	}
	for _, c := range []struct {
		of   any
		want string
	}{
		{driftResult{}, "classes columns distances drift known missing rows training_rows unseen"},
		{driftColumn{}, "apart chance column deciles drift factor moved name outside training_deciles"},
		{driftRows{}, "chance drift far limit measure training worst"},
		{driftRows{}.Training, "high largest low median"},
		{driftRow{}, "row value"},
		{driftClasses{}, "drift moved shares"},
		{driftClassShare{}, "chance class count drift of training training_of"},
		{driftMissingShare{}, "chance column count drift of training training_of"},
		{driftUnseen{}, "column drift rows value"},
	} {
		if got := strings.Join(keys(c.of), " "); got != c.want {
			t.Errorf("%T: %s, want %s", c.of, got, c.want)
		}
	}
}
