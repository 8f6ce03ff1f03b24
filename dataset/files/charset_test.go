package files

import (
	"slices"
	"strings"
	"testing"
)

// A letter that the end of the first bytes cuts does not tell the encoding; those before it do.
func TestCutLetterOfCharset(t *testing.T) {
	for head, behind := range map[string]string{"x,label\n": "é\n2,b\n", "x,label\n3,\xe9\n": "\xe9\n2,b\n"} {
		text := head + strings.Repeat("1,b\n", (bufferSize-len(head)-3)/4)
		text += strings.Repeat("0", bufferSize-len(text)-3) + "1," + behind
		if d := mustRead(t, "a.csv", text, Options{}); !slices.Equal(d.Classes, []string{"b", "é"}) {
			t.Errorf("%q: %q", behind, d.Classes)
		}
	}
}
