package server

import (
	"context"
	"log/slog"
	"strings"
	"unicode/utf8"
)

// longestText is how many bytes of JSON the text of a refusal takes at most, and so the texts of
// a line of the log. Text from a client may be repeated in both.
const longestText = 3500

// cut shortens a text to at most the given number of bytes in JSON. A shortened text ends in a
// mark.
func cut(text string, most int) string {
	const mark, escaped = "…", 6
	if len(text) <= most/escaped {
		return text
	}
	size := len(mark)
	for at, r := range text {
		switch {
		case r == '"' || r == '\\' || r == '\n' || r == '\r' || r == '\t':
			size += 2
		case r < ' ' || r == 0x7f || r == '<' || r == '>' || r == '&' || r == utf8.RuneError || r == '\u2028' || r == '\u2029':
			size += escaped
		default:
			size += utf8.RuneLen(r)
		}
		if size > most {
			return strings.ToValidUTF8(text[:at], "") + mark
		}
	}
	return text
}

// brief cuts the texts of a log, so that no line is longer than longestText allows.
type brief struct{ slog.Handler }

func (b brief) Handle(ctx context.Context, r slog.Record) error {
	left := longestText
	part := func(text string) string { // a half of what is left, so that the next has room
		text = cut(text, left/2)
		left -= min(len(text), left/2)
		return text
	}
	short := slog.NewRecord(r.Time, r.Level, part(r.Message), r.PC)
	r.Attrs(func(a slog.Attr) bool {
		if a.Value.Kind() == slog.KindString {
			a.Value = slog.StringValue(part(a.Value.String()))
		}
		short.AddAttrs(a)
		return true
	})
	return b.Handler.Handle(ctx, short)
}

func (b brief) WithAttrs(attrs []slog.Attr) slog.Handler { return brief{b.Handler.WithAttrs(attrs)} }
func (b brief) WithGroup(name string) slog.Handler       { return brief{b.Handler.WithGroup(name)} }
