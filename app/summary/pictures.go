package summary

import (
	"cmp"
	"image"
	"image/color"
	paint "image/draw"
	"math"
	"slices"

	"lapsvm"
	"lapsvm/app/report"
	"lapsvm/dataset"
	"lapsvm/internal/machines/selection"
)

// The limits that keep a page of images small: 64×64 dots take at most 17 KB as text.
const (
	picturesShown = 12 // of each gallery
	pictureSide   = 64 // dots at most
)

// picture shows row i of a data set of images, as its features are.
func picture(d *dataset.Dataset, i int, detail string) report.Picture {
	title := "row " + whole(i+1)
	if name := d.Kept.Name(i); name != "" {
		title = rowName(name)
	}
	row := make([]float64, d.Points.Dim())
	d.Points.CopyRow(row, i)
	return report.Picture{Image: thumbnail(row, d.Image), Title: title, Detail: detail}
}

// thumbnail draws an image of features. It averages blocks of dots so that neither side
// has more than pictureSide.
func thumbnail(row []float64, m dataset.Image) image.Image {
	step := (max(m.Width, m.Height) + pictureSide - 1) / pictureSide
	channels := 1
	if m.Colour {
		channels = 3
	}
	mean := func(x, y, c int) uint8 {
		sum, n := 0.0, 0
		for v := y * step; v < min((y+1)*step, m.Height); v++ {
			for u := x * step; u < min((x+1)*step, m.Width); u++ {
				sum += row[(v*m.Width+u)*channels+c]
				n++
			}
		}
		return uint8(255*min(max(sum/(float64(n)*m.Brightest()), 0), 1) + 0.5)
	}
	box := image.Rect(0, 0, (m.Width+step-1)/step, (m.Height+step-1)/step)
	if !m.Colour {
		grey := image.NewGray(box)
		for y := range box.Dy() {
			for x := range box.Dx() {
				grey.SetGray(x, y, color.Gray{Y: mean(x, y, 0)})
			}
		}
		return grey
	}
	coloured := image.NewNRGBA(box)
	for y := range box.Dy() {
		for x := range box.Dx() {
			coloured.SetNRGBA(x, y, color.NRGBA{mean(x, y, 0), mean(x, y, 1), mean(x, y, 2), 255})
		}
	}
	return coloured
}

// mapped is a thumbnail whose parts are tinted. Blue speaks for the decision and orange against it; the stronger the tint, the more.
func mapped(row []float64, m dataset.Image, reasons []lapsvm.Reason) image.Image {
	step := (max(m.Width, m.Height) + pictureSide - 1) / pictureSide
	plain := thumbnail(row, m)
	tinted := image.NewNRGBA(plain.Bounds())
	paint.Draw(tinted, tinted.Bounds(), plain, image.Point{}, paint.Src)
	most := 0.0
	for _, r := range reasons {
		most = max(most, math.Abs(r.Effect))
	}
	for _, r := range reasons {
		tint := color.NRGBA{0x3a, 0x9b, 0xff, 0}
		if r.Effect < 0 {
			tint = color.NRGBA{0xff, 0x8c, 0x1a, 0}
		}
		if tint.A = uint8(190 * math.Abs(r.Effect) / max(most, math.SmallestNonzeroFloat64)); r.Part != nil {
			part := image.Rect(r.Part.Left/step, r.Part.Top/step, (r.Part.Left+r.Part.Width)/step, (r.Part.Top+r.Part.Height)/step)
			paint.Draw(tinted, part, image.NewUniform(tint), image.Point{}, paint.Over)
		}
	}
	return tinted
}

// gallery shows the first of some rows of a data set; none where they are no images, or
// are described already.
func gallery(d *dataset.Dataset, name, title, caption string, rows []int, detail func(i int) string) []report.Gallery {
	if d.Image.None() || d.Described() || len(rows) == 0 {
		return nil
	}
	g := report.Gallery{Name: name, Title: title, Caption: caption}
	for _, i := range rows[:min(picturesShown, len(rows))] {
		g.Pictures = append(g.Pictures, picture(d, i, detail(i)))
	}
	return []report.Gallery{g}
}

// images shows the surest mistakes and the least certain decisions of all repeats;
// nothing where the rows are no images.
func (e Evaluation) images() (report.Section, error) {
	mistakes := e.repeated(func(d selection.Decision) bool { return d.Predicted != d.Class }, -1)
	slices.SortStableFunc(mistakes, func(a, b repeated) int { return cmp.Compare(b.times, a.times) })
	uncertain := e.repeated(func(selection.Decision) bool { return true }, 1)
	s := report.Section{Title: "Images", Galleries: slices.Concat(
		e.gallery("mistakes", "Surest mistakes", "Hidden labels that are predicted wrongly with the largest lead; those of most repeats first. Look whether the label is right.", mistakes),
		e.gallery("uncertain", "Most uncertain", "Hidden labels whose prediction has the smallest lead in one of the repeats.", uncertain))}
	switch {
	case s.Galleries == nil:
		return report.Section{}, nil
	case e.Data.Kept.None():
		s.Text = []string{"Rows count from 1, among those that were selected."}
	}
	return s, nil
}

// repeated is a decision with its number of repeats.
type repeated struct {
	selection.Decision
	times int
}

// repeated joins some decisions of all repeats by their rows. Of a row that with the least lead times sign stays, and comes first.
func (e Evaluation) repeated(some func(selection.Decision) bool, sign float64) []repeated {
	at := make(map[int]int) // of a row in all
	var all []repeated
	for _, r := range e.Results {
		for _, d := range r.Decisions {
			if !some(d) {
				continue
			}
			k, ok := at[d.Row]
			if !ok {
				k = len(all)
				at[d.Row], all = k, append(all, repeated{Decision: d})
			}
			if all[k].times++; sign*d.Lead < sign*all[k].Lead {
				all[k].Decision = d
			}
		}
	}
	slices.SortFunc(all, func(a, b repeated) int {
		return cmp.Or(cmp.Compare(sign*a.Lead, sign*b.Lead), cmp.Compare(a.Row, b.Row))
	})
	return all
}

// gallery shows the first of some decisions.
func (e Evaluation) gallery(name, title, caption string, all []repeated) []report.Gallery {
	var rows []int
	detail := make(map[int]string)
	for _, d := range all {
		predicted := "outside"
		if d.Predicted != dataset.Unlabelled {
			predicted = plainName(e.Data.Classes[d.Predicted])
		}
		text := "label " + plainName(e.Data.Classes[d.Class]) + ", predicted " + predicted
		if len(e.Results) > 1 {
			text += "; " + count(d.times, "repeat", "repeats")
		}
		rows, detail[d.Row] = append(rows, d.Row), text
	}
	return gallery(e.Data, name, title, caption, rows, func(i int) string { return detail[i] })
}
