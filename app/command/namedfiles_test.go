package command

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"lapsvm/app/command/cli"
)

// A command never replaces one of its own files, under whatever name it has it, and
// refuses to before anything runs.
func TestInputsAreNotReplaced(t *testing.T) {
	folder := t.TempDir()
	in := func(name string) string { return filepath.Join(folder, name) }
	data := moons(t, folder, 40)
	model := in("m.lapsvm")
	if code, _, stderr := lapsvmRun(t, t.Context(), "", "train", data, "-o", model, "--neighbours", "5", "--quiet"); code != cli.ExitDone {
		t.Fatal(stderr)
	}
	if err := os.Mkdir(in("inner"), 0o777); err != nil {
		t.Fatal(err)
	}
	for name, of := range map[string]string{"link.csv": data, "dangling.html": in("new.html"), "folder": in("inner")} {
		if err := os.Symlink(of, in(name)); err != nil {
			t.Skip(err)
		}
	}
	if err := os.Link(data, in("hard.csv")); err != nil {
		t.Skip(err)
	}
	config := file(t, folder, "c.toml", "report = \""+in("page.html")+"\"\n")
	svg, html, csv := in("moons.svg"), in("moons.html"), in("grid.csv")
	for _, path := range []string{svg, html} {
		if err := os.Symlink(data, path); err != nil {
			t.Fatal(err)
		}
	}
	before, err := os.ReadFile(data)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"beside.libsvm.labels", "scaled.txt.range"} {
		if err := os.Symlink(model, in(name)); err != nil {
			t.Fatal(err)
		}
	}
	const replaces, twice = "would replace", "are the same file"
	for _, c := range []struct {
		args string
		want string
	}{
		{"train " + data + " -o " + data, replaces + " DATA"},
		{"train " + data + " -o " + folder + "/inner/../moons.csv", replaces + " DATA"},
		{"train " + data + " -o " + in("link.csv"), replaces + " DATA"},
		{"train " + data + " -o " + in("hard.csv"), replaces + " DATA"},
		{"train " + data + " -o " + in("n") + " --report " + html, replaces + " DATA"},
		{"train " + data + " -o " + config + " --config " + config, replaces + " --config"},
		{"train " + data + " -o " + in("v") + " --validation " + in("v"), replaces + " --validation"},
		{"train " + data + " -o " + model + " --recipe " + model, replaces + " --recipe"},
		{"train " + data + " -o " + in("page.html") + " --config " + config, twice},
		{"train " + data + " -o " + in("dangling.html") + " --report " + in("new.html"), twice},
		{"train " + data + " -o " + in("folder/p.html") + " --report " + in("inner/p.html"), twice},
		{"tune " + data + " --svg " + svg, replaces + " DATA"},
		{"tune " + data + " --csv " + csv + " --svg " + csv, twice},
		{"tune " + data + " --report " + html, replaces + " DATA"},
		{"evaluate " + data + " --labelled 4 --test " + in("t.html") + " --report " + in("t.html"), replaces + " --test"},
		{"predict " + model + " " + data + " -o " + model, replaces + " MODEL"},
		{"predict " + model + " " + data + " -o " + data, replaces + " DATA"},
		{"convert " + data + " " + in("link.csv"), replaces + " DATA"},
		{"export " + model + " " + model + " --prune 0.1", replaces + " MODEL"},
		{"export " + model + " " + in("beside.libsvm"), replaces + " MODEL"},
		{"export " + model + " " + in("scaled.txt") + " --format libsvm", replaces + " MODEL"},
		{"demo -o " + svg + " --data " + data, twice},
	} {
		code, stdout, stderr := lapsvmRun(t, t.Context(), "", strings.Fields(c.args)...)
		if code != cli.ExitUsage || stdout != "" || !strings.Contains(stderr, c.want) || strings.Count(stderr, "\n") != 1 {
			t.Errorf("lapsvm %s: code %d, %s%s, want %s", c.args, code, stdout, stderr, c.want)
		}
	}
	if after, err := os.ReadFile(data); err != nil || string(after) != string(before) {
		t.Errorf("the data are not as they were: %v", err)
	}
	for _, args := range []string{
		"tune " + data + " --csv " + os.DevNull + " --svg " + os.DevNull + " --quiet",
		"predict " + model + " " + data + " -o " + in("out.csv"),
		"predict " + model + " " + data + " -o " + in("out.csv"),
	} {
		if code, _, stderr := lapsvmRun(t, t.Context(), "", strings.Fields(args)...); code != cli.ExitDone {
			t.Errorf("lapsvm %s: code %d, %s", args, code, stderr)
		}
	}
}

// An unwritable file is an error before the data are read: here the data do not even
// exist.
func TestOutputsAreLookedAtFirst(t *testing.T) {
	folder := t.TempDir()
	locked := file(t, folder, "locked.csv", "")
	if err := os.Chmod(locked, 0o444); err != nil {
		t.Fatal(err)
	}
	page := filepath.Join(folder, "page.html")
	if err := os.Mkdir(page, 0o777); err != nil {
		t.Fatal(err)
	}
	absent := filepath.Join(folder, "absent.csv")
	for _, c := range []struct{ args, want string }{
		{"train " + absent + " -o " + folder, "is a folder"},
		{"train " + absent + " -o " + locked, "is read-only"},
		{"train " + absent + " -o " + locked + "/m", "there is no folder"},
		{"train " + absent + " -o " + folder + "/m --report " + page, "is a folder"},
		{"tune " + absent + " --svg " + folder + "/no/grid.svg", "there is no folder"},
		{"tune " + absent + " --csv " + locked, "is read-only"},
		{"predict " + absent + " " + absent + " -o " + locked, "is read-only"},
		{"convert " + absent + " " + locked, "is read-only"},
		{"export " + absent + " " + folder + "/no/m.onnx", "there is no folder"},
		{"demo --keep " + locked, "there is no folder"},
		{"train " + absent + " -o " + folder + "/" + strings.Repeat("m", 300), "too long"},
	} {
		code, stdout, stderr := lapsvmRun(t, t.Context(), "", strings.Fields(c.args)...)
		if code != cli.ExitUsage || stdout != "" || !strings.Contains(stderr, c.want) {
			t.Errorf("lapsvm %s: code %d, %s%s, want %s", c.args, code, stdout, stderr, c.want)
		}
	}
	if entries, _ := os.ReadDir(folder); len(entries) != 2 {
		t.Errorf("left behind: %v", entries)
	}
}

// Every flag whose help speaks of a file or a folder is known to name one.
func TestFlagsOfFilesAreKnown(t *testing.T) {
	for _, c := range root(&cli.Program{}).Commands() {
		c.Flags().VisitAll(func(f *pflag.Flag) {
			first, _, _ := strings.Cut(f.Usage, " ")
			known := false
			if complete, is := c.GetFlagCompletionFunc(f.Name); is {
				_, directive := complete(c, nil, "")
				known = directive != cobra.ShellCompDirectiveNoFileComp
			}
			says := first == "file" || first == "folder" || strings.HasSuffix(f.Usage, " file")
			if says && !known && f.Value.Type() == "string" {
				t.Errorf("%s --%s is a file: %s", c.Name(), f.Name, f.Usage)
			}
		})
	}
}

// For every command that takes DATA a pattern stands for its matching files, one after
// another.
func TestPatternsOfFiles(t *testing.T) {
	folder := t.TempDir()
	content, err := os.ReadFile(moons(t, folder, 80))
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(string(content), "\n")
	for k, part := range [][]string{lines[1:41], lines[41:]} {
		text := lines[0] + strings.Join(part, "")
		if err := os.WriteFile(filepath.Join(folder, fmt.Sprintf("shard%d.csv", k)), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	model, parameters := filepath.Join(folder, "model"), []string{"--sigma", "0.4", "--neighbours", "5", "--laplacian-degree", "1", "--standardise", "none", "--json"}
	outputs := func(data string) (all []string) {
		for _, args := range [][]string{append([]string{"train", data, "-o", model, "--gamma-a", "1e-3", "--gamma-i", "1"}, parameters...), {"predict", model, data, "--scores"},
			append([]string{"graph", data}, parameters...), append([]string{"tune", data, "--grid-a", "0.01,1", "--grid-i", "1"}, parameters...),
			append([]string{"evaluate", data, "--per-class", "2", "--gamma-a", "1e-3", "--gamma-i", "1"}, parameters...)} {
			code, out, stderr := lapsvmRun(t, t.Context(), "", args...)
			if code != cli.ExitDone {
				t.Fatalf("%q: code %d: %s", args, code, stderr)
			}
			if args[0] == "predict" || args[0] == "graph" {
				all = append(all, out)
			}
		}
		return all
	}
	got, want := outputs(filepath.Join(folder, "shard*.csv")), outputs(filepath.Join(folder, "moons.csv"))
	for k := range want {
		if got[k] != want[k] {
			t.Errorf("files of a pattern give\n%s\nand one file\n%s", got[k], want[k])
		}
	}
}
