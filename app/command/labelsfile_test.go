package command

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lapsvm/app/command/cli"
	"lapsvm/app/command/input"
	"lapsvm/app/labelpage/store"
	"lapsvm/dataset"
	"lapsvm/dataset/files"
)

// madeStore makes the store of a label page for a file of data, with labels by row.
func madeStore(t *testing.T, data, path string, labels map[int]string) {
	t.Helper()
	d, err := files.ReadFile(data, files.Options{Keep: true, MayLackLabels: true})
	if err != nil {
		t.Fatal(err)
	}
	content, err := input.ContentOf(d, data, nil)
	if err != nil {
		t.Fatal(err)
	}
	hashes, err := content.Hashes(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	s, err := store.Open(t.Context(), path, store.Data{Name: filepath.Base(data), Hashes: hashes})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	var all []store.Given
	for row, class := range labels {
		all = append(all, store.Given{Row: row, Class: class, Person: "anna"})
	}
	if _, err := s.Import(t.Context(), store.FromData, all); err != nil {
		t.Fatal(err)
	}
}

// A label page's store trains the model that its labels in the data train, also where rows moved
// meanwhile; a store of other data is refused.
func TestLabelsOfStore(t *testing.T) {
	folder := t.TempDir()
	in := func(name string) string { return filepath.Join(folder, name) }
	succeed(t, "demo", "--data", in("all.csv"), "-o", in("a.svg"), "--quiet")
	text, err := os.ReadFile(in("all.csv"))
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	bare, few, labels := lines[0]+"\n", lines[0]+"\n", map[int]string{}
	for i, line := range lines[1:] {
		at := strings.LastIndexByte(line, ',')
		bare += line[:at+1] + "\n"
		if i < 12 {
			labels[i] = line[at+1:]
			few += line + "\n"
		} else {
			few += line[:at+1] + "\n"
		}
	}
	data, given := file(t, folder, "bare.csv", bare), file(t, folder, "few.csv", few)
	madeStore(t, data, in("bare.labels.db"), labels)
	by := []string{"--sigma", "0.35", "--neighbours", "6", "--gamma-a", "0.01", "--gamma-i", "1", "--quiet"}
	succeed(t, append([]string{"train", given, "-o", in("want.lapsvm")}, by...)...)
	succeed(t, append([]string{"train", data, "--labels", in("bare.labels.db"), "-o", in("got.lapsvm")}, by...)...)
	want, got := succeed(t, "predict", in("want.lapsvm"), data, "--scores", "--quiet"), succeed(t, "predict", in("got.lapsvm"), data, "--scores", "--quiet")
	if want != got {
		t.Error("the store trains another model than its labels")
	}
	// The store lies where the label page keeps it: of that train without --labels tells.
	if err := os.Rename(in("bare.labels.db"), data+".labels.db"); err != nil {
		t.Fatal(err)
	}
	told := data + ".labels.db has labels given on the label page; add --labels " + data + ".labels.db to train with them\n"
	if _, _, stderr := lapsvmRun(t, t.Context(), "", "train", data, "-o", in("none.lapsvm")); strings.Count(stderr, told) != 1 {
		t.Errorf("stderr %q", stderr)
	}
	if _, _, stderr := lapsvmRun(t, t.Context(), "", append([]string{"train", data, "--labels", data + ".labels.db", "-o", in("again.lapsvm")}, by[:len(by)-1]...)...); strings.Contains(stderr, told) {
		t.Errorf("stderr %q", stderr)
	}
	if err := os.Rename(data+".labels.db", in("bare.labels.db")); err != nil {
		t.Fatal(err)
	}
	rows := strings.SplitAfter(strings.TrimPrefix(bare, lines[0]+"\n"), "\n")
	moved := file(t, folder, "moved.csv", lines[0]+"\n"+strings.Join(rows[3:], "")+rows[0]+rows[1])
	code, _, stderr := lapsvmRun(t, t.Context(), "", append([]string{"train", moved, "--labels", in("bare.labels.db"), "-o", in("moved.lapsvm")}, by[:len(by)-1]...)...)
	if code != cli.ExitDone || !strings.Contains(stderr, "11 labels of "+in("bare.labels.db")+" taken") || !strings.Contains(stderr, "warning: the contents of 1 row with labels in ") {
		t.Errorf("code %d: %s", code, stderr)
	}
	other := file(t, folder, "other.csv", "x1,x2,label\n1,2,\n3,4,\n5,6,\n")
	code, _, stderr = lapsvmRun(t, t.Context(), "", "train", other, "--labels", in("bare.labels.db"), "-o", in("other.lapsvm"))
	if code != cli.ExitData || !strings.Contains(stderr, "has labels of bare.csv, and 12 of their 12 rows are not in other.csv: give the data that it belongs to") {
		t.Errorf("code %d: %s", code, stderr)
	}
	if d, err := files.ReadFile(data, files.Options{}); err != nil || len(d.Labelled()) != 0 || d.Y[0] != dataset.Unlabelled {
		t.Errorf("the data have labels now: %v", err)
	}
}

// Labels of a file are spelt as those of the data, and what is said of spellings is said once. Without labels in the data
// the class is called as a column of these labels has it.
func TestSpellingsOfNumbersInLabels(t *testing.T) {
	folder := t.TempDir()
	const merged = "numbers of one value are one class:"
	labels := file(t, folder, "labels.csv", "row,label\n1,1.0\n2,1\n3,02\n4,2\n5,+1\n6,3.0\n7,3\n8,3\n")
	for data, want := range map[string]struct {
		classes string
		said    int
		respelt string
	}{
		"x,label\n1,\n2,\n3,\n4,\n5,\n6,\n7,\n8,\n9,\n":             {"1,2,3", 1, ""},
		"x,label\n1,\n2,\n3,\n4,\n5,\n6,\n7,\n8,\n9,1.0\n":          {"1.0,2,3", 1, `"+1" (1) is "1.0", "1" (1) is "1.0"`},
		"x,label\n1,\n2,\n3,\n4,\n5,\n6,\n7,\n8,\n9,2\n10,2.0\n":    {"1,2,3", 2, `"02" (1) is "2"`}, // the 2 of the data, and 1 and 3 of the file
		"x,label\n1,1.0\n2,\n3,\n4,\n5,\n6,3\n7,\n8,\n9,1\n10,02\n": {"1,02,3", 1, `"+1" (1) is "1", "1.0" (1) is "1", "2" (1) is "02", "3.0" (1) is "3"`},
	} {
		rows := file(t, folder, "rows.csv", data)
		out := filepath.Join(folder, "out.csv")
		code, _, stderr := lapsvmRun(t, t.Context(), "", "convert", rows, out, "--labels", labels, "--label", "label")
		if code != cli.ExitDone || strings.Count(stderr, merged) != want.said {
			t.Errorf("%q: exit %d, %s", data, code, stderr)
			continue
		}
		if said := "labels of " + labels + " are numbers of the data spelt otherwise: " + want.respelt; strings.Contains(stderr, said) != (want.respelt != "") {
			t.Errorf("%q: %s", data, stderr)
		}
		d, err := files.ReadFile(out, files.Options{Label: "label"})
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(d.Classes, ","); got != want.classes {
			t.Errorf("%q: classes %s, want %s\n%s", data, got, want.classes, stderr)
		}
	}
}
