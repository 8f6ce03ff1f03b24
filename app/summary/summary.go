// Package summary makes pages of the results of trainings and evaluations for people:
// one HTML file each, by package report.
package summary

import (
	"bytes"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode"

	"lapsvm"
	"lapsvm/app/report"
	"lapsvm/calibrate"
	"lapsvm/dataset"
)

// longestName is how many characters of the name of a class or row are shown.
const longestName = 40

// plainName is a name from the data as it can be shown alone: controls of the
// writing direction and others are written out, and long names cut in the middle, as names with one beginning differ at their ends.
func plainName(s string) string {
	if all := []rune(s); len(all) > longestName {
		const end = longestName / 3
		return escaped(string(all[:longestName-end])) + "…" + escaped(string(all[len(all)-end:]))
	}
	if s == "" {
		return "(empty)"
	}
	return escaped(s)
}

// rowName is [plainName] for a row. It keeps the end of a long name, because long names
// are paths.
func rowName(s string) string {
	if all := []rune(s); len(all) > longestName {
		return "…" + escaped(string(all[len(all)-longestName:]))
	}
	return escaped(s)
}

// escaped writes control characters as escapes.
func escaped(s string) string {
	var b strings.Builder
	for _, r := range s {
		if unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) {
			b.WriteString(fmt.Sprintf("\\u%04x", r))
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}

// name is [plainName] for running text, whose direction it does not change.
func name(s string) string { return "\u2068" + plainName(s) + "\u2069" }

// className returns the name of a class by its index, or the word for no class.
func className(m *lapsvm.Model, class int) string {
	if class == dataset.Unlabelled {
		return "outside"
	}
	return plainName(m.Classes()[class])
}

// Iterations writes a number of iterations, which may be the mean of several machines.
func Iterations(n float64) string {
	if n == 1 {
		return "1 iteration"
	}
	return number(n) + " iterations"
}

// count writes a number of things.
func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return whole(n) + " " + many
}

// whole writes a count with a comma after every third digit.
func whole(n int) string {
	s := strconv.Itoa(n)
	for k := len(s) - 3; k > 0 && s[k-1] != '-'; k -= 3 {
		s = s[:k] + "," + s[k:]
	}
	return s
}

// number writes a value for reading.
func number(v float64) string {
	switch {
	case math.IsNaN(v):
		return "–"
	case v != 0 && math.Abs(v) < 1e-3, math.Abs(v) >= 1e6:
		return strconv.FormatFloat(v, 'g', 3, 64)
	}
	return strconv.FormatFloat(v, 'g', 4, 64)
}

// percent writes a value in percent without the sign of it.
func percent(v float64) string {
	if math.IsNaN(v) {
		return "–"
	}
	return strconv.FormatFloat(v, 'f', 2, 64)
}

// share is that of a part in percent.
func share(part, whole int) string {
	if whole == 0 {
		return "–"
	}
	return strconv.FormatFloat(100*float64(part)/float64(whole), 'f', 1, 64)
}

func seconds(v float64) string { return strconv.FormatFloat(v, 'f', 2, 64) }

func cells(texts ...string) []report.Cell {
	row := make([]report.Cell, len(texts))
	for k, s := range texts {
		row[k].Text = s
	}
	return row
}

// headed is a row that its first cell names.
func headed(texts ...string) []report.Cell {
	row := cells(texts...)
	row[0].Head = true
	return row
}

// headedByRow is a row that row i of a data set heads: its number from 1, and its name.
func headedByRow(d *dataset.Dataset, i int, texts ...string) []report.Cell {
	row := headed(append([]string{whole(i + 1)}, texts...)...)
	row[0].Detail = rowName(d.Kept.Name(i))
	return row
}

// draw makes a figure of one chart.
func draw(name, title, caption string, c report.Chart) (report.Figure, error) {
	var b bytes.Buffer
	err := report.DrawCharts(&b, 1, []report.Chart{c})
	return report.Figure{Name: name, Title: title, Caption: caption, SVG: b.Bytes()}, err
}

// bins is the number of bars of a histogram.
const bins = 30

// edges divides the range of all values, without NaN, into bins of a round
// number; nil where there is nothing to divide.
func edges(values ...[]float64) []float64 {
	low, high := math.Inf(1), math.Inf(-1)
	for _, list := range values {
		for _, v := range list {
			low, high = min(low, v), max(high, v)
		}
	}
	if !(low <= high) || math.IsInf(high-low, 0) {
		return nil
	}
	if low == high {
		low, high = low-0.5, high+0.5
	}
	e := make([]float64, bins+1)
	for k := range e {
		e[k] = low + (high-low)*float64(k)/bins
	}
	return e
}

// histogram is the percentage of the values between edges.
func histogram(name string, e, values []float64) report.Curve {
	if len(values) == 0 {
		return report.Curve{Name: name}
	}
	heights := make([]float64, len(e)-1)
	for _, v := range values {
		k := int((v - e[0]) / (e[len(e)-1] - e[0]) * float64(len(heights)))
		heights[min(max(k, 0), len(heights)-1)] += 100 / float64(len(values))
	}
	return report.Histogram(name, e, heights)
}

// reliability shows how often predictions of each probability are right, as a
// figure and a table; prefix makes their names.
func reliability(prefix, counted string, all []calibrate.Bin) (report.Figure, report.Table, error) {
	said := report.Curve{Name: "as often as said", X: []float64{100 * all[0].Low, 100}, Y: []float64{100 * all[0].Low, 100}}
	right, interval := report.Curve{Name: "right"}, report.Curve{Name: "95 % interval"}
	t := report.Table{Name: prefix + "-reliability-table", Title: "Probabilities and how often they are right",
		Caption: "Predictions by their probability, in percent. The interval is Wilson's, at 95 %.",
		Header:  []string{"probability", counted, "mean probability", "right", "from", "to"}}
	for _, b := range merged(all) {
		n := float64(b.Count)
		p, q := 100*b.Sum/n, 100*float64(b.Right)/n
		low, high := calibrate.Wilson(float64(b.Right)/float64(b.Count), b.Count)
		right.X, right.Y = append(right.X, p), append(right.Y, q)
		interval.X, interval.Y = append(interval.X, p, p, math.NaN()), append(interval.Y, 100*low, 100*high, math.NaN())
		t.Rows = append(t.Rows, headed(fmt.Sprintf("%.0f to %.0f", 100*b.Low, 100*b.High), whole(b.Count), percent(p), percent(q), percent(100*low), percent(100*high)))
	}
	f, err := draw(prefix+"-reliability", "Reliability of the probabilities", "On the dashed line, predictions are right as often as they say.",
		report.Chart{XTitle: "mean probability of the prediction, %", YTitle: "right, %", YMin: 0, YMax: 100.5, Curves: []report.Curve{right, said, interval}})
	return f, t, err
}

// merged joins neighbouring bins until each has at least five rows and a twelfth of all
// rows, so that chance does not shape the picture. The last bin may be joined to the
// one before it. There must be rows.
func merged(all []calibrate.Bin) []calibrate.Bin {
	total := 0
	for _, b := range all {
		total += b.Count
	}
	least := max(5, total/12)
	var out []calibrate.Bin
	var open calibrate.Bin
	join := func(a, b calibrate.Bin) calibrate.Bin {
		if a.Count == 0 {
			return b
		}
		return calibrate.Bin{Low: a.Low, High: b.High, Count: a.Count + b.Count, Right: a.Right + b.Right, Sum: a.Sum + b.Sum}
	}
	for _, b := range all {
		if b.Count == 0 {
			continue
		}
		if open = join(open, b); open.Count >= least {
			out, open = append(out, open), calibrate.Bin{}
		}
	}
	switch last := len(out) - 1; {
	case open.Count > 0 && last >= 0:
		out[last] = join(out[last], open)
	case open.Count > 0:
		out = append(out, open)
	}
	return out
}

// add makes sections and appends those that have something to say.
func add(page *report.Page, sections ...func() (report.Section, error)) error {
	for _, section := range sections {
		s, err := section()
		if err != nil {
			return err
		}
		if s.Title != "" {
			page.Sections = append(page.Sections, s)
		}
	}
	return nil
}
