package command

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lapsvm/app/command/cli"
)

// offsetModel trains on two classes called no and yes, in a z-scored column of the
// given centre and another one.
func offsetModel(t *testing.T, folder string, centre float64) string {
	t.Helper()
	rng := rand.New(rand.NewPCG(8, 8))
	var table strings.Builder
	fmt.Fprintln(&table, "label,x,y")
	for i := range 120 {
		class := i % 2
		name := [2]string{"no", "yes"}[class]
		if i > 12 {
			name = ""
		}
		fmt.Fprintf(&table, "%s,%v,%v\n", name, centre+float64(2*class)+rng.NormFloat64(), rng.NormFloat64())
	}
	data, model := file(t, folder, "offset.csv", table.String()), filepath.Join(folder, "m.lapsvm")
	if code, _, stderr := lapsvmRun(t, t.Context(), "", "train", data, "-o", model, "--standardise", "zscore", "--sigma", "1", "--neighbours", "5",
		"--gamma-a", "0.01", "--gamma-i", "0.1", "--laplacian-degree", "1", "--proba", "off", "--quiet"); code != cli.ExitDone {
		t.Fatal(stderr)
	}
	return model
}

// An ONNX file takes float32 where that changes no label, else float64. The
// command reports the precision and the differences that were measured.
func TestExportTellsPrecision(t *testing.T) {
	for _, c := range []struct {
		centre    float64
		precision int
		says      string
	}{{170, 32, "its inputs and outputs are float32: of"}, {1e9, 64, "its inputs and outputs are float64: with float32, "}} {
		folder := t.TempDir()
		model, out := offsetModel(t, folder, c.centre), filepath.Join(folder, "m.onnx")
		code, stdout, stderr := lapsvmRun(t, t.Context(), "", "export", model, out)
		if code != cli.ExitDone || !strings.Contains(stdout, c.says) {
			t.Errorf("centre %g: code %d, %s%s", c.centre, code, stdout, stderr)
		}
		_, stdout, _ = lapsvmRun(t, t.Context(), "", "export", model, out, "--json")
		var result struct {
			Rounding *struct {
				Precision, Tried int
				Labels           int     `json:"labels_changed"`
				Largest          float64 `json:"largest_change"`
			}
		}
		if err := json.Unmarshal([]byte(stdout), &result); err != nil {
			t.Fatal(err)
		}
		if r := result.Rounding; r == nil || r.Precision != c.precision || r.Tried < 240 || (r.Labels == 0) != (c.precision == 32) || !(r.Largest > 0) {
			t.Errorf("centre %g: %s", c.centre, stdout)
		}
		code, _, stderr = lapsvmRun(t, t.Context(), "", "export", model, out, "--precision", "32")
		if refused := code == cli.ExitData && strings.Contains(stderr, "get other labels") && strings.Contains(stderr, "take precision 64"); refused != (c.precision == 64) || !refused && code != cli.ExitDone {
			t.Errorf("centre %g, 32 bits: code %d, %s", c.centre, code, stderr)
		}
		if code, stdout, _ = lapsvmRun(t, t.Context(), "", "export", model, out, "--precision", "64"); code != cli.ExitDone || !strings.Contains(stdout, "its inputs and outputs are float64\n") {
			t.Errorf("centre %g, 64 bits: code %d, %s", c.centre, code, stdout)
		}
	}
}

// Contents without a place in LIBSVM's text are in a file beside it, and the
// output says so.
func TestExportBesideLIBSVM(t *testing.T) {
	folder := t.TempDir()
	model, out := offsetModel(t, folder, 170), filepath.Join(folder, "m.libsvm")
	code, stdout, stderr := lapsvmRun(t, t.Context(), "", "export", model, out)
	if code != cli.ExitDone || !strings.Contains(stdout, "svm-scale -r "+out+".range points.svm > scaled.svm") || !strings.Contains(stdout, out+".labels: ") {
		t.Errorf("code %d, %s%s", code, stdout, stderr)
	}
	for name, want := range map[string]string{".range": "x\n0 1\n1 17", ".labels": "1\tno\n2\tyes\n", "": "svm_type c_svc\n"} {
		if text, err := os.ReadFile(out + name); err != nil || !strings.HasPrefix(string(text), want) {
			t.Errorf("OUT%s: %q, %v", name, text, err)
		}
	}
	if _, stdout, _ = lapsvmRun(t, t.Context(), "", "export", model, out, "--json"); !strings.Contains(stdout, `"beside":["`+out+`.range","`+out+`.labels"]`) {
		t.Error(stdout)
	}
	code, _, stderr = lapsvmRun(t, t.Context(), "", "export", model, os.DevNull, "--format", "libsvm")
	if code != cli.ExitUsage || !strings.Contains(stderr, "beside OUT") {
		t.Errorf("beside a device: code %d, %s", code, stderr)
	}
}

// An export ends when its context is done.
func TestExportStops(t *testing.T) {
	folder := t.TempDir()
	model := filepath.Join(folder, "m.lapsvm")
	if code, _, stderr := lapsvmRun(t, t.Context(), "", "train", moons(t, folder, 20), "-o", model); code != cli.ExitDone {
		t.Fatal(stderr)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if code, _, stderr := lapsvmRun(t, ctx, "", "export", model, filepath.Join(folder, "m.json")); code != cli.ExitInterrupted {
		t.Errorf("exit code %d: %s", code, stderr)
	}
}
