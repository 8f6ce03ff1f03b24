package server

import (
	"strings"
	"testing"
)

// Arrays and objects may be within each other to a bound. One after another they may be many more.
func TestDepth(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		want string // in the error; "" for none
	}{
		"deep":               {strings.Repeat("[", deepest) + strings.Repeat("]", deepest), ""},
		"too deep":           {strings.Repeat("[", deepest+1) + strings.Repeat("]", deepest+1), tooDeep},
		"many":               {"[" + strings.Repeat("[1],", 3*deepest) + "[]]", ""},
		"many objects":       {"[" + strings.Repeat(`{"a":{}},`, 3*deepest) + "{}]", ""},
		"deep behind others": {"[" + strings.Repeat("[],", 3*deepest) + strings.Repeat("[", deepest) + strings.Repeat("]", deepest) + "]", tooDeep},
	} {
		s := &scanner{ctx: t.Context(), body: []byte(c.text)}
		err := s.skip()
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) || err == nil && s.at != len(c.text) {
			t.Errorf("%s: %v after %d of %d bytes", name, err, s.at, len(c.text))
		}
	}
}
