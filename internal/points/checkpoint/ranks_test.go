package checkpoint

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"lapsvm/internal/ranks/comm"
)

// Where one rank cannot write its part, those of all stay as they were.
func TestPartsOfRanksAreReplacedTogether(t *testing.T) {
	folder := t.TempDir()
	write := func(settings string, looks int) error {
		return comm.Goroutines(t.Context(), 2, func(ctx context.Context, c *comm.Comm) error {
			f, err := Open(ctx, c, folder, some(t, float64(c.Rank())))
			if err != nil {
				return err
			}
			if c.Rank() == 1 {
				ctx = dying{ctx, &looks}
			}
			return f.write(ctx, settings)
		})
	}
	if err := write("settings", 1000); err != nil {
		t.Fatal(err)
	}
	before := files(t, folder)
	for looks := range 3 {
		if err := write("others", looks); !errors.Is(err, context.Canceled) {
			t.Fatalf("a rank that is interrupted after %d looks: %v", looks, err)
		}
		if after := files(t, folder); len(after) != 2 || after[0] != before[0] || after[1] != before[1] {
			t.Errorf("interrupted after %d looks, %d files are there, or other ones", looks, len(after))
		}
	}
	if err := write("others", 1000); err != nil {
		t.Fatal(err)
	}
	if after := files(t, folder); len(after) != 2 || after[0] == before[0] || after[1] == before[1] {
		t.Error("the files are not replaced")
	}
}

// files returns what the files of a folder hold.
func files(t *testing.T, folder string) (all []string) {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(folder, "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		content, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, string(content))
	}
	return all
}
