package report_test

import (
	"bytes"
	"fmt"
	"log"
	"strings"

	"lapsvm/app/report"
)

// A page with a table and a chart, in one file that loads nothing.
func ExamplePage() {
	var picture bytes.Buffer
	err := report.DrawCharts(&picture, 1, []report.Chart{{
		XTitle: "labels", YTitle: "wrong, %", WholeX: true,
		Curves: []report.Curve{{Name: "LapSVM", X: []float64{2, 4, 8}, Y: []float64{12, 5, 1}}},
	}})
	if err != nil {
		log.Fatal(err)
	}
	page := report.Page{
		Title: "Errors by labels",
		Lead:  "Two moons, means of ten draws.",
		Sections: []report.Section{{
			Title:   "Errors",
			Tables:  []report.Table{{Name: "errors", Title: "Percent wrong", Header: []string{"labels", "wrong"}, Rows: [][]report.Cell{{{Text: "2", Head: true}, {Text: "12"}}}}},
			Figures: []report.Figure{{Name: "curve", Title: "The same as a curve", SVG: picture.Bytes()}},
		}},
	}
	var html strings.Builder
	if err := page.WriteHTML(&html); err != nil {
		log.Fatal(err)
	}
	fmt.Println(strings.Contains(html.String(), "<svg"), strings.Contains(html.String(), "<script"))
	// Output: true false
}
