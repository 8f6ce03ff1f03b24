package summary

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"lapsvm"
	"lapsvm/kernel"
)

// The page of a grid has a row for each pair and one for the supervised machine, draws all pairs and those along gamma-i, and says which is
// recommended.
func TestTuningPage(t *testing.T) {
	d := blobs(30)
	tuning, err := lapsvm.Trainer{Recipe: lapsvm.Recipe{Kernel: kernel.Gaussian{Sigma: 1}, RulesOfThumb: true}}.Tune(t.Context(), d, lapsvm.Grid{GammaA: []float64{1e-2, 1}, GammaI: []float64{1e-3, 1, 1000}})
	if err != nil {
		t.Fatal(err)
	}
	tuning.Cells[0].Error, tuning.Cells[0].StandardError = 10, 0
	page := Tuning{Source: "<x>.csv", Command: "lapsvm train x", Data: d, Tuning: tuning}.Page()
	var b bytes.Buffer
	if err := page.WriteHTML(&b); err != nil {
		t.Fatal(err)
	}
	if html := b.String(); strings.Contains(html, "NaN") || strings.Contains(html, "<x>") || !strings.Contains(html, "lapsvm train x") || strings.Contains(html, "<script") {
		t.Error("the page has NaN, a script or an element of the source's name, or lacks the command")
	}
	pairs := table(page, "pairs")
	if len(pairs.Rows) != 7 || pairs.Rows[0][2].Text != "10" || pairs.Rows[6][6].Text != "supervised" {
		t.Errorf("pairs %v", pairs.Rows)
	}
	chosen := pairs.Rows[tuning.Recommended]
	if chosen[6].Text != "chosen" || !strings.Contains(page.Lead, weights(tuning.Cells[tuning.Recommended])) || !strings.Contains(page.Glance[0].Alt, "chosen at gamma-a "+chosen[0].Text) {
		t.Errorf("the recommended pair is %v; %s; %s", texts(chosen), page.Lead, page.Glance[0].Alt)
	}
	if caption := page.Glance[0].Caption; !strings.Contains(caption, "smallest squared hinge") { // of which the best pair is, whatever error the cells show
		t.Error(caption)
	}
	if n := bytes.Count(page.Glance[0].SVG, []byte("fill-opacity")); n != 6 {
		t.Errorf("the grid has %d cells", n)
	}
	if n := strings.Count(page.Glance[1].Alt, "gamma-i"); n != 3 {
		t.Errorf("the path is %s", page.Glance[1].Alt)
	}
	if !slices.ContainsFunc(page.Sections[0].Text, func(s string) bool { return strings.Contains(s, "at the edge of the grid") }) {
		t.Errorf("of %v no edge is told", chosen)
	}
}
