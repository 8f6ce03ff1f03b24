package summary

import (
	"bytes"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"lapsvm"
	"lapsvm/app/report"
	"lapsvm/calibrate"
	"lapsvm/dataset"
	"lapsvm/internal/machines/selection"
	"lapsvm/internal/points/graph"
	"lapsvm/kernel"
	"lapsvm/points"
)

// pictureOf returns a first picture of a page by its name, "" where there is none.
func pictureOf(p report.Page, name string) (svg, alt string) {
	for _, f := range p.Glance {
		if f.Name == name {
			return string(f.SVG), f.Alt
		}
	}
	return "", ""
}

// figuresOf returns the pictures of all sections.
func figuresOf(p report.Page) (all []report.Figure) {
	for _, s := range p.Sections {
		all = append(all, s.Figures...)
	}
	return all
}

// The map has each row and each label, and the histograms have each row once.
func TestFirstPicturesHaveAllRows(t *testing.T) {
	d := moons(150, 10, "left", "right")
	trainer := lapsvm.Trainer{Recipe: lapsvm.Recipe{Kernel: kernel.Gaussian{Sigma: 0.35}, GammaA: 1e-2, GammaI: 1, Graph: graph.Options{Neighbours: 4, Degree: 1}, Calibrate: true}}
	got := trained(t, trainer, d)
	svg, alt := pictureOf(got.page, "map")
	if n := strings.Count(svg, "<title>row "); n != 150 {
		t.Errorf("the map has %d rows, want 150", n)
	}
	if n := strings.Count(svg, "dot given"); n < 10 {
		t.Errorf("the map has %d labels, want 10 and the legend", n)
	}
	predicted, err := got.Model.Predict(t.Context(), d.Points)
	if err != nil {
		t.Fatal(err)
	}
	counts := map[int]int{}
	for _, c := range predicted {
		counts[c]++
	}
	if want := fmt.Sprintf("A map of 150 points, near to one another where they are alike: left %d, right %d. 10 with a label.", counts[0], counts[1]); !strings.HasPrefix(alt, want) {
		t.Errorf("%q does not begin with %q", alt, want)
	}
	svg, _ = pictureOf(got.page, "spread")
	for _, n := range counts {
		if !strings.Contains(svg, ">"+whole(n)+" rows<") {
			t.Errorf("the spread lacks %d rows", n)
		}
	}
	for _, f := range figuresOf(got.page) { // curves are in the order of the classes, whose colours they have
		if text := string(f.SVG); f.Name == "values" && !(strings.Index(text, "labelled left") < strings.Index(text, "labelled right") && strings.Index(text, "labelled right") < strings.Index(text, "unlabelled")) {
			t.Errorf("the decision values are in another order: %s", text)
		}
	}
	again := trained(t, trainer, d)
	if !slices.EqualFunc(got.page.Glance, again.page.Glance, func(a, b report.Figure) bool { return bytes.Equal(a.SVG, b.SVG) }) {
		t.Error("the same training has other pictures the second time")
	}
}

// Bars of a histogram hold each value once, also those beyond its ends.
func TestBinned(t *testing.T) {
	values := []float64{-1, 0, 0.049, 0.05, 0.5, 0.999, 1, 2}
	bars := binned(slices.Clone(values), 0, 1)
	sum := 0.0
	for _, v := range bars {
		sum += v
	}
	if sum != float64(len(values)) || bars[0] != 3 || bars[1] != 1 || bars[10] != 1 || bars[19] != 3 {
		t.Errorf("%v", bars)
	}
	if got := steps([]float64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}); !slices.Equal(got, []float64{1, 3, 5, 7, 9, 10}) {
		t.Errorf("steps %v", got)
	}
	if got := steps([]float64{3, 3, 3}); !slices.Equal(got, []float64{3, 3}) {
		t.Errorf("steps of equal numbers %v", got)
	}
	group, shown := groupsOf([]int{5, 0, 9, 9, 1, 2, 3, 4, 6, 7, 8, 8})
	if !slices.Equal(shown, []int{0, 2, 3, 5, 6, 7, 8, 9, 10, 11}) || group[1] != report.Others || group[4] != report.Others || group[5] != 3 {
		t.Errorf("groups %v of %v", group, shown)
	}
}

// What a linear machine says of a column is a line, with the weight of the column as its slope, and bars are longer for larger weights.
func TestCurvesOfALinearMachineAreLines(t *testing.T) {
	d := &dataset.Dataset{Classes: []string{"a", "b"}, Features: []string{"strong", "weak"}}
	var x []float64
	for i := range 120 {
		u, v := math.Sin(float64(7*i)), math.Cos(float64(11*i))
		x = append(x, u, v)
		y := 0
		if 3*u-v > 0 {
			y = 1
		}
		d.Y = append(d.Y, y)
	}
	d.Points = points.Dense(120, 2, x)
	got := trained(t, lapsvm.Trainer{Recipe: lapsvm.Recipe{Kernel: kernel.Linear{}, GammaA: 1e-2, Supervised: true, Standardise: points.AsIs, MostViews: 1}}, d)
	svg, alt := pictureOf(got.page, "effects")
	if !strings.HasPrefix(alt, "strong ") || !strings.Contains(alt, "more of it for b; weak ") || !strings.HasSuffix(alt, "less of it for b.") {
		t.Errorf("in words %q", alt)
	}
	curves := regexp.MustCompile(`<path d="([^"]*)" class="curve l1"/>`).FindAllStringSubmatch(svg, -1)
	if len(curves) != 2 {
		t.Fatalf("%d curves, want 2", len(curves))
	}
	for k, c := range curves {
		var at []float64
		for _, v := range regexp.MustCompile(`-?[\d.]+`).FindAllString(c[1], -1) {
			n, err := strconv.ParseFloat(v, 64)
			if err != nil {
				t.Fatal(err)
			}
			at = append(at, n)
		}
		last := len(at) - 2
		for i := 2; i < last; i += 2 { // y grows downwards, and is written to a hundredth
			want := at[1] + (at[last+1]-at[1])*(at[i]-at[0])/(at[last]-at[0])
			if !(math.Abs(at[i+1]-want) <= 0.02) {
				t.Errorf("curve %d is at %v, %v, want %v", k, at[i], at[i+1], want)
			}
		}
		if up := at[1] > at[last+1]; up != (k == 0) {
			t.Errorf("curve %d goes up: %v", k, up)
		}
	}
}

// Of many rows the map shows a sample by the seed, half of it labelled at most, and says so.
func TestMapOfManyRows(t *testing.T) {
	d := moons(4000, 1200, "left", "right")
	trainer := lapsvm.Trainer{Recipe: lapsvm.Recipe{Kernel: kernel.Gaussian{Sigma: 0.35}, GammaA: 1e-2, Supervised: true, Standardise: points.AsIs, MostViews: 1}}
	got := trained(t, trainer, d)
	svg, alt := pictureOf(got.page, "map")
	if n := strings.Count(svg, "<title>row "); n != mapRows {
		t.Errorf("the map has %d rows, want %d", n, mapRows)
	}
	if !strings.Contains(alt, "750 with a label") || !strings.Contains(got.html, "1,500 of 4,000 rows, drawn by the seed.") {
		t.Errorf("%q", alt)
	}
}

// Too few rows have no map, and no hole in its place. Equal rows have one.
func TestMapOfFewRows(t *testing.T) {
	few := moons(11, 6, "left", "right")
	trainer := lapsvm.Trainer{Recipe: lapsvm.Recipe{Kernel: kernel.Gaussian{Sigma: 0.35}, GammaA: 1e-2, Supervised: true, Standardise: points.AsIs, MostViews: 1}}
	got := trained(t, trainer, few)
	if svg, _ := pictureOf(got.page, "map"); svg != "" || strings.Contains(got.html, "Map of the points") {
		t.Error("a map of eleven rows")
	}
	equal := &dataset.Dataset{Classes: []string{"a", "b"}, Points: points.Dense(40, 1, make([]float64, 40)), Y: make([]int, 40)}
	for i := range equal.Y {
		equal.Y[i] = i % 2
	}
	got = trained(t, trainer, equal)
	if svg, _ := pictureOf(got.page, "map"); strings.Contains(svg, "NaN") {
		t.Error("a map of equal rows has no places")
	}
}

// The pictures of an evaluation have the shares of its confusion, and each prediction once.
func TestFirstPicturesOfAnEvaluation(t *testing.T) {
	e := Evaluation{Data: &dataset.Dataset{Classes: []string{"a", "b"}}, Results: []selection.Result{{
		Confusion: [][]int{{8, 2, 0}, {1, 9, 0}}, BaselineConfusion: [][]int{{5, 5, 0}, {0, 10, 0}},
		Reliability: []calibrate.Bin{{Low: 0.5, High: 0.75, Count: 8, Right: 5}, {Low: 0.75, High: 1, Count: 12, Right: 12}}}}}
	all := e.lookAtRates()
	if len(all) != 2 || all[0].Alt != "a 80.00 %, of 10 rows; precision 88.89 %; by an SVM 50.00 %; b 90.00 %, of 10 rows; precision 81.82 %; by an SVM 100.00 %." ||
		all[1].Alt != "Predictions 17 right, 3 wrong: highest in part 2 of 2, below highest in part 1 of 2." {
		t.Errorf("%+v", all)
	}
}
