package files

import (
	"math"
	"strconv"
	"strings"
	"time"
)

// cellFormat says what a number of a cell is by how it is shown.
type cellFormat int

const (
	plainNumber cellFormat = iota
	asDay
	asTime // with the time of the day
	asClock
	asDuration
)

// builtInFormat returns the code of a format that files do not spell out; only those of dates matter.
// Source: ECMA-376, part 1, 18.8.30.
func builtInFormat(id int) string {
	switch {
	case id >= 14 && id <= 17, id >= 27 && id <= 31, id == 36, id >= 50 && id <= 54, id >= 57 && id <= 58:
		return "yyyy-mm-dd"
	case id == 22:
		return "yyyy-mm-dd h:mm"
	case id >= 18 && id <= 21, id >= 32 && id <= 35, id == 45, id == 47, id >= 55 && id <= 56:
		return "h:mm:ss"
	case id == 46:
		return "[h]:mm:ss"
	}
	return "General"
}

// cellFormatOf returns what a number is by the code of its format: by the letters that are in no quotes, brackets and
// escapes of its first section.
func cellFormatOf(code string) cellFormat {
	day, clock := false, false
	code = strings.ToLower(code)
	if code == "general" || code == "standard" || code == "@" {
		return plainNumber
	}
	for k := 0; k < len(code); k++ {
		switch c := code[k]; c {
		case '"':
			end := strings.IndexByte(code[k+1:], '"')
			if end < 0 {
				return formatOfParts(day, clock)
			}
			k += end + 1
		case '\\', '_', '*':
			k++
		case '[':
			end := strings.IndexByte(code[k:], ']')
			if end < 0 {
				return formatOfParts(day, clock)
			}
			if inner := code[k+1 : k+end]; inner != "" && strings.Trim(inner, string(inner[0])) == "" && strings.ContainsAny(inner, "hms") {
				return asDuration
			}
			k += end
		case ';':
			return formatOfParts(day, clock)
		case 'd', 'y':
			day = true
		case 'h', 's':
			clock = true
		case 'm':
			if !clock && !strings.ContainsAny(code, "hs") {
				day = true
			}
		}
	}
	return formatOfParts(day, clock)
}

func formatOfParts(day, clock bool) cellFormat {
	switch {
	case day && clock:
		return asTime
	case day:
		return asDay
	case clock:
		return asClock
	}
	return plainNumber
}

// dateText returns a number of days as text, rounded to milliseconds; from are the days of 1970. false is for
// what is no date.
func dateText(days float64, f cellFormat, from int) (string, bool) {
	const (
		perDay = 24 * 60 * 60 * 1000
		last   = 2958466 // the year 10000
		leap   = 60      // the day that Excel has more than the calendar
	)
	if f == asDuration {
		return strconv.FormatFloat(math.Round(days*perDay)/1000, 'f', -1, 64), true
	}
	if days < 0 || days >= last {
		return "", false
	}
	if f == asClock && days < 1 {
		return time.UnixMilli(int64(math.Round(days * perDay))).UTC().Format("15:04:05.999"), true
	}
	if from == 25569 && days < leap {
		days++
	}
	ms := int64(math.Round((days - float64(from)) * perDay))
	t := time.UnixMilli(ms)
	if f == asDay && ms%perDay == 0 {
		return string(appendDay(nil, t)), true
	}
	return string(appendTime(nil, t)), true
}
