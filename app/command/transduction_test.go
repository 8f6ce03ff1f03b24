package command

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lapsvm/app/command/cli"
)

// train --transduction writes of the training rows what predict writes of them, also for
// a supervised machine. With the exact solver the values agree to the last digits. The
// data and the model are never overwritten.
func TestTransduction(t *testing.T) {
	folder := t.TempDir()
	in := func(name string) string { return filepath.Join(folder, name) }
	run := func(want int, args ...string) string {
		t.Helper()
		code, _, stderr := lapsvmRun(t, t.Context(), "", args...)
		if code != want {
			t.Fatalf("%q: code %d, %s", args, code, stderr)
		}
		return stderr
	}
	run(cli.ExitDone, "demo", "--data", in("moons.csv"), "-o", in("a.svg"), "--quiet")
	for name, flags := range map[string][]string{"both": {"--gamma-i", "1"}, "supervised": {"--gamma-i", "0"}} {
		t.Run(name, func(t *testing.T) {
			args := append([]string{"train", in("moons.csv"), "-o", in("m.lapsvm"), "--transduction", in("rows.csv"), "--precision", "64",
				"--sigma", "0.35", "--neighbours", "6", "--gamma-a", "0.01", "--quiet"}, flags...)
			run(cli.ExitDone, args...)
			run(cli.ExitDone, "predict", in("m.lapsvm"), in("moons.csv"), "--scores", "--proba", "-o", in("predicted.csv"), "--quiet")
			var rows [2][]string
			for k, file := range []string{"rows.csv", "predicted.csv"} {
				text, err := os.ReadFile(in(file))
				if err != nil {
					t.Fatal(err)
				}
				rows[k] = strings.Split(string(text), "\n")
			}
			if len(rows[0]) < 100 || len(rows[0]) != len(rows[1]) || rows[0][0] != rows[1][0] {
				t.Fatalf("%d rows %q of %d rows %q", len(rows[0]), rows[0][0], len(rows[1]), rows[1][0])
			}
			for i := range rows[0] {
				// The label and the first six digits of the decision value.
				if got, want := rows[0][i], rows[1][i]; len(want) > 8 && got[:8] != want[:8] {
					t.Errorf("row %d: %s, predict has %s", i, got, want)
				}
			}
		})
	}
	run(cli.ExitDone, "predict", in("m.lapsvm"), in("moons.csv"), "--scores", "--to", "npz", "-o", in("nameless"), "--quiet")
	if text, err := os.ReadFile(in("nameless")); err != nil || !strings.HasPrefix(string(text), "PK") {
		t.Errorf("--to npz wrote %.8q, %v", text, err)
	}
	for _, out := range []string{in("moons.csv"), in("m.lapsvm"), in("rows.png")} {
		run(cli.ExitUsage, "train", in("moons.csv"), "-o", in("m.lapsvm"), "--transduction", out, "--gamma-i", "1")
	}
}
