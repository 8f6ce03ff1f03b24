package command

import (
	"strings"
	"testing"
	"time"

	"lapsvm/app/command/cli"
)

// Plain progress writes a line a second at most, none of it to standard output;
// with JSON for another program, and with quiet and off, there is none.
func TestProgressModes(t *testing.T) {
	data := moons(t, t.TempDir(), 400)
	for mode, lines := range map[string]bool{"auto": false, "off": false, "plain": true} {
		start := time.Now()
		code, stdout, stderr := lapsvmRun(t, t.Context(), "", "tune", data, "--json", "--progress", mode)
		if code != cli.ExitDone || !strings.HasPrefix(stdout, "{") || strings.Count(stdout, "\n") != 1 {
			t.Fatalf("%s: exit code %d, %s", mode, code, stdout)
		}
		if most := int(time.Since(start).Seconds()); strings.Count(stderr, "\n") > most || stderr != "" && !lines {
			t.Errorf("%s: %q within %d s", mode, stderr, most)
		}
	}
}
