package files

import (
	"archive/zip"
	"bytes"
	"fmt"
	"math"
	"strconv"
	"strings"

	"lapsvm/dataset/internal/xml"
)

// odsStyles is what the styles of a spreadsheet say of its values.
// Source: "Open Document Format for Office Applications", 1.3, part 3, 16.2, 16.29.20 and 19.379.
type odsStyles struct {
	src    *source
	hidden map[string]bool // of sheets
	spans  map[string]bool // of cells that show a time that passed, which may be more than a day, and of data
	style  string          // whose properties come
}

func newODSStyles(src *source) odsStyles {
	return odsStyles{src: src, hidden: map[string]bool{}, spans: map[string]bool{}}
}

// read reads a part of styles.
func (o *odsStyles) read(part *zip.File) error {
	x, err := o.src.openXML(part)
	if err != nil {
		return err
	}
	defer x.close()
	return x.each(func(kind xml.Kind) error {
		if kind == xml.Start {
			return o.add(x)
		}
		return nil
	})
}

// add reads a tag that may be of a style. A style of data is in front of those that use it.
func (o *odsStyles) add(x *markup) error {
	switch x.Name().Local {
	case "time-style":
		if string(x.Attr("truncate-on-overflow")) == "false" {
			return o.set(o.spans, string(x.Attr("name")))
		}
	case "style":
		o.style = string(x.Attr("name"))
		x.Use()
		data := x.Attr("data-style-name")
		if o.spans[string(data)] || len(data) == 0 && o.spans[string(x.Attr("parent-style-name"))] {
			return o.set(o.spans, o.style)
		}
	case "table-properties":
		if string(x.Attr("display")) == "false" {
			return o.set(o.hidden, o.style)
		}
	}
	return nil
}

func (o *odsStyles) set(of map[string]bool, name string) error {
	of[name] = true
	return o.src.Take(100+len(name), "the styles of the spreadsheet")
}

// odsColumns says which columns show times that passed, in runs.
type odsColumns []struct {
	end  int // behind its last column
	span bool
}

func (c *odsColumns) add(n int, span bool) {
	end := min(n, maxSheetColumns)
	if k := len(*c); k > 0 {
		if end += (*c)[k-1].end; (*c)[k-1].span == span {
			(*c)[k-1].end = end
			return
		}
		if end > 2*maxSheetColumns {
			return
		}
	}
	*c = append(*c, struct {
		end  int
		span bool
	}{end, span})
}

func (c odsColumns) isSpan(col int) bool {
	for _, run := range c {
		if col < run.end {
			return run.span
		}
	}
	return false
}

// appendSpan appends a time such as PT09H30M00S as a clock shows it, or one that passed in seconds. What is no time is taken as it is.
func appendSpan(to, duration []byte, passed bool, s *said) []byte {
	seconds, ok := secondsOf(string(duration))
	if !ok {
		return append(to, duration...)
	}
	if seconds = math.Round(seconds*1000) / 1000; passed || seconds < 0 || seconds >= 24*60*60 {
		s.spans++
		return strconv.AppendFloat(to, seconds, 'f', -1, 64)
	}
	whole := int(seconds)
	to = fmt.Appendf(to, "%02d:%02d:%02d", whole/3600, whole/60%60, whole%60)
	if ms := int(math.Round(1000 * (seconds - float64(whole)))); ms > 0 {
		to = bytes.TrimRight(fmt.Appendf(to, ".%03d", ms), "0")
	}
	return to
}

// secondsOf returns the length of a duration of XML Schema in days, hours, minutes and seconds.
func secondsOf(duration string) (seconds float64, ok bool) {
	rest, negative := strings.CutPrefix(duration, "-")
	if rest, ok = strings.CutPrefix(rest, "P"); !ok || rest == "" {
		return 0, false
	}
	days, clock, _ := strings.Cut(rest, "T")
	for _, part := range []struct {
		text, units string
		of          []float64
	}{{days, "D", []float64{24 * 60 * 60}}, {clock, "HMS", []float64{60 * 60, 60, 1}}} {
		for text, units := part.text, part.units; text != ""; {
			k := strings.IndexAny(text, units)
			if k <= 0 || strings.Trim(text[:k], "0123456789.,") != "" {
				return 0, false
			}
			n, err := strconv.ParseFloat(strings.Replace(text[:k], ",", ".", 1), 64)
			if err != nil {
				return 0, false
			}
			at := strings.IndexByte(part.units, text[k])
			seconds += n * part.of[at]
			text, units = text[k+1:], part.units[at+1:]
		}
	}
	if negative {
		seconds = -seconds
	}
	return seconds, true
}
