package dataset

import "strings"

// NamedRows finds rows by their names. The zero value knows no name.
type NamedRows struct {
	exact map[string]int
	plain map[string]int // names that are whole numbers, without leading zeros
}

// SeveralRows is in place of a row where several are called so.
const SeveralRows = -1

// Add gives a row a name, beside others that it may have. The empty name is none.
func (r *NamedRows) Add(name string, row int) {
	if name == "" {
		return
	}
	if r.exact == nil {
		r.exact, r.plain = make(map[string]int), make(map[string]int)
	}
	r.exact[name] = oneOrSeveral(r.exact, name, row)
	if number, is := withoutZeros(name); is {
		r.plain[number] = oneOrSeveral(r.plain, number, row)
	}
}

func oneOrSeveral(rows map[string]int, name string, row int) int {
	if before, known := rows[name]; known && before != row {
		return SeveralRows
	}
	return row
}

// Called returns the row that is called so, or SeveralRows.
func (r *NamedRows) Called(name string) (row int, known bool) {
	row, known = r.exact[name]
	return row, known
}

// Numbered returns the row whose name is the same whole number, whatever zeros it begins with, or SeveralRows. Programs that take names for numbers lose
// such zeros.
func (r *NamedRows) Numbered(name string) (row int, known bool) {
	if number, is := withoutZeros(name); is {
		row, known = r.plain[number]
	}
	return row, known
}

// withoutZeros returns a whole number without leading zeros. It reports whether the text is one.
func withoutZeros(text string) (number string, is bool) {
	if text == "" || strings.Trim(text, "0123456789") != "" {
		return "", false
	}
	return strings.TrimLeft(text, "0"), true
}
