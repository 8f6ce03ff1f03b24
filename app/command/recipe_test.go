package command

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"lapsvm"
	"lapsvm/app/command/cli"
)

// trained trains with the command and returns what it prints.
func trained(t *testing.T, args ...string) string {
	t.Helper()
	code, stdout, stderr := lapsvmRun(t, t.Context(), "", append([]string{"train"}, args...)...)
	if code != cli.ExitDone {
		t.Fatalf("train %v: %s", args, stderr)
	}
	return stdout
}

// The recipe of a model, from its file or as info and train print it, gives the
// bits of the model again, without a choice.
func TestRecipeGivesTheSameBits(t *testing.T) {
	folder := t.TempDir()
	points := moons(t, folder, 120)
	for name, flags := range map[string][]string{
		"mean":       {"--neighbours", "5"},
		"conjugate":  {"--solver", "pcg", "--neighbours", "6"},
		"supervised": {"--gamma-i", "0"},
		"landmarks":  {"--gamma-i", "0", "--solver", "landmarks"},
		"prior":      {"--prior", "0=0.4,1=0.6", "--sigma", "0.4", "--neighbours", "5", "--laplacian-degree", "1", "--gamma-a", "0.01", "--gamma-i", "1", "--label-shares", "--solver", "deformed"},
		"dual":       {"--loss", "hinge", "--standardise", "zscore", "--bias", "outside", "--proba", "off"},
	} {
		t.Run(name, func(t *testing.T) {
			in := func(name string) string { return filepath.Join(folder, name) }
			printed := trained(t, append([]string{points, "-o", in("first"), "--json"}, flags...)...)
			_, told, _ := lapsvmRun(t, t.Context(), "", "info", in("first"), "--json")
			m, err := lapsvm.Load(in("first"))
			if err != nil {
				t.Fatal(err)
			}
			want, err := json.Marshal(m.Recipe())
			if err != nil {
				t.Fatal(err)
			}
			if name == "mean" && len(m.Recipe().Members) < 2 {
				t.Fatalf("the recipe %s has one machine", want)
			}
			predict := []string{"predict", in("first"), points, "--scores", "-o", in("first.csv")}
			if code, _, stderr := lapsvmRun(t, t.Context(), "", predict...); code != cli.ExitDone {
				t.Fatal(stderr)
			}
			for _, recipe := range []string{in("first"), file(t, folder, "printed.json", printed), file(t, folder, "told.json", told)} {
				text := trained(t, points, "-o", in("second"), "--recipe", recipe, "--time", "60s")
				if !strings.Contains(text, "parameters by the recipe "+recipe) || strings.Contains(text, "held-out labels wrong") {
					t.Errorf("by %s: %s", recipe, text)
				}
				again, err := lapsvm.Load(in("second"))
				if err != nil {
					t.Fatal(err)
				}
				if got, err := json.Marshal(again.Recipe()); err != nil || string(got) != string(want) {
					t.Errorf("by %s the recipe is %s, want %s", recipe, got, want)
				}
				predict[1], predict[5] = in("second"), in("second.csv")
				if code, _, stderr := lapsvmRun(t, t.Context(), "", predict...); code != cli.ExitDone {
					t.Fatal(stderr)
				}
				if !slices.Equal(bytesOf(t, in("first.csv")), bytesOf(t, in("second.csv"))) {
					t.Errorf("by %s the model decides otherwise", recipe)
				}
			}
		})
	}
}

func bytesOf(t *testing.T, path string) []byte {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// A model of an older program that does not list the machines it is the mean of is
// no recipe.
func TestRecipeOfOlderMean(t *testing.T) {
	folder := t.TempDir()
	points := moons(t, folder, 40)
	older := file(t, folder, "older.json", `{"kernel": "gaussian", "sigma": 0.4, "gamma_a": 0.01, "gamma_i": 1, "neighbours": 5, "laplacian_degree": 1,
		"bias": true, "solver": "deformed", "choice": {"averaged": 7}}`)
	code, _, stderr := lapsvmRun(t, t.Context(), "", "train", points, "-o", filepath.Join(folder, "m"), "--recipe", older)
	if code != cli.ExitData || !strings.Contains(stderr, "does not list the 7 machines") {
		t.Errorf("code %d, %s", code, stderr)
	}
}

// A recipe in JSON says each thing once. Beside the members of a mean it may have the values of the
// leading one, as info prints them, and no others.
func TestRecipeSaysThingsOnce(t *testing.T) {
	folder := t.TempDir()
	points := moons(t, folder, 40)
	recipe := func(gammaA, more string) string {
		return `{"kernel": "gaussian", "sigma": 0.4, "standardise": "none", "solver": "deformed", "seed": 1, "gamma_a": ` + gammaA + `, "gamma_i": 1, "neighbours": 5, "laplacian_degree": 1, "mean_of": [
			{"neighbours": 5, "laplacian_degree": 1, "gamma_a": 0.01, "gamma_i": 1, "weight": 0.7},
			{"neighbours": 4, "laplacian_degree": 2, "gamma_a": 0.1, "gamma_i": 2, "weight": 0.3}]` + more + "}"
	}
	for text, want := range map[string]string{
		recipe("0.01", ""):                     "",
		recipe("0.1", ""):                      "mean_of and gamma_a 0.1 exclude each other",
		recipe("0.01", `, "seed": 1`):          `the key "seed" comes twice; keep one`,
		recipe("0.01", `, "x": {"a":1,"a":2}`): `the key "a" comes twice; keep one`,
	} {
		code, _, stderr := lapsvmRun(t, t.Context(), "", "train", points, "-o", filepath.Join(folder, "m"), "--recipe", file(t, folder, "r.json", text))
		if want == "" && code != cli.ExitDone || want != "" && (code != cli.ExitData || !strings.Contains(stderr, want)) {
			t.Errorf("%s\ncode %d, %s, want %q", text, code, stderr, want)
		}
	}
}

// info lists the machines of a mean, the first ten of them as text.
func TestInfoListsMembers(t *testing.T) {
	folder := t.TempDir()
	model := filepath.Join(folder, "m")
	trained(t, moons(t, folder, 120), "-o", model, "--neighbours", "5")
	m, err := lapsvm.Load(model)
	if err != nil {
		t.Fatal(err)
	}
	_, text, _ := lapsvmRun(t, t.Context(), "", "info", model)
	const shown = 10
	members := m.Recipe().Members
	listed := strings.Count(text, ", power ")
	if len(members) < 2 || listed != min(len(members), shown) || strings.Contains(text, "more\n") != (len(members) > shown) {
		t.Errorf("%d machines: %s", len(members), text)
	}
	_, text, _ = lapsvmRun(t, t.Context(), "", "info", model, "--json")
	var told struct {
		MeanOf []lapsvm.Member `json:"mean_of"`
	}
	if err := json.Unmarshal([]byte(text), &told); err != nil || !slices.Equal(told.MeanOf, members) {
		t.Errorf("%v: %s", err, text)
	}
}
