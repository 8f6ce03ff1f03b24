package report

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"
)

func TestHeatMap(t *testing.T) {
	h := HeatMap{Title: "errors", XTitle: "x", YTitle: "y", X: []string{"one", "two"}, Y: []string{"10", "20", "30"},
		Z: [][]float64{{1, 2}, {3, 4.5}, {5, 6}}, Marks: map[[2]int]string{{1, 1}: "best"}}
	var b bytes.Buffer
	if err := h.DrawSVG(&b); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"errors", ">one<", ">30<", ">4.5<", ">best<"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("the picture lacks %q", want)
		}
	}
	d := xml.NewDecoder(&b)
	for {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
	// Equal values have no range.
	h.Z = [][]float64{{2, 2}, {2, 2}, {2, 2}}
	if err := h.DrawSVG(io.Discard); err != nil {
		t.Error(err)
	}
}
