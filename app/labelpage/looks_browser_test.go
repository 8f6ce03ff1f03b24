package labelpage_test

import (
	"context"
	"strings"
	"testing"

	"lapsvm/dataset/files"
)

// A picture is shown at four times its size at most, in every view, and brighter when asked for.
func picturesAsTheyAre(t *testing.T, browser context.Context) {
	p := enter(t, browser, serveDigits(t, 60, 14), "Ada")
	const widest = "Math.max(...[...document.querySelectorAll('main img')].map((picture) => picture.getBoundingClientRect().width))"
	p.until(widest + " === 80") // of 20 dots
	filter := func() string { return value[string](p, "getComputedStyle(document.querySelector('main img')).filter") }
	for _, want := range []string{"none", "brightness(2)", "brightness(4)", "brightness(8)", "none"} {
		if got := filter(); got != want {
			t.Errorf("the filter is %s in place of %s", got, want)
		}
		p.key("I")
	}
	p.see("F", "find")
	p.until("document.querySelectorAll('main img').length === 60")
	if w := value[float64](p, widest); w > 80 {
		t.Errorf("a tile shows a picture of 20 dots %v pixels wide", w)
	}
}

// A table has rows, which show their empty fields, and texts are texts.
func rowsAndTexts(t *testing.T, browser context.Context) {
	words := strings.Repeat("many words of a text that is long enough to be one, ", 3)
	for _, c := range []struct {
		file, size string
		text       []string
	}{
		{"a,b,c\n1,,3\n,2,\n4,5,6\n7,8,9\n", "4 rows", nil},
		{"note\n" + strings.Repeat("\""+words+"\"\n\"other "+words+"\"\n", 2), "4 texts", []string{"note"}},
		{"a,note\n" + strings.Repeat("1,\""+words+"\"\n,\"other "+words+"\"\n", 2), "4 rows", []string{"note"}},
	} {
		set, err := files.Read(strings.NewReader(c.file), "data.csv", files.Options{Format: "csv", Keep: true, Text: c.text, Features: strings.Count(c.file[:strings.Index(c.file, "\n")], ",") + 1})
		if err != nil {
			t.Fatal(err)
		}
		p := enter(t, browser, serve(t, set, "one", "warehouse receiving", "warehouse shipping"), "Ada")
		if got := value[string](p, "document.getElementById('set-size').textContent"); got != c.size {
			t.Errorf("the set has %q, not %q", got, c.size)
		}
		p.label("2")
		p.label("3")
		// Both long names are told apart where there is no room for them.
		chips := value[[]string](p, "[...document.querySelectorAll('.strip .name')].map((name) => name.lastChild.textContent + ' of ' + name.title)")
		if want := "ipping of warehouse shipping, eiving of warehouse receiving"; strings.Join(chips, ", ") != want {
			t.Errorf("the last labels are %q", chips)
		}
		p.see("F", "find")
		p.until("document.querySelectorAll('.find-view .tile').length === 4")
		if c.size == "4 rows" && c.text == nil {
			fields := value[[]string](p, "[...document.querySelectorAll('.find-view .tile .fields')].map((fields) => [...fields.querySelectorAll('dd')].map((dd) => dd.textContent).join(' '))")
			if got := strings.Join(fields, "; "); got != "1 – 3; – 2 –; 4 5 6; 7 8 9" {
				t.Errorf("rows are shown as %q", got)
			}
		}
		// The map has no frame but where Tab leads to it.
		p.key("Escape")
		p.see("M", "map")
		if got := value[string](p, "getComputedStyle(document.querySelector('.map-canvas')).outlineStyle"); got != "none" {
			t.Errorf("the map has a frame: %s", got)
		}
	}
}
