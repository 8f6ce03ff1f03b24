package report

import (
	"bytes"
	"encoding/base64"
	"image"
	"image/color"
	"image/png"
	"regexp"
	"strings"
	"testing"
)

// Pictures are PNG within the page, and their words are text, whatever they hold.
func TestGallery(t *testing.T) {
	img := image.NewNRGBA(image.Rect(0, 0, 3, 2))
	img.SetNRGBA(1, 1, color.NRGBA{10, 20, 30, 255})
	page := Page{Title: "t", Sections: []Section{{Title: "s", Galleries: []Gallery{{Name: "g", Title: "gallery", Pictures: []Picture{
		{Image: img, Title: `<script>alert("x")</script>&amp;.png`, Detail: "a <b> b"}}}}}}}
	var b bytes.Buffer
	if err := page.WriteHTML(&b); err != nil {
		t.Fatal(err)
	}
	html := b.String()
	for _, want := range []string{`&lt;script&gt;alert(&#34;x&#34;)&lt;/script&gt;&amp;amp;.png`, `a &lt;b&gt; b`, `<a href="#g">gallery</a>`} {
		if !strings.Contains(html, want) {
			t.Errorf("the page has no %s", want)
		}
	}
	found := regexp.MustCompile(`<img src="data:image/png;base64,([^"]*)" alt="">`).FindStringSubmatch(html)
	if found == nil {
		t.Fatal("the page has no picture")
	}
	data, err := base64.StdEncoding.DecodeString(strings.ReplaceAll(found[1], "&#43;", "+"))
	if err != nil {
		t.Fatal(err)
	}
	got, err := png.Decode(bytes.NewReader(data))
	if err != nil || got.Bounds() != img.Bounds() || got.At(1, 1) != img.At(1, 1) {
		t.Errorf("%v, %v", got, err)
	}
	page.Sections[0].Tables = []Table{{Name: "g", Header: []string{"h"}}}
	if err := page.WriteHTML(&b); err == nil {
		t.Error("two parts of one name were written")
	}
}
