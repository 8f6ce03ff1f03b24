package command

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"lapsvm/app/command/cli"
)

// filesBelow returns the paths of all files below a folder, sorted, with slashes.
func filesBelow(t *testing.T, folder string) []string {
	t.Helper()
	var paths []string
	err := filepath.WalkDir(folder, func(path string, entry os.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			relative, _ := filepath.Rel(folder, path)
			paths = append(paths, filepath.ToSlash(relative))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return paths
}

// Images are copied or linked into folders of their labels. Equal names get numbers,
// and existing files stay.
func TestSortInto(t *testing.T) {
	folder, model := photos(t)
	data, err := os.ReadFile(filepath.Join(folder, "red", "1.png"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(folder, "blue", "deep"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "blue", "deep", "1.png"), data, 0o666); err != nil {
		t.Fatal(err)
	}
	sorted := filepath.Join(t.TempDir(), "sorted")
	if err := os.MkdirAll(filepath.Join(sorted, "blue"), 0o777); err != nil {
		t.Fatal(err)
	}
	mine := filepath.Join(sorted, "blue", "0.png")
	if err := os.WriteFile(mine, []byte("mine"), 0o666); err != nil {
		t.Fatal(err)
	}
	code, stdout, stderr := lapsvmRun(t, t.Context(), "", "predict", model, folder, "--sort-into", sorted)
	if code != cli.ExitDone || !strings.Contains(stderr, sorted+": 9 images: 4 blue, 5 red\n") || !strings.Contains(stdout, "blue/deep/1.png,red\n") {
		t.Fatalf("exit %d, %s, %s", code, stderr, stdout)
	}
	want := []string{"blue/0-2.png", "blue/0.png", "blue/1.png", "blue/2.png", "blue/3.png", "red/0.png", "red/1-2.png", "red/1.png", "red/2.png", "red/3.png"}
	if got := filesBelow(t, sorted); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	for _, by := range []string{"copy", "link"} { // again, and with images that are there already
		if code, _, stderr := lapsvmRun(t, t.Context(), "", "predict", model, folder, "--sort-into", sorted, "--sort-by", by); code != cli.ExitDone || !strings.Contains(stderr, sorted+": 9 images: 4 blue, 5 red\n") {
			t.Errorf("exit %d, %s", code, stderr)
		}
		if got := filesBelow(t, sorted); !slices.Equal(got, want) {
			t.Errorf("sorted twice: %q, want %q", got, want)
		}
	}
	for _, into := range []string{folder, filepath.Join(folder, "sorted")} {
		if code, _, stderr := lapsvmRun(t, t.Context(), "", "predict", model, folder, "--sort-into", into); code != cli.ExitUsage || !strings.Contains(stderr, "choose a folder outside of "+folder) {
			t.Errorf("into %s: exit %d, %s", into, code, stderr)
		}
	}
	if got, err := os.ReadFile(mine); err != nil || string(got) != "mine" {
		t.Errorf("a file that was there has %q, %v", got, err)
	}
	if got, err := os.ReadFile(filepath.Join(sorted, "red", "1-2.png")); err != nil || !bytes.Equal(got, data) {
		t.Errorf("a copy differs from its image, %v", err)
	}
	links := filepath.Join(t.TempDir(), "links")
	t.Chdir(filepath.Dir(folder)) // a link must not depend on where it is seen from
	succeed(t, "predict", model, filepath.Join("photos", "red", "1.png"), "--sort-into", links, "--sort-by", "link", "--quiet")
	if info, err := os.Lstat(filepath.Join(links, "red", "1.png")); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("%v, %v", info, err)
	}
	if got, err := os.ReadFile(filepath.Join(links, "red", "1.png")); err != nil || !bytes.Equal(got, data) {
		t.Errorf("a link leads elsewhere, %v", err)
	}
}
