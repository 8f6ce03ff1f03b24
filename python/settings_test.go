package python_test

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"lapsvm/internal/machines/train"
)

//go:generate go test -run TestParametersAreTheSettings -write .

var write = flag.Bool("write", false, "write the parameters of the estimator by the table of settings")

// The parameters of the estimator that are settings of a recipe are written by the table of settings:
// their lines of the documentation, of the signature and of the body. The other parameters begin with
// time.
func TestParametersAreTheSettings(t *testing.T) {
	const name = "lapsvm/_classifier.py"
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var doc, body strings.Builder
	signature := []string{"self"}
	for _, s := range train.Settings() {
		if s.Flag == "" || s.Hidden || s.Group == train.ModelGroup || slices.Contains([]string{"one_class", "regression", "criterion"}, s.Key) { // a classifier has two classes
			continue
		}
		name, kind := strings.ReplaceAll(s.Flag, "-", "_"), pythonType(s)
		fmt.Fprintf(&doc, "    %s : %s\n", name, inWords(s, kind))
		for _, line := range wrapped(strings.Fields(strings.ReplaceAll(s.Help, "--", "")), " ", 92) {
			fmt.Fprintf(&doc, "        %s\n", line)
		}
		fmt.Fprintf(&body, "        self.%s = %s\n", name, name)
		signature = append(signature, fmt.Sprintf("%s: %s | None = None", name, kind))
		if len(signature) == 2 {
			signature = append(signature, "*") // the rest by keyword
		}
	}
	want := bytes.Clone(text)
	for _, part := range []struct{ from, to, lines string }{
		{"    Parameters\n    ----------\n", "    time : ", doc.String()},
		{"    def __init__(", "time: ", strings.Join(wrapped(signature, ", ", 130), ",\n                 ") + ",\n                 "},
		{") -> None:\n", "        self.time = ", body.String()},
	} {
		before, after, found := bytes.Cut(want, []byte(part.from))
		at := bytes.Index(after, []byte(part.to))
		if !found || at < 0 {
			t.Fatalf("%s has no part from %q to %q", name, part.from, part.to)
		}
		want = []byte(string(before) + part.from + part.lines + string(after[at:]))
	}
	switch {
	case bytes.Equal(text, want):
	case *write:
		err = os.WriteFile(name, want, 0o644)
	default:
		err = fmt.Errorf("%s is not what the table of settings says: run go generate ./python", name)
	}
	if err != nil {
		t.Error(err)
	}
}

// pythonType returns the type of a parameter that is given.
func pythonType(s train.Setting) string {
	switch kind, auto := strings.CutSuffix(s.Type(), "|auto"); {
	case s.List:
		return "str | Sequence[str]"
	case s.More: // classes by name, in a dictionary
		return "str | Mapping[Any, float]"
	case auto:
		return strings.ReplaceAll(kind, "uint", "int") + " | str"
	case kind == "string":
		return "str"
	default:
		return strings.ReplaceAll(kind, "uint", "int")
	}
}

// inWords describes the values of a parameter.
func inWords(s train.Setting, kind string) string {
	if s.Words == nil {
		return strings.Replace(kind, " | str", ` or "auto"`, 1)
	}
	words := `"` + strings.Join(s.Words, `", "`) + `"`
	switch {
	case s.List:
		return words + " or a list of these"
	case s.More:
		return words + " or dict by class"
	case kind == "int":
		words = strings.ReplaceAll(words, `"`, "")
	}
	return "{" + words + "}"
}

// wrapped joins words to lines of at most so many characters.
func wrapped(words []string, between string, most int) (lines []string) {
	for _, word := range words {
		last := len(lines) - 1
		if last >= 0 && utf8.RuneCountInString(lines[last]+between+word) <= most {
			lines[last] += between + word
		} else {
			lines = append(lines, word)
		}
	}
	return lines
}
