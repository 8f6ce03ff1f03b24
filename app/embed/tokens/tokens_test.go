package tokens

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// bert is a tokenizer of the BERT family, with a vocabulary of its own.
const bert = `{"truncation":{"max_length":12},"added_tokens":[{"id":1,"content":"[CLS]"},{"id":2,"content":"[SEP]"},{"id":3,"content":"[MASK]"}],
"normalizer":{"type":"BertNormalizer","clean_text":true,"handle_chinese_chars":true,"strip_accents":null,"lowercase":true},
"pre_tokenizer":{"type":"BertPreTokenizer"},
"post_processor":{"type":"TemplateProcessing","single":[{"SpecialToken":{"id":"[CLS]","type_id":0}},{"Sequence":{"id":"A","type_id":0}},{"SpecialToken":{"id":"[SEP]","type_id":0}}],
"special_tokens":{"[CLS]":{"id":"[CLS]","ids":[1]},"[SEP]":{"id":"[SEP]","ids":[2]}}},
"model":{"type":"WordPiece","unk_token":"[UNK]","continuing_subword_prefix":"##","max_input_chars_per_word":20,
"vocab":{"[UNK]":0,"[CLS]":1,"[SEP]":2,"[MASK]":3,"un":4,"##want":5,"##ed":6,"wa":7,"##nt":8,"runn":9,"##ing":10,",":11,"low":12,"lowest":13,"cafe":14,"中":15,"!":16,"$":17,"5":18}}}`

func TestEncode(t *testing.T) {
	tokens, err := Read([]byte(bert))
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string][]int{
		"UNwantéd,running":         {1, 4, 5, 6, 11, 9, 10, 2}, // as the authors' own example has it
		" low \u200blowest\t":      {1, 12, 13, 2},             // the longest piece, without what has no width
		"":                         {1, 2},
		"lower":                    {1, 0, 2}, // no piece for its end
		"café cafe\u0301 CAFÉ":     {1, 14, 14, 14, 2},
		"low中low":                  {1, 12, 15, 12, 2},
		"$5!":                      {1, 17, 18, 16, 2},
		"un[MASK]un":               {1, 4, 3, 4, 2},
		strings.Repeat("low ", 30): {1, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 2},
		strings.Repeat("un", 11):   {1, 0, 2}, // more characters than a word has
		"wa\u00a0un":               {1, 7, 4, 2},
	} {
		if got := tokens.Encode(text); !slices.Equal(got, want) {
			t.Errorf("%q has the tokens %d, want %d", text, got, want)
		}
	}
	cased := strings.Replace(bert, `"lowercase":true`, `"lowercase":false`, 1)
	if tokens, err = Read([]byte(cased)); err != nil {
		t.Fatal(err)
	}
	if got := tokens.Encode("Low café"); !slices.Equal(got, []int{1, 0, 0, 2}) {
		t.Errorf("in upper case and with accents: %d", got)
	}
	from, to := strings.Index(bert, `"post_processor"`), strings.Index(bert, `"model"`)
	old := bert[:from] + `"post_processor":{"type":"BertProcessing","sep":["[SEP]",2],"cls":["[CLS]",1]},` + bert[to:]
	if tokens, err = Read([]byte(old)); err != nil {
		t.Fatal(err)
	}
	if got := tokens.Encode("low"); !slices.Equal(got, []int{1, 12, 2}) {
		t.Errorf("by BertProcessing: %d", got)
	}
}

// What is not known is refused by its name.
func TestReadErrors(t *testing.T) {
	for from, c := range map[string]struct{ to, named string }{
		`"type":"WordPiece"`:                           {`"type":"CharPiece"`, "CharPiece"},
		`"type":"BertNormalizer"`:                      {`"type":"Capitals"`, "Capitals"},
		`"type":"BertPreTokenizer"`:                    {`"type":"UnicodeScripts"`, "UnicodeScripts"},
		`"type":"TemplateProcessing"`:                  {`"type":"RobertaProcessing"`, "RobertaProcessing"},
		`"unk_token":"[UNK]"`:                          {`"unk_token":"<unk>"`, "<unk>"},
		`"lowercase":true`:                             {`"uppercase":true`, "uppercase"},
		`"##ed":6`:                                     {`"##ed":-6`, "##ed"},
		`"continuing_subword_prefix":"##",`:            {"", "continuing_subword_prefix"},
		`"max_input_chars_per_word":20`:                {`"max_input_chars_per_word":-20`, "max_input_chars_per_word"},
		`{"SpecialToken":{"id":"[SEP]","type_id":0}}]`: {`{"SpecialToken":{"id":"[SEP]","type_id":1}}]`, "[SEP]"},
		`{"Sequence":{"id":"A","type_id":0}}`:          {`{"Sequence":{"id":"B","type_id":0}}`, "$A"},
		`"ids":[2]`:                                    {`"ids":[-2]`, "-2"},
		`"model"`:                                      {`"modal":1,"model"`, "modal"},
	} {
		if !strings.Contains(bert, from) {
			t.Fatal(from)
		}
		if _, err := Read([]byte(strings.Replace(bert, from, c.to, 1))); err == nil || !strings.Contains(err.Error(), c.named) {
			t.Errorf("%s: error %v", c.to, err)
		}
	}
	for _, behind := range []string{"x", "{}", "1"} {
		if _, err := Read([]byte(bert + behind)); err == nil {
			t.Errorf("with %q behind it a file is read", behind)
		}
	}
	for _, text := range []string{"", "{", "[]", fmt.Sprintf("%.100s", bert)} {
		if _, err := Read([]byte(text)); err == nil {
			t.Errorf("%q is read", text)
		}
	}
	if _, err := Read([]byte(strings.Replace(bert, `"[SEP]":{"id":"[SEP]","ids":[2]}`, `"X":{"id":"X","ids":[2]}`, 1))); err == nil || !strings.Contains(err.Error(), "[SEP]") {
		t.Errorf("a token without a number: error %v", err)
	}
}

// Of regular expressions and other parts what the package does not know is refused by name.
func TestNotKnown(t *testing.T) {
	for part, named := range map[string]string{
		`"pre_tokenizer":{"type":"Split","pattern":{"Regex":"a(?=b)"},"behavior":"Isolated","invert":false}`: "(?=b",
		`"pre_tokenizer":{"type":"Split","pattern":{"Regex":"a(?!b)"},"behavior":"Isolated","invert":false}`: "(?!b",
		`"pre_tokenizer":{"type":"Split","pattern":{"Regex":"a?+b"},"behavior":"Isolated","invert":false}`:   "possessive",
		`"pre_tokenizer":{"type":"Split","pattern":{"Regex":"\\bb"},"behavior":"Isolated","invert":false}`:   `\b`,
		`"pre_tokenizer":{"type":"Split","pattern":{"Regex":"[^\\S]"},"behavior":"Isolated","invert":false}`: `\S`,
		`"pre_tokenizer":{"type":"Split","pattern":{"Regex":"[a&&b]"},"behavior":"Isolated","invert":false}`: "class in a class",
		`"pre_tokenizer":{"type":"Split","pattern":{"Regex":"a*"},"behavior":"Isolated","invert":false}`:     "match of nothing",
		`"pre_tokenizer":{"type":"Split","pattern":{"Regex":"a{,2}b"},"behavior":"Isolated","invert":false}`: "without a number",
		`"pre_tokenizer":{"type":"Split","pattern":{"Regex":"("},"behavior":"Isolated","invert":false}`:      "not known",
		`"pre_tokenizer":{"type":"Split","pattern":{"String":"a"},"behavior":"Other","invert":false}`:        "Other",
		`"pre_tokenizer":{"type":"Split","pattern":{},"behavior":"Isolated","invert":false}`:                 "pattern",
		`"pre_tokenizer":{"type":"Metaspace","replacement":"▁","prepend_scheme":"last"}`:                     "last",
		`"pre_tokenizer":{"type":"Metaspace","replacement":"▁▁"}`:                                            "▁▁",
		`"normalizer":{"type":"Strip"},"pre_tokenizer":{"type":"Metaspace","prepend_scheme":"first"}`:        "first",
		`"pre_tokenizer":{"type":"FixedLength","length":5}`:                                                  "FixedLength",
		`"normalizer":{"type":"Sequence","normalizers":[{"type":"Other"}]}`:                                  "Other",
		`"normalizer":{"type":"Precompiled","precompiled_charsmap":"AAAA"}`:                                  "cut off",
		`"normalizer":{"type":"Precompiled","precompiled_charsmap":"/////w=="}`:                              "cut off",
		`"normalizer":{"type":"NFC","more":true}`:                                                            "more",
		`"post_processor":{"type":"Other"}`:                                                                  "Other",
	} {
		if _, err := Read([]byte("{" + part + `,"model":{"type":"WordLevel","unk_token":"a","vocab":{"a":0}}}`)); err == nil || !strings.Contains(err.Error(), named) {
			t.Errorf("%s: error %v", part, err)
		}
	}
}
