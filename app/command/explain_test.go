package command

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math"
	"os"
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
			if !(math.Abs(e.Decision-sign*score) <= 1e-5) || e.Label != row[0] || err != nil {
				t.Errorf("%d classes, row %d: the value %v of %s, and the scores %v", classes, i+1, e.Decision, e.Class, row)
			}
			seen[e.Class] = true
		}
		if len(seen) != classes {
			t.Errorf("%d classes: only %v were predicted", classes, seen)
		}
	}
}

// Effects add up in CSV as in JSON, what is explained does not depend on other rows, and neighbours are told beside columns.
func TestReasons(t *testing.T) {
	folder := t.TempDir()
	var b, edges strings.Builder
	b.WriteString("id,x,colour,label\n")
	edges.WriteString("from,to\n")
	for i := range 40 {
		label := ""
		if i < 16 {
			label = []string{"no", "yes"}[i%2]
		}
		fmt.Fprintf(&b, "r%d,%g,%s,%s\n", i, float64(4*(i%2))+float64(i%7)/3, []string{"red", "green", "green"}[i%3], label)
		fmt.Fprintf(&edges, "r%d,r%d\n", i, (i+2)%40)
	}
	data, model := file(t, folder, "points.csv", b.String()), filepath.Join(folder, "m.lapsvm")
	succeed(t, "train", data, "--id", "id", "-o", model, "--edges", file(t, folder, "edges.csv", edges.String()), "--neighbours", "3", "--gamma-a", "0.1", "--gamma-i", "0.1")
	later := file(t, folder, "later.csv", "id,x,colour\nnew,4.5,red\nother,0.5,green\n")
	joined := file(t, folder, "joined.csv", "from,to\nnew,r3\nnew,r5\n")
	type explained struct{ Explanations []answer.ExplanationResult }
	of := func(args ...string) (all explained) {
		if err := json.Unmarshal([]byte(succeed(t, append([]string{"predict", model}, args...)...)), &all); err != nil {
			t.Fatal(err)
		}
		return all
	}
	for _, args := range [][]string{{later}, {later, "--edges", joined}} {
		all := of(append(args, "--explain", "2", "--json")...)
		for _, e := range all.Explanations {
			sum := e.Usual + e.Rest
			for _, c := range e.Columns {
				sum += c.Effect
			}
			if !(math.Abs(sum-e.Decision) <= 1e-9) {
				t.Errorf("%v: %+v adds up to %v", args, e, sum)
			}
		}
		first := all.Explanations[0]
		if want := "yes, mostly because "; !strings.HasPrefix(first.Sentence, want) || first.Label != "yes" {
			t.Errorf("%v: %q does not begin with %q", args, first.Sentence, want)
		}
		neighbours := 0
		for _, c := range first.Columns {
			if c.Column == "neighbour" && (c.Value == "r3" || c.Value == "r5") && c.Effect > 0 && c.Class == "yes" {
				neighbours++
			}
		}
		if want := 2 * (len(args) / 3); neighbours != want {
			t.Errorf("%v: %d neighbours speak, want %d: %+v", args, neighbours, want, first)
		}
		if alone := of(append(args, "--explain", "1", "--json")...).Explanations; fmt.Sprint(alone[0]) != fmt.Sprint(first) {
			t.Errorf("%v: alone %+v, with another row %+v", args, alone[0], first)
		}
		out := filepath.Join(folder, "why.csv")
		succeed(t, append([]string{"predict", model, "--explain", "2", "-o", out}, args...)...)
		text, err := os.ReadFile(out)
		if err != nil {
			t.Fatal(err)
		}
		table, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		at := func(name string) int { return slices.Index(table[0], name) }
		sum := 0.0
		for _, line := range table[1:] {
			if line[0] == "1" {
				effect, err := strconv.ParseFloat(line[at("effect")], 64)
				if err != nil {
					t.Fatal(err)
				}
				sum += effect
			}
		}
		if !(math.Abs(sum-(first.Decision-first.Usual)) <= 1e-9) {
			t.Errorf("%v: as CSV effects add up to %v: %v", args, sum, table)
		}
	}
	for _, args := range []string{"--explain 1 --explain-shares 1", "--explain-shares -1", "--explain 1 --proba"} {
		if code, _, stderr := lapsvmRun(t, t.Context(), "", append([]string{"predict", model, later}, strings.Fields(args)...)...); code != cli.ExitUsage || !strings.Contains(stderr, "--explain") {
			t.Errorf("%s: %d, %s", args, code, stderr)
		}
	}
}
