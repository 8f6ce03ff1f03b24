package command

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"lapsvm/app/command/cli"
)

// The scripts in testdata/script run the real command.
func TestMain(m *testing.M) {
	os.Setenv("GORACE", "atexit_sleep_ms=50")
	testscript.Main(m, map[string]func(){"lapsvm-lab": func() { cli.Main(Run) }})
}

func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{Dir: "testdata/script", RequireExplicitExec: true})
}

// labRun runs the command in-process.
func labRun(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, err bytes.Buffer
	code = Run(t.Context(), args, strings.NewReader(""), &out, &err)
	return code, out.String(), err.String()
}

// A wrong use is an error with advice and with the name of this program.
func TestUsage(t *testing.T) {
	for _, c := range []struct{ args, want string }{
		{"paper --repeats all", `lapsvm-lab: --repeats takes a whole number, not "all"`},
		{"paper --repeats 1000000000", "lapsvm-lab: --repeats takes a number up to 1000"},
		{"paper -o command.go/paper", "there is no folder"},
		{"papre", `there is no command "papre", did you mean paper; see lapsvm-lab help`},
	} {
		code, stdout, stderr := labRun(t, strings.Fields(c.args)...)
		if code != 2 || stdout != "" || !strings.Contains(stderr, c.want) {
			t.Errorf("%s: exit code %d, %s%s", c.args, code, stdout, stderr)
		}
	}
	code, stdout, _ := labRun(t, "__completeNoDesc", "paper", "--data", "")
	if code != 0 || strings.TrimSpace(stdout) != ":16" {
		t.Errorf("--data of paper is completed as %s", stdout)
	}
}
