package dataset

import (
	"fmt"
	"strings"
)

// Error is something wrong with a file or with data: where, what, and what to
// do about it. Wrong use of the package, such as an unknown format, is not an
// Error, nor is a failure to write.
type Error struct {
	File string // as it was given to the reader or writer; may be ""
	Line int    // 1-based line of a text file, 0 where there is none
	Col  int    // 1-based column of a table, 1-based byte of a LIBSVM or JSON line, 0 where there is none
	Msg  string // what is wrong, and what to do
	Err  error  // the cause, already told in Msg; may be nil
}

// Error returns "file:line:col: message", leaving out what is not known.
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString(e.File)
	if e.Line > 0 {
		fmt.Fprintf(&b, ":%d", e.Line)
		if e.Col > 0 {
			fmt.Fprintf(&b, ":%d", e.Col)
		}
	}
	if b.Len() > 0 {
		b.WriteString(": ")
	}
	b.WriteString(e.Msg)
	return b.String()
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// shown quotes what a file holds for an error message, cut to a readable length.
func shown(text []byte) string {
	const most = 40
	if len(text) > most {
		return fmt.Sprintf("%.*q…", most, text)
	}
	return fmt.Sprintf("%q", text)
}
