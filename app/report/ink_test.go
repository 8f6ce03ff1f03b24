package report

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// glance is a page of the pictures that are in the colours of their page, with names that would break one.
func glance() Page {
	bad := `<b>&"' ` + "\x01\u202e" + strings.Repeat("漢", 60)
	m := Map{Groups: []string{"a", bad}, Counts: []int{2, 1}, Unsure: "unsure", What: "labelled", Dots: []Dot{
		{X: 0, Y: 0, Group: 0, Labelled: true, Title: "row 1: a"}, {X: 1, Y: 0.5, Group: 0, Unsure: true, Title: bad},
		{X: 0.5, Y: 1, Group: 1, Labelled: true, Contrary: true}, {X: 0.2, Y: 0.2, Group: Others}}}
	b := Bars{Bars: []Bar{
		{Name: bad, Value: 2, Text: "2", Words: bad, Group: 1, Curve: Steps{Names: []string{"1", "2", "5"}, At: []float64{1, 2, 5}, Heights: []float64{-1, 0, 3}}},
		{Name: strings.Repeat("temperature ", 25), Value: 2, Text: "1.23e-05", Words: "reversable_defect most for >50_1, normal least", Group: 0, Curve: Steps{Names: []string{"x", "y"}, Heights: []float64{0, 1}}},
		{Name: "kind", Value: 1, Error: 2, Text: "1", Group: Others, Curve: Steps{Names: []string{"x", bad}, Heights: []float64{0, 1}}}}}
	s := Spread{Up: "then", Down: "now", Lanes: []Lane{{Name: "line " + strings.Repeat("very long ", 30), Note: "24 rows", Group: 1, Up: []float64{1, 0, 2}}, {Name: bad, Note: "3 rows", Group: 0, Up: []float64{1, 0, 2}, Down: []float64{0, 3, 0}, Ticks: []string{"0", "1"}}}, Ticks: []string{"0", "½", "1"}}
	h := HeatMap{XTitle: "across", YTitle: bad, X: []string{bad, "1e-06", "0.0001", "0.01", "1", "10", "100"}, Y: []string{bad, "2"},
		Z: [][]float64{{1.2345e-17, 2, 3, 4, 5, 6, 7}, {1, 2, 3, 4, 5, 6, 7}}, Marks: map[[2]int]string{{0, 1}: "chosen", {1, 1}: bad}}
	return Page{Title: "t", Glance: []Figure{h.Draw(Figure{Name: "heat", Title: "Heat"}, "chosen"), m.Draw(Figure{Name: "map", Title: "Map", Caption: "c"}), b.Draw(Figure{Name: "bars", Title: "Bars"}), s.Draw(Figure{Name: "spread", Title: "Spread"})},
		Facts: []Fact{{"f", "v"}}}
}

// Pictures come before the facts, are well-formed, need no script, say in words what they show, and are the same each time.
func TestGlance(t *testing.T) {
	var b, again bytes.Buffer
	if err := glance().WriteHTML(&b); err != nil {
		t.Fatal(err)
	}
	if err := glance().WriteHTML(&again); err != nil || !bytes.Equal(b.Bytes(), again.Bytes()) {
		t.Errorf("another page the second time, %v", err)
	}
	html := b.String()
	elements(t, html)
	for _, bad := range []string{"<script", "<b>", "NaN", "\x01", "ZgotmplZ"} {
		if strings.Contains(html, bad) {
			t.Errorf("the page has %q", bad)
		}
	}
	if strings.Index(html, `id="map"`) > strings.Index(html, "<dl") {
		t.Error("the facts come before the map")
	}
	for _, want := range []string{`<svg viewBox="0 0 340 `, `role="img" aria-labelledby="map-title map-desc"`, "A map of 4 points", " 2 with a label. 1 unsure. 1 decided otherwise than labelled.", `href="#map-g0"`,
		"row 1: a", "highest in part 3 of 3, below highest in part 2 of 3"} {
		if !strings.Contains(html, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	// Nothing of a picture lies to the right of it, where a narrow screen would cut it.
	for _, x := range regexp.MustCompile(`<(?:rect|text) x="(-?[\d.]+)"`).FindAllStringSubmatch(html, -1) {
		var at float64
		if _, err := fmt.Sscan(x[1], &at); err != nil || at < 0 || at > inkWidth {
			t.Errorf("something lies at %s", x[1])
		}
	}
	if n := strings.Count(html, `class="cross"`); n != 2 { // the dot and its legend
		t.Errorf("%d crosses, want 2", n)
	}
}

// The curve of three heights goes through them on the scale of all curves: a line of numbers, steps of categories.
func TestBarsHaveCurvesOnOneScale(t *testing.T) {
	b := Bars{Bars: []Bar{
		{Name: "n", Value: 4, Group: 0, Curve: Steps{Names: []string{"0", "1", "4"}, At: []float64{0, 1, 4}, Heights: []float64{0, 1, 4}}},
		{Name: "c", Value: 1, Group: Others, Curve: Steps{Names: []string{"x", "y"}, Heights: []float64{4, 0}}}}}
	svg := string(b.Draw(Figure{Name: "f"}).SVG)
	for _, want := range []string{`<path d="M222 30L250.5 23.5L336 4" class="curve l0"/>`, `<path d="M222 56h57L279 82h57" class="curve ink"/>`, `<rect x="4" y="18" width="192" height="7" class="full g0"/>`, `width="48" height="7" class="full ink"`} {
		if !strings.Contains(svg, want) {
			t.Errorf("%s lacks %s", svg, want)
		}
	}
}

// A long table is folded, and a short one is not.
func TestLongTablesAreFolded(t *testing.T) {
	for rows, want := range map[int]bool{longTable: false, longTable + 1: true} {
		table := Table{Name: "t", Header: []string{"h"}}
		for k := range rows {
			table.Rows = append(table.Rows, []Cell{{Text: fmt.Sprint("row ", k)}})
		}
		var b bytes.Buffer
		if err := (Page{Sections: []Section{{Title: "s", Tables: []Table{table}}}}).WriteHTML(&b); err != nil {
			t.Fatal(err)
		}
		elements(t, b.String())
		if got := strings.Contains(b.String(), "<details><summary>"); got != want {
			t.Errorf("%d rows: folded %v", rows, got)
		}
	}
}

// Words are broken at spaces, long ones between letters, and the last line is cut.
func TestLines(t *testing.T) {
	for _, x := range []struct {
		words string
		most  float64
		want  []string
	}{
		{"", 50, []string{""}},
		{"aaaa bbbb", 70, []string{"aaaa bbbb"}},
		{"aaaa bbbb", 40, []string{"aaaa", "bbbb"}},
		{"aaaa bbbb cccc", 40, []string{"aaaa", "bbbb…"}},
		{"aaaaaaaa", 30, []string{"aaaa", "aaaa"}},
		{"漢漢漢漢漢", 25, []string{"漢漢", "漢…"}},
		{"漢漢漢", 5, []string{"漢…"}},
	} {
		if got := lines(x.words, "words", x.most, 2); !slices.Equal(got, x.want) {
			t.Errorf("%q in %g: %q, want %q", x.words, x.most, got, x.want)
		}
	}
}

// A name that is cut has both ends, and fits.
func TestCut(t *testing.T) {
	long := strings.Repeat("a long name of a class ", 3)
	for _, most := range []float64{40, 90, 160} {
		one, other := cut(long+"1", "small", most), cut(long+"2", "small", most)
		if one == other || !strings.HasPrefix(one, "a l") || width(one, "small") > most {
			t.Errorf("%g wide: %q and %q, %g", most, one, other, width(one, "small"))
		}
	}
	if got := cut("漢字", "small", 3); got != "漢…" {
		t.Errorf("%q", got)
	}
}
