package fault

import "testing"

// Advice about an option that has no words is left out, and the other advice stays.
func TestWordless(t *testing.T) {
	words := func(o Option) string {
		if o.Name == "Header" {
			return "header=present"
		}
		return ""
	}
	label, header := Option{Name: "Label"}, Option{Name: "Header"}
	for _, c := range []struct {
		err          error
		text, advice string
	}{
		{Errorf("a is no number; correct it; if the column holds the labels, give %s", label), "a is no number; correct it", "correct it"},
		{Errorf("a is no number; correct it; if it holds labels, give %s; if there is a header, give %s", label, header), "a is no number; correct it; if there is a header, give header=present", "correct it; if there is a header, give header=present"},
		{Errorf("it has a decimal comma; write a point, or give %s", label), "it has a decimal comma; write a point", "write a point"},
		{Errorf("a list; give %s, or correct it", label), "a list; correct it", "correct it"},
		{Errorf("none is called so; choose one with %s to %s; if there is a header, give %s", label, label, header), "none is called so; if there is a header, give header=present", "if there is a header, give header=present"},
		{Errorf("nothing is right: give %s", label), "nothing is right", ""},
		{Errorf("row 3: %s; if it holds labels, give %s", "odd; correct it", label), "row 3: odd; correct it", "correct it"},
		{Errorf("row 3: %w", Errorf("odd; drop it, or give %s", label)), "row 3: odd; drop it", "drop it"},
	} {
		if got := Words(c.err, words); got != c.text {
			t.Errorf("%q, want %q", got, c.text)
		}
		if got := Apart(c.err, words); got.Advice != c.advice || got.Error != c.text {
			t.Errorf("%+v, want %q", got, c.advice)
		}
	}
}
