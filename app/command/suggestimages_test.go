package command

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lapsvm/app/command/cli"
)

// Images to label are named by their files, and labels come back by them: with folders for
// the classes, and without any.
func TestSuggestImages(t *testing.T) {
	folder, _ := photos(t)
	flat := filepath.Join(t.TempDir(), "shots")
	if err := os.Mkdir(flat, 0o777); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"blue/0.png", "blue/1.png", "blue/2.png", "red/0.png", "red/1.png", "red/2.png"} {
		if err := os.Rename(filepath.Join(folder, name), filepath.Join(flat, strings.ReplaceAll(name, "/", ""))); err != nil {
			t.Fatal(err)
		}
	}
	common := []string{"--image-size", "5x3", "--image-colour", "--neighbours", "2", "--quiet"}
	ask := func(args ...string) string { t.Helper(); return succeed(t, append(args, common...)...) }
	if out := ask("suggest", flat, "-n", "2"); !strings.HasPrefix(out, "row,file,reason,value\n") || !strings.Contains(out, ".png,") {
		t.Errorf("suggested:\n%s", out)
	}
	given := file(t, flat+"/..", "given.csv", "file,label\nblue0.png,b\nred0.png,r\n")
	out := ask("suggest", flat, "--labels", given, "--as", "prodigy", "--strategy", "random")
	if strings.Count(out, "\n") != 4 || strings.Contains(out, "blue0") || !strings.Contains(out, `{"image":"`+filepath.ToSlash(flat)+`/red1.png","label":"r","options":[{"id":"b","text":"b"},{"id":"r","text":"r"}]`) {
		t.Errorf("tasks:\n%s", out)
	}
	out = ask("suggest", flat, "--labels", given, "--as", "label-studio", "--image-url", "/data/local-files/?d=shots/")
	if !strings.Contains(out, `"image": "/data/local-files/?d=shots/red1.png"`) || !strings.Contains(out, `"file": "red1.png"`) || !strings.Contains(out, `"to_name": "image"`) {
		t.Errorf("tasks:\n%s", out)
	}
	exported := file(t, flat+"/..", "done.json", strings.ReplaceAll(out, `"predictions"`, `"annotations"`))
	if out = ask("audit", flat, "--labels", exported, "--json"); strings.Count(out, `"row":`) < 4 || !strings.Contains(out, `"name":"red1.png"`) {
		t.Errorf("audited:\n%s", out)
	}
}

// A table without a column of labels is one to suggest from: its last column is no label.
func TestSuggestWithoutLabels(t *testing.T) {
	var b strings.Builder
	b.WriteString("age,income,town\n")
	for i := range 60 {
		fmt.Fprintf(&b, "%d,%d.5,%s\n", 20+i*7%50, 900+i*37%800, []string{"Oslo", "Rome", "Kyiv"}[i%3])
	}
	table := file(t, t.TempDir(), "people.csv", b.String())
	code, stdout, stderr := lapsvmRun(t, t.Context(), "", "suggest", table, "-n", "3")
	if code != cli.ExitDone || strings.Count(stdout, "\n") != 4 || !strings.Contains(stderr, "labels: none") {
		t.Errorf("exit code %d, stdout %q, stderr %q", code, stdout, stderr)
	}
}
