package use

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"lapsvm/dataset"
)

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
			files, _ := filepath.Glob(filepath.Join(into, "*", "*"))
			if len(files) != n {
				t.Fatalf("after %d asks: %q, of which %d are counted", asks, files, n)
			}
			for _, name := range files {
				if info, err := os.Stat(name); err != nil || info.Size() != 5<<16 {
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
