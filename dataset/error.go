package dataset

import (
	"fmt"
	"strings"

	"lapsvm/internal/system/fault"
)

// Error is a problem of a file or of data: the place, the problem, and advice. Wrong use of the
// package, such as an unknown format, is not an Error, nor is a failure to write.
type Error struct {
	File string  // as it was given to the reader or writer; may be ""
	Line int     // 1-based line of a text file, 0 where there is none
	Col  int     // 1-based column of a table, 1-based byte of a LIBSVM or JSON line, 0 where there is none
	Msg  Message // what is wrong, and what to do
	Err  error   // the cause, already told in Msg; may be nil
}

// Error returns "file:line:col: message", leaving out what is not known.
func (e *Error) Error() string { return e.place() + e.Msg.Error() }

// Words is Error with the options of the message in other words, as
// [Message] has them.
func (e *Error) Words(option func(Option) string) string { return fault.Words(e, option) }

// Unwrap returns the name of the problem and the cause, where there are such.
func (e *Error) Unwrap() []error {
	if e.Err == nil {
		return e.Msg.Unwrap()
	}
	return append(e.Msg.Unwrap(), e.Err)
}

// Fault returns the message.
func (e *Error) Fault() Message { return e.Msg }

// place returns "file:line:col: ", as much of it as is known.
func (e *Error) place() string {
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
	return b.String()
}

// Option is a field of [TableOptions] or of files.Options that a message advises
// to set. A program that has another name for it, such as a flag, words the
// message by its method Words.
type Option = fault.Option

// Message is a text for people: what is wrong, and what to do. It may name options. As an error on
// its own it tells of wrong use.
//
//	Error() string                      with options as Go code
//	Words(func(Option) string) string   with options as the function words them
//	Names(option string) bool           whether it names an option
type Message = fault.Message

// Messagef formats a message as fmt.Errorf does. Arguments that are an [Option], or a Message with
// options in it, can be put in other words later; they are formatted by %s.
func Messagef(format string, args ...any) Message { return fault.Messagef(format, args...) }
