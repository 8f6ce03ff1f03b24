package command

import (
	"encoding/json"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"lapsvm/app/command/cli"
	"lapsvm/dataset"
	"lapsvm/dataset/files"
)

// The JSON of every command has the keys that scripts rely on. A key within another
// is written with a dot; of arrays the first element is looked at.
func TestJSONKeys(t *testing.T) {
	folder := t.TempDir()
	points, model := moons(t, folder, 60), filepath.Join(folder, "m.lapsvm")
	full := filepath.Join(folder, "full.csv")
	if err := files.WriteFile(t.Context(), full, dataset.TwoMoons(60, 0.1, 2), files.WriteOptions{}); err != nil {
		t.Fatal(err)
	}
	const training = `n d labelled unlabelled classes kernel solver precision gamma_a gamma_i objective iterations line_search_steps
		error_vectors status training_error standardise `
	const errors = "error_unlabelled error_validation error_test error_baseline_unlabelled error_baseline_test seconds f1_macro auc "
	for _, c := range []struct{ args, keys string }{
		{"train " + points + " -o " + model, training + `peak_bytes members landmarks neighbour_search recall recall_error seconds.read seconds.choose
			seconds.auto seconds.graph seconds.gram seconds.solve seconds.calibrate seconds.total`},
		{"train " + points + " --gamma-i 0 -o " + model + "2", training + "peak_bytes members landmarks"},
		{"info " + model, training + "mean_of neighbour_search recall recall_error recall_asked"},
		{"graph " + points + " --recall 0.9", "n neighbours neighbour_search recall recall_error neighbour_search_choice"},
		{"predict " + model + " " + points + " --scores --proba", "classes labels scores proba"},
		{"evaluate " + full + " --labelled 8 --repeats 2 --neighbours 5 --test-fraction 0.25 --validation-size 4",
			errors + "mean." + strings.Join(strings.Fields(errors), " mean.") + " sd." + strings.Join(strings.Fields(errors), " sd.")},
		{"tune " + points + " --grid-a 0.01,1 --grid-i 1", "cells.gamma_a cells.gamma_i cells.error best.gamma_a best.gamma_i best.error"},
		{"demo -o " + filepath.Join(folder, "demo.svg"), "n labelled error_svm error_lapsvm errors iterations picture"},
	} {
		code, stdout, stderr := lapsvmRun(t, t.Context(), "", append(strings.Fields(c.args), "--json")...)
		var result map[string]any
		if code != cli.ExitDone || json.Unmarshal([]byte(stdout), &result) != nil {
			t.Fatalf("%s: %s%s", c.args, stdout, stderr)
		}
		for _, key := range strings.Fields(c.keys) {
			within := result
			if strings.HasPrefix(c.args, "evaluate") && !strings.Contains(key, ".") {
				key = "repeats." + key
			}
			if outer, inner, nested := strings.Cut(key, "."); nested {
				key = inner
				switch v := result[outer].(type) {
				case map[string]any:
					within = v
				case []any:
					within, _ = v[0].(map[string]any)
				}
			}
			if v, there := within[key]; !there || v == nil {
				t.Errorf("%s: %s is %v in %s", c.args, key, v, stdout)
			}
		}
	}
}

// The verdict on the unlabelled points is one of three words, with the interval or the error that it goes by.
func TestVerdictJSON(t *testing.T) {
	full := filepath.Join(t.TempDir(), "full.csv")
	if err := files.WriteFile(t.Context(), full, dataset.TwoMoons(60, 0.1, 2), files.WriteOptions{}); err != nil {
		t.Fatal(err)
	}
	for args, keys := range map[string][3]string{
		"evaluate " + full + " --labelled 8 --repeats 3 --sigma 0.4 --neighbours 5": {"gain_low", "gain", "gain_high"},
		"tune " + full + " --sigma 0.4 --neighbours 5":                              {"error_low", "error", "error_high"},
	} {
		code, stdout, stderr := lapsvmRun(t, t.Context(), "", append(strings.Fields(args), "--json")...)
		var result map[string]any
		if code != cli.ExitDone || json.Unmarshal([]byte(stdout), &result) != nil {
			t.Fatalf("%s: %s%s", args, stdout, stderr)
		}
		low, lower := result[keys[0]].(float64)
		value, is := result[keys[1]].(float64)
		high, upper := result[keys[2]].(float64)
		if !lower || !is || !upper || !(low <= value && value <= high) || !slices.Contains([]any{"helps", "harms", "cannot be told"}, result["verdict"]) {
			t.Errorf("%s: %v from %v to %v, %v", args, value, low, high, result["verdict"])
		}
	}
}

// An evaluation tells of its choice what a training with the same labels tells, the verdict and the gain too.
func TestEvaluateTellsAsTrain(t *testing.T) {
	folder := t.TempDir()
	d := dataset.TwoMoons(200, 0.1, 2)
	known, points := filepath.Join(folder, "known.csv"), filepath.Join(folder, "points.csv")
	if err := files.WriteFile(t.Context(), known, d, files.WriteOptions{}); err != nil {
		t.Fatal(err)
	}
	for i := 12; i < 200; i++ {
		d.Y[i] = dataset.Unlabelled
	}
	if err := files.WriteFile(t.Context(), points, d, files.WriteOptions{}); err != nil {
		t.Fatal(err)
	}
	var trained struct{ Choice map[string]any }
	var evaluated struct{ Choices []map[string]any }
	for args, result := range map[string]any{
		"train " + points + " -o " + filepath.Join(folder, "m.lapsvm"): &trained,
		"evaluate " + points + " --labelled 12 --test " + known:        &evaluated,
	} {
		code, stdout, stderr := lapsvmRun(t, t.Context(), "", append(strings.Fields(args), "--json")...)
		if code != cli.ExitDone || json.Unmarshal([]byte(stdout), result) != nil {
			t.Fatalf("%s: %s%s", args, stdout, stderr)
		}
	}
	if trained.Choice["verdict"] == nil || trained.Choice["gain"] == nil || !reflect.DeepEqual(evaluated.Choices, []map[string]any{trained.Choice}) {
		t.Errorf("an evaluation tells %v, a training %v", evaluated.Choices, trained.Choice)
	}
}

// The new keys of a training say what was done.
func TestTrainJSON(t *testing.T) {
	folder := t.TempDir()
	points := moons(t, folder, 60)
	var result struct {
		Members, Landmarks int
		NeighbourSearch    *string `json:"neighbour_search"`
		MeanOf             []any   `json:"mean_of"`
		Seconds            struct{ Choose, Auto float64 }
	}
	if err := json.Unmarshal([]byte(trained(t, points, "-o", filepath.Join(folder, "m"), "--json")), &result); err != nil {
		t.Fatal(err)
	}
	if result.Members < 2 || result.Members != len(result.MeanOf) || result.Landmarks != 0 || *result.NeighbourSearch != "exact" || result.Seconds.Choose != result.Seconds.Auto {
		t.Errorf("%+v", result)
	}
	result.NeighbourSearch = nil
	if err := json.Unmarshal([]byte(trained(t, points, "-o", filepath.Join(folder, "m"), "--gamma-i", "0", "--json")), &result); err != nil {
		t.Fatal(err)
	}
	if result.Members != 1 || result.NeighbourSearch != nil {
		t.Errorf("without a graph: %+v", result)
	}
}
