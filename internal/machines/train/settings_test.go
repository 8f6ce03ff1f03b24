package train

import (
	"reflect"
	"slices"
	"strings"
	"testing"
)

// Every setting with a flag takes its default and the words of its help, says them again, and
// refuses other words. No two rows have one name.
func TestSettings(t *testing.T) {
	var keys, flags []string
	for _, s := range Settings() {
		if slices.Contains(keys, s.Key) || s.Flag != "" && slices.Contains(flags, s.Flag) {
			t.Errorf("there are two rows for %s", s.Key)
		}
		keys, flags = append(keys, s.Key), append(flags, s.Flag)
		if s.Flag == "" {
			continue
		}
		d := NewDraft(append(Groups(), ModelGroup)...)
		if text := s.Text(d); s.Default != "" && text != s.Default || s.Auto && text != "auto" {
			t.Errorf("%s is %s by default", s.Key, text)
		}
		if !slices.Contains(append(Groups(), ModelGroup), s.Group) || s.Help == "" {
			t.Errorf("the help has no place for %s, or no words", s.Key)
		}
		for _, word := range s.Words {
			if err := s.Set(d, word); err != nil || s.Text(d) != word {
				t.Errorf("%s %s is %s, %v", s.Key, word, s.Text(d), err)
			}
		}
		if s.Words != nil && !s.More && s.Set(d, "magic") == nil {
			t.Errorf("%s takes anything", s.Key)
		}
	}
}

// A number outside the bounds of its row is refused with the bounds.
func TestBounds(t *testing.T) {
	for _, c := range []struct{ key, text, want string }{
		{"sigma", "0", "must be positive, or auto, not 0"},
		{"gamma_a", "nan", "must be positive"},
		{"gamma_i", "-1", "must not be negative"},
		{"neighbours", "-1", "must be from 0 to 2147483647, or auto, not -1; 0 takes the given edges alone"},
		{"neighbours", "few", `takes a whole number or auto, not "few"`},
		{"edge_weight", "0", "must be positive"},
		{"laplacian_degree", "101", "must be from 1 to 100, or auto, not 101"},
		{"recall_asked", "1.1", "must be positive, and at most 1, not 1.1"},
		{"landmarks", "-1", "must be 0 or more, not -1"},
		{"heat", "wide", `takes a number, not "wide"`},
		{"gamma_a", "1", ""}, {"landmarks", "0", ""}, {"recall_asked", "1", ""},
	} {
		at := slices.IndexFunc(Settings(), func(s Setting) bool { return s.Key == c.key })
		err := Settings()[at].Set(NewDraft(append(Groups(), ModelGroup)...), c.text)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s %s: %v, want %q", c.key, c.text, err, c.want)
		}
	}
}

// A recipe that flags have written has their defaults, and an open kernel where no flag names one.
func TestWritten(t *testing.T) {
	d := NewDraft(Groups()...)
	d.Recipe.Landmarks = 5
	if r, err := d.Written(); err != nil || r.Kernel != nil || r.Landmarks != 5 || r.Seed != 1 || r.Calibrate || !reflect.DeepEqual(r.Graph, NewDraft(Groups()...).Recipe.Graph) {
		t.Errorf("%+v, %v", r, err)
	}
}

// A misspelt word of any setting is answered with the word, whichever road it came by.
func TestMisspeltWords(t *testing.T) {
	asked := 0
	for _, s := range Settings() {
		for _, word := range s.Words {
			const shortest = 5 // letters: others may be near as many words
			if len(word) < shortest {
				continue
			}
			wrong := word + "q"
			err := s.Set(&Draft{}, wrong)
			if err == nil && s.More {
				continue // a name that the data may have
			}
			asked++
			if err == nil || !strings.HasSuffix(err.Error(), ", did you mean "+word) {
				t.Errorf("%s of %q: %v", s.Key, wrong, err)
			}
		}
	}
	if asked == 0 {
		t.Error("no setting has words")
	}
}
