package train

import (
	"encoding/json"
	"slices"
	"testing"
)

// Names of descriptions go through their text and through JSON, whatever their columns are called.
func TestDescriptionsText(t *testing.T) {
	for _, names := range [][]string{{"hog"}, {"numbers", "latent"}, {"latent:a, b", "numbers", "latent:the \"c\""}, {"vectors:x\ny"}} {
		by := DescribedBy(names...)
		if got := by.Names(); !slices.Equal(got, names) {
			t.Errorf("%q: the names %q", by, got)
		}
		if err := by.check(); err != nil {
			t.Errorf("%q: %v", by, err)
		}
		d := descriptions(by)
		text, err := json.Marshal(&d)
		if err != nil {
			t.Fatal(err)
		}
		var again descriptions
		if err := json.Unmarshal(text, &again); err != nil || again != d {
			t.Errorf("%s: read as %q (%v)", text, again, err)
		}
	}
}
