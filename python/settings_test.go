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
	"lapsvm/internal/numbers/objective"
)

//go:generate go test -run AreTheSettings -write .

var write = flag.Bool("write", false, "write the parameters of the estimators by the table of settings")

// An estimator of the package, and the settings that it has no parameters for.
var estimators = []struct {
	file    string
	numbers bool     // its labels are numbers
	without []string // keys of settings, and names of own parameters
}{
	{"lapsvm/_classifier.py", false, []string{"one_class", "multi_label", "regression", "intervals"}}, // a classifier has two classes
	{"lapsvm/_regressor.py", true, []string{"one_class", "multi_label", "regression", "ordered", "prior", "class_weight", "proba", "unlabelled", "unlabeled"}},
}

// own are the parameters that are no settings of a recipe.
var own = []struct {
	names, kind, help string
	signature         []string // of each, with its default
}{
	{"time", "float or str", `Most seconds for comparing machines, and again for the solver, or a time as "5m".`, []string{"time: float | str | None = None"}},
	{"memory", "str", `Such as "8GB", or "40%" of what is free; None is 80 %, in processes of joblib shared by these.`, []string{"memory: str | None = None"}},
	{"threads", "int", "None is OMP_NUM_THREADS, which joblib sets for its processes, or all processors.", []string{"threads: int | None = None"}},
	{"unlabelled", "value of y that means no label, beside None, NaN and empty text", "If the labels are -1 and 1 alone, -1 is a class.", []string{"unlabelled: Any = -1"}},
	{"proba", "bool", "Learn probabilities.", []string{"proba: bool = True"}},
	{"intervals", "bool", "Keep what predict_interval needs: machines trained without some of the labels.", []string{"intervals: bool = True"}},
	{"verbose", "int", "1 shows progress on standard error.", []string{"verbose: int = 0"}},
	{"report", "bool", "Make a page of each fit, which report_ shows in a notebook; it takes a training of the supervised machine more.", []string{"report: bool = False"}},
	{"coordinates", "names of columns", "Of a DataFrame: a latitude and its longitude in degrees, which become places on a sphere; then those of further places.",
		[]string{"coordinates: Sequence[str] | None = None"}},
	{"text, category, ignore", "name or names of columns", "Of a DataFrame: columns to take for texts, for categories, or not at all.",
		[]string{"text: str | Sequence[str] | None = None", "category: str | Sequence[str] | None = None", "ignore: str | Sequence[str] | None = None"}},
	{"word_vectors", "path", "A file of vectors of words, as text of GloVe, word2vec or fastText; text columns of a DataFrame are then described by them too.",
		[]string{"word_vectors: str | os.PathLike[str] | None = None"}},
	{"embed, embed_with", "path; text", "A network (ONNX) or a command that makes vectors of the columns of text, which then stand beside the other columns.",
		[]string{"embed: str | os.PathLike[str] | None = None", "embed_with: str | None = None"}},
	{"embed_cache, onnxruntime", "path", "A folder that keeps these vectors; the library that runs the network.",
		[]string{"embed_cache: str | os.PathLike[str] | None = None", "onnxruntime: str | os.PathLike[str] | None = None"}},
	{"image_shape", "(height, width) or (height, width, 3)", "Rows of X are pictures: dots row by row from the top, of 3 red, green and blue next to each other. Then describe says what of. Without it the likeness of columns tells whether rows are pictures.",
		[]string{"image_shape: Sequence[int] | None = None"}},
	{"standardize, neighbors", "", "Other spellings of standardise and neighbours.", []string{"standardize: str | None = None", "neighbors: int | str | None = None"}},
	{"unlabeled", "", "Another spelling of unlabelled.", []string{"unlabeled: Any = None"}},
}

// The parameters of an estimator are written by the table of settings and by those of its own: their documentation, the signature
// and the body.
func TestParametersAreTheSettings(t *testing.T) {
	for _, e := range estimators {
		text, err := os.ReadFile(e.file)
		if err != nil {
			t.Fatal(err)
		}
		var doc, body strings.Builder
		signature := []string{"self"}
		add := func(names, kind, help string, parameters ...string) {
			if kind != "" {
				kind = " : " + kind
			}
			fmt.Fprintf(&doc, "    %s%s\n", names, kind)
			for _, line := range wrapped(strings.Fields(help), " ", 92) {
				fmt.Fprintf(&doc, "        %s\n", line)
			}
			for _, parameter := range parameters {
				name, _, _ := strings.Cut(parameter, ":")
				fmt.Fprintf(&body, "        self.%s = %s\n", name, name)
				if signature = append(signature, parameter); len(signature) == 2 {
					signature = append(signature, "*") // the rest by keyword
				}
			}
		}
		for _, s := range train.Settings() {
			if s.Flag == "" || s.Hidden || s.Group == train.ModelGroup || slices.Contains(e.without, s.Key) {
				continue
			}
			if s.Key == "loss" {
				s.Words, s.Help = losses(e.numbers)
			}
			if s.Key == "criterion" {
				s.Words, s.Help = criterion(e.numbers)
			}
			name, kind := strings.ReplaceAll(s.Flag, "-", "_"), pythonType(s)
			help := strings.ReplaceAll(strings.ReplaceAll(strings.ReplaceAll(s.Help, "with --regression: ", ""), "--", ""), " with commas between them", "")
			add(name, inWords(s, kind), help, fmt.Sprintf("%s: %s | None = None", name, kind))
		}
		for _, p := range own {
			if !slices.Contains(e.without, p.names) {
				add(p.names, p.kind, p.help, p.signature...)
			}
		}
		want := bytes.Clone(text)
		for _, part := range []struct{ from, to, lines string }{
			{"    Parameters\n    ----------\n", "\n    Attributes\n", doc.String()},
			{"    def __init__(", "\n    def fit(", strings.Join(wrapped(signature, ", ", 130), ",\n                 ") + ") -> None:\n" + body.String()},
		} {
			before, after, found := bytes.Cut(want, []byte(part.from))
			at := bytes.Index(after, []byte(part.to))
			if !found || at < 0 {
				t.Fatalf("%s has no part from %q to %q", e.file, part.from, part.to)
			}
			want = []byte(string(before) + part.from + part.lines + string(after[at:]))
		}
		switch {
		case bytes.Equal(text, want):
		case *write:
			err = os.WriteFile(e.file, want, 0o644)
		default:
			err = fmt.Errorf("%s is not what the table of settings says: run go generate ./python", e.file)
		}
		if err != nil {
			t.Error(err)
		}
	}
}

// criterion returns the criteria of an estimator, with what they are for.
func criterion(numbers bool) (words []string, help string) {
	if numbers {
		return []string{string(train.MeanSquared), string(train.MeanAbsolute)}, "what machines are chosen by, the mean squared or absolute error of labels that are left out (default squared)"
	}
	return []string{string(train.MeanF1), string(train.WrongAnswers)}, "where rows have several classes: as many of them as F1 wants, or those that make wrong answers few (default f1)"
}

// losses returns the losses of an estimator, with what each is for: those of margins are for classes, those of residuals for numbers, and
// the squared loss for both.
func losses(numbers bool) (words []string, help string) {
	var all []string
	for _, l := range objective.Losses() {
		if l == objective.Squared || l.OfResiduals() == numbers {
			words, all = append(words, string(l)), append(all, fmt.Sprintf("%s (%s)", l, l.About()))
		}
	}
	last := len(all) - 1
	help = fmt.Sprintf("%s or %s (default %s", strings.Join(all[:last], ", "), all[last], words[0])
	if !numbers {
		help += "; hinge with dual"
	}
	return words, help + ")"
}

// pythonType returns the type of a parameter that is given.
func pythonType(s train.Setting) string {
	switch kind, auto := strings.CutSuffix(s.Type(), "|auto"); {
	case s.List:
		return "str | Sequence[str]"
	case s.Key == "ordered": // classes as labels have them
		return "str | Sequence[Any]"
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
	if s.Key == "ordered" {
		return `list of classes, or "auto"`
	}
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
