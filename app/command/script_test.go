package command

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"lapsvm/app/command/cli"
	"lapsvm/internal/testing/detector"
)

// The scripts in testdata/script run the real command, and so do the pages of
// the manual. Under the race detector a program waits for a second before it
// ends, which those of other tests are spared.
func TestMain(m *testing.M) {
	os.Setenv("GORACE", "atexit_sleep_ms=50")
	testscript.Main(m, map[string]func(){"lapsvm": func() { cli.Main(Run) }, "lapsvm-peak": peakOf})
}

func TestScripts(t *testing.T) {
	detector.Spare(t)
	files, err := filepath.Abs("../../dataset/files/testdata")
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{Dir: "testdata/script", RequireExplicitExec: true, Setup: func(e *testscript.Env) error {
		e.Setenv("FILES", files)
		return nil
	}})
}
