package train

import (
	"strings"
	"testing"
)

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
