package label

import (
	"slices"
	"testing"

	"lapsvm/dataset"
	"lapsvm/internal/machines/train"
)

// Whoever listens hears of every longer part by its name, with shares that end at the whole; who shows answers hears of the preparations alone.
func TestStages(t *testing.T) {
	for _, solver := range []train.Solver{train.Deformed, train.Landmarks} {
		for _, shown := range []bool{false, true} {
			d := dataset.TwoMoons(300, 0.1, 1)
			for i := 20; i < 300; i++ {
				d.Y[i] = dataset.Unlabelled
			}
			var parts []string
			last := map[string]int{}
			run := train.Run{}
			run.Progress = func(part string, done, total int) {
				if !slices.Contains(parts, part) {
					parts = append(parts, part)
				}
				if last[part] = 1000; total > 0 {
					last[part] = 1000 * done / total
				}
			}
			l, err := Open(t.Context(), d, train.Recipe{RulesOfThumb: true, Solver: solver}, Options{Run: run, Shown: shown})
			if err != nil {
				t.Fatal(err)
			}
			opened := len(parts)
			if last["deciding on points"] < 990 {
				t.Errorf("%s: deciding ends at %d of 1000", solver, last["deciding on points"])
			}
			if _, err := l.Suggest(t.Context(), MCVOpt, 5); err != nil {
				t.Fatal(err)
			}
			if _, err := l.Audit(t.Context()); err != nil {
				t.Fatal(err)
			}
			l.Close()
			for _, part := range []string{"preparing for labels", "learning from labels", "deciding on points"} {
				if !slices.Contains(parts[:opened], part) {
					t.Errorf("%s: %q lacks %q", solver, parts, part)
				}
			}
			if want := []string{"choosing points", "judging labels"}; shown && len(parts) > opened || !shown && !slices.Equal(parts[opened:], want) {
				t.Errorf("%s, shown %v: afterwards %q", solver, shown, parts[opened:])
			}
			for _, part := range []string{"choosing points", "judging labels"} {
				if !shown && last[part] < 990 {
					t.Errorf("%s: %q ends at %d of 1000", solver, part, last[part])
				}
			}
		}
	}
}
