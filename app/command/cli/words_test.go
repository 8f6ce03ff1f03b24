package cli

import (
	"testing"
)

func TestQuoted(t *testing.T) {
	for word, want := range map[string]string{"": "''", "a.csv": "a.csv", "a b": "'a b'", "it's": `'it'\''s'`, "$x": "'$x'", "~": "'~'", "é": "'é'", "€": "'€'", "A=0.3,B=0.7": "A=0.3,B=0.7"} {
		if got := Quoted(word); got != want {
			t.Errorf("%s is quoted as %s, want %s", word, got, want)
		}
	}
}
