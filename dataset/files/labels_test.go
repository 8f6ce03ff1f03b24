package files

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// notes reads a CSV table and returns its labels, "" for none, and its notes, each with
// "!" before it where it is doubtful.
func notes(t *testing.T, text string, o Options) (labels []string, all string) {
	t.Helper()
	o.Format = CSV
	d, err := Read(strings.NewReader(text), "f", o)
	if err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	for _, y := range d.Y {
		if labels = append(labels, ""); y >= 0 {
			labels[len(labels)-1] = d.Classes[y]
		}
	}
	for _, n := range d.Notes {
		if n.Doubtful {
			all += "!"
		}
		all += n.Error() + "\n"
	}
	return labels, all
}

// column is a table of one feature and these labels.
func column(labels ...string) string { return "x,label\n1," + strings.Join(labels, "\n1.5,") + "\n" }

func TestWordsForNoLabel(t *testing.T) {
	for word, told := range map[string]bool{"": false, "?": false, "NA": false, "nan": false, "N/A": true, "n/a": true, "null": true, "NULL": true,
		"None": true, "<NA>": true, "#N/A": true, "-nan": true, "unlabeled": true, "Unlabelled": true} {
		labels, all := notes(t, column("a", word, "b", word), Options{})
		if !slices.Equal(labels, []string{"a", "", "b", ""}) {
			t.Errorf("%q: %q", word, labels)
		}
		if want := `2 rows without a label by their words: "` + word + `" (2)`; strings.HasPrefix(all, want) != told || (all != "") != told {
			t.Errorf("%q: %q", word, all)
		}
	}
	labels, all := notes(t, column("None", "mild", "None", "null"), Options{LabelValues: []string{"None", "mild"}})
	if !slices.Equal(labels, []string{"None", "mild", "None", ""}) || !strings.Contains(all, `"null" (1)`) {
		t.Errorf("%q %q", labels, all)
	}
	if _, all = notes(t, column("a", "unknown"), Options{}); !strings.HasPrefix(all, `!"unknown" is taken for a class; if it means no label, give Options{Unlabelled`) {
		t.Error(all)
	}
	if _, all = notes(t, column("a", "b", "c"), Options{LabelValues: []string{"a", "b"}}); !strings.HasPrefix(all, `!the class "c" is not among Options.LabelValues`) {
		t.Error(all)
	}
}

// Dashes among answers in words mean no answer rather than a class, but not beside a plus.
func TestDashesBesideClasses(t *testing.T) {
	for text, told := range map[string]bool{"yes no -": true, "yes no --": true, "yes no —": true, "yes no .": true, "+ -": false, "yes no": false, "a-b no": false} {
		_, all := notes(t, column(strings.Fields(text)...), Options{})
		if strings.Contains(all, "is taken for a class; if it means no label, give Options{Unlabelled: ") != told {
			t.Errorf("%s: %q", text, all)
		}
	}
	if labels, all := notes(t, column("yes", "no", "-"), Options{Unlabelled: []string{"-"}}); labels[2] != "" || all != "" {
		t.Errorf("%q %q", labels, all)
	}
}

// The advice for a word that may be a class names all classes, as it is to be typed, or none where they are many.
func TestAdviceNamesAllClasses(t *testing.T) {
	classes := strings.Fields("a b c d e f g h i")
	_, all := notes(t, column(append(classes, "n/a")...), Options{})
	if !strings.Contains(all, `give Options{LabelValues: []string{"a", "b", "c", "d", "e", "f", "g", "h", "i", "n/a"}}`) {
		t.Error(all)
	}
	if labels, all := notes(t, column(append(classes, "n/a")...), Options{LabelValues: append(classes, "n/a")}); labels[9] != "n/a" || all != "" {
		t.Errorf("%q %q", labels, all)
	}
	if _, all = notes(t, column(append(classes, "j", "k", "l", "m", "n/a")...), Options{}); !strings.Contains(all, "if one of them is a class, give all classes and it with Options.LabelValues") {
		t.Error(all)
	}
}

func TestSpellingsOfAClass(t *testing.T) {
	table := column("Adelie", "adelie", "Adelie", `"Adelie "`, "Gentoo")
	labels, all := notes(t, table, Options{})
	if labels[1] != "adelie" || !strings.HasPrefix(all, `!classes look alike: "Adelie" (3) and "adelie" (1); give Options.FoldCase`) {
		t.Errorf("%q %q", labels, all)
	}
	labels, all = notes(t, table, Options{FoldCase: true})
	if !slices.Equal(labels, []string{"Adelie", "Adelie", "Adelie", "Adelie", "Gentoo"}) || all != "" {
		t.Errorf("%q %q", labels, all)
	}
}

// A class −1 may mean no label among words, and before 0, 1, … or 1, 2, …, however numbers are written.
func TestMinusOneBesideClasses(t *testing.T) {
	for text, told := range map[string]bool{"-1 0 1": true, "-1 1 2 3": true, "-1 cat dog": true, "-1 cat": true, "-1.0e+00 0.0e+00 1.0e+00": true,
		"-1 1": false, "0 1": false, "-1 0": false, "-1 1 3": false, "-1 0.5 1": false, "-2 -1 0 1": false} {
		labels := strings.Fields(text)
		_, all := notes(t, column(labels...), Options{})
		if strings.Contains(all, labels[0]+" is a class beside ") != told || strings.Contains(all, `give Options{Unlabelled: []string{"`+labels[0]+`"}}`) != told {
			t.Errorf("%s: %q", text, all)
		}
	}
	if labels, all := notes(t, column("-1", "0", "1"), Options{Unlabelled: []string{"-1"}}); labels[0] != "" || all != "" {
		t.Errorf("%q %q", labels, all)
	}
}

// A word for nothing is a class where the file declares it as a value of its labels, as Weka's contact-lenses does, but for words too common to be
// names. What only stores values, such as a dictionary, declares nothing.
func TestDeclaredClasses(t *testing.T) {
	const lenses = "@relation lenses\n@attribute age {young,none}\n@attribute lenses {soft,none,NA,unlabelled}\n@data\nyoung,none\nnone,soft\nyoung,NA\nnone,unlabelled\nyoung,?\n"
	for _, c := range []struct {
		o    Options
		want []string
		note string
	}{
		{Options{}, []string{"none", "soft", "", "", ""}, ` rows without a label by their words: "NA" (`}, {Options{}, []string{"none", "soft", "", "", ""}, `"none" is a class, as the file declares it; if it means no label, give Options{Unlabelled: []string{"none"}}`},
		{Options{Label: "lenses", LabelValues: []string{"soft"}}, []string{"none", "soft", "", "", ""}, `the class "none" is not among Options.LabelValues`},
		{Options{Label: "lenses", Unlabelled: []string{"none"}}, []string{"", "soft", "", "", ""}, ""},
	} {
		paths := []string{writeText(t, filepath.Join(t.TempDir(), "a.arff"), lenses)}
		for range 2 { // also as a table of two files
			d, err := ReadFiles(paths, c.o)
			if err != nil {
				t.Fatal(err)
			}
			said := ""
			for _, n := range d.Notes {
				said += n.Error() + "\n"
			}
			if !slices.Equal(labels(d)[:5], c.want) || !strings.Contains(said, c.note) {
				t.Errorf("%v: %q, said %s", c.o, labels(d), said)
			}
			paths = append(paths, paths[0])
		}
	}
}
