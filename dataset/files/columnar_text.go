package files

import (
	"math"
	"strconv"
	"time"

	"lapsvm/dataset"
	"lapsvm/dataset/internal/number"
)

// mostNamed is the number of features up to which each is written as a column.
const mostNamed = 1000

// columnNames returns the name of the label column, and whether each feature is
// a column.
func columnNames(d *dataset.Dataset) (label string, named bool) {
	if label = labelName(d); label == "" {
		label = "label"
	}
	named = d.Features != nil && len(d.Features) <= mostNamed
	seen := map[string]bool{"": true, label: true}
	for _, name := range d.Features {
		named = named && !seen[name]
		seen[name] = true
	}
	if !named && label == vectorKey {
		label = "label"
	}
	return label, named
}

const secondsPerDay = 86400

// How the values of typed columns become text.

func appendFloat(to []byte, v float64) []byte { return strconv.AppendFloat(to, v, 'g', -1, 64) }

func appendDay(to []byte, t time.Time) []byte { return t.UTC().AppendFormat(to, "2006-01-02") }

func appendTime(to []byte, t time.Time) []byte {
	return t.UTC().AppendFormat(to, "2006-01-02T15:04:05.999999999Z")
}

// appendWord appends a text as JSON has it. Bytes that are not UTF-8 stay, so that they are told.
func appendWord(to, text []byte) []byte {
	const digits = "0123456789abcdef"
	to = append(to, '"')
	for _, c := range text {
		switch {
		case c == '"' || c == '\\':
			to = append(to, '\\', c)
		case c < ' ':
			to = append(to, '\\', 'u', '0', '0', digits[c>>4], digits[c&15])
		default:
			to = append(to, c)
		}
	}
	return append(to, '"')
}

// appendLabel appends a number as the name of a class; NaN is none.
func appendLabel(to []byte, v float64) []byte {
	if math.IsNaN(v) {
		return to
	}
	return append(to, number.Format(v)...)
}
