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
