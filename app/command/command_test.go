package command

import (
	"bytes"
	"context"
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

	"lapsvm"
	"lapsvm/app/command/cli"
	"lapsvm/dataset"
	"lapsvm/dataset/files"
	"lapsvm/internal/points/graph"
)

// lapsvmRun runs the command in-process.
func lapsvmRun(t *testing.T, ctx context.Context, stdin string, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, err bytes.Buffer
	code = Run(ctx, args, strings.NewReader(stdin), &out, &err)
	return code, out.String(), err.String()
}

// file writes a file into the test's folder.
func file(t *testing.T, folder, name, content string) string {
	t.Helper()
	path := filepath.Join(folder, name)
	if err := os.WriteFile(path, []byte(content), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// moons writes two moons with a few labels as a table.
func moons(t *testing.T, folder string, n int) string {
	t.Helper()
	d := dataset.TwoMoons(n, 0.07, 1)
	for i := 8; i < n; i++ {
		d.Y[i] = dataset.Unlabelled
	}
	path := filepath.Join(folder, "moons.csv")
	if err := files.WriteFile(t.Context(), path, d, files.WriteOptions{}); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestAllLabelledTrains(t *testing.T) {
	path := file(t, t.TempDir(), "all.csv", "1,1,a\n1.1,1,a\n5,5,b\n5.1,5,b\n")
	code, _, stderr := lapsvmRun(t, t.Context(), "", "train", path, "-o", path+".model", "--neighbours", "2")
	if code != cli.ExitDone {
		t.Errorf("exit code %d: %s", code, stderr)
	}
}

func TestInterrupted(t *testing.T) {
	folder := t.TempDir()
	path := moons(t, folder, 600)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	code, stdout, stderr := lapsvmRun(t, ctx, "", "train", path, "-o", filepath.Join(folder, "m"))
	if code != cli.ExitInterrupted || stdout != "" || !strings.Contains(stderr, "interrupted") {
		t.Errorf("exit code %d, stdout %q, stderr %q", code, stdout, stderr)
	}
	if left, _ := filepath.Glob(folder + "/*"); len(left) != 1 {
		t.Errorf("left behind: %v", left)
	}
}

// Predictions from a model file have the bits of those of the model in memory,
// whatever the number of threads.
func TestModelFileIsExact(t *testing.T) {
	folder := t.TempDir()
	path := moons(t, folder, 300)
	d, err := files.ReadFile(path, files.Options{})
	if err != nil {
		t.Fatal(err)
	}
	m, err := lapsvm.Trainer{Recipe: lapsvm.Recipe{Graph: graph.Options{Neighbours: 10}, GammaI: 0.1, Seed: 1}}.Fit(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	want, err := m.Scores(t.Context(), d.Points)
	if err != nil {
		t.Fatal(err)
	}
	for _, threads := range []string{"1", "2"} {
		model := filepath.Join(folder, "m"+threads)
		if code, _, stderr := lapsvmRun(t, t.Context(), "", "train", path, "-o", model, "--neighbours", "10", "--gamma-i", "0.1", "--threads", threads); code != cli.ExitDone {
			t.Fatal(stderr)
		}
		code, stdout, stderr := lapsvmRun(t, t.Context(), "", "predict", model, path, "--scores")
		if code != cli.ExitDone {
			t.Fatal(stderr)
		}
		rows, err := csv.NewReader(strings.NewReader(stdout)).ReadAll()
		if err != nil || len(rows) != len(want)+1 || rows[0][0] != "label" || rows[0][1] != "score" {
			t.Fatalf("%d rows, %v, header %v", len(rows), err, rows[0])
		}
		for i, row := range rows[1:] {
			if v, err := strconv.ParseFloat(row[1], 64); err != nil || v != want[i][1] {
				t.Fatalf("threads %s, row %d: score %s, want %v", threads, i+1, row[1], want[i][1])
			}
			if class := map[bool]string{true: "1", false: "0"}[want[i][1] > 0]; row[0] != class {
				t.Fatalf("row %d: label %s with the score %s", i+1, row[0], row[1])
			}
		}
	}
}

func TestPredictColumns(t *testing.T) {
	folder := t.TempDir()
	var table strings.Builder
	table.WriteString("x,y,label\n")
	for c, name := range []string{"b, c", "10", "é"} {
		for i := range 5 {
			fmt.Fprintf(&table, "%d,%d,%q\n", 10*c+i%2, 10*(c%2)+i/2, name)
		}
	}
	path, model := file(t, folder, "three.csv", table.String()), filepath.Join(folder, "m")
	if code, _, stderr := lapsvmRun(t, t.Context(), "", "train", path, "-o", model, "--neighbours", "3"); code != cli.ExitDone {
		t.Fatal(stderr)
	}
	_, stdout, _ := lapsvmRun(t, t.Context(), "", "predict", model, path, "--scores")
	rows, err := csv.NewReader(strings.NewReader(stdout)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if got, want := strings.Join(rows[0], "|"), "label|score_10|score_b, c|score_é"; got != want {
		t.Errorf("header %s, want %s", got, want)
	}
	for k, row := range rows[1:] {
		if want := []string{"b, c", "10", "é"}[k/5]; row[0] != want {
			t.Errorf("row %d: label %q, want %q", k+1, row[0], want)
		}
	}
	// One class: what is outside it has no label, in a line of its own.
	one := file(t, folder, "one.csv", "x,y,label\n0,0,in\n0,1,in\n1,0,in\n1,1,in\n")
	if code, _, stderr := lapsvmRun(t, t.Context(), "", "train", one, "-o", model, "--one-class", "--gamma-i", "0", "--sigma", "2", "--gamma-a", "0.1"); code != cli.ExitDone {
		t.Fatal(stderr)
	}
	_, stdout, _ = lapsvmRun(t, t.Context(), "x,y\n0.5,0.5\n50,50\n", "predict", model, "-", "--format", "csv")
	if stdout != "label\nin\n\"\"\n" {
		t.Errorf("one class: %q", stdout)
	}
}

// A model with unnamed features refuses JSON objects, because keys have no order. It takes
// vectors: in an array or one a line, with any line ends, and after a byte order mark.
func TestPredictJSONForUnnamedFeatures(t *testing.T) {
	folder := t.TempDir()
	for word, other := range map[string]string{"1": "2", "red": "blue"} { // numbers alone, and with an encoding
		var table strings.Builder
		for i := range 40 {
			class := []string{"a", "b"}[i%2]
			fmt.Fprintf(&table, "%d,%d,%d,0,1,2,3,4,5,%d,%s,%s\n", i%2*9, i, i%7, i%2*-9, []string{word, other}[i/2%2], class)
		}
		path, model := file(t, folder, "t.csv", table.String()), filepath.Join(folder, "m")
		if code, _, stderr := lapsvmRun(t, t.Context(), "", "train", path, "-o", model, "--sigma", "5", "--gamma-a", "1e-3", "--gamma-i", "1e-3"); code != cli.ExitDone {
			t.Fatal(stderr)
		}
		values := `0,3,4,0,1,2,3,4,5,0,"` + word + `"`
		keys := `{"x1":0,"x2":3,"x3":4,"x4":0,"x5":1,"x6":2,"x7":3,"x8":4,"x9":5,"x10":0,"x11":"` + word + `"}`
		_, want, _ := lapsvmRun(t, t.Context(), values+"\n", "predict", model, "-", "--format", "csv", "--header", "no", "--scores")
		for _, lines := range []string{keys, "[" + keys + "]", "\ufeff[\r\n" + strings.ReplaceAll(keys, ",", ",\r\n") + "]\r\n"} {
			if code, stdout, stderr := lapsvmRun(t, t.Context(), lines, "predict", model, "-", "--format", "json"); code != cli.ExitData || stdout != "" || !strings.Contains(stderr, "keys of JSON have no order") {
				t.Errorf("%q: %d %s%s", lines, code, stdout, stderr)
			}
		}
		if word != "1" {
			continue // vectors hold numbers alone
		}
		vector := `{"vector":[` + strings.ReplaceAll(values, `"`, "") + `]}`
		for _, lines := range []string{vector, "[" + vector + "]", "\ufeff[\r\n" + strings.ReplaceAll(vector, ",", ",\r\n") + "]\r\n"} {
			if code, stdout, stderr := lapsvmRun(t, t.Context(), lines, "predict", model, "-", "--format", "json", "--scores"); code != cli.ExitDone || stdout != want {
				t.Errorf("%q: %d %s%s, want %s", lines, code, stdout, stderr, want)
			}
		}
	}
}

// evaluate --test finds the columns of the other table by name where both have names.
func TestEvaluateTestColumnsByName(t *testing.T) {
	folder := t.TempDir()
	var data, test strings.Builder
	data.WriteString("near,far,label\n")
	test.WriteString("far,more,near,label\n")
	for i := range 40 {
		fmt.Fprintf(&data, "%d,%d,%d\n", i%5, 50*(i%2)+i%3, i%2)
		fmt.Fprintf(&test, "%d,7,%d,%d\n", 50*(i%2)+i%3, i%5, i%2)
	}
	code, stdout, stderr := lapsvmRun(t, t.Context(), "", "evaluate", file(t, folder, "data.csv", data.String()), "--test", file(t, folder, "test.csv", test.String()),
		"--labelled", "6", "--repeats", "1", "--sigma", "5", "--gamma-a", "1e-3", "--gamma-i", "1e-3", "--json")
	if code != cli.ExitDone || !strings.Contains(stdout, `"error_test":0,`) {
		t.Errorf("%d %s%s", code, stdout, stderr)
	}
}

// predict --proba writes one column per class; the largest is that of the
// label, and each row sums to 1.
func TestPredictProba(t *testing.T) {
	folder := t.TempDir()
	for name, c := range map[string]struct {
		perClass int
		classes  []string
		info     string
	}{
		"two":                {5, []string{"no", "yes"}, "from 10 held-out labels"},
		"three":              {4, []string{"b, c", "10", "é"}, "from 12 held-out labels"},
		"one label for each": {1, []string{"b, c", "10", "é"}, "assumed"},
	} {
		var table strings.Builder
		table.WriteString("x,y,label\n")
		for k, class := range c.classes {
			for i := range 12 {
				if i >= c.perClass {
					class = ""
				}
				fmt.Fprintf(&table, "%d,%d,%q\n", 7*k+i%4, 6*(k%2)+i/4, class)
			}
		}
		path, model := file(t, folder, name+".csv", table.String()), filepath.Join(folder, name)
		if code, _, stderr := lapsvmRun(t, t.Context(), "", "train", path, "-o", model, "--neighbours", "4"); code != cli.ExitDone {
			t.Fatal(stderr)
		}
		if _, stdout, _ := lapsvmRun(t, t.Context(), "", "info", model); !strings.Contains(stdout, c.info) {
			t.Errorf("%s: %s", name, stdout)
		}
		code, stdout, stderr := lapsvmRun(t, t.Context(), "", "predict", model, path, "--scores", "--proba")
		if code != cli.ExitDone {
			t.Fatal(stderr)
		}
		rows, err := csv.NewReader(strings.NewReader(stdout)).ReadAll()
		if err != nil || len(rows) != 12*len(c.classes)+1 {
			t.Fatalf("%s: %d rows, %v", name, len(rows), err)
		}
		sorted := slices.Clone(c.classes)
		slices.Sort(sorted)
		header := "label|score|proba_no|proba_yes"
		if len(sorted) == 3 {
			header = "label|score_10|score_b, c|score_é|proba_10|proba_b, c|proba_é"
		}
		if got := strings.Join(rows[0], "|"); got != header {
			t.Errorf("%s: header %s, want %s", name, got, header)
		}
		for k, row := range rows[1:] {
			best, sum, largest := "", 0.0, 0.0
			for c, text := range row[len(row)-len(sorted):] {
				v, err := strconv.ParseFloat(text, 64)
				if err != nil {
					t.Fatal(err)
				}
				if sum += v; v > largest {
					best, largest = sorted[c], v
				}
			}
			if best != row[0] || !(math.Abs(sum-1) <= 1e-14) {
				t.Errorf("%s, row %d: %v", name, k+1, row)
			}
		}
		_, stdout, _ = lapsvmRun(t, t.Context(), "", "predict", model, path, "--proba", "--json")
		var result struct{ Proba, Scores [][]float64 }
		if err := json.Unmarshal([]byte(stdout), &result); err != nil || len(result.Proba) != len(rows)-1 || len(result.Proba[0]) != len(sorted) || result.Scores != nil {
			t.Errorf("%s: %v, %s", name, err, stdout)
		}
	}
}

// --prior gives the predictions on the unlabelled rows the shares asked for,
// from the command line and from a config file, and is kept in the model.
func TestPriorFlag(t *testing.T) {
	folder := t.TempDir()
	path, model := moons(t, folder, 208), filepath.Join(folder, "m")
	config := file(t, folder, "prior.toml", "prior = [\"0=0.3\", \"1=0.7\"]\n")
	for _, c := range []struct {
		args []string
		ones int
		want string
	}{
		{[]string{"--prior", "balanced"}, 100, "balanced"},
		{[]string{"--prior=0=.3,1=.7"}, 140, "0=0.3,1=0.7"},
		{[]string{"--config", config}, 140, "0=0.3,1=0.7"},
	} {
		args := append([]string{"train", path, "-o", model, "--precision", "64", "--neighbours", "10"}, c.args...)
		if code, _, stderr := lapsvmRun(t, t.Context(), "", args...); code != cli.ExitDone {
			t.Fatal(stderr)
		}
		_, stdout, _ := lapsvmRun(t, t.Context(), "", "predict", model, path)
		ones := 0
		for _, label := range strings.Fields(stdout)[1+8:] { // header, labelled rows
			if label == "1" {
				ones++
			}
		}
		if ones != c.ones {
			t.Errorf("%v: %d of 200 predictions are 1, want %d", c.args, ones, c.ones)
		}
		if _, stdout, _ := lapsvmRun(t, t.Context(), "", "info", model); !strings.Contains(stdout, c.want) {
			t.Errorf("%v: %s", c.args, stdout)
		}
	}
	full := filepath.Join(folder, "full.csv")
	if err := files.WriteFile(t.Context(), full, dataset.TwoMoons(200, 0.2, 5), files.WriteOptions{}); err != nil {
		t.Fatal(err)
	}
	var errors [2]string
	for k, prior := range []string{"0=.9,1=.1", "balanced"} {
		code, stdout, stderr := lapsvmRun(t, t.Context(), "", "evaluate", full, "--per-class", "2", "--neighbours", "10", "--prior", prior, "--json")
		if code != cli.ExitDone {
			t.Fatal(stderr)
		}
		errors[k] = stdout
	}
	var wrong, right struct{ Mean map[string]float64 }
	if json.Unmarshal([]byte(errors[0]), &wrong); json.Unmarshal([]byte(errors[1]), &right) != nil {
		t.Fatal(errors)
	}
	const u, b = "error_unlabelled", "error_baseline_unlabelled"
	if !(wrong.Mean[u] >= 39) || !(right.Mean[u] < wrong.Mean[u]) || wrong.Mean[b] != right.Mean[b] {
		t.Errorf("a wrong prior: %v, the right one: %v", wrong.Mean, right.Mean)
	}
}

func TestEvaluateJSON(t *testing.T) {
	folder := t.TempDir()
	d := dataset.TwoMoons(300, 0.1, 2)
	path := filepath.Join(folder, "moons.svm.gz")
	if err := files.WriteFile(t.Context(), path, d, files.WriteOptions{}); err != nil {
		t.Fatal(err)
	}
	args := []string{"evaluate", path, "--labelled", "10", "--validation-size", "20", "--test-fraction", "0.25", "--repeats", "3", "--stop", "mixed", "--neighbours", "10", "--json"}
	code, stdout, stderr := lapsvmRun(t, t.Context(), "", args...)
	if code != cli.ExitDone {
		t.Fatal(stderr)
	}
	var result struct {
		Labelled, Unlabelled int
		Repeats              []map[string]*float64
		Mean, SD             map[string]*float64
	}
	if err := json.Unmarshal([]byte(stdout), &result); err != nil {
		t.Fatal(err)
	}
	if result.Labelled != 10 || result.Unlabelled != 300-10-20-74 || len(result.Repeats) != 3 {
		t.Errorf("sizes %d, %d, %d repeats", result.Labelled, result.Unlabelled, len(result.Repeats))
	}
	for _, key := range []string{"error_unlabelled", "error_validation", "error_test", "error_baseline_unlabelled", "error_baseline_test", "error_commonest_unlabelled", "seconds"} {
		sum := 0.0
		for _, r := range result.Repeats {
			if r[key] == nil {
				t.Fatalf("%s is missing", key)
			}
			sum += *r[key]
		}
		if mean := *result.Mean[key]; mean < sum/3-1e-9 || mean > sum/3+1e-9 {
			t.Errorf("%s: mean %v of a sum %v", key, mean, sum)
		}
	}
	if *result.Mean["error_unlabelled"] >= *result.Mean["error_baseline_unlabelled"] {
		t.Errorf("LapSVM %v %% is not better than the SVM %v %%", *result.Mean["error_unlabelled"], *result.Mean["error_baseline_unlabelled"])
	}
	// The same seed gives the same result, and an unmeasured error is null.
	_, again, _ := lapsvmRun(t, t.Context(), "", append(args, "--threads", "1")...)
	var second struct{ Mean map[string]*float64 }
	if err := json.Unmarshal([]byte(again), &second); err != nil || *second.Mean["error_test"] != *result.Mean["error_test"] {
		t.Errorf("a second run: %v, %s", err, again)
	}
	_, stdout, _ = lapsvmRun(t, t.Context(), "", "evaluate", path, "--per-class", "2", "--neighbours", "10", "--baseline", "off", "--json")
	if !strings.Contains(stdout, `"error_test":null`) || !strings.Contains(stdout, `"error_baseline_unlabelled":null`) {
		t.Errorf("unmeasured errors are not null: %s", stdout)
	}
}

func TestGraphReport(t *testing.T) {
	path := file(t, t.TempDir(), "points.csv", "x,label\n0,a\n0.1,\n0.2,\n9,\n9.1,\n9.1,\n")
	code, stdout, stderr := lapsvmRun(t, t.Context(), "", "graph", path, "--neighbours", "1", "--json")
	if code != cli.ExitDone {
		t.Fatal(stderr)
	}
	var r struct {
		Components []struct {
			Points int
			Labels map[string]int
		}
		Duplicates   [][]int
		WithoutLabel int `json:"without_label"`
	}
	if err := json.Unmarshal([]byte(stdout), &r); err != nil {
		t.Fatal(err)
	}
	if len(r.Components) != 2 || r.WithoutLabel != 3 || fmt.Sprint(r.Duplicates) != "[[5 6]]" || r.Components[0].Labels["a"] != 1 {
		t.Errorf("%+v", r)
	}
	_, stdout, _ = lapsvmRun(t, t.Context(), "", "graph", path, "--neighbours", "1")
	if !strings.Contains(stdout, "2 components") || !strings.Contains(stdout, "3 points are in components without a label") {
		t.Error(stdout)
	}
}
