package cli

import (
	"testing"
)

func TestEditDistance(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"", "abc", 3}, {"abc", "abc", 0}, {"abc", "ABD", 1}, {"ab", "ba", 1}, {"train", "trian", 1}, {"kitten", "sitting", 3}, {"γ", "g", 1}} {
		if got, back := editDistance(c.a, c.b), editDistance(c.b, c.a); got != c.want || back != c.want {
			t.Errorf("%q to %q: %d and %d, want %d", c.a, c.b, got, back, c.want)
		}
	}
}

func TestQuoted(t *testing.T) {
	for word, want := range map[string]string{"": "''", "a.csv": "a.csv", "a b": "'a b'", "it's": `'it'\''s'`, "$x": "'$x'", "~": "'~'", "é": "'é'", "€": "'€'", "A=0.3,B=0.7": "A=0.3,B=0.7"} {
		if got := Quoted(word); got != want {
			t.Errorf("%s is quoted as %s, want %s", word, got, want)
		}
	}
}
