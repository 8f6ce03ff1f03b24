package command

import (
	"encoding/json"
	"runtime"
	"slices"
	"strings"
	"testing"

	"lapsvm/app/command/cli"
	"lapsvm/internal/numbers/vec"
)

// version tells what the build is, in words and as JSON, and --version its first part.
func TestVersion(t *testing.T) {
	code, words, stderr := lapsvmRun(t, t.Context(), "", "version")
	if code != cli.ExitDone || stderr != "" {
		t.Fatal(stderr)
	}
	for _, part := range []string{"version  ", "built    by " + runtime.Version() + " for " + runtime.GOOS + "/" + runtime.GOARCH, "kernels  " + vec.Path() + ", "} {
		if !strings.Contains(words, part) {
			t.Errorf("%q is not in\n%s", part, words)
		}
	}
	_, text, _ := lapsvmRun(t, t.Context(), "", "version", "--json")
	var b cli.Build
	if err := json.Unmarshal([]byte(text), &b); err != nil {
		t.Fatal(err)
	}
	if b.Go != runtime.Version() || b.System != runtime.GOOS || !strings.HasPrefix(b.Processor, runtime.GOARCH) || !slices.Contains(vec.Paths(), b.Kernels) || b.Version == "" {
		t.Errorf("%+v", b)
	}
	if _, line, _ := lapsvmRun(t, t.Context(), "", "--version"); line != "lapsvm version "+b.String()+"\n" {
		t.Errorf("%q", line)
	}
	if code, _, _ := lapsvmRun(t, t.Context(), "", "version", "more"); code != cli.ExitUsage {
		t.Errorf("exit code %d", code)
	}
}
