package summary

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"math"
	"strings"
	"testing"

	"lapsvm"
	"lapsvm/app/report"
	"lapsvm/dataset"
	"lapsvm/internal/machines/selection"
	"lapsvm/internal/points/graph"
	"lapsvm/kernel"
	"lapsvm/points"
)

// A thumbnail has the means of its dots, clipped to black and white, and bounded sides.
func TestThumbnail(t *testing.T) {
	grey := thumbnail([]float64{0, 51, 255, 300, -4, 102}, dataset.Image{Width: 3, Height: 2, White: 255})
	for k, want := range []uint8{0, 51, 255, 255, 0, 102} {
		if got := grey.At(k%3, k/3); got != (color.Gray{Y: want}) {
			t.Errorf("dot %d: %v, want %d", k, got, want)
		}
	}
	if got := thumbnail([]float64{1, 0, 0.2}, dataset.Image{Width: 1, Height: 1, Colour: true}).At(0, 0); got != (color.NRGBA{255, 0, 51, 255}) {
		t.Errorf("colour: %v", got)
	}
	wide := make([]float64, 130*2)
	for k := range wide {
		wide[k] = float64(k%3) / 2 // every third is white, with step 3 the mean is a half
	}
	small := thumbnail(wide, dataset.Image{Width: 130, Height: 2})
	if got := small.Bounds(); got != image.Rect(0, 0, 44, 1) {
		t.Errorf("%v", got)
	}
	if got := small.At(5, 0); got != (color.Gray{Y: 128}) {
		t.Errorf("mean %v", got)
	}
}

// squares returns a data set of n small images of two kinds. The names of their files
// contain HTML.
func squares(n, labelled int) *dataset.Dataset {
	d := &dataset.Dataset{Classes: []string{"dark", "light"}, Image: dataset.Image{Width: 4, Height: 4}, Kept: dataset.Kept{Names: []string{"file"}}}
	var values []float64
	for i := range n {
		for k := range 16 {
			values = append(values, 0.25+0.5*float64(i%2)+0.2*math.Sin(float64(7*i+k*k)))
		}
		y := i % 2
		if i >= labelled {
			y = dataset.Unlabelled
		}
		d.Y = append(d.Y, y)
		d.Kept.Rows = append(d.Kept.Rows, []string{fmt.Sprintf("<i>%d.png", i)})
	}
	d.Points = points.Dense(n, 16, values)
	return d
}

func galleries(p report.Page) map[string]int {
	all := map[string]int{}
	for _, s := range p.Sections {
		for _, g := range s.Galleries {
			all[g.Name] = len(g.Pictures)
		}
	}
	return all
}

// Pages of images show those that are uncertain and contested, by their names; pages of
// other data have no pictures.
func TestPagesShowImages(t *testing.T) {
	trainer := lapsvm.Trainer{Recipe: lapsvm.Recipe{Kernel: kernel.Gaussian{Sigma: 0.5}, GammaA: 1e-2, GammaI: 1, Graph: graph.Options{Neighbours: 4, Degree: 1}}}
	d := squares(60, 6)
	got := trained(t, trainer, d)
	if n := galleries(got.page)["uncertain-images"]; n != picturesShown {
		t.Errorf("%d uncertain images are shown", n)
	}
	if !strings.Contains(got.html, "&lt;i&gt;") || strings.Contains(got.html, "<i>") {
		t.Error("names of files are not shown as text")
	}
	if cell := table(got.page, "uncertain").Rows[0][0]; cell.Detail == "" || !cell.Head {
		t.Errorf("an uncertain row has no name: %+v", cell)
	}
	f := &trainingPage{Training: got.Training, scores: [][]float64{{-1, 1}, {-3, 3}, {-2, 2}, {-9, 9}}, open: []int{0, 1, 2, 3}, predicted: []int{1, 1, 1, 1}, svm: []int{0, 0, 0, 1}}
	if got := fmt.Sprint(f.contested()); got != "[1 2 0]" {
		t.Errorf("contested rows %s", got)
	}
	d.Image = dataset.Image{}
	if got := galleries(trained(t, trainer, d).page); len(got) > 0 {
		t.Errorf("without images: %v", got)
	}
}

// The page of an evaluation joins the decisions of its repeats by row.
func TestEvaluationShowsImages(t *testing.T) {
	d := squares(10, 10)
	of := func(wrong ...selection.Decision) selection.Result {
		return selection.Result{Repeat: 1, Confusion: [][]int{{1, 0, 0}, {0, 1, 0}}, Decisions: wrong}
	}
	page, err := Evaluation{Source: "photos", Data: d, Results: []selection.Result{
		of(selection.Decision{Row: 3, Class: 1, Predicted: 0, Lead: 2}, selection.Decision{Row: 4, Class: 0, Predicted: 1, Lead: 1}),
		of(selection.Decision{Row: 4, Class: 0, Predicted: dataset.Unlabelled, Lead: 0.5}),
	}}.Page()
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{
		"mistakes":  "[<i>4.png: label dark, predicted light; 2 repeats <i>3.png: label light, predicted dark; 1 repeat]",
		"uncertain": "[<i>4.png: label dark, predicted outside; 2 repeats <i>3.png: label light, predicted dark; 1 repeat]",
	}
	for _, s := range page.Sections {
		for _, g := range s.Galleries {
			var words []string
			for _, p := range g.Pictures {
				words = append(words, p.Title+": "+p.Detail)
			}
			if got := fmt.Sprint(words); got != want[g.Name] {
				t.Errorf("%s: %s, want %s", g.Name, got, want[g.Name])
			}
			delete(want, g.Name)
		}
	}
	if len(want) > 0 {
		t.Errorf("not shown: %v", want)
	}
	if err := page.WriteHTML(new(bytes.Buffer)); err != nil {
		t.Error(err)
	}
}

// The names of rows are cut at their start, so that the file of a path stays.
func TestRowNames(t *testing.T) {
	if got := rowName(strings.Repeat("long/", 20) + "a\x1bb\u202e.png"); !strings.HasPrefix(got, "…") || !strings.HasSuffix(got, "long/a\\u001bb\\u202e.png") {
		t.Errorf("%q", got)
	}
	if got := rowName("short"); got != "short" || rowName("") != "" {
		t.Errorf("%q", got)
	}
}
