package report

import (
	_ "embed"
	"errors"
	"fmt"
	"html/template"
	"io"
	"regexp"
	"slices"
	"strings"
)

// Page is a report as one HTML file with everything inline.
type Page struct {
	Title, Lead string   // Lead: one paragraph of plain text below the title
	Glance      []Figure // what is looked at first, below it
	Facts       []Fact   // name/value pairs in a box below these
	Sections    []Section
}

// Fact is something to know at a glance.
type Fact struct{ Name, Value string }

// Section is a part of a page: paragraphs of plain text, then code, tables, galleries
// and figures.
type Section struct {
	Title     string
	Text      []string
	Code      string // shown as it is, to be copied; may be empty
	Tables    []Table
	Galleries []Gallery
	Figures   []Figure
}

//go:embed page.html.tmpl
var pageTemplate string

// WriteHTML writes the page. It needs no script and loads nothing.
func (p Page) WriteHTML(w io.Writer) error {
	view, err := p.view()
	if err != nil {
		return err
	}
	t, err := template.New("page").Parse(pageTemplate)
	if err != nil {
		return err
	}
	return t.Execute(w, view)
}

// The view types are the page as the template wants it.
type (
	pageView struct {
		Page
		Glance   []figureView
		Groups   int // that have colours
		Steps    int // of sizes, likewise
		Sections []sectionView
	}
	sectionView struct {
		Section
		Name      string
		Tables    []tableView
		Galleries []galleryView
		Figures   []figureView
	}
	galleryView struct {
		Gallery
		Pictures []pictureView
	}
	pictureView struct {
		Picture
		Address template.URL
	}
	tableView struct {
		Table
		Columns []columnView
		Groups  [][][]cellView // the rows that share their first cell
		Legend  []Mark
		Folded  int // rows of a long table, which is shown when asked for; 0 of a short one
	}
	columnView struct {
		Header string
		Class  string
	}
	cellView struct {
		Cell
		Class, Scope string
		Rows         int
	}
	figureView struct {
		Figure
		Picture template.HTML
	}
)

func (p Page) view() (pageView, error) {
	v := pageView{Page: p, Groups: Groups, Steps: Sizes}
	names := map[string]bool{}
	anchor := func(name, what string) error {
		if name == "" || strings.ContainsAny(name, " \t\r\n\"'#<>&") {
			return fmt.Errorf("the name %q of the %s is no anchor: give a word without spaces and quotes", name, what)
		}
		if names[name] {
			return fmt.Errorf("two parts of the page are called %q: give each its own name", name)
		}
		names[name] = true
		return nil
	}
	figure := func(f Figure) (figureView, error) {
		if err := anchor(f.Name, "figure "+f.Title); err != nil {
			return figureView{}, err
		}
		picture, err := f.inline()
		return figureView{f, picture}, err
	}
	for _, f := range p.Glance {
		one, err := figure(f)
		if err != nil {
			return v, err
		}
		v.Glance = append(v.Glance, one)
	}
	for k, s := range p.Sections {
		section := sectionView{Section: s, Name: fmt.Sprintf("section-%d", k+1)}
		if err := anchor(section.Name, "section "+s.Title); err != nil {
			return v, err
		}
		for _, t := range s.Tables {
			if err := errors.Join(anchor(t.Name, "table "+t.Title), t.check()); err != nil {
				return v, err
			}
			section.Tables = append(section.Tables, t.view())
		}
		for _, g := range s.Galleries {
			if err := anchor(g.Name, "gallery "+g.Title); err != nil {
				return v, err
			}
			gallery, err := g.view()
			if err != nil {
				return v, err
			}
			section.Galleries = append(section.Galleries, gallery)
		}
		for _, f := range s.Figures {
			one, err := figure(f)
			if err != nil {
				return v, err
			}
			section.Figures = append(section.Figures, one)
		}
		v.Sections = append(v.Sections, section)
	}
	return v, nil
}

// longTable is how many rows a table has at most that is not folded.
const longTable = 9

func (t Table) view() tableView {
	v := tableView{Table: t}
	if len(t.Rows) > longTable {
		v.Folded = len(t.Rows)
	}
	for k, name := range t.Header {
		class := ""
		if t.numeric(k) {
			class = "number"
		}
		if t.any(k, func(c Cell) bool { return c.Mark != Plain }) {
			class += " room"
		}
		v.Columns = append(v.Columns, columnView{name, strings.TrimSpace(class)})
	}
	for _, m := range []Mark{Agrees, Differs, Best} {
		for k := range t.Header {
			if t.any(k, func(c Cell) bool { return c.Mark == m }) {
				v.Legend = append(v.Legend, m)
				break
			}
		}
	}
	for i := 0; i < len(t.Rows); {
		end := i + 1
		for end < len(t.Rows) && t.Rows[i][0].Head && t.Rows[end][0] == t.Rows[i][0] {
			end++
		}
		var group [][]cellView
		for r := i; r < end; r++ {
			var row []cellView
			for k, c := range t.Rows[r] {
				if k == 0 && r > i {
					continue
				}
				cell := cellView{Cell: c, Class: strings.TrimSpace(v.Columns[k].Class + " " + string(c.Mark)), Scope: "row", Rows: 1}
				if k == 0 && end-i > 1 {
					cell.Scope, cell.Rows = "rowgroup", end-i
				}
				row = append(row, cell)
			}
			group = append(group, row)
		}
		v.Groups = append(v.Groups, group)
		i = end
	}
	// Groups are for rows that share something.
	if !slices.ContainsFunc(v.Groups, func(g [][]cellView) bool { return len(g) > 1 }) {
		v.Groups = [][][]cellView{slices.Concat(v.Groups...)}
	}
	return v
}

// numeric reports whether a column is one of numbers, with their units, or of
// nothing.
func (t Table) numeric(k int) bool {
	number := regexp.MustCompile(`^[<>≤≥≈~±+−-]?\s*\d[\d.,\s]*([eE][+−-]?\d+)?\s*(±\s*\d[\d.,]*)?\s*([%×]|\pL{1,3})?$`)
	nothing := regexp.MustCompile(`^(|[–—-]|n/a|∞)$`)
	text := func(c Cell) bool { return !number.MatchString(c.Text) && !nothing.MatchString(c.Text) }
	return !t.any(k, text) && t.any(k, func(c Cell) bool { return number.MatchString(c.Text) })
}
