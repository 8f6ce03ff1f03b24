package tokens

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
)

// roberta returns a tokenizer of the RoBERTa family. Byte b has the number b, and the merge k 256 + k.
func roberta(t *testing.T, normaliser string, merges any) string {
	t.Helper()
	vocabulary := map[string]int{"<s>": 1000, "</s>": 1001, "<mask>": 1002}
	for b, r := range bytesAsRunes() {
		vocabulary[string(r)] = b
	}
	spelt, err := json.Marshal(merges)
	if err != nil {
		t.Fatal(err)
	}
	var all []bytePair
	if err := json.Unmarshal(spelt, &all); err != nil {
		t.Fatal(err)
	}
	for k, pair := range all {
		vocabulary[pair[0]+pair[1]] = 256 + k
	}
	vocab, err := json.Marshal(vocabulary)
	if err != nil {
		t.Fatal(err)
	}
	return `{"truncation":{"max_length":9},"added_tokens":[{"id":1002,"content":"<mask>"}],"normalizer":` + normaliser + `,
"pre_tokenizer":{"type":"ByteLevel","add_prefix_space":false,"trim_offsets":true},
"post_processor":{"type":"RobertaProcessing","sep":["</s>",1001],"cls":["<s>",1000],"trim_offsets":true,"add_prefix_space":false},
"model":{"type":"BPE","unk_token":null,"continuing_subword_prefix":"","end_of_word_suffix":"","vocab":` + string(vocab) + `,"merges":` + string(spelt) + `}}`
}

func TestBytePairs(t *testing.T) {
	merges := []string{"l o", "Ġ lo", "lo w", "e r", "Ã ©"} // 256 …
	text := roberta(t, "null", merges)
	for name, c := range map[string]struct {
		file string
		want map[string][]int
	}{
		"as it is": {text, map[string][]int{
			"":          {1000, 1001},
			"low":       {1000, 258, 1001},
			" lower":    {1000, 257, 'w', 259, 1001}, // Ġlo is merged before low
			"lower":     {1000, 258, 259, 1001},
			"lolo":      {1000, 256, 256, 1001},
			"é":         {1000, 260, 1001},
			"e\u0301":   {1000, 'e', 0xcc, 0x81, 1001},
			"lo<mask>w": {1000, 256, 1002, 'w', 1001},
			"aaaaaaaaa": {1000, 'a', 'a', 'a', 'a', 'a', 'a', 'a', 1001},
		}},
		"pairs of strings": {roberta(t, "null", [][2]string{{"l", "o"}, {"Ġ", "lo"}}), map[string][]int{" low": {1000, 257, 'w', 1001}}},
		"composed":         {roberta(t, `{"type":"NFC"}`, merges), map[string][]int{"e\u0301": {1000, 260, 1001}}},
		"a blank before":   {strings.Replace(text, `"add_prefix_space":false`, `"add_prefix_space":true`, 1), map[string][]int{"low": {1000, 257, 'w', 1001}, " low": {1000, 257, 'w', 1001}}},
		"words first":      {strings.Replace(text, `"unk_token":null`, `"ignore_merges":true`, 1), map[string][]int{"low": {1000, 258, 1001}}},
		"nothing around":   {strings.Replace(text, `"RobertaProcessing","sep":["</s>",1001],"cls":["<s>",1000]`, `"ByteLevel"`, 1), map[string][]int{"low": {258}}},
	} {
		tokens, err := Read([]byte(c.file))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for text, want := range c.want {
			if got := tokens.Encode(text); !slices.Equal(got, want) {
				t.Errorf("%s: %q has the tokens %d, want %d", name, text, got, want)
			}
		}
	}
}

// Texts are cut as by the regular expression of GPT-2.
func TestWordEnd(t *testing.T) {
	for text, want := range map[string]string{
		"I can't, they'll":     "I| can|'t|,| they|'ll",
		"it's 'S":              "it|'s| '|S",
		"a1 2b":                "a|1| 2|b",
		"  two  blanks ":       " | two| | blanks| ",
		"a\n\n b\tc\n":         "a|\n\n| b|\t|c|\n",
		"$5.00 (x)":            "$|5|.|00| (|x|)",
		"été 二十 ½":             "été| 二十| ½",
		"\u00a0a \u00a0\u00a0": "\u00a0|a| \u00a0\u00a0",
	} {
		var words []string
		for rest := text; rest != ""; {
			end := wordEnd(rest)
			words, rest = append(words, rest[:end]), rest[end:]
		}
		if got := strings.Join(words, "|"); got != want {
			t.Errorf("%q is cut into %q, want %q", text, got, want)
		}
	}
}

// Impossible and unknown settings are refused. So is dropout, whose tokens are by chance.
func TestBytePairsErrors(t *testing.T) {
	text := roberta(t, "null", []string{"l o"})
	for from, to := range map[string]string{
		`"continuing_subword_prefix":""`: `"continuing_subword_prefix":"##"`,
		`"unk_token":null`:               `"dropout":0.1`,
		`"unk_token":nul`:                `"other":nul`,
		`"unk_token":null,`:              `"unk_token":"nothing",`,
		`"type":"ByteLevel"`:             `"type":"UnicodeScripts"`,
		`"normalizer":null`:              `"normalizer":{"type":"Other"}`,
		`"merges":["l o"]`:               `"merges":["l x"]`,
		`["l o"]`:                        `["l o x"]`,
		`"!":33`:                         `"!":-33`,
		`"id":1002`:                      `"id":-2`,
		`"max_length":9`:                 `"max_length":2`,
		`{"max_length":9}`:               `{"max_length":9,"stride":7}`,
		`{"max_length":9`:                `{"max_length":9,"strategy":"OnlySecond"`,
		`{"max_length"`:                  `{"direction":"Up","max_length"`,
		`{"truncation"`:                  `{"version":"2.0","truncation"`,
		`"added_tokens"`:                 `"more":1,"added_tokens"`,
		`"content":"<mask>"`:             `"content":"<s>"`,
		`{"id":1002,"content":"<mask>"}`: `{"id":1002,"content":"<mask>"},{"id":1004,"content":"<more>"}`,
		`,"content":"<mask>"}`:           `,"content":"<mask>"},{"id":1002,"content":"<mask>","normalized":true},{"id":1003,"content":"<mask>"}`,
	} {
		if !strings.Contains(text, from) {
			t.Fatal(from)
		}
		if _, err := Read([]byte(strings.Replace(text, from, to, 1))); err == nil {
			t.Errorf("%s is read", to)
		}
	}
}

// A pair of pieces merges where it is the leftmost of the lowest rank, also where another merge made it.
func TestMergesByRank(t *testing.T) {
	tokens, err := Read([]byte(`{"model":{"type":"BPE","vocab":{"a":0,"b":1,"ab":2,"aba":3,"abab":4},"merges":[["ab","a"],["a","b"],["ab","ab"]]}}`))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := tokens.Encode("abab"), []int{3, 1}; !slices.Equal(got, want) { // tokenizers 0.23.2
		t.Errorf("abab has the tokens %d, want %d", got, want)
	}
}
