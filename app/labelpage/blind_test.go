package labelpage

import (
	"fmt"
	"strings"
	"testing"
)

// Second opinions are asked blindly, of rows that others gave a class and the person has
// said nothing of. They are no audits of the machine.
func TestSecondOpinions(t *testing.T) {
	p := served(t, NewContent(table(t, 40), nil, nil), nil)
	p.post("anna", sent{Kind: "class-add", Name: "low"}, sent{Kind: "class-add", Name: "high"})
	for row := 1; row <= 6; row++ {
		p.post("anna", sent{Kind: "label", Row: row, Class: class((row - 1) % 2)})
	}
	p.post("anna", sent{Kind: "unsure", Row: 7})
	p.post("ben", sent{Kind: "label", Row: 5, Class: class(0)}, sent{Kind: "skip", Row: 6})
	p.learnt()
	second := func(person string) map[int]bool {
		t.Helper()
		var answer struct{ Points []nextPoint }
		p.get("/api/next?mode=second&n=20&person="+person, &answer)
		rows := make(map[int]bool)
		for _, point := range answer.Points {
			rows[point.Row] = true
			if !point.Blind || strings.Contains(point.Reason, "anna") {
				t.Errorf("%+v", point)
			}
		}
		return rows
	}
	if got := fmt.Sprint(second("ben")); got != "map[1:true 2:true 3:true 4:true 6:true]" { // 6 was skipped
		t.Error(got)
	}
	if got := fmt.Sprint(second("anna")); got != "map[]" { // nobody else labelled what anna has not
		t.Error(got)
	}
	a := p.post("ben", sent{Kind: "label", Row: 1, Class: class(0), Blind: true}, sent{Kind: "label", Row: 2, Class: class(0), Blind: true})
	if len(a.Curve) != 0 || a.Counts.Ties != 1 {
		t.Errorf("%+v, %+v", a.Curve, a.Counts)
	}
	if a = p.post("chi", sent{Kind: "label", Row: 2, Class: class(1), Blind: true}); len(a.Curve) != 0 {
		t.Errorf("a tie that is broken counts as an audit: %+v", a.Curve)
	}
	if _, text := p.do("GET", "/api/people", ""); !strings.Contains(text, `"a":"anna","b":"ben","both":3,"agreed":2`) {
		t.Error(text)
	}
}

// The prediction of a point that is asked blindly stays hidden until the point has an
// answer.
func TestAwaitedPointsAreNeutral(t *testing.T) {
	p := served(t, NewContent(table(t, 10), nil, nil), nil)
	p.post("anna", sent{Kind: "class-add", Name: "low"}, sent{Kind: "class-add", Name: "high"}, sent{Kind: "label", Row: 1, Class: class(0)}, sent{Kind: "label", Row: 2, Class: class(1)})
	p.learnt()
	told := func() (rows map[int]bool) {
		t.Helper()
		rows = make(map[int]bool)
		_, predicted := p.do("GET", "/api/map/colours?by=prediction", "")
		_, uncertain := p.do("GET", "/api/map/colours?by=uncertainty", "")
		var shown struct{ Points []shownPoint }
		p.get("/api/points?predictions=1&rows=1,2,3,4,5,6,7,8,9,10", &shown)
		var found struct{ Rows []int }
		rowsFound := make(map[int]bool)
		for class := range 2 {
			found.Rows = nil
			p.get(fmt.Sprintf("/api/search?prediction=%d", class), &found)
			for _, row := range found.Rows {
				rowsFound[row] = true
			}
		}
		for row := 1; row <= 10; row++ {
			rows[row] = predicted[3+row] != 0
			if (uncertain[3+row] != 0) != rows[row] || (shown.Points[row-1].Prediction != nil) != rows[row] || rowsFound[row] != rows[row] {
				t.Errorf("row %d is told of here, and not there", row)
			}
		}
		return rows
	}
	var next struct{ Points []nextPoint }
	p.get("/api/next?mode=audit&n=3&person=anna", &next)
	rows := told()
	for _, point := range next.Points {
		if rows[point.Row] {
			t.Errorf("the prediction of row %d is told", point.Row)
		}
	}
	if len(next.Points) != 3 || !rows[1] || !rows[2] {
		t.Errorf("%v, %v", next.Points, rows)
	}
	first := next.Points[0].Row
	for row, told := range map[int]bool{1: true, first: false} {
		var similar struct{ Class *int }
		if p.get(fmt.Sprintf("/api/similar?row=%d", row), &similar); (similar.Class != nil) != told {
			t.Errorf("points like row %d are said to be of class %v", row, similar.Class)
		}
	}
	p.post("anna", sent{Kind: "label", Row: first, Class: class(0), Blind: true})
	if rows = told(); !rows[first] || rows[next.Points[1].Row] {
		t.Errorf("%v", rows)
	}
	// Those that the page has no longer are asked blindly no more.
	p.get(fmt.Sprintf("/api/next?mode=order&n=1&person=anna&not=%d", next.Points[1].Row), new(struct{}))
	if rows = told(); rows[next.Points[1].Row] || !rows[next.Points[2].Row] {
		t.Errorf("%v", rows)
	}
}
