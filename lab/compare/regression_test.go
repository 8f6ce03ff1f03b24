package compare

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The script of the table of regression has a line for each set and number of labels that leaves rows, and one of the means.
func TestRegressionTable(t *testing.T) {
	python := ""
	for _, name := range []string{"/usr/bin/python3", "python3"} {
		if exec.Command(name, "-c", "import sklearn").Run() == nil {
			python = name
		}
	}
	if python == "" {
		t.Skip("needs python3 with scikit-learn")
	}
	program := filepath.Join(t.TempDir(), "lapsvm")
	if out, err := exec.Command("go", "build", "-o", program, "lapsvm/cmd/lapsvm").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	out, err := exec.Command(python, "regression.py", "--program", program, "--draws", "2", "--labels", "10,50", "--sets", "linnerud, weight").Output()
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	if len(lines) != 4 || !strings.HasPrefix(lines[2], "| linnerud, weight | 10 | ") || !strings.HasPrefix(lines[3], "| more error than lapsvm | | +0.0 % | ") {
		t.Fatalf("%d lines: %s", len(lines), out)
	}
	for _, line := range lines[1:] {
		if strings.Count(line, "|") != strings.Count(lines[0], "|") {
			t.Errorf("%s has other columns than %s", line, lines[0])
		}
	}
	if strings.Contains(string(out), "nan") {
		t.Error(string(out))
	}
}
