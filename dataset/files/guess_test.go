package files

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

// rowsOf writes a table of n rows under a header.
func rowsOf(header string, n int, row func(i int) string) string {
	var b strings.Builder
	b.WriteString(header + "\n")
	for i := range n {
		b.WriteString(row(i) + "\n")
	}
	return b.String()
}

// The column of the labels is the one that a person would take, or it is asked for.
func TestLabelColumn(t *testing.T) {
	colour := func(i int) string { return []string{"red", "blue"}[i%2] }
	first := func(s string, i, n int) string {
		if i < n {
			return s
		}
		return ""
	}
	for _, c := range []struct{ what, text, label, reason, want string }{
		{"case", rowsOf("Label,x", 9, func(i int) string { return fmt.Sprintf("%s,%d.5", colour(i), i) }), "", "by its name", "Label"},
		{"target in the middle", rowsOf("a,target,b", 200, func(i int) string { return fmt.Sprintf("%d,%d,%d", i, i%2, 7*i%94) }), "", "by its name", "target"},
		{"order of names", rowsOf("outcome,Class,a", 9, func(i int) string { return fmt.Sprintf("%d,%d,%d", i%3, i%2, i%4) }), "", "by its name", "Class"},
		{"species mostly empty, sex last", rowsOf("species,bill,sex", 40, func(i int) string { return fmt.Sprintf("%s,%d.1,%s", first("Adelie", i, 3), i, colour(i)) }), "", "by its name", "species"},
		{"mostly empty", rowsOf("kind,bill,sex", 40, func(i int) string { return fmt.Sprintf("%s,%d.1,%s", first(colour(i), i, 4), i, colour(i)) }), "", "mostly empty, as no other", "kind"},
		{"mostly empty, before separators", rowsOf("bill;kind;;", 40, func(i int) string { return fmt.Sprintf("%d;%s;;", i, first(colour(i), i, 4)) }), "", "mostly empty, as no other", "kind"},
		{"the last before separators", rowsOf("bill;kind;", 40, func(i int) string { return fmt.Sprintf("%d;%s;", i, colour(i)) }), "", "the last column", "kind"},
		{"a measurement with gaps", rowsOf("depth,kind", 90, func(i int) string { return fmt.Sprintf("%s,%s", first(fmt.Sprint(i, ".5"), i, 40), colour(i)) }), "", "the last column", "kind"},
		{"y beside x", rowsOf("x,y,kind", 9, func(i int) string { return fmt.Sprintf("%d,%d,%s", i, i%2, colour(i)) }), "", "the last column", "kind"},
		{"asked in another case", rowsOf("SPECIES,x,kind", 9, func(i int) string { return fmt.Sprintf("%s,%d,u", colour(i), i) }), "Species", "", "SPECIES"},
		{"exact before another case", rowsOf("SPECIES,Species,x", 9, func(i int) string { return fmt.Sprintf("u,%s,%d", colour(i), i) }), "Species", "", "Species"},
	} {
		d, err := Read(strings.NewReader(c.text), "f.csv", Options{Label: c.label})
		if err != nil {
			t.Errorf("%s: %v", c.what, err)
		} else if d.Label != c.want || d.Guessed != c.reason {
			t.Errorf("%s: %q (%s), want %q (%s)", c.what, d.Label, d.Guessed, c.want, c.reason)
		}
	}
	for _, c := range []struct{ what, text, label, want string }{
		{"messages", rowsOf("v1,v2", 3000, func(i int) string { return fmt.Sprintf("%s,this is message %d", []string{"ham", "spam"}[i%2], i) }), "",
			`f.csv:1: which column holds the labels? "v2" (the last column) has about as many different values as rows: 2000 in 2000; it may be "v1" (2 values): give Options{Label: "v1"}`},
		{"comments", rowsOf("sex,age,comment", 200, func(i int) string {
			return fmt.Sprintf("%s,%d,%s", colour(i), 20+i%5, []string{"good", "the food was very good", "slow and cold again today", "never so bad a service"}[i%4])
		}), "", `"comment" (the last column) holds sentences, not classes; it may be "sex" (2 values), "age" (5 values)`},
		{"numbers", rowsOf("sex,age", 400, func(i int) string { return fmt.Sprintf("%s,%d", colour(i), 3+7*i%94) }), "", `"age" (the last column) holds numbers: 94 different ones in 400 rows; it may be "sex" (2 values)`},
		{"a full name beside gaps", rowsOf("category,kind,size", 40, func(i int) string { return fmt.Sprintf("%s,%s,%d", colour(i), first(colour(i), i, 4), i%3) }), "",
			`"category" (2 values) goes by its name, but "kind" (2 values, 36 of 40 rows without)`},
		{"two in other cases", "SPECIES,species,x\na,b,1\n", "Species", `no column is called "Species", but SPECIES, species are but for case; choose one with Options.Label`},
	} {
		if _, err := Read(strings.NewReader(c.text), "f.csv", Options{Label: c.label}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.what, err, c.want)
		}
	}
}

// Looking ahead changes nothing that is read, however long the table is, and the label
// is found in typed columns as in text.
func TestLabelColumnAhead(t *testing.T) {
	table := rowsOf("a,class,b", 60000, func(i int) string {
		return fmt.Sprintf("%d.25,%c,%08d.123456789012345678901234567890", i, 'p'+rune(i%2), i)
	})
	d := mustRead(t, "f.csv", table, Options{})
	asked := mustRead(t, "f.csv", table, Options{Label: "class"})
	if asked.Guessed = d.Guessed; !equal(d, asked) || d.Points.Len() != 60000 {
		t.Error("looking ahead changed what was read")
	}
	headless := mustRead(t, "f.csv", table[strings.IndexByte(table, '\n')+1:strings.IndexByte(table, '\n')+800], Options{Header: HeaderNo, Label: "2"})
	if headless.Label != "2" || headless.Points.DenseRow(0)[0] != 0.25 {
		t.Errorf("%q %v", headless.Label, headless.Points.DenseRow(0))
	}
	for _, ending := range []string{"parquet", "arrow", "json"} {
		path := filepath.Join(t.TempDir(), "f."+ending)
		if err := WriteFile(t.Context(), path, d, WriteOptions{}); err != nil {
			t.Fatal(err)
		}
		back, err := ReadFile(path, Options{})
		if err != nil || back.Label != "class" || back.Guessed != "by its name" || back.Points.Len() != 60000 {
			t.Errorf("%s: %v", ending, err)
		}
	}
}

// A table to be labelled may have no column of labels: only one that waits for them is taken.
func TestNoLabelColumnYet(t *testing.T) {
	row := func(i int) string {
		return fmt.Sprintf("%d.5,%s,%d", i, []string{"red", "blue"}[i%2], i%3)
	}
	with := func(last func(i int) string) string {
		return rowsOf("a,b,c,kind", 40, func(i int) string { return row(i) + "," + last(i) })
	}
	for _, c := range []struct{ what, text, label string }{
		{"none", rowsOf("a,b,c", 40, row), ""},
		{"without a value", with(func(int) string { return "" }), "kind"},
		{"with the first labels", with(func(i int) string { return []string{"u", "v", ""}[min(i, 2)] }), "kind"},
		{"with gaps", with(func(i int) string { return []string{"u", "v", "", "u"}[i%4] }), "kind"},
		{"by its name, full", strings.Replace(with(func(i int) string { return []string{"u", "v"}[i%2] }), "kind", "target", 1), "target"},
		{"comments with gaps", with(func(i int) string {
			return []string{"the food was good", "slow and cold again", "", "never so bad again"}[i%4]
		}), ""},
		{"two without a value", rowsOf("a,b,kind,other", 40, func(i int) string { return fmt.Sprintf("%d,%d,,", i, i%2) }), ""},
		{"numbers with gaps", with(func(i int) string { return []string{"", fmt.Sprint(i, ".5"), fmt.Sprint(i, ".7")}[i%3] }), ""},
	} {
		d, err := Read(strings.NewReader(c.text), "f.csv", Options{MayLackLabels: true, Keep: true})
		if err != nil {
			t.Errorf("%s: %v", c.what, err)
			continue
		}
		if d.Label != c.label || c.label == "" && len(d.Classes) > 0 {
			t.Errorf("%s: the labels are in %q, not %q", c.what, d.Label, c.label)
		}
	}
	d, err := Read(strings.NewReader("1,2,3\n4,5,6\n"), "f.csv", Options{MayLackLabels: true})
	if err != nil || d.Points.Dim() != 3 || len(d.Classes) != 0 {
		t.Errorf("%+v, %v", d, err)
	}
}
