package fault

import "testing"

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

// The word that is meant begins with the text, or is spelt almost so.
func TestNearest(t *testing.T) {
	for text, want := range map[string]string{"Chrun": "Churn", "churn": "Churn", "ten": "tenure", "tenuer": "tenure", "zzz": "", "": ""} {
		if got := Nearest(text, []string{"state", "tenure", "Churn"}); got != want {
			t.Errorf("%q is taken for %q, want %q", text, got, want)
		}
	}
}
