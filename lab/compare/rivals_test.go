package compare

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"lapsvm/dataset"
	"lapsvm/dataset/files"
	"lapsvm/internal/machines/selection"
	"lapsvm/points"
)

// fakeMode is the variable that makes this test program act as an interpreter.
const fakeMode = "LAPSVM_FAKE_RIVAL"

func TestMain(m *testing.M) {
	if mode := os.Getenv(fakeMode); mode != "" {
		fakeRival(mode)
		return
	}
	os.Exit(m.Run())
}

// fakeRival speaks the protocol of rivals.py. It gives every point the class of the nearest
// labelled point, and fails with some methods.
func fakeRival(mode string) {
	if mode == "absent" {
		fmt.Println(`{"absent": "No module named 'sklearn'"}`)
		return
	}
	fmt.Println(`{"version": "fake 1"}`)
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 1<<20)
	for in.Scan() {
		var asked request
		if err := json.Unmarshal(in.Bytes(), &asked); err != nil {
			fmt.Println(`{"gap": "no request"}`)
			continue
		}
		switch asked.Method {
		case "svc":
			fmt.Fprintln(os.Stderr, "out of luck")
			os.Exit(3)
		case "logistic":
			fmt.Println("no JSON")
		case "spreading-rbf":
			select {} // for ever
		case "spreading-knn-z":
			fmt.Println(`{"gap": "ValueError: too few"}`)
		case "spreading-knn":
			fmt.Println(`{"class": [0], "seconds": 1}`)
		default:
			answer, _ := json.Marshal(reply{Class: nearestLabel(asked), Seconds: 0.5}) // numbers
			fmt.Println(string(answer))
		}
	}
}

// nearestLabel returns the class of the nearest labelled point for every point.
func nearestLabel(asked request) []int {
	d, err := files.ReadFile(asked.Points, files.Options{})
	if err != nil || len(d.Labelled()) > 0 { // the labels are no business of a rival
		return nil
	}
	class := make([]int, d.Points.Len())
	for i := range class {
		least := math.Inf(1)
		for k, j := range asked.Labelled {
			if distance := d.Points.Distance(points.Products, i, d.Points, j); distance < least {
				class[i], least = asked.Class[k], distance
			}
		}
	}
	return class
}

// faked returns rivals that this program acts as.
func faked(t *testing.T) *Rivals {
	t.Helper()
	t.Setenv(fakeMode, "works")
	r, err := FindRivals(t.Context(), os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	return r
}

// Rivals see the points and the labels of the draws of selection.Splits, and are
// measured on those that are hidden there.
func TestRivalsSeeTheDraws(t *testing.T) {
	d, rivals := dataset.TwoMoons(60, 0.2, 4), faked(t)
	plan := Plan{PerClass: []int{2, 5}, Repeats: 3, MaxRows: 60, Limit: time.Minute, Methods: []string{"knn"}, Seed: 7}
	results, err := plan.Set(t.Context(), "moons", d, rivals)
	if err != nil {
		t.Fatal(err)
	}
	if rivals.Version != "fake 1" || len(results) != 2 {
		t.Fatalf("%s: %+v", rivals.Version, results)
	}
	for k, perClass := range plan.PerClass {
		splits, err := selection.Splits(d, selection.Plan{PerClass: perClass, Repeats: 3, Seed: 7})
		if err != nil {
			t.Fatal(err)
		}
		var want []float64
		for s := range splits {
			ask := request{Labelled: s.Labelled}
			wrong := 0
			for _, i := range s.Hidden {
				best, least := 0, math.Inf(1)
				for _, j := range ask.Labelled {
					if v := d.Points.Distance(points.Products, i, d.Points, j); v < least {
						best, least = j, v
					}
				}
				if d.Y[best] != d.Y[i] {
					wrong++
				}
			}
			want = append(want, 100*float64(wrong)/float64(len(s.Hidden)))
		}
		r := results[k]
		mean, sd := selection.MeanSD(want, func(v float64) float64 { return v })
		if !slices.Equal(r.Errors, want) || r.Error != mean || r.ErrorSE != sd/math.Sqrt(3) || r.Seconds != 0.5 || r.Labelled != 2*perClass || r.Gap != "" {
			t.Errorf("%+v, want the errors %v", r, want)
		}
	}
}

// A rival that fails in any way is a gap with a reason, and the others go on in a new
// process.
func TestFailingRivalsAreGaps(t *testing.T) {
	d, rivals := dataset.TwoMoons(40, 0.2, 4), faked(t)
	plan := Plan{PerClass: []int{2}, Repeats: 2, MaxRows: 40, Limit: time.Minute, Methods: []string{"svc", "logistic", "knn", "spreading-knn", "spreading-knn-z"}}
	results, err := plan.Set(t.Context(), "moons", d, rivals)
	if err != nil {
		t.Fatal(err)
	}
	gaps := map[string]string{"svc": "the process ended: out of luck", "logistic": `the answer is none: "no JSON\n"`, "knn": "",
		"spreading-knn": "1 predictions for 40 points", "spreading-knn-z": "ValueError: too few"}
	for _, r := range results {
		if r.Gap != gaps[r.Method] || (r.Gap == "") != (r.Error >= 0) || (r.Gap == "") != (len(r.Errors) == 2) {
			t.Errorf("%+v, want the gap %q", r, gaps[r.Method])
		}
	}
	if len(results) != len(gaps) {
		t.Errorf("%d results", len(results))
	}
	// One that never answers.
	plan.Methods, plan.Limit = []string{"spreading-rbf"}, 50*time.Millisecond
	results, err = plan.Set(t.Context(), "moons", d, rivals)
	if err != nil || len(results) != 1 || results[0].Gap != "not done within 50ms" {
		t.Errorf("%+v, %v", results, err)
	}
}

// Where the points cannot be written the rivals are gaps, and this program goes on.
func TestUnwrittenPointsAreGaps(t *testing.T) {
	d, rivals := dataset.TwoMoons(40, 0.2, 4), faked(t)
	if err := os.RemoveAll(rivals.folder); err != nil {
		t.Fatal(err)
	}
	plan := Plan{PerClass: []int{2}, Repeats: 1, MaxRows: 40, Limit: time.Minute, Methods: []string{Default, "knn"}}
	results, err := plan.Set(t.Context(), "moons", d, rivals)
	if err != nil || len(results) != 2 || results[0].Gap != "" || !strings.HasPrefix(results[1].Gap, "the points cannot be written: ") {
		t.Errorf("%+v, %v", results, err)
	}
}

// An interruption ends a running rival.
func TestRivalIsInterrupted(t *testing.T) {
	d, rivals := dataset.TwoMoons(40, 0.2, 4), faked(t)
	ctx, cancel := context.WithCancel(t.Context())
	plan := Plan{PerClass: []int{2, 3}, Repeats: 2, MaxRows: 40, Limit: time.Hour, Methods: []string{"knn", "spreading-rbf"}}
	plan.Progress = func(_, _ int, method string) {
		if method == "spreading-rbf" {
			cancel()
		}
	}
	if results, err := plan.Set(ctx, "moons", d, rivals); err != context.Canceled || len(results) != 0 {
		t.Errorf("%+v, %v", results, err)
	}
}

func TestNoRivals(t *testing.T) {
	t.Setenv(fakeMode, "absent")
	if _, err := FindRivals(t.Context(), os.Args[0]); err == nil || !strings.Contains(err.Error(), "has no scikit-learn: No module named 'sklearn'") {
		t.Errorf("without scikit-learn: %v", err)
	}
	if _, err := FindRivals(t.Context(), filepath.Join(t.TempDir(), "python")); err == nil || !strings.Contains(err.Error(), "cannot be started") {
		t.Errorf("without an interpreter: %v", err)
	}
}

// rivals.py has all methods of rivalMethods. Where scikit-learn is installed they are right
// on easy sets, dense and sparse, also with one label per class.
func TestScikitLearn(t *testing.T) {
	text := string(program)
	for _, m := range rivalMethods() {
		if !strings.Contains(text, fmt.Sprintf("    %q: ", m)) {
			t.Errorf("rivals.py has no %s", m)
		}
	}
	var rivals *Rivals
	for _, python := range []string{"python3", "/usr/bin/python3"} {
		if found, err := FindRivals(t.Context(), python); err == nil {
			rivals = found
			break
		}
	}
	if rivals == nil || testing.Short() {
		t.Skip("no python3 with scikit-learn, or a short test")
	}
	defer rivals.Close()
	d := dataset.TwoMoons(120, 0.05, 4)
	apart := make([]float64, 0, 240) // the classes far from each other
	for i := range d.Y {
		row := d.Points.DenseRow(i)
		apart = append(apart, row[0]+20*float64(d.Y[i]), row[1])
	}
	for name, c := range map[string]struct {
		points   *points.Points
		perClass []int
	}{"dense": {dense(apart), []int{1, 4}}, "sparse": {sparse(apart), []int{4}}} {
		set := &dataset.Dataset{Points: c.points, Y: d.Y, Classes: d.Classes}
		plan := Plan{PerClass: c.perClass, Repeats: 1, MaxRows: 120, Limit: time.Hour, Methods: rivalMethods()}
		results, err := plan.Set(t.Context(), name, set, rivals)
		if err != nil {
			t.Fatal(err)
		}
		var methods []string
		for _, r := range results {
			if r.PerClass == 4 {
				methods = append(methods, r.Method)
			}
			if r.Gap != "" || !(r.Error <= 5) && r.PerClass == 4 {
				t.Errorf("%s: %+v", name, r)
			}
		}
		if !reflect.DeepEqual(methods, rivalMethods()) {
			t.Errorf("%s: the methods %v", name, methods)
		}
	}
}
