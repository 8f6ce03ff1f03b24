package command

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"lapsvm/app/command/cli"
)

// Every command listed by help has a page with all its flags. Every line of a
// page is a request of roff or text.
func TestManualPages(t *testing.T) {
	folder := t.TempDir()
	if code, _, stderr := lapsvmRun(t, t.Context(), "", "man", folder); code != cli.ExitDone {
		t.Fatal(stderr)
	}
	requests := map[string]bool{".TH": true, ".SH": true, ".SS": true, ".TP": true, ".PP": true, ".B": true, ".BR": true, ".nf": true, ".fi": true}
	hyphens := func(flag string) string { return strings.ReplaceAll(flag, "-", `\-`) }
	pages := 0
	for _, c := range root(&cli.Program{}).Commands() {
		path := filepath.Join(folder, "lapsvm-"+c.Name()+".1")
		text, err := os.ReadFile(path)
		if c.Hidden || c.Name() == "help" {
			if err == nil {
				t.Errorf("%s has a page", c.Name())
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		pages++
		for line := range strings.Lines(string(text)) {
			word, _, _ := strings.Cut(strings.TrimSpace(line), " ")
			if strings.HasPrefix(line, "'") || strings.HasPrefix(line, ".") && !requests[word] {
				t.Errorf("%s: the request %q", path, line)
			}
		}
		if c.Name() == "train" && !strings.Contains(string(text), ".SS Graph\n.TP\n\\fB"+hyphens("--neighbours")) {
			t.Errorf("%s has no headings", path)
		}
		c.Flags().VisitAll(func(f *pflag.Flag) {
			if found := strings.Contains(string(text), hyphens("--"+f.Name)+`\fR`); found == f.Hidden {
				t.Errorf("%s: --%s, hidden %v, is there: %v", c.Name(), f.Name, f.Hidden, found)
			}
		})
		if man, err := exec.LookPath("man"); err == nil {
			out, err := exec.Command(man, "--warnings", "-l", path).CombinedOutput()
			if err != nil || strings.Contains(string(out), "warning:") || !strings.Contains(string(out), "SYNOPSIS") {
				t.Errorf("man %s: %v\n%.300s", path, err, out)
			}
		}
	}
	if pages < 10 {
		t.Errorf("%d pages", pages)
	}
}
