package command

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"lapsvm/dataset"
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
	if code != exitDone || !strings.Contains(stderr, sorted+": 9 images: 4 blue, 5 red\n") || !strings.Contains(stdout, "blue/deep/1.png,red\n") {
		t.Fatalf("exit %d, %s, %s", code, stderr, stdout)
	}
	want := []string{"blue/0-2.png", "blue/0.png", "blue/1.png", "blue/2.png", "blue/3.png", "red/0.png", "red/1-2.png", "red/1.png", "red/2.png", "red/3.png"}
	if got := filesBelow(t, sorted); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
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

// doneAfter is a context that is done when it has been asked so many times.
type doneAfter struct {
	context.Context
	asks *int
}

func (c doneAfter) Err() error {
	if *c.asks--; *c.asks < 0 {
		return context.Canceled
	}
	return nil
}

// An interruption leaves whole files only, whenever it comes.
func TestSortIntoLeavesWholeFiles(t *testing.T) {
	folder := t.TempDir()
	var paths []string
	for _, name := range []string{"a.png", "b.png", "c.png"} {
		paths = append(paths, filepath.Join(folder, name))
		if err := os.WriteFile(paths[len(paths)-1], bytes.Repeat([]byte(name), 1<<16), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	interrupted := 0
	for asks := 0; ; asks++ {
		into, left := filepath.Join(t.TempDir(), "sorted"), asks
		counts, err := (&sorting{into: into, by: "copy"}).sort(doneAfter{t.Context(), &left}, paths, []int{0, dataset.Unlabelled, 0}, []string{"k"})
		n := counts[0] + counts[1]
		if _, missing := os.Stat(into); missing == nil {
			files := filesBelow(t, into)
			if len(files) != n {
				t.Fatalf("after %d asks: %q, of which %d are counted", asks, files, n)
			}
			for _, name := range files {
				if info, err := os.Stat(filepath.Join(into, name)); err != nil || info.Size() != 5<<16 {
					t.Errorf("after %d asks: %s is not whole: %v, %v", asks, name, info, err)
				}
			}
		}
		if err == nil {
			break
		}
		if interrupted++; !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
	}
	if interrupted < 6 {
		t.Errorf("only %d interruptions were tried", interrupted)
	}
}

// Folders for classes are below the folder that they belong to, whatever the class is
// called, and differ on every system.
func TestFolderNames(t *testing.T) {
	for class, want := range map[string]string{
		"cat": "cat", "a b": "a b", "דג": "דג", "": "%", ".": "%2E", "..": "%2E%2E", "a/b": "a%2Fb", `a\b`: "a%5Cb", "../x": "%2E.%2Fx", ".hidden": "%2Ehidden", "x.": "x%2E", "x ": "x%20",
		"a:b*c?": "a%3Ab%2Ac%3F", "100%": "100%25", "a\n\x00b": "a%0A%00b", "\u202egnp": "%E2%80%AEgnp", "con": "%63on", "NUL.txt": "%4EUL.txt", "COM1": "%43OM1", "COM": "COM", "Unlabelled": "%55nlabelled",
	} {
		if got := folderNames([]string{class})[0]; got != want {
			t.Errorf("%q: %q, want %q", class, got, want)
		}
	}
	if got, want := folderNames([]string{"Cat", "cat", "dog", "cAT"}), []string{"Cat", "%63at", "dog", "%63%41T"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
