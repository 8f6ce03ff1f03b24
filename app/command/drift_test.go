package command

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lapsvm"
	"lapsvm/app/command/cli"
)

// birds writes a table of three species, with the unit of their mass, from one row to
// another of an endless source; the first 30 are labelled.
func birds(t *testing.T, folder, name string, from, to int, unit float64) string {
	var b strings.Builder
	b.WriteString("bill,mass,island,species\n")
	for i := from; i < to; i++ {
		k, label := i%3, ""
		if i < 30 {
			label = []string{"Adelie", "Chinstrap", "Gentoo"}[k]
		}
		mass := unit * float64(25*((3300+700*k+i*37%600)/25))
		fmt.Fprintf(&b, "%.1f,%g,%s,%s\n", 36+float64(4*k)+float64(i*13%31)/10, mass, []string{"Biscoe", "Dream"}[i*7%2], label)
	}
	return file(t, folder, name, b.String())
}

// Body mass in kilograms in place of grams is reported with the column, the factor and
// the rows, and the exit code stays 0. Other rows of the same birds cause no report.
func TestPredictTellsDrift(t *testing.T) {
	folder := t.TempDir()
	training, model := birds(t, folder, "training.csv", 0, 200, 1), filepath.Join(folder, "m.lapsvm")
	if code, _, stderr := lapsvmRun(t, t.Context(), "", "train", training, "-o", model, "--neighbours", "5", "--quiet"); code != cli.ExitDone {
		t.Fatalf("exit code %d: %s", code, stderr)
	}
	same, kilograms := birds(t, folder, "same.csv", 200, 400, 1), birds(t, folder, "kg.csv", 200, 400, 0.001)
	report := filepath.Join(folder, "drift.json")
	code, labels, stderr := lapsvmRun(t, t.Context(), "", "predict", model, same, "--drift", report, "--answer-column", "species")
	if code != cli.ExitDone || stderr != "" || strings.Count(labels, "\n") != 201 {
		t.Errorf("exit code %d, stderr %q", code, stderr)
	}
	if r := readDrift(t, report); !r.Known || r.Drift || r.Rows != 200 || r.TrainingRows != 200 || len(r.Columns) != 2 || r.Distances == nil || len(r.Classes.Shares) != 3 || len(r.Missing) != 3 {
		t.Errorf("%+v", r)
	}

	code, _, stderr = lapsvmRun(t, t.Context(), "", "predict", model, kilograms, "--drift", report, "--answer-column", "species")
	if code != cli.ExitDone || strings.Count(stderr, "\n") != 1 || strings.Contains(stderr, "bill") {
		t.Errorf("exit code %d, stderr %q", code, stderr)
	}
	for _, want := range []string{"warning: the data are unlike", "mass is mostly 3.", "in the training 3", "(about 1000 times smaller: another unit?)", "200 of 200 rows are far from all training points, row "} {
		if !strings.Contains(stderr, want) {
			t.Errorf("%q lacks %q", stderr, want)
		}
	}
	r := readDrift(t, report)
	if first := r.Columns[0]; !r.Drift || first.Name != "mass" || first.Column != 2 || !first.Drift || r.Distances.Far != 200 || len(r.Distances.Worst) != 10 {
		t.Errorf("%+v", r)
	}
	if _, _, stderr := lapsvmRun(t, t.Context(), "", "predict", model, kilograms, "--quiet"); stderr != "" {
		t.Errorf("--quiet says %q", stderr)
	}
	if _, _, stderr := lapsvmRun(t, t.Context(), "", "predict", model, kilograms); !strings.Contains(stderr, "--drift FILE.json writes all of it") {
		t.Errorf("%q does not tell of --drift", stderr)
	}
	page := filepath.Join(folder, "drift.html")
	if code, _, stderr := lapsvmRun(t, t.Context(), "", "predict", model, kilograms, "--drift", page, "--quiet"); code != cli.ExitDone || stderr != "" {
		t.Errorf("exit code %d, stderr %q", code, stderr)
	}
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"<h1>Drift of kg.csv</h1>", "mass is mostly 3.", "Columns, then and now", "Predicted classes", ">drifted</text>", "Rows far from the training", "<desc "} {
		if !strings.Contains(string(text), want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if strings.Contains(string(text), "<small>&#34;") {
		t.Error("rows without a name have one")
	}
	if first, second := strings.Index(string(text), ">mass</text>"), strings.Index(string(text), ">bill</text>"); first < 0 || second < first {
		t.Errorf("the column that drifted most is not the first: mass at %d, bill at %d", first, second)
	}
	missing := filepath.Join(folder, "nowhere", "drift.html")
	if code, _, _ := lapsvmRun(t, t.Context(), "", "predict", model, same, "--drift", missing); code == cli.ExitDone {
		t.Error("a page in no folder")
	}
	if code, _, stderr := lapsvmRun(t, t.Context(), "", "predict", model, same, "--drift", same); code != cli.ExitUsage || !strings.Contains(stderr, "would replace") {
		t.Errorf("exit code %d, stderr %q", code, stderr)
	}
}

// A category whose values the training did not have is a drift, on standard error, in JSON and on the page.
func TestPredictTellsNewValues(t *testing.T) {
	folder := t.TempDir()
	training, model := birds(t, folder, "training.csv", 0, 200, 1), filepath.Join(folder, "m.lapsvm")
	if code, _, stderr := lapsvmRun(t, t.Context(), "", "train", training, "-o", model, "--neighbours", "5", "--quiet"); code != cli.ExitDone {
		t.Fatalf("exit code %d: %s", code, stderr)
	}
	data, err := os.ReadFile(birds(t, folder, "same.csv", 200, 400, 1))
	if err != nil {
		t.Fatal(err)
	}
	text := strings.NewReplacer("Biscoe", "Torgersen", "Dream", "Torgersen").Replace(string(data))
	later, report, page := file(t, folder, "later.csv", text), filepath.Join(folder, "drift.json"), filepath.Join(folder, "drift.html")
	code, _, stderr := lapsvmRun(t, t.Context(), "", "predict", model, later, "--drift", report, "--answer-column", "species")
	if want := "the data are unlike those that the model was trained on: island has values that the training did not have in 100 %"; code != cli.ExitDone || !strings.Contains(stderr, want) {
		t.Errorf("exit code %d, stderr %q", code, stderr)
	}
	if r := readDrift(t, report); !r.Drift || len(r.Unseen) != 1 || r.Unseen[0].Column != "island" || r.Unseen[0].Rows != 200 || !r.Unseen[0].Drift {
		t.Errorf("%+v", r)
	}
	lapsvmRun(t, t.Context(), "", "predict", model, later, "--drift", page, "--answer-column", "species")
	html, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"unlike those that the model was trained on: island has values", "1 of 3", "Shares of these rows with a value that the training did not have"} {
		if !strings.Contains(string(html), want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	// Three new values of 200 are within what the training itself would have.
	few := file(t, folder, "few.csv", strings.Replace(string(data), "Dream", "Torgersen", 3))
	if code, _, _ := lapsvmRun(t, t.Context(), "", "predict", model, few, "--drift", report, "--answer-column", "species"); code != cli.ExitDone {
		t.Errorf("exit code %d", code)
	}
	if r := readDrift(t, report); r.Drift || len(r.Unseen) != 1 || r.Unseen[0].Drift {
		t.Errorf("%+v", r)
	}
}

// drifted is what tests look at of --drift.
type drifted struct {
	Known, Drift bool
	Rows         int
	TrainingRows int `json:"training_rows"`
	Columns      []struct {
		Column int
		Name   string
		Drift  bool
	}
	Distances *struct {
		Far   int
		Worst []any
	}
	Classes struct{ Shares []any }
	Missing []any
	Unseen  []struct {
		Column string
		Rows   int
		Drift  bool
	}
}

func readDrift(t *testing.T, path string) (r drifted) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(data, &r)
	}
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// The drift report for a model of an older program says that nothing is known.
func TestDriftOfAnOlderModel(t *testing.T) {
	folder := t.TempDir()
	older, report := "../../testdata/older/outside.lapsvm", filepath.Join(folder, "drift.json")
	if _, err := lapsvm.Load(older); err != nil {
		t.Fatal(err)
	}
	points := "../../testdata/older/points.csv"
	if code, _, stderr := lapsvmRun(t, t.Context(), "", "predict", older, points, "--answer-column", "kind"); code != cli.ExitDone || stderr != "" {
		t.Errorf("exit code %d, stderr %q", code, stderr)
	}
	code, _, stderr := lapsvmRun(t, t.Context(), "", "predict", older, points, "--drift", report)
	if code != cli.ExitDone || !strings.Contains(stderr, "nothing is known about drift") {
		t.Errorf("exit code %d, stderr %q", code, stderr)
	}
	if r := readDrift(t, report); r.Known || r.Drift || r.Rows == 0 {
		t.Errorf("%+v", r)
	}
}

// Training reports equal rows with different labels, also for the supervised machine,
// and its predictions.
func TestTrainTellsConflicts(t *testing.T) {
	folder := t.TempDir()
	path := file(t, folder, "conflict.csv", "x,y,label\n0,0,a\n0,0,b\n1,0,a\n5,5,b\n5,6,b\n6,5,\n0,1,\n1,1,\n")
	for _, gamma := range []string{"0", "0.01"} {
		code, stdout, stderr := lapsvmRun(t, t.Context(), "", "train", path, "-o", filepath.Join(folder, "m"), "--neighbours", "2", "--gamma-i", gamma, "--progress", "off")
		if code != cli.ExitDone || !strings.Contains(stderr, "warning: 2 labelled rows are equal to rows with another label, so no machine gets all of them right: rows 1 (a), 2 (b)\n") {
			t.Errorf("exit code %d, stderr %q", code, stderr)
		}
		if told := strings.Contains(stdout, "3 unlabelled points are predicted: 2 as a, 1 as b; fewest as b, least sure of "); told != (gamma != "0") {
			t.Errorf("stdout %q", stdout)
		}
	}
}
