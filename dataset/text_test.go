package dataset

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// Of too many words those in the most rows are taken.
func TestVocabularyIsCapped(t *testing.T) {
	texts := make([]strings.Builder, 10)
	for k := range mostWords + 100 {
		rows := 2
		if k >= mostWords-50 { // the last 150
			rows = 3
		}
		for i := range rows {
			fmt.Fprintf(&texts[i], " w%06d", k)
		}
	}
	words, idf, err := vocabulary(nil, len(texts), func(yield func(string) bool) {
		for i := range texts {
			if !yield(texts[i].String()) {
				return
			}
		}
	}, eachWord)
	if err != nil || len(words) != mostWords || len(idf) != mostWords || !slices.IsSorted(words) {
		t.Fatalf("%d words", len(words))
	}
	if words[0] != "w000000" || words[mostWords-151] != fmt.Sprintf("w%06d", mostWords-151) || words[mostWords-150] != fmt.Sprintf("w%06d", mostWords-50) {
		t.Errorf("words %s … %s, %s", words[0], words[mostWords-151], words[mostWords-150])
	}
}
