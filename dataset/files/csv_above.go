package files

import (
	"fmt"
	"slices"
	"strings"

	"lapsvm/dataset"
	"lapsvm/dataset/internal/number"
)

// mayBeAbove reports whether the first fields of a table may be a header with gaps or without a name for the names of rows, or a title.
func (s *source) mayBeAbove(fields [][]byte, o Options) bool {
	return s.set == nil && o.Header != HeaderNo && slices.ContainsFunc(fields, func(f []byte) bool { return !isNumber(f) })
}

// isNumber reports whether a field is a number, which no name of a column is.
func isNumber(field []byte) bool {
	_, err := number.ParseBytes(field)
	return err == nil && !number.Common(string(field))
}

// rowsAhead returns the fields of some rows to come, whatever their width.
func (s *source) rowsAhead(comma byte, quotes bool) (rows [][]string, err error) {
	const most, field = 20, 32 // rows; bytes with a short text
	err = s.lookAhead(comma, quotes, func(fields [][]byte) error {
		if len(rows) == most {
			return errEnough
		}
		if err := s.Take(field*len(fields), "the first rows"); err != nil {
			return err
		}
		var row []string
		for _, f := range fields {
			row = append(row, string(f))
		}
		rows = append(rows, row)
		return nil
	})
	if err == errEnough {
		err = nil
	}
	return rows, err
}

// isAbove returns which column has no name, from 0, where a header is a field shorter than the rows. It is the last column where all rows
// end in a separator. It is the first where rows begin with their names, as R writes tables. Other headers give −1. isAbove refuses lines above a
// table, such as a title, which are shorter than most of the rows ahead. It also refuses what may be a title or R's header, unless o says which.
func (s *source) isAbove(fields [][]byte, ahead [][]string, top int, o Options) (unnamed int, err error) {
	width, rows := 0, 0 // of most rows, and how many these are
	count := map[int]int{}
	for _, row := range ahead {
		if count[len(row)]++; count[len(row)] > rows {
			width, rows = len(row), count[len(row)]
		}
	}
	first := slices.IndexFunc(ahead, func(row []string) bool { return len(row) == width })
	if width <= len(fields) || 2*rows <= len(ahead) || rows < 2 {
		return -1, nil
	}
	var otherwise dataset.Message
	if width == len(fields)+1 && rows == len(ahead) && !slices.ContainsFunc(fields, isNumber) {
		if !slices.ContainsFunc(ahead, func(row []string) bool { return row[width-1] != "" }) {
			return width - 1, nil
		}
		seen := map[string]bool{}
		for _, row := range ahead {
			seen[row[0]] = true
		}
		if len(seen) == len(ahead) {
			if o.Header == HeaderYes || !belowTitle(ahead) {
				return 0, nil
			}
			otherwise = dataset.Messagef("; if it is a header and each row begins with its name, give %s", dataset.Option{Name: "Header", Value: string(HeaderYes)})
		}
	}
	return -1, s.Errorf(top, 0, "the line has %s, but most below it have %d: if it is a title, give %s%s", fieldsOf(len(fields)), width, dataset.Option{Name: "SkipLines", Value: top + first}, otherwise)
}

// belowTitle reports whether rows that begin with different fields look like a table of their own rather than like rows after their names. Then
// the first row has words alone, of which none comes again, or a word above numbers; or the rows begin with decimals.
func belowTitle(rows [][]string) bool {
	isValue := func(s string) bool {
		_, err := number.Parse(s)
		return err == nil && !number.Missing(s) || number.DecimalComma(s)
	}
	names := 0
	for c, s := range rows[0] {
		if isValue(s) || number.Missing(s) {
			continue
		}
		numbers, words, again := 0, 0, false // below it
		for _, row := range rows[1:] {
			switch {
			case isValue(row[c]):
				numbers++
			case !number.Missing(row[c]):
				words++
			}
			again = again || row[c] == s
		}
		if numbers > 0 && words == 0 {
			return true
		}
		if !again {
			names++
		}
	}
	return names == len(rows[0]) || slices.ContainsFunc(rows, func(row []string) bool { return isValue(row[0]) && strings.ContainsAny(row[0], ".,") })
}

func fieldsOf(n int) string {
	if n == 1 {
		return "1 field"
	}
	return fmt.Sprintf("%d fields", n)
}
