package dataset

import (
	"fmt"
	"slices"
	"strings"
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

// Words is Error with the options of the message in other words, see
// [Message.Words].
func (e *Error) Words(option func(Option) string) string { return e.place() + e.Msg.Words(option) }

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

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
// message by [Message.Words].
type Option struct {
	Name  string // of the field
	Value any    // to set it to, of the field's type; nil leaves it to the reader
}

// String words an option as Go code: Options.Label, or with a value
// Options{Label: "kind"}.
func (o Option) String() string {
	if o.Value == nil {
		return "Options." + o.Name
	}
	return fmt.Sprintf("Options{%s: %#v}", o.Name, o.Value)
}

// Message is a text for people that may name options. As an error on its own it
// tells of wrong use.
type Message struct {
	text   string // with the options as Go code
	format string // how to make another text; unused where no option is named
	args   []any
}

// Messagef formats a message as fmt.Sprintf does. Arguments that are an [Option],
// or a Message with options in it, can be put in other words later; they are
// formatted by %s. Of texts that a file holds a message shows the beginning alone.
func Messagef(format string, args ...any) Message {
	const longest = 4000 // bytes: such texts may have as many as the file
	for k, arg := range args {
		switch text := arg.(type) {
		case string:
			if len(text) > longest {
				args[k] = strings.ToValidUTF8(text[:longest], "") + "…"
			}
		case []byte:
			args[k] = text[:min(len(text), longest)]
		}
	}
	m := Message{text: fmt.Sprintf(format, args...)}
	if slices.ContainsFunc(args, hasOptions) {
		m.format, m.args = format, make([]any, len(args))
		for k, arg := range args {
			if b, ok := arg.([]byte); ok {
				arg = string(b) // what it points to may be overwritten
			}
			m.args[k] = arg
		}
	}
	return m
}

func hasOptions(arg any) bool {
	switch x := arg.(type) {
	case Option:
		return true
	case Message:
		return x.args != nil
	}
	return false
}

// Error returns the message with its options as Go code.
func (m Message) Error() string { return m.text }

// Without returns the message with other words in place of the options for which the function has some.
func (m Message) Without(words func(Option) (string, bool)) Message {
	if m.args == nil {
		return m
	}
	args := slices.Clone(m.args)
	for k, arg := range args {
		switch x := arg.(type) {
		case Option:
			if text, is := words(x); is {
				args[k] = text
			}
		case Message:
			args[k] = x.Without(words)
		}
	}
	return Messagef(m.format, args...)
}

// Names reports whether the message names an option.
func (m Message) Names(option string) bool {
	return slices.ContainsFunc(m.args, func(arg any) bool {
		switch x := arg.(type) {
		case Option:
			return x.Name == option
		case Message:
			return x.Names(option)
		}
		return false
	})
}

// Words returns the message with every option as the function words it.
func (m Message) Words(option func(Option) string) string {
	if m.args == nil {
		return m.text
	}
	args := slices.Clone(m.args)
	for k, arg := range args {
		switch x := arg.(type) {
		case Option:
			args[k] = option(x)
		case Message:
			args[k] = x.Words(option)
		}
	}
	return fmt.Sprintf(m.format, args...)
}
