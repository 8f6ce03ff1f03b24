package command

import (
	"encoding/csv"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lapsvm/app/command/cli"
)

// Labels are exact by default, with a warning where a spreadsheet would run one; with
// --csv-safe such text stands behind an apostrophe. Numbers stay as they are.
func TestPredictionsInSpreadsheets(t *testing.T) {
	folder := t.TempDir()
	const run, hyper = `=cmd|' /C calc'!A0`, `@HYPERLINK("x")`
	var table strings.Builder
	table.WriteString("x,y,=id,label\n")
	for k, x := range []string{"0", "0.1", "0.2", "0.3", "5", "5.1", "5.2", "5.3"} {
		name := run
		if k >= 4 {
			name = strings.ReplaceAll(hyper, `"`, `""`)
		}
		table.WriteString(x + ",-" + x + ",-" + x + ",\"" + name + "\"\n")
	}
	data, model, out := file(t, folder, "d.csv", table.String()), filepath.Join(folder, "m"), filepath.Join(folder, "out.csv")
	if code, _, stderr := lapsvmRun(t, t.Context(), "", "train", data, "-o", model, "--neighbours", "3", "--id", "=id", "--quiet"); code != cli.ExitDone {
		t.Fatal(stderr)
	}
	for _, c := range []struct {
		args   string
		prefix string
		warns  bool
	}{{"--scores --proba", "", true}, {"--scores --proba --quiet", "", false}, {"--scores --csv-safe", "'", false}, {"--explain 2 --csv-safe", "'", false}, {"--explain 2", "", true}} {
		code, _, stderr := lapsvmRun(t, t.Context(), "", append([]string{"predict", model, data, "-o", out}, strings.Fields(c.args)...)...)
		if code != cli.ExitDone || strings.Contains(stderr, "--csv-safe") != c.warns {
			t.Fatalf("%s: code %d, %s", c.args, code, stderr)
		}
		text, err := os.ReadFile(out)
		if err != nil {
			t.Fatal(err)
		}
		rows, err := csv.NewReader(strings.NewReader(string(text))).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		labels := 0
		for _, row := range rows {
			for _, field := range row {
				if field == c.prefix+run || field == c.prefix+hyper || field == c.prefix+"=id" {
					labels++
				} else if strings.IndexAny(field, "=+@'") == 0 {
					t.Errorf("%s: the field %q", c.args, field)
				}
			}
		}
		if labels < 3 {
			t.Errorf("%s: %d labels are as they should be in %q", c.args, labels, rows)
		}
	}
	for _, args := range []string{"--json", "-o " + filepath.Join(folder, "out.parquet"), "--explain 1"} {
		code, _, stderr := lapsvmRun(t, t.Context(), "", append([]string{"predict", model, data, "--csv-safe"}, strings.Fields(args)...)...)
		if code != cli.ExitUsage || !strings.Contains(stderr, "--csv-safe is for") {
			t.Errorf("%s: code %d, %s", args, code, stderr)
		}
	}
}

// convert keeps text as it is, with a warning where a spreadsheet would run it; with
// --csv-safe it stands behind an apostrophe.
func TestConvertedInSpreadsheets(t *testing.T) {
	folder := t.TempDir()
	data, out := file(t, folder, "d.csv", "x,+y,label\n1,2,=cmd()\n-3,4,b\n"), filepath.Join(folder, "out.tsv")
	for args, want := range map[string]string{"": "x\t+y\tlabel\n1\t2\t=cmd()\n-3\t4\tb\n", "--csv-safe": "x\t'+y\tlabel\n1\t2\t'=cmd()\n-3\t4\tb\n"} {
		code, _, stderr := lapsvmRun(t, t.Context(), "", append([]string{"convert", data, out}, strings.Fields(args)...)...)
		text, err := os.ReadFile(out)
		if code != cli.ExitDone || err != nil || string(text) != want || strings.Contains(stderr, "--csv-safe") != (args == "") {
			t.Errorf("%q: code %d, %s, %q", args, code, stderr, text)
		}
	}
	code, _, stderr := lapsvmRun(t, t.Context(), "", "convert", data, filepath.Join(folder, "out.npz"), "--csv-safe")
	if code != cli.ExitUsage || !strings.Contains(stderr, "--csv-safe is for") {
		t.Errorf("code %d, %s", code, stderr)
	}
}

// The plan of a training tells the memory of a table whatever program's file it is in.
func TestPlanOfSheets(t *testing.T) {
	folder := filepath.Join("..", "..", "testdata", "written", "sheets")
	want := ""
	for _, name := range []string{"table.csv", "libreoffice.xlsx", "libreoffice.ods", "pandas.sqlite"} {
		code, out, stderr := lapsvmRun(t, t.Context(), "", "train", filepath.Join(folder, name), "--label", "kind", "--plan", "--threads", "1")
		_, memory, told := strings.Cut(out, ": of the training ") // what is before it is of the process that tests
		if want == "" {
			want = memory
		}
		if code != cli.ExitDone || !told || !strings.Contains(memory, "for the Gram matrix") || memory != want {
			t.Errorf("%s: code %d, %s%s", name, code, out, stderr)
		}
	}
}
