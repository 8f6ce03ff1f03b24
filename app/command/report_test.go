package command

import (
	"encoding/json"
	"html"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"lapsvm"
	"lapsvm/app/command/cli"
	"lapsvm/dataset"
	"lapsvm/dataset/files"
	"lapsvm/internal/machines/selection"
)

// commandOf returns the words of the command line on a page, as a shell reads
// them, without the program's name.
func commandOf(t *testing.T, page string) []string {
	t.Helper()
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile(`(?s)<pre[^>]*><code>(.*?)</code>`).FindSubmatch(text)
	if found == nil {
		t.Fatal("the page has no command")
	}
	return shellWords(t, html.UnescapeString(string(found[1])))
}

// shellWords returns the words of a command line as a shell reads them, without
// the program's name.
func shellWords(t *testing.T, command string) []string {
	t.Helper()
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("there is no sh to read the command with")
	}
	out, err := exec.Command("sh", "-c", `lapsvm() { printf '%s\0' "$@"; }; `+command).Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
}

// The command on the page of a training gives the same model, whichever
// parameters were given, open or default.
func TestReportRepeatsTraining(t *testing.T) {
	folder := t.TempDir()
	d := dataset.TwoMoons(60, 0.1, 1)
	d.Classes = []string{"it's", `a "b" $c`}
	for i := 10; i < 60; i++ {
		d.Y[i] = dataset.Unlabelled
	}
	points := filepath.Join(folder, "it's all, here.csv")
	if err := files.WriteFile(t.Context(), points, d, files.WriteOptions{}); err != nil {
		t.Fatal(err)
	}
	config := file(t, folder, "config.toml", "gamma-a = 0.01\nunlabelled = [\"x y\", \"-\"]\n")
	for name, flags := range map[string][]string{
		"chosen":     {"--neighbours", "4"},
		"by rule":    {"--one-class", "--select", "it's", "--proba", "off"},
		"given":      {"--sigma", "0.31", "--neighbours", "5", "--laplacian-degree", "1", "--gamma-a", "1e-3", "--gamma-i", "0.1", "--bias-in-norm=off", "--standardise", "zscore"},
		"from file":  {"--sigma", "0.3", "--neighbours", "5", "--laplacian-degree", "1", "--gamma-i", "0.1", "--config", config},
		"prior":      {"--sigma", "0.3", "--neighbours", "5", "--laplacian-degree", "1", "--gamma-a", "0.01", "--gamma-i", "0.1", "--prior", "labelled", "--solver", "deformed"},
		"polynomial": {"--kernel", "poly", "--degree", "2", "--coef0", "0.5", "--gamma", "0.3", "--gamma-a", "1e-3", "--gamma-i", "0"},
	} {
		t.Run(name, func(t *testing.T) {
			first, second, page := filepath.Join(folder, "first.lapsvm"), filepath.Join(folder, "second.lapsvm"), filepath.Join(folder, "page.html")
			args := append([]string{"train", points, "-o", first, "--report", page}, flags...)
			if code, _, stderr := lapsvmRun(t, t.Context(), "", args...); code != cli.ExitDone {
				t.Fatal(stderr)
			}
			again := commandOf(t, page)
			at := slices.Index(again, "--output")
			beside := filepath.Join(folder, "again-first.lapsvm") // where the model is the recipe
			if at < 0 || again[at+1] != map[bool]string{false: first, true: beside}[slices.Contains(again, "--recipe")] {
				t.Fatalf("the command %q does not write the model", again)
			}
			again[at+1] = second
			if code, _, stderr := lapsvmRun(t, t.Context(), "", again...); code != cli.ExitDone {
				t.Fatal(stderr)
			}
			var scores [2][][]float64
			var configs [2]string
			for k, path := range []string{first, second} {
				m, err := lapsvm.Load(path)
				if err != nil {
					t.Fatal(err)
				}
				if scores[k], err = m.Scores(t.Context(), d.Points); err != nil {
					t.Fatal(err)
				}
				recipe := m.Recipe()
				recipe.Choice, recipe.StandardiseReason = nil, "" // the command may give what was chosen
				text, err := json.Marshal(recipe)
				if err != nil {
					t.Fatal(err)
				}
				configs[k] = string(text)
			}
			if !slices.EqualFunc(scores[0], scores[1], slices.Equal[[]float64]) {
				t.Error("the command gives another model")
			}
			if configs[0] != configs[1] {
				t.Errorf("configuration %s, then %s", configs[0], configs[1])
			}
		})
	}
}

// The last line of tune is a command that trains with the recommended cell.
func TestTuneEndsWithTraining(t *testing.T) {
	folder := t.TempDir()
	d := dataset.TwoMoons(60, 0.1, 1)
	d.Classes, d.Label = []string{"it's", "-"}, "the kind"
	for i := 12; i < 60; i++ {
		d.Y[i] = dataset.Unlabelled
	}
	points := filepath.Join(folder, "it's all, here.csv")
	if err := files.WriteFile(t.Context(), points, d, files.WriteOptions{}); err != nil {
		t.Fatal(err)
	}
	for name, flags := range map[string][]string{
		"left open":  {"--label", "the kind"},
		"gaussian":   {"--sigma", "0.31", "--standardise", "zscore", "--config", file(t, folder, "config.toml", "neighbours = 5\n"), "--folds", "3"},
		"polynomial": {"--kernel", "poly", "--degree", "2", "--coef0", "0.5", "--laplacian-degree", "1", "--bias", "off", "--gamma-a", "0.01"},
	} {
		t.Run(name, func(t *testing.T) {
			args := append([]string{"tune", points}, flags...)
			code, text, stderr := lapsvmRun(t, t.Context(), "", args...)
			if code != cli.ExitDone {
				t.Fatal(stderr)
			}
			words := shellWords(t, text[strings.LastIndex(text, "\nlapsvm train"):])
			_, text, _ = lapsvmRun(t, t.Context(), "", append(args, "--json")...)
			var found struct {
				Command     string
				Config      lapsvm.Recipe
				Recommended selection.TunedCell
			}
			if err := json.Unmarshal([]byte(text), &found); err != nil {
				t.Fatal(err)
			}
			if again := shellWords(t, found.Command); !slices.Equal(words, again) {
				t.Errorf("as text %q, in JSON %q", words, again)
			}
			at := slices.Index(words, "--output")
			words[at+1] = filepath.Join(folder, words[at+1])
			if code, _, stderr := lapsvmRun(t, t.Context(), "", words...); code != cli.ExitDone {
				t.Fatal(stderr)
			}
			m, err := lapsvm.Load(words[at+1])
			if err != nil {
				t.Fatal(err)
			}
			got, want := m.Recipe(), found.Config
			for _, c := range []*lapsvm.Recipe{&got, &want} { // how, not what
				c.Solver, c.Gram, c.Precision = "", "", 0
				c.Stop, c.CheckEvery, c.MaxIterations, c.Tolerance = "", 0, 0, 0
				c.Calibrate, c.StandardiseReason = false, ""
			}
			if !reflect.DeepEqual(got, want) || got.GammaA != found.Recommended.GammaA || got.GammaI != found.Recommended.GammaI {
				t.Errorf("trained with %+v, tuned %+v", got, want)
			}
		})
	}
}

// The command has what was given and recommended, and nothing else.
func TestTunedCommand(t *testing.T) {
	points := moons(t, t.TempDir(), 60) // a path that needs no quotes
	code, text, stderr := lapsvmRun(t, t.Context(), "", "tune", points, "--sigma", "0.4", "--neighbours", "5", "--laplacian-degree", "1", "--grid-a", "0.01", "--grid-i", "1",
		"--validation", points, "--folds", "3", "--threads", "1", "--memory", "1GB", "--label", "label", "--json")
	var result struct{ Command string }
	if code != cli.ExitDone || json.Unmarshal([]byte(text), &result) != nil {
		t.Fatal(text, stderr)
	}
	want := "lapsvm train " + points + " --output model.lapsvm --label label --memory 1GB --kernel gaussian --sigma 0.4 --standardise none --neighbours 5 --laplacian-degree 1 --metric euclidean --gamma-a 0.01 --gamma-i 1"
	if result.Command != want {
		t.Errorf("%s, want %s", result.Command, want)
	}
}
