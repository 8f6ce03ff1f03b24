package report

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"
)

func page(t *testing.T) Page {
	svg := []byte(drawCharts(t, 1, chart("a chart", "x", "y")))
	var surfaces bytes.Buffer
	if err := DrawSurfaces(&surfaces, "svg", 0, []Surface{surface(func(x, y float64) float64 { return x })}); err != nil {
		t.Fatal(err)
	}
	return Page{Title: "A <title>", Lead: "The lead & more.", Facts: []Fact{{"<fact>", "<value>"}},
		Sections: []Section{
			{Title: "One <section>", Text: []string{"A <paragraph>.", "Another."}, Code: "a < b \\\n  'c'", Tables: []Table{table()}},
			{Title: "Two", Figures: []Figure{{Name: "chart", Title: `A "quoted" <figure>`, Caption: "Its caption.", SVG: svg}, {Name: "surface", SVG: surfaces.Bytes()}}},
		}}
}

// elements are the start tags of a page, whose nesting it checks.
func elements(t *testing.T, html string) []xml.StartElement {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(html))
	d.Strict, d.AutoClose, d.Entity = false, []string{"meta"}, xml.HTMLEntity
	var list []xml.StartElement
	var open []string
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		switch e := token.(type) {
		case xml.StartElement:
			list, open = append(list, e.Copy()), append(open, e.Name.Local)
		case xml.EndElement:
			if open[len(open)-1] != e.Name.Local {
				t.Fatalf("%s is closed in %v", e.Name.Local, open)
			}
			open = open[:len(open)-1]
		}
	}
	if len(open) > 0 {
		t.Errorf("left open: %v", open)
	}
	return list
}

func attribute(e xml.StartElement, name string) string {
	for _, a := range e.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

func TestWriteHTML(t *testing.T) {
	var b bytes.Buffer
	if err := page(t).WriteHTML(&b); err != nil {
		t.Fatal(err)
	}
	html := b.String()
	if !strings.HasPrefix(html, "<!DOCTYPE html>\n<html lang=\"en\">") {
		t.Errorf("the page begins with %.60q", html)
	}
	for _, want := range []string{
		"<h1>A &lt;title&gt;</h1>", "<title>A &lt;title&gt;</title>", "The lead &amp; more.", "<dt>&lt;fact&gt;</dt><dd>&lt;value&gt;</dd>",
		"One &lt;section&gt;</h2>", "<code>a &lt; b \\\n  &#39;c&#39;</code>", "<p>A &lt;paragraph&gt;.</p>", "so &#34;called&#34;",
		`<th scope="rowgroup" rowspan="2">G50C</th>`, `<th scope="row">COIL</th>`,
		`<td class="number room agrees">9.33<span class="mark" title="agrees">✓</span><small>paper 9.3 (2.0)</small></td>`,
		`<b class="differs-key">≠</b> differs`, `<b class="best-key">★</b> best`,
		`role="img" aria-labelledby="chart-title chart-desc"><title id="chart-title">A &#34;quoted&#34; &lt;figure&gt;</title><desc id="chart-desc">Its caption.</desc>`,
		`role="img" aria-labelledby="surface-title"><title id="surface-title">surface</title>`,
	} {
		if !strings.Contains(html, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
	for _, bad := range []string{"http://", "https://", "<script", "<?xml", "ZgotmplZ", "@import", "<link"} {
		if strings.Contains(html, bad) {
			t.Errorf("the page has %s", bad)
		}
	}

	ids := map[string]bool{}
	var anchors []string
	count := map[string]int{}
	for _, e := range elements(t, html) {
		count[e.Name.Local]++
		if id := attribute(e, "id"); id != "" {
			if ids[id] {
				t.Errorf("two elements have the id %s", id)
			}
			ids[id] = true
		}
		for _, name := range []string{"href", "aria-labelledby"} {
			for _, to := range strings.Fields(attribute(e, name)) {
				if !strings.HasPrefix(to, "data:image/png;") {
					anchors = append(anchors, strings.TrimPrefix(to, "#"))
				}
			}
		}
		if e.Name.Local == "svg" && (attribute(e, "viewBox") == "" || attribute(e, "width") != "" || attribute(e, "height") != "") {
			t.Errorf("a figure of fixed size: %v", e.Attr)
		}
		if e.Name.Local == "th" && attribute(e, "scope") == "" {
			t.Error("a header cell without scope")
		}
	}
	for _, to := range anchors {
		if !ids[to] {
			t.Errorf("nothing has the id %s", to)
		}
	}
	for _, name := range []string{"section-1", "section-2", "errors", "chart", "surface"} {
		if !slices.Contains(anchors, name) {
			t.Errorf("the contents lack %s", name)
		}
	}
	for name, want := range map[string]int{"h1": 1, "h2": 2, "table": 1, "caption": 1, "tbody": 2, "svg": 2, "figcaption": 2} {
		if count[name] != want {
			t.Errorf("%d elements %s, want %d", count[name], name, want)
		}
	}
}

func TestEmptyPage(t *testing.T) {
	var b bytes.Buffer
	if err := (Page{Title: "nothing"}).WriteHTML(&b); err != nil {
		t.Fatal(err)
	}
	elements(t, b.String())
	if strings.Contains(b.String(), "<nav") {
		t.Error("a table of contents of nothing")
	}
}

func TestPageNames(t *testing.T) {
	svg := []byte(`<svg viewBox="0 0 1 1"/>`)
	for want, figures := range map[string][]Figure{
		`called "twice"`:     {{Name: "twice", SVG: svg}, {Name: "twice", SVG: svg}},
		`called "section-1"`: {{Name: "section-1", SVG: svg}},
		`name ""`:            {{SVG: svg}},
		`name "a b"`:         {{Name: "a b", SVG: svg}},
	} {
		err := Page{Sections: []Section{{Figures: figures}}}.WriteHTML(io.Discard)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
}

func TestInlineFigure(t *testing.T) {
	svg := `<?xml version="1.0"?><!DOCTYPE svg><!-- made --><svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="90" height="40px">
<defs><clipPath id="c"><rect width="4" height="5"/></clipPath></defs><g clip-path="url(#c)"><use xlink:href="#c"/><text>id="c" url(#c) &lt;</text></g></svg>`
	got, err := Figure{Name: "f", Title: "t", SVG: []byte(svg)}.inline()
	if err != nil {
		t.Fatal(err)
	}
	want := `<svg viewBox="0 0 90 40" style="width:90px" role="img" aria-labelledby="f-title"><title id="f-title">t</title>
<defs><clipPath id="f-c"><rect width="4" height="5"/></clipPath></defs><g clip-path="url(#f-c)"><use xlink:href="#f-c"/><text>id="c" url(#c) &lt;</text></g></svg>`
	if string(got) != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	for want, bad := range map[string]string{
		"empty":               ``,
		"its root is p":       `<p/>`,
		"neither a viewBox":   `<svg/>`,
		"syntax error":        `<svg viewBox="0 0 1 1"><g></svg>`,
		"element script":      `<svg viewBox="0 0 1 1"><script>1</script></svg>`,
		"attribute onload":    `<svg viewBox="0 0 1 1" onload="x()"/>`,
		"refers to https://a": `<svg viewBox="0 0 1 1"><image href="https://a/b.png"/></svg>`,
	} {
		if _, err := (Figure{Name: "f", SVG: []byte(bad)}).inline(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want one with %q", bad, err, want)
		}
	}
}

// A page's parts stay apart from each other however many it has.
func TestManyFigures(t *testing.T) {
	svg := []byte(`<svg viewBox="0 0 1 1"><clipPath id="c"/></svg>`)
	var p Page
	for k := range 20 {
		p.Sections = append(p.Sections, Section{Title: "s", Figures: []Figure{{Name: fmt.Sprintf("f%d", k), SVG: svg}}})
	}
	var b bytes.Buffer
	if err := p.WriteHTML(&b); err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, id := range regexp.MustCompile(` id="[^"]*"`).FindAllString(b.String(), -1) {
		if seen[id] {
			t.Errorf("twice: %s", id)
		}
		seen[id] = true
	}
	if len(seen) != 80 { // with those of titles
		t.Errorf("%d ids, want 80", len(seen))
	}
}

// Colours stand in the palettes alone, so that nothing is left white on a dark page.
func TestColoursAreOfThePalettes(t *testing.T) {
	var b bytes.Buffer
	if err := page(t).WriteHTML(&b); err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(b.String(), "<style>")
	style, _, _ := strings.Cut(rest, "</style>")
	rules := regexp.MustCompile(`:root \{[^}]*\}`).ReplaceAllString(style, "")
	if colours := regexp.MustCompile(`(?i)#[0-9a-f]{3,8}\b|\b(white|black)\s*[;}]`).FindAllString(rules, -1); colours != nil || rules == style {
		t.Errorf("colours outside of :root: %q", colours)
	}
}
