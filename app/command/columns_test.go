package command

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

// The table of columns has ten lines at most, with those to look at first; -v lists all.
func TestColumnsInTenLines(t *testing.T) {
	folder := t.TempDir()
	var table strings.Builder
	for k := range 20 {
		fmt.Fprintf(&table, "n%d,", k)
	}
	table.WriteString("kind,same,Churn\n")
	for i := range 40 {
		for k := range 20 {
			fmt.Fprintf(&table, "%d,", (i*i+k*i)%17+9*(i%2))
		}
		fmt.Fprintf(&table, "%s,x,%s\n", []string{"new", "old"}[i/2%2], []string{"no", "yes"}[i%2])
	}
	data := file(t, folder, "wide.csv", table.String())
	listed := func(flags ...string) []string {
		t.Helper()
		_, _, stderr := lapsvmRun(t, t.Context(), "", append([]string{"train", data, "-o", filepath.Join(folder, "m")}, flags...)...)
		_, text, is := strings.Cut(stderr, "column  taken for\n")
		text, _, ends := strings.Cut(text, "\nlabels in Churn")
		if !is || !ends {
			t.Fatal(stderr)
		}
		return strings.Split(text, "\n")
	}
	short := strings.Join(listed(), "\n")
	if n := strings.Count(short, "\n") + 1; n != 9 || !strings.Contains(short, "same    left out") || !strings.Contains(short, "kind    category") || !strings.Contains(short, "n4      number") || strings.Contains(short, "n5") || !strings.Contains(short, "15 columns more; lapsvm train -v lists all") {
		t.Errorf("%d lines:\n%s", n+1, short)
	}
	if long := listed("-v"); len(long) != 23 {
		t.Errorf("%d lines of -v:\n%s", len(long), strings.Join(long, "\n"))
	}
}
