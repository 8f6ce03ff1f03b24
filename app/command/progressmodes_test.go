package command

import (
	"strings"
	"testing"
	"time"

	"lapsvm/app/command/cli"
)

// Plain progress writes a line a second at most, and progress for a log a line every ten seconds, none of it to
// standard output. With off there is none.
func TestProgressModes(t *testing.T) {
	data := moons(t, t.TempDir(), 400)
	for mode, lines := range map[string]int{"auto": 1, "off": 0, "plain": 10} {
		start := time.Now()
		code, stdout, stderr := lapsvmRun(t, t.Context(), "", "tune", data, "--json", "--progress", mode)
		if code != cli.ExitDone || !strings.HasPrefix(stdout, "{") || strings.Count(stdout, "\n") != 1 {
			t.Fatalf("%s: exit code %d, %s", mode, code, stdout)
		}
		if most := int(time.Since(start).Seconds()) * lines / 10; strings.Count(stderr, "\n") > most {
			t.Errorf("%s: %q within %d s", mode, stderr, most)
		}
	}
}
