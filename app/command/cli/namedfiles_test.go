package cli

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// A pattern stands for the files that fit it. The name of a file stands for this file, even if it has
// brackets.
func TestExpand(t *testing.T) {
	folder := t.TempDir()
	in := func(names ...string) (paths []string) {
		for _, name := range names {
			paths = append(paths, filepath.Join(folder, name))
		}
		return paths
	}
	for _, path := range in("b1.csv", "a2.csv", "a1.csv", "a[1].csv") {
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for name, want := range map[string][]string{
		"a[1].csv": in("a[1].csv"), "b[1].csv": in("b1.csv"), "?[12].csv": in("a1.csv", "a2.csv", "b1.csv"), "c.csv": in("c.csv"), "c*.csv": nil, "[.csv": nil,
	} {
		if got := Expand(filepath.Join(folder, name)); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}
