package dataset

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"lapsvm/dataset/internal/quote"
)

// Date is the kind of a column of dates. The feature is days since 1970-01-01 UTC, with a fraction;
// where it is missing, the median.
const Date Kind = "date"

func dateKind() kindRules {
	return kindRules{
		kind: Date, ranged: true, measured: true,
		counts: looksLikeDate,
		all: func(_ *learner, g *wordColumn, t *wordTally, _ int) bool {
			order, _ := t.dateOrder()
			return g.all.Rows[withNumbers] == 0 && order != noDates
		},
		most: mostlyDates,
		learn: func(l *learner, c *Column, j, _ int) error {
			c.Order, _ = l.used[j].some.dateOrder()
			return nil
		},
		validate: func(_ *Encoding, c *Column) error {
			if !c.Order.valid() {
				return fmt.Errorf("the order of dates %q is not known", c.Order)
			}
			return nil
		},
		value: func(c *Column, x cell) (float64, bool) {
			if x.isNumber() {
				return 0, false
			}
			return c.Order.date(x.text)
		},
		wrong: func(c *Column, text string) string {
			form, where := "such as 2024-12-31 or 2024-12-31T23:59:00Z", ""
			if c.Order != "" {
				form, where = string(c.Order), ", as the column had in the training"
			}
			return fmt.Sprintf("%s is no date %s%s; correct or remove it", quote.Field([]byte(text)), form, where)
		},
		describe: func(c *Column) string {
			order := ""
			if c.Order != "" {
				order = fmt.Sprintf(" (%s)", c.Order)
			}
			return fmt.Sprintf("date%s, %s to %s, in days", order, day(c.Low), day(c.High))
		},
		text: func(_ *Column, v float64) string { return day(v) },
	}
}

// mostlyDates doubts a column of dates and others, or of dates in an order that cannot be told.
func mostlyDates(q *question) (bool, error) {
	category, ignore := q.option("Category"), q.option("Ignore")
	_, ambiguous := q.nonNumeric.dateOrder()
	switch {
	case 2*q.nonNumeric.Of[Date] < q.present:
		return false, nil
	case q.nonNumeric.Of[Date] == q.present && ambiguous:
		return q.fail(q.nonNumeric.First, "its dates may be of two orders", "%s may be day/month/year or month/day/year, and no date of the column tells; write 2024-12-31, or give %s or %s", q.first(), category, ignore)
	case q.nonNumeric.Of[Date] == q.present:
		return q.fail(q.nonNumeric.First, "its dates are of several orders", "the column mixes orders of day, month and year, such as %s; write 2024-12-31 everywhere, or give %s or %s", q.first(), category, ignore)
	case q.nonNumeric.Strange == nil:
		return q.fail(q.nonNumeric.First, "not all of its values are dates", "most of the column are dates such as %s, but there are numbers too; correct them, or give %s or %s", q.first(), category, ignore)
	}
	return q.fail(q.nonNumeric.Strange, "not all of its values are dates", "%s is no date such as 2024-12-31, but most of the column are; correct it, or give %s or %s", quote.Field([]byte(q.nonNumeric.Strange.Text)), category, ignore)
}

// DateOrder is how the dates of a column are written: "" is ISO 8601.
type DateOrder string

// The orders of days, months and years between slashes, points or hyphens, the year
// with four digits, and with a time behind a blank or not.
const (
	DayFirst   DateOrder = "d/m/y"
	MonthFirst DateOrder = "m/d/y"
	YearFirst  DateOrder = "y/m/d"

	noDates DateOrder = "none"
)

func (o DateOrder) valid() bool {
	return o == "" || o == DayFirst || o == MonthFirst || o == YearFirst
}

// date reads a date of this order, as days since 1970-01-01 UTC.
func (o DateOrder) date(s string) (days float64, ok bool) {
	if o == "" {
		return date(s)
	}
	parts, clock, ok := dateParts(s)
	if !ok || (len(parts[0]) == 4) != (o == YearFirst) {
		return 0, false
	}
	y, m, d := parts[2], parts[1], parts[0]
	switch o {
	case MonthFirst:
		m, d = d, m
	case YearFirst:
		y, d = d, y
	}
	for len(m) < 2 {
		m = "0" + m
	}
	for len(d) < 2 {
		d = "0" + d
	}
	return date(y + "-" + m + "-" + d + clock)
}

// dateParts splits a date at its slashes, points or hyphens into three numbers, the
// first or last of four digits and the others of one or two, and what follows behind
// a blank or T.
func dateParts(s string) (parts [3]string, clock string, ok bool) {
	if at := strings.IndexAny(s, " T"); at >= 0 {
		s, clock = s[:at], s[at:]
	}
	for _, separator := range []string{"/", ".", "-"} {
		split := strings.Split(s, separator)
		if len(split) != len(parts) {
			continue
		}
		years := 0
		for k, part := range split {
			if _, err := strconv.ParseUint(part, 10, 16); err != nil || len(part) > 2 && (len(part) != 4 || k == 1) {
				return parts, clock, false
			}
			if len(part) == 4 {
				years++
			}
			parts[k] = part
		}
		return parts, clock, years == 1
	}
	return parts, clock, false
}

// looksLikeDate reports whether a word is a date in some order.
func looksLikeDate(s string) bool {
	return slices.ContainsFunc(dateOrders[:], func(o DateOrder) bool {
		_, ok := o.date(s)
		return ok
	})
}

// dateOrders are the orders that are tried, ISO 8601 first.
var dateOrders = [...]DateOrder{"", DayFirst, YearFirst, MonthFirst}

// dateOrder returns the one order in which all words are dates, else noDates, and
// whether there are two such orders. With points between the day comes first.
func (t *wordTally) dateOrder() (order DateOrder, ambiguous bool) {
	order = noDates
	for k, o := range dateOrders {
		switch {
		case t.Rows == 0 || t.NoDate[k]:
		case o == "":
			return o, false
		case order == noDates:
			order = o
		case order == DayFirst && !t.NoPoint: // never the month
		default:
			return noDates, true
		}
	}
	return order, false
}

const secondsPerDay = 86400

// date reads a date of ISO 8601, YYYY-MM-DD, or a date and a time with T or a
// blank between. A time is hh:mm, hh:mm:ss or has a fraction of the second. Behind it
// is Z, ±hh, ±hhmm, ±hh:mm, " UTC" (BigQuery's) or nothing, which is UTC. It returns days since 1970-01-01 UTC.
func date(s string) (days float64, ok bool) {
	const layout = "2006-01-02"
	if len(s) < len(layout) || s[4] != '-' || s[7] != '-' {
		return 0, false
	}
	whole, err := time.Parse(layout, s[:len(layout)])
	if err != nil {
		return 0, false
	}
	days = float64(whole.Unix()) / secondsPerDay
	s = s[len(layout):]
	if s == "" {
		return days, true
	}
	if s[0] != 'T' && s[0] != ' ' {
		return 0, false
	}
	text, named := strings.CutSuffix(s[1:], " UTC")
	clock, zone := text, ""
	if at := strings.IndexAny(clock, "Z+-"); at >= 0 {
		clock, zone = clock[:at], clock[at:]
	}
	if named && zone != "" {
		return 0, false
	}
	form := "15:04:05" // takes a fraction too
	if len(clock) == len("15:04") {
		form = "15:04"
	}
	switch len(zone) {
	case 0:
	case len("Z"), len("+07"):
		form += "Z07"
	case len("+0700"):
		form += "Z0700"
	default:
		form += "Z07:00"
	}
	t, err := time.Parse(form, text)
	if err != nil {
		return 0, false
	}
	midnight := time.Date(0, 1, 1, 0, 0, 0, 0, time.UTC) // of the day that a clock alone is read as
	return days + t.Sub(midnight).Seconds()/secondsPerDay, true
}

// moment writes days since 1970-01-01 as a date with its time to the second.
func moment(days float64) string {
	return time.Unix(int64(math.Round(days*secondsPerDay)), 0).UTC().Format("2006-01-02 15:04:05")
}

// day writes days since 1970-01-01 as a date.
func day(days float64) string {
	return time.Unix(int64(math.Floor(days))*secondsPerDay, 0).UTC().Format("2006-01-02")
}
