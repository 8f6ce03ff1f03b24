package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"sync/atomic"
	"unicode"
	"unicode/utf8"

	"golang.org/x/term"

	"lapsvm/internal/system/atomicfile"
	"lapsvm/internal/system/fault"
)

// results is standard output. It keeps its first failure and takes nothing more after it.
// Commands therefore need not check every line that they print.
type results struct {
	w     io.Writer
	err   error
	begun atomic.Bool // something was written, in whole or in part
}

func (r *results) Write(b []byte) (int, error) {
	if r.err != nil {
		return 0, r.err
	}
	r.begun.Store(true)
	n, err := r.w.Write(b)
	if err != nil {
		var in *fs.PathError
		if errors.As(err, &in) {
			err = in.Err
		}
		r.err = fault.Errorf("standard output cannot be written (%w): check what it goes to, and the space left", err)
	}
	return n, r.err
}

// Table returns standard output for a table, which is the whole result of a command until ctx is
// done. It fails where standard output is closed.
func (p *Program) Table(ctx context.Context) (io.Writer, error) {
	if isClosed(p.Stdout) {
		return nil, fault.Errorf("standard output is closed, and the result would be lost: give a file by -o, or > /dev/null to drop it")
	}
	return atomicfile.Until(ctx, p.Stdout), nil
}

// people is a terminal or a log, the destination of text for people. Control sequences are shown
// as escapes, so that names from a file cannot control a terminal.
type people struct{ w io.Writer }

func (p people) Write(b []byte) (int, error) {
	if _, err := io.WriteString(p.w, visible(string(b))); err != nil {
		return 0, err
	}
	return len(b), nil
}

// visible returns text with some characters as escapes of Go, so that it cannot control a
// terminal. These are control characters except line ends and tabs, characters that change the
// direction of writing, and bytes that are not UTF-8.
func visible(text string) string {
	steers := func(r rune) bool {
		return unicode.IsControl(r) && r != '\n' && r != '\t' || unicode.Is(unicode.Bidi_Control, r)
	}
	if utf8.ValidString(text) && !strings.ContainsFunc(text, steers) {
		return text
	}
	var b strings.Builder
	for len(text) > 0 {
		r, size := utf8.DecodeRuneInString(text)
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&b, `\x%02x`, text[0])
		case steers(r) && r < 0x80:
			fmt.Fprintf(&b, `\x%02x`, r)
		case steers(r):
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
		text = text[size:]
	}
	return b.String()
}

// fileOf returns the file that a writer writes to, or nil.
func fileOf(w io.Writer) *os.File {
	switch w := w.(type) {
	case *os.File:
		return w
	case *results:
		return fileOf(w.w)
	case people:
		return fileOf(w.w)
	}
	return nil
}

func isTerminal(w io.Writer) bool {
	file := fileOf(w)
	return file != nil && term.IsTerminal(int(file.Fd()))
}

// width is the number of columns of a terminal, 0 where w is none.
func width(w io.Writer) int {
	if file := fileOf(w); file != nil {
		if width, _, err := term.GetSize(int(file.Fd())); err == nil {
			return max(width, 0)
		}
	}
	return 0
}
