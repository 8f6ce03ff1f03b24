package python_test

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"lapsvm/internal/machines/train"
)

// An argument of R's lapsvm_control that is no setting of a recipe, with its default.
type rArgument struct{ name, otherwise, help string }

var ownOfR = []rArgument{
	{"time", "NULL", `Most seconds for comparing machines, and again for the solver, or a time as "5m".`},
	{"memory", "NULL", `Such as "8GB", or "40%" of what is free, which is 80 % where it is NULL.`},
	{"threads", "NULL", "NULL is all processors."},
	{"proba", "TRUE", "Learn probabilities, and of numbers intervals."},
	{"verbose", "FALSE", "Show progress."},
	{"coordinates", "NULL", "Names of columns of a data frame: a latitude and its longitude in degrees, which become places on a sphere; then those of further places."},
	{"text, category, ignore", "NULL", "Names of columns of a data frame to take for texts, for categories, or not at all. Factors are categories."},
	{"word_vectors", "NULL", "A file of vectors of words, as text of GloVe, word2vec or fastText; text columns of a data frame are then described by them too."},
	{"embed, embed_with", "NULL", "A network (a file of ONNX) or a command that makes vectors of the columns of text, which then stand beside the other columns."},
	{"embed_cache, onnxruntime", "NULL", "A folder that keeps these vectors; the library that runs the network."},
	{"image_shape", "NULL", "Rows are pictures of this height and width, such as c(28, 28), or c(28, 28, 3) of red, green and blue: dots row by row from the top."},
	{"standardize, neighbors", "NULL", "Other spellings of standardise and neighbours."},
}

// Settings that R says otherwise: by the type of the labels, and by proba.
var notInR = []string{"one_class", "multi_label", "regression", "ordered", "calibrate", "label_shares"}

// The arguments of R's lapsvm_control are written by the table of settings too, and so is their page.
func TestArgumentsOfRAreTheSettings(t *testing.T) {
	var arguments []rArgument
	for _, s := range train.Settings() {
		if s.Flag == "" || s.Hidden || s.Group == train.ModelGroup || slices.Contains(notInR, s.Key) {
			continue
		}
		help := strings.NewReplacer("with --regression: ", "of numbers: ", "--", "", " with commas between them", "", "DATA", "x", " A=0.3,B=0.7", ` c(A = 0.3, B = 0.7)`,
			"a file with a line for each class, its name, a tab or comma and its weight", "numbers with the names of classes").Replace(s.Help)
		arguments = append(arguments, rArgument{strings.ReplaceAll(s.Flag, "-", "_"), "NULL", help})
	}
	arguments = append(arguments, ownOfR...)
	var signature []string
	var items strings.Builder
	for _, a := range arguments {
		for name := range strings.SplitSeq(a.name, ", ") {
			signature = append(signature, name+" = "+a.otherwise)
		}
		fmt.Fprintf(&items, "  \\item{%s}{%s}\n", a.name, strings.Join(wrapped(strings.Fields(rdText(a.help)), " ", 110), "\n    "))
	}
	usage := strings.Join(wrapped(signature, ", ", 80), ",\n  ")
	for _, file := range []struct {
		path  string
		parts [][3]string // what is between two texts
	}{
		{"../r/R/control.R", [][3]string{{"lapsvm_control <- function(", ") {\n", usage}}},
		{"../r/man/lapsvm_control.Rd", [][3]string{{"\\usage{\nlapsvm_control(", ")\n}\n", usage}, {"\\arguments{\n", "}\n\\value", items.String()}}},
	} {
		text, err := os.ReadFile(file.path)
		if err != nil {
			t.Fatal(err)
		}
		want := bytes.Clone(text)
		for _, part := range file.parts {
			before, after, found := bytes.Cut(want, []byte(part[0]))
			at := bytes.Index(after, []byte(part[1]))
			if !found || at < 0 {
				t.Fatalf("%s has no part from %q to %q", file.path, part[0], part[1])
			}
			want = []byte(string(before) + part[0] + part[2] + string(after[at:]))
		}
		switch {
		case bytes.Equal(text, want):
		case *write:
			err = os.WriteFile(file.path, want, 0o644)
		default:
			err = fmt.Errorf("%s is not what the table of settings says: run go generate ./python", file.path)
		}
		if err != nil {
			t.Error(err)
		}
	}
}

// rdText returns a text as a page of R's manual has it: special signs are escaped, and formulas have letters that LaTeX sets everywhere.
func rdText(text string) string {
	return strings.NewReplacer("%", `\%`, "{", `\{`, "}", `\}`, `\`, `\\`,
		"‖", "|", "−", "-", "²", "^2", "³", "^3", "₁", "_1", "·", "*", "½", "1/2 ", "√", "sqrt ", "σ", " sigma", "γ", " gamma").Replace(text)
}
