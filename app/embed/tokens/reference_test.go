package tokens

import (
	"encoding/json"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
)

// reference is what testdata/record.js wrote: files, texts, and the tokens that the library tokenizers makes of them.
type reference struct {
	Texts  []string
	Added  map[string]json.RawMessage
	Models map[string]map[string]any
	Cases  []struct {
		Name, Model string
		Asks        map[string]any // of the file
		Model_asks  map[string]any // of its model, besides
		IDs         [][]int
	}
}

func readReference(t testing.TB) (r reference) {
	text, err := os.ReadFile("testdata/reference.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &r); err != nil {
		t.Fatal(err)
	}
	return r
}

// file returns the tokenizer.json of case k.
func (r reference) file(t testing.TB, k int) []byte {
	c := r.Cases[k]
	model := maps.Clone(r.Models[c.Model])
	maps.Copy(model, c.Model_asks)
	all := map[string]any{"version": "1.0", "added_tokens": r.Added[c.Model], "model": model}
	maps.Copy(all, c.Asks)
	text, err := json.Marshal(all)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// Tokens are those of the library tokenizers 0.23.2, whatever a file asks for: texts of ten scripts, blanks, controls, marks and added tokens.
func TestReference(t *testing.T) {
	r := readReference(t)
	for k, c := range r.Cases {
		tokens, err := Read(r.file(t, k))
		if err != nil {
			t.Errorf("%s: %v", c.Name, err)
			continue
		}
		for j, text := range r.Texts {
			if got := tokens.Encode(text); !slices.Equal(got, c.IDs[j]) {
				t.Errorf("%s: %q has the tokens\n%d, not\n%d", c.Name, text, got, c.IDs[j])
			}
		}
	}
	if len(r.Cases) < 40 || len(r.Texts) < 25 {
		t.Errorf("%d cases of %d texts", len(r.Cases), len(r.Texts))
	}
}

// A model that does not say its type is what it has the parts of.
func TestWithoutType(t *testing.T) {
	r := readReference(t)
	for k, c := range r.Cases {
		delete(r.Models[c.Model], "type")
		tokens, err := Read(r.file(t, k))
		if err != nil {
			t.Errorf("%s: %v", c.Name, err)
			continue
		}
		if got := tokens.Encode(r.Texts[2]); !slices.Equal(got, c.IDs[2]) {
			t.Errorf("%s: %q has the tokens %d, not %d", c.Name, r.Texts[2], got, c.IDs[2])
		}
	}
}

// A giant word takes about as long as many small ones, whatever the model.
func TestGiantWord(t *testing.T) {
	r := readReference(t)
	giant := strings.Repeat("lower", 100_000)
	for k, c := range r.Cases {
		if c.Model_asks = map[string]any{}; c.Model == "wordpiece" {
			c.Model_asks["max_input_chars_per_word"] = 1 << 31
		}
		c.Asks = nil
		if r.Cases[k] = c; k > 0 && r.Cases[k-1].Model == c.Model {
			continue
		}
		tokens, err := Read(r.file(t, k))
		if err != nil {
			t.Fatal(err)
		}
		if got := tokens.Encode(giant); c.Model != "words" && len(got) != mostTokens {
			t.Errorf("%s: %d tokens", c.Model, len(got))
		}
	}
}

// No file and no text makes the package panic.
func FuzzRead(f *testing.F) {
	r := readReference(f)
	for k := range r.Cases {
		if k%7 == 0 {
			f.Add(r.file(f, k), r.Texts[k%len(r.Texts)])
		}
	}
	f.Fuzz(func(t *testing.T, file []byte, text string) {
		tokens, err := Read(file)
		if err != nil {
			return
		}
		for _, id := range tokens.Encode(text) {
			if id < 0 {
				t.Errorf("the token %d", id)
			}
		}
	})
}
