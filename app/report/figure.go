package report

import (
	"bytes"
	"cmp"
	"encoding/xml"
	"errors"
	"fmt"
	"html/template"
	"io"
	"strings"
)

// Figure is a picture of a page.
type Figure struct {
	Name           string // anchor, and file name without ending
	Title, Caption string
	Alt            string // what it shows, for those who do not see it; "" for the caption
	SVG            []byte
	Inked          bool // drawn in the colours of the page, which it needs; others are on white
}

// inline returns the picture as an element of an HTML page: without prolog and
// fixed size, with ids that no other figure has.
func (f Figure) inline() (template.HTML, error) {
	wrong := func(err error) error {
		return fmt.Errorf("figure %q is not an SVG picture to be put into a page: %w", f.Name, err)
	}
	d := xml.NewDecoder(bytes.NewReader(f.SVG))
	ids := strings.NewReplacer(` id="`, ` id="`+f.Name+`-`, ` id='`, ` id='`+f.Name+`-`, `url(#`, `url(#`+f.Name+`-`, `href="#`, `href="#`+f.Name+`-`, `href='#`, `href='#`+f.Name+`-`)
	var b strings.Builder
	open := false // whether the root has been seen
	for {
		start := d.InputOffset()
		token, err := d.Token()
		if err == io.EOF && open {
			return template.HTML(b.String()), nil // every token has been seen to be harmless
		} else if err == io.EOF {
			return "", wrong(errors.New("it is empty"))
		} else if err != nil {
			return "", wrong(err)
		}
		source := string(f.SVG[start:d.InputOffset()])
		switch e := token.(type) {
		case xml.StartElement:
			if err := harmless(e); err != nil {
				return "", wrong(err)
			}
			if !open {
				open = true
				root, err := f.root(e)
				if err != nil {
					return "", wrong(err)
				}
				b.WriteString(root)
				if strings.HasSuffix(source, "/>") {
					b.WriteString("</svg>")
				}
				continue
			}
			b.WriteString(ids.Replace(source))
		case xml.EndElement, xml.CharData:
			if open {
				b.WriteString(source)
			}
		}
	}
}

// root is the start tag of the picture's root in a page.
func (f Figure) root(e xml.StartElement) (string, error) {
	if e.Name.Local != "svg" {
		return "", fmt.Errorf("its root is %s", e.Name.Local)
	}
	attributes := map[string]string{}
	for _, a := range e.Attr {
		attributes[a.Name.Local] = a.Value
	}
	view, width := attributes["viewBox"], attributes["width"]
	if view == "" {
		var w, h float64
		if _, err := fmt.Sscan(strings.TrimRight(width, "ptxmc"), &w); err != nil {
			return "", errors.New("it has neither a viewBox nor a width and a height")
		}
		if _, err := fmt.Sscan(strings.TrimRight(attributes["height"], "ptxmc"), &h); err != nil {
			return "", errors.New("it has neither a viewBox nor a width and a height")
		}
		view = fmt.Sprintf("0 0 %g %g", w, h)
	}
	style := ""
	if width != "" && !strings.Contains(width, "%") {
		if strings.Trim(width, "0123456789.") == "" {
			width += "px"
		}
		style = fmt.Sprintf(` style="width:%s"`, template.HTMLEscapeString(width))
	}
	title := fmt.Sprintf(`<title id="%s-title">%s</title>`, f.Name, escape(cmp.Or(f.Title, f.Name)))
	labels := f.Name + "-title"
	if alt := cmp.Or(f.Alt, f.Caption); alt != "" {
		title += fmt.Sprintf(`<desc id="%s-desc">%s</desc>`, f.Name, escape(alt))
		labels += " " + f.Name + "-desc"
	}
	return fmt.Sprintf(`<svg viewBox="%s"%s role="img" aria-labelledby="%s">%s`, template.HTMLEscapeString(view), style, labels, title), nil
}

// harmless refuses pictures that run scripts or load anything.
func harmless(e xml.StartElement) error {
	if e.Name.Local == "script" || e.Name.Local == "foreignObject" {
		return fmt.Errorf("it has an element %s", e.Name.Local)
	}
	for _, a := range e.Attr {
		if strings.HasPrefix(strings.ToLower(a.Name.Local), "on") {
			return fmt.Errorf("it has an attribute %s", a.Name.Local)
		}
		if a.Name.Local == "href" && !strings.HasPrefix(a.Value, "#") && !strings.HasPrefix(a.Value, "data:image/") {
			return fmt.Errorf("it refers to %s", a.Value)
		}
	}
	return nil
}
