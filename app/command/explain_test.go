package command

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"lapsvm/app/answer"
	"lapsvm/app/command/cli"
)

// An explained value is the score of the row's class. With two classes the
// score is that of the second class, so the first class has minus the score.
func TestExplanationsAgreeWithScores(t *testing.T) {
	folder := t.TempDir()
	for classes, flags := range map[int][]string{1: {"--one-class"}, 2: nil, 3: {"--kernel", "linear"}} {
		var b strings.Builder
		b.WriteString("x,y,label\n")
		for i := range 30 {
			label := ""
			if i < 12 {
				label = string(rune('a' + i%classes))
			}
			fmt.Fprintf(&b, "%d,%g,%s\n", 10*(i%classes)+i%4, float64(i%classes*(i%classes))*5+float64(i%7)/3, label)
		}
		data, model := file(t, folder, "points.csv", b.String()), filepath.Join(folder, "m.lapsvm")
		args := append([]string{"train", data, "-o", model, "--neighbours", "4", "--gamma-a", "0.1", "--gamma-i", "0.1", "--sigma", "5"}, flags...)
		if code, _, stderr := lapsvmRun(t, t.Context(), "", args...); code != cli.ExitDone {
			t.Fatal(stderr)
		}
		_, stdout, stderr := lapsvmRun(t, t.Context(), "", "predict", model, data, "--explain", "30", "--json")
		var got struct{ Explanations []answer.ExplanationResult }
		if err := json.Unmarshal([]byte(stdout), &got); err != nil || len(got.Explanations) != 30 {
			t.Fatal(err, stderr)
		}
		_, stdout, _ = lapsvmRun(t, t.Context(), "", "predict", model, data, "--scores")
		table, err := csv.NewReader(strings.NewReader(stdout)).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		seen := map[string]bool{}
		for i, e := range got.Explanations {
			row, column, sign := table[i+1], 1, 1.0
			if classes == 3 {
				column = slices.Index(table[0], "score_"+e.Class)
			} else if classes == 2 && e.Class == "a" {
				sign = -1
			}
			score, err := strconv.ParseFloat(row[column], 64)
			if !(math.Abs(e.Value-sign*score) <= 1e-5) || e.Label != row[0] || err != nil {
				t.Errorf("%d classes, row %d: the value %v of %s, and the scores %v", classes, i+1, e.Value, e.Class, row)
			}
			seen[e.Class] = true
		}
		if len(seen) != classes {
			t.Errorf("%d classes: only %v were predicted", classes, seen)
		}
	}
}
