// Package fault makes errors of a fault and its advice: what is wrong, and what to do. Those that a
// caller can act on have a name.
//
// A format reads "what is wrong: do this" or "what is wrong; do this". The advice begins with the first
// word behind a colon or semicolon that is among the imperatives.
package fault

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Option is a setting that a message advises. A program that has another name for it, such as a flag,
// words the message by [Message.Words].
type Option struct {
	In    string // where the name is: Recipe, for one; "" stands for the options of reading
	Name  string // of the field
	Value any    // to set it to, of the field's type; nil leaves it to the reader
}

// String words an option as Go code: Options.Label, or with a value
// Options{Label: "kind"}.
func (o Option) String() string {
	in := cmp.Or(o.In, "Options")
	if o.Value == nil {
		return in + "." + o.Name
	}
	return fmt.Sprintf("%s{%s: %#v}", in, o.Name, o.Value)
}

// Message is a text for people: what is wrong, and what to do. It may name options. As an error on
// its own it tells of wrong use.
type Message struct {
	name   Name   // may be ""
	text   string // with the options as Go code, and a mark before the advice
	format string // how to make another text; unused where no option is named
	args   []any
	cause  error // of %w; may be nil
}

// mark is before the advice in texts and formats.
const mark = "\x1f"

// Errorf is fmt.Errorf for an error that keeps its advice apart.
func Errorf(format string, args ...any) error { return Name("").Errorf(format, args...) }

// fault is a message that is equal to itself alone, as an error of package errors is.
type fault struct{ message Message }

func (f *fault) Error() string { return f.message.Error() }

func (f *fault) Unwrap() []error { return f.message.Unwrap() }

func (f *fault) Fault() Message { return f.message }

// Fault returns the message, as the errors that hold one do.
func (m Message) Fault() Message { return m }

// Messagef formats a message as fmt.Errorf does. Arguments that are an [Option],
// or an error with options in it, can be put in other words later; they are
// formatted by %s. Of texts that a file holds a message shows the beginning alone.
func Messagef(format string, args ...any) Message { return Name("").Messagef(format, args...) }

// Messagef is the package's Messagef with a name.
func (n Name) Messagef(format string, args ...any) Message {
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
	m := Message{name: n, format: marked(format)}
	err := fmt.Errorf(m.format, m.with(args, Option.String)...)
	m.text = err.Error()
	switch err.(type) {
	case interface{ Unwrap() error }, interface{ Unwrap() []error }:
		m.cause = err
	}
	options := false
	for _, arg := range args {
		if inner, is := messageOf(arg); is {
			m.name = cmp.Or(m.name, inner.name)
			options = options || inner.args != nil
		} else if _, is := arg.(Option); is {
			options = true
		}
	}
	if options {
		m.args = slices.Clone(args)
		for k, arg := range args {
			if b, ok := arg.([]byte); ok {
				m.args[k] = string(b) // what it points to may be overwritten
			}
		}
	}
	return m
}

// messageOf returns the message that an argument is, or has as its cause.
func messageOf(arg any) (m Message, is bool) {
	var in interface{ Fault() Message }
	if err, is := arg.(error); is && errors.As(err, &in) {
		return in.Fault(), true
	}
	return m, false
}

// marked puts a mark before the advice of a format.
func marked(format string) string {
	for at := range format {
		if rest, is := strings.CutPrefix(format[at:], ": "); is && advises(rest) {
			return format[:at] + mark + format[at:]
		}
		if rest, is := strings.CutPrefix(format[at:], "; "); is && advises(rest) {
			return format[:at] + mark + format[at:]
		}
	}
	return format
}

// advises reports whether a text begins with an imperative.
func advises(text string) bool {
	word := text
	if end := strings.IndexFunc(text, func(r rune) bool { return r < 'A' || r > 'z' }); end >= 0 {
		word = text[:end]
	}
	return strings.Contains(imperatives, " "+word+" ")
}

// imperatives are the words that advice begins with.
const imperatives = " GET POST add allow apply ask begin call cast check choose close compress connect convert copy correct delete " +
	"describe divide double drop end explain export fetch fill for get give if install keep label leave lower " +
	"make mend multiply name open pack put raise read remove rename replace rescale round run save say scale " +
	"see send set shorten sort split spread standardise start take train try unpack use wait write "

// worded is an error in other words.
type worded struct {
	error
	text string
}

func (w worded) Error() string { return w.text }

func (w worded) Unwrap() error { return w.error }

// with returns arguments with their options in words, and marks before their advice.
func (m Message) with(args []any, option func(Option) string) []any {
	args = slices.Clone(args)
	for k, arg := range args {
		if o, is := arg.(Option); is {
			args[k] = option(o)
		} else if _, is := messageOf(arg); is {
			args[k] = worded{arg.(error), render(arg.(error), option)}
		}
	}
	return args
}

// render returns the text of an error with its options in words, and marks before advice.
func render(err error, option func(Option) string) string {
	m, is := messageOf(err)
	if !is {
		return err.Error()
	}
	text := m.text
	if m.args != nil {
		text = fmt.Errorf(m.format, m.with(m.args, option)...).Error()
	}
	return strings.Replace(err.Error(), m.Error(), text, 1)
}

// Error returns the message with its options as Go code.
func (m Message) Error() string { return strings.ReplaceAll(m.text, mark, "") }

// Unwrap returns the name and the cause.
func (m Message) Unwrap() []error {
	var all []error
	if m.name != "" {
		all = append(all, m.name)
	}
	if m.cause != nil {
		all = append(all, m.cause)
	}
	return all
}

// Words returns the message with every option as the function words it.
func (m Message) Words(option func(Option) string) string { return Words(m, option) }

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
	return m.name.Messagef(strings.ReplaceAll(m.format, mark, ""), args...)
}

// Names reports whether the message names an option.
func (m Message) Names(option string) bool {
	return slices.ContainsFunc(m.args, func(arg any) bool {
		if o, is := arg.(Option); is {
			return o.Name == option
		}
		inner, is := messageOf(arg)
		return is && inner.Names(option)
	})
}

// Words returns the text of an error with every option as the function words it. Advice about an option without words, "", is left out.
func Words(err error, option func(Option) string) string {
	return strings.ReplaceAll(sayable(err, option), mark, "")
}

// wordless stands for an option without words.
const wordless = "\x1e"

// sayable is render without the advice that has options without words: alternatives, clauses, or all of it.
func sayable(err error, option func(Option) string) string {
	text := render(err, func(o Option) string { return cmp.Or(option(o), wordless) })
	for dropped := false; ; dropped = true {
		at := strings.Index(text, wordless)
		switch {
		case at < 0 && dropped && !strings.Contains(text, mark): // other advice may be left
			return marked(text)
		case at < 0:
			return text
		}
		from, to := max(strings.LastIndex(text[:at], "; "), strings.LastIndex(text[:at], mark)), len(text)
		if from < 0 {
			from = max(strings.LastIndex(text[:at], ": "), 0)
		}
		if end := strings.Index(text[at:], "; "); end >= 0 {
			to = at + end
		}
		if or := strings.LastIndex(text[from:at], ", or "); or >= 0 { // another alternative goes before
			from += or
		} else if or := strings.Index(text[at:to], ", or "); or >= 0 { // or comes behind
			begin := from + len(text[from:at]) - len(strings.TrimLeft(text[from:at], mark+":; "))
			text = text[:begin] + text[at+or+len(", or "):]
			continue
		}
		if text = text[:from] + text[to:]; from == len(text) { // no advice follows
			text = strings.TrimSuffix(text, mark)
		}
	}
}

// Parts are what an error says, for another program.
type Parts struct {
	Error  string `json:"error" doc:"what is wrong, and what to do"`
	Code   Name   `json:"code,omitempty" doc:"the name of what is wrong, of those that a program can act on"`
	Fault  string `json:"fault" doc:"what is wrong"`
	Advice string `json:"advice,omitempty" doc:"what to do"`
}

// Apart returns the parts of an error, with its options as the function words them.
func Apart(err error, option func(Option) string) Parts {
	text := sayable(err, option)
	p := Parts{Error: strings.ReplaceAll(text, mark, "")}
	errors.As(err, &p.Code)
	p.Fault, p.Advice, _ = strings.Cut(text, mark)
	p.Advice = strings.TrimLeft(strings.ReplaceAll(p.Advice, mark, ""), ":; ")
	return p
}
