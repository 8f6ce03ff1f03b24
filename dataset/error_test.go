package dataset

import (
	"strings"
	"testing"
)

// A message names options as Go code, or as a program words them, also inside
// another message; what its arguments point to may change later.
func TestMessage(t *testing.T) {
	text := []byte("spent")
	inner := Messagef("column %q: give %s or %s", text, Option{Name: "Ignore", Value: []string{"a b", "2"}}, Option{Name: "Label"})
	e := &Error{File: "a.csv", Line: 3, Col: 1, Msg: Messagef("%s; else raise %s", inner, Option{Name: "Features", Value: 7})}
	copy(text, "XXXXX")
	if got, want := e.Error(), `a.csv:3:1: column "spent": give Options{Ignore: []string{"a b", "2"}} or Options.Label; else raise Options{Features: 7}`; got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
	flags := func(o Option) string { return "--" + strings.ToLower(o.Name) }
	if got, want := e.Words(flags), `a.csv:3:1: column "spent": give --ignore or --label; else raise --features`; got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
	if plain := Messagef("%d %% of %s", 7, "it"); plain.Error() != "7 % of it" || plain.Words(flags) != "7 % of it" {
		t.Errorf("%q", plain)
	}
}
